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

// -----

// Narrow floats are computed with; NaN is what overflows a type without infinity.
// CHECK-LABEL: func.func @narrow_floats
// CHECK-DAG: [[SUM:%.*]] = arith.constant 0x7F : f8E4M3FN
// CHECK-DAG: [[FNUZ:%.*]] = arith.constant 0x80 : f8E4M3FNUZ
// CHECK-DAG: [[SIX:%.*]] = arith.constant 4.000000e+00 : f6E2M3FN
// CHECK-DAG: [[LESS:%.*]] = arith.constant true
// CHECK: "t.use"([[SUM]], [[FNUZ]], [[SIX]], [[LESS]])
func.func @narrow_floats() {
  %a = arith.constant 448.0 : f8E4M3FN
  %b = arith.constant -240.0 : f8E4M3FNUZ
  %c = arith.constant 4.0 : f16
  %0 = arith.addf %a, %a : f8E4M3FN
  %1 = arith.addf %b, %b : f8E4M3FNUZ
  %2 = arith.truncf %c : f16 to f6E2M3FN
  %4 = arith.cmpf ugt, %a, %0 : f8E4M3FN
  "t.use"(%0, %1, %2, %4) : (f8E4M3FN, f8E4M3FNUZ, f6E2M3FN, i1) -> ()
  return
}

// -----

// What has no NaN has no value for 0 / 0.
// CHECK-LABEL: func.func @no_nan
// CHECK: arith.divf
// CHECK: arith.truncf
func.func @no_nan() -> (f4E2M1FN, f6E3M2FN) {
  %a = arith.constant 0.0 : f4E2M1FN
  %n = arith.constant 0x7E00 : f16
  %0 = arith.divf %a, %a : f4E2M1FN
  %1 = arith.truncf %n : f16 to f6E3M2FN
  return %0, %1 : f4E2M1FN, f6E3M2FN
}

// -----

// A NaN of an operand goes on as a quiet one with its payload; one that arises has no sign. maxnumf of a signaling one is left alone.
// CHECK-LABEL: func.func @nans
// CHECK-DAG: [[QUIET:%.*]] = arith.constant 0xFFC1 : bf16
// CHECK-DAG: [[NEW:%.*]] = arith.constant 0x7FC0 : bf16
// CHECK-DAG: [[VECTOR:%.*]] = arith.constant dense<[0x7E01, 0x7E00]> : vector<2xf16>
// CHECK: [[MAX:%.*]] = arith.maxnumf
// CHECK: "t.use"([[QUIET]], [[NEW]], [[VECTOR]], [[MAX]])
func.func @nans() {
  %s = arith.constant 0xFF81 : bf16
  %one = arith.constant 1.0 : bf16
  %inf = arith.constant 0x7F80 : bf16
  %v = arith.constant dense<[0x7E01, 0x7C00]> : vector<2xf16>
  %w = arith.constant dense<[1.0, 0xFC00]> : vector<2xf16>
  %0 = arith.maximumf %one, %s : bf16
  %1 = arith.remf %inf, %one : bf16
  %2 = arith.addf %v, %w : vector<2xf16>
  %3 = arith.maxnumf %s, %one : bf16
  "t.use"(%0, %1, %2, %3) : (bf16, bf16, vector<2xf16>, bf16) -> ()
  return
}

// -----

// Nothing is more, less or equal than NaN; maxnumf is the other operand.
// CHECK-LABEL: func.func @with_nan
// CHECK-SAME: [[X:%.*]]: f32
// CHECK-DAG: [[NO:%.*]] = arith.constant false
// CHECK-DAG: [[YES:%.*]] = arith.constant true
// CHECK: "t.use"([[NO]], [[YES]], [[X]], [[X]])
func.func @with_nan(%x: f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.cmpf ole, %x, %nan : f32
  %1 = arith.cmpf une, %nan, %x : f32
  %2 = arith.maxnumf %x, %nan : f32
  %3 = arith.minnumf %nan, %x : f32
  "t.use"(%0, %1, %2, %3) : (i1, i1, f32, f32) -> ()
  return
}

// -----

// Integers of 64 bits are rounded once.
// CHECK-LABEL: func.func @long_integers
// CHECK-DAG: [[UP:%.*]] = arith.constant 9.007200e+15 : f32
// CHECK-DAG: [[LARGE:%.*]] = arith.constant 1.8446744073709552E+19 : f64
// CHECK-DAG: [[DOWN:%.*]] = arith.constant -9.22337203E+18 : f32
// CHECK: "t.use"([[UP]], [[LARGE]], [[DOWN]])
func.func @long_integers() {
  %a = arith.constant 9007199791611905 : i64
  %b = arith.constant -1 : i64
  %c = arith.constant -9223372036854775807 : i64
  %0 = arith.uitofp %a : i64 to f32
  %1 = arith.uitofp %b : i64 to f64
  %2 = arith.sitofp %c : i64 to f32
  "t.use"(%0, %1, %2) : (f32, f64, f32) -> ()
  return
}

