// Debug counters: which folds, patterns and passes are done.
// RUN: cake-opt %s --canonicalize --debug-counter=fold-skip=1,fold-count=1 | FileCheck %s
// RUN: cake-opt %s --canonicalize --debug-counter=fold-skip=1 --print-debug-counter 2>&1 >/dev/null | FileCheck %s --check-prefix=COUNTS
// RUN: cake-opt %s --canonicalize --cse --debug-counter=pass-count=0 | FileCheck %s --check-prefix=NONE
// RUN: cake-opt %s --load-rewrites=%S/Inputs/counted.rewrite --twice --mlir-debug-counter=twice-count=1 | FileCheck %s --check-prefix=PATTERN
// RUN: not cake-opt %s --canonicalize --debug-counter=fold 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not cake-opt %s --canonicalize --debug-counter=fold-skip=x 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not cake-opt %s --canonicalize --debug-counter=-skip=1 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not cake-opt %s --canonicalize --debug-counter=fold-count=99999999999999999999 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: cake-opt: expected NAME-skip=N or NAME-count=N, not '{{.*}}' [TOOL_USAGE]
// COUNTS: DebugCounter counters:
// COUNTS: fold{{ *}}: {{{[1-9][0-9]*}},1,-1}
// COUNTS: pass{{ *}}: {1,0,-1}

// CHECK-LABEL: func.func @f(
// CHECK: %[[A:.*]] = arith.addi %arg0, %{{.*}} : i32
// CHECK-NEXT: %[[C:.*]] = arith.addi %arg2, %{{.*}} : i32
// CHECK-NEXT: return %[[A]], %arg1, %[[C]]
// NONE-COUNT-3: arith.addi
// PATTERN: arith.shli %arg0
// PATTERN-NEXT: arith.addi %arg1
// PATTERN-NEXT: arith.addi %arg2
func.func @f(%a: i32, %b: i32, %c: i32) -> (i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %x = arith.addi %a, %zero : i32
  %y = arith.addi %b, %zero : i32
  %z = arith.addi %c, %zero : i32
  return %x, %y, %z : i32, i32, i32
}
