// RMSNorm of rows: y = x / sqrt(mean(x²) + eps) · w. All warps of a CTA hold a row in registers; the weights stay there from row to row.
!X = tensor<1x?xbf16, #cake.of<1x[C], vec<role, 8>>>
!F = tensor<1x?xf32, #cake.of<1x[C], vec<role, 8>>>
!W = tensor<?xbf16, #cake.of<[C], col<vec<role, 8>>>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>

cake.kernel @rmsnorm(%x: !cake.global<[R]x[C]xbf16, align 16>, %w: !cake.global<[C]xbf16, readonly, align 16>,
    %y: !cake.global<[R]x[C]xbf16, align 16>, %eps: f32) target("sm_80", "sm_90a", "sm_100a") {
  cake.param @C = 4096 in [1024, 2048, 4096, 8192]
  cake.param @W = 4 in [2, 4, 8]
  cake.require C mod (W * 256) eq 0, C le W * 2048
  %sums = cake.buffer : !cake.shared<[W]xf32, rows>
  cake.tiles @work (r = R) schedule(persistent)
  cake.role @all warps(W) {
    %weights = cake.load %w[0] : !W
    %w16 = cake.spread %weights : !X
    %w32 = arith.extf %w16 : !X to !F
    %c = cake.index (C) : index
    %c32 = arith.index_cast %c : index to i32
    %count = arith.sitofp %c32 : i32 to f32
    %counts = cake.spread %count : !R
    %epsilon = cake.spread %eps : !R
    cake.items (%r) in @work {
      %x16 = cake.load %x[%r, 0] : !X
      %x32 = arith.extf %x16 : !X to !F
      %squares = arith.mulf %x32, %x32 : !F
      %sum = cake.reduce add %squares axis(1) through(%sums) : !R
      %mean = arith.divf %sum, %counts : !R
      %shifted = arith.addf %mean, %epsilon : !R
      %factor = math.rsqrt %shifted : !R
      %factors = cake.spread %factor : !F
      %normal = arith.mulf %x32, %factors : !F
      %y32 = arith.mulf %normal, %w32 : !F
      %y16 = arith.truncf %y32 : !F to !X
      cake.store %y16, %y[%r, 0]
    }
  }
}
