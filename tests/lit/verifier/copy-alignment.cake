// Rule copy-alignment: what tensor copies, bulk copies and cp.async ask of addresses, strides and boxes (TMA_STRIDE, ALIGNMENT).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// A tensor map over rows whose length nobody knows cannot be encoded: the stride may be no multiple of 16 bytes.
// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%x: !cake.global<[N]x[M]xf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{via tma needs strides that are multiples of 16 bytes, but that of dimension 0 of %x ('!cake.global<[N]x[M]xf16, align 16>') need not be one}}
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

// Repaired by the guard.
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

// Not by one that says too little.
// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%x: !cake.global<[N]x[M]xf16, align 16>) target("sm_90a") guard(M mod 4 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{via tma needs strides}}
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

// Legal: cp_async moves 4 bytes where M is even.
cake.kernel @k(%x: !cake.global<[N]x[M]xf16, align 16>) target("sm_90a") guard(M mod 2 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xf16, sw128>)
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
      cake.release %t
    }
  }
}

// -----

// But not 2 bytes.
// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%x: !cake.global<[N]x[M]xf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{via cp_async needs strides that are multiples of 4 bytes}}
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
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

// The address.
// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{via tma needs addresses that are multiples of 16 bytes, but %x ('!cake.global<[N]x64xbf16>') promises 2}}
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

// A box of too many rows.
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

// A row that is no multiple of 16 bytes.
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

// A bulk copy is one run of bytes.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N mod 64 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(bulk)
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

// Narrower than the array, it is many.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(N mod 64 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x32xbf16, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{via bulk copies one run of bytes, but the tile is not as wide as %x in dimension 1}}
      cake.copy %x[%n * 64, 0] -> %xs via(bulk)
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

// A tile that starts inside of a word.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{needs tiles that start at multiples of 4 bytes in a row, but this starts at element 1 of %x}}
      cake.copy %x[%n * 64, 1] -> %xs via(cp_async) pad(0.0)
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

// The store engine takes what tensor copies take.
// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%y: !cake.global<[M]x[N]xf32>) target("sm_90a") guard(N mod 4 eq 0) {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(persistent)
  cake.role @use warpgroups(1) {
    cake.items (%m, %n) in @work {
      %f = cake.fill 1.0 : tensor<64x64xf32, #cake.wgmma.acc>
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{via the store engine needs addresses that are multiples of 16 bytes, but %y ('!cake.global<[M]x[N]xf32>') promises 4}}
      cake.commit %o to(%y[%m * 64, %n * 64])
    }
  }
}

// -----

// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%y: !cake.global<[M]x[N]xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(persistent)
  cake.role @use warpgroups(1) {
    cake.items (%m, %n) in @work {
      %f = cake.fill 1.0 : tensor<64x64xf32, #cake.wgmma.acc>
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{via the store engine needs strides that are multiples of 16 bytes, but that of dimension 0 of %y ('!cake.global<[M]x[N]xf32, align 16>') need not be one}}
      cake.commit %o to(%y[%m * 64, %n * 64])
    }
  }
}

// -----

cake.kernel @k(%y: !cake.global<[M]x[N]xf32, align 16>) target("sm_90a") guard(N mod 4 eq 0) {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(persistent)
  cake.role @use warpgroups(1) {
    cake.items (%m, %n) in @work {
      %f = cake.fill 1.0 : tensor<64x64xf32, #cake.wgmma.acc>
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 64, %n * 64])
    }
  }
}
