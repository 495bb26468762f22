// https://github.com/MoonshotAI/FlashKDA/issues/24: the state of a sequence is written by all threads, and the only proxy fence before its bulk
// store stands in the loop over tiles, which an empty sequence does not enter; elsewhere there is none, and mbarriers are used without the fence behind their set-up.
// Refused by async-proxy (PROXY_GENERIC_TO_ASYNC).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The loop may run no round.
gpu.module @kernels {
  gpu.func @empty_sequence(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    scf.for %i = %c0 to %n step %c1 {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.fence_proxy_async
    }
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// The repair: a fence behind the loop.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    scf.for %i = %c0 to %n step %c1 {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
    }
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A barrier is no proxy fence.
gpu.module @kernels {
  gpu.func @barrier_alone(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// The mbarrier is set up by the generic proxy, and bulk copies count at it.
gpu.module @kernels {
  gpu.func @set_up(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 512 : i32
    scf.if %is_first {
      // expected-note@+1 {{the write}}
      gpu.mbarrier_init %bar, 1
    }
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 512
      // expected-error@+1 {{counts at an mbarrier that was set up through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.bulk_load %smem, %bar, %y, %bytes
    }
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @set_up_repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %bytes = arith.constant 512 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 512
      gpu.bulk_load %smem, %bar, %y, %bytes
    }
    gpu.mbarrier_wait %bar, %z
    gpu.return
  }
}
