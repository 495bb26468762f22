// Rule async-proxy (PROXY_GENERIC_TO_ASYNC): siblings of a fence behind its barrier. Here threads and lanes are written by hand.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// No fence at all.
gpu.module @kernels {
  gpu.func @none(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A fence on one of two ways.
gpu.module @kernels {
  gpu.func @one_way(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %m = arith.constant 7 : index
    %some = arith.cmpi ult, %n, %m : index
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    scf.if %some {
      gpu.fence_proxy_async
    }
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A fence by half of the threads.
gpu.module @kernels {
  gpu.func @half(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %h = arith.constant 64 : index
    %low = arith.cmpi ult, %tid, %h : index
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    scf.if %low {
      gpu.fence_proxy_async
    }
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A fence in a loop that may have no round.
gpu.module @kernels {
  gpu.func @loop(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %one = arith.constant 1 : index
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    scf.for %i = %zero to %n step %one {
      gpu.fence_proxy_async
    }
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// The issuing thread alone fences, for all.
gpu.module @kernels {
  gpu.func @issuer_fences(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    scf.if %is_first {
    gpu.fence_proxy_async
    }
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// No rendezvous.
gpu.module @kernels {
  gpu.func @no_barrier(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.fence_proxy_async
    scf.if %is_first {
      // expected-error@+1 {{behind the writers' proxy fence they do not meet with the issuing thread}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A rendezvous of the warps one by one.
gpu.module @kernels {
  gpu.func @warps(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.fence_proxy_async
    gpu.warp_sync
    scf.if %is_first {
      // expected-error@+1 {{behind the writers' proxy fence they do not meet with the issuing thread}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Half of the warps meet, without some of the writers.
gpu.module @kernels {
  gpu.func @half_meets(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %h = arith.constant 64 : index
    %low = arith.cmpi ult, %tid, %h : index
    %id = arith.constant 1 : i32
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    scf.if %low {
      gpu.named_barrier %id, 64
    }
    scf.if %is_first {
      // expected-error@+1 {{behind the writers' proxy fence they do not meet with the issuing thread}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// All come to a barrier that counts half of them: it is over before the others have come.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @too_few(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %id = arith.constant 1 : i32
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    // expected-note@+3 {{32 arrival}}
    // expected-note@+2 {{96 arrival}}
    // expected-error@+1 {{can come too late}}
    gpu.named_barrier %id, 64
    scf.if %is_first {
      // expected-error@+1 {{behind the writers' proxy fence they do not meet with the issuing thread}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A barrier of all of them.
gpu.module @kernels {
  gpu.func @named(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %id = arith.constant 1 : i32
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.named_barrier %id, 128
    scf.if %is_first {
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Writers that arrive, and a warp that waits.
gpu.module @kernels {
  gpu.func @arrive(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %w = gpu.warp_id
    %z = arith.cmpi eq, %w, %zero : index
    %id = arith.constant 1 : i32
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    scf.if %z {
      gpu.named_barrier %id, 128
    } else {
      gpu.named_barrier_arrive %id, 128
    }
    scf.if %is_first {
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Both sides of a branch meet at one barrier.
gpu.module @kernels {
  gpu.func @sides(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %h = arith.constant 64 : index
    %low = arith.cmpi ult, %tid, %h : index
    %id = arith.constant 1 : i32
    scf.if %low {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.fence_proxy_async
      gpu.named_barrier %id, 128
    } else {
      gpu.named_barrier %id, 128
      %z = arith.constant 64 : index
      %me = arith.cmpi eq, %tid, %z : index
      scf.if %me {
        gpu.tma_store %smem, %map[%at, %at]
        gpu.bulk_commit
        gpu.bulk_wait_read 0
      }
    }
    gpu.return
  }
}

// -----

// The same, and the writers fence behind it.
gpu.module @kernels {
  gpu.func @sides_late(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %h = arith.constant 64 : index
    %low = arith.cmpi ult, %tid, %h : index
    %id = arith.constant 1 : i32
    scf.if %low {
      // expected-note@+1 {{the write}}
      gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
      gpu.named_barrier %id, 128
    // expected-note@+1 {{the fence}}
      gpu.fence_proxy_async
    } else {
      gpu.named_barrier %id, 128
      %z = arith.constant 64 : index
      %me = arith.cmpi eq, %tid, %z : index
      scf.if %me {
// expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but the writers' proxy fence stands behind the barrier, so that nothing orders it before this instruction}}
        gpu.tma_store %smem, %map[%at, %at]
        gpu.bulk_commit
        gpu.bulk_wait_read 0
      }
    }
    gpu.return
  }
}

// -----

// A second write behind the fence.
gpu.module @kernels {
  gpu.func @again(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A fence in front of the write.
gpu.module @kernels {
  gpu.func @before(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.fence_proxy_async
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Both repaired by a second pair.
gpu.module @kernels {
  gpu.func @twice(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    gpu.barrier
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

// In a loop: the fence of the round before is none for this one.
gpu.module @kernels {
  gpu.func @rounds(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %one = arith.constant 1 : index
    scf.for %i = %zero to %n step %one {
    // expected-error@+2 {{writes shared memory at byte 128, which a bulk store may still read}}
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    // expected-note@+1 {{the fence}}
    gpu.fence_proxy_async
    scf.if %is_first {
      // expected-note@+2 {{the read}}
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but the writers' proxy fence stands behind the barrier, so that nothing orders it before this instruction}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    }
    gpu.return
  }
}

// -----

// The same for what matrix instructions read.
gpu.module @kernels {
  gpu.func @wgmma(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %sa = gpu.shared_address %smem : !gpu.ptr<shared>
    %wide = arith.extui %sa : i32 to i64
    %four = arith.constant 4 : i64
    %a16 = arith.shrui %wide, %four : i64
    %bits = arith.constant 4611686293305360384 : i64
    %desc = arith.ori %a16, %bits : i64
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    gpu.wgmma_fence
    // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but not every writer executed a proxy fence before}}
    %acc = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %done = gpu.wgmma_wait 0, %acc : vector<4xf32>
    gpu.return
  }
}

// -----

// With fence and barrier it is fine.
gpu.module @kernels {
  gpu.func @wgmma_fine(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %sa = gpu.shared_address %smem : !gpu.ptr<shared>
    %wide = arith.extui %sa : i32 to i64
    %four = arith.constant 4 : i64
    %a16 = arith.shrui %wide, %four : i64
    %bits = arith.constant 4611686293305360384 : i64
    %desc = arith.ori %a16, %bits : i64
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.barrier
    gpu.wgmma_fence
    %acc = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %done = gpu.wgmma_wait 0, %acc : vector<4xf32>
    gpu.return
  }
}

// -----

// Roles that hand data over at an mbarrier: the writers fence, then arrive.
gpu.module @kernels {
  gpu.func @roles(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %one = arith.constant 1 : index
    %b0 = arith.constant 32768 : i32
    %b1 = arith.constant 32776 : i32
    %full = gpu.ptr_add %smem, %b0 : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %smem, %b1 : !gpu.ptr<shared>, i32
    %h = arith.constant 64 : index
    scf.if %is_first {
      gpu.mbarrier_init %full, 64
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %c1 = arith.constant 1 : i32
    %is_writer = arith.cmpi uge, %tid, %h : index
    %r = scf.for %i = %zero to %n step %one iter_args(%ph = %at) -> (i32) {
      %other = arith.xori %ph, %c1 : i32
      scf.if %is_writer {
        gpu.mbarrier_wait %empty, %other
        gpu.store %v, %p : f32, !gpu.ptr<shared>
        gpu.fence_proxy_async
        gpu.mbarrier_arrive %full
      } else {
        scf.if %is_first {
          gpu.mbarrier_wait %full, %ph
          gpu.tma_store %smem, %map[%at, %at]
          gpu.bulk_commit
          gpu.bulk_wait_read 0
          gpu.mbarrier_arrive %empty
        }
      }
      scf.yield %other : i32
    }
    gpu.return
  }
}

// -----

// They arrive, then fence.
gpu.module @kernels {
  gpu.func @roles_late(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %one = arith.constant 1 : index
    %b0 = arith.constant 32768 : i32
    %b1 = arith.constant 32776 : i32
    %full = gpu.ptr_add %smem, %b0 : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %smem, %b1 : !gpu.ptr<shared>, i32
    %h = arith.constant 64 : index
    scf.if %is_first {
      gpu.mbarrier_init %full, 64
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %c1 = arith.constant 1 : i32
    %is_writer = arith.cmpi uge, %tid, %h : index
    %r = scf.for %i = %zero to %n step %one iter_args(%ph = %at) -> (i32) {
      %other = arith.xori %ph, %c1 : i32
      scf.if %is_writer {
        gpu.mbarrier_wait %empty, %other
        // expected-note@+1 {{the write}}
        gpu.store %v, %p : f32, !gpu.ptr<shared>
        // expected-note@+1 {{here others are told of it, and there was no fence yet}}
        gpu.mbarrier_arrive %full
        // expected-note@+1 {{the fence}}
        gpu.fence_proxy_async
      } else {
        scf.if %is_first {
          gpu.mbarrier_wait %full, %ph
          // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but}}
          gpu.tma_store %smem, %map[%at, %at]
          gpu.bulk_commit
          gpu.bulk_wait_read 0
          gpu.mbarrier_arrive %empty
        }
      }
      scf.yield %other : i32
    }
    gpu.return
  }
}

// -----

// An mbarrier is written as other memory is: its fence makes it visible to the copies that count at it.
gpu.module @kernels {
  gpu.func @set_up(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %far = arith.constant 32768 : i32
    %full = gpu.ptr_add %smem, %far : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %full, 8192
      gpu.tma_load %smem, %full, %map[%at, %at]
    }
    gpu.mbarrier_wait %full, %at
    gpu.return
  }
}

// -----

// Without.
gpu.module @kernels {
  gpu.func @not_set_up(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
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
    %far = arith.constant 32768 : i32
    %full = gpu.ptr_add %smem, %far : !gpu.ptr<shared>, i32
    scf.if %is_first {
    // expected-note@+1 {{the write}}
      gpu.mbarrier_init %full, 1
    }
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %full, 8192
      // expected-error@+1 {{counts at an mbarrier that was set up through the generic proxy, but not every writer executed a proxy fence before}}
      gpu.tma_load %smem, %full, %map[%at, %at]
    }
    gpu.mbarrier_wait %full, %at
    gpu.return
  }
}
