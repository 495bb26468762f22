// What the pass manager shows and writes: chosen passes, a folder of files, times as a tree, statistics, remarks, reproducers.
// RUN: cake-opt --cse --canonicalize --check-passes %s -o %t.checked
// RUN: cake-opt %s --cse --canonicalize --print-ir-before=canonicalize --print-ir-after=cse -o %t 2>&1 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: IR Dump After cse
// CHOSEN-NOT: IR Dump
// CHOSEN: IR Dump Before canonicalize
// CHOSEN-NOT: IR Dump

// RUN: rm -rf %t.dir
// RUN: cake-opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize),symbol-dce)' --print-ir-after-all --print-ir-tree-dir=%t.dir -o %t
// RUN: FileCheck %s --check-prefix=FILE < %t.dir/builtin_module_no-symbol-name/func_func_a_b/2_canonicalize.mlir
// RUN: FileCheck %s --check-prefix=FILE < %t.dir/builtin_module_no-symbol-name/5_symbol-dce.mlir
// FILE: // -----// IR Dump After
// FILE: func.func @"a/b"
// RUN: not cake-opt %s --cse --print-ir-after-all --print-ir-tree-dir=/dev/null/x -o %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: cannot make the folders of '/dev/null/x/builtin_module_no-symbol-name/1_cse.mlir'

// RUN: cake-opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize),symbol-dce)' --timing=tree -o %t 2>&1 | FileCheck %s --check-prefix=TREE
// TREE: 1 'builtin.module' pipeline
// TREE: 2   'func.func' pipeline
// TREE: 2     cse
// TREE: 2     canonicalize
// TREE: 1   symbol-dce
// RUN: not cake-opt %s --timing=nice 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: --timing takes no value, 'list', 'tree' or 'json', not 'nice'

// RUN: cake-opt %s --cse --symbol-dce --pass-statistics=json -o %t 2>&1 | FileCheck %s --check-prefix=STATISTICS
// STATISTICS: [{"pass":{{ ?}}"cse",{{ ?}}"ops merged":{{ ?}}1},{{ ?}}{"pass":{{ ?}}"symbol-dce"}]

// RUN: cake-opt %s --verify-protocol --remarks-filter='^nothing' -o %t 2>&1 | count 0
// RUN: not cake-opt %s --remarks-filter='(' 2>&1 | FileCheck %s --check-prefix=FILTER
// FILTER: --remarks-filter: '(' is no regular expression

// A pass that fails leaves what repeats it: the whole run, or the pass alone behind what ran before it.
// RUN: not cake-opt %s --cse --canonicalize=max-iterations=0 --crash-reproducer=%t.r 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: rewriting does not come to an end
// FAILS: cake-opt: note: what repeats this run is in '{{.*}}'; try --run-reproducer
// RUN: FileCheck %s --check-prefix=WHOLE < %t.r
// WHOLE-COUNT-2: arith.addi %arg0, %arg0
// WHOLE: pipeline: "builtin.module(cse,canonicalize{max-iterations=0 max-num-rewrites=-1 region-simplify=normal test-convergence=true top-down=true disable-patterns={} enable-patterns={}})"
// RUN: not cake-opt %t.r --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: rewriting does not come to an end
// RUN: not cake-opt %s --cse --canonicalize=max-iterations=0 --crash-reproducer=%t.l --local-reproducer
// RUN: FileCheck %s --check-prefix=LOCAL < %t.l
// LOCAL-COUNT-1: arith.addi %arg0, %arg0
// LOCAL: pipeline: "builtin.module(canonicalize{max-iterations=0 max-num-rewrites=-1 region-simplify=normal test-convergence=true top-down=true disable-patterns={} enable-patterns={}})"
// RUN: not cake-opt %t.l --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// One can be asked for, and repeats a run that goes well.
// RUN: cake-opt %s --cse --generate-reproducer=%t.g -o %t.1
// RUN: cake-opt %t.g --run-reproducer | diff %t.1 -
// RUN: not cake-opt %s --run-reproducer 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: the input holds no reproducer
// RUN: not cake-opt %t.g --run-reproducer --cse 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: --run-reproducer takes the pipeline from the input; no other passes can be named
// RUN: not cake-opt %s --cse --crash-reproducer=/dev/null/x --generate-reproducer=/dev/null/x -o %t 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: /dev/null/x

func.func @"a/b"(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %zero = arith.constant 0 : i32
  %2 = arith.addi %0, %zero : i32
  %3 = arith.muli %2, %1 : i32
  return %3 : i32
}
func.func @g() {
  return
}
