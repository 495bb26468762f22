// Rewrites as text: constants, commutative operands, benefits, groups, canonicalize, and the trace.
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --strength %s | FileCheck %s
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --mul_one %s | FileCheck %s --check-prefix=ONE
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --pass-pipeline='builtin.module(func.func(min_max{max-iterations=3},canonicalize))' %s | FileCheck %s --check-prefix=CANON
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --strength --trace-rewrites --pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --list-passes | FileCheck %s --check-prefix=LIST
// RUN: cake-opt --canonicalize --trace-rewrites -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=HOOKS
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --pass-pipeline='builtin.module(strength{disable-patterns=mul_to_shift,sub_self,sub_of_sum})' --dump-pass-pipeline %s 2>%t.pipeline | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=DISABLED --input-file %t.pipeline
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --strength=enable-patterns=mul_one,sub_self --pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ENABLED
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --strength='enable-patterns=mul_one,sub_self disable-patterns=mul_one' --pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --canonicalize=disable-patterns=sub_self --pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: cake-opt --load-rewrites=%S/Inputs/strength.rewrite --strength=disable-patterns=mul_ones %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: cake-opt --canonicalize=enable-patterns=sub_self %s 2>&1 | FileCheck %s --check-prefix=NO-PATTERNS
// RUN: not cake-opt --load-rewrites=%t.none --strength %s 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: @mul
// ONE-LABEL: @mul
func.func @mul(%x: i32, %v: vector<4xi32>) -> (i32, i32, i32, vector<4xi32>) {
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %cv = arith.constant dense<16> : vector<4xi32>
  // CHECK: %[[N:.*]] = arith.constant 3 : i32
  // CHECK: %[[A:.*]] = arith.shli %[[X:.*]], %[[N]] : i32
  // ONE: arith.muli
  %0 = arith.muli %x, %c8 : i32
  %1 = arith.muli %x, %c1 : i32
  // CHECK: %[[B:.*]] = arith.muli %{{.*}}, %[[X]] : i32
  // ONE: arith.muli
  %2 = arith.muli %c7, %x : i32
  // CHECK: %[[V:.*]] = arith.constant dense<4> : vector<4xi32>
  // CHECK: %[[C:.*]] = arith.shli %{{.*}}, %[[V]] : vector<4xi32>
  %3 = arith.muli %cv, %v : vector<4xi32>
  // CHECK: return %[[A]], %[[X]], %[[B]], %[[C]]
  // ONE: return %{{.*}}, %arg0, %{{.*}}, %{{.*}}
  return %0, %1, %2, %3 : i32, i32, i32, vector<4xi32>
}

// CHECK-LABEL: @sub
func.func @sub(%x: i64, %y: i64) -> (i64, i64) {
  // CHECK: %[[Z:.*]] = arith.constant 0 : i64
  %0 = arith.subi %x, %x : i64
  // The sum has its operands the other way round.
  %s = arith.addi %y, %x : i64
  %1 = arith.subi %s, %y : i64
  // CHECK: return %[[Z]], %arg0
  return %0, %1 : i64, i64
}

// CHECK-LABEL: @both
// CANON-LABEL: @both
func.func @both(%x: i64, %y: i64) -> i64 {
  // CANON-NEXT: %[[R:.*]] = arith.addi %arg0, %arg1 : i64
  // CANON-NEXT: return %[[R]]
  %m = arith.minsi %x, %y : i64
  %n = arith.maxsi %x, %y : i64
  // CHECK: arith.maxsi
  %r = arith.addi %n, %m : i64
  return %r : i64
}

// TRACE: rewrite: {{.*}}strength.mlir:[[# MUL:]]:8: 'arith.muli': pattern 'mul_one' does not apply: 'one(#c)' does not hold
// TRACE-NEXT: rewrite: {{.*}}strength.mlir:[[# MUL]]:8: 'arith.muli': pattern 'mul_to_shift' applied
// TRACE: 'arith.muli': pattern 'mul_one' applied
// TRACE: 'arith.muli': pattern 'mul_to_shift' does not apply: 'power_of_two(#c)' does not hold
// TRACE: 'arith.subi': pattern 'sub_self' applied
// TRACE: 'arith.subi': pattern 'sub_self' does not apply: operand #1 of 'arith.subi' is another value than %x
// TRACE: Pass statistics
// TRACE: strength
// TRACE-NEXT: 2 mul_to_shift
// TRACE-NEXT: 1 mul_one
// TRACE-NEXT: 1 sub_self
// TRACE-NEXT: 1 sub_of_sum
// LIST: --strength Applies the rewrites of the group of this name.
// LIST-NEXT: max-iterations
// LIST: --mul_to_shift Rewrites 'arith.muli' by the rewrite of this name.
// HOOKS: rewrite: {{.*}}strength.mlir:{{[0-9]+}}:8: 'arith.muli': {{folded|canonicalized by its hook}}
// NONE: cannot open
// DISABLED: builtin.module(strength{max-iterations=-1 disable-patterns={mul_to_shift,sub_self,sub_of_sum} enable-patterns={}})
// ENABLED: strength
// ENABLED-NEXT: 1 mul_one
// ENABLED-NEXT: 1 sub_self
// ENABLED-NOT: mul_to_shift
// BOTH-NOT: mul_one
// BOTH: 1 sub_self
// CHOSEN: canonicalize
// CHOSEN-NOT: sub_self
// UNKNOWN: warning: 'disable-patterns' of pass 'strength': there is no pattern 'mul_ones', and no op of that name [PASS_PIPELINE]
// UNKNOWN: fix: did you mean 'mul_one'?
// NO-PATTERNS: warning: 'enable-patterns' of pass 'canonicalize': there is no pattern 'sub_self', and no op of that name
