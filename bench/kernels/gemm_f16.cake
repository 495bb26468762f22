// C = A · Bᵀ of f16 for Hopper, accumulated in f32: gemm.cake with the other 16-bit type. A loader warp feeds a ring of tiles by TMA; two warpgroups
// multiply with wgmma and hand their tiles to the store engine. CTAs stay and take items in bands, so that they share tiles in L2.
!Pending = !cake.pending<64x[T]xf32, wgmma.acc>
!Acc = tensor<64x?xf32, #cake.of<64x[T], wgmma.acc>>
!Half = tensor<64x?xf16, #cake.of<64x[T], wgmma.acc>>

cake.kernel @gemm_f16(%a: !cake.global<[M]x[K]xf16, align 16>, %b: !cake.global<[N]x[K]xf16, align 16>,
    %c: !cake.global<[M]x[N]xf16, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.param @T = 256 in [64, 128, 192, 256]
  cake.param @W = 128 in [64, 128]
  cake.param @S = 4 in 2..7
  cake.param @G = 16 in [1, 4, 8, 16]
  cake.require T mod W eq 0, S * (128 + T) * 128 + 256 * W le 231000
  cake.pipeline @ring stages(S) from(@load) to(@mma) slot(a: !cake.shared<128x64xf16, sw128>, b: !cake.shared<[T]x64xf16, sw128>)
  cake.pipeline @out stages(1) from(@mma each) to(store) slot(c: !cake.shared<64x[W]xf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, T)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, G>)
  cake.role @load warps(1) regs(40) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 128, %k * 64] -> %at via(tma) pad(0.0)
        cake.copy %b[%n * T, %k * 64] -> %bt via(tma) pad(0.0)
        cake.commit %slot
      }
    }
  }
  cake.role @mma warpgroups(1) replicate(2) regs(232) {
    cake.items (%m, %n) in @work {
      %nothing = cake.zero : !Pending
      %issued = cake.steps (%k) in @work iter(%so_far = %nothing) {
        %slot, %at, %bt = cake.wait @ring
        %more = cake.mma %so_far, %at[instance * 64, 0] * %bt form(wgmma.m64n[T]k16.nt)
        cake.release %slot after(%more)
        cake.yield %more
      }
      %sum = cake.await %issued : !Acc
      %half = arith.truncf %sum : !Acc to !Half
      cake.unroll %j = 0 to T floordiv W {
        %slot, %ct = cake.acquire @out
        cake.put %half[0, %j * W], %ct
        cake.commit %slot to(%c[%m * 128 + instance * 64, %n * T + %j * W])
      }
    }
  }
}
