// C += A · Bᵀ for Hopper, for few tiles and a long K: each tile is cut along K into P items, and the store engine adds what they have
// summed to C. The launch gives C its first values: zeros, or what the product is added to.
!Pending = !cake.pending<64x[T]xf32, wgmma.acc>
!Acc = tensor<64x?xf32, #cake.of<64x[T], wgmma.acc>>

cake.kernel @gemm_splitk(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>,
    %c: !cake.global<[M]x[N]xf32, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, N mod 4 eq 0, K ge 1) {
  cake.param @T = 256 in [64, 128, 192, 256]
  cake.param @P = 16 in [2, 4, 8, 16, 32]
  cake.param @S = 4 in 2..7
  cake.require S * (128 + T) * 128 + 32768 le 231000
  cake.pipeline @ring stages(S) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<[T]x64xbf16, sw128>)
  cake.pipeline @out stages(1) from(@mma each) to(store) slot(c: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (part = P, m = ceildiv(M, 128), n = ceildiv(N, T)) steps(k = ceildiv(ceildiv(K, 64), P)) schedule(persistent)
  cake.role @load warps(1) regs(40) {
    cake.items (%part, %m, %n) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 128, (%part * ceildiv(ceildiv(K, 64), P) + %k) * 64] -> %at via(tma) pad(0.0)
        cake.copy %b[%n * T, (%part * ceildiv(ceildiv(K, 64), P) + %k) * 64] -> %bt via(tma) pad(0.0)
        cake.commit %slot
      }
    }
  }
  cake.role @mma warpgroups(1) replicate(2) regs(232) {
    cake.items (%part, %m, %n) in @work {
      %nothing = cake.zero : !Pending
      %issued = cake.steps (%k) in @work iter(%so_far = %nothing) {
        %slot, %at, %bt = cake.wait @ring
        %more = cake.mma %so_far, %at[instance * 64, 0] * %bt form(wgmma.m64n[T]k16.nt)
        cake.release %slot after(%more)
        cake.yield %more
      }
      %sum = cake.await %issued : !Acc
      cake.unroll %j = 0 to T floordiv 64 {
        %slot, %ct = cake.acquire @out
        cake.put %sum[0, %j * 64], %ct
        cake.commit %slot to(%c[%m * 128 + instance * 64, %n * T + %j * 64]) reduce add
      }
    }
  }
}
