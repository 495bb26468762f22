// What pipelines to the store engine, put, unrolled loops and groups of items must not be.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// What stands: a fragment goes out through a slot.
!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 128 + instance * 64, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  // expected-error@+1 {{needs either `to(@role)` or `to(store)`}}
  cake.pipeline @out stages(1) from(@use each) to(@use store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 128 + instance * 64, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  // expected-error@+1 {{`each` gives a replica slots that nobody else can empty; it needs `to(store)`}}
  cake.pipeline @out stages(1) from(@use each) to(@use) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  // expected-error@+1 {{has 2 parts a slot; one store writes one part}}
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>, z: !cake.shared<64xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  // expected-error@+1 {{the store engine reads swizzled storage and `rows` without padding}}
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows<pad 16>>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      // expected-error@+1 {{role '@use' empties pipeline '@out', but the store engine does that}}
      %o, %c = cake.wait @out
      cake.release %o
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{does not say where a slot of pipeline '@out' is stored}}
      cake.commit %o
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      // expected-error@+1 {{stores a slot of pipeline '@ring', which a role empties}}
      cake.commit %s to(%x[%n * 64, 0])
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

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xbf16, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{elements of array and view: 'bf16' and 'f32' differ}}
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16, readonly>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{writes an array that is declared `readonly`}}
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{has 1 coordinate(s), but the array has 2 dimension(s)}}
      cake.commit %o to(%y[%m * 128])
    }
  }
}

// -----

// Parts of a fragment.
!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      // expected-error@+1 {{fills a view '!cake.shared<64x64xf32, rows>' with a fragment 'tensor<64x128xf32, #cake.wgmma.acc>' of another size}}
      cake.put %f, %c
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<32x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      // expected-error@+1 {{takes 32 rows of 'tensor<64x128xf32, #cake.wgmma.acc>'; only columns can be cut}}
      cake.put %f[32, 0], %c
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      // expected-error@+1 {{reads 64 elements from 96 on of dimension 1, which has 128}}
      cake.put %f[0, 96], %c
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      // expected-error@+1 {{'value_off' must be made of constants, parameters, `instance` and indices of `cake.unroll`}}
      cake.put %f[0, %m], %c
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %r = cake.fill 1.0 : tensor<64xf32, #cake.row<wgmma.acc>>
      %o, %c = cake.acquire @out
      // expected-error@+1 {{no instruction writes 'tensor<64xf32, #cake.row<wgmma.acc>>' into '!cake.shared<64xf32, rows>'}}
      cake.put %r, %c
      cake.commit %o to(%y[%m * 128])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xbf16, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xbf16, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      // expected-error@+1 {{elements of fragment and view: 'f32' and 'bf16' differ}}
      cake.put %f, %c
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      // expected-error@+1 {{is made by cake-expand-pipelines; a role commits a slot of a pipeline `to(store)`}}
      cake.store_view %c, %y[%m * 128, 0]
      cake.put %f, %c
      cake.commit %o to(%y[%m * 128, 0])
    }
  }
}

// -----

// Loops that are unrolled, and groups of items.
!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      // expected-error@+1 {{has 1000 rounds; at most 256 are unrolled}}
      cake.unroll %j = 0 to 1000 {
      }
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      // expected-error@+1 {{has 1 argument(s) in its body; 1 index(es) and 1 carried value(s) were expected}}
      %u = "cake.unroll"(%m) <{lower = #cake.expr<0>, upper = #cake.expr<2>}> ({
      ^bb0(%j: index):
        "cake.yield"(%m) : (index) -> ()
      }) : (index) -> index
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  // expected-error@+1 {{groups axis 'q', which it does not have}}
  cake.tiles @work (m = 4) schedule(grid, group<q, 8>)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
    }
  }
}

// -----

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  // expected-error@+1 {{group must be from 1 to 2147483647, but is 0}}
  cake.tiles @work (m = 4) schedule(grid, group<m, 0>)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
    }
  }
}

// -----

// Columns of a fragment.
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.tiles @work (m = 4) schedule(grid)
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %fine = cake.slice %f[0, 64] : tensor<64x64xf32, #cake.wgmma.acc>
      // expected-error@+1 {{takes columns of an accumulator, of its form and type, but got 'tensor<64x64xf16, #cake.wgmma.acc>' of 'tensor<64x128xf32, #cake.wgmma.acc>'}}
      %a = cake.slice %f[0, 64] : tensor<64x64xf16, #cake.wgmma.acc>
      // expected-error@+1 {{reads 64 elements from 96 on of dimension 1, which has 128}}
      %b = cake.slice %f[0, 96] : tensor<64x64xf32, #cake.wgmma.acc>
      // expected-error@+1 {{starts at 8 in dimension 1}}
      %c = cake.slice %f[0, 8] : tensor<64x64xf32, #cake.wgmma.acc>
      // expected-error@+1 {{has 1 coordinate(s) in 'off'; a fragment has 2}}
      %d = cake.slice %f[0] : tensor<64x64xf32, #cake.wgmma.acc>
    }
  }
}
