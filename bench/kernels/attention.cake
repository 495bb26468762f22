// Attention, forward, for Hopper: causal, over packed sequences of any length, with grouped heads. A loader warp feeds rings of keys and
// values; two warpgroups take turns at the matrix unit, and do their softmax while the other multiplies. The blocks of keys run from the
// diagonal backwards, so that the first is the one to be masked, which also leaves out what lies behind the sequence's end. CTAs take item
// after item, B heads of all sequences at a time, whose keys and values stay in the L2 cache, the longest first; the loader is ahead of them:
// queries, keys and values of the next item are fetched under the end of this one. `c` is scale · log2(e); `lse` is the logarithm of the
// sums, to base 2.
!Scores = !cake.pending<64x128xf32, wgmma.acc>
!F = tensor<64x128xf32, #cake.wgmma.acc>
!H = tensor<64x128xbf16, #cake.wgmma.acc>
!P = tensor<64x128xbf16, #cake.wgmma.a>
!Row = tensor<64xf32, #cake.row<wgmma.acc>>
!Part = tensor<64xf32, #cake.part<add, wgmma.acc>>

// The running maximum and sums of the rows with one more block of scores; what the products so far are to be scaled by.
func.func private @softmax(%s: !F, %max: !Row, %sum: !Part, %c: f32) -> (!P, !Row, !Row, !Part) {
  %max1 = cake.reduce max %s axis(1) nan(last) into(%max) : !Row
  %cr = cake.spread %c : !Row
  %shift = arith.mulf %max1, %cr : !Row
  %fall = arith.subf %max, %max1 : !Row
  %fall_c = arith.mulf %fall, %cr : !Row
  %scale = math.exp2 %fall_c fastmath<afn> : !Row
  %minus = arith.negf %shift : !Row
  %minus_f = cake.spread %minus : !F
  %cf = cake.spread %c : !F
  %e = math.fma %s, %cf, %minus_f : !F
  %p = math.exp2 %e fastmath<afn> : !F
  %scale_p = cake.spread %scale : !Part
  %sum_scaled = arith.mulf %sum, %scale_p : !Part
  %sum1 = cake.reduce add %p axis(1) into(%sum_scaled) : !Part
  %h = arith.truncf %p : !F to !H
  %pa = cake.convert %h : !H to !P
  func.return %pa, %max1, %scale, %sum1 : !P, !Row, !Row, !Part
}

cake.kernel @attention(%q: !cake.global<[T]x[H]x128xbf16, align 16>, %k: !cake.global<[T]x[G]x128xbf16, align 16>,
    %v: !cake.global<[T]x[G]x128xbf16, align 16>, %cu: !cake.global<[S1]xi32, readonly>, %o: !cake.global<[T]x[H]x128xbf16, align 16>,
    %lse: !cake.global<[H]x[T]xf32>, %c: f32) target("sm_90a") guard(H mod G eq 0, S1 ge 2) sizes(LMAX) {
  cake.param @Q = 2 in 1..2
  cake.param @S = 2 in 2..3
  cake.param @B = 2 in 1..64
  cake.pipeline @queries stages(Q) from(@load) to(@attend) slot(q: !cake.shared<128x128xbf16, sw128>)
  cake.pipeline @keys stages(S) from(@load) to(@attend) slot(k: !cake.shared<128x128xbf16, sw128>)
  cake.pipeline @values stages(S) from(@load) to(@attend) slot(v: !cake.shared<128x128xbf16, sw128>)
  cake.order @turns over(@attend)
  cake.tiles @work (h = H, s = S1 - 1, m = ceildiv(len, 128)) let(lo = %cu[s], end = %cu[s + 1], len = end - lo)
      bound(len le LMAX, lo + len le T) steps(n = m + 1) schedule(persistent, group<h, B>, longest_first)
  cake.role @load warps(1) regs(40) {
    cake.items (%h, %s, %m) in @work {
      %a, %qs = cake.acquire @queries
      cake.copy %q[lo + %m * 128, %h, 0] dims(0, 2) -> %qs via(tma) pad(0.0)
      cake.commit %a
      cake.steps (%n) in @work {
        %b, %ks = cake.acquire @keys
        cake.copy %k[lo + (%m - %n) * 128, %h floordiv (H floordiv G), 0] dims(0, 2) -> %ks via(tma) pad(0.0)
        cake.commit %b
        %d, %vs = cake.acquire @values
        cake.copy %v[lo + (%m - %n) * 128, %h floordiv (H floordiv G), 0] dims(0, 2) -> %vs via(tma) pad(0.0)
        cake.commit %d
      }
    }
  }
  cake.role @attend warpgroups(1) replicate(2) regs(232) {
    cake.items (%h, %s, %m) in @work {
      %first = cake.index (%m * 128 + instance * 64) : index
      %max0 = cake.fill -1.0e30 : !Row
      %sum0 = cake.fill 0.0 : !Part
      %none = cake.fill 0.0 : !F
      %a, %qs = cake.wait @queries
      %b, %ks = cake.wait @keys
      %zero = cake.zero : !Scores
      %sp = cake.mma %zero, %qs[instance * 64, 0] * %ks form(wgmma.m64n128k16.nt)
      %s0 = cake.await %sp : !F
      cake.release %b
      %masked = cake.mask %s0 keep(row + %first ge col + %m * 128) fill(-inf)
      %p0, %max1, %scale0, %sum1 = cake.call @softmax(%masked, %max0, %sum0, %c) : (!F, !Row, !Part, f32) -> (!P, !Row, !Row, !Part)
      %p_last, %o_last, %max_last, %sum_last = cake.steps (%n) in @work from(1) iter(%p = %p0, %o_sum = %none, %max = %max1, %sum = %sum1) {
        %d, %kn = cake.wait @keys
        %e, %vn = cake.wait @values
        %zn = cake.zero : !Scores
        %turn = cake.take @turns
        %sn = cake.mma %zn, %qs[instance * 64, 0] * %kn form(wgmma.m64n128k16.nt)
        %on = cake.mma %o_sum, %p * %vn form(wgmma.m64n128k16.nn)
        cake.pass %turn
        %s1 = cake.await %sn : !F
        cake.release %d
        %p1, %max2, %scale, %sum2 = cake.call @softmax(%s1, %max, %sum, %c) : (!F, !Row, !Part, f32) -> (!P, !Row, !Row, !Part)
        %o1 = cake.await %on : !F
        cake.release %e
        %scale_f = cake.spread %scale : !F
        %o2 = arith.mulf %o1, %scale_f : !F
        cake.yield %p1, %o2, %max2, %sum2
      }
      cake.release %a
      %f, %vl = cake.wait @values
      %op = cake.mma %o_last, %p_last * %vl form(wgmma.m64n128k16.nn)
      %of = cake.await %op : !F
      cake.release %f
      %total = cake.merge %sum_last : !Row
      %one = cake.fill 1.0 : !Row
      %inverse = arith.divf %one, %total : !Row
      %inverse_f = cake.spread %inverse : !F
      %os = arith.mulf %of, %inverse_f : !F
      %oh = arith.truncf %os : !F to !H
      cake.store %oh, %o[lo + %first, %h, 0] dims(0, 2) keep(row + %first lt len)
      %log = math.log2 %total fastmath<afn> : !Row
      %cr = cake.spread %c : !Row
      %lz = math.fma %max_last, %cr, %log : !Row
      cake.store %lz, %lse[%h, lo + %first] keep(row + %first lt len)
    }
  }
}
