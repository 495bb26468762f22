// cake-expand-fragments: get from shared memory (ldmatrix, plain loads), mma.sync, and wgmma with its descriptors and waits.
// RUN: cake-opt %s --split-input-file --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// a: lanes 0-15 address the rows of the left 8 columns, 16-31 of the right ones. The swizzled chunk is (lane / 16) ^ (lane % 8) ^ constant:
// one lane offset for each 16 columns of a panel; rows of 16 and panels are constants. The lane offsets stand at the start of the program.
// CHECK-LABEL: gpu.func @get_a
// CHECK-DAG:     [[W:%.+]] = gpu.warp_id
// CHECK-DAG:     [[L:%.+]] = gpu.lane_id
// CHECK-DAG:     [[C16:%.+]] = arith.constant 16 : index
// CHECK-DAG:     [[C8:%.+]] = arith.constant 8 : index
// CHECK-DAG:     [[HALF:%.+]] = arith.divui [[L]], [[C16]] : index
// CHECK-DAG:     [[IN8:%.+]] = arith.remui [[L]], [[C8]] : index
// CHECK-DAG:     [[PLACE:%.+]] = arith.xori [[HALF]], [[IN8]] : index
// CHECK-DAG:     [[C2:%.+]] = arith.constant 2 : index
// CHECK:         arith.xori [[PLACE]], [[C2]] : index
// CHECK:         [[BASE:%.+]] = gpu.ptr_add
// CHECK:         gpu.ldmatrix [[BASE]] : vector<8xbf16>
// CHECK-COUNT-3: gpu.ldmatrix {{.*}} : vector<8xbf16>
// CHECK:         [[PANEL:%.+]] = arith.constant 8192 : i32
// CHECK:         [[P:%.+]] = gpu.ptr_add [[BASE]], [[PANEL]] : !gpu.ptr<shared>, i32
// CHECK:         gpu.ldmatrix [[P]] : vector<8xbf16>
// CHECK-COUNT-3: gpu.ldmatrix
// CHECK-NOT:     gpu.ldmatrix
// b: 8 lanes a chunk, four chunks: 32 columns at a time. Its warps all hold the whole of it: no warp number in its addresses.
// CHECK-LABEL: gpu.func @get_b
// CHECK:         [[L:%.+]] = gpu.lane_id
// CHECK-DAG:     [[C8:%.+]] = arith.constant 8 : index
// CHECK-DAG:     [[ROW:%.+]] = arith.remui [[L]], [[C8]] : index
// CHECK-DAG:     [[CHUNK:%.+]] = arith.divui [[L]], [[C8]] : index
// CHECK:         arith.xori [[CHUNK]], [[ROW]] : index
// CHECK-COUNT-4: gpu.ldmatrix {{.*}} : vector<8xbf16>
// CHECK-NOT:     gpu.ldmatrix
// mma.sync: b's 8 elements of one ldmatrix are two depths of 4.
// CHECK:         gpu.mma {{.*}} : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
gpu.module @kernels {
  gpu.func @get_a() attributes {target = ["sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x128xbf16, sw128>
    %a = cake.get %v : tensor<64x128xbf16, #cake.mma.a<4x1>>
    gpu.return
  }
  gpu.func @get_b(%o: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<16x16xf32>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16x16xf32>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16x64xbf16, sw128>
    %b = cake.get %v : tensor<16x64xbf16, #cake.mma.b<1x1>>
    %a = cake.fill 1.0 : tensor<16x64xbf16, #cake.mma.a<1x1>>
    %zero = cake.fill 0.0 : tensor<16x16xf32, #cake.mma.acc<1x1>>
    %r = cake.mma %zero, %a * %b form(mma.m16n8k16.nt)
    cake.store %r, %out[0, 0]
    gpu.return
  }
}

// -----

// Vectors from storage of rows: columns 2t and 2t+1 in one load, then every 8 columns further.
// CHECK-LABEL: gpu.func @get_vectors
// CHECK:         [[COL:%.+]] = gpu.ptr_add {{.*}} : !gpu.ptr<shared>, i32
// CHECK:         gpu.load [[COL]] : !gpu.ptr<shared> -> vector<2xf32>
// CHECK:         [[C32:%.+]] = arith.constant 32 : i32
// CHECK:         [[NEXT:%.+]] = gpu.ptr_add [[COL]], [[C32]] : !gpu.ptr<shared>, i32
// CHECK:         gpu.load [[NEXT]] : !gpu.ptr<shared> -> vector<2xf32>
// CHECK:         [[ROW:%.+]] = gpu.ptr_add {{.*}} : !gpu.ptr<shared>, i32
// CHECK:         gpu.load [[ROW]] : !gpu.ptr<shared> -> f32
// CHECK:         [[ROW8:%.+]] = gpu.ptr_add [[ROW]], [[C32]] : !gpu.ptr<shared>, i32
// CHECK:         gpu.load [[ROW8]] : !gpu.ptr<shared> -> f32
gpu.module @kernels {
  gpu.func @get_vectors() attributes {target = ["sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16xf32, rows>
    %c = cake.get %v : tensor<16xf32, #cake.col<mma.acc<1x1>>>
    %r = cake.get %v : tensor<16xf32, #cake.row<mma.acc<1x1>>>
    gpu.return
  }
}

// -----

// Descriptors: address / 16, stride 64 (1024 bytes), 128-byte swizzle. 32 bytes (2) to the next 16 columns, a panel of 64 rows (512) or 128
// rows (1024) to the next 64. The first slice reads no accumulator; the second mma goes on with the first's.
// CHECK-LABEL: gpu.func @wgmma
// CHECK:         [[FIXED:%.+]] = arith.constant 4611686293305360384 : i64
// CHECK:         [[A:%.+]] = arith.ori {{.*}}, [[FIXED]] : i64
// CHECK:         [[B:%.+]] = arith.ori {{.*}}, [[FIXED]] : i64
// CHECK:         gpu.wgmma_fence
// CHECK-NEXT:    [[R0:%.+]] = gpu.wgmma [[A]], [[B]], 128 : bf16 -> vector<64xf32>
// CHECK:         [[C2:%.+]] = arith.constant 2 : i64
// CHECK:         gpu.wgmma {{.*}}, 128 into [[R0]] : bf16 -> vector<64xf32>
// CHECK:         arith.constant 6 : i64
// CHECK:         [[C1024:%.+]] = arith.constant 1024 : i64
// CHECK:         arith.addi [[B]], [[C1024]] : i64
// CHECK:         [[C512:%.+]] = arith.constant 512 : i64
// CHECK:         arith.addi [[A]], [[C512]] : i64
// CHECK-COUNT-4: gpu.wgmma {{.*}} into
// CHECK:         gpu.wgmma_commit
// Two accumulators in flight: the first is waited for while the group of the second stays, the second with none left.
// CHECK:         gpu.wgmma_commit
// CHECK:         gpu.wgmma_wait 1, {{.*}} : vector<64xf32>
// CHECK:         gpu.wgmma_wait 0, {{.*}} : vector<64xf32>
gpu.module @kernels {
  gpu.func @wgmma(%o: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<64x128xf32>], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<64x128xf32>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %far = arith.constant 16384 : i32
    %next = gpu.ptr_add %base, %far : !gpu.ptr<shared>, i32
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x128xbf16, sw128>
    %b = builtin.unrealized_conversion_cast %next : !gpu.ptr<shared> to !cake.shared<128x128xbf16, sw128>
    %z0 = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
    %p0 = cake.mma %z0, %a * %b form(wgmma.m64n128k16.nt)
    %z1 = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
    %p1 = cake.mma %z1, %a * %b form(wgmma.m64n128k16.nt)
    %r0 = cake.await %p0 : tensor<64x128xf32, #cake.wgmma.acc>
    %r1 = cake.await %p1 : tensor<64x128xf32, #cake.wgmma.acc>
    %r = arith.addf %r0, %r1 : tensor<64x128xf32, #cake.wgmma.acc>
    cake.store %r, %out[0, 0]
    gpu.return
  }
}

// -----

// A in registers: 128 points are two cuts of 64, of which each warp holds 16 rows. get reads both by ldmatrix, 64 rows (8192 bytes) apart; the
// second multiplication takes the second half of the registers. Lane offsets stand where they are used.
// CHECK-LABEL: gpu.func @registers
// CHECK:         [[L0:%.+]] = gpu.ldmatrix [[P0:%.+]] : vector<8xbf16>
// CHECK-COUNT-3: gpu.ldmatrix
// CHECK:         [[FAR:%.+]] = arith.constant 8192 : i32
// CHECK:         [[P1:%.+]] = gpu.ptr_add [[P0]], [[FAR]] : !gpu.ptr<shared>, i32
// CHECK:         [[L4:%.+]] = gpu.ldmatrix [[P1]] : vector<8xbf16>
// CHECK-COUNT-3: gpu.ldmatrix
// CHECK-NOT:     gpu.ldmatrix
// CHECK:         gpu.wgmma_fence
// CHECK-NEXT:    [[D0:%.+]] = gpu.wgmma_rs [[L0]], [[B:%.+]], 128 : bf16 : vector<8xbf16> -> vector<64xf32>
// CHECK-COUNT-3: gpu.wgmma_rs {{.*}} into
// CHECK-NEXT:    gpu.wgmma_commit
// CHECK:         [[D1:%.+]] = gpu.wgmma_rs [[L4]], [[B]], 128 : bf16 : vector<8xbf16> -> vector<64xf32>
// CHECK-COUNT-3: gpu.wgmma_rs {{.*}} into
// CHECK-NEXT:    gpu.wgmma_commit
gpu.module @kernels {
  gpu.func @registers(%o: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<64x128xf32>], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<64x128xf32>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %far = arith.constant 16384 : i32
    %next = gpu.ptr_add %base, %far : !gpu.ptr<shared>, i32
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<128x64xbf16, sw128>
    %b = builtin.unrealized_conversion_cast %next : !gpu.ptr<shared> to !cake.shared<128x64xbf16, sw128>
    %a = cake.get %v : tensor<128x64xbf16, #cake.wgmma.a>
    %z0 = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
    %p0 = cake.mma %z0, %a[0, 0] * %b form(wgmma.m64n128k16.nt)
    %z1 = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
    %p1 = cake.mma %z1, %a[64, 0] * %b form(wgmma.m64n128k16.nt)
    %r0 = cake.await %p0 : tensor<64x128xf32, #cake.wgmma.acc>
    %r1 = cake.await %p1 : tensor<64x128xf32, #cake.wgmma.acc>
    %r = arith.addf %r0, %r1 : tensor<64x128xf32, #cake.wgmma.acc>
    cake.store %r, %out[0, 0]
    gpu.return
  }
}

