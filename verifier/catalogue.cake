// The smallest program that each finding refuses, and one beside it that is right.
//
// Pairs: `// CODE: wrong`, `// CODE: right`. A test checks every expectation in it; cake-opt --explain and docs/reference/rules.md show it.

// -----

// TOKEN_NOT_USED: wrong
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

// TOKEN_NOT_USED: right
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

// TOKEN_USED_TWICE: wrong
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

// TOKEN_USED_TWICE: right
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

// TOKEN_LEVEL: wrong
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

// TOKEN_LEVEL: right
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

// TOKEN_CARRIER: wrong
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

// TOKEN_CARRIER: right
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

// TOKEN_LOOP_TYPE: wrong
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @other stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 2) schedule(grid)
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
      %u = cake.steps (%k) in @work iter(%v = %t) {
        cake.release %v
        %o, %xo = cake.wait @other
        // expected-error@+1 {{hands on '!cake.slot<@other, full>' as carried value #0, which is '!cake.slot<@ring, full>'}}
        cake.yield %o
      }
      cake.release %u
    }
  }
}

// -----

// TOKEN_LOOP_TYPE: right
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 2) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
      cake.steps (%k) in @work {
        %u, %us = cake.acquire @ring
        cake.copy %x[%n * 64, 0] -> %us via(cp_async) pad(0.0)
        cake.commit %u
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %u = cake.steps (%k) in @work iter(%v = %t) {
        cake.release %v
        %o, %xo = cake.wait @ring
        cake.yield %o
      }
      cake.release %u
    }
  }
}

// -----

// PIPE_OWNER: wrong
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
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
      // expected-error@+1 {{role '@use' fills pipeline '@ring', but only its `from` role '@load' may}}
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// PIPE_OWNER: right
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

// PIPE_VIEW_DEAD: wrong
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

// PIPE_VIEW_DEAD: right
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

// PIPE_VIEW_ACCESS: wrong
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

// -----

// PIPE_VIEW_ACCESS: right
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

// PIPE_NOT_FILLED: wrong
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-note@+1 {{the slot was taken here}}
      %s, %xs = cake.acquire @ring
      %c = arith.constant true
      scf.if %c {
        // expected-error@+1 {{in only some branches}}
        cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      }
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

// PIPE_NOT_FILLED: right
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

// PART_NOT_READ: wrong
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

// PART_NOT_READ: right
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

// BUFFER_NOT_FILLED: wrong
!F = tensor<64x64xf32, #cake.wgmma.acc>
!H = tensor<64x64xbf16, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  %st = cake.buffer : !cake.shared<64x64xf32, rows<pad 16>>
  cake.tiles @work (m = 1) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @sum warpgroups(1) {
    cake.items (%m) in @work {
      cake.steps (%n) in @work {
        // expected-error@+1 {{in role '@sum' reads buffer %st, which nothing has written before the first round}}
        %so_far = cake.get %st[0, 0] : !F
        %h = cake.load %x[%n * 64, 0] pad(0.0) : !H
        %f = arith.extf %h : !H to !F
        %more = arith.addf %so_far, %f : !F
        // expected-note@+1 {{it is written here, later}}
        cake.put %more, %st[0, 0]
        %mh = arith.truncf %more : !F to !H
        cake.store %mh, %y[%n * 64, 0] clip
      }
    }
  }
}

// -----

// BUFFER_NOT_FILLED: right
!F = tensor<64x64xf32, #cake.wgmma.acc>
!H = tensor<64x64xbf16, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  %st = cake.buffer : !cake.shared<64x64xf32, rows<pad 16>>
  cake.tiles @work (m = 1) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @sum warpgroups(1) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !F
      cake.put %zero, %st[0, 0]
      cake.steps (%n) in @work {
        %so_far = cake.get %st[0, 0] : !F
        %h = cake.load %x[%n * 64, 0] pad(0.0) : !H
        %f = arith.extf %h : !H to !F
        %more = arith.addf %so_far, %f : !F
        cake.put %more, %st[0, 0]
        %mh = arith.truncf %more : !F to !H
        cake.store %mh, %y[%n * 64, 0] clip
      }
    }
  }
}

