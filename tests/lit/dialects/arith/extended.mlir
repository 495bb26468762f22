// arith.addui_extended, arith.mulsi_extended, arith.mului_extended, arith.ceildivui, arith.remf, arith.scaling_extf, arith.scaling_truncf.
// RUN: cake-opt --canonicalize %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @kept
// CHECK: arith.addui_extended %arg0, %arg1 : i32, i1
// CHECK: arith.mulsi_extended %arg0, %arg1 : i32
// CHECK: arith.mului_extended %arg0, %arg1 : i32
// CHECK: arith.ceildivui %arg0, %arg1 : i32
// CHECK: arith.remf %arg2, %arg2 fastmath<nnan> : f32
// CHECK: arith.scaling_extf %arg3, %arg4 : f8E4M3FN, f8E8M0FNU to f32
// CHECK: arith.scaling_truncf %arg2, %arg4 to_nearest_even : f32, f8E8M0FNU to f8E4M3FN
func.func @kept(%a: i32, %b: i32, %x: f32, %y: f8E4M3FN, %s: f8E8M0FNU) -> (i32, i1, i32, i32, i32, i32, i32, f32, f32, f8E4M3FN) {
  %0, %1 = arith.addui_extended %a, %b : i32, i1
  %2, %3 = arith.mulsi_extended %a, %b : i32
  %4, %5 = arith.mului_extended %a, %b : i32
  %6 = arith.ceildivui %a, %b : i32
  %7 = arith.remf %x, %x fastmath<nnan> : f32
  %8 = arith.scaling_extf %y, %s : f8E4M3FN, f8E8M0FNU to f32
  %9 = arith.scaling_truncf %x, %s to_nearest_even : f32, f8E8M0FNU to f8E4M3FN
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i32, i1, i32, i32, i32, i32, i32, f32, f32, f8E4M3FN
}

// CHECK-LABEL: func.func @folded
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[REST:.*]] = arith.constant -1.500000e+00 : f32
// CHECK: return %[[THREE]], %[[REST]], %arg0 : i32, f32, i32
func.func @folded(%a: i32) -> (i32, f32, i32) {
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %m = arith.constant 3 : i32
  %x = arith.constant -5.5 : f32
  %y = arith.constant 2.0 : f32
  %q = arith.ceildivui %seven, %m : i32
  %r = arith.remf %x, %y : f32
  %same = arith.ceildivui %a, %one : i32
  return %q, %r, %same : i32, f32, i32
}
