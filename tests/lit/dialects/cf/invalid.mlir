// Faults of cf ops.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @count(%a: i1) {
  // expected-error@+1 {{branch has 1 operands for successor #0, but target block has 0}}
  cf.br ^end(%a : i1)
^end:
  return
}

// -----

func.func @type(%a: i1) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  cf.br ^end(%a : i1)
^end(%x: i32):
  return
}

// -----

func.func @second(%a: i1) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #1}}
  cf.cond_br %a, ^then, ^end(%a : i1)
^then:
  return
^end(%x: i32):
  return
}

// -----

func.func @condition(%a: i32) {
  // expected-error@+1 {{operand #0 must be 1-bit signless integer, but got 'i32'}}
  "cf.cond_br"(%a)[^end, ^end] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^end:
  return
}

// -----

func.func @label() {
  // expected-error@+1 {{reference to an undefined block}}
  cf.br ^nowhere
}

// -----

func.func @types(%a: i1) {
  // expected-error@+1 {{expected ','}}
  cf.br ^end(%a, %a : i1)
^end(%x: i1, %y: i1):
  return
}

// -----

func.func @one_weight(%c: i1) {
  // expected-error@+1 {{expects number of branch weights to match number of successors: 1 vs 2}}
  cf.cond_br %c weights([1]), ^a, ^a
^a:
  return
}

// -----

func.func @long_weight(%c: i1) {
  // expected-error@+1 {{a weight has 32 bits, too few for 2147483648}}
  cf.cond_br %c weights([2147483648, 1]), ^a, ^a
^a:
  return
}

// -----

func.func @many_weights(%c: i1) {
  // expected-error@+1 {{expected at most 16 weights}}
  cf.cond_br %c weights([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), ^a, ^a
^a:
  return
}
