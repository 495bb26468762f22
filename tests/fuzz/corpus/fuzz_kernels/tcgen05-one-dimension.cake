// D=64,S=2;B=1,N=5,K=3;
!Scores = tensor<128x128xf32, #cake.tmem.ld>

cake.kernel @kmeans_assign_sm100(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32, align 16>, %label: !cake.global<[B]x[N]xi32>) target("sm_100a", "sm_103a") guard(K ge 1) {
  cake.param @D = 64 in [64, 128]
  cake.param @S = 4 in 2..4
  cake.pipeline @points stages(1) from(@load) to(@mma) slot(x: !cake.shared<[D]xbf16, sw128>)
  cake.pipeline @centroids stages(S) from(@load) to(@mma) slot(c: !cake.shared<128x[D]xbf16, sw128>)
  cake.pipeline @norms stages(S) from(@load) to(@assign) slot(q: !cake.shared<128xf32, rows>)
  cake.pipeline @scores stages(4) from(@mma) to(@assign) slot(d: !cake.tmem<128x128xf32, acc>)
  cake.tiles @work (b = B, n = ceildiv(N, 128)) steps(k = ceildiv(K, 128)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%b, %n) in @work {
      %p, %xs = cake.acquire @points
      cake.copy %x[%b, %n * 128, 0] -> %xs via(tma) pad(0.0)
      cake.commit %p
      cake.steps (%k) in @work {
        %s, %cs = cake.acquire @centroids
      cake.release %s
        cake.copy %c[%b, %k * 128, 0] -> %cs via(tma) pad(0.0)
      cake.release %s
        cake.commit %s
        %t, %qs = cake.acquire @norms
        cake.copy %c2[%b, %k * 128] -> %qs via(cp_async) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @mma warps(1) {
    cake.items (%b, %n) in @work {
      %p, %xs = cake.wait @points
      cake.steps (%k) in @work {
        %t, %d = cake.acquire @scores
        %z = cake.zero %d : !cake.pending<128x128xf32, tcgen05.acc>
        %s, %cs = cake.wait @centroids
        %q = cake.mma %z, %xs * %cs form(tcgen05.m128n128k16.nt)
        cake.release %s after(%q)
        cake.commit %t after(%q)
      }
      cake.release %p
    }
  }
  cake.role @assign warpgroups(1) {
    %minus2 = cake.fill -2.0 : !Scores
    cake.items (%b, %n) in @work {
      %none = cake.best.init : !cake.best<128x1xf32, min, tie<low>, nan<last>, group<4>, tmem.ld>
      %best = cake.steps (%k) in @work iter(%old = %none) {
        %t, %d = cake.wait @scores
        %dots = cake.get %d : !Scores
        cake.release %t
        %u, %qs = cake.wait @norms
        %norms = cake.get %qs : tensor<128xf32, #cake.col<tmem.ld>>
        %score = math.fma %dots, %minus2, %spread : !Scores
        %spread = cake.spread %norms : !Scores
        cake.release %u
        %new = cake.best %score at(%k * 128) keep(%k * 128 + col lt K) into(%old)
        cake.yield %new
      }
      %value, %index = cake.settle %best
      cake.store %index, %label[%b, %n * 64] clip
    }
  }
}
