// --verify-diagnostics: what differs is an error of its own.
// RUN: not cake-opt --verify-diagnostics --split-input-file %S/Inputs/expected_bad.mlir 2>&1 | FileCheck %s

// CHECK: expected_bad.mlir:2:3: error: unexpected error: 'func.return' op has 0 operands, but enclosing function (@unexpected) returns 1 [EXPECTED_DIAGNOSTIC]
// CHECK: expected_bad.mlir:8:6: error: expected error "something else" was not produced
// CHECK: expected_bad.mlir:15:6: error: expected warning "has 0 operands" was not produced
// CHECK: expected_bad.mlir:21:4: error: expected {{[{][{]}}text}} behind this, on one line
