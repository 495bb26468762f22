// scf.parallel, scf.reduce, scf.reduce.return, scf.execute_region: custom and generic form.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @plain
// CHECK: scf.parallel (%[[I:.*]]) = (%arg0) to (%arg1) step (%arg1) {
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
// GENERIC: "scf.parallel"(%arg0, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
func.func @plain(%a: index, %b: index) {
  scf.parallel (%i) = (%a) to (%b) step (%b) {
  }
  return
}

// CHECK-LABEL: func.func @reductions
// CHECK: %{{.*}}:2 = scf.parallel (%{{.*}}, %{{.*}}) = (%arg0, %arg0) to (%arg1, %arg1) step (%arg1, %arg1) init (%arg2, %arg2) -> (f32, f32) {
// CHECK-NEXT: scf.reduce(%arg2, %arg2 : f32, f32) {
// CHECK-NEXT: ^bb0(%[[L:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: scf.reduce.return %[[L]] : f32
// CHECK-NEXT: }, {
// CHECK: } {k = 1 : i64}
func.func @reductions(%a: index, %b: index, %x: f32) -> f32 {
  %r:2 = scf.parallel (%i, %j) = (%a, %a) to (%b, %b) step (%b, %b) init (%x, %x) -> (f32, f32) {
    scf.reduce(%x, %x : f32, f32) {
    ^bb0(%l: f32, %m: f32):
      scf.reduce.return %l : f32
    }, {
    ^bb0(%l: f32, %m: f32):
      scf.reduce.return %m : f32
    }
  } {k = 1}
  return %r#1 : f32
}

// CHECK-LABEL: func.func @regions
// CHECK: scf.execute_region no_inline {
// CHECK-NEXT: scf.yield
// CHECK: scf.execute_region -> i32 {
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK: scf.yield %arg1 : i32
func.func @regions(%c: i1, %x: i32) -> i32 {
  scf.execute_region no_inline {
    scf.yield
  }
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %x : i32
  ^b:
    scf.yield %x : i32
  } {k}
  return %r : i32
}
