// Pure ops whose operands do not change move in front of the loop, through as many loops as they may; what may fail, has an
// effect, or depends on the round stays.
// RUN: cake-opt --loop-invariant-code-motion --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[N:.*]]: index, %[[X:.*]]: i32)
func.func @nested(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[MUL:.*]] = arith.muli %[[X]], %[[X]]
  // CHECK: scf.for %[[I:.*]] = {{.*}} to %[[N]]
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: %[[CAST:.*]] = arith.index_cast %[[I]]
    // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[CAST]], %[[MUL]]
    // CHECK-NEXT: scf.for %[[J:.*]] = {{.*}} to %[[N]]
    scf.for %j = %c0 to %n step %c1 {
      %mul = arith.muli %x, %x : i32
      %cast = arith.index_cast %i : index to i32
      %sum = arith.addi %cast, %mul : i32
      // CHECK-NEXT: %[[OWN:.*]] = arith.index_cast %[[J]]
      %own = arith.index_cast %j : index to i32
      // CHECK-NEXT: %[[ALL:.*]] = arith.addi %[[OWN]], %[[SUM]]
      %all = arith.addi %own, %sum : i32
      // CHECK-NEXT: func.call @sink(%[[ALL]])
      func.call @sink(%all) : (i32) -> ()
    }
  }
  return
}
func.func private @sink(i32)

// -----

// A division by an unknown number must not run where the loop has no round; by a constant it may.
// CHECK-LABEL: func.func @division
func.func @division(%n: index, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[SEVEN:.*]] = arith.constant 7
  // CHECK: %[[MINUS:.*]] = arith.constant -1
  %c7 = arith.constant 7 : i32
  %minus = arith.constant -1 : i32
  // CHECK: arith.divsi %{{.*}}, %[[SEVEN]]
  // CHECK: arith.divui %{{.*}}, %[[MINUS]]
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.divsi %x, %c7 : i32
    %d = arith.divui %x, %minus : i32
    // CHECK: arith.divsi %{{.*}}, %arg2
    %b = arith.divsi %x, %y : i32
    // CHECK: arith.divsi %{{.*}}, %[[MINUS]]
    %c = arith.divsi %x, %minus : i32
    // CHECK: call @use
    func.call @use(%a, %b, %c, %d) : (i32, i32, i32, i32) -> ()
  }
  return
}
func.func private @use(i32, i32, i32, i32)

// -----

// An op with regions moves as a whole, when nothing in it comes from the loop.
// CHECK-LABEL: func.func @regions
func.func @regions(%n: index, %c: i1, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[IF:.*]] = scf.if
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.if %c -> (i32) {
      %s = arith.addi %x, %x : i32
      scf.yield %s : i32
    } else {
      scf.yield %x : i32
    }
    // CHECK-NEXT: arith.index_cast
    // CHECK-NEXT: %[[SECOND:.*]] = scf.if
    %v = arith.index_cast %i : index to i32
    %q = scf.if %c -> (i32) {
      %s = arith.addi %v, %x : i32
      scf.yield %s : i32
    } else {
      scf.yield %x : i32
    }
    // CHECK: call @use(%[[IF]], %[[SECOND]])
    func.call @use(%r, %q) : (i32, i32) -> ()
  }
  return
}
func.func private @use(i32, i32)

// -----

// Carried values change; scf.while is a loop, too.
// CHECK-LABEL: func.func @carried
func.func @carried(%n: index, %x: i32, %init: i32) -> i32 {
  // CHECK: %[[DOUBLE:.*]] = arith.addi %arg1, %arg1
  // CHECK-NEXT: scf.while (%[[CARRIED:.*]] = %arg2)
  %r = scf.while (%a = %init) : (i32) -> i32 {
    %double = arith.addi %x, %x : i32
    // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[CARRIED]], %[[DOUBLE]]
    %next = arith.addi %a, %double : i32
    %go = arith.cmpi slt, %next, %x : i32
    scf.condition(%go) %next : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return %r : i32
}
