// cake-expand-pipelines on functions that the passes before it did not make.
// RUN: cake-opt --cake-expand-pipelines --split-input-file --verify-diagnostics %s

gpu.module @kernels {
  gpu.func @no_place() attributes {target = ["sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    // expected-error @+1 {{has no place in shared memory; run cake-assign-shared first}}
    cake.pipeline @p stages(2) from(@load) to(@use) slot(q: !cake.shared<64xf32, rows>)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @no_role() attributes {target = ["sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    // expected-error @+1 {{names a role that the function does not tell of}}
    cake.pipeline @p stages(2) from(@load) to(@use) slot(q: !cake.shared<64xf32, rows>) {barriers = 512 : i64, offsets = array<i64: 0>, strides = array<i64: 256>}
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @no_copy() attributes {target = ["sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 32 : i64,
      roles = [{name = "all", first_warp = 0 : i64, warps = 1 : i64, replicas = 1 : i64, regs = 0 : i64}]} {
    // expected-error @+1 {{has slots that no copy fills}}
    cake.pipeline @p stages(2) from(@all) to(@all) slot(q: !cake.shared<64xf32, rows>) {barriers = 512 : i64, offsets = array<i64: 0>, strides = array<i64: 256>}
    %t, %qs = cake.wait @p
    cake.release %t
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @outside(%b: i1) attributes {target = ["sm_80"], arg_names = ["b"], arg_types = [i1], sizes = [], grid = #cake.expr<1>, block = 64 : i64,
      roles = [{name = "load", first_warp = 0 : i64, warps = 1 : i64, replicas = 1 : i64, regs = 0 : i64}, {name = "use", first_warp = 1 : i64, warps = 1 : i64, replicas = 1 : i64, regs = 0 : i64}]} {
    cake.pipeline @p stages(2) from(@load) to(@use) slot(q: !cake.shared<64xf32, rows>) {barriers = 512 : i64, offsets = array<i64: 0>, strides = array<i64: 256>}
    // expected-error @+1 {{does not stand in role 'use'}}
    %t, %qs = cake.wait @p
    cake.release %t
    gpu.return
  }
}
