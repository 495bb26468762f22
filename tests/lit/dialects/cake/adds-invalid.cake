// What a slot that is added to an array must not be.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

!F = tensor<64x128xf8E4M3FN, #cake.vec<role, 16>>
cake.kernel @k(%y: !cake.global<[M]x128xf8E4M3FN, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x128xf8E4M3FN, rows>)
  cake.tiles @work (p = 2, m = ceildiv(M, 64)) schedule(grid)
  cake.role @use warps(4) {
    cake.items (%p, %m) in @work {
      %f = cake.fill 1.0 : !F
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{adds elements of type 'f8E4M3FN' to an array; cp.reduce.async.bulk.tensor .add takes f32, f16, bf16 and i32}}
      cake.commit %o to(%y[%m * 64, 0]) reduce add
    }
  }
}

// -----

!F = tensor<64x128xi8, #cake.vec<role, 16>>
cake.kernel @k(%y: !cake.global<[M]x128xi8, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x128xi8, rows>)
  cake.tiles @work (p = 2, m = ceildiv(M, 64)) schedule(grid)
  cake.role @use warps(4) {
    cake.items (%p, %m) in @work {
      %f = cake.fill 1 : !F
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{adds elements of type 'i8' to an array; cp.reduce.async.bulk.tensor .add takes f32, f16, bf16 and i32}}
      cake.commit %o to(%y[%m * 64, 0]) reduce add
    }
  }
}

// -----

!F = tensor<64x128xf32, #cake.vec<warp, 4>>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (p = 2, m = ceildiv(M, 64)) schedule(grid)
  cake.role @use warps(4) {
    cake.items (%p, %m) in @work {
      %f = cake.fill 1.0 : !F
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{has no 'reduce' of "max"; the store engine can `add`}}
      cake.commit %o to(%y[%m * 64, 0]) reduce max
    }
  }
}

// -----

!F = tensor<64x128xf32, #cake.vec<warp, 4>>
cake.kernel @k(%y: !cake.global<[M]x128xf32, align 16, readonly>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (p = 2, m = ceildiv(M, 64)) schedule(grid)
  cake.role @use warps(4) {
    cake.items (%p, %m) in @work {
      %f = cake.fill 1.0 : !F
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // expected-error@+1 {{writes an array that is declared `readonly`}}
      cake.commit %o to(%y[%m * 64, 0]) reduce add
    }
  }
}

// -----

cake.kernel @role(%x: !cake.global<[M]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%m * 64, 0] -> %xs via(tma) pad(0.0)
      // expected-error@+1 {{has 'reduce', but no array; it is said of `to(%array[…])`}}
      cake.commit %s reduce add
    }
  }
  cake.role @use warps(4) {
    cake.items (%m) in @work {
      %s, %xs = cake.wait @ring
      %f = cake.get %xs : tensor<64x64xf32, #cake.vec<role, 4>>
      cake.release %s
    }
  }
}

// -----

// What the machine lacks is refused by the rule about targets.
!F = tensor<64x128xf32, #cake.vec<warp, 4>>
cake.kernel @old(%y: !cake.global<[M]x128xf32, align 16>) target("sm_80") {
  // expected-error@+1 {{needs tma and bulk copies, which target sm_80 lacks}}
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x128xf32, rows>)
  cake.tiles @work (p = 2, m = ceildiv(M, 64)) schedule(grid)
  cake.role @use warps(4) {
    cake.items (%p, %m) in @work {
      %f = cake.fill 1.0 : !F
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 64, 0]) reduce add
    }
  }
}
