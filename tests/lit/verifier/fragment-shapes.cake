// Rule fragment-shapes: what a form can hold, over the warps of the role (FORM_MISMATCH, ROLE_STRUCTURE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Legal shapes.
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

// Rows that the warps cannot share.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{'tensor<48x8xf32, #cake.mma.acc<4x1>>' has 48 rows; its form needs a multiple of 64}}
      %a = cake.fill 0.0 : tensor<48x8xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

// Columns.
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

// The rows of mma.b are columns of the product.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{has 8 rows; its form needs a multiple of 16}}
      %a = cake.fill 0.0 : tensor<8x16xbf16, #cake.mma.b<2x2>>
    }
  }
}

// -----

// A fragment over more warps than the role has.
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

// A form of warpgroups in a role of warps: ROLE_STRUCTURE.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  // expected-note@+1 {{the role is here}}
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{is held by a warpgroup, but role '@all' is made of single warps}}
      %a = cake.fill 0.0 : tensor<64x8xf32, #cake.wgmma.acc>
    }
  }
}

// -----

// The legal neighbour.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x8xf32, #cake.wgmma.acc>
    }
  }
}

// -----

// wgmma.acc has 64 rows and at most 256 columns.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{has 128 rows; wgmma.acc has 64}}
      %a = cake.fill 0.0 : tensor<128x8xf32, #cake.wgmma.acc>
      // expected-error@+1 {{has 264 columns; wgmma.acc has at most 256}}
      %b = cake.fill 0.0 : tensor<64x264xf32, #cake.wgmma.acc>
    }
  }
}

// -----

// Operands hold 16-bit elements.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{has elements of 32 bits; its form holds 16-bit elements}}
      %a = cake.fill 0.0 : tensor<64x16xf32, #cake.mma.a<4x1>>
    }
  }
}

// -----

// Sizes of a template stand in the form, `?` in the tensor.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{and the sizes in its form differ}}
      %a = cake.fill 0.0 : tensor<64x16xbf16, #cake.of<64x[N], mma.a<4x1>>>
    }
  }
}

// -----

// Not a fragment.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %f = arith.constant 0.0 : f32
      // expected-error@+1 {{is no fragment: a form has two dimensions, a row or column of it one}}
      %a = arith.constant dense<0.0> : tensor<64xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

// Running bests and pending accumulators.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{has 48 rows; its form needs a multiple of 64}}
      %a = cake.best.init : !cake.best<48x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
    }
  }
}
