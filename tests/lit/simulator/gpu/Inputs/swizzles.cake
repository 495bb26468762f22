// c = a · bᵀ by views of 64- and 32-byte swizzle.
!Acc = tensor<64x64xf32, #cake.wgmma.acc>
!Half = tensor<64x64xbf16, #cake.wgmma.acc>
!Pending = !cake.pending<64x64xf32, wgmma.acc>

// a comes by TMA with 64 bytes a panel, b with 32; the product leaves both ways.
cake.kernel @narrow(%a: !cake.global<64x64xbf16, align 16>, %b: !cake.global<64x64xbf16, align 16>, %c: !cake.global<64x64xbf16, align 16>,
    %d: !cake.global<64x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @in stages(1) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw64>, b: !cake.shared<64x64xbf16, sw32>)
  cake.pipeline @c64 stages(1) from(@use) to(store) slot(c: !cake.shared<64x64xbf16, sw64>)
  cake.pipeline @c32 stages(1) from(@use) to(store) slot(c: !cake.shared<64x64xbf16, sw32>)
  cake.tiles @work (m = 1) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %s, %as, %bs = cake.acquire @in
      cake.copy %a[0, 0] -> %as via(tma)
      cake.copy %b[0, 0] -> %bs via(tma)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %s, %as, %bs = cake.wait @in
      %zero = cake.zero : !Pending
      %p = cake.mma %zero, %as * %bs form(wgmma.m64n64k16.nt)
      %sum = cake.await %p : !Acc
      cake.release %s
      %half = arith.truncf %sum : !Acc to !Half
      %o, %cs = cake.acquire @c64
      cake.put %half, %cs
      cake.commit %o to(%c[0, 0])
      %q, %ds = cake.acquire @c32
      cake.put %half, %ds
      cake.commit %q to(%d[0, 0])
    }
  }
}

// Two warps write b, one half with rows of a lane and one with eight elements a lane; a comes by TMA into the same slot. One group of products.
cake.kernel @threads(%a: !cake.global<64x64xbf16, align 16>, %b: !cake.global<64x64xbf16, align 16>, %c: !cake.global<64x64xbf16, align 16>)
    target("sm_90a") {
  cake.pipeline @in stages(1) from(@load) to(@use) slot(a0: !cake.shared<64x32xbf16, sw64>, a1: !cake.shared<64x32xbf16, sw32>,
      b0: !cake.shared<64x32xbf16, sw32>, b1: !cake.shared<64x32xbf16, sw64>)
  cake.tiles @work (m = 1) schedule(grid)
  cake.role @load warps(2) {
    cake.items (%m) in @work {
      %s, %a0, %a1, %b0, %b1 = cake.acquire @in
      cake.copy %a[0, 0] -> %a0 via(tma)
      cake.copy %a[0, 32] -> %a1 via(tma)
      %left = cake.load %b[0, 0] : tensor<64x32xbf16, #cake.vec<lane, 16>>
      cake.put %left, %b0
      %right = cake.load %b[0, 32] : tensor<64x32xbf16, #cake.vec<warp, 8>>
      cake.put %right, %b1
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %s, %a0, %a1, %b0, %b1 = cake.wait @in
      %zero = cake.zero : !Pending
      %p = cake.mma %zero, %a0 * %b0 form(wgmma.m64n64k16.nt)
      %q = cake.mma %p, %a1 * %b1 form(wgmma.m64n64k16.nt)
      %sum = cake.await %q : !Acc
      cake.release %s
      %half = arith.truncf %sum : !Acc to !Half
      cake.store %half, %c[0, 0]
    }
  }
}
