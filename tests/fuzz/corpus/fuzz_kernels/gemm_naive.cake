// ;M=64,N=64,K=64;
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Half = tensor<64x64xbf16, #cake.mma.acc<4x1>>
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!B = tensor<64x64xbf16, #cake.mma.b<4x1>>

cake.kernel @gemm_naive(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>,
    %c: !cake.global<[M]x[N]xbf16, align 16>)
    target("sm_80", "sm_90a", "sm_100a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : !A
        %bs = cake.load %b[%n * 64, %k * 64] pad(0.0) : !B
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      %half = arith.truncf %sum : !Acc to !Half
      cake.store %half, %c[%m * 64, %n * 64] clip
    }
  }
}
