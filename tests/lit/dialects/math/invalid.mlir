// Faults of math ops.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @integer(%a: i32) {
  // expected-error@+2 {{operand #0 must be floating-point-like, but got 'i32'}}
  // expected-error@+1 {{result #0 must be floating-point-like, but got 'i32'}}
  %0 = math.exp %a : i32
  return
}

// -----

func.func @types(%a: f32, %b: f64) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "math.fma"(%a, %a, %b) : (f32, f32, f64) -> f32
  return
}
