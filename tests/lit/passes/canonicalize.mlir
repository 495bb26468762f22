// canonicalize: the driver. What single ops fold to is tested with their dialects.
// RUN: cake-opt --canonicalize --split-input-file --allow-unregistered-dialect %s | FileCheck %s

// Constants go to the right of commutative ops; unused ops go, also in chains.
// CHECK-LABEL: func.func @order
// CHECK-SAME: ([[A:%.*]]: i32)
// CHECK-NEXT: [[C:%.*]] = arith.constant 5 : i32
// CHECK-NEXT: [[M:%.*]] = arith.andi [[A]], [[C]] : i32
// CHECK-NEXT: return [[M]] : i32
func.func @order(%a: i32) -> i32 {
  %c = arith.constant 5 : i32
  %0 = arith.andi %c, %a : i32
  %1 = arith.muli %a, %a : i32
  %2 = arith.muli %1, %1 : i32
  return %0 : i32
}

// -----

// A fold makes room for the next one, over region ends.
// CHECK-LABEL: func.func @cascade
// CHECK: [[C:%.*]] = arith.constant 7 : index
// CHECK: "t.body"([[C]]) : (index) -> ()
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @cascade() {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %sum = arith.addi %c3, %c4 : index
  %end = arith.addi %sum, %c4 : index
  scf.for %i = %sum to %end step %c4 {
    %in = arith.cmpi slt, %i, %end : index
    scf.if %in {
      "t.body"(%i) : (index) -> ()
    }
  }
  return
}

// -----

// A value that is defined by itself in unreachable code does not keep the pass busy.
// CHECK-LABEL: func.func @self
// CHECK-NEXT: return
func.func @self(%z: i32) {
  return
^loop:
  %0 = arith.addi %0, %z : i32
  cf.br ^loop
}
