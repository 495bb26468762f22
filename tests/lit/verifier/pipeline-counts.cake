// Rule pipeline-counts: both ends of a pipeline operate it equally often (PIPE_COUNT).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Filled once an item, emptied twice.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{pipeline '@ring' is filled by role @load: 1 an item of @work, but emptied by role @use: 2 an item of @work}}
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
      %t2, %xt2 = cake.wait @ring
      cake.release %t2
    }
  }
}

// -----

// The repaired program: twice on both ends, once by a loop with constant bounds.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %lo = arith.constant 0 : index
      %hi = arith.constant 2 : index
      %by = arith.constant 1 : index
      scf.for %i = %lo to %hi step %by {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
      %t2, %xt2 = cake.wait @ring
      cake.release %t2
    }
  }
}

// -----

// Emptied under a condition that may not hold: what the sums do not say, the protocol checker finds (SYNC_UNDRAINED).
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
// expected-note@+1 {{a schedule that leads there}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{can end with a full slot: every role has ended, and nobody empties it}}
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
      %one = arith.constant 1 : index
      %c = arith.cmpi ult, %n, %one : index
      scf.if %c {
        %t, %xt = cake.wait @ring
        cake.release %t
      }
    }
  }
}

// -----

// Emptied under a condition that always holds.
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
      %c = arith.constant true
      scf.if %c {
        %t, %xt = cake.wait @ring
        cake.release %t
      }
    }
  }
}

// -----

// Filled and emptied under the same condition.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %one = arith.constant 1 : index
      %c = arith.cmpi ult, %n, %one : index
      scf.if %c {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %one = arith.constant 1 : index
      %c = arith.cmpi ult, %n, %one : index
      scf.if %c {
        %t, %xt = cake.wait @ring
        cake.release %t
      }
    }
  }
}

// -----

// Emptied in a loop whose bounds are not constant.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
// expected-note@+1 {{a schedule that leads there}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{can end with a full slot: every role has ended, and nobody empties it}}
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
      %lo = arith.constant 0 : index
      %by = arith.constant 1 : index
      scf.for %i = %lo to %n step %by {
        %t, %xt = cake.wait @ring
        cake.release %t
      }
    }
  }
}

// -----

// Emptied in a loop that is not modelled: nobody proves it.
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
      %c = arith.constant true
      // expected-note@+1 {{'scf.while' is around it}}
      scf.while : () -> () {
        scf.condition(%c)
      } do {
        // expected-error@+1 {{operates pipeline '@ring' in role '@use' a number of times that is not known}}
        %t, %xt = cake.wait @ring
        cake.release %t
        scf.yield
      }
    }
  }
}

// -----

// Never emptied.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{emptied by role @use: never}}
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %c = arith.constant true
    }
  }
}

// -----

// Every replica would fill every slot.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{is filled by role @load, which has 2 replicas: each would fill every slot}}
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  // expected-note@+1 {{the role is here}}
  cake.role @load warps(1) replicate(2) {
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

// The legal neighbour: every replica empties every slot.
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
  cake.role @use warps(4) replicate(2) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// Rounds of an unrolled loop are counted.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @ring stages(4) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.unroll %j = 0 to 3 {
        // expected-error@+1 {{pipeline '@ring' is filled by role @load: 3 an item of @work, but emptied by role @use: 2 an item of @work}}
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      cake.unroll %j = 1 to 3 {
        %t, %xt = cake.wait @ring
        cake.release %t
      }
    }
  }
}

// -----

// Replicas that store need a ring each.
cake.kernel @k(%y: !cake.global<[M]x64xf32, align 16>) target("sm_90a") {
  // expected-error@+1 {{is filled by role @use, which has 2 replicas: each would fill every slot}}
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 128)) schedule(persistent)
  // expected-note@+1 {{the role is here}}
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : tensor<64x64xf32, #cake.wgmma.acc>
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 128 + instance * 64, 0])
    }
  }
}

// -----

// All but the first step in a loop, and one before it: equally often.
cake.kernel @from_one(%x: !cake.global<[N]x64xf32, align 16>) target("sm_80") guard(N ge 1) {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(x: !cake.shared<64xf32, rows>)
  cake.tiles @w (i = 1) steps(k = N) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%i) in @w {
      cake.steps (%k) in @w {
        %s, %v = cake.acquire @p
        cake.copy %x[%k, 0] -> %v via(cp_async) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(1) {
    cake.items (%i) in @w {
      %s, %v = cake.wait @p
      cake.release %s
      cake.steps (%k) in @w from(1) {
        %t, %u = cake.wait @p
        cake.release %t
      }
    }
  }
}

// -----

cake.kernel @from_two(%x: !cake.global<[N]x64xf32, align 16>) target("sm_80") guard(N ge 1) {
  // expected-note @+1 {{the pipeline is declared here}}
  cake.pipeline @p stages(2) from(@load) to(@use) slot(x: !cake.shared<64xf32, rows>)
  // expected-note @+1 {{an item has N step(s)}}
  cake.tiles @w (i = 1) steps(k = N) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%i) in @w {
      cake.steps (%k) in @w {
        %s, %v = cake.acquire @p
        cake.copy %x[%k, 0] -> %v via(cp_async) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(1) {
    cake.items (%i) in @w {
      // expected-error @+1 {{is filled by role @load: 1 a step of @w, but emptied by role @use: -1 an item of @w + 1 a step of @w}}
      %s, %v = cake.wait @p
      cake.release %s
      // expected-error @+1 {{leaves out the first 2 step(s) of each item, but an item may have fewer}}
      cake.steps (%k) in @w from(2) {
        %t, %u = cake.wait @p
        cake.release %t
      }
    }
  }
}
