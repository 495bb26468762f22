// cse: equal ops in one block, over nested regions and dominating blocks; what differs, has effects or does not dominate stays.
// RUN: cake-opt --cse --split-input-file --allow-unregistered-dialect %s | FileCheck %s

// CHECK-LABEL: func.func @block
// CHECK-SAME: ([[A:%.*]]: i32, [[B:%.*]]: i32)
// CHECK-NEXT: [[S:%.*]] = arith.addi [[A]], [[B]] : i32
// CHECK-NEXT: "t.use"([[S]], [[S]], [[S]]) : (i32, i32, i32) -> ()
func.func @block(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b : i32
  %2 = arith.addi %b, %a : i32
  "t.use"(%0, %1, %2) : (i32, i32, i32) -> ()
  return
}

// -----

// Operands in another order, other properties, other attributes, other types.
// CHECK-LABEL: func.func @differ
// CHECK-COUNT-2: arith.subi
// CHECK: arith.subi {{.*}} overflow<nsw>
// CHECK: arith.subi {{.*}} {d.x}
// CHECK-COUNT-2: arith.extsi
func.func @differ(%a: i8, %b: i8) {
  %0 = arith.subi %a, %b : i8
  %1 = arith.subi %b, %a : i8
  %2 = arith.subi %a, %b overflow<nsw> : i8
  %3 = arith.subi %a, %b {d.x} : i8
  %4 = arith.extsi %a : i8 to i32
  %5 = arith.extsi %a : i8 to i16
  "t.use"(%0, %1, %2, %3, %4, %5) : (i8, i8, i8, i8, i32, i16) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @effects
// CHECK-COUNT-2: "t.load"
func.func @effects() {
  %0 = "t.load"() : () -> i32
  %1 = "t.load"() : () -> i32
  "t.use"(%0, %1) : (i32, i32) -> ()
  return
}

// -----

// From outside into a region, not from one region into another, not out of one.
// CHECK-LABEL: func.func @regions
// CHECK: [[OUT:%.*]] = arith.addi
// CHECK-NEXT: scf.if
// CHECK-NEXT: [[IN:%.*]] = arith.muli
// CHECK-NEXT: "t.use"([[OUT]], [[IN]])
// CHECK-NEXT: } else {
// CHECK-NEXT: [[ELSE:%.*]] = arith.muli
// CHECK-NEXT: "t.use"([[OUT]], [[ELSE]])
// CHECK-NEXT: }
// CHECK-NEXT: [[BEHIND:%.*]] = arith.muli
// CHECK-NEXT: "t.use"([[OUT]], [[BEHIND]])
func.func @regions(%c: i1, %a: i32) {
  %0 = arith.addi %a, %a : i32
  scf.if %c {
    %1 = arith.addi %a, %a : i32
    %2 = arith.muli %a, %a : i32
    "t.use"(%1, %2) : (i32, i32) -> ()
  } else {
    %2 = arith.muli %a, %a : i32
    "t.use"(%0, %2) : (i32, i32) -> ()
  }
  %3 = arith.muli %a, %a : i32
  "t.use"(%0, %3) : (i32, i32) -> ()
  return
}

// -----

// The entry dominates everything; the two arms do not dominate the end.
// CHECK-LABEL: func.func @blocks
// CHECK: [[OUT:%.*]] = arith.addi
// CHECK-NOT: arith.addi
// CHECK-COUNT-3: arith.muli
func.func @blocks(%c: i1, %a: i32) {
  %0 = arith.addi %a, %a : i32
  cf.cond_br %c, ^left, ^right
^end:
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %a, %a : i32
  "t.use"(%1, %2) : (i32, i32) -> ()
  return
^left:
  %3 = arith.muli %a, %a : i32
  "t.use"(%0, %3) : (i32, i32) -> ()
  cf.br ^end
^right:
  %4 = arith.muli %a, %a : i32
  "t.use"(%0, %4) : (i32, i32) -> ()
  cf.br ^end
}

// -----

// A dominator that stands behind in the text is found: blocks are visited in the order of control flow.
// CHECK-LABEL: func.func @order
// CHECK-COUNT-1: arith.addi
// CHECK-NOT: arith.addi
func.func @order(%a: i32) {
  cf.br ^first
^second:
  %0 = arith.addi %a, %a : i32
  "t.use"(%0) : (i32) -> ()
  return
^first:
  %1 = arith.addi %a, %a : i32
  "t.use"(%1) : (i32) -> ()
  cf.br ^second
}

// -----

// An op that is isolated from above keeps its own.
// CHECK-LABEL: func.func @outer
// CHECK: arith.constant 1 : i32
// CHECK-LABEL: func.func @other
// CHECK: arith.constant 1 : i32
func.func @outer() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}
func.func @other() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}
