// Pipelines as text: nesting, options, errors with a caret.
// RUN: cake-opt --pass-pipeline='builtin.module(func.func(cse, canonicalize{max-iterations=3}), symbol-dce)' --dump-pass-pipeline %s 2>&1 | FileCheck %s
// RUN: cake-opt --cse --canonicalize=max-iterations=3 --symbol-dce --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: cake-opt --pass-pipeline='any(cse)' %s | FileCheck %s --check-prefix=ANY
// RUN: cake-opt --pass-pipeline='builtin.module()' %s | FileCheck %s --check-prefix=NONE

// CHECK: builtin.module(func.func(cse,canonicalize{max-iterations=3 max-num-rewrites=-1 region-simplify=normal test-convergence=true top-down=true disable-patterns={} enable-patterns={}}),symbol-dce)
// CHECK: func.func @f
// CHECK-COUNT-1: arith.addi
// FLAGS: builtin.module(cse,canonicalize{max-iterations=3 max-num-rewrites=-1 region-simplify=normal test-convergence=true top-down=true disable-patterns={} enable-patterns={}},symbol-dce)
// ANY-COUNT-1: arith.addi
// NONE-COUNT-2: arith.addi

// RUN: not cake-opt --pass-pipeline='builtin.module(cse,nothing)' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: <pass-pipeline>:1:20: error: 'nothing' is no registered pass
// UNKNOWN-NEXT: builtin.module(cse,nothing)
// UNKNOWN-NEXT: {{^}}                   ^

// RUN: not cake-opt --pass-pipeline='builtin.module(func.func(cse' %s 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: <pass-pipeline>:1:25: error: this '(' is not closed

// RUN: not cake-opt --pass-pipeline='builtin.module(cse))' %s 2>&1 | FileCheck %s --check-prefix=CLOSED
// CLOSED: <pass-pipeline>:1:20: error: expected the end of the pipeline

// RUN: not cake-opt --pass-pipeline='cse' %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'

// RUN: not cake-opt --pass-pipeline='func.func(cse)' %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: can't run a pipeline on 'func.func' on operation 'builtin.module'

// RUN: not cake-opt --pass-pipeline='builtin.module(canonicalize{max-iteration=3})' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: <pass-pipeline>:1:29: error: pass 'canonicalize' has no option 'max-iteration'
// OPTION: max-iterations, max-num-rewrites, region-simplify

// RUN: not cake-opt --pass-pipeline='builtin.module(canonicalize{max-iterations=many})' %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: <pass-pipeline>:1:29: error: option 'max-iterations' of pass 'canonicalize' must be an integer, not 'many'

// RUN: not cake-opt --pass-pipeline='builtin.module(canonicalize{max-iterations=3)' %s 2>&1 | FileCheck %s --check-prefix=BRACE
// BRACE: <pass-pipeline>:1:28: error: this '{' is not closed

// RUN: not cake-opt --pass-pipeline='builtin.module(cse,)' %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: <pass-pipeline>:1:20: error: expected a pass or 'anchor(…)'

// RUN: not cake-opt --canonicalize=top-down=perhaps %s 2>&1 | FileCheck %s --check-prefix=BOOL
// BOOL: error: option 'top-down' of pass 'canonicalize' must be true or false, not 'perhaps'

func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
