// Choices, comparisons, bits and signs of values that other ops make.
// RUN: cake-opt --canonicalize --check-passes %s | FileCheck %s

// CHECK-LABEL: @choices
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: %[[A:.*]] = arith.select %arg0, %arg2, %arg1 : i32
// CHECK-NEXT: %[[B:.*]] = arith.extui %arg0 : i1 to i32
// CHECK-NEXT: %[[NOT:.*]] = arith.xori %arg0, %[[TRUE]] : i1
// CHECK-NEXT: %[[C:.*]] = arith.extui %[[NOT]] : i1 to i32
// CHECK-NEXT: %[[D:.*]] = arith.xori %arg0, %[[TRUE]] : i1
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @choices(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %not = arith.xori %c, %true : i1
  %w = arith.select %not, %a, %b : i32
  %x = arith.select %c, %1, %0 : i32
  %y = arith.select %c, %0, %1 : i32
  %z = arith.select %c, %false, %true : i1
  return %w, %x, %y, %z : i32, i32, i32, i1
}

// Of other types, and of other numbers, choices stay.
// CHECK-LABEL: @choices_stay
// CHECK: arith.select %arg0, %{{.*}}, %{{.*}} : index
// CHECK: arith.select %arg0, %{{.*}}, %{{.*}} : i8
func.func @choices_stay(%c: i1) -> (index, i8) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : i8
  %3 = arith.constant 0 : i8
  %x = arith.select %c, %1, %0 : index
  %y = arith.select %c, %2, %3 : i8
  return %x, %y : index, i8
}

// CHECK-LABEL: @between_compared
// CHECK-NEXT: return %arg1, %arg0, %arg0
func.func @between_compared(%a: i32, %b: i32) -> (i32, i32, i32) {
  %eq = arith.cmpi eq, %a, %b : i32
  %ne = arith.cmpi ne, %a, %b : i32
  %x = arith.select %eq, %a, %b : i32
  %y = arith.select %ne, %a, %b : i32
  %z = arith.select %eq, %b, %a : i32
  return %x, %y, %z : i32, i32, i32
}

// CHECK-LABEL: @elements
// CHECK-NEXT: arith.constant dense<[1, 5]> : vector<2xi32>
// CHECK-NEXT: return
func.func @elements() -> vector<2xi32> {
  %c = arith.constant dense<[true, false]> : vector<2xi1>
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[4, 5]> : vector<2xi32>
  %0 = arith.select %c, %a, %b : vector<2xi1>, vector<2xi32>
  return %0 : vector<2xi32>
}

// CHECK-LABEL: @opposite
// CHECK: arith.cmpi sge, %arg0, %arg1 : i32
// CHECK: arith.cmpi ugt, %arg0, %arg1 : i32
// CHECK: arith.xori
func.func @opposite(%a: i32, %b: i32, %c: i1) -> (i1, i1, i1) {
  %true = arith.constant true
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.cmpi ule, %a, %b : i32
  %2 = arith.xori %0, %true : i1
  %3 = arith.xori %1, %true : i1
  %4 = arith.xori %0, %c : i1
  return %2, %3, %4 : i1, i1, i1
}

// CHECK-LABEL: @extended
// CHECK-NEXT: %[[EQ:.*]] = arith.cmpi eq, %arg0, %arg1 : i8
// CHECK-NEXT: %[[AND:.*]] = arith.andi %arg0, %arg1 : i8
// CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[AND]] : i8 to i64
// CHECK-NEXT: %[[OR:.*]] = arith.ori %arg0, %arg1 : i8
// CHECK-NEXT: arith.extsi %[[OR]] : i8 to i64
// CHECK-NEXT: %[[XOR:.*]] = arith.xori %arg0, %arg1 : i8
// CHECK-NEXT: arith.extsi %[[XOR]] : i8 to i64
func.func @extended(%a: i8, %b: i8) -> (i1, i64, i64, i64) {
  %0 = arith.extsi %a : i8 to i64
  %1 = arith.extsi %b : i8 to i64
  %eq = arith.cmpi eq, %0, %1 : i64
  %and = arith.andi %0, %1 : i64
  %or = arith.ori %0, %1 : i64
  %xor = arith.xori %0, %1 : i64
  return %eq, %and, %or, %xor : i1, i64, i64, i64
}

// Not when they are extended otherwise, from other types, or compared by their order.
// CHECK-LABEL: @not_extended
// CHECK-COUNT-4: arith.ext
// CHECK: arith.andi %{{.*}} : i64
// CHECK: arith.ori %{{.*}} : i64
// CHECK: arith.cmpi slt, %{{.*}} : i64
func.func @not_extended(%a: i8, %b: i8, %c: i16) -> (i64, i64, i1) {
  %0 = arith.extsi %a : i8 to i64
  %1 = arith.extui %b : i8 to i64
  %2 = arith.extsi %c : i16 to i64
  %3 = arith.extsi %b : i8 to i64
  %and = arith.andi %0, %1 : i64
  %or = arith.ori %0, %2 : i64
  %lt = arith.cmpi slt, %0, %3 : i64
  return %and, %or, %lt : i64, i64, i1
}

// CHECK-LABEL: @booleans
// CHECK-NEXT: return %arg0, %arg0
func.func @booleans(%c: i1) -> (i1, i1) {
  %0 = arith.constant 0 : i64
  %1 = arith.extsi %c : i1 to i64
  %2 = arith.extui %c : i1 to i64
  %3 = arith.cmpi ne, %1, %0 : i64
  %4 = arith.cmpi ne, %2, %0 : i64
  return %3, %4 : i1, i1
}

// CHECK-LABEL: @signs
// CHECK-NEXT: arith.mulf %arg0, %arg1 fastmath<contract> : f32
// CHECK-NEXT: arith.divf %arg0, %arg1 : f32
func.func @signs(%a: f32, %b: f32) -> (f32, f32) {
  %0 = arith.negf %a : f32
  %1 = arith.negf %b : f32
  %2 = arith.mulf %0, %1 fastmath<contract> : f32
  %3 = arith.divf %0, %1 : f32
  return %2, %3 : f32, f32
}

// A product divided by a factor, if it does not overflow as the division takes it.
// CHECK-LABEL: @quotients
// CHECK-NEXT: %[[P:.*]] = arith.muli %arg0, %arg1 overflow<nsw> : index
// CHECK-NEXT: %[[Q:.*]] = arith.divui %[[P]], %arg0 : index
// CHECK-NEXT: return %arg1, %arg0, %[[Q]]
func.func @quotients(%a: index, %b: index) -> (index, index, index) {
  %0 = arith.muli %a, %b overflow<nsw> : index
  %1 = arith.muli %a, %b overflow<nuw> : index
  %2 = arith.divsi %0, %a : index
  %3 = arith.divui %1, %b : index
  %4 = arith.divui %0, %a : index
  return %2, %3, %4 : index, index, index
}
