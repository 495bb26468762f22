// Races in arrays: CTAs are in no order, warps of a CTA in that of their barriers. Beside each its legal near miss.
// RUN: cake-run %s --no-rules --level gpu --races --kernel @own --size N=16 --in o=random --out o=%t.npy --schedules 3
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @same --size N=16 --in o=random --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: cake-run %s --no-rules --level gpu --races --kernel @same --size N=16 --in o=random --out o=%t.npy --ctas 1,1
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @beside --size N=16 --in o=random --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @beside --size N=16 --in o=random --out o=%t.npy --ctas 1,0 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @reader --size N=16 --in o=random --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=READER
// RUN: cake-run %s --no-rules --level gpu --races --kernel @meet --size N=16 --in o=random --out o=%t.npy --schedules 3
// RUN: not cake-run %s --no-rules --level gpu --races --kernel @warps --size N=16 --in o=random --out o=%t.npy --schedule round-robin 2>&1 | FileCheck %s --check-prefix=WARPS
// What a CTA writes and another writes or fetches, by threads, cp.async and the store engine.
// RUN: sed 's/%c\[%m \* 64, /%c[0, /' %cake_src/bench/kernels/gemm_naive.cake > %t.naive.cake
// RUN: not cake-run %t.naive.cake --no-rules --level gpu --races --size M=128,N=64,K=64 --in a=random --in b=random --out c=%t.npy 2>&1 | FileCheck %s --check-prefix=NAIVE
// NAIVE: 'gpu.store' op writes argument 'c' + {{[0-9]+}} bytes of 16384 in no order with a write [SIM_RACE]
// NAIVE: note: in warp {{[0-9]}} (role '@all') of CTA 1
// NAIVE: note: the write of warp {{[0-9]}} (role '@all') of CTA 0
// RUN: sed 's/%half, %c\[/%half, %a[/' %cake_src/bench/kernels/gemm_sm80.cake > %t.sm80.cake
// RUN: not cake-run %t.sm80.cake --no-rules --level gpu --races --size M=128,N=256,K=256 --in a=random --in b=random --out a=%t.npy --out c=%t.c.npy 2>&1 | FileCheck %s --check-prefix=SM80
// SM80: 'gpu.cp_async' op reads argument 'a' + {{[0-9]+}} bytes of 65536 in no order with a write [SIM_RACE]
// SM80: note: the write of warp {{[0-9]}} (role '@{{[a-z]+}}'{{.*}}) of CTA 0
// RUN: sed 's/to(%c\[%m \* 128/to(%c[0 * 128/' %cake_src/bench/kernels/gemm.cake > %t.gemm.cake
// RUN: not cake-run %t.gemm.cake --no-rules --level gpu --races --size M=256,N=256,K=64 --in a=random --in b=random --out c=%t.npy 2>&1 | FileCheck %s --check-prefix=GEMM
// GEMM: 'gpu.tma_store' op writes argument 'c' + {{[0-9]+}} bytes of 131072 in no order with a write [SIM_RACE]
// GEMM: note: in warp {{[0-9]}} (role '@mma' instance {{[01]}}) of CTA 1
// GEMM: note: the write of warp {{[0-9]}} (role '@mma' instance {{[01]}}) of CTA 0

