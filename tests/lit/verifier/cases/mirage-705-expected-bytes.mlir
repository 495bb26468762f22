// https://github.com/mirage-project/mirage/pull/705 (more bytes land than are expected) and https://github.com/tile-ai/tilelang/issues/2566 (an arrival that never comes).
// Refused by protocol (SYNC_DEADLOCK).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// 2,048 bytes are expected, 1,024 land.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @more(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 1024 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 2048
      gpu.bulk_load %smem, %bar, %y, %bytes
    }
    // expected-error@+1 {{can wait for ever: warp 0 waits for a phase of the mbarrier at byte 32768, and no role can go on}}
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}

// -----

// 512 are expected.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @fewer(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 1024 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 512
      gpu.bulk_load %smem, %bar, %y, %bytes
    }
    // expected-error@+1 {{can wait for ever: warp 0 waits for a phase of the mbarrier at byte 32768, and no role can go on}}
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}

// -----

// Two arrivals complete a phase, and one comes.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @arrival(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 1024 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 2
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 1024
      gpu.bulk_load %smem, %bar, %y, %bytes
    }
    // expected-error@+1 {{can wait for ever: warp 0 waits for a phase of the mbarrier at byte 32768, and no role can go on}}
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 1024 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 1024
      gpu.bulk_load %smem, %bar, %y, %bytes
    }
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}
