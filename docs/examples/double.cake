// Doubles every element of a matrix: the kernel that docs/examples/embed.c builds.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @double(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80", "sm_90a") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    %two = cake.fill 2.0 : !F
    cake.items (%r, %c) in @work {
      %f = cake.load %x[%r * 64, %c * 64] pad(0.0) : !F
      %g = arith.mulf %f, %two : !F
      cake.store %g, %y[%r * 64, %c * 64] clip
    }
  }
}
