// https://github.com/triton-lang/triton/pull/10035: of several warps that wait for a slot one gives it back, while others may not have seen that it is full: the
// next phase laps them.
// Refused by protocol (SYNC_PHASE_LAP).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The leader does not wait for the others.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @leader(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 96 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
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
    %reads = arith.cmpi ne, %w, %c0 : index
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        // expected-error@+1 {{can be lapped: another phase of the mbarrier at byte 32768 completes before warp 2 has seen the one that it waits for, and it waits for ever}}
        gpu.mbarrier_wait %bar, %ph
        %leads = arith.cmpi eq, %w, %c1 : index
        scf.if %leads {
          %l = gpu.elect
          scf.if %l {
            gpu.mbarrier_arrive %empty
          }
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }
}

// -----

// The repair: the warps meet in front of the arrival.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 96 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
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
    %reads = arith.cmpi ne, %w, %c0 : index
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        gpu.mbarrier_wait %bar, %ph
        %id = arith.constant 1 : i32
        gpu.named_barrier %id, 64
        %leads = arith.cmpi eq, %w, %c1 : index
        scf.if %leads {
          %l = gpu.elect
          scf.if %l {
            gpu.mbarrier_arrive %empty
          }
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }
}

// -----

// Control: each warp arrives.
gpu.module @kernels {
  gpu.func @each(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 96 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c16 = arith.constant 16 : i32
    %empty = gpu.ptr_add %bar, %c16 : !gpu.ptr<shared>, i32
    %bytes = arith.constant 128 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %empty, 2
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w0 = arith.cmpi eq, %w, %c0 : index
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
    %reads = arith.cmpi ne, %w, %c0 : index
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        gpu.mbarrier_wait %bar, %ph
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
