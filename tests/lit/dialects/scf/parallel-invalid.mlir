// Faults of scf.parallel, scf.reduce and scf.execute_region.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @f(%a: index) {
  // expected-error@+1 {{expected 2 operands}}
  scf.parallel (%i, %j) = (%a, %a) to (%a) step (%a, %a) {
  }
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{needs at least one tuple element for lowerBound, upperBound and step}}
  scf.parallel () = () to () step () {
  }
  return
}
// -----
func.func @f(%a: index, %x: f32) {
  // expected-error@+1 {{expects number of results: 0 to be the same as number of initial values: 1}}
  scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) {
  }
  return
}
// -----
func.func @f(%a: index, %x: f32) {
  // expected-error@+1 {{expects number of results: 1 to be the same as number of reductions: 0}}
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> f32 {
  }
  return
}
// -----
func.func @f(%a: index, %x: f32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> f32 {
    // expected-error@+1 {{expects type of 0-th reduction operand: 'index' to be the same as the 0-th result type: 'f32'}}
    scf.reduce(%a : index) {
    ^bb0(%l: index, %m: index):
      scf.reduce.return %l : index
    }
  }
  return
}
// -----
func.func @f(%a: index, %x: f32) {
  scf.parallel (%i) = (%a) to (%a) step (%a) {
    // expected-error@+1 {{expects number of reduction regions: 0 to be the same as number of reduction operands: 1}}
    scf.reduce(%x : f32)
  }
  return
}
// -----
func.func @f(%a: index, %x: f32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> f32 {
    // expected-error@+1 {{expected two block arguments with type 'f32' in the 0-th reduction region}}
    scf.reduce(%x : f32) {
    ^bb0(%l: f32):
      scf.reduce.return %l : f32
    }
  }
  return
}
// -----
func.func @f(%a: index, %x: f32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %m: f32):
      // expected-error@+1 {{must have type 'f32' (the type of the reduction inputs)}}
      scf.reduce.return %a : index
    }
  }
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{region cannot have any arguments}}
  "scf.execute_region"() ({
  ^bb0(%a: i32):
    scf.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{region branch point has 0 operands, but region successor needs 1 inputs}}
  %r = scf.execute_region -> i32 {
    scf.yield
  }
  return
}
// -----
func.func @f(%a: index) {
  %zero = arith.constant 0 : index
  // expected-error@+1 {{constant step operand must be positive}}
  scf.parallel (%i) = (%a) to (%a) step (%zero) {
  }
  return
}
