// two_roles.cake by clusters of two CTAs, which have different tiles of A and share those of B.
!Pending = !cake.pending<64x64xf32, wgmma.acc>
!Acc = tensor<64x64xf32, #cake.wgmma.acc>

cake.kernel @in_pairs(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<64x[K]xbf16, align 16>,
    %c: !cake.global<[M]x64xf32, align 16>) target("sm_90a") cluster(2) guard(K mod 8 eq 0, K ge 1) {
  cake.param @S = 1 in 1..4
  cake.pipeline @ring stages(S) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128)) steps(k = ceildiv(K, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 128 + rank * 64, %k * 64] -> %at via(tma) pad(0.0)
        cake.copy %b[0, %k * 64] -> %bt via(tma) pad(0.0) multicast(3)
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
      cake.store %sum, %c[%m * 128 + rank * 64, 0] clip
    }
  }
}
