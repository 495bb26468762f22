// What a callee returns on all ways is known, whoever else may call it; what it gets, only where all calls are.
// RUN: cake-opt --sccp --check-passes %s | FileCheck %s

// CHECK-LABEL: func.func @public(
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1
// CHECK-NEXT: return %[[ONE]], %arg0
func.func @public(%a: i32) -> (i32, i32) {
  %one = arith.constant 1 : i32
  return %one, %a : i32, i32
}
// CHECK-LABEL: func.func @caller(
// CHECK: %[[C:.*]]:2 = call @public
// CHECK-NEXT: return %0, %[[C]]#1
func.func @caller() -> (i32, i32) {
  %one = arith.constant 1 : i32
  %0:2 = call @public(%one) : (i32) -> (i32, i32)
  return %0#0, %0#1 : i32, i32
}

// Two ways out with two numbers.
// CHECK-LABEL: func.func @two_ways(
func.func @two_ways(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.cond_br %c, ^a, ^b
^a:
  return %one : i32
^b:
  return %two : i32
}
// CHECK-LABEL: func.func @calls_two_ways(
// CHECK: %[[R:.*]] = call @two_ways
// CHECK-NEXT: return %[[R]]
func.func @calls_two_ways(%c: i1) -> i32 {
  %0 = call @two_ways(%c) : (i1) -> i32
  return %0 : i32
}

// Nested ones are called from here alone; of a declaration nothing is known.
// CHECK-LABEL: func.func nested @nested(
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1
// CHECK-NEXT: return %[[ONE]]
func.func nested @nested(%a: i32) -> i32 {
  return %a : i32
}
func.func private @declared(i32) -> i32
// CHECK-LABEL: func.func @calls_nested(
// CHECK: call @nested
// CHECK-NEXT: %[[D:.*]] = call @declared
// CHECK-NEXT: return %{{.*}}, %[[D]]
func.func @calls_nested() -> (i32, i32) {
  %one = arith.constant 1 : i32
  %0 = call @nested(%one) : (i32) -> i32
  %1 = call @declared(%one) : (i32) -> i32
  return %0, %1 : i32, i32
}
