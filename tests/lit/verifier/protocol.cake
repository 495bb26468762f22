// Rule protocol: roles that can wait for one another for ever (SYNC_DEADLOCK).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// One slot of @p is filled twice before @q, but the reader wants @q first.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
// expected-note@+1 {{a schedule that leads there, 3 move(s)}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @q stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
      // expected-error@+1 {{can wait for ever: @load waits for an empty slot of pipeline '@p', and no role can go on}}
      %s2, %xs2 = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs2 via(cp_async) pad(0.0)
      cake.commit %s2
      %t, %xt = cake.acquire @q
      cake.copy %x[%n * 64, 0] -> %xt via(cp_async) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{@use waits here for a full slot of pipeline '@q'}}
      %t, %xt = cake.wait @q
      %a = cake.get %xt : !A
      cake.release %t
      %s, %xs = cake.wait @p
      cake.release %s
      %s2, %xs2 = cake.wait @p
      cake.release %s2
    }
  }
}

// -----

// The repaired program: with two slots both fills of @p find one.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @q stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
      %s2, %xs2 = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs2 via(cp_async) pad(0.0)
      cake.commit %s2
      %t, %xt = cake.acquire @q
      cake.copy %x[%n * 64, 0] -> %xt via(cp_async) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @q
      cake.release %t
      %s, %xs = cake.wait @p
      cake.release %s
      %s2, %xs2 = cake.wait @p
      cake.release %s2
    }
  }
}

// -----

// Each of two roles waits for what the other fills only afterwards.
// expected-note@+1 {{a schedule that leads there, 0 move(s)}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(2) from(@a) to(@b) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @q stages(2) from(@b) to(@a) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{can wait for ever: @a waits for a full slot of pipeline '@q'}}
      %t, %xt = cake.wait @q
      cake.release %t
      %s, %xs = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @b warps(1) {
    cake.items (%n) in @work {
      // expected-note@+1 {{@b waits here for a full slot of pipeline '@p'}}
      %t, %xt = cake.wait @p
      cake.release %t
      %s, %xs = cake.acquire @q
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
}

// -----

// A role that holds more slots than there are: the depth is too small for how far it looks ahead.
// expected-note@+1 {{a schedule that leads there, 4 move(s)}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 3) schedule(persistent)
  cake.role @load warps(1) {
    %lo = arith.constant 0 : index
    %hi = arith.constant 2 : index
    %by = arith.constant 1 : index
    cake.items (%n) in @work {
      scf.for %i = %lo to %hi step %by {
        // expected-error@+1 {{can wait for ever: @load waits for an empty slot of pipeline '@p', and no role can go on}}
        %s, %xs = cake.acquire @p
        cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.wait @p
      // expected-note@+1 {{@use waits here for a full slot of pipeline '@p'}}
      %t, %xt = cake.wait @p
      cake.release %s
      cake.release %t
    }
  }
}
