// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt %s -o %t.1
// RUN: cake-opt --print-op-generic %t.1 -o %t.2
// RUN: cake-opt %t.2 | cmp - %t.1
// Barriers, calls, coordinates and hints: printed as they were read, in either form.

// CHECK: cake.barrier @one arrive(@a) meet(@b, @c)
// CHECK: cake.barrier @two meet(@c)
// CHECK: cake.sync
// CHECK: cake.arrive @one
// CHECK: cake.meet @one
// CHECK: cake.depend wait
// CHECK: cake.prefetch {{%.*}}[3, {{%.*}} * 64]
// CHECK: cake.steps ({{%.*}}) in @w from(1) iter({{%.*}} = {{%.*}}) {
// CHECK: cake.call @twice({{%.*}}) : (tensor<64x64xf32, #cake.mma.acc<4x1>>) -> tensor<64x64xf32, #cake.mma.acc<4x1>>
// CHECK: cake.iota axis(1) at({{%.*}} * 64) : tensor<64x64xi32, #cake.mma.acc<4x1>>
// CHECK: cake.iota axis(0) : tensor<64xi32, #cake.row<mma.acc<4x1>>>
// CHECK: cake.convert {{%.*}} : tensor<64x64xbf16, #cake.mma.acc<4x1>> to tensor<64x64xbf16, #cake.mma.a<4x1>>
// CHECK: cake.depend launch
// CHECK: cake.fence proxy(async)
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
func.func private @twice(%x: !F) -> !F {
  %y = arith.addf %x, %x : !F
  return %y : !F
}
cake.kernel @sync(%x: !cake.global<64x[N]xf32>) target("sm_90a") guard(N ge 64) {
  cake.barrier @one arrive(@a) meet(@b, @c)
  cake.barrier @two meet(@c)
  cake.tiles @w (i = 1) steps(k = N floordiv 64) schedule(grid)
  cake.role @a warps(4) {
    cake.sync
    cake.arrive @one
  }
  cake.role @b warps(4) {
    cake.meet @one
    cake.depend wait
    %z = cake.fill 0.0 : !F
    cake.items (%i) in @w {
      cake.prefetch %x[3, %i * 64]
      %s = cake.steps (%k) in @w from(1) iter(%a = %z) {
        %t = cake.call @twice(%a) : (!F) -> !F
        %c = cake.iota axis(1) at(%k * 64) : tensor<64x64xi32, #cake.mma.acc<4x1>>
        cake.yield %t
      }
      %r = cake.iota axis(0) : tensor<64xi32, #cake.row<mma.acc<4x1>>>
      %h = arith.truncf %s : !F to tensor<64x64xbf16, #cake.mma.acc<4x1>>
      %p = cake.convert %h : tensor<64x64xbf16, #cake.mma.acc<4x1>> to tensor<64x64xbf16, #cake.mma.a<4x1>>
    }
    cake.depend launch
  }
  cake.role @c warps(1) {
    cake.meet @one
    cake.fence proxy(async)
    cake.meet @two
  }
}
