// https://github.com/tile-ai/tilelang/issues/460
// A tensor copy of rows whose stride need not be a multiple of 16 bytes (TMA_STRIDE). An assumption is the kernel's guard, which the launcher
// checks.
// RUN: cake-opt --verify-diagnostics --split-input-file %s
// RUN: not cake-opt --split-input-file %s 2>&1 | FileCheck %s
// CHECK: fix: add `N mod 8 eq 0` to the kernel's guard, or copy with cp_async

// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%b: !cake.global<[K]x[N]xf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(b: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (k = ceildiv(K, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.acquire @p
      // expected-error@+1 {{via tma needs strides that are multiples of 16 bytes, but that of dimension 0 of %b}}
      cake.copy %b[%k * 64, %n * 64] -> %bs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.wait @p
      cake.release %s
    }
  }
}

// -----

// Too weak an assumption.
// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%b: !cake.global<[K]x[N]xf16, align 16>) target("sm_90a") guard(N mod 4 eq 0) {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(b: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (k = ceildiv(K, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.acquire @p
      // expected-error@+1 {{via tma needs strides that are multiples of 16 bytes, but that of dimension 0 of %b}}
      cake.copy %b[%k * 64, %n * 64] -> %bs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.wait @p
      cake.release %s
    }
  }
}

// -----

// Controls: the assumption, and a way to copy that asks for less.
cake.kernel @k(%b: !cake.global<[K]x[N]xf16, align 16>) target("sm_90a") guard(N mod 8 eq 0) {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(b: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (k = ceildiv(K, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.acquire @p
      cake.copy %b[%k * 64, %n * 64] -> %bs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.wait @p
      cake.release %s
    }
  }
}

// -----

cake.kernel @k(%b: !cake.global<[K]x[N]xf16, align 16>) target("sm_90a") guard(N mod 2 eq 0) {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(b: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (k = ceildiv(K, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.acquire @p
      cake.copy %b[%k * 64, %n * 64] -> %bs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.wait @p
      cake.release %s
    }
  }
}

// -----

// A sibling: the array's address is not known to be a multiple of 16 bytes.
// expected-note@+1 {{the array is declared here}}
cake.kernel @k(%b: !cake.global<[K]x[N]xf16>) target("sm_90a") guard(N mod 8 eq 0) {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(b: !cake.shared<64x64xf16, sw128>)
  cake.tiles @work (k = ceildiv(K, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.acquire @p
      // expected-error@+1 {{via tma needs addresses that are multiples of 16 bytes}}
      cake.copy %b[%k * 64, %n * 64] -> %bs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%k, %n) in @work {
      %s, %bs = cake.wait @p
      cake.release %s
    }
  }
}
