// func.constant, func.call_indirect: custom and generic form.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s

// CHECK: %[[F:.*]] = constant {k} @g : (f32) -> (f32, i32)
// CHECK: %[[R:.*]]:2 = call_indirect %[[F]](%arg0) {z} : (f32) -> (f32, i32)
// CHECK: return %[[R]]#0 : f32
func.func @f(%x: f32) -> f32 {
  %f = constant {k} @g : (f32) -> (f32, i32)
  %r:2 = call_indirect %f(%x) {z} : (f32) -> (f32, i32)
  return %r#0 : f32
}
func.func private @g(f32) -> (f32, i32)
