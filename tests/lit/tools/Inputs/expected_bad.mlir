func.func @unexpected() -> i32 {
  return
}

// -----

func.func @not_produced() {
  // expected-error@+1 {{something else}}
  return
}

// -----

func.func @severity() -> i32 { // expected-error@+2 {{has 0 operands}}
  // expected-warning@+1 {{has 0 operands}}
  return
}

// -----

// expected-error {{not closed
func.func @fine() {
  return
}
