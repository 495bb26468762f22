// Options of canonicalize.
// RUN: cake-opt --canonicalize=region-simplify=disabled %s | FileCheck %s --check-prefix=KEEP
// RUN: cake-opt --canonicalize %s | FileCheck %s
// RUN: not cake-opt --canonicalize=max-iterations=0 %s 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not cake-opt --canonicalize=max-num-rewrites=0 %s 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: cake-opt --canonicalize='max-iterations=0 test-convergence=false' %s | FileCheck %s --check-prefix=STOP
// RUN: cake-opt --canonicalize='max-num-rewrites=0 test-convergence=false' %s -o %t
// RUN: not cake-opt --canonicalize=region-simplify=perhaps %s 2>&1 | FileCheck %s --check-prefix=REGIONS
// REGIONS: error: 'builtin.module' op can't be canonicalised: `region-simplify` is 'normal', 'aggressive' or 'disabled', not 'perhaps'
// STOP: arith.addi

// What mlir-opt dumps of its own canonicalize is taken.
// RUN: cake-opt --pass-pipeline='builtin.module(canonicalize{disable-patterns={a,b}  max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true})' %s | FileCheck %s

// Patterns by name; hooks by the name of their op. Folds are no patterns.
// RUN: split-file %S/Inputs/canonicalize-names.txt %t.names
// RUN: cake-opt --load-rewrites=%t.names/r.rewrite --canonicalize %t.names/f.mlir | FileCheck %s --check-prefix=ALL
// RUN: cake-opt --load-rewrites=%t.names/r.rewrite --canonicalize=disable-patterns=double %t.names/f.mlir | FileCheck %s --check-prefix=NO-PATTERN
// RUN: cake-opt --load-rewrites=%t.names/r.rewrite --canonicalize=disable-patterns=other,arith.cmpi %t.names/f.mlir | FileCheck %s --check-prefix=NO-HOOK
// RUN: cake-opt --load-rewrites=%t.names/r.rewrite --canonicalize=enable-patterns=double %t.names/f.mlir | FileCheck %s --check-prefix=NO-HOOK
// RUN: cake-opt --load-rewrites=%t.names/r.rewrite --canonicalize=enable-patterns=arith.cmpi %t.names/f.mlir | FileCheck %s --check-prefix=NO-PATTERN
// ALL: arith.shli
// ALL: arith.cmpi sgt, %arg0, %{{.*}}
// NO-PATTERN: arith.addi %arg0, %arg0
// NO-PATTERN: arith.cmpi sgt, %arg0, %{{.*}}
// NO-HOOK: arith.shli
// NO-HOOK: arith.cmpi slt, %{{.*}}, %arg0

// The last op first: the log of what was done says so.
// RUN: cake-opt --canonicalize=top-down=false --log-actions-to=- %t.names/two.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=UP
// RUN: cake-opt --canonicalize --log-actions-to=- %t.names/two.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=DOWN
// UP: begins fold on 'arith.muli'
// UP: begins fold on 'arith.addi'
// DOWN: begins fold on 'arith.addi'
// DOWN: begins fold on 'arith.muli'

// KEEP: ^{{.*}}:  // no predecessors
// KEEP: }
// CHECK-NOT: ^
// LIMIT: error: rewriting does not come to an end: stopped by the limit of rounds over all ops after {{[0-9]+}} rewrites; still to do: the folder of 'arith.addi'
// LIMIT: note: while 'func.func' was rewritten
// ONE: error: rewriting does not come to an end: stopped by the limit of rewrites after {{[0-9]+}} rewrites; these feed one another: the folder of 'arith.addi'
func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %a, %zero : i32
  return %0 : i32
^dead:
  return %a : i32
}
