// https://github.com/deepseek-ai/DeepEP/issues/657: before the slot of a store is loaded again, the thread waits until one group is left, which is that store's.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// One group may be left, and it reads the slot.
gpu.module @kernels {
  gpu.func @copies(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 8192 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
      gpu.mbarrier_arrive_expect_tx %bar, 8192
      gpu.bulk_load %smem, %bar, %y, %bytes
      gpu.mbarrier_wait %bar, %z
      // expected-note@+1 {{the read}}
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 1
      gpu.mbarrier_arrive_expect_tx %bar, 8192
      // expected-error@+1 {{writes shared memory at byte 0, which a bulk store may still read}}
      gpu.bulk_load %smem, %bar, %y, %bytes
      gpu.mbarrier_wait %bar, %one
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// The repair: none is left.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 8192 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
      gpu.mbarrier_arrive_expect_tx %bar, 8192
      gpu.bulk_load %smem, %bar, %y, %bytes
      gpu.mbarrier_wait %bar, %z
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
      gpu.mbarrier_arrive_expect_tx %bar, 8192
      gpu.bulk_load %smem, %bar, %y, %bytes
      gpu.mbarrier_wait %bar, %one
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}
