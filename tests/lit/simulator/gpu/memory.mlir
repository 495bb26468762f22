// Accesses that leave an array or shared memory, are not aligned, read what nobody wrote or what is under way.
// RUN: cake-run %s --no-rules --level gpu --kernel @fine --size N=32 --out o=%t.npy --seed 4
// RUN: not cake-run %s --no-rules --level gpu --kernel @depends --size N=32 --races --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: 'gpu.store' op writes shared memory + 0 in no order with a write [SIM_RACE]
// RUN: not cake-run %s --no-rules --level gpu --kernel @beyond --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not cake-run %s --no-rules --level gpu --kernel @misaligned --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: not cake-run %s --no-rules --level gpu --kernel @undeclared --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=UNDECLARED
// RUN: not cake-run %s --no-rules --level gpu --kernel @shared_beyond --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not cake-run %s --no-rules --level gpu --kernel @unwritten --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not cake-run %s --no-rules --level gpu --kernel @unarrived --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=UNARRIVED
// RUN: not cake-run %s --no-rules --level gpu --kernel @overwritten --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
// RUN: not cake-run %s --no-rules --level gpu --kernel @abandoned --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=ABANDONED
// RUN: not cake-run %s --no-rules --level gpu --kernel @barrier_read --size N=32 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=BARRIER

gpu.module @litmus {
  // Each lane stores its number to shared memory and reads its neighbour's.
  gpu.func @fine(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 128 : i64} {
    %lane = gpu.lane_id
    %i = arith.index_cast %lane : index to i32
    %c4 = arith.constant 4 : i32
    %c31 = arith.constant 31 : i32
    %at = arith.muli %i, %c4 : i32
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %mine = gpu.ptr_add %shared, %at : !gpu.ptr<shared>, i32
    gpu.store %i, %mine : i32, !gpu.ptr<shared>
    gpu.warp_sync
    %other = arith.subi %c31, %i : i32
    %other_at = arith.muli %other, %c4 : i32
    %theirs = gpu.ptr_add %shared, %other_at : !gpu.ptr<shared>, i32
    %v = gpu.load %theirs : !gpu.ptr<shared> -> i32
    %p = gpu.ptr_add %o, %at : !gpu.ptr<global>, i32
    gpu.store %v, %p : i32, !gpu.ptr<global>
    gpu.return
  }

  gpu.func @beyond(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %c4 = arith.constant 4 : i32
    %at = arith.muli %i, %c4 : i32
    %p = gpu.ptr_add %o, %at : !gpu.ptr<global>, i32
    // BEYOND: memory.mlir:[[@LINE+2]]:5: error: 'gpu.store' op leaves the array: 4 bytes at argument 'o' + 128 bytes of 128 [SIM_OUT_OF_BOUNDS]
    // BEYOND: note: in warp 1 of CTA 0
    gpu.store %i, %p : i32, !gpu.ptr<global>
    gpu.return
  }

  gpu.func @misaligned(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %c2 = arith.constant 2 : i32
    %p = gpu.ptr_add %o, %c2 : !gpu.ptr<global>, i32
    // MISALIGNED: memory.mlir:[[@LINE+1]]:5: error: 'gpu.store' op has an address that is no multiple of 4: 4 bytes at argument 'o' + 2 bytes of 128 [SIM_MISALIGNED]
    gpu.store %c2, %p : i32, !gpu.ptr<global>
    gpu.return
  }

  // Nothing promises that the array is aligned to more than its element.
  gpu.func @undeclared(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %v = arith.constant dense<1> : vector<4xi32>
    // UNDECLARED: memory.mlir:[[@LINE+1]]:5: error: 'gpu.store' op has an address that is no multiple of 16: 16 bytes at argument 'o' + 0 bytes of 128 [SIM_MISALIGNED]
    gpu.store %v, %o : vector<4xi32>, !gpu.ptr<global>
    gpu.return
  }

  gpu.func @shared_beyond(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 128 : i64} {
    %c128 = arith.constant 128 : i32
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %p = gpu.ptr_add %shared, %c128 : !gpu.ptr<shared>, i32
    // SHARED: memory.mlir:[[@LINE+1]]:5: error: 'gpu.store' op leaves the CTA's shared memory: 4 bytes at shared memory + 128 [SIM_OUT_OF_BOUNDS]
    gpu.store %c128, %p : i32, !gpu.ptr<shared>
    gpu.return
  }

  gpu.func @unwritten(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    // UNWRITTEN: memory.mlir:[[@LINE+1]]:10: error: 'gpu.load' op reads what nobody wrote: 4 bytes at shared memory + 0 [SIM_UNINITIALISED]
    %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    gpu.return
  }

  gpu.func @unarrived(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64, shared_bytes = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    gpu.cp_async %shared, %o, 16
    // UNARRIVED: memory.mlir:[[@LINE+1]]:10: error: 'gpu.load' op reads what a copy under way writes: 4 bytes at shared memory + 0 [SIM_UNARRIVED_READ]
    %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    gpu.return
  }

  gpu.func @overwritten(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64, shared_bytes = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c1 = arith.constant 1 : i32
    gpu.cp_async %shared, %o, 16
    // OVERWRITTEN: memory.mlir:[[@LINE+1]]:5: error: 'gpu.store' op writes where a copy under way writes: 4 bytes at shared memory + 0 [SIM_RACE]
    gpu.store %c1, %shared : i32, !gpu.ptr<shared>
    gpu.return
  }

  gpu.func @abandoned(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64, shared_bytes = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    // ABANDONED: memory.mlir:[[@LINE+1]]:5: error: 'gpu.cp_async' op is still under way when CTA 0 ends [SIM_UNARRIVED_READ]
    gpu.cp_async %shared, %o, 16
    gpu.return
  }

  gpu.func @barrier_read(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64, shared_bytes = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    gpu.mbarrier_init %shared, 1
    // BARRIER: memory.mlir:[[@LINE+1]]:10: error: 'gpu.load' op reads an mbarrier: 4 bytes at shared memory + 0 [SIM_UNDEFINED]
    %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    gpu.return
  }

  gpu.func @depends(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c1 = arith.constant 1 : i32
    gpu.store %c1, %shared : i32, !gpu.ptr<shared>
    gpu.warp_sync
    %v = gpu.load %shared : !gpu.ptr<shared> -> i32
    %is_one = arith.cmpi eq, %v, %c1 : i32
    scf.if %is_one {
      gpu.barrier
    }
    gpu.return
  }
}
