// cake-unroll: one copy of the body a round, the index a constant; carried values go from copy to copy; loops inside of loops.
// RUN: cake-opt --cake-unroll --split-input-file %s | FileCheck %s
// RUN: cake-opt --cake-unroll --canonicalize --cake-unroll --split-input-file %s | FileCheck --check-prefix=AGAIN %s

// AGAIN-NOT: cake.unroll
// CHECK-LABEL: cake.kernel @rounds
// CHECK-NOT: cake.unroll
// CHECK: %[[I:.*]] = arith.constant 3 : i32
// CHECK: %[[J0:.*]] = arith.constant -1 : index
// CHECK: %[[S0:.*]] = arith.addi %[[I]], %[[I]] : i32
// CHECK: cake.index (%[[J0]] * 2) : index
// CHECK: %[[J1:.*]] = arith.constant 0 : index
// CHECK: %[[S1:.*]] = arith.addi %[[S0]], %[[I]] : i32
// CHECK: cake.index (%[[J1]] * 2) : index
// CHECK: arith.muli %[[S1]], %[[S1]] : i32
// No round: what went in comes out.
// CHECK: arith.subi %[[I]], %[[I]] : i32
cake.kernel @rounds(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.tiles @work (n = N) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      %i = arith.constant 3 : i32
      %s = cake.unroll %j = -1 to 1 iter(%v = %i) {
        %w = arith.addi %v, %i : i32
        %k = cake.index (%j * 2) : index
        cake.yield %w
      }
      %p = arith.muli %s, %s : i32
      %u = cake.unroll %j = 2 to 2 iter(%v = %i) {
        cake.yield %v
      }
      %q = arith.subi %u, %u : i32
    }
  }
}

// -----

// CHECK-LABEL: cake.kernel @nest
// CHECK-NOT: cake.unroll
// CHECK-COUNT-6: arith.muli
// CHECK-NOT: arith.muli
cake.kernel @nest(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.tiles @work (n = N) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
      cake.unroll %i = 0 to 2 {
        cake.unroll %j = 0 to 3 {
          %p = arith.muli %i, %j : index
        }
      }
    }
  }
}
