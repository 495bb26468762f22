// cake-expand-fragments: the three ways to copy a tile into shared memory.
// RUN: cake-opt %s --split-input-file --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// cp_async: 8 chunks of 16 bytes a row, so 32 lanes take 4 rows at once. Two lane offsets serve all rounds: the row mod 8 is that of the lane
// or of the lane + 4. A row outside of the array is clamped, and none of its bytes are read.
// CHECK-LABEL: gpu.func @swizzled
// CHECK:         [[L:%.+]] = gpu.lane_id
// CHECK:         [[C8:%.+]] = arith.constant 8 : index
// CHECK:         [[ROW:%.+]] = arith.divui [[L]], [[C8]] : index
// CHECK:         [[CHUNK:%.+]] = arith.remui [[L]], [[C8]] : index
// CHECK:         arith.xori {{.*}} : index
// CHECK:         arith.xori {{.*}} : index
// CHECK-NOT:     arith.xori
// CHECK:         [[INSIDE:%.+]] = arith.cmpi ult, {{.*}} : index
// CHECK:         [[D0:%.+]] = gpu.ptr_add {{.*}} : !gpu.ptr<shared>, i32
// CHECK:         [[N:%.+]] = arith.select [[INSIDE]], {{.*}} : i32
// CHECK:         gpu.cp_async [[D0]], {{.*}}, 16 zfill [[N]]
// CHECK:         [[D1:%.+]] = gpu.ptr_add {{.*}} : !gpu.ptr<shared>, i32
// CHECK:         gpu.cp_async [[D1]], {{.*}}, 16 zfill
// CHECK:         [[C1024:%.+]] = arith.constant 1024 : i32
// CHECK:         [[D2:%.+]] = gpu.ptr_add [[D0]], [[C1024]] : !gpu.ptr<shared>, i32
// CHECK:         gpu.cp_async [[D2]], {{.*}}, 16 zfill
// CHECK:         [[D3:%.+]] = gpu.ptr_add [[D1]], [[C1024]] : !gpu.ptr<shared>, i32
// CHECK:         gpu.cp_async [[D3]], {{.*}}, 16 zfill
// CHECK-NOT:     gpu.cp_async
gpu.module @kernels {
  gpu.func @swizzled(%x: !gpu.ptr<global>, %N: index) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<[N]x64xbf16, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<[N]x64xbf16, align 16>
    %n = gpu.block_id x
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16x64xbf16, sw128>
    cake.copy %g[%n * 16, 0] -> %v via(cp_async) pad(0.0)
    gpu.return
  }
}

// -----

// Without an alignment f32 elements are copied one by one. 48 of them are a round of 32 lanes, and one that is not for all of them.
// CHECK-LABEL: gpu.func @partial
// CHECK:         [[L:%.+]] = gpu.lane_id
// CHECK:         gpu.cp_async {{.*}}, 4 zfill
// CHECK:         [[C16:%.+]] = arith.constant 16 : index
// CHECK:         [[MINE:%.+]] = arith.cmpi ult, [[L]], [[C16]] : index
// CHECK:         scf.if [[MINE]] {
// CHECK:           gpu.cp_async {{.*}}, 4 zfill
// CHECK-NEXT:    }
// Constants show that the tile fits: nothing is filled. An alignment of 16 allows 16 bytes; two rounds cover 8 rows of 128 bytes.
// CHECK-LABEL: gpu.func @fits
// CHECK-NOT:     zfill
// CHECK-COUNT-2: gpu.cp_async {{.*}}, 16{{$}}
// CHECK-NOT:     gpu.cp_async
gpu.module @kernels {
  gpu.func @partial(%x: !gpu.ptr<global>, %K: index) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<[K]xf32>], sizes = ["K"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<[K]xf32>
    %k = gpu.block_id x
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<48xf32, rows>
    cake.copy %g[%k * 48] -> %v via(cp_async) pad(0.0)
    gpu.return
  }
  gpu.func @fits(%x: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<8x32xf32, align 16>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<8x32xf32, align 16>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<8x32xf32, rows>
    cake.copy %g[0, 0] -> %v via(cp_async)
    gpu.return
  }
}

// -----

// tma: rows of 128 elements are two panels of 64. The map's dimensions are {panel, rows, panels, B}; equal maps are one argument. The elected
// lane of the role's first warp issues.
// CHECK-LABEL: gpu.func @tensor
// CHECK-SAME:    [[N:%.+]]: index, [[MAP:%.+]]: !gpu.tensor_map)
// CHECK-SAME:    tensor_maps = [{arg = "x", box = [64, 32, 2, 1], panel = 64 : i64, swizzle = 128 : i64}]
// CHECK:         [[W:%.+]] = gpu.warp_id
// CHECK:         [[FIRST:%.+]] = arith.cmpi eq, [[W]], {{.*}} : index
// CHECK:         scf.if [[FIRST]] {
// CHECK-NEXT:      [[E:%.+]] = gpu.elect
// CHECK-NEXT:      scf.if [[E]] {
// CHECK-NEXT:        gpu.tma_load {{.*}}, {{.*}}, [[MAP]][{{%.+}}, {{%.+}}, {{%.+}}, {{%.+}}]
// CHECK:         gpu.tma_load {{.*}}, {{.*}}, [[MAP]][
gpu.module @kernels {
  gpu.func @tensor(%x: !gpu.ptr<global>, %B: index, %N: index) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [!cake.global<[B]x[N]x128xbf16, align 16>], sizes = ["B", "N"], grid = #cake.expr<1>, block = 64 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<[B]x[N]x128xbf16, align 16>
    %n = gpu.block_id x
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %far = arith.constant 8192 : i32
    %bar = gpu.ptr_add %base, %far : !gpu.ptr<shared>, i32
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<32x128xbf16, sw128>
    "cake.copy"(%g, %n, %n, %v, %bar) <{at = #cake.at<[d0, d1 * 32, 0]>, pad = 0.0 : bf16, via = #cake.via<tma>, operandSegmentSizes = array<i32: 1, 2, 1, 0, 1>}>
        : (!cake.global<[B]x[N]x128xbf16, align 16>, index, index, !cake.shared<32x128xbf16, sw128>, !gpu.ptr<shared>) -> ()
    "cake.copy"(%g, %n, %v, %bar) <{at = #cake.at<[d0, 0, 0]>, pad = 0.0 : bf16, via = #cake.via<tma>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}>
        : (!cake.global<[B]x[N]x128xbf16, align 16>, index, !cake.shared<32x128xbf16, sw128>, !gpu.ptr<shared>) -> ()
    gpu.return
  }
}

// -----

// bulk: one run of bytes.
// CHECK-LABEL: gpu.func @run
// CHECK:         [[BYTES:%.+]] = arith.constant 256 : i32
// CHECK:         [[E:%.+]] = gpu.elect
// CHECK-NEXT:    scf.if [[E]] {
// CHECK-NEXT:      gpu.bulk_load {{.*}}, [[BYTES]]
gpu.module @kernels {
  gpu.func @run(%x: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [!cake.global<4096xf32, align 16>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<4096xf32, align 16>
    %n = gpu.block_id x
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %far = arith.constant 8192 : i32
    %bar = gpu.ptr_add %base, %far : !gpu.ptr<shared>, i32
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64xf32, rows>
    "cake.copy"(%g, %n, %v, %bar) <{at = #cake.at<[d0 * 64]>, via = #cake.via<bulk>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}>
        : (!cake.global<4096xf32, align 16>, index, !cake.shared<64xf32, rows>, !gpu.ptr<shared>) -> ()
    gpu.return
  }
}
