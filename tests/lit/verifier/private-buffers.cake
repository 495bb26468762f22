// RUN: cake-opt %s --verify-diagnostics --split-input-file
// private-buffers: a buffer is one role's, and buffers that share bytes are not in use at once.

!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @two_roles(%x: !cake.global<1x1024xf32>) target("sm_80") {
  %b = cake.buffer : !cake.shared<4xf32, rows>
  cake.role @one warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-note @+1 {{it is used here}}
    %s = cake.reduce add %f axis(1) through(%b) : !R
  }
  cake.role @two warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{in role '@two' uses buffer %b, on which role '@one' works}}
    %s = cake.reduce add %f axis(1) through(%b) : !R
  }
}

// -----

!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @replicas(%x: !cake.global<1x1024xf32>) target("sm_80") {
  // expected-note @+1 {{the buffer is here}}
  %b = cake.buffer : !cake.shared<4xf32, rows>
  cake.role @two warps(4) replicate(2) {
    %f = cake.load %x[0, 0] : !F
    // expected-error @+1 {{uses buffer %b in 2 replicas of role '@two' at once}}
    %s = cake.reduce add %f axis(1) through(%b) : !R
  }
}

// -----

// The same with a buffer for each replica.
!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @each(%x: !cake.global<1x1024xf32>) target("sm_80") {
  %b = cake.buffer each : !cake.shared<4xf32, rows>
  cake.role @two warps(4) replicate(2) {
    %f = cake.load %x[0, 0] : !F
    %s = cake.reduce add %f axis(1) through(%b) : !R
  }
}

// -----

!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @aliases_alternate(%x: !cake.global<1x1024xf32>) target("sm_80") {
  %b = cake.buffer : !cake.shared<4xf32, rows>
  %c = cake.buffer alias(%b) : !cake.shared<4xf32, rows>
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    // expected-note @+1 {{the other is used here}}
    %s = cake.reduce add %f axis(1) through(%b) : !R
    // expected-error @+1 {{uses buffer %c while %b, whose bytes it takes, is in use}}
    %t = cake.reduce add %f axis(1) through(%c) : !R
    %u = cake.reduce add %f axis(1) through(%b) : !R
  }
}

// -----

// One behind the other.
!F = tensor<1x1024xf32, #cake.vec<role, 8>>
!R = tensor<1xf32, #cake.row<vec<role, 8>>>
cake.kernel @aliases_in_turn(%x: !cake.global<1x1024xf32>) target("sm_80") {
  %b = cake.buffer : !cake.shared<4xf32, rows>
  %c = cake.buffer alias(%b) : !cake.shared<4xf32, rows>
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    %s = cake.reduce add %f axis(1) through(%b) : !R
    %u = cake.reduce add %f axis(1) through(%b) : !R
    %t = cake.reduce add %f axis(1) through(%c) : !R
  }
}
