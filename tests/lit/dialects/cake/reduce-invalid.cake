// RUN: cake-opt %s --verify-diagnostics --split-input-file
// What reductions and buffers refuse.

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @kind(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{expects 'kind' to be one of add, max, min, mul, and, or, xor}}
    %s = cake.reduce sum %f axis(0) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @bits_of_floats(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{has no 'xor' of floats}}
    %s = cake.reduce xor %f axis(0) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xbf16, #cake.vec<role, 2>>
cake.kernel @narrow(%x: !cake.global<4x256xbf16>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{reduces elements of type 'f32' or 'i32', but got 'bf16'}}
    %s = cake.reduce add %f axis(0) : tensor<256xbf16, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @nan_is_missing(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{does not say what NaN does}}
    %s = cake.reduce max %f axis(0) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @nan_of_a_sum(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{has no use for 'nan'}}
    %s = cake.reduce add %f axis(0) nan(last) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @nan_word(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{expects 'nan' to be one of first, last, never}}
    %s = cake.reduce min %f axis(0) nan(always) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @axis(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{has axis 2; a fragment has axes 0 and 1}}
    %s = cake.reduce add %f axis(2) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @result(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{does not make 'tensor<256xf32, #cake.col<vec<role, 2>>>' of}}
    %s = cake.reduce add %f axis(1) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @part_of_another_kind(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{does not make 'tensor<4xf32, #cake.part<mul, vec<role, 2>>>' of}}
    %s = cake.reduce add %f axis(1) : tensor<4xf32, #cake.part<mul, vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @into(%x: !cake.global<4x256xf32>, %s: f32) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{takes in a value of type 'f32', but gives}}
    %r = cake.reduce add %f axis(0) into(%s) : tensor<256xf32, #cake.col<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @through_is_missing(%x: !cake.global<4x256xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{reduces over 4 warps, which hold parts of the same values}}
    %s = cake.reduce add %f axis(1) : tensor<4xf32, #cake.row<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @through_is_small(%x: !cake.global<4x256xf32>) target("sm_80") {
  %b = cake.buffer : !cake.shared<8xf32, rows>
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{exchanges 16 elements (4 for each of 4 warps), but the buffer '!cake.shared<8xf32, rows>' has 8}}
    %s = cake.reduce add %f axis(1) through(%b) : tensor<4xf32, #cake.row<vec<role, 2>>>
  }
}

// -----

!F = tensor<4x256xf32, #cake.vec<role, 2>>
cake.kernel @through_has_pads(%x: !cake.global<4x256xf32>) target("sm_80") {
  %b = cake.buffer : !cake.shared<4x4xf32, rows<pad 16>>
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{exchanges through storage of form rows, but the buffer is}}
    %s = cake.reduce add %f axis(1) through(%b) : tensor<4xf32, #cake.row<vec<role, 2>>>
  }
}

// -----

cake.kernel @operand_form(%x: !cake.global<64x64xbf16>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    // expected-error @+1 {{reduces fragments of form mma.acc, wgmma.acc and vec}}
    %s = cake.reduce add %f axis(1) : tensor<64xbf16, #cake.row<mma.a<4x1>>>
  }
}

// -----

cake.kernel @short_rows(%x: !cake.global<64x128xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : tensor<64x128xf32, #cake.vec<warp, 8>>
    // expected-error @+1 {{has rows of 128 elements, which #cake.vec<warp, 8> does not spread over a whole warp}}
    %s = cake.reduce add %f axis(1) : tensor<64xf32, #cake.row<vec<warp, 8>>>
  }
}

// -----

cake.kernel @merge_of_a_row(%x: !cake.global<64xf32>) target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.load %x[0] : tensor<64xf32, #cake.row<mma.acc<4x1>>>
    // expected-error @+1 {{merges a fragment of form part<…>}}
    %s = cake.merge %f : tensor<64xf32, #cake.row<mma.acc<4x1>>>
  }
}

// -----

cake.kernel @merge_to_a_col() target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.fill 0.0 : tensor<64xf32, #cake.part<add, mma.acc<4x1>>>
    // expected-error @+1 {{into row<mma.acc<4x1>>, but the result is}}
    %s = cake.merge %f : tensor<64xf32, #cake.col<mma.acc<4x1>>>
  }
}

// -----

cake.kernel @buffer_rows() target("sm_80") {
  // expected-error @+1 {{has 12 rows; sw128 needs a multiple of 8}}
  %b = cake.buffer : !cake.shared<12x64xbf16, sw128>
  cake.role @a warps(4) {
  }
}

// -----

cake.kernel @alias_is_small() target("sm_80") {
  %a = cake.buffer : !cake.shared<64xf32, rows>
  // expected-error @+1 {{needs 512 bytes, but takes those of a buffer of 256}}
  %b = cake.buffer alias(%a) : !cake.shared<128xf32, rows>
  cake.role @a warps(4) {
  }
}

// -----

cake.kernel @alias_of_an_alias() target("sm_80") {
  %a = cake.buffer : !cake.shared<64xf32, rows>
  %b = cake.buffer alias(%a) : !cake.shared<64xf32, rows>
  // expected-error @+1 {{takes the bytes of a buffer that has none of its own}}
  %c = cake.buffer alias(%b) : !cake.shared<64xf32, rows>
  cake.role @a warps(4) {
  }
}

// -----

cake.kernel @alias_each() target("sm_80") {
  %a = cake.buffer : !cake.shared<64xf32, rows>
  // expected-error @+1 {{must both be `each`, or neither}}
  %b = cake.buffer each alias(%a) : !cake.shared<64xf32, rows>
  cake.role @a warps(4) {
  }
}

// -----

cake.kernel @alias_alignment() target("sm_80") {
  %a = cake.buffer : !cake.shared<4096xf32, rows>
  // expected-error @+1 {{is aligned to 1024 bytes, but the buffer whose bytes it takes to 128}}
  %b = cake.buffer alias(%a) : !cake.shared<64x64xbf16, sw128>
  cake.role @a warps(4) {
  }
}
