// Rule part-read: one part of a slot was multiplied with itself, and the other with nothing (PART_NOT_READ).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%a: !cake.global<[N]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %at, %bt = cake.acquire @ring
      cake.copy %a[%n * 64, 0] -> %at via(tma) pad(0.0)
      cake.copy %b[%n * 64, 0] -> %bt via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{in role '@use' reads nothing of part 'a' of pipeline '@ring'}}
      %t, %at, %bt = cake.wait @ring
      %z = cake.zero : !P
      %p = cake.mma %z, %bt * %bt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : !D
      cake.release %t
    }
  }
}

// -----

// The repaired program.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%a: !cake.global<[N]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %at, %bt = cake.acquire @ring
      cake.copy %a[%n * 64, 0] -> %at via(tma) pad(0.0)
      cake.copy %b[%n * 64, 0] -> %bt via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %at, %bt = cake.wait @ring
      %z = cake.zero : !P
      %p = cake.mma %z, %at * %bt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : !D
      cake.release %t
    }
  }
}

// -----

// Legal: a slot of which nothing is read.
cake.kernel @k(%a: !cake.global<[N]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %at, %bt = cake.acquire @ring
      cake.copy %a[%n * 64, 0] -> %at via(tma) pad(0.0)
      cake.copy %b[%n * 64, 0] -> %bt via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %at, %bt = cake.wait @ring
      cake.release %t
    }
  }
}
