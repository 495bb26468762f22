// Rule padding: scores of centroids behind the last one were masked with 0, a legal score, and won where all others were negative (PAD_NOT_NEUTRAL).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The mask fills with a value that can win the maximum.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        // expected-error@+1 {{fills with 0.000000e+00 : f32, which can win the running maximum}}
        %m = cake.mask %s keep(col + %k * 64 lt K) fill(0.0)
        // expected-note@+1 {{the running best is here}}
        %best = cake.best %m at(%k * 64) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// The repaired program.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %m = cake.mask %s keep(col + %k * 64 lt K) fill(-inf)
        %best = cake.best %m at(%k * 64) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// The same for distances: inf cannot win the minimum.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %m = cake.mask %s keep(col + %k * 64 lt K) fill(inf)
        %best = cake.best %m at(%k * 64) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// But -inf can.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        // expected-error@+1 {{which can win the running minimum}}
        %m = cake.mask %s keep(col + %k * 64 lt K) fill(-inf)
        // expected-note@+1 {{the running best is here}}
        %best = cake.best %m at(%k * 64) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// No mask at all.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00 : bf16 here}}
          %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        // expected-error@+1 {{in role '@all' takes padding behind the end of %c as candidates}}
        %best = cake.best %s at(%k * 64) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// Legal: `keep` passes padding over.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %best = cake.best %s at(%k * 64) keep(col + %k * 64 lt K) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// Legal: the same, said otherwise.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %best = cake.best %s at(%k * 64) keep(K gt 64 * %k + col, col + %k * 64 le K - 1) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// A `keep` that keeps one column too many.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00 : bf16 here}}
          %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        // expected-error@+1 {{takes padding behind the end of %c}}
        %best = cake.best %s at(%k * 64) keep(col + %k * 64 le K) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// A `keep` about something else.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00 : bf16 here}}
          %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        // expected-error@+1 {{takes padding behind the end of %c}}
        %best = cake.best %s at(%k * 64) keep(col lt K) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// Arithmetic between mask and best loses the mask.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00 : bf16 here}}
          %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %m = cake.mask %s keep(col + %k * 64 lt K) fill(-inf)
        %t = arith.mulf %m, %zero : !Acc
        // expected-error@+1 {{takes padding behind the end of %c}}
        %best = cake.best %t at(%k * 64) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// Legal: nothing is padded, by the guard.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") guard(K mod 64 eq 0) {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %best = cake.best %s at(%k * 64) into(%so_far)
        cake.yield %best
      }
    }
  }
}

// -----

// Padding of the summed dimension must be 0.
cake.kernel @k(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x48xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      // expected-note@+1 {{elements behind the end of dimension 1 become 1.000000e+00 : bf16 here}}
      %cb = cake.load %c[0, 0] pad(1.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %zero = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{in role '@all' sums over padding of %c that is not 0}}
      %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
    }
  }
}

// -----

// Legal: any finite number times 0.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(1.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// Legal: the same on the other side.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64] pad(-2.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// One of both must be 0.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        // expected-note@+1 {{elements behind the end of dimension 1 become 1.000000e+00 : bf16 here}}
        %as = cake.load %a[%m * 64, %k * 64] pad(1.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64] pad(1.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        // expected-error@+1 {{sums over padding of %a that is not 0}}
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// An infinite number times 0 is none.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        // expected-note@+1 {{become 0x7F80 : bf16 here}}
        %as = cake.load %a[%m * 64, %k * 64] pad(inf) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        // expected-error@+1 {{sums over padding of %a that is not 0}}
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// Nor is NaN.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        // expected-note@+1 {{become 0x7FC0 : bf16 here}}
        %bs = cake.load %b[%n * 64, %k * 64] pad(nan) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        // expected-error@+1 {{sums over padding of %b that is not 0}}
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// The other side ends later: there the padding meets numbers.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[L]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        // expected-note@+1 {{elements behind the end of dimension 1 become 1.000000e+00}}
        %as = cake.load %a[%m * 64, %k * 64] pad(1.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        // expected-error@+1 {{sums over padding of %a that is not 0}}
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// Legal: it ends earlier.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(1.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64 + 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// The other side is padded along another dimension alone.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x64xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        // expected-note@+1 {{elements behind the end of dimension 1 become 1.000000e+00}}
        %as = cake.load %a[%m * 64, %k * 64] pad(1.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        // expected-error@+1 {{sums over padding of %a that is not 0}}
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// What a loop carries comes from another round: its zeros begin elsewhere.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      // expected-note@+1 {{elements behind the end of dimension 1 become 1.000000e+00}}
      %first = cake.load %a[%m * 64, 0] pad(1.0) : !A
      %sum, %last = cake.steps (%k) in @work iter(%so_far = %zero, %as = %first) {
        %bs = cake.load %b[%n * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        // expected-error@+1 {{sums over padding of %a that is not 0}}
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        %next = cake.load %a[%m * 64, %k * 64] pad(1.0) : !A
        cake.yield %more, %next
      }
    }
  }
}

// -----

// Legal: the zeros of the other side come through a slot.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @k(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %t, %bt = cake.acquire @ring
        cake.copy %b[%n * 64, %k * 64] -> %bt via(tma) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(1.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %t, %bt = cake.wait @ring
        %bs = cake.get %bt : tensor<64x64xbf16, #cake.mma.b<4x1>>
        cake.release %t
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
    }
  }
}

