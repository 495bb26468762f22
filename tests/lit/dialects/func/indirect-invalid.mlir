// Faults of func.constant and func.call_indirect.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @f() {
  // expected-error@+1 {{reference to undefined function 'missing'}}
  %f = func.constant @missing : () -> ()
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{reference to function with mismatched type: it is '() -> ()', not '(i32) -> ()'}}
  %f = func.constant @f : (i32) -> ()
  return
}
// -----
func.func @f(%g: (i32) -> ()) {
  // expected-error@+1 {{the callee takes 1 operands, but 0 are given}}
  func.call_indirect %g() : (i32) -> ()
  return
}
// -----
func.func @f(%g: (i32) -> (), %x: f32) {
  // expected-error@+1 {{operand type mismatch: expected operand type 'i32', but provided 'f32' for operand number 0}}
  "func.call_indirect"(%g, %x) : ((i32) -> (), f32) -> ()
  return
}
