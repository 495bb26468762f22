// A kernel that the verifier refuses.
!X = tensor<4x64xf32, #cake.vec<role, 1>>

// Leaves out the last rows of a ragged array.
cake.kernel @short(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x64xf32>) target("sm_80") {
  cake.tiles @work (r = R floordiv 4) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%r) in @work {
      %v = cake.load %x[%r * 4, 0] pad(0.0) : !X
      %w = arith.addf %v, %v : !X
      cake.store %w, %y[%r * 4, 0] clip
    }
  }
}
