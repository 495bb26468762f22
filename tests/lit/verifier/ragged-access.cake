// Rule ragged-access: a tile lies inside of its array, or the op says what happens outside (RAGGED_ACCESS).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The last tile may leave the array.
// expected-note@+1 {{its `guard` does not say enough}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{in role '@all' may leave %x ('!cake.global<[N]x64xbf16, align 16>') in dimension 0: the tile has 64 element(s) there}}
      %a = cake.load %x[%n * 64, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// Repaired by padding.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// Repaired by the guard.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N mod 64 eq 0) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// Legal: whole tiles only.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = N floordiv 64) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// A guard that says too little.
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

// A tile of an array of constant size.
// expected-note@+1 {{its `guard` does not say enough}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<64x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %y[0, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
      // expected-error@+1 {{in dimension 0}}
      %b = cake.load %y[16, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// A lower bound in the guard is enough for a tile at the start.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N ge 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[0, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// An offset in front of the array.
// expected-note@+1 {{its `guard` does not say enough}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N mod 64 eq 0) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{may leave %x}}
      %a = cake.load %x[%n * 64 - 1, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// A store.
// expected-note@+1 {{its `guard` does not say enough}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %l: !cake.global<[N]xi32>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0 : tensor<64xi32, #cake.row<mma.acc<4x1>>>
      // expected-error@+1 {{'cake.store' op in role '@all' may leave %l}}
      cake.store %a, %l[%n * 64]
    }
  }
}

// -----

// Repaired.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %l: !cake.global<[N]xi32>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0 : tensor<64xi32, #cake.row<mma.acc<4x1>>>
      cake.store %a, %l[%n * 64] clip
    }
  }
}

// -----

// A copy: one row too many in front of the array for the second replica.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N mod 64 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async)
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

// A batch axis is inside by its extent.
cake.kernel @k(%x: !cake.global<[B]x[N]x64xbf16>, %q: !cake.global<[B]x64xf32>) target("sm_90a") {
  cake.tiles @work (b = B, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%b, %n) in @work {
      %a = cake.load %x[%b, %n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %c = cake.load %q[%b, 0] : tensor<64xf32, #cake.row<mma.acc<4x1>>>
    }
  }
}

// -----

// In front of the tile neither pad nor clip helps: the address would be anywhere.
cake.kernel @k(%x: !cake.global<[B]x[N]x512xbf16, align 16>, %y: !cake.global<[B]x[N]x512xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (b = B, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%b, %n) in @work {
      // expected-error@+1 {{in role '@all' may leave %x ('!cake.global<[B]x[N]x512xbf16, align 16>') in dimension 0, in front of the tile, where `pad` does not help}}
      %a = cake.load %x[%n, %n * 64, 0] pad(0.0) : tensor<64x512xbf16, #cake.vec<role, 4>>
      // expected-error@+1 {{in role '@all' may leave %y ('!cake.global<[B]x[N]x512xbf16, align 16>') in dimension 0, in front of the tile, where `clip` does not help}}
      cake.store %a, %y[%b + 1, %n * 64, 0] clip
    }
  }
}

// -----

// The near misses: a tensor map asks in every dimension; heads that share what they read; an index that loops carry.
cake.kernel @map(%x: !cake.global<[B]x[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n, %n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt[0, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
      cake.release %t
    }
  }
}

// -----

