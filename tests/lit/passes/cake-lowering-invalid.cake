// What the first lowering passes refuse, each with the place.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --split-input-file --verify-diagnostics %s

cake.kernel @template(%x: !cake.global<[N]xf32>) target("sm_80") {
  // expected-error @+1 {{is still there; run cake-instantiate first}}
  cake.param @W = 1 in 1..4
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @two_iterators(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.tiles @a (n = N) schedule(grid)
  cake.tiles @b (n = N) schedule(grid)
  cake.role @one warps(1) {
    cake.items (%n) in @a {
    }
  }
  cake.role @two warps(1) {
    // expected-error @+1 {{works on another iterator than other loops of the kernel; one a kernel is supported}}
    cake.items (%n) in @b {
    }
  }
}

// -----

// cp.async writes by the generic proxy and wgmma reads by the async proxy.
!Acc = tensor<64x64xf32, #cake.wgmma.acc>
!Pending = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @proxies(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %xs = cake.acquire @p
      // expected-error @+1 {{needs a proxy fence before a wgmma may read what it writes; that is not supported yet}}
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xs = cake.wait @p
      %none = cake.zero : !Pending
      // expected-note @+1 {{read here}}
      %issued = cake.mma %none, %xs * %xs form(wgmma.m64n64k16.nt)
      %dot = cake.await %issued : !Acc
      cake.release %t
    }
  }
}
