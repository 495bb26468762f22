// What ops of the thread level compute, one function a group of ops; the numbers are worked out by hand. Each is assembled too.
// RUN: python3 %S/Inputs/npy.py %t.shuffle.npy i4 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30 0 0:31 1:31 31 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 19 19 19 19 19 19 19 19 19 19 19 19 19 19 19 19
// RUN: cake-run %s --no-rules --kernel @shuffles --size N=128 --check o=%t.shuffle.npy
// RUN: python3 %S/Inputs/npy.py %t.registers.npy i4 5 7 5 5 7 9
// RUN: cake-run %s --no-rules --kernel @registers --size N=6 --check o=%t.registers.npy
// RUN: python3 %S/Inputs/npy.py %t.mma.npy f4 0:8 16:8 32:8 48:8 64:8 80:8 96:8 112:8 128:8 144:8 160:8 176:8 192:8 208:8 224:8 240:8
// RUN: cake-run %s --no-rules --kernel @matrices --size N=128 --check o=%t.mma.npy
// RUN: python3 %S/Inputs/npy.py %t.copy.npy i4 0:4 4 0 0 0 8 9 0 0 12 13 14 0
// RUN: python3 %S/Inputs/npy.py %t.in.npy i4 0:16
// RUN: cake-run %s --no-rules --kernel @copies --in x=%t.in.npy --check o=%t.copy.npy
// RUN: cake-run %s --no-rules --kernel @copies --in x=%t.in.npy --check o=%t.copy.npy --schedule late
// RUN: python3 %S/Inputs/npy.py %t.wgmma.npy f4 0:8 1:8 2:8 3:8 4:8 5:8 6:8 7:8 8:8 9:8 10:8 11:8 12:8 13:8 14:8 15:8 16:8 17:8 18:8 19:8 20:8 21:8 22:8 23:8 24:8 25:8 26:8 27:8 28:8 29:8 30:8 31:8 32:8 33:8 34:8 35:8 36:8 37:8 38:8 39:8 40:8 41:8 42:8 43:8 44:8 45:8 46:8 47:8 48:8 49:8 50:8 51:8 52:8 53:8 54:8 55:8 56:8 57:8 58:8 59:8 60:8 61:8 62:8 63:8
// RUN: cake-run %s --no-rules --kernel @wgmma --size N=512 --check o=%t.wgmma.npy
// RUN: cake-run %s --no-rules --kernel @wgmma --size N=512 --check o=%t.wgmma.npy --schedule late --level gpu --races
// RUN: not cake-run %s --no-rules --kernel @wgmma_unfenced --size N=512 --out o=%t.npy --level gpu --races 2>&1 | FileCheck %s --check-prefix=UNFENCED
// RUN: not cake-run %s --no-rules --kernel @wgmma_unawaited --size N=512 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=UNAWAITED
// RUN: python3 %S/Inputs/npy.py %t.tensor.npy i4 0:16
// RUN: cake-run %s --no-rules --kernel @tensors --in x=%t.in.npy --check o=%t.tensor.npy
// RUN: cake-run %s --no-rules --kernel @tensors --in x=%t.in.npy --check o=%t.tensor.npy --schedule late --level gpu --races
// RUN: not cake-run %s --no-rules --kernel @unread --in x=%t.in.npy --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=UNREAD

