// Kernels whose tiles are right but for some sizes.
!X = tensor<4x64xf32, #cake.vec<role, 1>>

// One row too few counts.
cake.kernel @less(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x64xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R - 1, 4)) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%r) in @work {
      %v = cake.load %x[%r * 4, 0] pad(0.0) : !X
      %w = arith.addf %v, %v : !X
      cake.store %w, %y[%r * 4, 0] clip
    }
  }
}

// Whole tiles alone.
cake.kernel @whole(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x64xf32>) target("sm_80") {
  cake.tiles @work (r = R floordiv 4) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%r) in @work {
      %v = cake.load %x[%r * 4, 0] pad(0.0) : !X
      %w = arith.addf %v, %v : !X
      cake.store %w, %y[%r * 4, 0] clip
    }
  }
}

// Counted as if tiles were longer than they are.
cake.kernel @longer(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x64xf32>) target("sm_80") guard(R mod 2 eq 0) {
  cake.tiles @work (r = ceildiv(R, 5)) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%r) in @work {
      %v = cake.load %x[%r * 4, 0] pad(0.0) : !X
      %w = arith.addf %v, %v : !X
      cake.store %w, %y[%r * 4, 0] clip
    }
  }
}
