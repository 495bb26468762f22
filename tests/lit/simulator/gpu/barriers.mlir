// Barriers: who waits for what when nothing goes on, laps, and ops that a whole warp or warpgroup must execute.
// RUN: python3 %S/Inputs/npy.py %t.want.npy i4 16
// RUN: cake-run %s --no-rules --level gpu --kernel @ring --size N=1 --check o=%t.want.npy
// RUN: cake-run %s --no-rules --level gpu --kernel @ring --size N=1 --check o=%t.want.npy --schedule late
// RUN: cake-run %s --no-rules --level gpu --kernel @named --size N=1 --out o=%t.npy
// RUN: not cake-run %s --no-rules --level gpu --kernel @lacking --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=LACKING
// RUN: not cake-run %s --no-rules --level gpu --kernel @lapped --size N=1 --out o=%t.npy --schedule round-robin 2>&1 | FileCheck %s --check-prefix=LAPPED
// RUN: not cake-run %s --no-rules --level gpu --kernel @once_more --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: not cake-run %s --no-rules --level gpu --kernel @nowhere --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not cake-run %s --no-rules --level gpu --kernel @divergent --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// RUN: not cake-run %s --no-rules --level gpu --kernel @registers --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not cake-run %s --no-rules --level gpu --kernel @counts --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not cake-run %s --no-rules --level gpu --kernel @twice --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=TWICE

