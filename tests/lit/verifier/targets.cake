// Rule targets: every target of the kernel has what it names (FORM_TARGET).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// A tensor copy on a target without one.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_80", "sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{in role '@load' needs tma and bulk copies, which target sm_80 lacks; targets that have it: sm_90, sm_90a, sm_100}}
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// The legal neighbour: cp_async.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_80", "sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// The repaired program: without that target.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// wgmma is on sm_90a alone.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a", "sm_100a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      %d = cake.await %z : tensor<64x64xf32, #cake.wgmma.acc>
    }
  }
}
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k2(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a", "sm_100a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{in role '@use' needs wgmma, which target sm_100a lacks; targets that have it: sm_90a}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

// Register budgets.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  // expected-error@+1 {{needs register budgets (setmaxnreg), which target sm_80 lacks}}
  cake.role @all warps(4) regs(40) {
    cake.items (%n) in @work {
      %c = arith.constant true
    }
  }
}

// -----

// A target that nobody knows.
// expected-error@+1 {{names target 'sm_42', which is not known; targets: sm_80}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_42") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %c = arith.constant true
    }
  }
}

// -----

// The store engine came with sm_90.
cake.kernel @k(%y: !cake.global<[M]x64xf32, align 16>) target("sm_80", "sm_90a") {
  // expected-error@+1 {{needs tma and bulk copies, which target sm_80 lacks}}
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 64)) schedule(persistent)
  cake.role @use warps(4) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 64, 0])
    }
  }
}
