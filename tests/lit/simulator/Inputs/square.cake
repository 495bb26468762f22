// A product by clusters of four CTAs, two rows of two: those of a row share a tile of A, those of a column one of B. Threads read the slots.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!B = tensor<64x64xbf16, #cake.mma.b<4x1>>
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @square(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>,
    %c: !cake.global<[M]x[N]xf32, align 16>)
    target("sm_90a") cluster(2, 2) guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.param @S = 2 in 1..4
  cake.pipeline @ring stages(S) from(@load) to(@mma) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, 128)) steps(k = ceildiv(K, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 128 + rank floordiv 2 * 64, %k * 64] -> %at via(tma) pad(0.0) multicast(3 + 9 * (rank floordiv 2))
        cake.copy %b[%n * 128 + rank mod 2 * 64, %k * 64] -> %bt via(tma) pad(0.0) multicast(5 + 5 * (rank mod 2))
        cake.commit %slot
      }
    }
  }
  cake.role @mma warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !D
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %slot, %at, %bt = cake.wait @ring
        %x = cake.get %at : !A
        %y = cake.get %bt : !B
        cake.release %slot
        %more = cake.mma %so_far, %x * %y form(mma.m16n8k16.nt)
        cake.yield %more
      }
      cake.store %sum, %c[%m * 128 + rank floordiv 2 * 64, %n * 128 + rank mod 2 * 64] clip
    }
  }
}
