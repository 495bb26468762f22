cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(1) from(@a) to(@b) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @q stages(1) from(@a) to(@b) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
      %u, %xu = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xu via(tma) pad(0.0)
      cake.commit %u
      %t, %xt = cake.acquire @q
      cake.copy %x[%n * 64, 0] -> %xt via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @b warps(4) replicate(2) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @q
      cake.release %t
      %s, %xs = cake.wait @p
      cake.release %s
      %u, %xu = cake.wait @p
      cake.release %u
    }
  }
}
