// Races: accesses that nothing orders, whatever the order of events was, and what the async proxy may not see. Beside each its legal near miss.
// RUN: cake-run %s --no-rules --level gpu --races --kernel @ordered --size N=1 --out o=%t.npy --schedules 20
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @unordered --size N=1 --out o=%t.npy --schedule round-robin 2>&1 | FileCheck %s --check-prefix=UNORDERED
// RUN: cake-run %s --no-rules --level gpu --races --kernel @warp --size N=1 --out o=%t.npy
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @warp_unordered --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @one_waits --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @released_early --size N=1 --out o=%t.npy --schedule late 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @no_barrier --size N=1 --out o=%t.npy --schedule round-robin 2>&1 | FileCheck %s --check-prefix=SETUP
// RUN: python3 %S/Inputs/npy.py %t.in.npy i4 0:16
// RUN: cake-run %s --no-rules --level gpu --races --kernel @bulk --size N=16 --in o=%t.in.npy --out o=%t.npy
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @bulk_no_init_fence --size N=16 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @bulk_no_fence --size N=16 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=PROXY
// RUN: not cake-run %s --no-rules --races --kernel @ordered --size N=1 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: --races is for the simulator at --level gpu

gpu.module @litmus {
  gpu.func @ordered(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %thread = gpu.thread_id x
    %is_leader = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_leader {
      gpu.store %c1, %shared : i32, !gpu.ptr<shared>
    }
    gpu.warp_sync
    gpu.barrier
    %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    gpu.barrier
    %last = arith.cmpi ne, %warp, %c0 : index
    %lane = gpu.lane_id
    %leads = arith.cmpi eq, %lane, %c0 : index
    %one = arith.andi %last, %leads : i1
    scf.if %one {
      gpu.store %v, %shared : i32, !gpu.ptr<shared>
      gpu.store %v, %o : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  gpu.func @unordered(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %thread = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    %other = arith.cmpi eq, %thread, %c32 : index
    %c2 = arith.constant 2 : i32
    %half = gpu.ptr_add %shared, %c2 : !gpu.ptr<shared>, i32
    %v = arith.constant 7 : i16
    scf.if %first {
      // UNORDERED: races.mlir:[[@LINE+7]]:7: error: 'gpu.store' op writes shared memory + 0 in no order with a write [SIM_RACE]
      // UNORDERED: races.mlir:[[@LINE+1]]:7: note: the write of warp 0, lanes 0x00000001
      gpu.store %v, %shared : i16, !gpu.ptr<shared>
    }
    // The other half of the word is another place.
    scf.if %other {
      gpu.store %v, %half : i16, !gpu.ptr<shared>
      gpu.store %v, %shared : i16, !gpu.ptr<shared>
    }
    gpu.return
  }

  gpu.func @warp(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %lane = gpu.lane_id
    %leads = arith.cmpi eq, %lane, %c0 : index
    scf.if %leads {
      gpu.store %c1, %shared : i32, !gpu.ptr<shared>
    }
    gpu.warp_sync
    %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    gpu.return
  }

  gpu.func @warp_unordered(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %lane = gpu.lane_id
    %leads = arith.cmpi eq, %lane, %c0 : index
    scf.if %leads {
      gpu.store %c1, %shared : i32, !gpu.ptr<shared>
    }
    // WARP: races.mlir:[[@LINE+1]]:10: error: 'gpu.load' op reads shared memory + 0 in no order with a write [SIM_RACE]
    %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    gpu.return
  }

  gpu.func @one_waits(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %c64 = arith.constant 64 : i32
    %bar = gpu.ptr_add %shared, %c64 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_leader = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_leader {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    %lane = gpu.lane_id
    %leads = arith.cmpi eq, %lane, %c0 : index
    scf.if %is_first {
      scf.if %leads {
        gpu.store %c1, %shared : i32, !gpu.ptr<shared>
        gpu.mbarrier_arrive %bar
      }
    } else {
      // One lane waits; the others do not know what it knows.
      scf.if %leads {
        gpu.mbarrier_wait %bar, %zero
      }
      // ONE: races.mlir:[[@LINE+1]]:12: error: 'gpu.load' op reads shared memory + 0 in no order with a write [SIM_RACE]
      %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    }
    gpu.return
  }

  gpu.func @released_early(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %c64 = arith.constant 64 : i32
    %bar = gpu.ptr_add %shared, %c64 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_leader = arith.cmpi eq, %thread, %c0 : index
    %lane = gpu.lane_id
    %leads = arith.cmpi eq, %lane, %c0 : index
    scf.if %is_leader {
      gpu.mbarrier_init %bar, 1
      gpu.store %c1, %shared : i32, !gpu.ptr<shared>
    }
    gpu.barrier
    scf.if %is_first {
      // The arrival of one lane says nothing of what the others read.
      // EARLY: races.mlir:[[@LINE+10]]:9: error: 'gpu.store' op writes shared memory + 0 in no order with a read [SIM_RACE]
      // EARLY: races.mlir:[[@LINE+1]]:12: note: the read of warp 0, lanes 0xffffffff
      %v = gpu.load %shared : !gpu.ptr<shared> -> i32
      scf.if %leads {
        gpu.mbarrier_arrive %bar
      }
    } else {
      gpu.mbarrier_wait %bar, %zero
      gpu.warp_sync
      scf.if %leads {
        gpu.store %c1, %shared : i32, !gpu.ptr<shared>
      }
    }
    gpu.return
  }

  gpu.func @no_barrier(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %c64 = arith.constant 64 : i32
    %bar = gpu.ptr_add %shared, %c64 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_leader = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_leader {
      gpu.mbarrier_init %bar, 32
    }
    // SETUP: races.mlir:[[@LINE+1]]:5: error: 'gpu.mbarrier_arrive' op uses the mbarrier at shared memory + 64 in no order with its set-up [SIM_RACE]
    gpu.mbarrier_arrive %bar
    gpu.return
  }

  gpu.func @bulk(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %c64 = arith.constant 64 : i32
    %bar = gpu.ptr_add %shared, %c64 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_leader = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_leader {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_leader {
      gpu.store %c1, %shared : i32, !gpu.ptr<shared>
      gpu.fence_proxy_async
      gpu.mbarrier_arrive_expect_tx %bar, 64
      gpu.bulk_load %shared, %bar, %o, %c64
    }
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %shared : !gpu.ptr<shared> -> vector<4xi32>
    gpu.return
  }

  gpu.func @bulk_no_init_fence(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %c64 = arith.constant 64 : i32
    %bar = gpu.ptr_add %shared, %c64 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_leader = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_leader {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    scf.if %is_leader {
      gpu.mbarrier_arrive_expect_tx %bar, 64
      // INIT: races.mlir:[[@LINE+1]]:7: error: 'gpu.bulk_load' op uses the mbarrier at shared memory + 64 through the async proxy, without a fence behind its set-up [SIM_PROXY]
      gpu.bulk_load %shared, %bar, %o, %c64
    }
    gpu.mbarrier_wait %bar, %zero
    gpu.return
  }

  gpu.func @bulk_no_fence(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %c64 = arith.constant 64 : i32
    %bar = gpu.ptr_add %shared, %c64 : !gpu.ptr<shared>, i32
    %thread = gpu.thread_id x
    %is_leader = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_leader {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %is_leader {
      gpu.store %c1, %shared : i32, !gpu.ptr<shared>
      gpu.mbarrier_arrive_expect_tx %bar, 64
      // PROXY: races.mlir:[[@LINE+1]]:7: error: 'gpu.bulk_load' op writes shared memory + 0 through the async proxy, without a fence behind the generic write there [SIM_PROXY]
      gpu.bulk_load %shared, %bar, %o, %c64
    }
    gpu.mbarrier_wait %bar, %zero
    gpu.return
  }
}
