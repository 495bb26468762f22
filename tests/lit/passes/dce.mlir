// dce: unused pure ops and what only they used; nothing with an effect.
// RUN: cake-opt --dce --allow-unregistered-dialect --pass-statistics %s 2>&1 | FileCheck %s

// CHECK: dce
// CHECK-NEXT: 6 ops erased

// CHECK-LABEL: func.func @f
// CHECK-SAME: ([[A:%.*]]: i32, [[X:%.*]]: index, [[C:%.*]]: i1)
// CHECK-NEXT: [[KEPT:%.*]] = arith.subi [[A]], [[A]] : i32
// CHECK-NEXT: {{%.*}} = "t.effect"([[KEPT]]) : (i32) -> i32
// CHECK-NEXT: return
func.func @f(%a: i32, %x: index, %c: i1) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  %2 = arith.muli %1, %0 : i32
  %3 = arith.subi %a, %a : i32
  %4 = "t.effect"(%3) : (i32) -> i32
  // A loop that does nothing.
  scf.for %i = %x to %x step %x {
    %5 = arith.addi %a, %a : i32
  }
  return
}

// What is dead inside of an op that becomes dead goes with it.
// CHECK-LABEL: func.func @inside
// CHECK-NEXT: return
func.func @inside(%c: i1, %x: i32) {
  %r = scf.if %c -> i32 {
    %d = arith.addi %x, %x : i32
    %e = arith.muli %x, %x : i32
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  %z = arith.addi %r, %x : i32
  return
}
