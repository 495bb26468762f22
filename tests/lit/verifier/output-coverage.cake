// Rule output-coverage (OUTPUT_UNCOVERED): every element of an array that a kernel writes is written by some tile.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Half of the rows of each item: a replica is missing.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
// expected-note@+1 {{items are 8 elements apart there, and each writes 4 in a row}}
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 8)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      // expected-error@+1 {{in role '@all' leaves elements of %y unwritten that no tile covers: in dimension 0, of each item's those from 4}}
      cake.store %f, %y[%r * 8 + instance * 4, 0] clip
    }
  }
}

// -----

// Both replicas.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 8)) schedule(grid)
  cake.role @all warps(1) replicate(2) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      cake.store %f, %y[%r * 8 + instance * 4, 0] clip
    }
  }
}

// -----

// Two stores cover together what neither does alone.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 8)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      cake.store %f, %y[%r * 8 + 4, 0] clip
      cake.store %f, %y[%r * 8, 0] clip
    }
  }
}

// -----

// A gap between the two.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
// expected-note@+1 {{items are 12 elements apart there, and each writes 4 in a row}}
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 12)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      // expected-error@+1 {{in dimension 0, of each item's those from 4}}
      cake.store %f, %y[%r * 12, 0] clip
      // expected-note@+1 {{it is written here as well}}
      cake.store %f, %y[%r * 12 + 8, 0] clip
    }
  }
}

// -----

// A loop with constant bounds leaves the last columns out.
!F = tensor<4x32xf32, #cake.vec<role, 1>>
cake.kernel @k(%y: !cake.global<[R]x128xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      cake.unroll %j = 0 to 3 {
        // expected-error@+1 {{in dimension 1, those from 96}}
        cake.store %f, %y[%r * 4, %j * 32] clip
      }
    }
  }
}

// -----

// All four.
!F = tensor<4x32xf32, #cake.vec<role, 1>>
cake.kernel @k(%y: !cake.global<[R]x128xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      cake.unroll %j = 0 to 4 {
        cake.store %f, %y[%r * 4, %j * 32] clip
      }
    }
  }
}

// -----

// The number of items is rounded down: the rows of a ragged end are nobody's.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
// expected-note@+1 {{items are 4 elements apart there}}
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = R floordiv 4) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      // expected-error@+1 {{in dimension 0, the last ones, which no item reaches}}
      cake.store %f, %y[%r * 4, 0] clip
    }
  }
}

// -----

// With a guard that there is no ragged end.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") guard(R mod 4 eq 0) {
  cake.tiles @work (r = R floordiv 4) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      cake.store %f, %y[%r * 4, 0]
    }
  }
}

// -----

// On purpose.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 8)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      cake.store %f, %y[%r * 8, 0] clip {cake.partial}
    }
  }
}
