// Rule launch-order (LAUNCH_ORDER): a kernel that may begin early waits before it touches data of the grid in front.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

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

// Weights that nobody writes may be fetched before.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%x: !cake.global<[R]x64xf32, readonly, align 8>, %y: !cake.global<[R]x64xf32, align 8>) target("sm_90a") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.load %x[%r * 4, 0] pad(0.0) : !F
      cake.depend wait
      cake.store %f, %y[%r * 4, 0] clip
    }
  }
}

// -----

// Each role waits for itself.
!F = tensor<4x64xf32, #cake.vec<role, 2>>
cake.kernel @k(%x: !cake.global<[R]x64xf32, align 8>, %y: !cake.global<[R]x64xf32, align 8>) target("sm_90a") {
  cake.tiles @work (r = ceildiv(R, 4)) schedule(grid)
  cake.role @other warps(1) {
    // expected-note@+1 {{waits here}}
    cake.depend wait
  }
  cake.role @all warps(1) {
    cake.items (%r) in @work {
      %f = cake.fill 0.0 : !F
      // expected-error@+1 {{touches %y in role '@all' before}}
      cake.store %f, %y[%r * 4, 0] clip
    }
  }
}
