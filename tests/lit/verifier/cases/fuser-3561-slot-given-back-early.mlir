// https://github.com/NVIDIA/Fuser/issues/3561, asked about in https://github.com/NVIDIA/cutlass/issues/2508: a slot is given back while wgmma may still read it.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// No wait between the matrix instructions and the arrival.
gpu.module @kernels {
  gpu.func @early(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 160 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
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
    %bytes = arith.constant 1024 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %empty, 4
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %four = arith.constant 4 : index
    %loads = arith.cmpi eq, %w, %four : index
    scf.if %loads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %one) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_wait %empty, %ph
          gpu.mbarrier_arrive_expect_tx %bar, 1024
          // expected-error@+1 {{writes shared memory at byte 0, which a matrix instruction may still read}}
          gpu.bulk_load %smem, %bar, %y, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    } else {
      %desc = arith.constant 4611686293305294848 : i64
      %init = arith.constant dense<0.0> : vector<4xf32>
      gpu.wgmma_fence
      %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z, %acc = %init) -> (i32, vector<4xf32>) {
        gpu.mbarrier_wait %bar, %ph
        // expected-note@+1 {{the read}}
        %r = gpu.wgmma %desc, %desc, 8 into %acc : bf16 -> vector<4xf32>
        gpu.wgmma_commit
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %empty
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next, %r : i32, vector<4xf32>
      }
      %d = gpu.wgmma_wait 0, %last#1 : vector<4xf32>
      gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    }
    gpu.return
  }
}

// -----

// A wait that leaves this round's group.
gpu.module @kernels {
  gpu.func @one_left(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 160 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
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
    %bytes = arith.constant 1024 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %empty, 4
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %four = arith.constant 4 : index
    %loads = arith.cmpi eq, %w, %four : index
    scf.if %loads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %one) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_wait %empty, %ph
          gpu.mbarrier_arrive_expect_tx %bar, 1024
          // expected-error@+1 {{writes shared memory at byte 0, which a matrix instruction may still read}}
          gpu.bulk_load %smem, %bar, %y, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    } else {
      %desc = arith.constant 4611686293305294848 : i64
      %init = arith.constant dense<0.0> : vector<4xf32>
      gpu.wgmma_fence
      %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z, %acc = %init) -> (i32, vector<4xf32>) {
        gpu.mbarrier_wait %bar, %ph
        // expected-note@+1 {{the read}}
        %r = gpu.wgmma %desc, %desc, 8 into %acc : bf16 -> vector<4xf32>
        gpu.wgmma_commit
        gpu.wgmma_wait 1
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %empty
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next, %r : i32, vector<4xf32>
      }
      %d = gpu.wgmma_wait 0, %last#1 : vector<4xf32>
      gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    }
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 160 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
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
    %bytes = arith.constant 1024 : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %empty, 4
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %four = arith.constant 4 : index
    %loads = arith.cmpi eq, %w, %four : index
    scf.if %loads {
      scf.for %i = %c0 to %n step %c1 iter_args(%ph = %one) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_wait %empty, %ph
          gpu.mbarrier_arrive_expect_tx %bar, 1024
          gpu.bulk_load %smem, %bar, %y, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    } else {
      %desc = arith.constant 4611686293305294848 : i64
      %init = arith.constant dense<0.0> : vector<4xf32>
      gpu.wgmma_fence
      %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z, %acc = %init) -> (i32, vector<4xf32>) {
        gpu.mbarrier_wait %bar, %ph
        %r = gpu.wgmma %desc, %desc, 8 into %acc : bf16 -> vector<4xf32>
        gpu.wgmma_commit
        %sum = gpu.wgmma_wait 0, %r : vector<4xf32>
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %empty
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next, %sum : i32, vector<4xf32>
      }
      %d = gpu.wgmma_wait 0, %last#1 : vector<4xf32>
      gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    }
    gpu.return
  }
}
