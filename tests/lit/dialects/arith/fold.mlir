// Folding of constants, with the semantics of each width, and identities.
// RUN: cake-opt --canonicalize --split-input-file --allow-unregistered-dialect %s | FileCheck %s

// CHECK-LABEL: func.func @wraps
// CHECK: [[C:%.*]] = arith.constant -128 : i8
// CHECK: return [[C]] : i8
func.func @wraps() -> i8 {
  %a = arith.constant 127 : i8
  %b = arith.constant 1 : i8
  %0 = arith.addi %a, %b : i8
  return %0 : i8
}

// -----

// Rounding of signed quotients differs; of -7 by 2: -3, -4, -3, remainder -1.
// CHECK-LABEL: func.func @quotients
// CHECK-DAG: [[TRUNC:%.*]] = arith.constant -3 : i32
// CHECK-DAG: [[FLOOR:%.*]] = arith.constant -4 : i32
// CHECK-DAG: [[REM:%.*]] = arith.constant -1 : i32
// CHECK: "t.use"({{%.*}}, [[FLOOR]], {{%.*}}, [[REM]])
func.func @quotients() {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.floordivsi %a, %b : i32
  %2 = arith.ceildivsi %a, %b : i32
  %3 = arith.remsi %a, %b : i32
  "t.use"(%0, %1, %2, %3) : (i32, i32, i32, i32) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @unsigned
// CHECK: [[C:%.*]] = arith.constant 127 : i8
// CHECK: return [[C]] : i8
func.func @unsigned() -> i8 {
  %a = arith.constant -1 : i8
  %b = arith.constant 2 : i8
  %0 = arith.divui %a, %b : i8
  return %0 : i8
}

// -----

// What is undefined stays: division by zero, the overflow of the quotient, a shift by the width.
// CHECK-LABEL: func.func @undefined
// CHECK: arith.divsi
// CHECK: arith.remui
// CHECK: arith.divsi
// CHECK: arith.shli
func.func @undefined() -> (i8, i8, i8, i8) {
  %a = arith.constant -128 : i8
  %zero = arith.constant 0 : i8
  %minus = arith.constant -1 : i8
  %eight = arith.constant 8 : i8
  %0 = arith.divsi %a, %zero : i8
  %1 = arith.remui %a, %zero : i8
  %2 = arith.divsi %a, %minus : i8
  %3 = arith.shli %a, %eight : i8
  return %0, %1, %2, %3 : i8, i8, i8, i8
}

// -----

// CHECK-LABEL: func.func @identities
// CHECK-SAME: ([[X:%.*]]: i32, [[Y:%.*]]: i32)
// CHECK-NEXT: return [[X]], [[X]], [[X]], [[X]], [[Y]] :
func.func @identities(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0 = arith.addi %zero, %x : i32
  %1 = arith.muli %0, %one : i32
  %2 = arith.xori %1, %zero : i32
  %3 = arith.subi %x, %y : i32
  %4 = arith.addi %3, %y : i32
  %5 = arith.andi %x, %x : i32
  %6 = arith.shli %5, %zero : i32
  %7 = arith.addi %x, %y : i32
  %8 = arith.subi %7, %x : i32
  return %1, %2, %4, %6, %8 : i32, i32, i32, i32, i32
}

// -----

// CHECK-LABEL: func.func @zeros
// CHECK-SAME: ([[X:%.*]]: i32)
// CHECK: [[ZERO:%.*]] = arith.constant 0 : i32
// CHECK: return [[ZERO]], {{%.*}}, {{%.*}}
// CHECK-NOT: arith.subi
func.func @zeros(%x: i32) -> (i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0 = arith.muli %x, %zero : i32
  %1 = arith.subi %x, %x : i32
  %2 = arith.remsi %x, %one : i32
  return %0, %1, %2 : i32, i32, i32
}

// -----

// Constants of a chain meet.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: ([[X:%.*]]: i32)
// CHECK: [[C:%.*]] = arith.constant 3 : i32
// CHECK: [[SUM:%.*]] = arith.addi [[X]], [[C]] : i32
// CHECK-NEXT: return [[SUM]]
func.func @chain(%x: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %c5, %x : i32
  %1 = arith.subi %0, %c2 : i32
  return %1 : i32
}

// -----

// -0 is not lost: x + 0 stays, x + -0 and x - 0 go.
// CHECK-LABEL: func.func @zero_signs
// CHECK-SAME: ([[X:%.*]]: f32)
// CHECK: [[SUM:%.*]] = arith.addf [[X]], {{%.*}} : f32
// CHECK: return [[SUM]], [[X]], [[X]], [[X]] :
func.func @zero_signs(%x: f32) -> (f32, f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %0 = arith.addf %x, %zero : f32
  %1 = arith.addf %x, %minus : f32
  %2 = arith.subf %x, %zero : f32
  %3 = arith.addf %x, %zero fastmath<nsz> : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// -----

// Sums are rounded once, to the type: 256 + 1 in bf16 is 256 (a tie, to even), 256 + 3 is 260.
// CHECK-LABEL: func.func @rounding
// CHECK-DAG: [[EVEN:%.*]] = arith.constant 2.560000e+02 : bf16
// CHECK-DAG: [[UP:%.*]] = arith.constant 2.600000e+02 : bf16
// CHECK: return [[EVEN]], [[UP]] : bf16, bf16
func.func @rounding() -> (bf16, bf16) {
  %a = arith.constant 256.0 : bf16
  %b = arith.constant 1.0 : bf16
  %c = arith.constant 3.0 : bf16
  %0 = arith.addf %a, %b : bf16
  %1 = arith.addf %a, %c : bf16
  return %0, %1 : bf16, bf16
}

// -----

// CHECK-LABEL: func.func @nan
// CHECK-DAG: [[NAN:%.*]] = arith.constant 0x7FC00000 : f32
// CHECK-DAG: [[ONE:%.*]] = arith.constant 1.000000e+00 : f32
// CHECK: return [[NAN]], [[ONE]] : f32, f32
func.func @nan() -> (f32, f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %one = arith.constant 1.0 : f32
  %0 = arith.maximumf %nan, %one : f32
  %1 = arith.maxnumf %nan, %one : f32
  return %0, %1 : f32, f32
}

// -----

// CHECK-LABEL: func.func @comparisons
// CHECK-SAME: ([[X:%.*]]: i32, [[F:%.*]]: f32)
// CHECK-DAG: [[T:%.*]] = arith.constant true
// CHECK-DAG: arith.cmpf oeq, [[F]], [[F]] : f32
// CHECK-DAG: arith.cmpi sgt, [[X]], {{%.*}} : i32
func.func @comparisons(%x: i32, %f: f32) -> (i1, i1, i1, i1) {
  %c = arith.constant -1 : i32
  %d = arith.constant 1 : i32
  %0 = arith.cmpi ult, %d, %c : i32
  %1 = arith.cmpi sle, %x, %x : i32
  %2 = arith.cmpf oeq, %f, %f : f32
  %3 = arith.cmpi slt, %d, %x : i32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// -----

// CHECK-LABEL: func.func @selects
// CHECK-SAME: ([[P:%.*]]: i1, [[A:%.*]]: f32, [[B:%.*]]: f32)
// CHECK-NEXT: return [[A]], [[B]], [[P]] :
func.func @selects(%p: i1, %a: f32, %b: f32) -> (f32, f32, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.select %true, %a, %b : f32
  %1 = arith.select %p, %b, %b : f32
  %2 = arith.select %p, %true, %false : i1
  return %0, %1, %2 : f32, f32, i1
}

// -----

// CHECK-LABEL: func.func @conversions
// CHECK-SAME: ([[X:%.*]]: i8, [[H:%.*]]: bf16)
// CHECK-DAG: arith.constant -1 : i32
// CHECK-DAG: arith.constant 255 : i32
// CHECK-DAG: arith.constant 3 : i8
// CHECK-DAG: arith.constant 1065353216 : i32
// CHECK: arith.fptosi
// CHECK: "t.same"([[X]], [[H]])
func.func @conversions(%x: i8, %h: bf16) {
  %c = arith.constant -1 : i8
  %0 = arith.extsi %c : i8 to i32
  %1 = arith.extui %c : i8 to i32
  %f = arith.constant 3.75 : f32
  %2 = arith.fptosi %f : f32 to i8
  %g = arith.constant 1.0 : f32
  %3 = arith.bitcast %g : f32 to i32
  %big = arith.constant 300.0 : f32
  %4 = arith.fptosi %big : f32 to i8
  "t.use"(%0, %1, %2, %3, %4) : (i32, i32, i8, i32, i8) -> ()
  %5 = arith.extsi %x : i8 to i32
  %6 = arith.trunci %5 : i32 to i8
  %7 = arith.extf %h : bf16 to f32
  %8 = arith.truncf %7 : f32 to bf16
  "t.same"(%6, %8) : (i8, bf16) -> ()
  return
}

// -----

// Elementwise, on splats and on lists.
// CHECK-LABEL: func.func @vectors
// CHECK-SAME: ([[X:%.*]]: vector<2xi32>)
// CHECK-DAG: [[SUM:%.*]] = arith.constant dense<[4, 6]> : vector<2xi32>
// CHECK-DAG: [[SPLAT:%.*]] = arith.constant dense<6> : vector<2xi32>
// CHECK: return [[SUM]], [[SPLAT]], [[X]] :
func.func @vectors(%x: vector<2xi32>) -> (vector<2xi32>, vector<2xi32>, vector<2xi32>) {
  %a = arith.constant dense<[1, 3]> : vector<2xi32>
  %b = arith.constant dense<3> : vector<2xi32>
  %zero = arith.constant dense<0> : vector<2xi32>
  %0 = arith.addi %a, %b : vector<2xi32>
  %1 = arith.addi %b, %b : vector<2xi32>
  %2 = arith.ori %x, %zero : vector<2xi32>
  return %0, %1, %2 : vector<2xi32>, vector<2xi32>, vector<2xi32>
}
