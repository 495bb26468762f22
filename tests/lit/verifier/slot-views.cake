// Rule slot-views: a view dies with its slot; an open slot is written, a full one read.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Read behind the release: PIPE_VIEW_DEAD.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
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
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      // expected-note@+1 {{the slot is given up here}}
      cake.release %t
      // expected-error@+1 {{'cake.get' op uses part 'x' of pipeline '@ring' in role '@use' after its slot was given up}}
      %a = cake.get %xt : !A
    }
  }
}

// -----

// The repaired program.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
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
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// Filled behind the commit.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-note@+1 {{the slot is given up here}}
      cake.commit %s
      // expected-error@+1 {{'cake.copy' op uses part 'x' of pipeline '@ring' in role '@load' after its slot was given up}}
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
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

// Read in the branch that gave it up; the other branch may read: PIPE_VIEW_DEAD.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
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
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %c = arith.constant true
      scf.if %c {
        // expected-note@+1 {{the slot is given up here}}
        cake.release %t
        // expected-error@+1 {{after its slot was given up}}
        %a = cake.get %xt : !A
      } else {
        %a = cake.get %xt : !A
        cake.release %t
      }
    }
  }
}

// -----

// Read before it has arrived: PIPE_NOT_ARRIVED.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-note@+1 {{the slot is open: it may be written only}}
      %s, %xs = cake.acquire @ring
      // expected-note@+1 {{the copy is here}}
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      // expected-error@+1 {{reads part 'x' of pipeline '@ring' in role '@load' before the copy into it has arrived}}
      %a = cake.get %xs : tensor<64x64xbf16, #cake.mma.a<1x1>>
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

// An open slot that nobody filled is read: PIPE_VIEW_ACCESS.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-note@+2 {{the slot is open: it may be written only}}
      // expected-note@+1 {{the slot was taken here}}
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{reads part 'x' of an open slot of pipeline '@ring' in role '@load'}}
      %a = cake.get %xs : tensor<64x64xbf16, #cake.mma.a<1x1>>
      // expected-error@+1 {{whose part 'x' was not filled}}
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

// A full slot is written: PIPE_VIEW_ACCESS.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
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
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{the slot is full: it may be read only}}
      %t, %xt = cake.wait @ring
      // expected-error@+1 {{writes part 'x' of a full slot of pipeline '@ring' in role '@use'}}
      cake.copy %x[%n * 64, 0] -> %xt via(cp_async) pad(0.0)
      cake.release %t
    }
  }
}
