// Faults in custom forms, which formats describe.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @f(%a: i32) {
  // expected-error@+1 {{expected ','}}
  %0 = arith.addi %a : i32
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%a: i32) {
  // expected-error@+1 {{use of value '%a' expects different type than prior uses: 'i64' vs 'i32'}}
  %0 = arith.addi %a, %a : i64
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{expected non-function type}}
  %0 = arith.addi %a, %a :
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{number of operands and types do not match: got 1 operands and 2 types}}
  return %a : i32, i32
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'warps' is given twice}}
  cake.role @r warps(4) warps(4) { }
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error@+1 {{expected 'to'}}
  %0 = arith.extsi %a : i32 from i64
  return
}

// -----

func.func @f(%a: i32) -> i32 {
  // expected-error@+1 {{expected type}}
  return %a :
}

// -----

// expected-error@+1 {{result number not allowed in argument list}}
func.func private @f(%a#0: i32)

// -----

func.func @f(%a: index, %x: i32) {
  // expected-error@+1 {{result number not allowed in argument list}}
  %0 = scf.for %i = %a to %a step %a iter_args(%y#1 = %x) -> i32 {
  }
  return
}
