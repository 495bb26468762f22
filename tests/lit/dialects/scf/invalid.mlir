// Faults of scf ops, in MLIR's words where it has them.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @yields(%a: i32) {
  // expected-error@+1 {{'scf.for' op different number of region iter_args and yielded values: 1 != 2}}
  %0 = scf.for %i = %a to %a step %a iter_args(%p = %a) -> (i32) : i32 {
    scf.yield %p, %p : i32, i32
  }
  return
}

// -----

func.func @init_type(%a: i32) {
  // expected-error@+1 {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'i32' != 'f32'}}
  %0 = "scf.for"(%a, %a, %a, %a) ({
  ^bb0(%i: i32, %p: f32):
    scf.yield %p : f32
  }) : (i32, i32, i32, i32) -> f32
  return
}

// -----

func.func @yield_type(%a: i32, %f: f32) {
  // expected-error@+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'i32' != 'f32'}}
  %0 = scf.for %i = %a to %a step %a iter_args(%p = %a) -> (i32) : i32 {
    scf.yield %f : f32
  }
  return
}

// -----

func.func @bounds(%a: i32, %x: index) {
  // expected-error@+1 {{'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type}}
  "scf.for"(%a, %a, %x) ({
  ^bb0(%i: i32):
    scf.yield
  }) : (i32, i32, index) -> ()
  return
}

// -----

func.func @induction(%a: i32) {
  // expected-error@+1 {{'scf.for' op expected induction variable to be same type as bounds}}
  "scf.for"(%a, %a, %a) ({
  ^bb0(%i: index):
    scf.yield
  }) : (i32, i32, i32) -> ()
  return
}

// -----

func.func @results(%a: index) {
  // expected-error@+1 {{mismatch in number of loop-carried values and defined values}}
  %0:2 = scf.for %i = %a to %a step %a iter_args(%p = %a) -> (index, index) {
    scf.yield %p : index
  }
  return
}

// -----

func.func @no_else(%c: i1, %a: i32) {
  // expected-error@+1 {{'scf.if' op must have an else block if defining values}}
  %0 = scf.if %c -> i32 {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @branch_type(%c: i1, %a: i32) {
  // expected-error@+1 {{successor operand type #0 'i1' should match successor input type #0 'i32'}}
  %0 = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield %c : i1
  }
  return
}

// -----

func.func @branch_count(%c: i1, %a: i32) {
  // expected-error@+1 {{region branch point has 0 operands, but region successor needs 1 inputs}}
  %0 = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield
  }
  return
}

// -----

func.func @forwarded(%c: i1, %a: i32) {
  // expected-error@+1 {{successor operand type #0 'i1' should match successor input type #0 'i32'}}
  %0 = scf.while (%p = %a) : (i32) -> i32 {
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%q: i32):
    scf.yield %q : i32
  }
  return
}

// -----

func.func @again(%c: i1, %a: i32) {
  // expected-error@+1 {{from Operation scf.yield to Region #0: region branch point has 0 operands, but region successor needs 1 inputs}}
  %0 = scf.while (%p = %a) : (i32) -> i32 {
    scf.condition(%c) %p : i32
  } do {
  ^bb0(%q: i32):
    scf.yield
  }
  return
}

// -----

func.func @no_condition(%a: i32) {
  // expected-error@+1 {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
  %0 = scf.while (%p = %a) : (i32) -> i32 {
    scf.yield %p : i32
  } do {
  ^bb0(%q: i32):
    scf.yield %q : i32
  }
  return
}

// -----

func.func @twice(%x: index) {
  // expected-error@+1 {{'scf.index_switch' op has duplicate case value: 2}}
  scf.index_switch %x
  case 2 {
    scf.yield
  }
  case 2 {
    scf.yield
  }
  default {
    scf.yield
  }
  return
}

// -----

func.func @parent(%a: i32) {
  // expected-error@+1 {{'scf.yield' op expects parent op}}
  scf.yield %a : i32
}
