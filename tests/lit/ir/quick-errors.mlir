// What is wrong in an op that is nearly read without tokens (ir/quick.h) is reported as for any other op.
// RUN: cake-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-note @+1 {{prior use here}}
func.func @f(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i64' vs 'i32'}}
  %1 = arith.addi %a, %b : i64
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-note @+1 {{previously defined here}}
  %0 = arith.addi %a, %b : i32
  // expected-error @+1 {{redefinition of SSA value '%0'}}
  %0 = arith.addi %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  // expected-error @+1 {{operation defines 1 result but was provided 2 to bind}}
  %1, %2 = arith.addi %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  // expected-error @+1 {{reference to invalid result number: '%0' has 1}}
  %1 = arith.addi %0#1, %b : i32
  return
}

// -----

func.func @f(%a: i32) -> i32 {
  // expected-error @+1 {{number of operands and types do not match: got 1 operands and 2 types}}
  return %a : i32 , i32
}

// -----

func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i32):
  // expected-error @+1 {{reference to an undefined block '^bb2'}}
  cf.br ^bb2(%b : i32)
}

// -----

func.func @f() {
  %0 = arith.constant 255 : i8
  // expected-error @+1 {{integer constant out of range for attribute}}
  %1 = arith.constant 256 : i8
  return
}

// -----

func.func @f(%a: i32) {
  "t.op"(%a) {k = 1 : i32} : (i32) -> ()
  // expected-error @+1 {{expected 1 operand type but had 2}}
  "t.op"(%a) {k = 1 : i32} : (i32, i32) -> ()
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  %0 = arith.addi %a, %a : tensor<4xi32>
  // expected-note @-2 {{prior use here}}
  // expected-error @+1 {{use of value '%b' expects different type than prior uses: 'tensor<4xi32>' vs 'tensor<5xi32>'}}
  %1 = arith.addi %b, %b : tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  %0 = arith.addi %a, %a : tensor<4xi32>
  // expected-error @+1 {{expected non-function type}}
  %1 = arith.addi %a, %a : tensor<4xi32x>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  %0 = arith.addi %a, %a : tensor<4xi32>
  // expected-error @+1 {{expected '>'}}
  %1 = arith.addi %a, %a : tensor<4xi32
  return
}
