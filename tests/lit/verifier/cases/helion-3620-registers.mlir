// https://github.com/pytorch/helion/pull/3620 (an increase that nobody pays for), https://github.com/NVIDIA/cutlass/issues/2007 (it hangs at the increase) and
// https://github.com/triton-lang/triton/pull/11287 (16 registers).
// Refused by register-requests (REG_BUDGET).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Nobody gives registers up.
gpu.module @kernels {
  // expected-note@+1 {{warpgroup 0: 128 threads with 168 registers}}
  gpu.func @unpaid(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 384 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %four = arith.constant 4 : index
    %loads = arith.cmpi ult, %w, %four : index
    scf.if %loads {
    } else {
      // expected-error@+3 {{waits for ever: the warpgroups ask for 80896 registers, and the CTA has 64512}}
      // expected-note@+2 {{warpgroup 1: 128 threads with 232 registers}}
      // expected-note@+1 {{warpgroup 2: 128 threads with 232 registers}}
      gpu.setmaxnreg increase 232
    }
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 384 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %four = arith.constant 4 : index
    %loads = arith.cmpi ult, %w, %four : index
    scf.if %loads {
      gpu.setmaxnreg decrease 40
    } else {
      gpu.setmaxnreg increase 232
    }
    gpu.return
  }
}

// -----

// Too few.
gpu.module @kernels {
  gpu.func @few(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 384 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %four = arith.constant 4 : index
    %loads = arith.cmpi ult, %w, %four : index
    scf.if %loads {
      // expected-error@+1 {{expects 24 to 256 registers in multiples of 8, but got 16}}
      gpu.setmaxnreg decrease 16
    } else {
      gpu.setmaxnreg increase 232
    }
    gpu.return
  }
}

// -----

// One warp of a warpgroup alone.
gpu.module @kernels {
  gpu.func @warp(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      // expected-error@+1 {{is executed by only some threads of warpgroup 0 (warps 0 to 3); all of its warps must}}
      gpu.setmaxnreg decrease 24
    }
    gpu.return
  }
}