// -----

// The bits of a NaN stay.
// CHECK-LABEL: func.func @bits
// CHECK-DAG: [[I:%.*]] = arith.constant 2139095041 : i32
// CHECK-DAG: [[F:%.*]] = arith.constant 0xFC01 : f16
// CHECK: return [[I]], [[F]]
func.func @bits() -> (i32, f16) {
  %a = arith.constant 0x7F800001 : f32
  %b = arith.constant 0xFC01 : i16
  %0 = arith.bitcast %a : f32 to i32
  %1 = arith.bitcast %b : i16 to f16
  return %0, %1 : i32, f16
}

// -----

// Elements that are all the same are a splat.
// CHECK-LABEL: func.func @same_elements
// CHECK: arith.constant dense<3> : vector<2xi8>
func.func @same_elements() -> vector<2xi8> {
  %a = arith.constant dense<[1, 2]> : vector<2xi8>
  %b = arith.constant dense<[2, 1]> : vector<2xi8>
  %0 = arith.addi %a, %b : vector<2xi8>
  return %0 : vector<2xi8>
}

// -----

// CHECK-LABEL: func.func @extended
// CHECK-DAG: [[SUM:%.*]] = arith.constant 44 : i8
// CHECK-DAG: [[CARRY:%.*]] = arith.constant true
// CHECK-DAG: [[LOW:%.*]] = arith.constant 1 : i64
// CHECK-DAG: [[UNSIGNED:%.*]] = arith.constant -2 : i64
// CHECK-DAG: [[SIGNED:%.*]] = arith.constant 0 : i64
// CHECK: "t.use"([[SUM]], [[CARRY]], [[LOW]], [[UNSIGNED]], [[LOW]], [[SIGNED]])
func.func @extended() {
  %a = arith.constant 100 : i8
  %b = arith.constant 200 : i8
  %c = arith.constant -1 : i64
  %0:2 = arith.addui_extended %a, %b : i8, i1
  %1:2 = arith.mului_extended %c, %c : i64
  %2:2 = arith.mulsi_extended %c, %c : i64
  "t.use"(%0#0, %0#1, %1#0, %1#1, %2#0, %2#1) : (i8, i1, i64, i64, i64, i64) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @extended_by_one_or_zero
// CHECK-SAME: [[X:%.*]]: i8
// CHECK-DAG: [[NO:%.*]] = arith.constant false
// CHECK-DAG: [[ZERO:%.*]] = arith.constant 0 : i8
// CHECK: "t.use"([[X]], [[NO]], [[X]], [[ZERO]], [[ZERO]], [[ZERO]])
func.func @extended_by_one_or_zero(%x: i8) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %0:2 = arith.addui_extended %x, %zero : i8, i1
  %1:2 = arith.mului_extended %x, %one : i8
  %2:2 = arith.mulsi_extended %x, %zero : i8
  "t.use"(%0#0, %0#1, %1#0, %1#1, %2#0, %2#1) : (i8, i1, i8, i8, i8, i8) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @booleans
// CHECK-SAME: [[X:%.*]]: i1
// CHECK: return [[X]], [[X]]
func.func @booleans(%x: i1) -> (i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.cmpi eq, %x, %true : i1
  %1 = arith.cmpi ne, %x, %false : i1
  return %0, %1 : i1, i1
}

// -----

// CHECK-LABEL: func.func @regrouped
// CHECK-SAME: [[X:%.*]]: i8
// CHECK-DAG: [[TWO:%.*]] = arith.constant 2 : i8
// CHECK-DAG: [[EIGHT:%.*]] = arith.constant 8 : i8
// CHECK-DAG: [[A:%.*]] = arith.subi [[EIGHT]], [[X]]
// CHECK-DAG: [[B:%.*]] = arith.subi [[TWO]], [[X]]
// CHECK-DAG: [[C:%.*]] = arith.addi [[X]], [[TWO]]
// CHECK: "t.use"([[A]], [[B]], [[C]])
func.func @regrouped(%x: i8) {
  %three = arith.constant 3 : i8
  %five = arith.constant 5 : i8
  %0 = arith.subi %five, %x : i8
  %1 = arith.addi %0, %three : i8
  %2 = arith.addi %x, %three : i8
  %3 = arith.subi %five, %2 : i8
  %4 = arith.subi %three, %x : i8
  %5 = arith.subi %five, %4 : i8
  "t.use"(%1, %3, %5) : (i8, i8, i8) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @choices
// CHECK-SAME: ([[C:%.*]]: i1, [[D:%.*]]: i1, [[A:%.*]]: i32, [[B:%.*]]: i32, [[E:%.*]]: i32)
// CHECK-NEXT: [[X:%.*]] = arith.select [[C]], [[A]], [[E]]
// CHECK-NEXT: [[Y:%.*]] = arith.select [[D]], [[A]], [[B]]
// CHECK-NEXT: [[Z:%.*]] = arith.select [[C]], [[Y]], [[E]]
// CHECK-NEXT: "t.use"([[X]], [[Z]])
func.func @choices(%c: i1, %d: i1, %a: i32, %b: i32, %e: i32) {
  %0 = arith.select %c, %a, %b : i32
  %1 = arith.select %c, %0, %e : i32
  %2 = arith.select %d, %a, %b : i32
  %3 = arith.select %c, %2, %e : i32
  "t.use"(%1, %3) : (i32, i32) -> ()
  return
}

// -----

// A cast of a cast is one cast, where the first one loses nothing or both lose in the same way.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: ([[A:%.*]]: i8, [[B:%.*]]: i64, [[F:%.*]]: f16, [[G:%.*]]: f32)
// CHECK-DAG: [[R0:%.*]] = arith.extsi [[A]] : i8 to i32
// CHECK-DAG: [[R1:%.*]] = arith.extui [[A]] : i8 to i32
// CHECK-DAG: [[R2:%.*]] = arith.extui [[A]] : i8 to i64
// CHECK-DAG: [[R3:%.*]] = arith.trunci [[B]] : i64 to i8
// CHECK-DAG: [[R4:%.*]] = arith.trunci [[A]] : i8 to i4
// CHECK-DAG: [[R5:%.*]] = arith.extsi [[A]] : i8 to i16
// CHECK-DAG: [[R6:%.*]] = arith.index_cast [[A]] : i8 to index
// CHECK-DAG: [[R7:%.*]] = arith.index_castui [[A]] : i8 to index
// CHECK-DAG: [[R8:%.*]] = arith.truncf [[G]] : f32 to f16
// CHECK-DAG: [[R9:%.*]] = arith.extf [[F]] : f16 to f32
// CHECK-DAG: [[R10:%.*]] = arith.bitcast [[F]] : f16 to bf16
// CHECK: "t.use"([[R0]], [[R1]], [[R2]], [[R3]], [[R4]], [[R5]], [[R6]], [[R7]], [[R8]], [[R9]], [[R10]])
func.func @casts(%a: i8, %b: i64, %f: f16, %g: f32) {
  %s = arith.extsi %a : i8 to i16
  %u = arith.extui %a : i8 to i16
  %t = arith.trunci %b : i64 to i32
  %w = arith.extsi %a : i8 to i32
  %0 = arith.extsi %s : i16 to i32
  %1 = arith.extui %u : i16 to i32
  %2 = arith.extsi %u : i16 to i64
  %3 = arith.trunci %t : i32 to i8
  %4 = arith.trunci %s : i16 to i4
  %5 = arith.trunci %w : i32 to i16
  %6 = arith.index_cast %s : i16 to index
  %7 = arith.index_castui %u : i16 to index
  %d = arith.extf %g : f32 to f64
  %e = arith.extf %f : f16 to f64
  %8 = arith.truncf %d : f64 to f16
  %9 = arith.truncf %e : f64 to f32
  %i = arith.bitcast %f : f16 to i16
  %10 = arith.bitcast %i : i16 to bf16
  "t.use"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10) : (i32, i32, i64, i8, i4, i16, index, index, f16, f32, bf16) -> ()
  return
}

// -----

// What loses something stays: digits of f6E2M3FN in f8E5M2, bits of an index, numbers rounded in another way.
// CHECK-LABEL: func.func @lossy_casts
// CHECK: arith.extf {{.*}} f6E2M3FN to f8E5M2
// CHECK: arith.truncf {{.*}} f8E5M2 to f6E2M3FN
// CHECK: arith.index_cast {{.*}} index to i1
// CHECK: arith.index_cast {{.*}} i1 to index
// CHECK: arith.extf {{.*}} f32 to f64
// CHECK: arith.truncf {{.*}} upward : f64 to f16
func.func @lossy_casts(%x: f6E2M3FN, %n: index, %g: f32) {
  %0 = arith.extf %x : f6E2M3FN to f8E5M2
  %1 = arith.truncf %0 : f8E5M2 to f6E2M3FN
  %2 = arith.index_cast %n : index to i1
  %3 = arith.index_cast %2 : i1 to index
  %4 = arith.extf %g : f32 to f64
  %5 = arith.truncf %4 upward : f64 to f16
  "t.use"(%1, %3, %5) : (f6E2M3FN, index, f16) -> ()
  return
}
