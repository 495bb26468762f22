// Faults of arith.addui_extended and the scaling conversions.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

func.func @f(%a: i32) {
  // expected-error@+1 {{result #1 must be bool-like, but got 'i8'}}
  %0, %1 = arith.addui_extended %a, %a : i32, i8
  return
}
// -----
func.func @f(%x: f32, %s: f8E8M0FNU) {
  // expected-error@+1 {{are cast incompatible}}
  %0 = arith.scaling_extf %x, %s : f32, f8E8M0FNU to f16
  return
}
// -----
func.func @f(%x: f16, %s: f8E8M0FNU) {
  // expected-error@+1 {{are cast incompatible}}
  %0 = arith.scaling_truncf %x, %s : f16, f8E8M0FNU to f32
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{initializing scalable vectors with elements attribute is not supported unless it's a vector splat}}
  %c = arith.constant dense<[0, 1]> : vector<[2]xi32>
  return
}
