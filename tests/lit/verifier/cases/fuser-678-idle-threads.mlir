// https://github.com/NVIDIA/Fuser/issues/678: threads without work reset the place of a result that the working thread has yet to read.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

gpu.module @kernels {
  gpu.func @reset(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %last = arith.constant 100 : index
    scf.if %is_first {
      gpu.store %v, %smem : f32, !gpu.ptr<shared>
    }
    gpu.barrier
    %idle = arith.cmpi eq, %tid, %last : index
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory at byte 0, which another thread writes, in no order}}
      %a = gpu.load %smem : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    scf.if %idle {
      // expected-note@+1 {{the write}}
      gpu.store %v, %smem : f32, !gpu.ptr<shared>
    }
    gpu.return
  }
}

// -----

// The repair: a barrier in front of the reset.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %last = arith.constant 100 : index
    scf.if %is_first {
      gpu.store %v, %smem : f32, !gpu.ptr<shared>
    }
    gpu.barrier
    %idle = arith.cmpi eq, %tid, %last : index
    scf.if %is_first {
      %a = gpu.load %smem : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.barrier
    scf.if %idle {
      gpu.store %v, %smem : f32, !gpu.ptr<shared>
    }
    gpu.return
  }
}
