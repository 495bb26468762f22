// https://github.com/tile-ai/TileOPs/pull/801 and https://github.com/allenai/allennlp/pull/105: columns behind the end are filled with 0 and take part in the maximum of a softmax; they must be
// minus infinity.
// Refused by padding (PAD_NOT_NEUTRAL).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// 0 wins against negative scores.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 1 become 0.000000e+00 : f32 here}}
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      // expected-error@+1 {{in role '@all' reduces padding behind the end of %x, which is not neutral}}
      %m = cake.reduce max %a axis(1) nan(first) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

// The repair: the load pads with minus infinity.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(-inf) : !V
      %m = cake.reduce max %a axis(1) nan(first) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

// Or a mask does.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      %b = cake.mask %a keep(col lt K) fill(-inf)
      %m = cake.reduce max %b axis(1) nan(first) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

// Minus infinity that becomes something else on the way.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 1 become 0xFF800000 : f32 here}}
      %a = cake.load %x[%n * 64, 0] pad(-inf) : !V
      %b = math.absf %a : !V
      // expected-error@+1 {{in role '@all' reduces padding behind the end of %x, which is not neutral}}
      %m = cake.reduce max %b axis(1) nan(first) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

// A mask that fills with 0 behind a load that pads with minus infinity.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 1 become 0xFF800000 : f32 here}}
      %a = cake.load %x[%n * 64, 0] pad(-inf) : !V
      %b = cake.mask %a keep(col lt K) fill(0.0)
      // expected-error@+1 {{in role '@all' reduces padding behind the end of %x, which is not neutral}}
      %m = cake.reduce max %b axis(1) nan(first) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

// Controls: 0 into a sum, plus infinity into a minimum.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      %m = cake.reduce add %a axis(1) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(inf) : !V
      %m = cake.reduce min %a axis(1) nan(first) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

// And the wrong one of each.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 1 become 1.000000e+00 : f32 here}}
      %a = cake.load %x[%n * 64, 0] pad(1.0) : !V
      // expected-error@+1 {{in role '@all' reduces padding behind the end of %x, which is not neutral}}
      %m = cake.reduce add %a axis(1) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}

// -----

!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[N]xf32>) target("sm_80") guard(K le 64) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{elements behind the end of dimension 1 become 0xFF800000 : f32 here}}
      %a = cake.load %x[%n * 64, 0] pad(-inf) : !V
      // expected-error@+1 {{in role '@all' reduces padding behind the end of %x, which is not neutral}}
      %m = cake.reduce min %a axis(1) nan(first) : tensor<64xf32, #cake.row<vec<warp, 2>>>
      cake.store %m, %y[%n * 64] clip
    }
  }
}
