// A family of two kernels whose scalars stand between the arrays, with a size that no array has: y = scale * x + shift, row by row.
cake.kernel @few(%scale: f32, %x: !cake.global<[N]x64xf32, align 4>, %shift: f32, %y: !cake.global<[N]x64xf32>) target("sm_80", "sm_90a")
    guard(N le FEW, N le LMAX) sizes(LMAX) family(@scaled) {
  cake.param @FEW = 16 in [16, 32]
  cake.tiles @work (n = N) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n, 0] : tensor<1x64xf32, #cake.vec<role, 2>>
      %s = cake.spread %scale : tensor<1x64xf32, #cake.vec<role, 2>>
      %t = cake.spread %shift : tensor<1x64xf32, #cake.vec<role, 2>>
      %b = math.fma %a, %s, %t : tensor<1x64xf32, #cake.vec<role, 2>>
      cake.store %b, %y[%n, 0]
    }
  }
}

cake.kernel @many(%scale: f32, %x: !cake.global<[N]x64xf32, align 16>, %shift: f32, %y: !cake.global<[N]x64xf32>) target("sm_90a")
    guard(N le LMAX) sizes(LMAX) family(@scaled) {
  cake.pipeline @rows stages(2) from(@load) to(@all) slot(x: !cake.shared<8x64xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 8)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %xs = cake.acquire @rows
      cake.copy %x[%n * 8, 0] -> %xs via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %t, %xs = cake.wait @rows
      %a = cake.get %xs : tensor<8x64xf32, #cake.vec<warp, 2>>
      cake.release %t
      %s = cake.spread %scale : tensor<8x64xf32, #cake.vec<warp, 2>>
      %u = cake.spread %shift : tensor<8x64xf32, #cake.vec<warp, 2>>
      %b = math.fma %a, %s, %u : tensor<8x64xf32, #cake.vec<warp, 2>>
      cake.store %b, %y[%n * 8, 0] clip
    }
  }
}
