// On an error: exit code 1, no output file, and diagnostics as text or JSON.
// RUN: rm -f %t.out
// RUN: not cake-opt %s -o %t.out 2>&1 | FileCheck %s
// RUN: not ls %t.out
// RUN: not cake-opt --diagnostics=json %s 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: cake-opt --no-verify %s | FileCheck %s --check-prefix=UNVERIFIED

// UNVERIFIED: arith.addf
// JSON: "severity":{{ ?}}"error"
func.func @f(%a: i32) {
  // CHECK: failure.mlir:[[@LINE+3]]:8: error: 'arith.addf' op operand #0 must be floating-point-like, but got 'i32' [IR_OPERANDS]
  // CHECK-NEXT: %0 = "arith.addf"(%a, %a) : (i32, i32) -> i32
  // CHECK-NEXT: {{^ *}}^
  %0 = "arith.addf"(%a, %a) : (i32, i32) -> i32
  return
}
