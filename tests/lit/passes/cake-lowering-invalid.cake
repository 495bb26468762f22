// What the first lowering passes refuse, each with the place. The verifier refuses some of it earlier, so it is left out.
// RUN: cake-opt --no-verify --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --split-input-file --verify-diagnostics %s

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

// -----

// expected-error @+1 {{becomes a gpu.func of a name that is taken}}
cake.kernel @same(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.role @all warps(1) {
  }
}
gpu.module @kernels {
  gpu.func @same() attributes {target = ["sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    gpu.return
  }
}

// -----

// expected-error @+1 {{has the name 'kernels', which is that of the gpu.module of all kernels}}
func.func private @kernels()
cake.kernel @clash(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @replicated(%q: !cake.global<[K]xf32>) target("sm_80") {
  // expected-error @+1 {{is filled by a replicated role, 'load'}}
  cake.pipeline @p stages(2) from(@load) to(@use) slot(q: !cake.shared<64xf32, rows>)
  cake.role @load warps(1) replicate(2) {
    %t, %qs = cake.acquire @p
    cake.copy %q[0] -> %qs via(cp_async) pad(0.0)
    cake.commit %t
  }
  cake.role @use warps(4) {
    %t, %qs = cake.wait @p
    cake.release %t
  }
}

// -----

cake.kernel @condition(%q: !cake.global<[K]xf32>, %b: i1) target("sm_80") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(q: !cake.shared<64xf32, rows>)
  cake.role @load warps(1) {
    %t, %qs = cake.acquire @p
    cake.copy %q[0] -> %qs via(cp_async) pad(0.0)
    cake.commit %t
  }
  cake.role @use warps(4) {
    // expected-error @+1 {{acquires or waits for slots of a pipeline in a region; only scf.for may}}
    scf.if %b {
      %t, %qs = cake.wait @p
      cake.release %t
    }
  }
}

// -----

cake.kernel @nested(%x: !cake.global<[N]x64xbf16, align 16>, %b: i1) target("sm_90a") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    %t, %xs = cake.acquire @p
    scf.if %b {
      // expected-error @+1 {{stands in another region than the cake.acquire of its slot, so that the slot's bytes are not known}}
      cake.copy %x[0, 0] -> %xs via(tma) pad(0.0)
    }
    cake.commit %t
  }
  cake.role @use warps(4) {
    %t, %xs = cake.wait @p
    cake.release %t
  }
}
