// https://github.com/deepseek-ai/DeepEP/pull/642 (issue 621): the consumer's shared loads are ordered before the next bulk load by an mbarrier alone;
// loads that are still on their way read what the copy writes.
// Refused by async-proxy (PROXY_GENERIC_TO_ASYNC).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// No proxy fence behind the reads.
gpu.module @kernels {
  gpu.func @no_fence(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c16 = arith.constant 16 : i32
    %empty = gpu.ptr_add %bar, %c16 : !gpu.ptr<shared>, i32
    %bytes = arith.constant 128 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w0 = arith.cmpi eq, %w, %c0 : index
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    scf.if %w0 {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %one) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_wait %empty, %ph
          gpu.mbarrier_arrive_expect_tx %bar, 128
          // expected-error@+1 {{overwrites shared memory that threads read through the generic proxy, but not every reader executed a proxy fence before}}
          gpu.bulk_load %smem, %bar, %y, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    %reads = arith.cmpi eq, %w, %c1 : index
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        gpu.mbarrier_wait %bar, %ph
        // expected-note@+1 {{the read}}
        %a = gpu.load %lp : !gpu.ptr<shared> -> f32
        gpu.store %a, %y : f32, !gpu.ptr<global>
        // expected-note@+1 {{here others are told of it, and there was no fence yet}}
        gpu.warp_sync
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %empty
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }
}

// -----

// The repair: every reader fences before the slot is given back.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c16 = arith.constant 16 : i32
    %empty = gpu.ptr_add %bar, %c16 : !gpu.ptr<shared>, i32
    %bytes = arith.constant 128 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w0 = arith.cmpi eq, %w, %c0 : index
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    scf.if %w0 {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %one) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_wait %empty, %ph
          gpu.mbarrier_arrive_expect_tx %bar, 128
          gpu.bulk_load %smem, %bar, %y, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    %reads = arith.cmpi eq, %w, %c1 : index
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        gpu.mbarrier_wait %bar, %ph
        %a = gpu.load %lp : !gpu.ptr<shared> -> f32
        gpu.store %a, %y : f32, !gpu.ptr<global>
        gpu.fence_proxy_async
        gpu.warp_sync
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %empty
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }
}

// -----

// A sibling: one lane gives the slot back for the others, without meeting them.
gpu.module @kernels {
  gpu.func @alone(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c16 = arith.constant 16 : i32
    %empty = gpu.ptr_add %bar, %c16 : !gpu.ptr<shared>, i32
    %bytes = arith.constant 128 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w0 = arith.cmpi eq, %w, %c0 : index
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    scf.if %w0 {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %one) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_wait %empty, %ph
          gpu.mbarrier_arrive_expect_tx %bar, 128
          // expected-error@+1 {{overwrites shared memory that threads read through the generic proxy, but behind the readers' proxy fence they do not meet with the issuing thread}}
          gpu.bulk_load %smem, %bar, %y, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    %reads = arith.cmpi eq, %w, %c1 : index
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        gpu.mbarrier_wait %bar, %ph
        // expected-note@+1 {{the read}}
        %a = gpu.load %lp : !gpu.ptr<shared> -> f32
        gpu.store %a, %y : f32, !gpu.ptr<global>
        gpu.fence_proxy_async
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %empty
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }
}
