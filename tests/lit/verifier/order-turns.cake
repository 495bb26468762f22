// Rule order-turns: a turn is passed on where it was taken, and all replicas take equally many (TURN_BLOCKED). Waits in a turn are proved by the rule protocol.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Legal: the accumulator is awaited before the turn is passed on. The matrix unit comes to an end by itself.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.order @o over(@use)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !P
      %turn = cake.take @o
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : !D
      cake.pass %turn
      cake.release %t
    }
  }
}

// -----

// Passed on before the wait, it is fine.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.order @o over(@use)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !P
      %turn = cake.take @o
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      cake.pass %turn
      %d = cake.await %p : !D
      cake.release %t
    }
  }
}

// -----

// A turn that is never passed on.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.order @o over(@use)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @use warps(1) replicate(2) {
    cake.items (%n) in @work {
      // expected-error@+1 {{gives a turn of order '@o' that role '@use' does not use up}}
      %turn = cake.take @o
    }
  }
}

// -----

// Under a condition one replica may take fewer turns than the other, which then waits for ever.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.order @o over(@use)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @use warps(1) replicate(2) {
    cake.items (%n) in @work {
      %i = cake.index (instance) : index
      %is = arith.cmpi eq, %i, %n : index
      // expected-note@+1 {{'scf.if' is around it}}
      scf.if %is {
        // expected-error@+1 {{takes a turn of order @o a number of times that is not known}}
        %turn = cake.take @o
        cake.pass %turn
      }
    }
  }
}

// -----

// Legal: two orders at once, taken in the same sequence by all.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.order @o over(@use)
  cake.order @p over(@use)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @use warps(1) replicate(2) {
    cake.items (%n) in @work {
      %turn = cake.take @o
      %other = cake.take @p
      cake.pass %other
      cake.pass %turn
    }
  }
}

// -----

// Passed on in every branch of a condition: used up, but not where it was taken.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.order @o over(@use)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @use warps(1) replicate(2) {
    cake.items (%n) in @work {
      %zero = cake.index (0) : index
      %is = arith.cmpi eq, %zero, %n : index
      // expected-note@+1 {{the turn is taken here}}
      %turn = cake.take @o
      scf.if %is {
        cake.pass %turn
      } else {
        // expected-error@+1 {{passes a turn on in another region than it was taken in}}
        cake.pass %turn
      }
    }
  }
}

// -----

// A wait for a slot that comes only when the neighbour, which waits for the turn, has released the one before.
// expected-note@+1 {{a schedule that leads there}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.order @o over(@use)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.unroll %i = 0 to 2 {
        // expected-error@+1 {{can wait for ever}}
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      // expected-note@+1 {{@use.1 waits here for its turn of order '@o'}}
      %turn = cake.take @o
      cake.release %t
      // expected-note@+1 {{@use.0 waits here for a full slot}}
      %u, %xu = cake.wait @ring
      cake.pass %turn
      cake.release %u
    }
  }
}
