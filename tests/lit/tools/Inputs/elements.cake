// Kernels that scale and copy, for cake-run-elements.test.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
!H = tensor<16x64xf16, #cake.mma.acc<1x1>>
!B = tensor<16x64xbf16, #cake.mma.acc<1x1>>
!I = tensor<16x64xi32, #cake.mma.acc<1x1>>
cake.kernel @scale(%x: !cake.global<[N]x64xf32>, %y: !cake.global<[N]x64xf32>, %a: f32, %m: i32) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      %s = cake.spread %a : !F
      %g = arith.mulf %f, %s : !F
      cake.store %g, %y[%n * 64, 0] clip
    }
  }
}
cake.kernel @f16(%x: !cake.global<[N]x64xf16>, %y: !cake.global<[N]x64xf16>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 16)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 16, 0] pad(0.0) : !H
      cake.store %f, %y[%n * 16, 0] clip
    }
  }
}
cake.kernel @bf16(%x: !cake.global<[N]x64xbf16>, %y: !cake.global<[N]x64xbf16>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 16)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 16, 0] pad(0.0) : !B
      cake.store %f, %y[%n * 16, 0] clip
    }
  }
}
cake.kernel @i32(%x: !cake.global<[N]x64xi32>, %y: !cake.global<[N]x64xi32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 16)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 16, 0] pad(0) : !I
      cake.store %f, %y[%n * 16, 0] clip
    }
  }
}
