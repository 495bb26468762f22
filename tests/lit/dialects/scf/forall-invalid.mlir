// Faults of scf.forall and scf.forall.in_parallel.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
    // expected-error@+1 {{'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops}}
    scf.forall.in_parallel {
      %0 = arith.constant 1 : i32
    }
  }
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{expected 1 upper bound values, got 2}}
  scf.forall (%i) in (%n, %n) {
  }
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{expected 2 step values, got 1}}
  scf.forall (%i, %j) = (0, 0) to (%n, 4) step (1) {
  }
  return
}
// -----
func.func @f(%n: index, %t: tensor<4xf32>) {
  // expected-error@+1 {{number of operands and types do not match: got 1 operands and 0 types}}
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) {
  }
  return
}
// -----
func.func @f(%n: index, %t: i32) {
  // expected-error@+1 {{operand #1 must be ranked tensor of any type values, but got 'i32'}}
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> i32 {
  }
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{expected 1 dynamic upper bound values}}
  scf.forall (%i) in (-9223372036854775808) {
  }
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{expected 0 dynamic upper bound values}}
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 2>, staticUpperBound = array<i64: 4>}> ({
  ^bb0(%i: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{expects 0-th block argument to be an index}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 2>, staticUpperBound = array<i64: 4>}> ({
  ^bb0(%i: i32):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{region expects 1 arguments}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 2>, staticUpperBound = array<i64: 4>}> ({
  ^bb0(%i: index, %j: i32):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{type mismatch between 0-th output and corresponding block argument}}
  %r = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 2>, staticUpperBound = array<i64: 4>}> ({
  ^bb0(%i: index, %o: tensor<4xi32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{type mismatch between 0-th output and corresponding result}}
  %r = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 2>, staticUpperBound = array<i64: 4>}> ({
  ^bb0(%i: index, %o: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (tensor<4xf32>) -> tensor<4xi32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{produces 0 results, but has 1 outputs}}
  "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 2>, staticUpperBound = array<i64: 4>}> ({
  ^bb0(%i: index, %o: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (tensor<4xf32>) -> ()
  return
}
// -----
func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
    // expected-error@+1 {{region #0 ('region') failed to verify constraint: region with 1 blocks}}
    "scf.forall.in_parallel"() ({}) : () -> ()
  }
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{failed to satisfy constraint: Device Mapping array attribute}}
  scf.forall (%i) in (%n) {
  } {mapping = [1]}
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{expected integer}}
  scf.forall (%i) in (x) {
  }
  return
}