// -----

// Legal: tiles go backwards from the last one, so that all but the first lie inside of the array.
!H = tensor<64x64xbf16, #cake.wgmma.acc>
!F = tensor<64x64xf32, #cake.wgmma.acc>
!R = tensor<64xf32, #cake.row<wgmma.acc>>
!P = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @k(%q: !cake.global<[T]x64xbf16, align 16>, %x: !cake.global<[T]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @queries stages(1) from(@load) to(@use) slot(q: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(T, 64)) steps(n = m + 1) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %a, %qs = cake.acquire @queries
      cake.copy %q[%m * 64, 0] -> %qs via(tma) pad(0.0)
      cake.commit %a
      cake.steps (%n) in @work {
        %t, %xt = cake.acquire @ring
        cake.copy %x[(%m - %n) * 64, 0] -> %xt via(tma) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %a, %qs = cake.wait @queries
      %t0, %x0 = cake.wait @ring
      %z0 = cake.zero : !P
      %p0 = cake.mma %z0, %qs * %x0 form(wgmma.m64n64k16.nt)
      %s0 = cake.await %p0 : !F
      cake.release %t0
      %m0 = cake.mask %s0 keep(col + %m * 64 lt T) fill(-inf)
      %r0 = cake.reduce max %m0 axis(1) nan(last) : !R
      cake.steps (%n) in @work from(1) {
        %t1, %x1 = cake.wait @ring
        %z1 = cake.zero : !P
        %p1 = cake.mma %z1, %qs * %x1 form(wgmma.m64n64k16.nt)
        %s1 = cake.await %p1 : !F
        cake.release %t1
        %r1 = cake.reduce max %s1 axis(1) nan(last) : !R
      }
      cake.release %a
    }
  }
}

// -----

// The first one does not.
!H = tensor<64x64xbf16, #cake.wgmma.acc>
!F = tensor<64x64xf32, #cake.wgmma.acc>
!R = tensor<64xf32, #cake.row<wgmma.acc>>
!P = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @k(%q: !cake.global<[T]x64xbf16, align 16>, %x: !cake.global<[T]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @queries stages(1) from(@load) to(@use) slot(q: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(T, 64)) steps(n = m + 1) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %a, %qs = cake.acquire @queries
      cake.copy %q[%m * 64, 0] -> %qs via(tma) pad(0.0)
      cake.commit %a
      cake.steps (%n) in @work {
        %t, %xt = cake.acquire @ring
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00}}
        cake.copy %x[(%m - %n) * 64, 0] -> %xt via(tma) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %a, %qs = cake.wait @queries
      %t0, %x0 = cake.wait @ring
      %z0 = cake.zero : !P
      %p0 = cake.mma %z0, %qs * %x0 form(wgmma.m64n64k16.nt)
      %s0 = cake.await %p0 : !F
      cake.release %t0
      // expected-error@+1 {{reduces padding behind the end of %x}}
      %r0 = cake.reduce max %s0 axis(1) nan(last) : !R
      cake.steps (%n) in @work from(1) {
        %t1, %x1 = cake.wait @ring
        %z1 = cake.zero : !P
        %p1 = cake.mma %z1, %qs * %x1 form(wgmma.m64n64k16.nt)
        %s1 = cake.await %p1 : !F
        cake.release %t1
        %r1 = cake.reduce max %s1 axis(1) nan(last) : !R
      }
      cake.release %a
    }
  }
}

