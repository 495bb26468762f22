// Products alone: two warpgroups multiply the same tiles of shared memory again and again. It measures what the tensor core does in a cycle, and,
// as the clock falls with the power, how fast cycles are.
!Pending = !cake.pending<64x256xf32, wgmma.acc>
!Acc = tensor<64x256xf32, #cake.wgmma.acc>

cake.kernel @products(%a: !cake.global<128x64xbf16, readonly, align 16>, %b: !cake.global<256x64xbf16, readonly, align 16>,
    %c: !cake.global<[I]x128x256xf32, align 16>) target("sm_90a") sizes(K) {
  cake.pipeline @tiles stages(1) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<256x64xbf16, sw128>)
  cake.tiles @work (i = I) steps(k = K) schedule(persistent)
  cake.role @load warps(1) regs(40) {
    cake.items (%i) in @work {
      %slot, %at, %bt = cake.acquire @tiles
      cake.copy %a[0, 0] -> %at via(tma) pad(0.0)
      cake.copy %b[0, 0] -> %bt via(tma) pad(0.0)
      cake.commit %slot
    }
  }
  cake.role @mma warpgroups(1) replicate(2) regs(232) {
    cake.items (%i) in @work {
      %slot, %at, %bt = cake.wait @tiles
      %zero = cake.zero : !Pending
      %sums = cake.steps (%k) in @work iter(%so_far = %zero) {
        %more = cake.mma %so_far, %at[instance * 64, 0] * %bt form(wgmma.m64n256k16.nt)
        cake.yield %more
      }
      %sum = cake.await %sums : !Acc
      cake.release %slot
      cake.store %sum, %c[%i, instance * 64, 0]
    }
  }
}
