// func.func, func.return, func.call: custom and generic form.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func private @declared(i32 {d.x}, f32) -> (i32 {d.y = 1 : i64}, f32)
// GENERIC: "func.func"() <{arg_attrs = [{d.x}, {}], function_type = (i32, f32) -> (i32, f32), res_attrs = [{d.y = 1 : i64}, {}], sym_name = "declared", sym_visibility = "private"}> ({
// GENERIC-NEXT: }) : () -> ()
func.func private @declared(i32 {d.x}, f32) -> (i32 {d.y = 1}, f32)

// CHECK: func.func @nothing() {
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @nothing() {
  return
}

// CHECK: func.func nested @one([[A:%.*]]: i32) -> i32 attributes {d.note = "kept"} {
// CHECK-NEXT: return [[A]] : i32
func.func nested @one(%a: i32) -> i32 attributes {d.note = "kept"} {
  return %a : i32
}

// CHECK: func.func @gives_function() -> (() -> i32)
// CHECK: func.func private @"odd name"()
func.func @gives_function() -> (() -> i32) {
  cf.br ^again
^again:
  cf.br ^again
}
func.func private @"odd name"()

// CHECK-LABEL: func.func @calls(
// CHECK-SAME: [[A:%.*]]: i32, [[F:%.*]]: f32 {d.z})
func.func @calls(%a: i32, %f: f32 {d.z}) {
  // CHECK-NEXT: [[R:%.*]]:2 = {{(func.)?}}call @declared([[A]], [[F]]) : (i32, f32) -> (i32, f32)
  // GENERIC: "func.call"({{.*}}) <{callee = @declared}> : (i32, f32) -> (i32, f32)
  %r:2 = func.call @declared(%a, %f) : (i32, f32) -> (i32, f32)
  // CHECK-NEXT: {{(func.)?}}call @one([[R]]#0) {d.hint} : (i32) -> i32
  %s = call @one(%r#0) {d.hint} : (i32) -> i32
  // CHECK-NEXT: {{(func.)?}}call @nothing() : () -> ()
  call @nothing() : () -> ()
  func.return
}

// Arguments without names are declared by the label of the entry block. Inside, builtin ops are printed with their dialect.
// CHECK: func.func @labelled(%arg0: i32) -> i32 {
// CHECK-NEXT: builtin.module {
// CHECK-NEXT: module @inner {
// CHECK: return %arg0 : i32
func.func @labelled(i32) -> i32 {
^entry(%a: i32):
  builtin.module {
    module @inner {
    }
  }
  return %a : i32
}
