// A product by clusters of R rows of C CTAs: those of a row share a tile of A, those of a column one of B. Threads read the slots. A and B are the
// masks of the first row and the first column; the others' are these, shifted: times a power of two.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!B = tensor<64x64xbf16, #cake.mma.b<4x1>>
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @rectangle(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>,
    %c: !cake.global<[M]x[N]xf32, align 16>)
    target("sm_90a") cluster(C, R) guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.param @R = 2 in [1, 2, 4, 8]
  cake.param @C = 2 in [1, 2, 4, 8]
  cake.param @A = 3 in [1, 3, 15, 255]
  cake.param @B = 5 in [1, 3, 5, 15, 17, 85, 255]
  cake.param @S = 2 in 1..4
  cake.pipeline @ring stages(S) from(@load) to(@mma) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, R * 64), n = ceildiv(N, C * 64)) steps(k = ceildiv(K, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * (R * 64) + rank floordiv C * 64, %k * 64] -> %at via(tma) pad(0.0)
            multicast(A * (1 + (rank floordiv C * C) mod 2) * (1 + 3 * ((rank floordiv C * C) floordiv 2 mod 2)) * (1 + 15 * ((rank floordiv C * C) floordiv 4)))
        cake.copy %b[%n * (C * 64) + rank mod C * 64, %k * 64] -> %bt via(tma) pad(0.0)
            multicast(B * (1 + (rank mod C) mod 2) * (1 + 3 * ((rank mod C) floordiv 2 mod 2)) * (1 + 15 * ((rank mod C) floordiv 4)))
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
      cake.store %sum, %c[%m * (R * 64) + rank floordiv C * 64, %n * (C * 64) + rank mod C * 64] clip
    }
  }
}
