// cake-expand-roles: names of an item are values of the whole function; an item that its extents leave out is a loop of no rounds.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --split-input-file --verify-diagnostics %s | FileCheck %s
!F = tensor<64x64xf32, #cake.wgmma.acc>
// CHECK: gpu.func @packed(%[[X:.*]]: !gpu.ptr<global>, %[[CU:.*]]: !gpu.ptr<global>, %[[Y:.*]]: !gpu.ptr<global>, %[[T:.*]]: index, %[[S1:.*]]: index, %[[LMAX:.*]]: index)
// CHECK-SAME: grid = #cake.expr<(S1 - 1) * ceildiv(LMAX, 64)>
// CHECK-SAME: sizes = ["T", "S1", "LMAX"]
cake.kernel @packed(%x: !cake.global<[T]x64xf32, align 16>, %cu: !cake.global<[S1]xi32>, %y: !cake.global<[T]x64xf32, align 16>)
    target("sm_90a") sizes(LMAX) {
  // CHECK: %[[ITEM:.*]] = gpu.block_id x
  // CHECK: %[[LO32:.*]] = gpu.load %{{.*}} : !gpu.ptr<global> -> i32
  // CHECK: %[[LO:.*]] = arith.index_cast %[[LO32]] : i32 to index
  // CHECK: %[[END32:.*]] = gpu.load
  // CHECK: %[[END:.*]] = arith.index_cast %[[END32]] : i32 to index
  // CHECK: %[[LEN:.*]] = arith.subi %[[END]], %[[LO]] : index
  // CHECK: %[[INSIDE:.*]] = arith.cmpi slt
  // CHECK: %[[ROUNDS:.*]] = arith.select %[[INSIDE]]
  cake.tiles @work (s = S1 - 1, m = ceildiv(len, 64)) let(lo = %cu[s], end = %cu[s + 1], len = end - lo) bound(len le LMAX, lo + len le T)
      steps(n = m + 1) schedule(grid, longest_first)
  cake.role @all warpgroups(1) {
    // CHECK: scf.for %{{.*}} = %{{.*}} to %[[ROUNDS]] step
    cake.items (%s, %m) in @work {
      // CHECK: cake.load %{{.*}}[%[[LO]] + %{{.*}} * 64, 0] pad(0.0) keep(row + %{{.*}} * 64 lt %[[LEN]])
      %f = cake.load %x[lo + %m * 64, 0] pad(0.0) keep(row + %m * 64 lt len) : !F
      // CHECK: scf.for
      cake.steps (%n) in @work {
      }
      // CHECK: cake.store %{{.*}}, %{{.*}}[%[[LO]] + %{{.*}} * 64, 0] keep(row + %{{.*}} * 64 lt %[[LEN]])
      cake.store %f, %y[lo + %m * 64, 0] keep(row + %m * 64 lt len)
    }
  }
}

// -----

cake.kernel @persistent(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{has names or steps that depend on the item, which is lowered for `schedule(grid)` only}}
  cake.tiles @work (s = S) let(len = %cu[s]) steps(n = len) schedule(persistent)
  cake.role @all warps(1) {
    cake.items (%s) in @work {
      cake.steps (%n) in @work {
      }
    }
  }
}
