// cake-expand-fragments: load, store, fill, spread and the elementwise ops: which lane holds which element, what happens at an array's end.
// RUN: cake-opt %s --split-input-file --cake-expand-roles --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// A 16-bit fragment of an aligned array is loaded in pairs. One row pointer serves all columns: they differ by constants. Rows may be
// outside: loads stand under a condition, with the padding on its other side; columns are not, since the last dimension is the tile's.
// CHECK-LABEL: gpu.func @load_a
// CHECK-DAG:     [[LANE:%.+]] = gpu.lane_id
// CHECK-DAG:     [[C4:%.+]] = arith.constant 4 : index
// CHECK-DAG:     [[G:%.+]] = arith.divui [[LANE]], [[C4]] : index
// CHECK-DAG:     [[T:%.+]] = arith.remui [[LANE]], [[C4]] : index
// CHECK-DAG:     [[ROW:%.+]] = arith.addi {{.*}}, [[G]] : index
// CHECK:         [[AT:%.+]] = arith.addi {{.*}}, [[ROW]] : index
// CHECK-NOT:     arith.minui
// CHECK:         gpu.ptr_add %arg0
// CHECK:         [[P:%.+]] = gpu.ptr_add
// CHECK:         [[INSIDE:%.+]] = arith.cmpi ult, [[AT]], %{{.*}} : index
// CHECK:         [[S:%.+]] = scf.if [[INSIDE]] -> (vector<2xbf16>) {
// CHECK-NEXT:      [[V:%.+]] = gpu.load [[P]] : !gpu.ptr<global> -> vector<2xbf16>
// CHECK-NEXT:      scf.yield [[V]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield {{.*}} : vector<2xbf16>
// CHECK:         [[C16:%.+]] = arith.constant 16 : i64
// CHECK:         [[NEXT:%.+]] = gpu.ptr_add [[P]], [[C16]] : !gpu.ptr<global>, i64
// CHECK:         gpu.load [[NEXT]] : !gpu.ptr<global> -> vector<2xbf16>
// CHECK:         gpu.pack [[S]], {{.*}} -> vector<8xbf16>
cake.kernel @load_a(%x: !cake.global<[N]x64xbf16, align 4>, %w: !cake.global<8x64xbf16, align 4>, %o: !cake.global<[N]x8xf32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.load %w[0, 0] : tensor<8x64xbf16, #cake.mma.b<4x1>>
      %zero = cake.fill 0.0 : tensor<64x8xf32, #cake.mma.acc<4x1>>
      %r = cake.mma %zero, %a * %b form(mma.m16n8k16.nt)
      cake.store %r, %o[%n * 64, 0] clip
    }
  }
}

// -----

// What constants show to be inside is neither clamped nor tested. Without an alignment a pair of 16-bit elements is two loads.
// CHECK-LABEL: gpu.func @fits
// CHECK-NOT:     arith.minui
// CHECK-NOT:     arith.cmpi
// CHECK-COUNT-8: gpu.load {{.*}} -> bf16
// CHECK-NOT:     gpu.load
cake.kernel @fits(%x: !cake.global<16x16xbf16>) target("sm_80") {
  cake.tiles @work (n = 1) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      %a = cake.load %x[0, 0] pad(0.0) : tensor<16x16xbf16, #cake.mma.a<1x1>>
    }
  }
}

// -----

// Warps of a 2x2 accumulator: rows by warp / 2, columns by warp % 2. `readonly` arrays are read as such, f32 pairs by 8 bytes.
// CHECK-LABEL: gpu.func @grid_of_warps
// CHECK-DAG:     [[W:%.+]] = gpu.warp_id
// CHECK-DAG:     [[C2:%.+]] = arith.constant 2 : index
// CHECK-DAG:     [[WR:%.+]] = arith.divui [[W]], [[C2]] : index
// CHECK-DAG:     [[WC:%.+]] = arith.remui [[W]], [[C2]] : index
// CHECK:         gpu.load {{.*}} {readonly} : !gpu.ptr<global> -> vector<2xf32>
// CHECK:         math.fma {{.*}} : vector<8xf32>
// CHECK:         arith.cmpf olt, {{.*}} : vector<8xf32>
// CHECK:         arith.select {{.*}} : vector<8xi1>, vector<8xf32>
// CHECK:         gpu.store {{.*}} : vector<2xf32>, !gpu.ptr<global>
cake.kernel @grid_of_warps(%x: !cake.global<[N]x32xf32, readonly, align 8>, %o: !cake.global<[N]x32xf32, align 8>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 32)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 32, 0] pad(0.0) : tensor<32x32xf32, #cake.mma.acc<2x2>>
      %two = cake.fill 2.0 : tensor<32x32xf32, #cake.mma.acc<2x2>>
      %b = math.fma %a, %two, %a : tensor<32x32xf32, #cake.mma.acc<2x2>>
      %less = arith.cmpf olt, %b, %two : tensor<32x32xf32, #cake.mma.acc<2x2>>
      %c = arith.select %less, %a, %b : tensor<32x32xi1, #cake.mma.acc<2x2>>, tensor<32x32xf32, #cake.mma.acc<2x2>>
      cake.store %c, %o[%n * 32, 0] clip
    }
  }
}

// -----

// A column vector: columns 2t and 2t+1 of each 8. The last dimension is not known, so both are tested on their own. Spread
// repeats it: of an accumulator's four registers two are of either column. A row vector is written by one lane of four.
// CHECK-LABEL: gpu.func @vectors
// CHECK-NOT:     arith.minui
// CHECK:         [[E0:%.+]] = scf.if
// CHECK-NEXT:      gpu.load {{.*}} -> f32
// CHECK:         [[E1:%.+]] = scf.if
// CHECK-NEXT:      gpu.load {{.*}} -> f32
// CHECK:         gpu.store [[E0]]
// CHECK:         gpu.store [[E1]]
// CHECK:         gpu.store [[E0]]
// CHECK:         gpu.store [[E1]]
// CHECK:         [[FIRST:%.+]] = arith.cmpi eq, {{.*}} : index
// CHECK:         [[OWNER:%.+]] = arith.andi [[FIRST]], {{.*}} : i1
// CHECK-NEXT:    scf.if [[OWNER]] {
// CHECK-NEXT:      gpu.store {{.*}} : f32, !gpu.ptr<global>
cake.kernel @vectors(%q: !cake.global<[K]xf32>, %r: !cake.global<[N]xf32>, %o: !cake.global<16x8xf32>, %p: !cake.global<[N]xf32>) target("sm_80") {
  cake.tiles @work (n = 1) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      %c = cake.load %q[%n * 8] pad(0.0) : tensor<8xf32, #cake.col<mma.acc<1x1>>>
      %s = cake.spread %c : tensor<16x8xf32, #cake.mma.acc<1x1>>
      cake.store %s, %o[0, 0]
      %v = cake.load %r[%n * 16] pad(0.0) : tensor<16xf32, #cake.row<mma.acc<1x1>>>
      cake.store %v, %p[%n * 16] clip
    }
  }
}
