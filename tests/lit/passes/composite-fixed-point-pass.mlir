// A pipeline runs until it changes nothing; the actions of all rounds are those of the pass.
// RUN: cake-opt --composite-fixed-point-pass='name=Both pipeline=any(canonicalize,cse)' --log-actions-to=- %s 2>&1 | FileCheck %s
// CHECK:      begins pass 1 'composite-fixed-point-pass' on 'builtin.module'
// CHECK-NEXT:   begins pass 2 'canonicalize' on 'builtin.module'
// CHECK:        completed pass 2 'canonicalize': changed
// CHECK:        completed pass 3 'cse': unchanged
// CHECK:        completed pass 4 'canonicalize': unchanged
// CHECK:        completed pass 5 'cse': unchanged
// CHECK-NEXT: completed pass 1 'composite-fixed-point-pass': changed
// CHECK-NOT:  arith.constant
// RUN: cake-opt --pass-pipeline='builtin.module(func.func(composite-fixed-point-pass{pipeline=func.func(dce) max-iterations=1}))' %s 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: warning: 'CompositeFixedPointPass' still changes something in round 1
// MANY-NOT: arith.constant

// The dumped pipeline is read again.
// RUN: cake-opt --composite-fixed-point-pass='name=Both pipeline=any(canonicalize,cse)' --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: cake-opt --pass-pipeline='builtin.module(composite-fixed-point-pass{name=Both pipeline="any(canonicalize,cse)" max-iterations=10})' --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: builtin.module(composite-fixed-point-pass{name=Both pipeline="any(canonicalize,cse)" max-iterations=10})

// RUN: not cake-opt --composite-fixed-point-pass='pipeline=any(cse) max-iterations=0' %s 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'builtin.module' op can't run a pipeline 0 times
// RUN: not cake-opt --composite-fixed-point-pass=pipeline=any(nothing) %s 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: nothing
// RUN: cake-opt --composite-fixed-point-pass %s | FileCheck %s --check-prefix=EMPTY
// EMPTY: arith.constant
func.func @f() {
  %0 = arith.constant 1.5 : f32
  return
}
