// int-range-optimizations: comparisons that ranges decide, and the code behind them.
// RUN: cake-opt %s --int-range-optimizations --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @guard(
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: func.call
// CHECK-NOT: scf.if
// CHECK: return
func.func private @use(i32) -> ()
func.func @guard(%c0: i32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  scf.for %i = %zero to %eight step %one {
    %in = arith.cmpi slt, %i, %eight : index
    scf.if %in {
      func.call @use(%c0) : (i32) -> ()
    }
  }
  return
}

// Unknown: a comparison stays.
// CHECK-LABEL: func.func @unknown(
// CHECK: arith.cmpi slt
// CHECK: scf.if
func.func @unknown(%n: index, %c0: i32) {
  %eight = arith.constant 8 : index
  %in = arith.cmpi slt, %n, %eight : index
  scf.if %in {
    func.call @use(%c0) : (i32) -> ()
  }
  return
}
