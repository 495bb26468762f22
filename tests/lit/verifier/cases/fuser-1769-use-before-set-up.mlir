// https://github.com/NVIDIA/Fuser/pull/1769: an mbarrier is used before all threads know that it is set up.
// Refused by protocol (SYNC_NOT_READY).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @early(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 64
    }
    // expected-error@+1 {{can come before the mbarrier at byte 32768 is set up: warp 1 is not ordered behind that}}
    gpu.mbarrier_arrive %bar
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 64
    }
    gpu.barrier
    gpu.mbarrier_arrive %bar
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}
