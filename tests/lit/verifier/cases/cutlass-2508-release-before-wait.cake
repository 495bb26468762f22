// https://github.com/NVIDIA/cutlass/issues/2508 at the level of schedules: the slot is given back in front of the wait for the matrix instructions that read it. Accumulators that nobody waited for are no
// tensors, so they cannot be read at all.
// Refused by slot-loans (PIPE_LOAN).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xf32>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
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
      cake.store %d, %y[%n * 64, 0] clip
    }
  }
}

// -----

// The repair.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xf32>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
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
      cake.store %d, %y[%n * 64, 0] clip
    }
  }
}
