// https://github.com/NVIDIA/cccl/issues/854 and https://github.com/gunrock/gunrock/issues/324: a shuffle of all lanes that only some execute.
// Refused by uniform-barriers (SYNC_DIVERGENT).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

gpu.module @kernels {
  gpu.func @some(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %tid = gpu.thread_id x
    %one = arith.constant 1 : i32
    %t = arith.index_cast %tid : index to i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %lane = arith.andi %t, %c31 : i32
    %half = arith.shrsi %c32, %one : i32
    %low = arith.cmpi slt, %lane, %half : i32
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    scf.if %low {
      // expected-error@+1 {{is executed by whole warps, but only some threads of a warp reach it}}
      %a:2 = gpu.shuffle xor %t, %one, %c32 : i32
    }
    gpu.return
  }
}

// -----

// Control: whole warps, by a quotient of the number of the thread.
gpu.module @kernels {
  gpu.func @warps(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %tid = gpu.thread_id x
    %one = arith.constant 1 : i32
    %t = arith.index_cast %tid : index to i32
    %c32 = arith.constant 32 : i32
    %quotient = arith.divsi %t, %c32 : i32
    %low = arith.cmpi slt, %quotient, %one : i32
    scf.if %low {
      %a:2 = gpu.shuffle xor %t, %one, %c32 : i32
    }
    gpu.return
  }
}