// -----

// Nor do others when the loop begins with it.
!H = tensor<64x64xbf16, #cake.wgmma.acc>
!F = tensor<64x64xf32, #cake.wgmma.acc>
!R = tensor<64xf32, #cake.row<wgmma.acc>>
!P = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @k(%q: !cake.global<[T]x64xbf16, align 16>, %x: !cake.global<[T]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @queries stages(1) from(@load) to(@use) slot(q: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(T, 64)) steps(n = m + 1) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %a, %qs = cake.acquire @queries
      cake.copy %q[%m * 64, 0] -> %qs via(tma) pad(0.0)
      cake.commit %a
      cake.steps (%n) in @work {
        %t, %xt = cake.acquire @ring
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00}}
        cake.copy %x[(%m - %n) * 64, 0] -> %xt via(tma) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %a, %qs = cake.wait @queries
      cake.steps (%n) in @work {
        %t1, %x1 = cake.wait @ring
        %z1 = cake.zero : !P
        %p1 = cake.mma %z1, %qs * %x1 form(wgmma.m64n64k16.nt)
        %s1 = cake.await %p1 : !F
        cake.release %t1
        // expected-error@+1 {{reduces padding behind the end of %x}}
        %r1 = cake.reduce max %s1 axis(1) nan(last) : !R
      }
      cake.release %a
    }
  }
}

// -----

// Legal: a row takes no column behind it, and rows behind the end, which would take padding, are not stored.
!H = tensor<64x64xbf16, #cake.wgmma.acc>
!F = tensor<64x64xf32, #cake.wgmma.acc>
!R = tensor<64xf32, #cake.row<wgmma.acc>>
!P = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @k(%q: !cake.global<[T]x64xbf16, align 16>, %x: !cake.global<[T]x64xbf16, align 16>, %y: !cake.global<[T]xf32>) target("sm_90a") {
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(q: !cake.shared<64x64xbf16, sw128>, x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(T, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %t, %qs, %xs = cake.acquire @ring
      cake.copy %q[%m * 64, 0] -> %qs via(tma) pad(0.0)
      cake.copy %x[%m * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %t, %qs, %xs = cake.wait @ring
      %z = cake.zero : !P
      %p = cake.mma %z, %qs * %xs form(wgmma.m64n64k16.nt)
      %s = cake.await %p : !F
      cake.release %t
      %c = cake.mask %s keep(row ge col) fill(-inf)
      %r = cake.reduce max %c axis(1) nan(last) : !R
      cake.store %r, %y[%m * 64] keep(row + %m * 64 lt T)
    }
  }
}

// -----

// The row behind the last would be stored.
!H = tensor<64x64xbf16, #cake.wgmma.acc>
!F = tensor<64x64xf32, #cake.wgmma.acc>
!R = tensor<64xf32, #cake.row<wgmma.acc>>
!P = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @k(%q: !cake.global<[T]x64xbf16, align 16>, %x: !cake.global<[T]x64xbf16, align 16>, %y: !cake.global<[T]xf32>) target("sm_90a") {
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(q: !cake.shared<64x64xbf16, sw128>, x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(T, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %t, %qs, %xs = cake.acquire @ring
      cake.copy %q[%m * 64, 0] -> %qs via(tma) pad(0.0)
      // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00}}
      cake.copy %x[%m * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %t, %qs, %xs = cake.wait @ring
      %z = cake.zero : !P
      %p = cake.mma %z, %qs * %xs form(wgmma.m64n64k16.nt)
      %s = cake.await %p : !F
      cake.release %t
      %c = cake.mask %s keep(row ge col) fill(-inf)
      // expected-error@+1 {{reduces padding behind the end of %x}}
      %r = cake.reduce max %c axis(1) nan(last) : !R
      cake.store %r, %y[%m * 64] keep(row + %m * 64 lt T + 1)
    }
  }
}

// -----

// A 0 behind the end of the array adds nothing, also as a square.
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

// Masked by what is neutral; and a sum that something was added to.
!F = tensor<1x256xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @masked(%x: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @w (m = M, n = ceildiv(N, 256)) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%m, %n) in @w {
      // expected-note @+1 {{elements behind the end of dimension 1 become 0.000000e+00 : f32 here}}
      %f = cake.load %x[%m, %n * 256] pad(0.0) : !F
      %k = cake.mask %f keep(col + %n * 256 lt N) fill(-inf)
      %r = cake.reduce max %k axis(1) nan(last) : !R
      %one = cake.fill 1.0 : !F
      %g = arith.addf %f, %one : !F
      // expected-error @+1 {{reduces padding behind the end of %x, which is not neutral}}
      %s = cake.reduce add %g axis(1) : !R
    }
  }
}

