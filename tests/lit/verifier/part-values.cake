// RUN: cake-opt %s --verify-diagnostics --split-input-file
// part-values: what has one value a row and lane goes only to ops that commute with merging.

!L = tensor<64xf32, #cake.part<add, mma.acc<4x1>>>
cake.kernel @fill() target("sm_80") {
  cake.role @a warps(4) {
    // expected-error @+1 {{puts 1.000000e+00 : f32 into every lane of a part}}
    %l = cake.fill 1.0 : !L
  }
}

// -----

!L = tensor<64xf32, #cake.part<add, mma.acc<4x1>>>
cake.kernel @square(%x: !cake.global<64x64xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : tensor<64x64xf32, #cake.mma.acc<4x1>>
    // expected-note @+1 {{it is made here}}
    %l = cake.reduce add %f axis(1) : !L
    // expected-error @+1 {{may not take %l}}
    %s = math.sqrt %l : !L
  }
}

// -----

!L = tensor<64xf32, #cake.part<add, mma.acc<4x1>>>
cake.kernel @add_a_row(%x: !cake.global<64x64xf32>, %b: !cake.global<64xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : tensor<64x64xf32, #cake.mma.acc<4x1>>
    // expected-note @+1 {{it is made here}}
    %l = cake.reduce add %f axis(1) : !L
    %r = cake.load %b[0] : tensor<64xf32, #cake.row<mma.acc<4x1>>>
    // expected-note @+1 {{may only be multiplied with a part of a sum}}
    %rl = cake.spread %r : !L
    // expected-error @+2 {{may not take %l}}
    // expected-error @+1 {{may not take %rl}}
    %s = arith.addf %l, %rl : !L
  }
}

// -----

// A part times a number of its row, the sum of two parts, and what a loop carries.
!L = tensor<64xf32, #cake.part<add, mma.acc<4x1>>>
!R = tensor<64xf32, #cake.row<mma.acc<4x1>>>
cake.kernel @fine(%x: !cake.global<64x64xf32>, %b: !cake.global<64xf32>) target("sm_80") {
  cake.tiles @w (i = 1) steps(k = 4) schedule(grid)
  cake.role @a warps(4) {
    %z = cake.fill 0.0 : !L
    %r = cake.load %b[0] : !R
    cake.items (%i) in @w {
      %f = cake.load %x[0, 0] : tensor<64x64xf32, #cake.mma.acc<4x1>>
      %s = cake.steps (%k) in @w iter(%l = %z) {
        %rl = cake.spread %r : !L
        %l1 = arith.mulf %l, %rl : !L
        %l2 = cake.reduce add %f axis(1) into(%l1) : !L
        %l3 = arith.addf %l1, %l2 : !L
        cake.yield %l3
      }
      %m = cake.merge %s : !R
    }
  }
}
