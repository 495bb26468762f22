// Copies by TMA alone: a loader fills a ring, and a consumer gives the slots back at once. All CTAs go over the same R rows, again and again, so
// that they come from L2. With many slots and a CTA on each multiprocessor it measures bytes a cycle; with one slot and one CTA (I = 1) how long a
// copy takes from its issue to the next one. Rows of P = 64 elements begin at cache lines, others need not.
cake.kernel @copies(%a: !cake.global<[R]x[P]xbf16, readonly, align 16>, %out: !cake.global<[I]x32xf32, align 16>)
    target("sm_90a") guard(R ge 128, P ge 64, P mod 8 eq 0) sizes(K) {
  cake.param @S = 8 in 1..8
  cake.pipeline @ring stages(S) from(@load) to(@use) slot(a: !cake.shared<128x64xbf16, sw128>)
  cake.tiles @work (i = I) steps(k = K) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%i) in @work {
      cake.steps (%k) in @work {
        %slot, %at = cake.acquire @ring
        cake.copy %a[((%i * 7 + %k) mod (R floordiv 128)) * 128, 0] -> %at via(tma) pad(0.0)
        cake.commit %slot
      }
    }
  }
  cake.role @use warps(1) {
    %zero = cake.fill 0.0 : tensor<1x32xf32, #cake.vec<role, 1>>
    cake.items (%i) in @work {
      cake.steps (%k) in @work {
        %slot, %at = cake.wait @ring
        cake.release %slot
      }
      cake.store %zero, %out[%i, 0]
    }
  }
}