// -----

// PIPE_LOAN: wrong
!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @aliases_alternate(%x: !cake.global<1x1024xf32>) target("sm_80") {
  %b = cake.buffer : !cake.shared<4xf32, rows>
  %c = cake.buffer alias(%b) : !cake.shared<4xf32, rows>
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-note @+1 {{the other is used here}}
    %s = cake.reduce add %f axis(1) through(%b) : !R
    // expected-error @+1 {{uses buffer %c while %b, whose bytes it takes, is in use}}
    %t = cake.reduce add %f axis(1) through(%c) : !R
    %u = cake.reduce add %f axis(1) through(%b) : !R
  }
}

// -----

// PIPE_LOAN: right
!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @aliases_in_turn(%x: !cake.global<1x1024xf32>) target("sm_80") {
  %b = cake.buffer : !cake.shared<4xf32, rows>
  %c = cake.buffer alias(%b) : !cake.shared<4xf32, rows>
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    %s = cake.reduce add %f axis(1) through(%b) : !R
    %u = cake.reduce add %f axis(1) through(%b) : !R
    %t = cake.reduce add %f axis(1) through(%c) : !R
  }
}

// -----

// PIPE_NOT_ARRIVED: wrong
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

// PIPE_NOT_ARRIVED: right
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

// PIPE_COUNT: wrong
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

// PIPE_COUNT: right
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

// TURN_BLOCKED: wrong
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

// TURN_BLOCKED: right
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

// SYNC_DEADLOCK: wrong
gpu.module @kernels {
  // expected-note@+2 {{warp 0: ended}}
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 1 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      gpu.named_barrier_arrive %id, 96
    } else {
      // expected-error@+1 {{can wait for ever: warp 1 waits for the others of barrier 3, and no role can go on}}
      gpu.named_barrier %id, 96
    }
    gpu.return
  }
}

// -----

// SYNC_DEADLOCK: right
gpu.module @kernels {
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 160 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 4 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      gpu.named_barrier_arrive %id, 160
    } else {
      gpu.named_barrier %id, 160
    }
    gpu.return
  }
}

// -----

// SYNC_PHASE_LAP: wrong
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there, 10 move(s)}}
  gpu.func @ring(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = 1 : i64, shared_bytes = 64 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      scf.for %i = %c0 to %c2 step %c1 {
        %j = arith.index_cast %i : index to i32
        %o = arith.muli %j, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %f, 1
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %e, 1
      }
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w = gpu.warp_id
    %is_mma = arith.cmpi eq, %w, %c0 : index
    scf.if %is_mma {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %q = arith.xori %ph, %one : i32
        // expected-error@+1 {{can be lapped: another phase of the mbarrier at byte 24 completes before warp 0 has seen the one that it waits for, and it waits for ever}}
        gpu.mbarrier_wait %e, %q
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %f
        }
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        scf.yield %s2, %ph2 : i32, i32
      }
    } else {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_wait %f, %ph
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        %o2 = arith.muli %s2, %c8 : i32
        %p = arith.addi %o2, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %e
        }
        scf.yield %s2, %ph2 : i32, i32
      }
    }
    gpu.return
  }
}

// -----

// SYNC_PHASE_LAP: right
gpu.module @kernels {
  gpu.func @ring(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = 1 : i64, shared_bytes = 64 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      scf.for %i = %c0 to %c2 step %c1 {
        %j = arith.index_cast %i : index to i32
        %o = arith.muli %j, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %f, 1
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %e, 1
      }
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w = gpu.warp_id
    %is_mma = arith.cmpi eq, %w, %c0 : index
    scf.if %is_mma {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %q = arith.xori %ph, %one : i32
        gpu.mbarrier_wait %e, %q
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %f
        }
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        scf.yield %s2, %ph2 : i32, i32
      }
    } else {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_wait %f, %ph
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        %o2 = arith.muli %s, %c8 : i32
        %p = arith.addi %o2, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %e
        }
        scf.yield %s2, %ph2 : i32, i32
      }
    }
    gpu.return
  }
}

