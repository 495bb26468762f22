// Flash-KMeans' assign step for Hopper, for finite numbers: the norms enter by the product, and what is compared is the accumulator itself.
//
// The nearest centroid is the one with the largest x·c - |c|²/2. Two warps load tiles of centroids by TMA and split |c|² of each into three bf16
// terms, whose sum it is in fp32: a k-slice of 16 columns, three of them used, by which a fragment of -1/2 is multiplied first. So nothing is left
// to do for an element but to compare it. An item's labels are written under the next item's first products.
!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
!Points = tensor<128x?xbf16, #cake.of<128x[D], wgmma.a>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<never>, group<4>, wgmma.acc>
!Labels = tensor<64xi32, #cake.row<wgmma.acc>>
!Norms = tensor<128xf32, #cake.row<vec<lane, 16>>>
!Term = tensor<128xbf16, #cake.row<vec<lane, 16>>>
!Slice = tensor<128x16xbf16, #cake.vec<lane, 16>>
!Columns = tensor<128x16xi32, #cake.vec<lane, 16>>
!Bits = tensor<128x16xi1, #cake.vec<lane, 16>>

cake.kernel @kmeans_assign_score(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>) target("sm_90a") guard(K ge 1) {
  cake.param @D = 64 in [64, 128]
  cake.param @S = 4 in 2..4
  cake.pipeline @points stages(1) from(@load) to(@assign) slot(x: !cake.shared<256x[D]xbf16, sw128>)
  cake.pipeline @ring stages(S) from(@load) to(@assign) slot(c: !cake.shared<128x[D]xbf16, sw128>, q: !cake.shared<128x16xbf16, sw32>)
  cake.tiles @work (b = B, n = ceildiv(N, 256)) steps(k = ceildiv(K, 128)) schedule(persistent)
  cake.role @load warps(2) regs(24) {
    %column = cake.iota axis(1) : !Columns
    %one = cake.fill 1 : !Columns
    %two = cake.fill 2 : !Columns
    %is_high = arith.cmpi slt, %column, %one : !Columns
    %is_middle = arith.cmpi eq, %column, %one : !Columns
    %is_low = arith.cmpi eq, %column, %two : !Columns
    %nothing = cake.fill 0.0 : !Slice
    cake.items (%b, %n) in @work {
      %s, %xs = cake.acquire @points
      cake.copy %x[%b, %n * 256, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
      cake.steps (%k) in @work {
        %t, %cs, %qs = cake.acquire @ring
        cake.copy %c[%b, %k * 128, 0] -> %cs via(tma) pad(0.0)
        %norm = cake.load %c2[%b, %k * 128] pad(0.0) : !Norms
        %high = arith.truncf %norm : !Norms to !Term
        %high32 = arith.extf %high : !Term to !Norms
        %rest = arith.subf %norm, %high32 : !Norms
        %middle = arith.truncf %rest : !Norms to !Term
        %middle32 = arith.extf %middle : !Term to !Norms
        %last = arith.subf %rest, %middle32 : !Norms
        %low = arith.truncf %last : !Norms to !Term
        %highs = cake.spread %high : !Slice
        %middles = cake.spread %middle : !Slice
        %lows = cake.spread %low : !Slice
        %third = arith.select %is_low, %lows, %nothing : !Bits, !Slice
        %second = arith.select %is_middle, %middles, %third : !Bits, !Slice
        %slice = arith.select %is_high, %highs, %second : !Bits, !Slice
        cake.put %slice, %qs
        cake.commit %t
      }
    }
  }
  cake.role @assign warpgroups(1) replicate(2) regs(240) {
    %half = cake.fill -0.5 : tensor<64x16xbf16, #cake.wgmma.a>
    %first = cake.index (0) : index
    %end = cake.index (ceildiv(N, 256)) : index
    %nobody = cake.fill -1 : !Labels
    %late:4 = cake.items (%b, %n) in @work iter(%l0 = %nobody, %l1 = %nobody, %lb = %first, %ln = %end) {
      %s, %xs = cake.wait @points
      %xa = cake.get %xs[instance * 128, 0] : !Points
      cake.release %s
      %none = cake.best.init : !Best
      %last:2 = cake.steps (%k) in @work iter(%a0 = %none, %a1 = %none) {
        %t, %cs, %qs = cake.wait @ring
        %zero0 = cake.zero : !Pending
        %zero1 = cake.zero : !Pending
        %h0 = cake.mma %zero0, %half * %qs form(wgmma.m64n128k16.nt)
        %p0 = cake.mma %h0, %xa[0, 0] * %cs form(wgmma.m64n128k16.nt)
        %h1 = cake.mma %zero1, %half * %qs form(wgmma.m64n128k16.nt)
        %p1 = cake.mma %h1, %xa[64, 0] * %cs form(wgmma.m64n128k16.nt)
        %is_first = arith.cmpi eq, %k, %first : index
        scf.if %is_first { // of an item; before the CTA's first one the labels lie behind the end
          cake.store %l0, %label[%lb, %ln * 256 + instance * 128] clip
          cake.store %l1, %label[%lb, %ln * 256 + instance * 128 + 64] clip
        }
        %score0 = cake.await %p0 : !Acc
        %b0 = cake.best %score0 at(%k * 128) keep(col + %k * 128 lt K) into(%a0)
        %score1 = cake.await %p1 : !Acc
        cake.release %t
        %b1 = cake.best %score1 at(%k * 128) keep(col + %k * 128 lt K) into(%a1)
        cake.yield %b0, %b1
      }
      %v0, %i0 = cake.settle %last#0
      %v1, %i1 = cake.settle %last#1
      cake.yield %i0, %i1, %b, %n
    }
    cake.store %late#0, %label[%late#2, %late#3 * 256 + instance * 128] clip
    cake.store %late#1, %label[%late#2, %late#3 * 256 + instance * 128 + 64] clip
  }
}
