// Flash-KMeans' assign step for Hopper, for finite numbers: a family of two kernels, of which a launch takes the first whose guard holds.
//
// For few centroids: one tile of them holds all, so that there is no loop, and every load is under way at once.
!Acc = tensor<32x?xf32, #cake.of<32x[T], mma.acc<2x1>>>
!Best = !cake.best<32x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<2x1>>

cake.kernel @kmeans_assign_small(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>)
    target("sm_80", "sm_90a", "sm_100a") guard(K ge 1, K le T) family(@kmeans_assign) {
  cake.param @D = 64 in [64, 128]
  cake.param @T = 16 in [16, 32, 64]
  cake.tiles @work (b = B, n = ceildiv(N, 32)) schedule(grid)
  cake.role @all warps(2) {
    cake.items (%b, %n) in @work {
      %xa = cake.load %x[%b, %n * 32, 0] pad(0.0) : tensor<32x?xbf16, #cake.of<32x[D], mma.a<2x1>>>
      %cb = cake.load %c[%b, 0, 0] pad(0.0) : tensor<?x?xbf16, #cake.of<[T]x[D], mma.b<2x1>>>
      %q = cake.load %c2[%b, 0] pad(0.0) : tensor<?xf32, #cake.of<[T], col<mma.acc<2x1>>>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %minus2 = cake.fill -2.0 : !Acc
      %dot = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
      %norm = cake.spread %q : !Acc
      %distance = math.fma %dot, %minus2, %norm : !Acc
      %best = cake.best %distance at(0) keep(col lt K) into(%none)
      %value, %index = cake.settle %best
      cake.store %index, %label[%b, %n * 32] clip
    }
  }
}

// For many: the norms enter by the product, and what is compared is the accumulator itself.
//
// The nearest centroid is the one with the largest x·c - |c|²/2. Two warps load tiles of centroids by TMA and split |c|² of each into bf16
// terms, whose sum it is in fp32: a k-slice of 16 columns (all behind the third are 0), by which a fragment of -1/2 is multiplied first. So
// nothing is left to do for an element but to compare it.
!Wide = tensor<128x16xf32, #cake.vec<lane, 16>>

cake.kernel @kmeans_assign_score(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>) target("sm_90a") guard(K ge 1) family(@kmeans_assign) {
  cake.param @D = 64 in [64, 128]
  cake.param @S = 4 in 2..4
  cake.pipeline @points stages(1) from(@load) to(@assign) slot(x: !cake.shared<256x[D]xbf16, sw128>)
  cake.pipeline @ring stages(S) from(@load) to(@assign) slot(c: !cake.shared<128x[D]xbf16, sw128>, q: !cake.shared<128x16xbf16, sw32>)
  cake.tiles @work (b = B, n = ceildiv(N, 256)) steps(k = ceildiv(K, 128)) schedule(persistent)
  cake.role @load warps(2) regs(24) {
    cake.items (%b, %n) in @work {
      %s, %xs = cake.acquire @points
      cake.copy %x[%b, %n * 256, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
      cake.steps (%k) in @work {
        %t, %cs, %qs = cake.acquire @ring
        cake.copy %c[%b, %k * 128, 0] -> %cs via(tma) pad(0.0)
        %norm = cake.load %c2[%b, %k * 128] pad(0.0) : tensor<128xf32, #cake.row<vec<lane, 16>>>
        %all = cake.spread %norm : !Wide
        %terms = cake.unroll %j = 1 to 4 iter(%left = %all) { // column j holds what the terms of those before it leave
          %term = arith.truncf %left : !Wide to tensor<128x16xbf16, #cake.vec<lane, 16>>
          %exact = arith.extf %term : tensor<128x16xbf16, #cake.vec<lane, 16>> to !Wide
          %taken = cake.mask %exact keep(col ge %j) fill(0.0)
          %rest = arith.subf %left, %taken : !Wide
          cake.yield %rest
        }
        %slice = arith.truncf %terms : !Wide to tensor<128x16xbf16, #cake.vec<lane, 16>>
        cake.put %slice, %qs
        cake.commit %t
      }
    }
  }
  cake.role @assign warpgroups(1) replicate(2) regs(240) {
    %half = cake.fill -0.5 : tensor<64x16xbf16, #cake.wgmma.a>
    cake.items (%b, %n) in @work {
      %s, %xs = cake.wait @points
      %xa = cake.get %xs[instance * 128, 0] : tensor<128x?xbf16, #cake.of<128x[D], wgmma.a>>
      cake.release %s
      %none = cake.best.init : !cake.best<64x1xf32, max, tie<low>, nan<never>, group<4>, wgmma.acc>
      %last:2 = cake.steps (%k) in @work iter(%a0 = %none, %a1 = %none) {
        %t, %cs, %qs = cake.wait @ring
        %zero0 = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
        %zero1 = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
        %h0 = cake.mma %zero0, %half * %qs form(wgmma.m64n128k16.nt)
        %p0 = cake.mma %h0, %xa[0, 0] * %cs form(wgmma.m64n128k16.nt)
        %h1 = cake.mma %zero1, %half * %qs form(wgmma.m64n128k16.nt)
        %p1 = cake.mma %h1, %xa[64, 0] * %cs form(wgmma.m64n128k16.nt)
        %score0 = cake.await %p0 : tensor<64x128xf32, #cake.wgmma.acc>
        %b0 = cake.best %score0 at(%k * 128) keep(col + %k * 128 lt K) into(%a0)
        %score1 = cake.await %p1 : tensor<64x128xf32, #cake.wgmma.acc>
        cake.release %t
        %b1 = cake.best %score1 at(%k * 128) keep(col + %k * 128 lt K) into(%a1)
        cake.yield %b0, %b1
      }
      %v0, %i0 = cake.settle %last#0
      %v1, %i1 = cake.settle %last#1
      cake.store %i0, %label[%b, %n * 256 + instance * 128] clip
      cake.store %i1, %label[%b, %n * 256 + instance * 128 + 64] clip
    }
  }
}
