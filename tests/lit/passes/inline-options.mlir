// What functions go through on the way, and callees that are too large for their callers.
// RUN: cake-opt --inline='default-pipeline={} inlining-threshold=100' %s | FileCheck %s --check-prefix=SMALL
// SMALL-LABEL: @small
// SMALL-NEXT: call @callee
// SMALL-LABEL: @large
// SMALL-NOT: call @callee
// RUN: cake-opt --inline='default-pipeline={} inlining-threshold=0' %s | FileCheck %s --check-prefix=NEVER
// NEVER-COUNT-2: call @callee
// RUN: cake-opt --inline='default-pipeline={} inlining-threshold=4294967295' %s | FileCheck %s --check-prefix=ALWAYS
// ALWAYS-NOT: call @callee

// The callee's two equal sums are one behind cse; its unused difference goes behind canonicalize.
// RUN: cake-opt --inline=default-pipeline=cse %s | FileCheck %s --check-prefix=CSE
// CSE-LABEL: @small
// CSE-NEXT: arith.addi
// CSE-NEXT: arith.muli
// CSE-NEXT: arith.subi
// CSE-NEXT: return
// RUN: cake-opt --inline='default-pipeline={} op-pipelines=my.func(dce),func.func(cse,canonicalize)' %s | FileCheck %s --check-prefix=OWN
// RUN: cake-opt --pass-pipeline='builtin.module(inline{default-pipeline=canonicalize inlining-threshold=4294967295 max-iterations=4 op-pipelines={func.func(canonicalize{max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true},cse)}})' %s | FileCheck %s --check-prefix=OWN
// OWN-LABEL: @small
// OWN-NEXT: arith.addi
// OWN-NEXT: arith.muli
// OWN-NEXT: return
// RUN: not cake-opt --inline=default-pipeline=nothing %s 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: {{.*}}'nothing'
// RUN: not cake-opt --inline='op-pipelines={my.func(dce),cse}' %s 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: 'builtin.module' op can't be inlined into: 'cse' of `op-pipelines` is no pipeline on an op
// RUN: not cake-opt --inline='op-pipelines=)))(((' %s 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: is no pipeline on an op
// RUN: not cake-opt --inline='op-pipelines=func.func()cse)' %s 2>&1 | FileCheck %s --check-prefix=END
// END: error: expected the end of the pipeline
func.func @callee(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  %3 = arith.subi %1, %0 : i32
  return %2 : i32
}
func.func @small(%a: i32) -> i32 {
  %0 = call @callee(%a) : (i32) -> i32
  return %0 : i32
}
func.func @large(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.subi %0, %a : i32
  %2 = arith.subi %1, %0 : i32
  %3 = call @callee(%2) : (i32) -> i32
  return %3 : i32
}

// What is known of a function goes with it: the pipelines of its caller do not ask for it again.
// RUN: cake-opt --inline=default-pipeline=cse --check-passes %s | FileCheck %s --check-prefix=GONE
// GONE-NOT: @gone
func.func private @gone_first(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
func.func private @gone_second(%a: i32) -> i32 {
  %0 = call @gone_first(%a) : (i32) -> i32
  return %0 : i32
}
func.func @last(%a: i32) -> i32 {
  %0 = call @gone_second(%a) : (i32) -> i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %1, %0 : i32
  return %2 : i32
}