cake.kernel @heads(%x: !cake.global<[H]x[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (h = H * 4, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%h, %n) in @work {
      %a = cake.load %x[%h floordiv 4, %n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

cake.kernel @too_few_heads(%x: !cake.global<[H]x[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (h = H * 8, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%h, %n) in @work {
      // expected-error@+1 {{may leave %x ('!cake.global<[H]x[N]x64xbf16, align 16>') in dimension 0, in front of the tile}}
      %a = cake.load %x[%h floordiv 4, %n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

!A = tensor<64x512xbf16, #cake.vec<role, 4>>
cake.kernel @carried(%x: !cake.global<[B]x[N]x512xbf16, align 16>, %y: !cake.global<[B]x[N]x512xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (b = B, n = ceildiv(N, 64)) schedule(persistent)
  cake.role @all warps(4) {
    %first = cake.index (0) : index
    %end = cake.index (ceildiv(N, 64)) : index
    %nothing = cake.fill 0.0 : !A
    %last:3 = cake.items (%b, %n) in @work iter(%f = %nothing, %lb = %first, %ln = %end) {
      cake.store %f, %y[%lb, %ln * 64, 0] clip
      %a = cake.load %x[%b, %n * 64, 0] pad(0.0) : !A
      cake.yield %a, %b, %n
    }
    cake.store %last#0, %y[%last#1, %last#2 * 64, 0] clip
  }
}

// -----

!A = tensor<64x512xbf16, #cake.vec<role, 4>>
cake.kernel @carried_wrong(%x: !cake.global<[B]x[N]x512xbf16, align 16>, %y: !cake.global<[B]x[N]x512xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (b = B, n = ceildiv(N, 64)) schedule(persistent)
  cake.role @all warps(4) {
    %first = cake.index (0) : index
    %end = cake.index (ceildiv(N, 64)) : index
    %nothing = cake.fill 0.0 : !A
    %last:3 = cake.items (%b, %n) in @work iter(%f = %nothing, %lb = %first, %ln = %end) {
      // expected-error@+1 {{may leave %y ('!cake.global<[B]x[N]x512xbf16, align 16>') in dimension 0, in front of the tile, where `clip` does not help}}
      cake.store %f, %y[%ln, %lb * 64, 0] clip
      %a = cake.load %x[%b, %n * 64, 0] pad(0.0) : !A
      cake.yield %a, %b, %n
    }
  }
}

// -----

// A template is judged as its instances.
cake.kernel @groups(%x: !cake.global<[H]x[N]x64xbf16, align 16>) target("sm_90a") {
  cake.param @G = 4 in [1, 2, 4]
  cake.tiles @work (h = H * 4, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%h, %n) in @work {
      %a = cake.load %x[%h floordiv G, %n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// Grouped heads: H / G of them have one.
cake.kernel @heads(%x: !cake.global<[N]x[G]x64xbf16, align 16>, %y: !cake.global<[N]x[H]x64xbf16, align 16>) target("sm_90a") guard(H mod G eq 0, G ge 1) {
  cake.tiles @work (h = H, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%h, %n) in @work {
      %a = cake.load %x[%n * 64, %h floordiv (H floordiv G), 0] dims(0, 2) pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// Where G does not divide H, the last ones have none.
cake.kernel @heads(%x: !cake.global<[N]x[G]x64xbf16, align 16>, %y: !cake.global<[N]x[H]x64xbf16, align 16>) target("sm_90a") guard(G ge 1) {
  cake.tiles @work (h = H, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%h, %n) in @work {
      // expected-error@+1 {{may leave %x ('!cake.global<[N]x[G]x64xbf16, align 16>') in dimension 1, in front of the tile}}
      %a = cake.load %x[%n * 64, %h floordiv (H floordiv G), 0] dims(0, 2) pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
  }
}

// -----

// No padding is needed where a promise of the iterator says that the chunk is there, and the rounds of an unrolled loop are known.
cake.kernel @chunks(%g: !cake.global<[C]x64x128xf32, align 16>, %cu: !cake.global<[S1]xi32>, %ch: !cake.global<[Q]xi32>) target("sm_90a") guard(S1 eq Q + 1, Q ge 1) {
  cake.tiles @work (s = Q) let(lo = %cu[s], end = %cu[s + 1], c0 = %ch[s], len = end - lo) bound(c0 + ceildiv(len, 64) le C) steps(i = ceildiv(len, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%s) in @work {
      cake.steps (%i) in @work {
        cake.unroll %r = 0 to 2 {
          %a = cake.load %g[c0 + %i, 0, %r * 64] : tensor<64x64xf32, #cake.mma.acc<4x1>>
        }
      }
    }
  }
}

// -----

// One chunk further there may be none.
// expected-note@+1 {{its `guard` does not say enough}}
cake.kernel @chunks(%g: !cake.global<[C]x64x128xf32, align 16>, %cu: !cake.global<[S1]xi32>, %ch: !cake.global<[Q]xi32>) target("sm_90a") guard(S1 eq Q + 1, Q ge 1) {
  cake.tiles @work (s = Q) let(lo = %cu[s], end = %cu[s + 1], c0 = %ch[s], len = end - lo) bound(c0 + ceildiv(len, 64) le C) steps(i = ceildiv(len, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%s) in @work {
      cake.steps (%i) in @work {
        cake.unroll %r = 0 to 2 {
          // expected-error@+1 {{may leave %g}}
          %a = cake.load %g[c0 + %i + 1, 0, %r * 64] : tensor<64x64xf32, #cake.mma.acc<4x1>>
        }
      }
    }
  }
}

// -----

// The last round goes too far.
// expected-note@+1 {{its `guard` does not say enough}}
cake.kernel @chunks(%g: !cake.global<[C]x64x128xf32, align 16>, %cu: !cake.global<[S1]xi32>, %ch: !cake.global<[Q]xi32>) target("sm_90a") guard(S1 eq Q + 1, Q ge 1) {
  cake.tiles @work (s = Q) let(lo = %cu[s], end = %cu[s + 1], c0 = %ch[s], len = end - lo) bound(c0 + ceildiv(len, 64) le C) steps(i = ceildiv(len, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%s) in @work {
      cake.steps (%i) in @work {
        cake.unroll %r = 0 to 2 {
          // expected-error@+1 {{may leave %g}}
          %a = cake.load %g[c0 + %i, 0, %r * 64 + 1] : tensor<64x64xf32, #cake.mma.acc<4x1>>
        }
      }
    }
  }
}
