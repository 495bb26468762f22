// https://github.com/microsoft/onnxruntime/issues/27003: partial sums of a split GEMM are added in the order in which they come, so results differ from run to run. There are no atomics here; what is left is to store
// the parts over one another.
// Refused by output-overlap (OUTPUT_OVERLAP).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Four parts of a tile, of which the last one stays.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[M]x[K]xf32>, %y: !cake.global<[M]x64xf32>) target("sm_80") {
  // expected-note@+1 {{of which there are several}}
  cake.tiles @work (m = ceildiv(M, 64), s = 4) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %s) in @work {
      %a = cake.load %x[%m * 64, %s * 64] pad(0.0) : !D
      // expected-error@+1 {{in role '@all' writes the same elements of %y again for each s of the items, in no order}}
      cake.store %a, %y[%m * 64, 0] clip
    }
  }
}

// -----

// The repair: each part has a place, and another kernel adds them in a fixed order.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[M]x[K]xf32>, %y: !cake.global<4x[M]x64xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), s = 4) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %s) in @work {
      %a = cake.load %x[%m * 64, %s * 64] pad(0.0) : !D
      cake.store %a, %y[%s, %m * 64, 0] clip
    }
  }
}

// -----

// Control: an axis of one.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[M]x[K]xf32>, %y: !cake.global<[M]x64xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), s = 1) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %s) in @work {
      %a = cake.load %x[%m * 64, %s * 64] pad(0.0) : !D
      cake.store %a, %y[%m * 64, 0] clip
    }
  }
}