// -----

// SYNC_ARRIVAL_COUNT: wrong
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 160 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 4 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      // expected-note@+3 {{warp 0: 32 arrival(s) here}}
      // expected-note@+2 {{warps 1-3: 96 arrival(s) here}}
      // expected-error@+1 {{can come too late: a phase of barrier 3 completes without this arrival}}
      gpu.named_barrier_arrive %id, 64
    } else {
      // expected-note@+1 {{warp 4: 32 arrival(s) here}}
      gpu.named_barrier %id, 64
    }
    gpu.return
  }
}

// -----

// SYNC_ARRIVAL_COUNT: right
gpu.module @kernels {
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 160 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 4 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      gpu.named_barrier_arrive %id, 160
    } else {
      gpu.named_barrier %id, 160
    }
    gpu.return
  }
}

// -----

// SYNC_NOT_READY: wrong
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @early(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %smem, 1
      gpu.mbarrier_arrive %smem
    }
    %is_reader = arith.cmpi ne, %w, %c0 : index
    scf.if %is_reader {
      // expected-error@+1 {{can come before the mbarrier at byte 0 is set up: warp 1 is not ordered behind that}}
      gpu.mbarrier_wait %smem, %z
    }
    gpu.return
  }
}

// -----

// SYNC_NOT_READY: right
gpu.module @kernels {
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 160 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 4 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      gpu.named_barrier_arrive %id, 160
    } else {
      gpu.named_barrier %id, 160
    }
    gpu.return
  }
}

// -----

// SYNC_UNDRAINED: wrong
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

// SYNC_UNDRAINED: right
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

// SYNC_RACE: wrong
gpu.module @kernels {
  gpu.func @k(%x: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %other = arith.constant 32 : i32
    %u = arith.xori %t, %other : i32
    %at = arith.muli %t, %c4 : i32
    %from = arith.muli %u, %c4 : i32
    %p = gpu.ptr_add %smem, %at : !gpu.ptr<shared>, i32
    %q = gpu.ptr_add %smem, %from : !gpu.ptr<shared>, i32
    // expected-note@+1 {{the write}}
    gpu.store %t, %p : i32, !gpu.ptr<shared>
    // expected-error@+1 {{reads shared memory at byte 128, which another thread writes, in no order}}
    %v = gpu.load %q : !gpu.ptr<shared> -> i32
    gpu.return
  }
}

// -----

// SYNC_RACE: right
gpu.module @kernels {
  gpu.func @k(%x: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %other = arith.constant 32 : i32
    %u = arith.xori %t, %other : i32
    %at = arith.muli %t, %c4 : i32
    %from = arith.muli %u, %c4 : i32
    %p = gpu.ptr_add %smem, %at : !gpu.ptr<shared>, i32
    %q = gpu.ptr_add %smem, %from : !gpu.ptr<shared>, i32
    gpu.store %t, %p : i32, !gpu.ptr<shared>
    gpu.barrier
    %v = gpu.load %q : !gpu.ptr<shared> -> i32
    gpu.return
  }
}

// -----

