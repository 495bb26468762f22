// What is computed, handed on and returned for nothing goes.
// RUN: cake-opt --allow-unregistered-dialect --load-dialect=%S/Inputs/carry.dialect --remove-dead-values --check-passes %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --load-dialect=%S/Inputs/carry.dialect --remove-dead-values %s | cake-opt --allow-unregistered-dialect --load-dialect=%S/Inputs/carry.dialect --remove-dead-values --pass-statistics -o /dev/null - 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: removed
// AGAIN-NOT: erased

// Arguments and results of private functions that are only called; dictionaries go with them.
// CHECK: func.func private @callee(%arg0: i32 {t.kept}) -> (i32 {t.used}) {
// CHECK-NEXT: return %arg0 : i32
func.func private @callee(%a: i32 {t.kept}, %b: i32 {t.gone}) -> (i32 {t.lost}, i32 {t.used}) {
  %0 = arith.addi %b, %b : i32
  return %0, %a : i32, i32
}
// CHECK: func.func @calls(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT: %0 = call @callee(%arg0) : (i32) -> i32
// CHECK-NEXT: %1 = call @callee(%0) : (i32) -> i32
// CHECK-NEXT: return %1 : i32
func.func @calls(%a: i32, %b: i32) -> i32 {
  %0:2 = call @callee(%a, %b) : (i32, i32) -> (i32, i32)
  %1:2 = call @callee(%0#1, %0#0) : (i32, i32) -> (i32, i32)
  return %1#1 : i32
}

// Functions that call one another and feed themselves alone.
// CHECK: func.func private @ping() {
// CHECK-NEXT: call @pong() : () -> ()
// CHECK-NEXT: return
// CHECK: func.func private @pong() {
// CHECK-NEXT: call @ping() : () -> ()
// CHECK-NEXT: "t.effect"() : () -> ()
func.func private @ping(%a: i32) -> i32 {
  %0 = call @pong(%a) : (i32) -> i32
  return %0 : i32
}
func.func private @pong(%a: i32) -> i32 {
  %0 = call @ping(%a) : (i32) -> i32
  "t.effect"() : () -> ()
  return %0 : i32
}

// Of a function that something else refers to, and of a public one, nothing goes.
// CHECK: func.func private @referred(%arg0: i32) -> i32
// CHECK: func.func @public(%arg0: i32) -> i32
// CHECK-NEXT: %0 = arith.constant
// CHECK-NEXT: call @referred(%0) : (i32) -> i32
// CHECK-NEXT: return %0
func.func private @referred(%a: i32) -> i32 {
  return %a : i32
}
func.func @public(%a: i32) -> i32 attributes {to = @referred} {
  %0 = arith.constant 1 : i32
  %1 = call @referred(%0) : (i32) -> i32
  return %0 : i32
}

// What blocks hand round for nothing; the condition stays.
// CHECK: func.func @blocks(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT: cf.br ^bb1(%arg1 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = arith.muli %0, %0
// CHECK-NEXT: cf.cond_br %arg0, ^bb1(%1 : i32), ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: return %1
func.func @blocks(%c: i1, %a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  cf.br ^loop(%0, %a : i32, i32)
^loop(%x: i32, %y: i32):
  %1 = arith.addi %x, %y : i32
  %2 = arith.muli %y, %y : i32
  cf.cond_br %c, ^loop(%1, %2 : i32, i32), ^end(%1 : i32)
^end(%z: i32):
  return %2 : i32
}

// Loops keep what is of use to a later round, or behind them; each half of a while has its own values.
// CHECK: func.func @loops(%arg0: index, %arg1: i32, %arg2: i1) -> i32 {
// CHECK-NEXT: %0 = scf.for %{{.*}} = %arg0 to %arg0 step %arg0 iter_args(%[[X:.*]] = %arg1) -> (i32) {
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT:   scf.yield %[[NEXT]] : i32
// CHECK:      %1 = scf.while (%[[B:.*]] = %0) : (i32) -> i32 {
// CHECK-NEXT:   scf.condition(%arg2) %[[B]] : i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[D:.*]]: i32):
// CHECK-NEXT:   scf.yield %[[D]] : i32
// CHECK:      return %1
func.func @loops(%n: index, %a: i32, %c: i1) -> i32 {
  %0:3 = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %a, %z = %a) -> (i32, i32, i32) {
    %1 = arith.addi %x, %x : i32
    %2 = arith.muli %y, %z : i32
    scf.yield %1, %z, %2 : i32, i32, i32
  }
  %w:2 = scf.while (%p = %0#1, %q = %0#0) : (i32, i32) -> (i32, i32) {
    scf.condition(%c) %q, %p : i32, i32
  } do {
  ^bb0(%d: i32, %e: i32):
    scf.yield %e, %d : i32, i32
  }
  return %w#0 : i32
}

// Results of branches; ops with effects stay, with what they need.
// CHECK: func.func @ways(%arg0: index, %arg1: i32) -> i32 {
// CHECK-NEXT: %0 = scf.index_switch %arg0 -> i32
// CHECK-NEXT: case 1 {
// CHECK-NEXT:   %[[E:.*]] = "t.effect"(%arg1) : (i32) -> i32
// CHECK-NEXT:   scf.yield %arg1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: default {
// CHECK-NEXT:   %[[K:.*]] = arith.constant 3 : i32
// CHECK-NEXT:   scf.yield %[[K]] : i32
func.func @ways(%i: index, %a: i32) -> i32 {
  %0:2 = scf.index_switch %i -> (i32, i32)
  case 1 {
    %e = "t.effect"(%a) : (i32) -> i32
    scf.yield %e, %a : i32, i32
  }
  default {
    %k = arith.constant 3 : i32
    %l = arith.constant 4 : i32
    scf.yield %l, %k : i32, i32
  }
  return %0#1 : i32
}

// The cases of a switch share a group of operands.
// CHECK: func.func @cases(
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1,
// CHECK-NEXT: 1: ^bb2(%arg2 : i32),
// CHECK-NEXT: 2: ^bb1
func.func @cases(%i: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %i : i32, [
    default: ^one(%a : i32),
    1: ^two(%a, %b : i32, i32),
    2: ^one(%b : i32)
  ]
^one(%p: i32):
  return %b : i32
^two(%q: i32, %r: i32):
  return %r : i32
}

// A dialect of a file, with two groups of operands; an op of which nothing is known needs all that it gets.
// CHECK: func.func @groups(%arg0: i32, %arg1: index) -> i32 {
// CHECK-NEXT: %0 = "carry.loop"(%arg1, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[Y:.*]]: i32):
// CHECK-NEXT:   "carry.next"(%[[Y]]) : (i32) -> ()
// CHECK-NEXT: }) : (index, i32) -> i32
// CHECK-NEXT: "t.opaque"() ({
// CHECK-NEXT: ^bb0(%{{.*}}: i32):
// CHECK-NEXT:   %[[S:.*]] = arith.addi
// CHECK-NEXT:   "t.end"(%[[S]])
// CHECK:      return %0
func.func @groups(%a: i32, %n: index) -> i32 {
  %0:2 = "carry.loop"(%n, %a, %a) <{operandSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%i: index, %x: i32, %y: i32):
    %1 = arith.addi %x, %x : i32
    "carry.next"(%1, %y) : (i32, i32) -> ()
  }) : (index, i32, i32) -> (i32, i32)
  "t.opaque"() ({
  ^bb0(%p: i32):
    %1 = arith.addi %p, %a : i32
    "t.end"(%1) : (i32) -> ()
  }) : () -> ()
  return %0#1 : i32
}
