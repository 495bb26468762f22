// RUN: cake-opt --split-input-file --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --cake-expand-fragments --canonicalize --cse %s | FileCheck %s
// Reductions at the level of threads: pairwise in the lane, over lanes by shuffles, over warps through a buffer.

// Two replicas of four warps: each meets at a barrier of its own and has a buffer of its own. Lane 0 of each warp writes; all read four values at once.
// CHECK-LABEL: gpu.func @replicas
// CHECK-SAME: shared_bytes = 256 : i64
// CHECK: [[BYTES:%.*]] = arith.index_cast {{%.*}} : index to i32
// CHECK: [[OWN:%.*]] = gpu.ptr_add {{%.*}}, [[BYTES]] : !gpu.ptr<shared>, i32
// CHECK-COUNT-7: arith.addf
// CHECK: gpu.shuffle xor {{%.*}}, [[ONE:%.*]], {{%.*}} : f32
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK: gpu.named_barrier [[ID:%.*]], 128
// CHECK: scf.if
// CHECK: gpu.store {{%.*}}, {{%.*}} : f32, !gpu.ptr<shared>
// CHECK: gpu.named_barrier [[ID]], 128
// CHECK: gpu.load [[OWN]] : !gpu.ptr<shared> -> vector<4xf32>
// CHECK-COUNT-3: arith.addf
// CHECK: gpu.store {{%.*}}, {{%.*}} : f32, !gpu.ptr<global>
cake.kernel @replicas(%x: !cake.global<2x1024xf32, align 16>, %y: !cake.global<2xf32>) target("sm_90a") {
  %b = cake.buffer each : !cake.shared<4xf32, rows>
  cake.role @a warps(4) replicate(2) {
    %f = cake.load %x[instance, 0] : tensor<1x1024xf32, #cake.vec<role, 4>>
    %s = cake.reduce add %f axis(1) through(%b) : tensor<1xf32, #cake.row<vec<role, 4>>>
    cake.store %s, %y[instance]
  }
}

// -----

// Rows of a warp: no exchange. An accumulator's rows lie in four lanes, its columns in eight and in four warps.
// CHECK-LABEL: gpu.func @warps
// CHECK-COUNT-15: arith.maxnumf
// CHECK-NOT: gpu.barrier
// CHECK: gpu.store {{%.*}}, {{%.*}} : f32, !gpu.ptr<global>
cake.kernel @warps(%x: !cake.global<64x128xf32, align 16>, %y: !cake.global<64xf32>) target("sm_80") {
  cake.role @a warps(16) {
    %f = cake.load %x[0, 0] : tensor<64x128xf32, #cake.vec<warp, 4>>
    %s = cake.reduce max %f axis(1) nan(last) : tensor<64xf32, #cake.row<vec<warp, 4>>>
    cake.store %s, %y[0]
  }
}

// -----

// CHECK-LABEL: gpu.func @columns
// CHECK: gpu.shuffle xor {{%.*}}, [[FOUR:%.*]], {{%.*}} : i32
// CHECK: gpu.barrier
// CHECK: gpu.barrier
// CHECK: gpu.load {{%.*}} : !gpu.ptr<shared> -> vector<4xi32>
// CHECK-COUNT-3: arith.ori
cake.kernel @columns(%y: !cake.global<8xi32>) target("sm_90a") {
  %b = cake.buffer : !cake.shared<32xi32, rows>
  cake.role @a warpgroups(1) {
    %f = cake.fill 1 : tensor<64x8xi32, #cake.wgmma.acc>
    %s = cake.reduce or %f axis(0) through(%b) : tensor<8xi32, #cake.col<wgmma.acc>>
    cake.store %s, %y[0]
  }
}

// -----

// A part stays in its lanes until it is merged.
// CHECK-LABEL: gpu.func @parts
// CHECK-NOT: gpu.shuffle
// CHECK: scf.for
// CHECK-NOT: gpu.shuffle
// CHECK: scf.yield
// CHECK-COUNT-4: gpu.shuffle xor
cake.kernel @parts(%x: !cake.global<256x64xf32, align 16>, %y: !cake.global<64xf32>) target("sm_80") {
  cake.tiles @w (i = 1) steps(k = 4) schedule(grid)
  cake.role @a warps(4) {
    %z = cake.fill 0.0 : tensor<64xf32, #cake.part<add, mma.acc<4x1>>>
    cake.items (%i) in @w {
      %s = cake.steps (%k) in @w iter(%l = %z) {
        %f = cake.load %x[%k * 64, 0] : tensor<64x64xf32, #cake.mma.acc<4x1>>
        %l2 = cake.reduce add %f axis(1) into(%l) : tensor<64xf32, #cake.part<add, mma.acc<4x1>>>
        cake.yield %l2
      }
      %m = cake.merge %s : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      cake.store %m, %y[0]
    }
  }
}
