// Rule slot-loans: a slot is not given back while a wgmma that reads it may still run (PIPE_LOAN).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Given back before the accumulator was awaited.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      %z = cake.zero : !P
      // expected-note@+1 {{the multiplication that reads it is here}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      // expected-error@+1 {{gives up a slot of pipeline '@ring' in role '@use' that a matrix multiplication may still read}}
      cake.release %t
      %d = cake.await %p : !D
    }
  }
}

// -----

// The repaired program.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      %z = cake.zero : !P
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : !D
      cake.release %t
    }
  }
}

// -----

// Legal: groups complete in order, so the await of the second returns the loan of the first.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      %z0 = cake.zero : !P
      %z1 = cake.zero : !P
      %p0 = cake.mma %z0, %xt * %xt form(wgmma.m64n64k16.nt)
      %p1 = cake.mma %z1, %xt * %xt form(wgmma.m64n64k16.nt)
      %d1 = cake.await %p1 : !D
      cake.release %t
      %d0 = cake.await %p0 : !D
    }
  }
}

// -----

// The await of the first does not return the loan of the second.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      %z0 = cake.zero : !P
      %z1 = cake.zero : !P
      %p0 = cake.mma %z0, %xt * %xt form(wgmma.m64n64k16.nt)
      // expected-note@+1 {{the multiplication that reads it is here}}
      %p1 = cake.mma %z1, %xt * %xt form(wgmma.m64n64k16.nt)
      %d0 = cake.await %p0 : !D
      // expected-error@+1 {{may still read}}
      cake.release %t
      %d1 = cake.await %p1 : !D
    }
  }
}

// -----

// Legal: the chain is awaited at its end.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      %z = cake.zero : !P
      %p0 = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %p1 = cake.mma %p0, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p1 : !D
      cake.release %t
    }
  }
}

// -----

// A chain is carried by a loop: the slot of a round is given back while its group may run.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      %z = cake.zero : !P
      %lo = arith.constant 0 : index
      %hi = arith.constant 1 : index
      %q = scf.for %i = %lo to %hi step %hi iter_args(%c = %z) -> (!P) {
        %t, %xt = cake.wait @ring
        // expected-note@+1 {{the multiplication that reads it is here}}
        %p = cake.mma %c, %xt * %xt form(wgmma.m64n64k16.nt)
        // expected-error@+1 {{may still read}}
        cake.release %t
        scf.yield %p : !P
      }
      %d = cake.await %q : !D
    }
  }
}

// -----

// An accumulator that nobody awaits: TOKEN_NOT_USED.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      // expected-error@+1 {{'cake.zero' op gives a pending accumulator that role '@use' does not use up}}
      %z = cake.zero : !P
      cake.release %t
    }
  }
}

// -----

// An accumulator is awaited twice: TOKEN_USED_TWICE.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
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
      %z = cake.zero : !P
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      // expected-note@+1 {{it is used up here}}
      %d = cake.await %p : !D
      // expected-error@+1 {{uses up %p (pending accumulator) in role '@use' a second time}}
      %e = cake.await %p : !D
      cake.release %t
    }
  }
}

// -----

// Legal: the slot is given back after a group behind which both multiplications have completed.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 3) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %z = cake.zero : !P
      %z2 = cake.zero : !P
      %p, %p2 = cake.steps (%k) in @work iter(%q = %z, %q2 = %z2) {
        %t, %xt = cake.wait @ring
        %r = cake.mma %q, %xt * %xt form(wgmma.m64n64k16.nt)
        %r2 = cake.mma %q2, %xt * %xt form(wgmma.m64n64k16.nt)
        cake.release %t after(%r2)
        cake.yield %r, %r2
      }
      %d = cake.await %p : !D
      %d2 = cake.await %p2 : !D
    }
  }
}

// -----

// The second multiplication may still run when the first has completed.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 3) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %z = cake.zero : !P
      %z2 = cake.zero : !P
      %p, %p2 = cake.steps (%k) in @work iter(%q = %z, %q2 = %z2) {
        %t, %xt = cake.wait @ring
        %r = cake.mma %q, %xt * %xt form(wgmma.m64n64k16.nt)
        // expected-note@+1 {{the multiplication that reads it is here}}
        %r2 = cake.mma %q2, %xt * %xt form(wgmma.m64n64k16.nt)
        // expected-error@+1 {{may still read}}
        cake.release %t after(%r)
        cake.yield %r, %r2
      }
      %d = cake.await %p : !D
      %d2 = cake.await %p2 : !D
    }
  }
}

// -----

// The accumulator that came in is that of the round before.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 3) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %z = cake.zero : !P
      %z2 = cake.zero : !P
      %p, %p2 = cake.steps (%k) in @work iter(%q = %z, %q2 = %z2) {
        %t, %xt = cake.wait @ring
        // expected-note@+1 {{the multiplication that reads it is here}}
        %r = cake.mma %q, %xt * %xt form(wgmma.m64n64k16.nt)
        // expected-note@+1 {{the multiplication that reads it is here}}
        %r2 = cake.mma %q2, %xt * %xt form(wgmma.m64n64k16.nt)
        // expected-error@+2 {{may still read}}
        // expected-error@+1 {{may still read}}
        cake.release %t after(%q)
        cake.yield %r, %r2
      }
      %d = cake.await %p : !D
      %d2 = cake.await %p2 : !D
    }
  }
}