// -----

// Half of a tile: column 0 of what is compared is column 64 of the tile, which the predicate does not say.
!Acc = tensor<64x128xf32, #cake.mma.acc<4x1>>
!Half = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @slices(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 128)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00 : bf16 here}}
        %cb = cake.load %c[%k * 128, 0] pad(0.0) : tensor<128x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %left = cake.slice %s[0, 0] : !Half
        %right = cake.slice %s[0, 64] : !Half
        %b0 = cake.best %left at(%k * 128) keep(col + %k * 128 lt K) into(%so_far)
        // expected-error@+1 {{takes padding behind the end of %c as candidates}}
        %b1 = cake.best %right at(%k * 128 + 64) keep(col + %k * 128 lt K) into(%b0)
        cake.yield %b1
      }
    }
  }
}

// -----

// The repaired program.
!Acc = tensor<64x128xf32, #cake.mma.acc<4x1>>
!Half = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @slices(%x: !cake.global<[N]x64xbf16>, %c: !cake.global<[K]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 128)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 128, 0] pad(0.0) : tensor<128x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %left = cake.slice %s[0, 0] : !Half
        %right = cake.slice %s[0, 64] : !Half
        %b0 = cake.best %left at(%k * 128) keep(col + %k * 128 lt K) into(%so_far)
        %b1 = cake.best %right at(%k * 128 + 64) keep(col + %k * 128 + 64 lt K) into(%b0)
        cake.yield %b1
      }
    }
  }
}

// -----

// A role that does an item's first steps before its loop: the n-th wait takes the slot of step n, so that is what its `keep` must say.
!Pending = !cake.pending<64x64xf32, wgmma.acc>
!Acc = tensor<64x64xf32, #cake.wgmma.acc>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, wgmma.acc>
cake.kernel @peeled(%c: !cake.global<[K]x64xbf16, align 16>, %label: !cake.global<[N]xi32>) target("sm_90a") guard(K ge 129) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(c: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %cs = cake.acquire @ring
        // expected-note@+1 {{elements behind the end of dimension 0 become 0.000000e+00 : bf16 here}}
        cake.copy %c[%k * 64, 0] -> %cs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %none = cake.best.init : !Best
      %t, %c0 = cake.wait @ring
      %z0 = cake.zero : !Pending
      %p0 = cake.mma %z0, %c0 * %c0 form(wgmma.m64n64k16.nt)
      %f0 = cake.await %p0 : !Acc
      cake.release %t
      %b0 = cake.best %f0 at(0) keep(col lt K) into(%none)
      %u, %c1 = cake.wait @ring
      %z1 = cake.zero : !Pending
      %p1 = cake.mma %z1, %c1 * %c1 form(wgmma.m64n64k16.nt)
      %f1 = cake.await %p1 : !Acc
      cake.release %u
      // expected-error@+1 {{takes padding behind the end of %c as candidates}}
      %b1 = cake.best %f1 at(64) keep(col lt K) into(%b0)
      %last = cake.steps (%k) in @work from(2) iter(%so_far = %b1) {
        %v, %cs = cake.wait @ring
        %z = cake.zero : !Pending
        %p = cake.mma %z, %cs * %cs form(wgmma.m64n64k16.nt)
        %f = cake.await %p : !Acc
        cake.release %v
        %b = cake.best %f at(%k * 64) keep(col + %k * 64 lt K) into(%so_far)
        cake.yield %b
      }
      %value, %index = cake.settle %last
      cake.store %index, %label[%n * 64] clip
    }
  }
}

