// sccp: constants through blocks, structured control flow and calls of private functions; mlir-opt agrees op for op.
// RUN: cake-opt --allow-unregistered-dialect --sccp %s | FileCheck %s
// RUN: mlir-opt --allow-unregistered-dialect --sccp --mlir-print-op-generic %s | cake-opt --allow-unregistered-dialect --print-op-stats -o %t 2> %t.mlir
// RUN: cake-opt --allow-unregistered-dialect --sccp --print-op-stats %s -o %t 2>&1 | diff %t.mlir -
// REQUIRES: mlir-opt

// CHECK-LABEL: func.func private @twice(
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: return %[[TWO]] : i32
func.func private @twice(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}

// What others may call keeps its arguments.
// CHECK-LABEL: func.func @open(
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
func.func @open(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}

// A function whose address is taken is called from anywhere.
// CHECK-LABEL: func.func private @taken(
// CHECK: arith.addi %arg0, %arg0 : i32
func.func private @taken(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @f(
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
// CHECK: cf.br ^{{.*}}(%[[C2]], %[[C1]] : i32, i32)
// CHECK: return %[[C2]], %[[C1]], %[[C1]] : i32, i32, i32
func.func @f(%c: i1, %x: i32) -> (i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %g = func.constant @taken : (i32) -> i32
  "test.use"(%g) : ((i32) -> i32) -> ()
  %one = call @taken(%c1) : (i32) -> i32
  %two = call @open(%c1) : (i32) -> i32
  "test.use"(%one, %two) : (i32, i32) -> ()
  cf.cond_br %true, ^a(%c1 : i32), ^b(%x : i32)
^a(%p: i32):
  %r = call @twice(%p) : (i32) -> i32
  %q = scf.if %c -> i32 {
    scf.yield %r : i32
  } else {
    %t = arith.addi %c1, %c1 : i32
    scf.yield %t : i32
  }
  cf.br ^c(%q, %p : i32, i32)
^b(%z: i32):
  cf.br ^c(%z, %z : i32, i32)
^c(%u: i32, %v: i32):
  %i = arith.constant 0 : index
  %n = arith.constant 10 : index
  %s = arith.constant 1 : index
  %w = scf.for %k = %i to %n step %s iter_args(%acc = %c1) -> i32 {
    %m = arith.muli %acc, %v : i32
    scf.yield %m : i32
  }
  return %u, %v, %w : i32, i32, i32
}

// The branch that is never taken is not looked at; the loop's value really changes.
// CHECK-LABEL: func.func @structured(
// CHECK: %[[FOR:.*]] = scf.for
// CHECK: %[[WHILE:.*]] = scf.while
// CHECK: return %{{.*}}, %[[FOR]], %[[WHILE]]
func.func @structured(%x: i32, %n: index) -> (i32, i32, i32) {
  %false = arith.constant false
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %s = arith.constant 1 : index
  %a = scf.if %false -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %c7 : i32
  }
  %b = scf.for %k = %c0 to %n step %s iter_args(%acc = %a) -> i32 {
    %m = arith.addi %acc, %c7 : i32
    scf.yield %m : i32
  }
  %d = scf.while (%w = %a) : (i32) -> i32 {
    %c = arith.cmpi slt, %w, %x : i32
    scf.condition(%c) %w : i32
  } do {
  ^bb0(%w: i32):
    %m = arith.addi %w, %c7 : i32
    scf.yield %m : i32
  }
  return %a, %b, %d : i32, i32, i32
}

// CHECK-LABEL: func.func @switch(
// CHECK: %[[TEN:.*]] = arith.constant 10 : i32
// CHECK: return %[[TEN]] : i32
func.func @switch(%x: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %c10 = arith.constant 10 : i32
  cf.switch %c5 : i32, [
    default: ^d(%x : i32),
    4: ^d(%x : i32),
    5: ^d(%c10 : i32)
  ]
^d(%v: i32):
  return %v : i32
}

// Many operands, which wait until all that leads to them is known: a loop of blocks that hands on twenty values, one of which varies.
// CHECK-LABEL: func.func @many(
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: ^bb1(
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %[[ONE]] : i32
// CHECK: ^bb2:
// CHECK: return %{{.*}}, %[[ONE]] : i32, i32
func.func @many(%c: i1) -> (i32, i32) {
  %one = arith.constant 1 : i32
  cf.br ^loop(%one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one, %one : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
^loop(%x0: i32, %x1: i32, %x2: i32, %x3: i32, %x4: i32, %x5: i32, %x6: i32, %x7: i32, %x8: i32, %x9: i32, %x10: i32, %x11: i32, %x12: i32, %x13: i32, %x14: i32, %x15: i32, %x16: i32, %x17: i32, %x18: i32, %x19: i32):
  %next = arith.addi %x0, %x19 : i32
  cf.cond_br %c, ^loop(%next, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15, %x16, %x17, %x18, %x19 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32), ^end
^end:
  return %next, %x19 : i32, i32
}
