// scf.forall and scf.forall.in_parallel: custom and generic form. The end is left out where it says nothing.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC

func.func private @callee(index, index)

// CHECK-LABEL: func.func @nested
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%arg0, 4) {
// CHECK-NEXT: scf.forall (%[[K:.*]]) = (0) to (%arg0) step (2) {
// CHECK-NEXT: func.call @callee(%[[I]], %[[K]]) : (index, index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: }
// GENERIC: "scf.forall"(%arg0) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: -9223372036854775808, 4>}> ({
// GENERIC-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
// GENERIC: "scf.forall.in_parallel"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()
func.func @nested(%n: index) {
  scf.forall (%i, %j) in (%n, 4) {
    scf.forall (%k) = (0) to (%n) step (2) {
      func.call @callee(%i, %k) : (index, index) -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @outputs
// CHECK: %[[R:.*]] = scf.forall (%{{.*}}) in (7) shared_outs(%{{.*}} = %arg1) -> (tensor<4xf32>) {
// CHECK-NEXT: scf.forall.in_parallel {
// CHECK-NEXT: }
// CHECK-NEXT: } {tag}
// CHECK: %{{.*}}:2 = scf.forall (%{{.*}}) = (1) to (%arg0) step (%arg0) shared_outs(%{{.*}} = %arg1, %{{.*}} = %[[R]]) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT: scf.forall.in_parallel {
// CHECK-NEXT: } {x}
// GENERIC: operandSegmentSizes = array<i32: 0, 0, 0, 1>
// GENERIC: }) {tag} : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC: operandSegmentSizes = array<i32: 0, 1, 1, 2>
func.func @outputs(%n: index, %t: tensor<4xf32>) {
  %r = scf.forall (%i) in (7) shared_outs(%o = %t) -> (tensor<4xf32>) {
  } {tag}
  %q:2 = scf.forall (%i) = (1) to (%n) step (%n) shared_outs(%o = %t, %p = %r) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.forall.in_parallel {
    } {x}
  }
  return
}

// An end that says something is kept, also where nothing comes out.
// CHECK-LABEL: func.func @end
// CHECK: scf.forall (%{{.*}}) in (0) {
// CHECK-NEXT: scf.forall.in_parallel {
// CHECK-NEXT: } {x}
// CHECK-NEXT: } {mapping = []}
func.func @end() {
  scf.forall (%i) in (0) {
    scf.forall.in_parallel {
    } {x}
  } {mapping = []}
  return
}
