// Flash-KMeans' assign step, naively: for each point the index of the nearest centroid. One role, no pipeline; each warp owns 16 points.
//
// distance(n, k) = |c_k|^2 - 2 x_n . c_k   (the |x_n|^2 that is left out does not change which k is nearest)
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>

cake.kernel @kmeans_assign_naive(%x: !cake.global<[B]x[N]x[D]xbf16, align 4>, %c: !cake.global<[B]x[K]x[D]xbf16, align 4>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>)
    target("sm_80", "sm_90a", "sm_100a") guard(K ge 1) {
  cake.param @D = 64 in [64, 128]
  cake.tiles @work (b = B, n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%b, %n) in @work {
      %xa = cake.load %x[%b, %n * 64, 0] pad(0.0) : tensor<64x?xbf16, #cake.of<64x[D], mma.a<4x1>>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %minus2 = cake.fill -2.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%b, %k * 64, 0] pad(0.0) : tensor<64x?xbf16, #cake.of<64x[D], mma.b<4x1>>>
        %q = cake.load %c2[%b, %k * 64] pad(0.0) : tensor<64xf32, #cake.col<mma.acc<4x1>>>
        %dot = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %norm = cake.spread %q : !Acc
        %distance = math.fma %dot, %minus2, %norm : !Acc
        %valid = cake.mask %distance keep(col + %k * 64 lt K) fill(inf)
        %best = cake.best %valid at(%k * 64) into(%so_far)
        cake.yield %best
      }
      %value, %index = cake.settle %last
      cake.store %index, %label[%b, %n * 64] clip
    }
  }
}
