// https://github.com/pytorch/ao/pull/4278
// Rule async-proxy (PROXY_GENERIC_TO_ASYNC). All threads write a tile, they meet, each fences, and one thread has it stored: nothing orders
// the fences of the others before the store. At the schedule level fence and rendezvous belong to `commit … to` and cannot be misplaced.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

gpu.module @kernels {
  gpu.func @late(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %at = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %zero : index
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    // expected-note@+1 {{the fence}}
    gpu.fence_proxy_async
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but the writers' proxy fence stands behind the barrier, so that nothing orders it before this instruction}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// The repair: all fence, then they meet, then one issues.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %at = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %zero : index
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Control: only the issuing thread wrote. Its own fence is enough.
gpu.module @kernels {
  gpu.func @own(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %at = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %zero : index
    scf.if %is_first {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.fence_proxy_async
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Control: bytes that the copy does not read need no fence.
gpu.module @kernels {
  gpu.func @elsewhere(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %at = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %zero : index
    %far = arith.constant 16384 : i32
    %q = gpu.ptr_add %p, %far : !gpu.ptr<shared>, i32
    gpu.store %v, %q : f32, !gpu.ptr<shared>
    gpu.barrier
    scf.if %is_first {
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}
