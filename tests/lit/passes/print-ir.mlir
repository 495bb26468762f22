// The op that the pass runs on, as the run prints IR.
// RUN: cake-opt --pass-pipeline='builtin.module(func.func(print-ir{label=before},canonicalize,print-ir))' %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: // -----// IR Dump before //----- //
// CHECK-NEXT: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: arith.constant 0
// CHECK: // -----// IR Dump //----- //
// CHECK-NEXT: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: return %arg0
// RUN: cake-opt --print-ir --print-op-generic %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=GENERIC
// GENERIC: // -----// IR Dump //----- //
// GENERIC-NEXT: "builtin.module"() ({
func.func @f(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}
