// What cake-opt shows of the passes' work: IR before, after, after change; times; statistics; all on standard error.
// RUN: cake-opt --cse --canonicalize --print-ir-before-all %s -o %t 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: cake-opt --cse --canonicalize --print-ir-after-all %s -o %t 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: cake-opt --cse --cse --print-ir-after-change %s -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: cake-opt --cse --cse --mlir-print-ir-after-change --mlir-print-ir-after-all %s -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: cake-opt --pass-pipeline='builtin.module(func.func(cse))' --print-ir-after-all %s -o %t 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: cake-opt --pass-pipeline='builtin.module(func.func(cse))' --print-ir-after-all --print-ir-module-scope %s -o %t 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: cake-opt --cse --timing %s -o %t 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: cake-opt --cse --timing=json %s -o %t 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: cake-opt --cse --pass-statistics %s -o %t 2>&1 | FileCheck %s --check-prefix=STATISTICS

// BEFORE: // -----// IR Dump Before cse //----- //
// BEFORE-COUNT-2: arith.addi
// BEFORE: // -----// IR Dump Before canonicalize //----- //
// AFTER: // -----// IR Dump After cse //----- //
// AFTER-NEXT: module {
// AFTER-COUNT-1: arith.addi
// AFTER-NOT: arith.addi
// AFTER: // -----// IR Dump After canonicalize //----- //
// CHANGE: // -----// IR Dump After cse //----- //
// CHANGE-NOT: IR Dump
// NESTED: // -----// IR Dump After cse ('func.func' operation: @f) //----- //
// NESTED-NEXT: func.func @f
// MODULE: // -----// IR Dump After cse ('func.func' operation: @f) //----- //
// MODULE-NEXT: module {
// TIMING: ===- Execution time report -===
// TIMING: {{[0-9.]+ +\( *[0-9.]+%\) +1}}  Parser
// TIMING-NEXT: {{.*}} 2  (verifier)
// TIMING-NEXT: {{.*}} 1  cse
// TIMING: Output
// JSON: [{"name":{{ ?}}"Parser",{{ ?}}"depth":{{ ?}}0,{{ ?}}"count":{{ ?}}1,{{ ?}}"seconds":{{ ?}}
// STATISTICS: cse
// STATISTICS-NEXT: 1 ops merged
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
