// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-fragments %s | FileCheck %s
// Declared barriers have the CTA's last numbers and count all threads of their roles; a role meets alone at a barrier from the first ones.

// CHECK: gpu.func @meet
// CHECK: gpu.named_barrier {{%.*}}, 64
// CHECK: [[ONE:%.*]] = arith.constant 15 : i32
// CHECK-NEXT: gpu.named_barrier_arrive [[ONE]], 256
// CHECK: [[TWO:%.*]] = arith.constant 14 : i32
// CHECK-NEXT: gpu.named_barrier [[TWO]], 256
// CHECK: [[ONE:%.*]] = arith.constant 15 : i32
// CHECK-NEXT: gpu.named_barrier [[ONE]], 256
// CHECK: gpu.named_barrier {{%.*}}, 256
// CHECK: gpu.griddepcontrol wait
// CHECK: gpu.elect
// CHECK: gpu.prefetch
// CHECK: {cake.role = "b"}
// CHECK: {cake.role = "a"}
cake.kernel @meet(%x: !cake.global<64x64xf32>, %y: !cake.global<64xi32>) target("sm_90a") {
  cake.barrier @one arrive(@a) meet(@b)
  cake.barrier @two meet(@a, @b)
  cake.role @a warps(2) replicate(2) {
    cake.sync
    cake.arrive @one
    cake.meet @two
  }
  cake.role @b warps(4) {
    cake.meet @one
    cake.meet @two
    cake.depend wait
    cake.prefetch %x[1, 0]
    %r = cake.iota axis(0) at(64) : tensor<64xi32, #cake.row<mma.acc<4x1>>>
    %v = arith.addi %r, %r : tensor<64xi32, #cake.row<mma.acc<4x1>>>
    cake.store %v, %y[0]
  }
}
