// Clusters and multicasts that are refused (CLUSTER).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// expected-note@+1 {{the kernel is here}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{is a multicast, but the kernel has no clusters}}
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

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{has the multicast mask 4 in CTA 0; a cluster of 2 has masks 1 to 3}}
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0) multicast(4)
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

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{has the multicast mask 0 in CTA 0; a cluster of 2 has masks 1 to 3}}
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0) multicast(0)
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

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{has the multicast mask 3 in CTA 0, but 2 in CTA 1 of that mask: they must agree}}
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0) multicast(3 - rank)
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

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{is a multicast, which only `via(tma)` can be}}
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0) multicast(3)
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

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{is a multicast, but CTAs 0 and 1 of its mask name different tiles: d0 * 128 + rank * 64}}
      cake.copy %x[%n * 128 + rank * 64, 0] -> %xs via(tma) pad(0.0) multicast(3)
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

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<8x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{is a multicast of 8 rows by 2 CTAs; each fetches a multiple of 8 rows}}
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

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<1x64xbf16, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{is a multicast of 1 rows by 2 CTAs; each fetches a multiple of 128 bytes of rows}}
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

// -----

// Where the index comes from is not known to be the same in both CTAs.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(2) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %at = cake.index (%n * 64 + rank) : index
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{which may differ between CTAs; only items, steps, constants and `rank` written in place are known to agree}}
      cake.copy %x[%at, 0] -> %xs via(tma) pad(0.0) multicast(3)
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

// expected-error@+1 {{has clusters of [2, 5] CTAs; 1 to 8 are portable}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") cluster(2, 5) {
  cake.role @all warps(1) {
  }
}

// -----

// expected-error@+1 {{has clusters of [0] CTAs; 1 to 8 are portable}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") cluster(0) {
  cake.role @all warps(1) {
  }
}

// -----

// expected-error@+1 {{has clusters of [16] CTAs; 1 to 8 are portable}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") cluster(16) {
  cake.role @all warps(1) {
  }
}

// -----

// expected-error@+1 {{has a cluster of 3 dimensions; 1 or 2 are possible}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") cluster(2, 1, 1) {
  cake.role @all warps(1) {
  }
}
