// C = A · Bᵀ for sm_80 and later: two warps fill a ring of tiles by cp.async, eight multiply with mma.sync from fragments that ldmatrix reads, half of
// a tile's depth at a time, and store their sums directly.
!Acc = tensor<128x128xf32, #cake.mma.acc<4x2>>
!Half = tensor<128x128xbf16, #cake.mma.acc<4x2>>
!A = tensor<128x32xbf16, #cake.mma.a<4x2>>
!B = tensor<128x32xbf16, #cake.mma.b<4x2>>

cake.kernel @gemm(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>,
    %c: !cake.global<[M]x[N]xbf16, align 16>)
    target("sm_80", "sm_90a", "sm_100a") guard(K mod 8 eq 0, N mod 8 eq 0) {
  cake.param @S = 3 in 2..4
  cake.param @G = 8 in [1, 4, 8, 16]
  cake.pipeline @ring stages(S) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<128x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, 128)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, G>)
  cake.role @load warps(2) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 128, %k * 64] -> %at via(cp_async) pad(0.0)
        cake.copy %b[%n * 128, %k * 64] -> %bt via(cp_async) pad(0.0)
        cake.commit %slot
      }
    }
  }
  cake.role @mma warps(8) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %slot, %at, %bt = cake.wait @ring
        %more = cake.unroll %h = 0 to 2 iter(%acc = %so_far) {
          %af = cake.get %at[0, %h * 32] : !A
          %bf = cake.get %bt[0, %h * 32] : !B
          %next = cake.mma %acc, %af * %bf form(mma.m16n8k16.nt)
          cake.yield %next
        }
        cake.release %slot
        cake.yield %more
      }
      %half = arith.truncf %sum : !Acc to !Half
      cake.store %half, %c[%m * 128, %n * 128] clip
    }
  }
}
