!Acc = tensor<128x64xf32, #cake.mma.acc<8x1>>
!Best = !cake.best<128x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<8x1>>

cake.kernel @kmeans_assign(%x: !cake.global<[B]x[N]x[D]xbf16, align 16>, %c: !cake.global<[B]x[K]x[D]xbf16, align 16>,
    %c2: !cake.global<[B]x[K]xf32>, %label: !cake.global<[B]x[N]xi32>)
    target("sm_80", "sm_90a", "sm_100a") guard(K ge 1) {
  cake.param @D = 64 in [64, 128]
  cake.param @S = 3 in 2..4
  cake.pipeline @points stages(1) from(@load) to(@assign) slot(x: !cake.shared<128x[D]xbf16, sw128>)
  cake.pipeline @ring stages(S) from(@load) to(@assign) slot(c: !cake.shared<64x[D]xbf16, sw128>, q: !cake.shared<64xf32, rows>)
  cake.tiles @work (b = B, n = ceildiv(N, 128)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%b, %n) in @work {
      %s, %xs = cake.acquire @points
      cake.copy %x[%b, %n * 128, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
      cake.steps (%k) in @work {
        %t, %cs, %qs = cake.acquire @ring
        cake.copy %c[%b, %k * 64, 0] -> %cs via(cp_async) pad(0.0)
        cake.copy %c2[%b, %k * 64] -> %qs via(cp_async) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @assign warps(8) {
    cake.items (%b, %n) in @work {
      %s, %xs = cake.wait @points
      %xa = cake.get %xs : tensor<128x?xbf16, #cake.of<128x[D], mma.a<8x1>>>
      cake.release %s
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %minus2 = cake.fill -2.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %t, %cs, %qs = cake.wait @ring
        %cb = cake.get %cs : tensor<64x?xbf16, #cake.of<64x[D], mma.b<8x1>>>
        %q = cake.get %qs : tensor<64xf32, #cake.col<mma.acc<8x1>>>
        %dot = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        cake.release %t
        %norm = cake.spread %q : !Acc
        %distance = math.fma %dot, %minus2, %norm : !Acc
        %best = cake.best %distance at(%k * 64) keep(col + %k * 64 lt K) into(%so_far)
        cake.yield %best
      }
      %value, %index = cake.settle %last
      cake.store %index, %label[%b, %n * 128] clip
    }
  }
}
