// Faults of cf.switch, and of the weights of cf.cond_br.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @f(%flag: i32) {
  // expected-error@+1 {{expected 'default'}}
  cf.switch %flag : i32, [ 42: ^bb1 ]
^bb1:
  return
}
// -----
func.func @f(%flag: i32) {
  // expected-error@+1 {{expected integer value}}
  cf.switch %flag : i32, [ default: ^bb1, "x": ^bb1 ]
^bb1:
  return
}
// -----
func.func @f(%flag: f32) {
  // expected-error@+1 {{the flag must be an integer of 1 to 64 bits, not 'f32'}}
  cf.switch %flag : f32, [ default: ^bb1 ]
^bb1:
  return
}
// -----
func.func @f(%flag: i32, %x: f32) {
  // expected-error@+1 {{branch has 0 operands for successor #1, but target block has 1}}
  cf.switch %flag : i32, [ default: ^bb1(%x : f32), 1: ^bb1 ]
^bb1(%y: f32):
  return
}
// -----
func.func @f(%flag: i32) {
  // expected-error@+1 {{number of case values (2) should match number of case destinations (1)}}
  "cf.switch"(%flag)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<[4, 5]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
}
// -----
func.func @f(%flag: i32) {
  // expected-error@+1 {{'case_operand_segments' add up to 3, but there are 0 case operands}}
  "cf.switch"(%flag)[^bb1, ^bb1] <{case_operand_segments = array<i32: 3>, case_values = dense<[4]> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error@+1 {{branch weights cannot all be zero}}
  cf.cond_br %c weights([0, 0]), ^bb1, ^bb1
^bb1:
  return
}
