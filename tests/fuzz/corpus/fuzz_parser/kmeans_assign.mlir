!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, wgmma.acc>

cake.kernel @kmeans_assign(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>)
    target("sm_90a") guard(K ge 1) {
  cake.param @D = 64 in [64, 128]
  cake.param @S = 4 in 2..4
  cake.pipeline @points stages(1) from(@load) to(@assign) slot(x: !cake.shared<128x[D]xbf16, sw128>)
  cake.pipeline @ring stages(S) from(@load) to(@assign) slot(c: !cake.shared<128x[D]xbf16, sw128>, q: !cake.shared<128xf32, rows>)
  cake.tiles @work (b = B, n = ceildiv(N, 128)) steps(k = ceildiv(K, 128)) schedule(persistent)
  cake.role @load warps(1) regs(40) {
    cake.items (%b, %n) in @work {
      %s, %xs = cake.acquire @points
      cake.copy %x[%b, %n * 128, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
      cake.steps (%k) in @work {
        %t, %cs, %qs = cake.acquire @ring
        cake.copy %c[%b, %k * 128, 0] -> %cs via(tma) pad(0.0)
        cake.copy %c2[%b, %k * 128] -> %qs via(cp_async) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @assign warpgroups(1) replicate(2) regs(232) {
    cake.items (%b, %n) in @work {
      %s, %xs = cake.wait @points
      %none = cake.best.init : !Best
      %minus2 = cake.fill -2.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %t, %cs, %qs = cake.wait @ring
        %nothing = cake.zero : !Pending
        %issued = cake.mma %nothing, %xs[instance * 64, 0] * %cs form(wgmma.m64n128k16.nt)
        %dot = cake.await %issued : !Acc
        %q = cake.get %qs : tensor<128xf32, #cake.col<wgmma.acc>>
        cake.release %t
        %norm = cake.spread %q : !Acc
        %distance = math.fma %dot, %minus2, %norm : !Acc
        %best = cake.best %distance at(%k * 128) keep(col + %k * 128 lt K) into(%so_far)
        cake.yield %best
      }
      cake.release %s
      %value, %index = cake.settle %last
      cake.store %index, %label[%b, %n * 128 + instance * 64] clip
    }
  }
}
