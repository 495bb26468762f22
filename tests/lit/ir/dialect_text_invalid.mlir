// Faults in ops of a dialect in text have the messages of built-in ones.
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect --split-input-file --verify-diagnostics %s

func.func @operand(%a: index) {
  // expected-error @+2 {{'toy.pack' op operand #0 must be integer | float, but got 'index'}}
  // expected-error @+1 {{'toy.pack' op operand #1 must be integer | float, but got 'index'}}
  %0 = toy.pack %a, %a : index -> !toy.box<i32, 2>
  return
}

// -----

func.func @variable(%a: i32, %b: f32) {
  // expected-error @+1 {{'toy.pack' op operand 'rhs' is of type 'f32', but operand 'lhs', which is !T too, is of type 'i32'}}
  %0 = "toy.pack"(%a, %b) : (i32, f32) -> !toy.box<i32, 2>
  return
}

// -----

func.func @inferred(%a: i32) {
  // expected-error @+1 {{'toy.sum' op}}
  %0 = "toy.sum"(%a) : (i32) -> i64
  return
}

// -----

func.func @result(%a: i32) {
  // expected-error @+1 {{'toy.pack' op result #0 must be !toy.box, but got 'i32'}}
  %0 = toy.pack %a, %a : i32 -> i32
  return
}

// -----

func.func @attribute(%a: i32) {
  // expected-error @+1 {{attribute 'mode' failed to satisfy constraint: "fast" | "slow"}}
  %0 = toy.sum %a mode medium : i32
  return
}

// -----

// expected-error @+1 {{unknown type 'bag' in dialect 'toy'}}
func.func @kind(%a: !toy.bag) {
  return
}

// -----

// expected-error @+1 {{expected ','}}
func.func @params(%a: !toy.box<i32>) {
  return
}

// -----

func.func @unknown() {
  // expected-error @+1 {{custom op 'toy.nothing' is unknown}}
  toy.nothing
  return
}

// -----

func.func @parent() {
  // expected-error @+1 {{'toy.leave' op expects parent op 'toy.scope'}}
  toy.leave
}