// MMA_ORDER: wrong
gpu.module @kernels {
  gpu.func @k(%x: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 16384 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    gpu.wgmma_fence
    // expected-note@+1 {{the matrix instruction}}
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    // expected-error@+1 {{takes an accumulator that the matrix unit may still write}}
    gpu.store %r, %x : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// MMA_ORDER: right
gpu.module @kernels {
  gpu.func @k(%x: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 16384 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    gpu.wgmma_fence
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %q = gpu.wgmma_wait 0, %r : vector<4xf32>
    gpu.store %q, %x : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// SYNC_DIVERGENT: wrong
gpu.module @kernels {
  gpu.func @loop(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    scf.for %i = %c0 to %tid step %c1 {
      // expected-error@+1 {{waits for threads that never come}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// SYNC_DIVERGENT: right
gpu.module @kernels {
  gpu.func @uniform(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = 1 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %some = arith.cmpi ult, %c0, %n : index
    scf.if %some {
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// PROXY_GENERIC_TO_ASYNC: wrong
gpu.module @kernels {
  gpu.func @late(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %at = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %zero : index
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-note@+1 {{here others are told of it, and there was no fence yet}}
    gpu.barrier
    // expected-note@+1 {{the fence}}
    gpu.fence_proxy_async
    scf.if %is_first {
      // expected-error@+1 {{reads shared memory that threads wrote through the generic proxy, but the writers' proxy fence stands behind the barrier, so that nothing orders it before this instruction}}
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// PROXY_GENERIC_TO_ASYNC: right
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = 1 : i64, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %at = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %zero : index
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %is_first {
      gpu.tma_store %smem, %map[%at, %at]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// PARAM_CHOICE: wrong
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  // expected-error@+1 {{has the default 5, which is not among its choices}}
  cake.param @S = 5 in 2..4
  cake.role @all warps(1) {
  }
}

// -----

// PARAM_CHOICE: right
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.param @S = 4 in 2..4
  cake.role @all warps(1) {
  }
}

// -----

// ROLE_CAPTURE: wrong
!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @replicas(%x: !cake.global<1x1024xf32>) target("sm_80") {
  // expected-note @+1 {{the buffer is here}}
  %b = cake.buffer : !cake.shared<4xf32, rows>
  cake.role @two warps(4) replicate(2) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{uses buffer %b in 2 replicas of role '@two' at once}}
    %s = cake.reduce add %f axis(1) through(%b) : !R
  }
}

// -----

// ROLE_CAPTURE: right
!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @each(%x: !cake.global<1x1024xf32>) target("sm_80") {
  %b = cake.buffer each : !cake.shared<4xf32, rows>
  cake.role @two warps(4) replicate(2) {
    %f = cake.load %x[0, 0] : !F
    %s = cake.reduce add %f axis(1) through(%b) : !R
  }
}

// -----

// ROLE_STRUCTURE: wrong
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  // expected-note@+1 {{the role is here}}
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{is spread over 8 warps, but an instance of role '@all' has 4}}
      %a = cake.fill 0.0 : tensor<128x8xf32, #cake.mma.acc<8x1>>
    }
  }
}

// -----

// ROLE_STRUCTURE: right
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x8xf32, #cake.mma.acc<4x1>>
      %b = cake.fill 0.0 : tensor<32x16xf32, #cake.mma.acc<2x2>>
      %c = cake.fill 0.0 : tensor<64xf32, #cake.row<mma.acc<4x1>>>
    }
  }
}

// -----

// FORM_MISMATCH: wrong
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{has 12 columns; its form needs a multiple of 8}}
      %a = cake.fill 0.0 : tensor<64x12xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

// FORM_MISMATCH: right
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x8xf32, #cake.wgmma.acc>
    }
  }
}

// -----

// FORM_TARGET: wrong
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

// FORM_TARGET: right
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

// PAD_NOT_NEUTRAL: wrong
!F = tensor<1x256xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @maximum(%x: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @w (m = M, n = ceildiv(N, 256)) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%m, %n) in @w {
      // expected-note @+1 {{elements behind the end of dimension 1 become 0.000000e+00 : f32 here}}
      %f = cake.load %x[%m, %n * 256] pad(0.0) : !F
      // expected-error @+1 {{reduces padding behind the end of %x, which is not neutral}}
      %r = cake.reduce max %f axis(1) nan(last) : !R
    }
  }
}

// -----

// PAD_NOT_NEUTRAL: right
!F = tensor<1x256xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @sum_of_squares(%x: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @w (m = M, n = ceildiv(N, 256)) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%m, %n) in @w {
      %f = cake.load %x[%m, %n * 256] pad(0.0) : !F
      %s = arith.mulf %f, %f : !F
      %r = cake.reduce add %s axis(1) : !R
    }
  }
}

