// https://github.com/tenstorrent/tt-mlir/issues/9220: rows behind the last whole tile are never written, and hold what was in the memory.
// Refused by output-coverage (OUTPUT_UNCOVERED).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// As many items as there are whole tiles.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
// expected-note@+1 {{items are 64 elements apart there, and each writes 64 in a row}}
cake.kernel @k(%x: !cake.global<[N]x64xf32>, %y: !cake.global<[N]x64xf32>) target("sm_80") {
  cake.tiles @work (n = N floordiv 64) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      // expected-error@+1 {{in role '@all' leaves elements of %y unwritten that no tile covers: in dimension 0, the last ones, which no item reaches}}
      cake.store %a, %y[%n * 64, 0] clip
    }
  }
}

// -----

// The repair.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x64xf32>, %y: !cake.global<[N]x64xf32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      cake.store %a, %y[%n * 64, 0] clip
    }
  }
}

// -----

// Control: a guard that leaves no rest.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x64xf32>, %y: !cake.global<[N]x64xf32>) target("sm_80") guard(N mod 64 eq 0) {
  cake.tiles @work (n = N floordiv 64) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      cake.store %a, %y[%n * 64, 0] clip
    }
  }
}
