// y += x[0] + x[1] + …: an item adds one of the arrays.
!F32 = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @f32(%x: !cake.global<[P]x[R]x64xf32, align 16>, %y: !cake.global<[R]x64xf32, align 16>) target("sm_90a", "sm_100a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (p = P, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      %f = cake.load %x[%p, %r * 64, 0] pad(0.0) : !F32
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      cake.commit %s to(%y[%r * 64, 0]) reduce add
    }
  }
}

!BF16 = tensor<64x64xbf16, #cake.mma.acc<4x1>>
cake.kernel @bf16(%x: !cake.global<[P]x[R]x64xbf16, align 16>, %y: !cake.global<[R]x64xbf16, align 16>) target("sm_90a", "sm_100a") {
  cake.pipeline @out stages(2) from(@all) to(store) slot(y: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (p = P, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      %f = cake.load %x[%p, %r * 64, 0] pad(0.0) : !BF16
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      cake.commit %s to(%y[%r * 64, 0]) reduce add
    }
  }
}

!F16 = tensor<64x64xf16, #cake.mma.acc<4x1>>
cake.kernel @f16(%x: !cake.global<[P]x[R]x64xf16, align 16>, %y: !cake.global<[R]x64xf16, align 16>) target("sm_90a", "sm_100a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf16, rows>)
  cake.tiles @work (p = P, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      %f = cake.load %x[%p, %r * 64, 0] pad(0.0) : !F16
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      cake.commit %s to(%y[%r * 64, 0]) reduce add
    }
  }
}

!I32 = tensor<64x64xi32, #cake.mma.acc<4x1>>
cake.kernel @i32(%x: !cake.global<[P]x[R]x64xi32, align 16>, %y: !cake.global<[R]x64xi32, align 16>) target("sm_90a", "sm_100a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xi32, sw128>)
  cake.tiles @work (p = P, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      %f = cake.load %x[%p, %r * 64, 0] pad(0) : !I32
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      cake.commit %s to(%y[%r * 64, 0]) reduce add
    }
  }
}
