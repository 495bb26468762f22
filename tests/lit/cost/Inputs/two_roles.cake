// A producer and a consumer: 64 x 64 tiles of A and B, 16 KB a step, and a product of 64 x 64 x 64.
!Pending = !cake.pending<64x64xf32, wgmma.acc>
!Acc = tensor<64x64xf32, #cake.wgmma.acc>

cake.kernel @two_roles(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<64x[K]xbf16, align 16>,
    %c: !cake.global<[M]x64xf32, align 16>) target("sm_90a") guard(K mod 8 eq 0, K ge 1) {
  cake.param @S = 1 in 1..4
  cake.pipeline @ring stages(S) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 64)) steps(k = ceildiv(K, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 64, %k * 64] -> %at via(tma) pad(0.0)
        cake.copy %b[0, %k * 64] -> %bt via(tma) pad(0.0)
        cake.commit %slot
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %zero = cake.zero : !Pending
      %sums = cake.steps (%k) in @work iter(%so_far = %zero) {
        %slot, %at, %bt = cake.wait @ring
        %more = cake.mma %so_far, %at * %bt form(wgmma.m64n64k16.nt)
        cake.release %slot after(%more)
        cake.yield %more
      }
      %sum = cake.await %sums : !Acc
      cake.store %sum, %c[%m * 64, 0] clip
    }
  }
}
