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
    // expected-error @+1 {{has slots that nothing fills}}
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

// -----

gpu.module @kernels {
  gpu.func @mixed(%g: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [f32], sizes = [], grid = #cake.expr<1>, block = 32 : i64,
      roles = [{name = "all", first_warp = 0 : i64, warps = 1 : i64, replicas = 1 : i64, regs = 0 : i64}]} {
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<64xf32, align 16>
    cake.pipeline @p stages(1) from(@all) to(@all) slot(q: !cake.shared<64xf32, rows>, r: !cake.shared<16x16xf32, rows>) {barriers = 2048 : i64, offsets = array<i64: 0, 1024>, strides = array<i64: 256, 1024>}
    %s, %qs, %rs = cake.acquire @p
    cake.copy %x[0] -> %qs via(cp_async)
    %f = cake.fill 1.0 : tensor<16x16xf32, #cake.mma.acc<1x1>>
    // expected-error @+1 {{fills a slot that cp_async fills too: its arrival does not publish what threads write}}
    cake.put %f, %rs
    cake.commit %s
    %t, %qt, %rt = cake.wait @p
    cake.release %t
    gpu.return
  }
}
