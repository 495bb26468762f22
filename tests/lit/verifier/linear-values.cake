// Rule linear-values: every slot is used up exactly once on every path, at its level, and carried only by loops.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The program that the others break.
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

// Never given back.
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
      // expected-error@+1 {{gives a full slot of pipeline '@ring' that role '@use' does not use up}}
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
    }
  }
}

// -----

// Never handed on.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{gives an open slot of pipeline '@ring' that role '@load' does not use up}}
      %s, %xs = cake.acquire @ring
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

// Given back twice.
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
      // expected-note@+1 {{it is used up here}}
      cake.release %t
      // expected-error@+1 {{uses up %t (full slot of pipeline '@ring') in role '@use' a second time}}
      cake.release %t
    }
  }
}

// -----

// Given back in one branch only: TOKEN_LEVEL.
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
      // expected-note@+1 {{it is defined here}}
      %t, %xt = cake.wait @ring
      %c = arith.constant true
      // expected-note@+1 {{the branches are here}}
      scf.if %c {
        // expected-error@+1 {{uses up %t (full slot of pipeline '@ring') of role '@use' in only some branches}}
        cake.release %t
      }
    }
  }
}

// -----

// The legal neighbour: given back in both.
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
        %a = cake.get %xt : !A
        cake.release %t
      } else {
        cake.release %t
      }
    }
  }
}

// -----

// Given back in both, and behind them again.
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
        cake.release %t
      } else {
        // expected-note@+1 {{it is used up here}}
        cake.release %t
      }
      // expected-error@+1 {{a second time}}
      cake.release %t
    }
  }
}

// -----

// Given back in a loop.
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
      // expected-note@+1 {{it is defined here}}
      %t, %xt = cake.wait @ring
      %lo = arith.constant 0 : index
      %hi = arith.constant 2 : index
      %by = arith.constant 1 : index
      // expected-note@+1 {{the loop is here}}
      scf.for %i = %lo to %hi step %by {
        // expected-error@+1 {{inside of a loop that may run any number of times}}
        cake.release %t
      }
    }
  }
}

// -----

// The legal neighbour: a loop carries the slot.
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
      %lo = arith.constant 0 : index
      %hi = arith.constant 2 : index
      %by = arith.constant 1 : index
      %u = scf.for %i = %lo to %hi step %by iter_args(%v = %t) -> (!cake.slot<@ring, full>) {
        scf.yield %v : !cake.slot<@ring, full>
      }
      cake.release %u
    }
  }
}

// -----

// A carried slot that the loop does not hand on.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
      %s2, %xs2 = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs2 via(cp_async) pad(0.0)
      cake.commit %s2
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      // expected-note@+1 {{it is defined here}}
      %t2, %xt2 = cake.wait @ring
      %lo = arith.constant 0 : index
      %hi = arith.constant 2 : index
      %by = arith.constant 1 : index
      // expected-error@+1 {{'scf.for' op carries a full slot of pipeline '@ring' that role '@use' does not use up}}
      %u = scf.for %i = %lo to %hi step %by iter_args(%v = %t) -> (!cake.slot<@ring, full>) {
        // expected-error@+2 {{inside of a loop that may run any number of times}}
        // expected-note@-2 {{the loop is here}}
        scf.yield %t2 : !cake.slot<@ring, full>
      }
      cake.release %u
    }
  }
}

// -----

// A slot is handed to an op that may not carry it: TOKEN_CARRIER.
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
      // expected-error@+1 {{'builtin.unrealized_conversion_cast' op may not carry %t (full slot of pipeline '@ring')}}
      %i = builtin.unrealized_conversion_cast %t : !cake.slot<@ring, full> to index
    }
  }
}

// -----

// A view is carried by a loop.
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
      %lo = arith.constant 0 : index
      %hi = arith.constant 2 : index
      %by = arith.constant 1 : index
      // expected-error@+2 {{may not carry %xt}}
      // expected-error@+1 {{carries a view ('!cake.shared<64x64xbf16, sw128>') as argument of a block}}
      %u = scf.for %i = %lo to %hi step %by iter_args(%v = %xt) -> (!cake.shared<64x64xbf16, sw128>) {
        // expected-error@+1 {{may not carry}}
        scf.yield %v : !cake.shared<64x64xbf16, sw128>
      }
      cake.release %t
    }
  }
}
