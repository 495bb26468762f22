// Flash-KMeans' assign step for Hopper: a loader warp feeds a ring of centroid tiles by TMA; two warpgroups hold 128 points each in registers
// and multiply them with wgmma, 64 at a time: one half's labels are looked for while the other's products are made.
!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
!Points = tensor<128x?xbf16, #cake.of<128x[D], wgmma.a>>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<4>, wgmma.acc>

cake.kernel @kmeans_assign(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>) target("sm_90a") guard(K ge 1) {
  cake.param @D = 64 in [64, 128]
  cake.param @S = 4 in 2..4
  cake.pipeline @points stages(1) from(@load) to(@assign) slot(x: !cake.shared<256x[D]xbf16, sw128>)
  cake.pipeline @ring stages(S) from(@load) to(@assign) slot(c: !cake.shared<128x[D]xbf16, sw128>, q: !cake.shared<128xf32, rows>)
  cake.tiles @work (b = B, n = ceildiv(N, 256)) steps(k = ceildiv(K, 128)) schedule(persistent)
  cake.role @load warps(1) regs(24) {
    cake.items (%b, %n) in @work {
      %s, %xs = cake.acquire @points
      cake.copy %x[%b, %n * 256, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
      cake.steps (%k) in @work {
        %t, %cs, %qs = cake.acquire @ring
        cake.copy %c[%b, %k * 128, 0] -> %cs via(tma) pad(0.0)
        cake.copy %c2[%b, %k * 128] -> %qs via(cp_async) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @assign warpgroups(1) replicate(2) regs(240) {
    cake.items (%b, %n) in @work {
      %s, %xs = cake.wait @points
      %xa = cake.get %xs[instance * 128, 0] : !Points
      cake.release %s
      %none = cake.best.init : !Best
      %minus2 = cake.fill -2.0 : !Acc
      %last:2 = cake.steps (%k) in @work iter(%a0 = %none, %a1 = %none) {
        %t, %cs, %qs = cake.wait @ring
        %zero0 = cake.zero : !Pending
        %zero1 = cake.zero : !Pending
        %p0 = cake.mma %zero0, %xa[0, 0] * %cs form(wgmma.m64n128k16.nt)
        %p1 = cake.mma %zero1, %xa[64, 0] * %cs form(wgmma.m64n128k16.nt)
        %dot0 = cake.await %p0 : !Acc
        %q0 = cake.get %qs : tensor<128xf32, #cake.col<wgmma.acc>>
        %norm0 = cake.spread %q0 : !Acc
        %far0 = math.fma %dot0, %minus2, %norm0 : !Acc
        %b0 = cake.best %far0 at(%k * 128) keep(col + %k * 128 lt K) into(%a0)
        %dot1 = cake.await %p1 : !Acc
        %q1 = cake.get %qs : tensor<128xf32, #cake.col<wgmma.acc>>
        %norm1 = cake.spread %q1 : !Acc
        %far1 = math.fma %dot1, %minus2, %norm1 : !Acc
        %b1 = cake.best %far1 at(%k * 128) keep(col + %k * 128 lt K) into(%a1)
        cake.release %t
        cake.yield %b0, %b1
      }
      %v0, %i0 = cake.settle %last#0
      %v1, %i1 = cake.settle %last#1
      cake.store %i0, %label[%b, %n * 256 + instance * 128] clip
      cake.store %i1, %label[%b, %n * 256 + instance * 128 + 64] clip
    }
  }
}