gpu.module @litmus {
  gpu.func @shuffles(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %lane = gpu.lane_id
    %i = arith.index_cast %lane : index to i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c128 = arith.constant 128 : i32
    %at = arith.muli %i, %c4 : i32
    %p0 = gpu.ptr_add %o, %at : !gpu.ptr<global>, i32
    %p1 = gpu.ptr_add %p0, %c128 : !gpu.ptr<global>, i32
    %p2 = gpu.ptr_add %p1, %c128 : !gpu.ptr<global>, i32
    %p3 = gpu.ptr_add %p2, %c128 : !gpu.ptr<global>, i32
    %x, %vx = gpu.shuffle xor %i, %c1, %c32 : i32
    %u, %vu = gpu.shuffle up %i, %c1, %c32 : i32
    %d, %vd = gpu.shuffle down %i, %c1, %c32 : i32
    %j, %vj = gpu.shuffle idx %i, %c3, %c16 : i32
    gpu.store %x, %p0 : i32, !gpu.ptr<global>
    gpu.store %u, %p1 : i32, !gpu.ptr<global>
    gpu.store %d, %p2 : i32, !gpu.ptr<global>
    gpu.store %j, %p3 : i32, !gpu.ptr<global>
    gpu.return
  }

  gpu.func @registers(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 8>], sizes = ["N"], grid = #cake.expr<1>, block = 1 : i64} {
    %c5 = arith.constant 5 : i32
    %c7 = arith.constant 7 : i32
    %f5 = arith.constant 5.0 : f32
    %f9 = arith.constant 9.0 : f32
    %yes = arith.constant true
    %no = arith.constant false
    %c8 = arith.constant 8 : i32
    %v = gpu.pack %c5, %c7 : i32, i32 -> vector<2xi32>
    %s = gpu.splat %c5 : i32 -> vector<2xi32>
    %kept = gpu.pin %s : vector<2xi32>
    %nothing = gpu.poison : vector<2xi32>
    %t = arith.select %yes, %kept, %nothing : vector<2xi32>
    %parts:2 = gpu.unpack %v : vector<2xi32> -> i32, i32
    %r = gpu.replace_if %no, %f5, %f9
    %nine = arith.fptosi %r : f32 to i32
    %w = gpu.pack %parts#1, %nine : i32, i32 -> vector<2xi32>
    %p1 = gpu.ptr_add %o, %c8 : !gpu.ptr<global>, i32
    %p2 = gpu.ptr_add %p1, %c8 : !gpu.ptr<global>, i32
    gpu.store %v, %o : vector<2xi32>, !gpu.ptr<global>
    gpu.store %t, %p1 : vector<2xi32>, !gpu.ptr<global>
    gpu.store %w, %p2 : vector<2xi32>, !gpu.ptr<global>
    gpu.return
  }

  // A (16×16, element (r, c) = 16r + c) by the first columns of a unit matrix (8×16, stored N×K), through ldmatrix; B stored by stmatrix.
  gpu.func @matrices(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 8>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 2048 : i64} {
    %lane = gpu.lane_id
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %row = arith.divui %lane, %c2 : index
    %side = arith.remui %lane, %c2 : index
    %first = arith.muli %side, %c8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %col = arith.addi %first, %i : index
      %r16 = arith.muli %row, %c16 : index
      %number = arith.addi %r16, %col : index
      %number32 = arith.index_cast %number : index to i32
      %f = arith.sitofp %number32 : i32 to f32
      %h = arith.truncf %f : f32 to bf16
      %bytes = arith.muli %number, %c2 : index
      %bytes32 = arith.index_cast %bytes : index to i32
      %p = gpu.ptr_add %shared, %bytes32 : !gpu.ptr<shared>, i32
      gpu.store %h, %p : bf16, !gpu.ptr<shared>
    }
    gpu.warp_sync
    %matrix = arith.divui %lane, %c8 : index
    %in_matrix = arith.remui %lane, %c8 : index
    %down = arith.remui %matrix, %c2 : index
    %right = arith.divui %matrix, %c2 : index
    %down8 = arith.muli %down, %c8 : index
    %a_row = arith.addi %in_matrix, %down8 : index
    %a_row_bytes = arith.muli %a_row, %c32 : index
    %right_bytes = arith.muli %right, %c16 : index
    %a_bytes = arith.addi %a_row_bytes, %right_bytes : index
    %a_bytes32 = arith.index_cast %a_bytes : index to i32
    %a_at = gpu.ptr_add %shared, %a_bytes32 : !gpu.ptr<shared>, i32
    %a = gpu.ldmatrix %a_at : vector<8xbf16>
    // Lane l of a matrix has its row l / 4, columns 2(l % 4) and the next: of the unit matrix 1 where they are the row.
    %l4 = arith.divui %lane, %c4 : index
    %lr = arith.remui %lane, %c4 : index
    %lc = arith.muli %lr, %c2 : index
    %lc1 = arith.addi %lc, %c1 : index
    %one = arith.constant 1.0 : bf16
    %zero = arith.constant 0.0 : bf16
    %is0 = arith.cmpi eq, %l4, %lc : index
    %is1 = arith.cmpi eq, %l4, %lc1 : index
    %e0 = arith.select %is0, %one, %zero : bf16
    %e1 = arith.select %is1, %one, %zero : bf16
    %unit = gpu.pack %e0, %e1, %zero, %zero, %zero, %zero, %zero, %zero : bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16 -> vector<8xbf16>
    %c1024 = arith.constant 1024 : index
    %b_base = arith.muli %lane, %c16 : index
    %b_bytes = arith.addi %b_base, %c1024 : index
    %b_bytes32 = arith.index_cast %b_bytes : index to i32
    %b_at = gpu.ptr_add %shared, %b_bytes32 : !gpu.ptr<shared>, i32
    gpu.stmatrix %unit, %b_at : vector<8xbf16>
    gpu.warp_sync
    %b4 = gpu.ldmatrix %b_at : vector<8xbf16>
    %b:2 = gpu.unpack %b4 : vector<8xbf16> -> vector<4xbf16>, vector<4xbf16>
    %start = arith.constant dense<0.0> : vector<4xf32>
    %d = gpu.mma %a, %b#0, %start : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
    %parts:2 = gpu.unpack %d : vector<4xf32> -> vector<2xf32>, vector<2xf32>
    %d_row = arith.muli %l4, %c32 : index
    %d_col = arith.muli %lr, %c8 : index
    %d_bytes = arith.addi %d_row, %d_col : index
    %d_bytes32 = arith.index_cast %d_bytes : index to i32
    %p0 = gpu.ptr_add %o, %d_bytes32 : !gpu.ptr<global>, i32
    %c256 = arith.constant 256 : i32
    %p1 = gpu.ptr_add %p0, %c256 : !gpu.ptr<global>, i32
    gpu.store %parts#0, %p0 : vector<2xf32>, !gpu.ptr<global>
    gpu.store %parts#1, %p1 : vector<2xf32>, !gpu.ptr<global>
    gpu.return
  }

  // Four lanes copy 16 bytes each, of which 4 · (4, 1, 2, 3) are read, and wait for each other's by an mbarrier.
  gpu.func @copies(%o: !gpu.ptr<global>, %x: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o", "x"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 4 : i64, shared_bytes = 72 : i64} {
    %lane = gpu.lane_id
    %i = arith.index_cast %lane : index to i32
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c64 = arith.constant 64 : i32
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %bar = gpu.ptr_add %shared, %c64 : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %i, %c0 : i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 4
    }
    gpu.barrier
    %at = arith.muli %i, %c16 : i32
    %dst = gpu.ptr_add %shared, %at : !gpu.ptr<shared>, i32
    %src = gpu.ptr_add %x, %at : !gpu.ptr<global>, i32
    %some = arith.muli %i, %c4 : i32
    %bytes = arith.select %leads, %c16, %some : i32
    gpu.cp_async %dst, %src, 16 zfill %bytes
    gpu.cp_async_mbarrier_arrive %bar
    gpu.mbarrier_wait %bar, %c0
    %other = arith.subi %c3, %i : i32
    %other_at = arith.muli %other, %c16 : i32
    %from = gpu.ptr_add %shared, %other_at : !gpu.ptr<shared>, i32
    %to = gpu.ptr_add %o, %other_at : !gpu.ptr<global>, i32
    %v = gpu.load %from : !gpu.ptr<shared> -> vector<4xi32>
    gpu.store %v, %to : vector<4xi32>, !gpu.ptr<global>
    gpu.return
  }

  // A (64×16, element (r, k) = r + k) by the unit matrix (8×16, N×K), both written with 128-byte swizzle.
  gpu.func @wgmma(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 8>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 9216 : i64} {
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = gpu.warp_id
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c72 = arith.constant 72 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : bf16
    %zero = arith.constant 0.0 : bf16
    %is_row = arith.cmpi ult, %thread, %c72 : index
    scf.if %is_row {
      scf.for %k = %c0 to %c16 step %c1 {
        %sum = arith.addi %thread, %k : index
        %sum32 = arith.index_cast %sum : index to i32
        %f = arith.sitofp %sum32 : i32 to f32
        %h = arith.truncf %f : f32 to bf16
        %b_row = arith.subi %thread, %c64 : index
        %on = arith.cmpi eq, %b_row, %k : index
        %unit = arith.select %on, %one, %zero : bf16
        %is_a = arith.cmpi ult, %thread, %c64 : index
        %v = arith.select %is_a, %h, %unit : bf16
        %chunk = arith.divui %k, %c8 : index
        %in_chunk = arith.remui %k, %c8 : index
        %turn = arith.andi %thread, %c7 : index
        %place = arith.xori %chunk, %turn : index
        %place_bytes = arith.muli %place, %c16 : index
        %in_bytes = arith.muli %in_chunk, %c2 : index
        %row_bytes = arith.muli %thread, %c128 : index
        %b0 = arith.addi %row_bytes, %place_bytes : index
        %b1 = arith.addi %b0, %in_bytes : index
        %b2 = arith.index_cast %b1 : index to i32
        %p = gpu.ptr_add %shared, %b2 : !gpu.ptr<shared>, i32
        gpu.store %v, %p : bf16, !gpu.ptr<shared>
      }
    }
    gpu.fence_proxy_async
    gpu.barrier
    %address = gpu.shared_address %shared : !gpu.ptr<shared>
    %wide = arith.extui %address : i32 to i64
    %four = arith.constant 4 : i64
    %start = arith.shrui %wide, %four : i64
    %form = arith.constant 4611686293305360384 : i64
    %a = arith.ori %start, %form : i64
    %a_units = arith.constant 512 : i64
    %b = arith.addi %a, %a_units : i64
    gpu.wgmma_fence
    %d = gpu.wgmma %a, %b, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %done = gpu.wgmma_wait 0, %d : vector<4xf32>
    %parts:2 = gpu.unpack %done : vector<4xf32> -> vector<2xf32>, vector<2xf32>
    %w16 = arith.muli %warp, %c16 : index
    %l4 = arith.divui %lane, %c4 : index
    %lr = arith.remui %lane, %c4 : index
    %row = arith.addi %w16, %l4 : index
    %row_at = arith.muli %row, %c32 : index
    %col_at = arith.muli %lr, %c8 : index
    %at = arith.addi %row_at, %col_at : index
    %at32 = arith.index_cast %at : index to i32
    %p0 = gpu.ptr_add %o, %at32 : !gpu.ptr<global>, i32
    %c256 = arith.constant 256 : i32
    %p1 = gpu.ptr_add %p0, %c256 : !gpu.ptr<global>, i32
    gpu.store %parts#0, %p0 : vector<2xf32>, !gpu.ptr<global>
    gpu.store %parts#1, %p1 : vector<2xf32>, !gpu.ptr<global>
    gpu.return
  }

  // The same without a fence.
  gpu.func @wgmma_unfenced(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 8>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 9216 : i64} {
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = gpu.warp_id
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c72 = arith.constant 72 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : bf16
    %zero = arith.constant 0.0 : bf16
    %is_row = arith.cmpi ult, %thread, %c72 : index
    scf.if %is_row {
      scf.for %k = %c0 to %c16 step %c1 {
        %sum = arith.addi %thread, %k : index
        %sum32 = arith.index_cast %sum : index to i32
        %f = arith.sitofp %sum32 : i32 to f32
        %h = arith.truncf %f : f32 to bf16
        %b_row = arith.subi %thread, %c64 : index
        %on = arith.cmpi eq, %b_row, %k : index
        %unit = arith.select %on, %one, %zero : bf16
        %is_a = arith.cmpi ult, %thread, %c64 : index
        %v = arith.select %is_a, %h, %unit : bf16
        %chunk = arith.divui %k, %c8 : index
        %in_chunk = arith.remui %k, %c8 : index
        %turn = arith.andi %thread, %c7 : index
        %place = arith.xori %chunk, %turn : index
        %place_bytes = arith.muli %place, %c16 : index
        %in_bytes = arith.muli %in_chunk, %c2 : index
        %row_bytes = arith.muli %thread, %c128 : index
        %b0 = arith.addi %row_bytes, %place_bytes : index
        %b1 = arith.addi %b0, %in_bytes : index
        %b2 = arith.index_cast %b1 : index to i32
        %p = gpu.ptr_add %shared, %b2 : !gpu.ptr<shared>, i32
        gpu.store %v, %p : bf16, !gpu.ptr<shared>
      }
    }
    gpu.barrier
    %address = gpu.shared_address %shared : !gpu.ptr<shared>
    %wide = arith.extui %address : i32 to i64
    %four = arith.constant 4 : i64
    %start = arith.shrui %wide, %four : i64
    %form = arith.constant 4611686293305360384 : i64
    %a = arith.ori %start, %form : i64
    %a_units = arith.constant 512 : i64
    %b = arith.addi %a, %a_units : i64
    gpu.wgmma_fence
    // UNFENCED: ops.mlir:[[@LINE+1]]:10: error: 'gpu.wgmma' op reads shared memory + {{[0-9]+}} through the async proxy, without a fence behind the generic write there [SIM_PROXY]
    %d = gpu.wgmma %a, %b, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %done = gpu.wgmma_wait 0, %d : vector<4xf32>
    %parts:2 = gpu.unpack %done : vector<4xf32> -> vector<2xf32>, vector<2xf32>
    %w16 = arith.muli %warp, %c16 : index
    %l4 = arith.divui %lane, %c4 : index
    %lr = arith.remui %lane, %c4 : index
    %row = arith.addi %w16, %l4 : index
    %row_at = arith.muli %row, %c32 : index
    %col_at = arith.muli %lr, %c8 : index
    %at = arith.addi %row_at, %col_at : index
    %at32 = arith.index_cast %at : index to i32
    %p0 = gpu.ptr_add %o, %at32 : !gpu.ptr<global>, i32
    %c256 = arith.constant 256 : i32
    %p1 = gpu.ptr_add %p0, %c256 : !gpu.ptr<global>, i32
    gpu.store %parts#0, %p0 : vector<2xf32>, !gpu.ptr<global>
    gpu.store %parts#1, %p1 : vector<2xf32>, !gpu.ptr<global>
    gpu.return
  }

  // The same without a wait.
  gpu.func @wgmma_unawaited(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 8>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 9216 : i64} {
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = gpu.warp_id
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c72 = arith.constant 72 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : bf16
    %zero = arith.constant 0.0 : bf16
    %is_row = arith.cmpi ult, %thread, %c72 : index
    scf.if %is_row {
      scf.for %k = %c0 to %c16 step %c1 {
        %sum = arith.addi %thread, %k : index
        %sum32 = arith.index_cast %sum : index to i32
        %f = arith.sitofp %sum32 : i32 to f32
        %h = arith.truncf %f : f32 to bf16
        %b_row = arith.subi %thread, %c64 : index
        %on = arith.cmpi eq, %b_row, %k : index
        %unit = arith.select %on, %one, %zero : bf16
        %is_a = arith.cmpi ult, %thread, %c64 : index
        %v = arith.select %is_a, %h, %unit : bf16
        %chunk = arith.divui %k, %c8 : index
        %in_chunk = arith.remui %k, %c8 : index
        %turn = arith.andi %thread, %c7 : index
        %place = arith.xori %chunk, %turn : index
        %place_bytes = arith.muli %place, %c16 : index
        %in_bytes = arith.muli %in_chunk, %c2 : index
        %row_bytes = arith.muli %thread, %c128 : index
        %b0 = arith.addi %row_bytes, %place_bytes : index
        %b1 = arith.addi %b0, %in_bytes : index
        %b2 = arith.index_cast %b1 : index to i32
        %p = gpu.ptr_add %shared, %b2 : !gpu.ptr<shared>, i32
        gpu.store %v, %p : bf16, !gpu.ptr<shared>
      }
    }
    gpu.fence_proxy_async
    gpu.barrier
    %address = gpu.shared_address %shared : !gpu.ptr<shared>
    %wide = arith.extui %address : i32 to i64
    %four = arith.constant 4 : i64
    %start = arith.shrui %wide, %four : i64
    %form = arith.constant 4611686293305360384 : i64
    %a = arith.ori %start, %form : i64
    %a_units = arith.constant 512 : i64
    %b = arith.addi %a, %a_units : i64
    gpu.wgmma_fence
    %d = gpu.wgmma %a, %b, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    // UNAWAITED: ops.mlir:[[@LINE+1]]:16: error: 'gpu.unpack' op reads an accumulator before its wgmma was waited for [SIM_UNARRIVED_READ]
    %parts:2 = gpu.unpack %d : vector<4xf32> -> vector<2xf32>, vector<2xf32>
    %w16 = arith.muli %warp, %c16 : index
    %l4 = arith.divui %lane, %c4 : index
    %lr = arith.remui %lane, %c4 : index
    %row = arith.addi %w16, %l4 : index
    %row_at = arith.muli %row, %c32 : index
    %col_at = arith.muli %lr, %c8 : index
    %at = arith.addi %row_at, %col_at : index
    %at32 = arith.index_cast %at : index to i32
    %p0 = gpu.ptr_add %o, %at32 : !gpu.ptr<global>, i32
    %c256 = arith.constant 256 : i32
    %p1 = gpu.ptr_add %p0, %c256 : !gpu.ptr<global>, i32
    gpu.store %parts#0, %p0 : vector<2xf32>, !gpu.ptr<global>
    gpu.store %parts#1, %p1 : vector<2xf32>, !gpu.ptr<global>
    gpu.return
  }

  // A box of 32 elements of an array of 16 comes in and goes out: what is outside is zero, and dropped.
  gpu.func @tensors(%o: !gpu.ptr<global>, %x: !gpu.ptr<global>, %n: index, %in: !gpu.tensor_map, %out: !gpu.tensor_map) attributes {target = ["sm_90a"], arg_names = ["o", "x"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 256 : i64, tensor_maps = [{arg = "x", box = [32], panel = 0 : i64, swizzle = 0 : i64}, {arg = "o", box = [32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %bar = gpu.ptr_add %shared, %c128 : !gpu.ptr<shared>, i32
    %lane = gpu.lane_id
    %i = arith.index_cast %lane : index to i32
    %leads = arith.cmpi eq, %i, %c0 : i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.tma_load %shared, %bar, %in[%c0]
    }
    gpu.warp_sync
    gpu.mbarrier_wait %bar, %c0
    scf.if %leads {
      gpu.tma_store %shared, %out[%c0]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }

  gpu.func @unread(%o: !gpu.ptr<global>, %x: !gpu.ptr<global>, %n: index, %in: !gpu.tensor_map, %out: !gpu.tensor_map) attributes {target = ["sm_90a"], arg_names = ["o", "x"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 256 : i64, tensor_maps = [{arg = "x", box = [32], panel = 0 : i64, swizzle = 0 : i64}, {arg = "o", box = [32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %bar = gpu.ptr_add %shared, %c128 : !gpu.ptr<shared>, i32
    %lane = gpu.lane_id
    %i = arith.index_cast %lane : index to i32
    %leads = arith.cmpi eq, %i, %c0 : i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.tma_load %shared, %bar, %in[%c0]
    }
    gpu.warp_sync
    gpu.mbarrier_wait %bar, %c0
    scf.if %leads {
      gpu.tma_store %shared, %out[%c0]
      gpu.bulk_commit
    }
    // UNREAD: ops.mlir:[[@LINE+1]]:5: error: 'gpu.return' op ends lane 0, whose bulk stores may still read shared memory [SIM_UNDEFINED]
    gpu.return
  }
}
