// Where the verifier says more than MLIR's: every fault of an op, and the place of a block argument.
// RUN: cake-opt --verify-diagnostics --split-input-file --allow-unregistered-dialect %s

func.func @dominance() {
  %0 = arith.constant 1 : i32
  cf.br ^bb1
^bb1:
  // expected-error@+2 {{operand #0 does not dominate this use}}
  // expected-error@+1 {{operand #1 does not dominate this use}}
  %1 = arith.addi %2, %3 : i32
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %2 = arith.addi %0, %0 : i32
  cf.br ^bb2
^bb2:
  // expected-note@+1 {{operand defined here (op in the same region)}}
  %3 = arith.addi %2, %2 : i32
  cf.br ^bb1
^bb3: // nothing leads here
  %4 = arith.addi %5, %5 : i32
  %5 = arith.addi %0, %0 : i32
  func.return
}

// -----

func.func @argument(%a: i1) {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "foo.use"(%arg) : (i32) -> ()
  %0 = arith.constant 1 : i32
  cf.br ^bb1(%0 : i32)
// expected-note@+1 {{operand defined as a block argument (block #1 in the same region)}}
^bb1(%arg: i32):
  func.return
}

// -----

func.func @every_fault(%a: i32, %b: f32) {
  // expected-error@+2 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  // expected-error@+1 {{'arith.addi' op operand #1 must be signless-integer-like, but got 'f32'}}
  %0 = "arith.addi"(%b, %b) : (f32, f32) -> i32
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %1 = "arith.constant"() : () -> i32
  func.return
}

// -----

func.func @unknown() {
  // expected-error@+1 {{unregistered operation 'arith.nothing' found in dialect ('arith') that does not allow unknown operations}}
  "arith.nothing"() : () -> ()
  func.return
}