// -----

// What an iterator promises, and sums of exponentials of what is masked with -inf.
!S = !cake.pending<64x64xf32, wgmma.acc>
!F = tensor<64x64xf32, #cake.wgmma.acc>
!R = tensor<64xf32, #cake.row<wgmma.acc>>
cake.kernel @promised(%k: !cake.global<[T]x64xbf16, align 16>, %cu: !cake.global<[S1]xi32>, %y: !cake.global<[S1]x64xf32>) target("sm_90a") sizes(LMAX) {
  cake.pipeline @p stages(1) from(@load) to(@use) slot(k: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (s = S1 - 1) let(lo = %cu[s], end = %cu[s + 1], len = end - lo) bound(lo + len le T, len le LMAX) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%s) in @work {
      %a, %ks = cake.acquire @p
      // expected-note@+2 {{elements behind the end of dimension 0 become}}
      // expected-note@+1 {{elements behind the end of dimension 0 become}}
      cake.copy %k[lo, 0] -> %ks via(tma) pad(0.0)
      cake.commit %a
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%s) in @work {
      %a, %ks = cake.wait @p
      %z = cake.zero : !S
      %q = cake.mma %z, %ks * %ks form(wgmma.m64n64k16.nt)
      %f = cake.await %q : !F
      cake.release %a
      // The first `len` columns are of the sequence, which ends inside of the array.
      %m = cake.mask %f keep(col lt len) fill(-inf)
      %most = cake.reduce max %m axis(1) nan(last) : !R
      %mf = cake.spread %most : !F
      %d = arith.subf %m, %mf : !F
      %e = math.exp2 %d fastmath<afn> : !F
      %sum = cake.reduce add %e axis(1) : !R
      cake.store %sum, %y[%s, 0]
      // Not with one column more, and not without the mask.
      %n = cake.mask %f keep(col le len) fill(-inf)
      // expected-error@+1 {{reduces padding behind the end of %k, which is not neutral}}
      %more = cake.reduce max %n axis(1) nan(last) : !R
      %g = math.exp2 %f fastmath<afn> : !F
      // expected-error@+1 {{reduces padding behind the end of %k, which is not neutral}}
      %all = cake.reduce add %g axis(1) : !R
    }
  }
}

// -----

// Blocks of rows that are added up: what is behind the end counts, unless it is 0.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @folded(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<64x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 0 become}}
      %f = cake.load %x[%n * 64, 0] pad(1.0) : !F
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      // expected-error@+1 {{in role '@all' adds padding behind the end of %x that may not be 0}}
      cake.commit %s to(%y[0, 0]) reduce add
    }
  }
}

// -----

!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @folded_zeros(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<64x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      cake.commit %s to(%y[0, 0]) reduce add
    }
  }
}

// -----

// The exponential of 0 is none.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @folded_lost(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<64x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 0 become}}
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      %e = math.exp %f : !F
      %s, %ys = cake.acquire @out
      cake.put %e, %ys
      // expected-error@+1 {{in role '@all' adds padding behind the end of %x that may not be 0}}
      cake.commit %s to(%y[0, 0]) reduce add
    }
  }
}

// -----

// Rows that go to the same rows of the array are dropped there.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @dropped(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 64, 0] pad(1.0) : !F
      %e = math.exp %f : !F
      %s, %ys = cake.acquire @out
      cake.put %e, %ys
      cake.commit %s to(%y[%n * 64, 0]) reduce add
    }
  }
}

// -----

// Not where they go to rows in front of those.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @moved(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 0 become}}
      %f = cake.load %x[%n * 64 + 8, 0] pad(1.0) : !F
      %e = math.exp %f : !F
      %s, %ys = cake.acquire @out
      cake.put %e, %ys
      // expected-error@+1 {{in role '@all' adds padding behind the end of %x that may not be 0}}
      cake.commit %s to(%y[%n * 64, 0]) reduce add
    }
  }
}
