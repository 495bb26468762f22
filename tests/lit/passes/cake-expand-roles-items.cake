// cake-expand-roles: names of a CTA's only item are values of the whole function, those of items one behind the other of each round; an item that
// its extents leave out is a loop of no rounds.
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

// CHECK: gpu.func @persistent(
// CHECK-SAME: grid = #cake.expr<S * ceildiv(LMAX, 64)>
// CHECK-SAME: persistent
cake.kernel @persistent(%cu: !cake.global<[S]xi32, readonly>) target("sm_90a") sizes(LMAX) {
  cake.pipeline @ring stages(1) from(@one) to(@two) slot(x: !cake.shared<1x32xf32, rows>)
  cake.tiles @work (s = S, m = ceildiv(len, 64)) let(len = %cu[s]) bound(len le LMAX) steps(n = m + 1) schedule(persistent)
  // Each role reads the names in each round.
  // CHECK: %[[ITEM:.*]] = gpu.block_id x
  // CHECK: %[[LAST:.*]] = scf.for %[[AT:.*]] = %[[ITEM]] to %{{.*}} step %{{.*}} iter_args(%[[COUNT:.*]] = %{{.*}}) -> (i32) {
  // CHECK: %[[M:.*]] = arith.remui %[[AT]]
  // CHECK: %[[LEN32:.*]] = gpu.load {{.*}}readonly
  // CHECK: %[[LEN:.*]] = arith.index_cast %[[LEN32]] : i32 to index
  // CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[M]]
  // CHECK: %[[ROUNDS:.*]] = arith.select %[[INSIDE]]
  // CHECK: %[[STEPS:.*]] = arith.addi %[[M]]
  // CHECK: %[[INNER:.*]] = scf.for %{{.*}} = %{{.*}} to %[[ROUNDS]] step %{{.*}} iter_args(%[[SO_FAR:.*]] = %[[COUNT]]) -> (i32) {
  // CHECK: %[[MORE:.*]] = scf.for %{{.*}} = %{{.*}} to %[[STEPS]] step %{{.*}} iter_args(%{{.*}} = %[[SO_FAR]])
  // CHECK: scf.yield %[[MORE]] : i32
  // CHECK: scf.yield %[[INNER]] : i32
  cake.role @one warps(1) {
    %none = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %count = cake.items (%s, %m) in @work iter(%so_far = %none) {
      %more = cake.steps (%n) in @work iter(%old = %so_far) {
        %t, %x = cake.acquire @ring
        %f = cake.fill 1.0 : tensor<1x32xf32, #cake.vec<role, 1>>
        cake.put %f, %x
        cake.commit %t
        %new = arith.addi %old, %one : i32
        cake.yield %new
      }
      cake.yield %more
    }
  }
  // The other role computes them again.
  // CHECK: gpu.load {{.*}}readonly
  // CHECK: scf.for
  cake.role @two warps(1) {
    cake.items (%s, %m) in @work {
      cake.steps (%n) in @work {
        %t, %x = cake.wait @ring
        cake.release %t
      }
    }
  }
}

// -----

cake.kernel @written(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{takes item after item, whose names each role reads for itself; the array must be `readonly` for that}}
  cake.tiles @work (s = S) let(len = %cu[s]) steps(n = len) schedule(persistent)
  cake.role @all warps(1) {
    cake.items (%s) in @work {
      cake.steps (%n) in @work {
      }
    }
  }
}
