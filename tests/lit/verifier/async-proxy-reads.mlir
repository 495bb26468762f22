// Rule async-proxy (PROXY_GENERIC_TO_ASYNC): a copy overwrites what threads have read. Loads may still be on their way when an mbarrier tells the
// copying thread that the slot is free: an H200 was seen to read what the next copy wrote.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Nobody has fenced.
gpu.module @kernels {
  gpu.func @unfenced(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %bytes = arith.constant 128 : i32
    %rounds = arith.constant 9 : i32
    %warp = gpu.warp_id
    %lane = gpu.lane_id
    %first = arith.constant 0 : index
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %mine = gpu.ptr_add %o, %lane_four : !gpu.ptr<global>, i32
    %full = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %full, %c8 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %first : index
    scf.if %is_first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %loads = arith.cmpi eq, %warp, %first : index
    scf.if %loads {
      %elected = gpu.elect
      scf.if %elected {
        scf.for %i = %zero to %rounds step %one : i32 {
          %phase = arith.andi %i, %one : i32
          %before = arith.xori %phase, %one : i32
          gpu.mbarrier_wait %empty, %before
          gpu.mbarrier_arrive_expect_tx %full, 128
          // expected-error@+1 {{overwrites shared memory that threads read through the generic proxy, but not every reader executed a proxy fence before}}
          gpu.bulk_load %shared, %full, %x, %bytes
        }
      }
    } else {
      scf.for %i = %zero to %rounds step %one : i32 {
        %phase = arith.andi %i, %one : i32
        gpu.mbarrier_wait %full, %phase
        // expected-note@+1 {{the read}}
        %v = gpu.load %word : !gpu.ptr<shared> -> i32
        // expected-note@+1 {{here others are told of it, and there was no fence yet}}
        gpu.warp_sync
        %reads = gpu.elect
        scf.if %reads {
          gpu.mbarrier_arrive %empty
        }
        gpu.store %v, %mine : i32, !gpu.ptr<global>
      }
    }
    gpu.return
  }
}

// -----

// The fence of the lane that arrives is not that of the others.
gpu.module @kernels {
  gpu.func @one_lane(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %bytes = arith.constant 128 : i32
    %rounds = arith.constant 9 : i32
    %warp = gpu.warp_id
    %lane = gpu.lane_id
    %first = arith.constant 0 : index
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %mine = gpu.ptr_add %o, %lane_four : !gpu.ptr<global>, i32
    %full = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %full, %c8 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %first : index
    scf.if %is_first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %loads = arith.cmpi eq, %warp, %first : index
    scf.if %loads {
      %elected = gpu.elect
      scf.if %elected {
        scf.for %i = %zero to %rounds step %one : i32 {
          %phase = arith.andi %i, %one : i32
          %before = arith.xori %phase, %one : i32
          gpu.mbarrier_wait %empty, %before
          gpu.mbarrier_arrive_expect_tx %full, 128
          // expected-error@+1 {{overwrites shared memory that threads read through the generic proxy, but not every reader executed a proxy fence before}}
          gpu.bulk_load %shared, %full, %x, %bytes
        }
      }
    } else {
      scf.for %i = %zero to %rounds step %one : i32 {
        %phase = arith.andi %i, %one : i32
        gpu.mbarrier_wait %full, %phase
        // expected-note@+1 {{the read}}
        %v = gpu.load %word : !gpu.ptr<shared> -> i32
        // expected-note@+1 {{here others are told of it, and there was no fence yet}}
        gpu.warp_sync
        %reads = gpu.elect
        scf.if %reads {
          gpu.fence_proxy_async
          gpu.mbarrier_arrive %empty
        }
        gpu.store %v, %mine : i32, !gpu.ptr<global>
      }
    }
    gpu.return
  }
}

// -----

// All fence, but behind the arrival.
gpu.module @kernels {
  gpu.func @late(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %bytes = arith.constant 128 : i32
    %rounds = arith.constant 9 : i32
    %warp = gpu.warp_id
    %lane = gpu.lane_id
    %first = arith.constant 0 : index
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %mine = gpu.ptr_add %o, %lane_four : !gpu.ptr<global>, i32
    %full = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %full, %c8 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %first : index
    scf.if %is_first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %loads = arith.cmpi eq, %warp, %first : index
    scf.if %loads {
      %elected = gpu.elect
      scf.if %elected {
        scf.for %i = %zero to %rounds step %one : i32 {
          %phase = arith.andi %i, %one : i32
          %before = arith.xori %phase, %one : i32
          gpu.mbarrier_wait %empty, %before
          gpu.mbarrier_arrive_expect_tx %full, 128
          // expected-error@+1 {{overwrites shared memory that threads read through the generic proxy, but the readers' proxy fence stands behind the barrier, so that nothing orders it before this instruction}}
          gpu.bulk_load %shared, %full, %x, %bytes
        }
      }
    } else {
      scf.for %i = %zero to %rounds step %one : i32 {
        %phase = arith.andi %i, %one : i32
        gpu.mbarrier_wait %full, %phase
        // expected-note@+1 {{the read}}
        %v = gpu.load %word : !gpu.ptr<shared> -> i32
        // expected-note@+1 {{here others are told of it, and there was no fence yet}}
        gpu.warp_sync
        %reads = gpu.elect
        scf.if %reads {
          gpu.mbarrier_arrive %empty
        }
        // expected-note@+1 {{the fence}}
        gpu.fence_proxy_async
        gpu.store %v, %mine : i32, !gpu.ptr<global>
      }
    }
    gpu.return
  }
}

// -----

// Each reader fences, and then they meet.
gpu.module @kernels {
  gpu.func @fenced(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %bytes = arith.constant 128 : i32
    %rounds = arith.constant 9 : i32
    %warp = gpu.warp_id
    %lane = gpu.lane_id
    %first = arith.constant 0 : index
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %mine = gpu.ptr_add %o, %lane_four : !gpu.ptr<global>, i32
    %full = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %full, %c8 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %first : index
    scf.if %is_first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %loads = arith.cmpi eq, %warp, %first : index
    scf.if %loads {
      %elected = gpu.elect
      scf.if %elected {
        scf.for %i = %zero to %rounds step %one : i32 {
          %phase = arith.andi %i, %one : i32
          %before = arith.xori %phase, %one : i32
          gpu.mbarrier_wait %empty, %before
          gpu.mbarrier_arrive_expect_tx %full, 128
          gpu.bulk_load %shared, %full, %x, %bytes
        }
      }
    } else {
      scf.for %i = %zero to %rounds step %one : i32 {
        %phase = arith.andi %i, %one : i32
        gpu.mbarrier_wait %full, %phase
        %v = gpu.load %word : !gpu.ptr<shared> -> i32
        gpu.fence_proxy_async
        gpu.warp_sync
        %reads = gpu.elect
        scf.if %reads {
          gpu.mbarrier_arrive %empty
        }
        gpu.store %v, %mine : i32, !gpu.ptr<global>
      }
    }
    gpu.return
  }
}
