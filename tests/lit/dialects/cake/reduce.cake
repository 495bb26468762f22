// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt %s -o %t.1
// RUN: cake-opt --print-op-generic %t.1 -o %t.2
// RUN: cake-opt %t.2 | cmp - %t.1
// Reductions and the buffers through which warps exchange: printed as they were read, in either form.

// CHECK: cake.buffer : !cake.shared<4xf32, rows>
// CHECK: [[OWN:%.*]] = cake.buffer each : !cake.shared<64x64xbf16, sw128>
// CHECK: cake.buffer each alias([[OWN]]) : !cake.shared<32x64xf32, rows>
// CHECK: cake.reduce add {{%.*}} axis(1) through({{%.*}}) : tensor<2xf32, #cake.row<vec<role, 4>>>
// CHECK: cake.reduce max {{%.*}} axis(1) nan(last) into({{%.*}}) through({{%.*}}) : tensor<2xf32, #cake.row<vec<role, 4>>>
// CHECK: cake.reduce add {{%.*}} axis(0) : tensor<512xf32, #cake.col<vec<role, 4>>>
// CHECK: cake.reduce min {{%.*}} nan(first) through({{%.*}}) : f32
// CHECK: cake.fill 0.0 : tensor<2xf32, #cake.part<add, vec<role, 4>>>
// CHECK: cake.reduce add {{%.*}} axis(1) into({{%.*}}) : tensor<2xf32, #cake.part<add, vec<role, 4>>>
// CHECK: cake.merge {{%.*}} through({{%.*}}) : tensor<2xf32, #cake.row<vec<role, 4>>>
// CHECK: cake.reduce xor {{%.*}} axis(1) : tensor<64xi32, #cake.row<wgmma.acc>>
!F = tensor<2x512xf32, #cake.vec<role, 4>>
!R = tensor<2xf32, #cake.row<vec<role, 4>>>
!L = tensor<2xf32, #cake.part<add, vec<role, 4>>>
cake.kernel @reductions(%x: !cake.global<2x512xf32>) target("sm_90a") {
  %b = cake.buffer : !cake.shared<4xf32, rows>
  %b8 = cake.buffer : !cake.shared<8xf32, rows>
  %own = cake.buffer each : !cake.shared<64x64xbf16, sw128>
  %other = cake.buffer each alias(%own) : !cake.shared<32x64xf32, rows>
  cake.role @a warps(4) {
    %f = cake.load %x[0, 0] : !F
    %s = cake.reduce add %f axis(1) through(%b8) : !R
    %m = cake.reduce max %f axis(1) nan(last) into(%s) through(%b8) : !R
    %c = cake.reduce add %f axis(0) : tensor<512xf32, #cake.col<vec<role, 4>>>
    %all = cake.reduce min %f nan(first) through(%b) : f32
    %z = cake.fill 0.0 : !L
    %l = cake.reduce add %f axis(1) into(%z) : !L
    %al = cake.spread %m : !L
    %scaled = arith.mulf %l, %al : !L
    %r = cake.merge %scaled through(%b8) : !R
  }
  cake.role @w warpgroups(1) replicate(2) {
    %i = cake.fill 3 : tensor<64x64xi32, #cake.wgmma.acc>
    %x2 = cake.reduce xor %i axis(1) : tensor<64xi32, #cake.row<wgmma.acc>>
  }
}
