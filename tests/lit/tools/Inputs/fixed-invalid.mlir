func.func @wide(%a: i8) -> i8 {
  // expected-error @below {{'fixed.mul' op shifts by 8, but its numbers have 8 bits}}
  %0 = fixed.mul %a, %a shift 8 : i8
  return %0 : i8
}

// -----

func.func @two_points(%a: i32) -> i32 {
  // expected-note @below {{this one has 4 bits behind it}}
  %0 = fixed.mul %a, %a shift 4 : i32
  // expected-error @below {{'fixed.mul' op has its point at another place than others}}
  %1 = fixed.mul %0, %a shift 5 : i32
  return %1 : i32
}

// -----

func.func @floats(%a: f32) -> f32 {
  // expected-error @+3 {{operand #0 must be integer, but got 'f32'}}
  // expected-error @+2 {{operand #1 must be integer, but got 'f32'}}
  // expected-error @+1 {{result #0 must be integer, but got 'f32'}}
  %0 = fixed.mul %a, %a shift 4 : f32
  return %0 : f32
}
