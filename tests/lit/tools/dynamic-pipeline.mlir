// A pass runs pipelines on ops that it chooses: they are part of the run in every way, and refused where they may not run.
// RUN: rm -rf %t && mkdir %t && cc -shared -fPIC -I%cake_src/include %S/Inputs/dynamic_pipeline.c -o %t/plugin.so
// DEFINE: %{pipeline} =
// DEFINE: %{run} = cake-opt %s --load-pass-plugin=%t/plugin.so --pass-pipeline='builtin.module(%{pipeline})'

// REDEFINE: %{pipeline} = test-dynamic-pipeline{on=g pipeline={func.func(canonicalize,cse)}},cse
// RUN: %{run} | FileCheck %s
// RUN: %{run} -o /dev/null --print-ir-after-change --timing=tree --pass-statistics --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %{run} -o /dev/null --timing 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %{run} -o /dev/null --log-actions-to=- 2>&1 | grep pass | FileCheck %s --check-prefix=ACTIONS
// RUN: %{run} --debug-counter=pass-count=1 | FileCheck %s --check-prefix=ONE
// RUN: %{run} -o /dev/null --print-ir-after-all --print-ir-tree-dir=%t/tree && find %t/tree -type f | sort | FileCheck %s --check-prefix=FILES
// CHECK-LABEL: @f(
// CHECK: arith.addi
// CHECK-LABEL: @g(
// CHECK-NOT: arith.addi

// REPORT: builtin.module(test-dynamic-pipeline{pipeline="func.func(canonicalize,cse)" on=g where={} forgives=false},cse)
// REPORT-NEXT: // -----// IR Dump After canonicalize ('func.func' operation: @g) //----- //
// REPORT: // -----// IR Dump After test-dynamic-pipeline //----- //
// REPORT: // -----// Pass statistics
// REPORT-NEXT: canonicalize
// REPORT-NEXT: 1 ops erased
// REPORT: 'builtin.module' pipeline
// REPORT-NEXT: {{[0-9]}}    test-dynamic-pipeline
// REPORT-NEXT: {{[0-9]}}      'func.func' pipeline
// REPORT-NEXT: {{[0-9]}}        canonicalize
// REPORT-NEXT: {{[0-9]}}        cse
// REPORT-NEXT: {{[0-9]}}    cse

// LIST: 2  cse
// LIST: 1  test-dynamic-pipeline

// ACTIONS: {{^}}begins pass 1 'test-dynamic-pipeline' on 'builtin.module'
// ACTIONS-NEXT: {{^}}  begins pass 2 'canonicalize' on 'func.func' @g
// ACTIONS-NEXT: {{^}}  completed pass 2 'canonicalize': changed
// ACTIONS-NEXT: {{^}}  begins pass 3 'cse' on 'func.func' @g
// ACTIONS-NEXT: {{^}}  completed pass 3 'cse': unchanged
// ACTIONS-NEXT: {{^}}completed pass 1 'test-dynamic-pipeline': changed
// ACTIONS-NEXT: {{^}}begins pass 4 'cse' on 'builtin.module'

// ONE-LABEL: @g(
// ONE: arith.addi

// FILES: tree/builtin_module_no-symbol-name/1_test-dynamic-pipeline.mlir
// FILES-NEXT: tree/builtin_module_no-symbol-name/4_cse.mlir
// FILES-NEXT: tree/builtin_module_no-symbol-name/func_func_g/2_canonicalize.mlir
// FILES-NEXT: tree/builtin_module_no-symbol-name/func_func_g/3_cse.mlir
// FILES-NOT: {{.}}

// On the op that the pass runs on itself, and one pass in another.
// REDEFINE: %{pipeline} = func.func(test-dynamic-pipeline{where=itself pipeline={func.func(test-dynamic-pipeline{where=itself pipeline="func.func(canonicalize)"})}})
// RUN: %{run} | FileCheck %s --check-prefix=BOTH
// BOTH-NOT: arith.addi

// What was known before a pipeline changed something is not known any more.
// REDEFINE: %{pipeline} = func.func(test-dynamic-analysis,test-dynamic-analysis)
// RUN: %{run} -o /dev/null 2>&1 | FileCheck %s --check-prefix=ANALYSIS
// ANALYSIS: the analysis is another
// ANALYSIS-NEXT: the analysis is the same

// The reproducer is that of the pass that chose the pipeline: what it chooses again fails again.
// REDEFINE: %{pipeline} = cse,test-dynamic-pipeline{on=g forgives pipeline={func.func(canonicalize,test-break)}}
// RUN: not %{run} --crash-reproducer=%t/r.mlir --local-reproducer 2>&1 | FileCheck %s --check-prefix=BREAKS
// RUN: FileCheck %s --check-prefix=REPRODUCER < %t/r.mlir
// RUN: not cake-opt %t/r.mlir --load-pass-plugin=%t/plugin.so --run-reproducer 2>&1 | FileCheck %s --check-prefix=BREAKS
// BREAKS: error: pass 'test-break' left IR that does not verify [PASS_FAILED]
// REPRODUCER: func.func @g
// REPRODUCER: arith.addi
// REPRODUCER: pipeline: "builtin.module(test-dynamic-pipeline{pipeline={{.*}}func.func(canonicalize,test-break){{.*}} on=g{{.*}}})"

// REDEFINE: %{pipeline} = test-dynamic-pipeline{on=g pipeline={builtin.module(cse)}}
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: dynamic-pipeline.mlir:[[# @LINE + 21]]:1: error: can't run a pipeline on 'builtin.module' on operation 'func.func' [PASS_PIPELINE]
// REDEFINE: %{pipeline} = func.func(test-dynamic-pipeline{where=parent pipeline={builtin.module(cse)}})
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=PARENT
// PARENT: error: 'builtin.module' op can't be given a pipeline by pass 'test-dynamic-pipeline': it is not inside of the op that the pass runs on [PASS_FAILED]
// REDEFINE: %{pipeline} = func.func(test-dynamic-pipeline{where=first pipeline={any(cse)}})
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: 'arith.constant' op can't be given a pipeline by pass 'test-dynamic-pipeline': it is not isolated from above [PASS_FAILED]
// REDEFINE: %{pipeline} = test-dynamic-pipeline{on=g pipeline={func.func(nope)}}
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: <pass-pipeline>:1:11: error: 'nope' is no registered pass
// REDEFINE: %{pipeline} = func.func(test-dynamic-endless)
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: 'func.func' op can't be given a pipeline by pass 'test-dynamic-endless': passes run pipelines in one another without end [PASS_FAILED]
// ENDLESS-NOT: error

func.func @f(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}

func.func @g(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}
