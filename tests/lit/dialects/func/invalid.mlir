// Faults of func ops, in MLIR's words where it has them.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @returns_nothing() -> i32 {
  // expected-error@+1 {{'func.return' op has 0 operands, but enclosing function (@returns_nothing) returns 1}}
  return
}

// -----

func.func @returns_another(%a: i1) -> i32 {
  // expected-error@+1 {{type of return operand 0 ('i1') doesn't match function result type ('i32') in function @returns_another}}
  return %a : i1
}

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @declared_public()

// -----

func.func @unknown(%a: i1) {
  // expected-error@+1 {{'func.call' op 'nobody' does not reference a valid function}}
  call @nobody(%a) : (i1) -> ()
  return
}

// -----

func.func @count(%a: i1) {
  // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
  call @count() : () -> ()
  return
}

// -----

func.func @type(%a: i1, %b: i32) {
  // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'i1', but provided 'i32' for operand number 0}}
  call @type(%b, %b) : (i32, i32) -> ()
  return
}

// -----

func.func @results() {
  // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
  %0 = call @results() : () -> i32
  return
}

// -----

// expected-error@+1 {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{type of entry block argument #0('f32') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^entry(%a: f32):
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 1}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f", sym_visibility = "private", arg_attrs = [{}, {}]}> ({
}) : () -> ()

// -----

// expected-error@+1 {{expected SSA identifier}}
func.func @half(%a: i32, f32) {
  return
}

// -----

// expected-error@+1 {{entry block must have 1 arguments to match function signature}}
func.func @body(i32) {
  return
}

// -----

// expected-error@+1 {{expected non-empty function body}}
func.func @empty() {
}

// -----

func.func @short_module() {
  // expected-error@+1 {{custom op 'module' is unknown}}
  module {
  }
  return
}

// -----

// expected-note@+1 {{see existing symbol definition here}}
func.func @same() {
  return
}
// expected-error@+1 {{redefinition of symbol named 'same'}}
func.func @same() {
  return
}
