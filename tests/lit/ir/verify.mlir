// The verifier's faults on text, in MLIR's words at MLIR's places: verify_as_mlir.test gives this file to mlir-opt.
// RUN: cake-opt --verify-diagnostics --split-input-file --allow-unregistered-dialect %s

"foo.op"() ({
  // expected-error@+1 {{operation with block successors must terminate its parent block}}
  "foo.use"()[^bb1] : () -> ()
  "foo.end"()[^bb1] : () -> ()
^bb1:
  "foo.end"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{entry block of region may not have predecessors}}
"foo.op"() ({
^bb0:
  "foo.end"()[^bb0] : () -> ()
}) : () -> ()

// -----

func.func @terminator_in_the_middle() {
  // expected-error@+1 {{'func.return' op must be the last operation in the parent block}}
  func.return
  func.return
}

// -----

func.func @no_terminator(%a: i32) {
  // expected-error@+1 {{block with no terminator, has}}
  %0 = arith.addi %a, %a : i32
}

// -----

// expected-error@+1 {{empty block: expect at least a terminator}}
"func.func"() <{function_type = () -> (), sym_name = "empty"}> ({
^bb0:
}) : () -> ()

// -----

func.func @parent() {
  // expected-error@+1 {{'scf.yield' op expects parent op to be one of}}
  scf.yield
}

// -----

func.func @parent(%a: i1) {
  scf.if %a {
    // expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
    func.return
  }
  func.return
}

// -----

%outside = arith.constant 1 : i32
// expected-note@+1 {{required by region isolation constraints}}
func.func @isolated() {
  "foo.region"() ({
    // expected-error@+1 {{'foo.use' op using value defined outside the region}}
    "foo.use"(%outside) : (i32) -> ()
  }) : () -> ()
  func.return
}

// -----

// expected-error@+1 {{'builtin.module' op requires one region}}
"builtin.module"() : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
"builtin.module"() ({
  "foo.end"() : () -> ()
^bb1:
  "foo.end"() : () -> ()
}) : () -> ()

// -----

func.func @operands(%a: i32) {
  // expected-error@+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %0 = "arith.addi"(%a) : (i32) -> i32
  func.return
}

// -----

func.func @operands(%a: i32) {
  // expected-error@+1 {{'arith.constant' op requires zero operands}}
  %0 = "arith.constant"(%a) <{value = 1 : i32}> : (i32) -> i32
  func.return
}

// -----

func.func @operands(%a: f32) {
  // expected-error@+1 {{'arith.negf' op requires a single operand}}
  %0 = "arith.negf"(%a, %a) : (f32, f32) -> f32
  func.return
}

// -----

func.func @results(%a: i32) {
  // expected-error@+1 {{'arith.addi' op requires one result}}
  "arith.addi"(%a, %a) : (i32, i32) -> ()
  func.return
}

// -----

func.func @operand_type(%a: i32, %b: f32) {
  // expected-error@+1 {{'arith.addi' op operand #1 must be signless-integer-like, but got 'f32'}}
  %0 = "arith.addi"(%a, %b) : (i32, f32) -> i32
  func.return
}

// -----

func.func @successors() {
  // expected-error@+1 {{'cf.br' op requires 1 successor but found 0}}
  "cf.br"() : () -> ()
}

// -----

func.func @successors() {
  cf.br ^bb1
^bb1:
  // expected-error@+1 {{'func.return' op requires 0 successors but found 1}}
  "func.return"()[^bb1] : () -> ()
}

// -----

func.func @attribute() {
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %0 = "arith.constant"() : () -> i32
  func.return
}

// -----

func.func @same_type(%a: i32, %b: i64) {
  // expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  func.return
}

// -----

func.func @inference(%a: i32, %b: i32) {
  // expected-error@+1 {{'arith.select' op}}
  %0 = "arith.select"(%a, %a, %b) : (i32, i32, i32) -> i32
  func.return
}

// -----

// expected-note@+1 {{see existing symbol definition here}}
func.func private @twice()
// expected-error@+1 {{redefinition of symbol named 'twice'}}
func.func private @twice()

// -----

func.func @dominance() {
  %0 = arith.constant 1 : i32
  cf.br ^bb1
^bb1:
  // expected-error@+1 {{operand #1 does not dominate this use}}
  %1 = arith.addi %0, %2 : i32
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %2 = arith.addi %0, %0 : i32
  cf.br ^bb1
^bb2: // nothing leads here
  %3 = arith.addi %4, %4 : i32
  %4 = arith.addi %0, %0 : i32
  func.return
}

// -----

// In a module and in one block of an unknown op order does not matter.
"foo.use"(%late) : (i32) -> ()
%late = "foo.def"() : () -> i32
"foo.region"() ({
  "foo.use"(%0) : (i32) -> ()
  %0 = "foo.def"() : () -> i32
}) : () -> ()

// -----

// Among blocks of an unknown op it does.
"foo.region"() ({
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "foo.use"(%0) : (i32) -> ()
  "foo.end"()[^bb1] : () -> ()
^bb1:
  // expected-note@+1 {{operand defined here (op in the same region)}}
  %0 = "foo.def"() : () -> i32
  "foo.end"()[^bb1] : () -> ()
}) : () -> ()

// -----

// Each function is looked at by itself: a fault in the structure of one hides no use in another.
func.func @structure() -> i32 {
  // expected-error@+1 {{has 0 operands, but enclosing function}}
  func.return
}
func.func @uses(%a: i32) -> i32 {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  %0 = arith.addi %1, %a : i32
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %1 = arith.addi %a, %a : i32
  func.return %0 : i32
}

// -----

// expected-error@+1 {{visibility expected to be one of ["public", "private", "nested"], but got "foo"}}
module @n attributes {sym_visibility = "foo"} {
}
