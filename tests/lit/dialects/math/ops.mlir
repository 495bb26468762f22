// Every op of math: custom form, generic form, folders, and one fault.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: cake-opt --canonicalize %s | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @all(
// CHECK-SAME: [[A:%.*]]: f32, [[V:%.*]]: vector<4xf16>)
func.func @all(%a: f32, %v: vector<4xf16>) {
  // CHECK-NEXT: math.fma [[A]], [[A]], [[A]] : f32
  %0 = math.fma %a, %a, %a : f32
  // CHECK-NEXT: math.fma [[V]], [[V]], [[V]] fastmath<contract> : vector<4xf16>
  // GENERIC: "math.fma"({{.*}}) <{fastmath = #arith.fastmath<contract>}> : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %1 = math.fma %v, %v, %v fastmath<contract> : vector<4xf16>
  // CHECK-NEXT: math.absf [[A]] : f32
  %2 = math.absf %a : f32
  // CHECK-NEXT: math.exp [[A]] fastmath<fast> : f32
  %3 = math.exp %a fastmath<fast> : f32
  // CHECK-NEXT: math.exp2 [[A]] : f32
  %4 = math.exp2 %a : f32
  // CHECK-NEXT: math.log [[A]] : f32
  %5 = math.log %a : f32
  // CHECK-NEXT: math.log2 [[A]] : f32
  %6 = math.log2 %a : f32
  // CHECK-NEXT: math.sqrt [[A]] : f32
  %7 = math.sqrt %a : f32
  // CHECK-NEXT: math.rsqrt [[A]] : f32
  %8 = math.rsqrt %a : f32
  // CHECK-NEXT: math.tanh [[V]] fastmath<afn> {x} : vector<4xf16>
  %9 = math.tanh %v fastmath<afn> {x} : vector<4xf16>
  return
}

// FOLD-LABEL: func.func @folds
// FOLD-DAG: [[TWO:%.*]] = arith.constant 2.000000e+00 : f32
// FOLD-DAG: [[SUM:%.*]] = arith.constant 2.000000e+01 : f32
// FOLD: return [[TWO]], [[SUM]] : f32, f32
func.func @folds() -> (f32, f32) {
  %a = arith.constant -4.0 : f32
  %0 = math.absf %a : f32
  %1 = math.sqrt %0 : f32
  %2 = math.fma %a, %a, %0 : f32
  return %1, %2 : f32, f32
}

// A root of a negative number is not folded.
// FOLD-LABEL: func.func @stays
// FOLD: math.sqrt
func.func @stays() -> f32 {
  %a = arith.constant -4.0 : f32
  %0 = math.sqrt %a : f32
  return %0 : f32
}