gpu.module @litmus {
  // Every CTA reads element 3, which nobody writes, and writes an element of its own.
  gpu.func @own(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<3>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : i32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %leads = arith.cmpi eq, %thread, %c0 : index
    %number = arith.index_cast %block : index to i32
    %bytes = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i32
    %third = gpu.ptr_add %o, %c8 : !gpu.ptr<global>, i32
    %fourth = gpu.ptr_add %third, %c4 : !gpu.ptr<global>, i32
    %v = gpu.load %fourth : !gpu.ptr<global> -> i32
    scf.if %leads {
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  gpu.func @same(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<3>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : i32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %leads = arith.cmpi eq, %thread, %c0 : index
    %number = arith.index_cast %block : index to i32
    %bytes = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i32
    %third = gpu.ptr_add %o, %c8 : !gpu.ptr<global>, i32
    scf.if %leads {
      // SAME: global-races.mlir:[[@LINE+4]]:7: error: 'gpu.store' op writes argument 'o' + 8 bytes of 64 in no order with a write [SIM_RACE]
      // SAME: note: in warp 0 of CTA 1, lanes 0x00000001
      // SAME: global-races.mlir:[[@LINE+2]]:7: note: the write of warp 0 of CTA 0, lanes 0x00000001
      // Twice the same CTA, which --ctas may say, is no race.
      gpu.store %number, %third : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // Each reads what the others write.
  gpu.func @beside(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<3>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : i32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %leads = arith.cmpi eq, %thread, %c0 : index
    %number = arith.index_cast %block : index to i32
    %bytes = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i32
    %third = gpu.ptr_add %o, %c8 : !gpu.ptr<global>, i32
    scf.if %leads {
      // BESIDE: global-races.mlir:[[@LINE+4]]:12: error: 'gpu.load' op reads argument 'o' + 0 bytes of 64 in no order with a write [SIM_RACE]
      // BESIDE: global-races.mlir:[[@LINE+4]]:7: note: the write of warp 0 of CTA 0, lanes 0x00000001
      // BEFORE: global-races.mlir:[[@LINE+2]]:12: error: 'gpu.load' op reads argument 'o' + 4 bytes of 64 in no order with a write [SIM_RACE]
      // BEFORE: note: the write of warp 0 of CTA 1, lanes 0x00000001
      %v = gpu.load %o : !gpu.ptr<global> -> vector<4xi32>
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // One reads, another writes.
  gpu.func @reader(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<3>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : i32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %leads = arith.cmpi eq, %thread, %c0 : index
    %number = arith.index_cast %block : index to i32
    %bytes = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i32
    %third = gpu.ptr_add %o, %c8 : !gpu.ptr<global>, i32
    %writes = arith.cmpi eq, %block, %c1 : index
    %reads = arith.cmpi eq, %block, %c0 : index
    scf.if %reads {
      // READER: error: 'gpu.store' op writes argument 'o' + 8 bytes of 64 in no order with a read [SIM_RACE]
      // READER: note: in warp 0 of CTA 1, lanes 0x00000001
      // READER: global-races.mlir:[[@LINE+1]]:12: note: the read of warp {{[01]}} of CTA 0, lanes 0xffffffff
      %v = gpu.load %third : !gpu.ptr<global> -> i32
    }
    %one = arith.andi %writes, %leads : i1
    scf.if %one {
      gpu.store %number, %third : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // Two warps write one element, one behind the other.
  gpu.func @meet(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<3>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : i32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %leads = arith.cmpi eq, %thread, %c0 : index
    %number = arith.index_cast %block : index to i32
    %bytes = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i32
    %third = gpu.ptr_add %o, %c8 : !gpu.ptr<global>, i32
    %c32 = arith.constant 32 : index
    %other = arith.cmpi eq, %thread, %c32 : index
    scf.if %leads {
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.warp_sync
    gpu.barrier
    scf.if %other {
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // And in no order.
  gpu.func @warps(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<3>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : i32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %leads = arith.cmpi eq, %thread, %c0 : index
    %number = arith.index_cast %block : index to i32
    %bytes = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i32
    %third = gpu.ptr_add %o, %c8 : !gpu.ptr<global>, i32
    %c32 = arith.constant 32 : index
    %other = arith.cmpi eq, %thread, %c32 : index
    scf.if %leads {
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    scf.if %other {
      // WARPS: global-races.mlir:[[@LINE+2]]:7: error: 'gpu.store' op writes argument 'o' + 0 bytes of 64 in no order with a write [SIM_RACE]
      // WARPS: note: the write of warp 0 of CTA 0, lanes 0x00000001
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }
}
