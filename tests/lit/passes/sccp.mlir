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
