// C = A · Bᵀ for Blackwell (data centre): a loader warp feeds a ring of tiles by TMA; one warp issues tcgen05 into one of two accumulators in tensor
// memory, while a warpgroup stores the other by way of shared memory.
!P = !cake.pending<128x256xf32, tcgen05.acc>
!V = tensor<128x64xf32, #cake.tmem.ld>
!W = tensor<128x64xbf16, #cake.tmem.ld>
cake.kernel @gemm_sm100(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>, %c: !cake.global<[M]x[N]xbf16, align 16>)
    target("sm_100a", "sm_103a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.param @S = 4 in 2..4
  cake.pipeline @ab stages(S) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<256x64xbf16, sw128>)
  cake.pipeline @acc stages(2) from(@mma) to(@epi) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.pipeline @out stages(2) from(@epi) to(store) slot(c: !cake.shared<128x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, 256)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, 8>)
  cake.role @load warps(1) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %s, %as, %bs = cake.acquire @ab
        cake.copy %a[%m * 128, %k * 64] -> %as via(tma) pad(0.0)
        cake.copy %b[%n * 256, %k * 64] -> %bs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @mma warps(1) {
    cake.items (%m, %n) in @work {
      %t, %d = cake.acquire @acc
      %z = cake.zero %d : !P
      %p = cake.steps (%k) in @work iter(%q = %z) {
        %s, %as, %bs = cake.wait @ab
        %q1 = cake.mma %q, %as * %bs form(tcgen05.m128n256k16.nt)
        cake.release %s after(%q1)
        cake.yield %q1
      }
      cake.commit %t after(%p)
    }
  }
  cake.role @epi warpgroups(1) {
    cake.items (%m, %n) in @work {
      %t, %d = cake.wait @acc
      cake.unroll %j = 0 to 4 {
        %v = cake.get %d[0, %j * 64] : !V
        %w = arith.truncf %v : !V to !W
        %o, %cs = cake.acquire @out
        cake.put %w, %cs
        cake.commit %o to(%c[%m * 128, %n * 256 + %j * 64])
      }
      cake.release %t
    }
  }
}