// -----

// RAGGED_ACCESS: wrong
// expected-note@+1 {{its `guard` does not say enough}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N mod 32 eq 0) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{may leave %x}}
      %a = cake.load %x[%n * 64, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// RAGGED_ACCESS: right
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N mod 64 eq 0) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// OUTPUT_UNCOVERED: wrong
!F = tensor<4x64xf32, #cake.vec<role, 2>>
// expected-note@+1 {{items are 8 elements apart there, and each writes 4 in a row}}
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 8)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      // expected-error@+1 {{in role '@all' leaves elements of %y unwritten that no tile covers: in dimension 0, of each item's those from 4}}
      cake.store %f, %y[%r * 8 + instance * 4, 0] clip
    }
  }
}

// -----

// OUTPUT_UNCOVERED: right
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 8>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 8)) schedule(grid)
  cake.role @all warps(1) replicate(2) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      cake.store %f, %y[%r * 8 + instance * 4, 0] clip
    }
  }
}

// -----

// OUTPUT_OVERLAP: wrong
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  // expected-note@+1 {{of which there are several}}
  cake.tiles @work (part = 8, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%part, %r) in @work {
      %f = cake.fill 1.0 : !F
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      // expected-error@+1 {{in role '@all' writes the same elements of %y again for each part of the items, in no order}}
      cake.commit %s to(%y[%r * 64, 0])
    }
  }
}

// -----

// OUTPUT_OVERLAP: right
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (part = 8, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%part, %r) in @work {
      %f = cake.fill 1.0 : !F
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      cake.commit %s to(%y[%r * 64, 0]) reduce add
    }
  }
}

// -----

// ARG_ALIASED: wrong
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @k(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n * 64 + 1, 0] pad(0.0) : !F
      // expected-note@+1 {{it is written here}}
      cake.store %f, %x[%n * 64, 0] clip
    }
  }
}

// -----

// ARG_ALIASED: right
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @k(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      cake.store %f, %x[%n * 64, 0] clip
    }
  }
}

// -----

// OFFSET_OVERFLOW: wrong
cake.kernel @k(%y: !cake.global<[R]x64xf32>) target("sm_80") {
  // expected-error@+1 {{has a number of items of 4294967296, and an index has 32 bits}}
  cake.tiles @work (r = 65536, c = 65536) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

// OFFSET_OVERFLOW: right
cake.kernel @k(%y: !cake.global<46875x64000xf32>) target("sm_80") {
  cake.tiles @work (r = 65536, c = 32767) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

// LAUNCH_ORDER: wrong
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%x: !cake.global<[R]x64xf32, align 8>, %y: !cake.global<[R]x64xf32, align 8>) target("sm_90a") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      // expected-error@+1 {{touches %x in role '@all' before the role has waited for the grid in front, which may still write it}}
      %f = cake.load %x[%r * 4, 0] pad(0.0) : !F
      // expected-note@+1 {{the kernel begins early, and waits here}}
      cake.depend wait
      cake.store %f, %y[%r * 4, 0] clip
    }
  }
}

// -----

// LAUNCH_ORDER: right
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%x: !cake.global<[R]x64xf32, align 8>, %y: !cake.global<[R]x64xf32, align 8>) target("sm_90a") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(1) {
    cake.depend wait
    cake.items (%r) in @work {
      %f = cake.load %x[%r * 4, 0] pad(0.0) : !F
      cake.store %f, %y[%r * 4, 0] clip
    }
  }
}

// -----

// REG_BUDGET: wrong
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  // expected-error@+1 {{regs must be from 24 to 256, but is 16}}
  cake.role @p warpgroups(1) regs(16) {
  }
}

// -----

// REG_BUDGET: right
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warps(8) replicate(3) {
  }
  cake.role @c warps(8) {
  }
}

// -----

