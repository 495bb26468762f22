// https://github.com/facebookexperimental/CUTracer/pull/106: planted races of a warp-specialised GEMM: the wait for a full slot stands behind its
// use, or only one of two is waited for.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The wait stands behind the read.
gpu.module @kernels {
  gpu.func @late(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
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
          // expected-error@+1 {{writes shared memory at byte 0, which another thread reads, in no order}}
          gpu.bulk_load %smem, %bar, %y, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    %reads = arith.cmpi eq, %w, %c1 : index
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        // expected-note@+1 {{the read}}
        %a = gpu.load %lp : !gpu.ptr<shared> -> f32
        gpu.store %a, %y : f32, !gpu.ptr<global>
        gpu.mbarrier_wait %bar, %ph
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

// Two operands, each with an mbarrier of its own; the second is read and not waited for.
gpu.module @kernels {
  gpu.func @one_of_two(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %other = gpu.ptr_add %bar, %c16 : !gpu.ptr<shared>, i32
    %second = gpu.ptr_add %smem, %c512 : !gpu.ptr<shared>, i32
    %q = gpu.ptr_add %p, %c512 : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %other, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 512
      gpu.bulk_load %smem, %bar, %y, %c512
      gpu.mbarrier_arrive_expect_tx %other, 512
      // expected-note@+1 {{the write}}
      gpu.bulk_load %second, %other, %y, %c512
    }
    gpu.mbarrier_wait %bar, %z
    %a = gpu.load %p : !gpu.ptr<shared> -> f32
    // expected-error@+1 {{reads shared memory at byte 640, which a bulk load writes, whose mbarrier nobody here has waited for}}
    %b = gpu.load %q : !gpu.ptr<shared> -> f32
    %s = arith.addf %a, %b : f32
    gpu.store %s, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @both(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %other = gpu.ptr_add %bar, %c16 : !gpu.ptr<shared>, i32
    %second = gpu.ptr_add %smem, %c512 : !gpu.ptr<shared>, i32
    %q = gpu.ptr_add %p, %c512 : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %other, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_expect_tx %bar, 512
      gpu.bulk_load %smem, %bar, %y, %c512
      gpu.mbarrier_arrive_expect_tx %other, 512
      gpu.bulk_load %second, %other, %y, %c512
    }
    gpu.mbarrier_wait %bar, %z
    gpu.mbarrier_wait %other, %z
    %a = gpu.load %p : !gpu.ptr<shared> -> f32
    %b = gpu.load %q : !gpu.ptr<shared> -> f32
    %s = arith.addf %a, %b : f32
    gpu.store %s, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}
