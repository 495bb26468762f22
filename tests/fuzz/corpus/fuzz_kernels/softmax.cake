// ;R=7;
!X = tensor<1x?xbf16, #cake.of<1x[C], vec<role, 8>>>
!F = tensor<1x?xf32, #cake.of<1x[C], vec<role, 8>>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>

cake.kernel @softmax(%x: !cake.global<[R]x[C]xbf16, readonly, align 16>, %y: !cake.global<[R]x[C]xbf16, align 16>)
    target("sm_80", "sm_90a", "sm_100a") {
  cake.param @C = 4096 in [1024, 2048, 4096, 8192]
  cake.param @W = 4 in [2, 4, 8]
  cake.require C mod (W * 256) eq 0, C le W * 2048
  %exchange = cake.buffer : !cake.shared<[W]xf32, rows>
  cake.tiles @work (r = R) schedule(persistent)
  cake.role @all warps(W) {
    %scale = cake.fill 1.4426950408889634 : !F
    %one = cake.fill 1.0 : !R
    cake.items (%r) in @work {
      %x16 = cake.load %x[%r, 0] : !X
      %x32 = arith.extf %x16 : !X to !F
      %most = cake.reduce max %x32 axis(1) nan(first) through(%exchange) : !R
      %mosts = cake.spread %most : !F
      %below = arith.subf %x32, %mosts : !F // exact where x is large: a multiplied difference of large numbers is not
      %exponent = arith.mulf %below, %scale : !F
      %power = math.exp2 %exponent : !F
      %sum = cake.reduce add %power axis(1) through(%exchange) : !R
      %inverse = arith.divf %one, %sum : !R
      %inverses = cake.spread %inverse : !F
      %y32 = arith.mulf %power, %inverses : !F
      %y16 = arith.truncf %y32 : !F to !X
      cake.store %y16, %y[%r, 0]
    }
  }
}