gpu.module @litmus {
  // Warp 1 hands numbers to warp 0 through one word: "full" at 8, "empty" at 16. 0 + 1 + 2 + 3 + … + 5, and 1 for the padding of the sum.
  gpu.func @ring(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 32 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %full = gpu.ptr_add %shared, %c8 : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %shared, %c16 : !gpu.ptr<shared>, i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init %empty, 32
    }
    gpu.barrier
    %warp = gpu.warp_id
    %is_reader = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_reader {
      %sum, %phase = scf.for %i = %c0 to %c6 step %c1 iter_args(%so_far = %one, %parity = %zero) -> (i32, i32) {
        gpu.mbarrier_wait %full, %parity
        %v = gpu.load %shared : !gpu.ptr<shared> -> i32
        gpu.mbarrier_arrive %empty
        %next = arith.addi %so_far, %v : i32
        %flipped = arith.xori %parity, %one : i32
        scf.yield %next, %flipped : i32, i32
      }
      scf.if %first {
        gpu.store %sum, %o : i32, !gpu.ptr<global>
      }
    } else {
      %lane = gpu.lane_id
      %leads = arith.cmpi eq, %lane, %c0 : index
      %phase = scf.for %i = %c0 to %c6 step %c1 iter_args(%parity = %one) -> (i32) {
        gpu.mbarrier_wait %empty, %parity
        scf.if %leads {
          %v = arith.index_cast %i : index to i32
          gpu.store %v, %shared : i32, !gpu.ptr<shared>
          gpu.mbarrier_arrive %full
        }
        %flipped = arith.xori %parity, %one : i32
        scf.yield %flipped : i32
      }
    }
    gpu.return
  }

  gpu.func @named(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 96 : i64} {
    %warp = gpu.warp_id
    %c2 = arith.constant 2 : index
    %id = arith.constant 3 : i32
    %is_last = arith.cmpi eq, %warp, %c2 : index
    scf.if %is_last {
      gpu.named_barrier_arrive %id, 96
    } else {
      gpu.named_barrier %id, 96
    }
    gpu.return
  }

  gpu.func @lacking(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 32 : i64, roles = [{name = "load", first_warp = 0 : i64, warps = 1 : i64, replicas = 1 : i64}]} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %shared, 33
    }
    gpu.barrier
    %warp = gpu.warp_id
    %is_reader = arith.cmpi eq, %warp, %c0 : index
    // LACKING: error: 'gpu.func' op hangs: no warp of CTA 0 can go on [SIM_HANG]
    scf.if %is_reader {
      // LACKING: barriers.mlir:[[@LINE+1]]:7: note: warp 0 (role '@load') waits at the mbarrier at shared memory + 0 for parity 0; its phase 0 lacks 1 of 33 arrivals
      gpu.mbarrier_wait %shared, %zero
    } else {
      gpu.mbarrier_arrive %shared
    }
    // LACKING: note: warp 1 has ended
    gpu.return
  }

  // Two phases complete before anybody waits for the first.
  gpu.func @lapped(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64, shared_bytes = 32 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    gpu.mbarrier_init %shared, 1
    gpu.mbarrier_arrive %shared
    gpu.mbarrier_arrive %shared
    // LAPPED: barriers.mlir:[[@LINE+1]]:5: error: 'gpu.mbarrier_wait' op waits for phase 0 of the mbarrier at shared memory + 0, but 2 phases have completed [SIM_PHASE_LAP]
    gpu.mbarrier_wait %shared, %zero
    gpu.return
  }

  // Three lanes arrive where two are expected: the third belongs to the next phase; a fifth would be one too many of two phases.
  gpu.func @once_more(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64, shared_bytes = 32 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    gpu.mbarrier_init %shared, 1
    gpu.mbarrier_arrive_expect_tx %shared, 16
    // ONCE: barriers.mlir:[[@LINE+2]]:5: error: 'gpu.mbarrier_arrive' op arrives once more than its phase expects at the mbarrier at shared memory + 0 (phase 0) [SIM_UNDEFINED]
    // ONCE: barriers.mlir:[[@LINE-3]]:5: note: it was set up here for 1 arrivals
    gpu.mbarrier_arrive %shared
    gpu.return
  }

  gpu.func @nowhere(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64, shared_bytes = 32 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    // NOWHERE: barriers.mlir:[[@LINE+1]]:5: error: 'gpu.mbarrier_arrive' op uses shared memory + 0, where no mbarrier is [SIM_UNINITIALISED]
    gpu.mbarrier_arrive %shared
    gpu.return
  }

  gpu.func @divergent(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %lane = gpu.lane_id
    %c4 = arith.constant 4 : index
    %few = arith.cmpi ult, %lane, %c4 : index
    scf.if %few {
      // DIVERGENT: barriers.mlir:[[@LINE+1]]:7: error: 'gpu.barrier' op is reached by 4 lanes of the warp (mask 0x0000000f); all must execute it together [SIM_UNDEFINED]
      gpu.barrier
    }
    gpu.return
  }

  // 640 threads start with 96 registers each; nobody gives any back.
  gpu.func @registers(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 640 : i64} {
    // REGISTERS: error: 'gpu.func' op hangs: no warp of CTA 0 can go on [SIM_HANG]
    // REGISTERS: barriers.mlir:[[@LINE+1]]:5: note: warp 0 has 96 registers a thread and waits for 120; the CTA has 0 free
    gpu.setmaxnreg increase 120
    gpu.return
  }

  gpu.func @counts(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %warp = gpu.warp_id
    %c0 = arith.constant 0 : index
    %id = arith.constant 1 : i32
    %is_first = arith.cmpi eq, %warp, %c0 : index
    // COUNTS: error: 'gpu.named_barrier{{(_arrive)?}}' op expects {{64|96}} threads at barrier 1, at which others expect {{64|96}} [SIM_UNDEFINED]
    scf.if %is_first {
      gpu.named_barrier %id, 64
    } else {
      gpu.named_barrier_arrive %id, 96
    }
    gpu.return
  }

  gpu.func @twice(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %id = arith.constant 1 : i32
    gpu.named_barrier_arrive %id, 64
    // TWICE: barriers.mlir:[[@LINE+1]]:5: error: 'gpu.named_barrier' op arrives a second time at barrier 1, whose other threads have not arrived yet [SIM_UNDEFINED]
    gpu.named_barrier %id, 64
    gpu.return
  }
}