// -----

// An accumulator that a loop carries, with whether there is something in it: only the first slice of a round asks. Where there was no round the
// sum is zero.
// CHECK-LABEL: gpu.func @carried
// CHECK-DAG:     [[NONE:%.+]] = gpu.poison : vector<4xf32>
// CHECK-DAG:     [[NO:%.+]] = arith.constant false
// CHECK:         [[LOOP:%.+]]:2 = scf.for {{.*}} iter_args([[ACC:%.+]] = [[NONE]], [[HAS:%.+]] = [[NO]]) -> (vector<4xf32>, i1)
// CHECK:           [[A:%.+]] = gpu.wgmma {{.*}}, 8 into [[ACC]] if [[HAS]] : bf16 -> vector<4xf32>
// CHECK:           [[B:%.+]] = gpu.wgmma {{.*}}, 8 into [[A]] : bf16 -> vector<4xf32>
// CHECK:           [[YES:%.+]] = arith.constant true
// CHECK:           scf.yield {{.*}}, [[YES]] : vector<4xf32>, i1
// CHECK:         [[SUM:%.+]] = gpu.wgmma_wait 0, [[LOOP]]#0
// CHECK:         arith.select [[LOOP]]#1, [[SUM]], {{%.+}} : vector<4xf32>
gpu.module @kernels {
  gpu.func @carried(%o: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<64x8xf32>], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<64x8xf32>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x64xbf16, sw128>
    %b = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<8x64xbf16, sw128>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %n = gpu.grid_dim x
    %z = cake.zero : !cake.pending<64x8xf32, wgmma.acc>
    %p = scf.for %i = %zero to %n step %one iter_args(%acc = %z) -> (!cake.pending<64x8xf32, wgmma.acc>) {
      %q = cake.mma %acc, %a * %b form(wgmma.m64n8k16.nt)
      scf.yield %q : !cake.pending<64x8xf32, wgmma.acc>
    }
    %r = cake.await %p : tensor<64x8xf32, #cake.wgmma.acc>
    cake.store %r, %out[0, 0]
    gpu.return
  }
}
