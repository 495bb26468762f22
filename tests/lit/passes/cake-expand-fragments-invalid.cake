// cake-expand-fragments refuses what it cannot lower, at the op, rather than lower it wrongly.
// RUN: cake-opt %s --split-input-file --verify-diagnostics --cake-expand-fragments

gpu.module @kernels {
  gpu.func @unaligned(%x: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<64xbf16>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<64xbf16>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64xbf16, rows>
    // expected-error @below {{cp_async takes aligned runs of at least 4 bytes}}
    cake.copy %g[0] -> %v via(cp_async)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @no_barrier(%x: !gpu.ptr<global>, %N: index) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [!cake.global<[N]x64xbf16, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<[N]x64xbf16, align 16>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16x64xbf16, sw128>
    // expected-error @below {{has no barrier; run cake-expand-pipelines first}}
    cake.copy %g[0, 0] -> %v via(tma) pad(0.0)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @not_linear(%x: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<16x8xf32>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    // expected-error @below {{has a predicate that is not linear in `row` and `col`}}
    %m = cake.mask %v keep(row * col lt 8) fill(0.0)
    cake.store %m, %g[0, 0]
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @groups(%x: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<16x8xf32>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %none = cake.best.init : !cake.best<16x1xf32, min, tie<low>, nan<last>, group<8>, mma.acc<1x1>>
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    // expected-error @below {{takes candidates in groups of 8, but a lane has 2 columns}}
    %n = cake.best %v at(0) into(%none)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @foreign(%x: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<16x8xf32>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    // expected-error @below {{is no conversion of a pointer to a view}}
    %w = builtin.unrealized_conversion_cast %v : tensor<16x8xf32, #cake.mma.acc<1x1>> to vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @narrow(%x: !gpu.ptr<global>, %D: index) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [!cake.global<64x[D]xbf16, align 16>], sizes = ["D"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<64x[D]xbf16, align 16>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16x64xbf16, sw128>
    // expected-error @below {{cp_async takes aligned runs of at least 4 bytes}}
    cake.copy %g[0, 0] -> %v via(cp_async) pad(0.0)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @halves(%x: !gpu.ptr<global>, %N: index) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<[N]x64xbf16, align 8>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<[N]x64xbf16, align 8>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16x64xbf16, sw128>
    // expected-error @below {{swizzled storage is filled by aligned runs of 16 bytes}}
    cake.copy %g[0, 0] -> %v via(cp_async) pad(0.0)
    gpu.return
  }
}
