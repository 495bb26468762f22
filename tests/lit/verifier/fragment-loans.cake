// Rule fragment-loans (PIPE_LOAN): a fragment that a wgmma reads from registers is not replaced before its group is over.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The next fragment takes the place of one that the pending multiplication reads.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
!A = tensor<64x64xbf16, #cake.wgmma.a>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 4) schedule(grid)
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
      %a0 = cake.fill 1.0 : !A
      %z = cake.zero : !P
      %q, %r = cake.steps (%k) in @work iter(%p = %z, %a = %a0) {
        %t, %xt = cake.wait @ring
        // expected-note@+1 {{the multiplication that reads it from registers is here}}
        %p1 = cake.mma %p, %a * %xt form(wgmma.m64n64k16.nt)
        %a1 = cake.get %xt : !A
        cake.release %t after(%p1)
        // expected-error@+1 {{puts another fragment in the place of %a in role '@use', which a matrix multiplication may still read}}
        cake.yield %p1, %a1
      }
      %d = cake.await %q : !D
    }
  }
}

// -----

// Awaited in the loop.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
!A = tensor<64x64xbf16, #cake.wgmma.a>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 4) schedule(grid)
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
      %a0 = cake.fill 1.0 : !A
      %r = cake.steps (%k) in @work iter(%a = %a0) {
        %t, %xt = cake.wait @ring
        %z = cake.zero : !P
        %p1 = cake.mma %z, %a * %xt form(wgmma.m64n64k16.nt)
        %a1 = cake.get %xt : !A
        %d = cake.await %p1 : !D
        cake.release %t
        cake.yield %a1
      }
    }
  }
}

// -----

// The same fragment goes on: nothing takes its place.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
!A = tensor<64x64xbf16, #cake.wgmma.a>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 4) schedule(grid)
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
      %a0 = cake.fill 1.0 : !A
      %z = cake.zero : !P
      %q, %r = cake.steps (%k) in @work iter(%p = %z, %a = %a0) {
        %t, %xt = cake.wait @ring
        %p1 = cake.mma %p, %a * %xt form(wgmma.m64n64k16.nt)
        cake.release %t after(%p1)
        cake.yield %p1, %a
      }
      %d = cake.await %q : !D
    }
  }
}
