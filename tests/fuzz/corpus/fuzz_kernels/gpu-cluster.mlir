// ;

gpu.module @kernels {
  // expected-error @+1 {{needs a cluster of 1 to 8 CTAs along x, and 1 along y and z}}
  gpu.func @cluster() attributes {target = ["sm_90a"], arg_names = [], arg_types = [], sizes = [], grid = 1 : i64, block = 32 : i64, cluster = [9, 1, 1]} {
    gpu.return
  }
}

