// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-fragments %s | FileCheck %s
// A put into a buffer stands between two rendezvous of its replica: the threads that read it are others.

// CHECK-LABEL: gpu.func @turn
// CHECK: gpu.named_barrier [[FIRST:%.*]], 128
// CHECK: gpu.store {{.*}} : vector<2xf32>, !gpu.ptr<shared>
// CHECK: gpu.named_barrier {{%.*}}, 128
// CHECK: gpu.load {{%.*}} : !gpu.ptr<shared> -> f32
cake.kernel @turn(%x: !cake.global<128x64xf32, align 16>, %y: !cake.global<128xf32>) target("sm_90a") {
  %b = cake.buffer each : !cake.shared<64x64xf32, rows>
  %c = cake.buffer each alias(%b) : !cake.shared<64xf32, rows>
  cake.role @a warpgroups(1) replicate(2) {
    %f = cake.load %x[instance * 64, 0] : tensor<64x64xf32, #cake.wgmma.acc>
    cake.put %f, %b
    %g = cake.get %c : tensor<64xf32, #cake.row<wgmma.acc>>
    cake.store %g, %y[instance * 64]
  }
}