// SHARED_CAPACITY: wrong
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_80", "sm_90a") {
  // expected-error@-1 {{needs 196656 bytes of shared memory; a CTA on sm_80 has at most 166912}}
  // expected-note@+1 {{pipeline '@ring' needs 196656 bytes}}
  cake.pipeline @ring stages(3) from(@load) to(@use) slot(x: !cake.shared<512x64xbf16, sw128>)
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
      %a = cake.get %xt[0, 0] : !A
      cake.release %t
    }
  }
}

// -----

// SHARED_CAPACITY: right
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(3) from(@load) to(@use) slot(x: !cake.shared<512x64xbf16, sw128>)
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
      %a = cake.get %xt[0, 0] : !A
      cake.release %t
    }
  }
}

// -----

// TMEM_CAPACITY: wrong
// expected-error @+1 {{needs 768 columns of tensor memory; there are 512}}
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_100a") {
  // expected-note @+1 {{pipeline '@acc' needs 768 columns}}
  cake.pipeline @acc stages(3) from(@mma) to(@use) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @mma warps(1) {
  }
  cake.role @use warpgroups(1) {
  }
}

// -----

// TMEM_CAPACITY: right
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_100a") {
  cake.pipeline @acc stages(2) from(@mma) to(@use) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @mma warps(1) {
  }
  cake.role @use warpgroups(1) {
  }
}

// -----

// THREAD_LIMIT: wrong
// expected-error@+1 {{has roles of 1280 threads together; a CTA on sm_90a has at most 1024}}
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warps(8) replicate(4) {
  }
  cake.role @c warps(8) {
  }
}

// -----

// THREAD_LIMIT: right
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warps(8) replicate(3) {
  }
  cake.role @c warps(8) {
  }
}

// -----

// TMA_STRIDE: wrong
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<512x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{via tma copies a box of 512 elements in dimension 0; a box has at most 256}}
      cake.copy %x[%n * 512, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      cake.release %t
    }
  }
}

// -----

// TMA_STRIDE: right
cake.kernel @k(%x: !cake.global<[N]x[M]xf16, align 16>) target("sm_90a") guard(M mod 8 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xf16, sw128>)
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
      cake.release %t
    }
  }
}

// -----

// ALIGNMENT: wrong
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x4xbf16, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{via tma needs rows that are multiples of 16 bytes, but a row of the tile has 8}}
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      cake.release %t
    }
  }
}

// -----

// ALIGNMENT: right
cake.kernel @k(%x: !cake.global<[N]x[M]xf16, align 16>) target("sm_90a") guard(M mod 8 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xf16, sw128>)
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
      cake.release %t
    }
  }
}

// -----

// SYNC_EXIT: wrong
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @leave(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, cluster = [2, 1, 1], grid = 2 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %smem, 1
      gpu.mbarrier_init_fence
    }
    gpu.cluster_barrier
    %rank = gpu.cluster_block_id x
    %own = arith.index_cast %rank : index to i32
    %other = arith.xori %own, %one : i32
    scf.if %first {
      // expected-error@+1 {{can come when CTA 1 of the cluster has ended: warp 0 of CTA 0 reaches into its shared memory}}
      gpu.mbarrier_arrive_remote %smem at %other
    }
    gpu.return
  }
}

// -----

// SYNC_EXIT: right
gpu.module @kernels {
  gpu.func @stay(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, cluster = [2, 1, 1], grid = 2 : i64, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %smem, 1
      gpu.mbarrier_init_fence
    }
    gpu.cluster_barrier
    %rank = gpu.cluster_block_id x
    %own = arith.index_cast %rank : index to i32
    %other = arith.xori %own, %one : i32
    scf.if %first {
      gpu.mbarrier_arrive_remote %smem at %other
    }
    gpu.mbarrier_wait %smem, %z cluster
    gpu.return
  }
}

// -----

// CLUSTER: wrong
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{has the multicast mask 2 in CTA 0, which leaves that CTA out}}
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0) multicast(2)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      cake.release %t
    }
  }
}

// -----

// CLUSTER: right
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0) multicast(3)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      cake.release %t
    }
  }
}
