// --verify-diagnostics: what is expected, where, and as a regular expression.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @here(%a: i32) {
  "arith.addi"(%a) : (i32) -> () // expected-error {{expected 2 operands}} expected-error {{requires one result}}
  return
}

// -----

func.func @places(%a: i32) -> i32 {
  // expected-error@+1 {{has 0 operands}}
  return
}
// expected-error@+2 {{redefinition of symbol named 'same'}}
func.func private @same() // expected-note {{see existing symbol definition here}}
func.func private @same()

// -----

func.func @above() -> i32 {
  return
  // expected-error@above {{has 0 operands}}
}
func.func @below() -> i32 {
  // expected-error@below {{has 0 operands}}
  return
}
func.func @minus() -> i32 {
  return

  // expected-error@-2 {{has 0 operands}}
}

// -----

func.func @regex() -> i32 {
  // expected-error-re@+1 {{'func.return' op has {{[0-9]+}} operands, but {{(enclosing|other)}} function (@regex)}}
  return
}

// -----

// A part without a fault and without expectations is fine.
func.func @fine() {
  return
}
