// cake-expand-roles: turns of an order become named barriers.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --canonicalize --cse --dce --split-input-file %s | FileCheck %s

// Roles of several warps have barriers 1 and 2; the order's are 3 and 4. Each instance waits at its own with the one before it, 256 threads.
// Instance 1 arrives once before its program, so that instance 0 need not wait for its first turn, and that waits for the last behind its own.
// CHECK-LABEL: gpu.func @turns
// CHECK-SAME: named_barriers = 2 : i64
// CHECK: [[W:%.*]] = gpu.warp_id
// CHECK: [[INST:%.*]] = arith.divui [[W]]
// CHECK: [[C1:%.*]] = arith.constant 1 : index
// CHECK: [[IS1:%.*]] = arith.cmpi eq, [[INST]], [[C1]] : index
// CHECK: scf.if [[IS1]] {
// CHECK-NEXT: [[FIRST:%.*]] = arith.constant 3 : i32
// CHECK-NEXT: gpu.named_barrier_arrive [[FIRST]], 256
// CHECK: scf.for
// CHECK: [[OWN:%.*]] = arith.addi [[INST]], {{.*}} : index
// CHECK: [[ID:%.*]] = arith.index_cast [[OWN]] : index to i32
// CHECK: gpu.named_barrier [[ID]], 256
// CHECK: [[AFTER:%.*]] = arith.select [[IS1]], {{.*}}, {{.*}} : index
// CHECK: [[NEXT:%.*]] = arith.index_cast [[AFTER]] : index to i32
// CHECK: gpu.named_barrier_arrive [[NEXT]], 256
// CHECK: [[IS0:%.*]] = arith.cmpi eq, [[INST]], {{.*}} : index
// CHECK: scf.if [[IS0]] {
// CHECK: gpu.named_barrier {{.*}}, 256
// CHECK-NOT: cake.take
cake.kernel @turns(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.order @o over(@all)
  cake.tiles @work (n = ceildiv(N, 128)) schedule(persistent)
  cake.role @all warps(4) replicate(2) {
    cake.items (%n) in @work {
      %f = cake.fill 1.0 : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      %turn = cake.take @o
      cake.pass %turn
      cake.store %f, %x[%n * 128 + instance * 64] clip
    }
  }
}
