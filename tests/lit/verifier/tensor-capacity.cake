// Rule tensor-capacity (TMEM_CAPACITY): what is held of tensor memory at once fits 512 columns, in steps of 32.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// 16 columns take 32.
// expected-error @+1 {{needs 544 columns of tensor memory; there are 512}}
cake.kernel @steps(%x: !cake.global<[N]xf32>) target("sm_100a") {
  // expected-note @+1 {{pipeline '@acc' needs 512 columns}}
  cake.pipeline @acc stages(2) from(@mma) to(@use) slot(d: !cake.tmem<128x256xf32, acc>)
  // expected-note @+1 {{pipeline '@small' needs 32 columns}}
  cake.pipeline @small stages(1) from(@mma) to(@use) slot(d: !cake.tmem<128x16xf32, acc>)
  cake.role @mma warps(1) {
  }
  cake.role @use warpgroups(1) {
  }
}

// -----

// A template is checked as an instance.
cake.kernel @template(%x: !cake.global<[N]xf32>) target("sm_100a") {
  cake.param @S = 2 in 1..4
  cake.pipeline @acc stages(S) from(@mma) to(@use) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @mma warps(1) {
  }
  cake.role @use warpgroups(1) {
  }
}

// -----

// At the thread level: as many as are held when more are asked for.
gpu.module @kernels {
  gpu.func @too_many(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = 1 : i64, shared_bytes = 16 : i64, sizes = ["N"], target = ["sm_100a"]} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    gpu.tcgen05_alloc %s, 512
    // expected-error @+1 {{waits for ever: it asks for 32 columns of tensor memory while 512 of 512 are held}}
    gpu.tcgen05_alloc %s, 32
    %a = gpu.tcgen05_address %s
    gpu.tcgen05_dealloc %a, 512
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @one_behind_the_other(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = 1 : i64, shared_bytes = 16 : i64, sizes = ["N"], target = ["sm_100a"]} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    gpu.tcgen05_alloc %s, 512
    %a = gpu.tcgen05_address %s
    gpu.tcgen05_dealloc %a, 512
    gpu.tcgen05_alloc %s, 32
    %b = gpu.tcgen05_address %s
    gpu.tcgen05_dealloc %b, 32
    gpu.return
  }
}
