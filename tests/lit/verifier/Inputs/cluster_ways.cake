// Whether a CTA takes part depends on its rank and the item: one may go on alone, and wait for what the other would send.
cake.kernel @ways(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %five = arith.constant 5 : index
      %at = cake.index (%n + rank) : index
      %goes = arith.cmpi ult, %at, %five : index
      scf.if %goes {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0) multicast(3)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %five = arith.constant 5 : index
      %at = cake.index (%n + rank) : index
      %goes = arith.cmpi ult, %at, %five : index
      scf.if %goes {
        %t, %xt = cake.wait @ring
        cake.release %t
      }
    }
  }
}
