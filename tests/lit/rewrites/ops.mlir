// What a before can look like: the generic form, unregistered ops, several results, attributes, kernels' ops; ops without results go.
// RUN: cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/ops.rewrite --ops --order %s | FileCheck %s

// CHECK-LABEL: @generic
func.func @generic(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK: %[[R:.*]]:2 = "u.pair"(%arg1, %arg0) {kept = 3 : i64} : (f32, f32) -> (f32, f32)
  %0:2 = "u.twice"(%a, %b) {level = 3, other} : (f32, f32) -> (f32, f32)
  // CHECK-NOT: u.gone
  "u.gone"(%a) : (f32) -> ()
  // CHECK: "u.gone"(%arg0, %arg1)
  "u.gone"(%a, %b) : (f32, f32) -> ()
  // CHECK: return %[[R]]#1, %[[R]]#0
  return %0#0, %0#1 : f32, f32
}

// CHECK-LABEL: @level
func.func @level(%a: f32) -> (f32, f32) {
  // Another level, and none at all.
  // CHECK: u.twice
  %0:2 = "u.twice"(%a, %a) {level = "x"} : (f32, f32) -> (f32, f32)
  // CHECK: u.twice
  %1:2 = "u.twice"(%0#0, %a) : (f32, f32) -> (f32, f32)
  return %1#0, %1#1 : f32, f32
}

// CHECK-LABEL: @types
func.func @types(%a: i16, %b: f32) -> (i32, i64) {
  // CHECK: arith.extui %arg0 : i16 to i32
  // CHECK: %[[E:.*]] = arith.extui %arg0 : i16 to i64
  %0 = arith.extui %a : i16 to i32
  %1 = arith.extui %0 : i32 to i64
  // CHECK: return %{{.*}}, %[[E]]
  return %0, %1 : i32, i64
}

// CHECK-LABEL: @predicate
func.func @predicate(%a: i16, %b: i16, %v: vector<2xi8>) -> (i1, i1, vector<2xi1>) {
  // CHECK: arith.cmpi slt, %arg0, %arg1 : i16
  %0 = arith.cmpi sgt, %b, %a : i16
  // CHECK: arith.cmpi eq
  %1 = arith.cmpi eq, %b, %a : i16
  // CHECK: arith.cmpi slt, %arg2, %arg2 : vector<2xi8>
  %2 = arith.cmpi sgt, %v, %v : vector<2xi8>
  return %0, %1, %2 : i1, i1, vector<2xi1>
}

// CHECK-LABEL: @fastmath
func.func @fastmath(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK: arith.addf %arg1, %arg0 : f32
  %0 = arith.mulf %a, %b : f32
  // CHECK: arith.mulf %arg0, %arg1 fastmath<fast> : f32
  %1 = arith.mulf %a, %b fastmath<fast> : f32
  return %0, %1 : f32, f32
}
