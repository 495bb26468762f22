// Small kernels, right and wrong ones, to be held to contracts.
!X = tensor<4x64xf32, #cake.vec<role, 1>>

cake.kernel @twice(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x64xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%r) in @work {
      %v = cake.load %x[%r * 4, 0] pad(0.0) : !X
      %w = arith.addf %v, %v : !X
      cake.store %w, %y[%r * 4, 0] clip
    }
  }
}

// Changes what it reads.
cake.kernel @scratch(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x64xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%r) in @work {
      %v = cake.load %x[%r * 4, 0] pad(0.0) : !X
      %w = arith.addf %v, %v : !X
      cake.store %w, %y[%r * 4, 0] clip
      cake.store %w, %x[%r * 4, 0] clip
    }
  }
}

// Does no work.
cake.kernel @zeros(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x64xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%r) in @work {
      %w = cake.fill 0.0 : !X
      cake.store %w, %y[%r * 4, 0] clip
    }
  }
}
