// https://github.com/Dao-AILab/flash-attention/pull/2497: in an epilogue by bulk stores the threads that do not issue them may not write the buffer
// again before the issuing thread has waited for its reads.
// Refused by shared-order (SYNC_RACE), shared-order (SYNC_UNDRAINED).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Others write on.
gpu.module @kernels {
  gpu.func @next_tile(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      // expected-note@+1 {{the read}}
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    // expected-error@+1 {{writes shared memory at byte 128, which a bulk store may still read}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.return
  }
}

// -----

// The repair: they meet behind the wait.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.barrier
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.return
  }
}

// -----

// In a loop over tiles.
gpu.module @kernels {
  gpu.func @loop(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    scf.for %i = %c0 to %n step %c1 {
      // expected-error@+1 {{writes shared memory at byte 128, which a bulk store may still read}}
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.fence_proxy_async
      gpu.barrier
      scf.if %is_first {
        // expected-note@+1 {{the read}}
        gpu.tma_store %smem, %map0[%z, %z]
        gpu.bulk_commit
        gpu.bulk_wait_read 0
      }
    }
    gpu.return
  }
}

// -----

// The last store is not waited for: the CTA may end, and its shared memory with it.
gpu.module @kernels {
  gpu.func @undrained(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{may still read shared memory when the CTA has ended: the thread that stores does not wait for it}}
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
    }
    gpu.return
  }
}

// -----

// Without a commit the wait is for nothing.
gpu.module @kernels {
  gpu.func @no_group(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{may still read shared memory when the CTA has ended: it is in no group, which only a 'gpu.bulk_commit' makes, so that nothing waits for it}}
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Another thread waits than the one that stores.
gpu.module @kernels {
  gpu.func @other_waits(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{may still read shared memory when the CTA has ended: the thread that stores does not wait for it}}
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
    }
    %is_second = arith.cmpi eq, %tid, %c1 : index
    scf.if %is_second {
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}
