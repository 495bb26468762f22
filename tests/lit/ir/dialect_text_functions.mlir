// Functions, calls and loops of a dialect in text: their forms, verification, and passes that work with them.
// RUN: cake-opt --load-dialect=%S/Inputs/calc.dialect --split-input-file --verify-diagnostics %s
// RUN: sed '/^.. .....$/,$d' %s > %t.mlir
// RUN: cake-opt --load-dialect=%S/Inputs/calc.dialect --verify-roundtrip %t.mlir | FileCheck %s
// RUN: cake-opt --load-dialect=%S/Inputs/calc.dialect --print-debuginfo %t.mlir | cake-opt --load-dialect=%S/Inputs/calc.dialect | FileCheck %s
// RUN: cake-opt --load-dialect=%S/Inputs/calc.dialect --inline --symbol-dce %t.mlir | FileCheck %s --check-prefix=INLINE
// RUN: cake-opt --load-dialect=%S/Inputs/calc.dialect --pass-pipeline='builtin.module(calc.func(cse))' %t.mlir | FileCheck %s --check-prefix=CSE
// RUN: cake-opt --load-dialect=%S/Inputs/calc.dialect --loop-invariant-code-motion %t.mlir | FileCheck %s --check-prefix=LICM

// CHECK: calc.func private @twice(%arg0: i32 {calc.x = 1 : i32}) -> (i32 {calc.y}) attributes {fast} {
// CHECK-NEXT: %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT: return %0 : i32
// CHECK: calc.func nested @outside(i32, f32) -> (i32, f32)
// CHECK: calc.func @many(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT: say %arg0 as "a: text" : i32
// CHECK-NEXT: say %arg0 as "b" how "loud" {c.d} : i32
// CHECK-NEXT: %0 = call @twice(%arg0) : (i32) -> i32
// CHECK-NEXT: %1 = repeat 3 with iter(%arg2 = %0) -> i32 {
// CHECK: calc.yield
// CHECK: repeat 2 {
// CHECK-NEXT: }
// CHECK: calc.plain @plain() {
// CHECK-NEXT: calc.return
// INLINE-NOT: @twice
// INLINE: calc.func @many(
// INLINE: %0 = arith.addi %arg0, %arg0 : i32
// INLINE-NEXT: %1 = repeat 3 with iter(%arg2 = %0)
// CSE: arith.muli
// CSE-NOT: arith.muli
// LICM: arith.muli
// LICM: repeat 3
calc.func private @twice(%a: i32 {calc.x = 1 : i32}) -> (i32 {calc.y}) attributes {fast} {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
calc.func nested @outside(i32, f32) -> (i32, f32)
calc.func @many(%a: i32, %b: i1) -> i32 {
  say %a as "a: text" : i32
  say %a as "b" how "loud" {c.d} : i32
  %0 = call @twice(%a) : (i32) -> i32
  %1 = repeat 3 with iter(%x = %0) -> i32 {
    %2 = arith.muli %a, %a : i32
    %3 = arith.muli %a, %a : i32
    %4 = arith.addi %x, %2 : i32
    %5 = arith.addi %4, %3 : i32
    calc.yield %5 : i32
  }
  repeat 2 {
  }
  return %1 : i32
}
calc.plain @plain() {
  calc.return
}

// -----

calc.func @results() -> i32 {
  // expected-error @below {{'calc.return' op has 0 operands, but enclosing function (@results) returns 1}}
  calc.return
}

// -----

calc.func @types(%a: f32) -> i32 {
  // expected-error @below {{type of return operand 0 ('f32') doesn't match function result type ('i32') in function @types}}
  calc.return %a : f32
}

// -----

calc.func @calls(%a: i32) {
  // expected-error @below {{incorrect number of operands for callee}}
  calc.call @calls() : () -> ()
  // expected-error @below {{operand type mismatch: expected operand type 'i32', but provided 'i1' for operand number 0}}
  %0 = arith.constant true calc.call @calls(%0) : (i1) -> ()
  // expected-error @below {{incorrect number of results for callee}}
  %1 = calc.call @calls(%a) : (i32) -> i32
  // expected-error @below {{'nobody' does not reference a valid function}}
  calc.call @nobody(%a) : (i32) -> ()
  calc.return
}

// -----

// expected-error @below {{'calc.func' op symbol declaration cannot have public visibility}}
calc.func @declared()

// -----

// expected-error @below {{entry block must have 2 arguments to match function signature}}
"calc.func"() <{sym_name = "f", function_type = (i32, i32) -> ()}> ({
^bb0(%a: i32):
  "calc.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{needs a function type as its 'function_type'}}
"calc.func"() <{sym_name = "f", function_type = i32}> ({
  "calc.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{'calc.plain' has no attributes of arguments or results}}
calc.plain @f(%a: i32 {calc.x}) {
  calc.return
}
