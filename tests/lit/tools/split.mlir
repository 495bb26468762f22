// --split-input-file: parts are modules of their own, lines count in the whole file, one bad part fails the run.
// RUN: cake-opt --split-input-file %s | FileCheck %s
// RUN: not cake-opt %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not cake-opt --split-input-file %S/Inputs/split_bad.mlir 2>&1 | FileCheck %s --check-prefix=BAD

// WHOLE: redefinition of symbol named 'f'
// BAD: split_bad.mlir:7:3: error:
// CHECK: module {
// CHECK: func.func private @f()
// CHECK: // -----
// CHECK-NEXT: module {
// CHECK: func.func private @f()
// CHECK: // -----
// CHECK-NEXT: module {
// CHECK-NEXT: }
func.func private @f()

// -----

func.func private @f()

// -----
