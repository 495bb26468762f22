// Flash-KMeans' assign step for few centroids: one tile of them holds all, so that there is no loop, and every load is under way at once.
!Acc = tensor<32x?xf32, #cake.of<32x[T], mma.acc<2x1>>>
!Best = !cake.best<32x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<2x1>>

cake.kernel @kmeans_assign_small(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>)
    target("sm_80", "sm_90a", "sm_100a") guard(K ge 1, K le T) {
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
