// Faults of arith ops, in MLIR's words where it has them.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @mixed(%a: i32, %b: i64) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @float_in_addi(%a: f32) {
  // expected-error@+3 {{operand #0 must be signless-integer-like, but got 'f32'}}
  // expected-error@+2 {{operand #1 must be signless-integer-like, but got 'f32'}}
  // expected-error@+1 {{result #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.addi %a, %a : f32
  return
}

// -----

func.func @integer_in_addf(%a: i32) {
  // expected-error@+3 {{operand #0 must be floating-point-like, but got 'i32'}}
  // expected-error@+2 {{operand #1 must be floating-point-like, but got 'i32'}}
  // expected-error@+1 {{result #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.addf %a, %a : i32
  return
}

// -----

func.func @narrowing_extension(%a: i8) {
  // expected-error@+1 {{'arith.extui' op operand type 'i8' and result type 'i8' are cast incompatible}}
  %0 = arith.extui %a : i8 to i8
  return
}

// -----

func.func @widening_truncation(%a: i8) {
  // expected-error@+1 {{'arith.trunci' op operand type 'i8' and result type 'i32' are cast incompatible}}
  %0 = arith.trunci %a : i8 to i32
  return
}

// -----

func.func @float_truncation(%a: f32) {
  // expected-error@+1 {{'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible}}
  %0 = arith.truncf %a : f32 to f64
  return
}

// -----

func.func @widths(%a: i8) {
  // expected-error@+1 {{'arith.bitcast' op operand type 'i8' and result type 'f32' are cast incompatible}}
  %0 = arith.bitcast %a : i8 to f32
  return
}

// -----

func.func @index_to_index(%a: index) {
  // expected-error@+1 {{'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = arith.index_cast %a : index to index
  return
}

// -----

func.func @shapes(%a: vector<4xi32>) {
  // expected-error@+1 {{same shape}}
  %0 = arith.trunci %a : vector<4xi32> to vector<2xi8>
  return
}

// -----

func.func @predicate(%a: i32) {
  // expected-error@+1 {{attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @predicate_word(%a: i32) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]}}
  %0 = arith.cmpi lt, %a, %a : i32
  return
}

// -----

func.func @no_predicate(%a: f32) {
  // expected-error@+1 {{requires attribute 'predicate'}}
  %0 = "arith.cmpf"(%a, %a) : (f32, f32) -> i1
  return
}

// -----

func.func @flag(%a: f32) {
  // expected-error@+1 {{expected one of: none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast}}
  %0 = arith.addf %a, %a fastmath<quick> : f32
  return
}

// -----

func.func @condition(%a: i32, %b: f32) {
  // expected-error@+1 {{operand #0 must be bool-like, but got 'i32'}}
  %0 = "arith.select"(%a, %b, %b) : (i32, f32, f32) -> f32
  return
}

// -----

func.func @condition_shape(%a: vector<4xi1>, %b: vector<2xf32>) {
  // expected-error@+1 {{expected condition type to have the same shape as the result type, expected 'vector<2xi1>', but got 'vector<4xi1>'}}
  %0 = arith.select %a, %b, %b : vector<4xi1>, vector<2xf32>
  return
}

// -----

func.func @constant_type() {
  // expected-error@+1 {{'arith.constant' op}}
  %0 = "arith.constant"() <{value = 1 : i64}> : () -> i32
  return
}

// -----

func.func @constant_string() {
  // expected-error@+1 {{attribute 'value' failed to satisfy constraint}}
  %0 = "arith.constant"() <{value = "one"}> : () -> i32
  return
}

// -----

func.func @signed_scalar() {
  // expected-error@+1 {{integer return type must be signless}}
  %0 = arith.constant 1 : si32
  return
}

// -----

func.func @bad_word(%f: f32) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values}}
  %0 = arith.cmpf "lt", %f, %f : f32
  return
}
