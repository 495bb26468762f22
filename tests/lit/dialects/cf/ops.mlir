// cf.assert, cf.br, cf.cond_br: custom and generic form.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @all(
// CHECK-SAME: [[P:%.*]]: i1, [[A:%.*]]: i32, [[B:%.*]]: f32) -> i32
func.func @all(%p: i1, %a: i32, %b: f32) -> i32 {
  // CHECK-NEXT: cf.assert [[P]], "must hold \22here\22" {x}
  // GENERIC: "cf.assert"({{.*}}) <{msg = "must hold \22here\22"}> {x} : (i1) -> ()
  cf.assert %p, "must hold \"here\"" {x}
  // CHECK-NEXT: cf.cond_br [[P]], ^[[THEN:.*]]([[A]], [[B]] : i32, f32), ^[[ELSE:[a-z0-9]*]]
  // GENERIC: "cf.cond_br"({{.*}})[^[[THEN:.*]], ^[[ELSE:.*]]] <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i1, i32, f32) -> ()
  cf.cond_br %p, ^then(%a, %b : i32, f32), ^else
// CHECK: ^[[THEN]]([[X:%.*]]: i32, [[Y:%.*]]: f32):
^then(%x: i32, %y: f32):
  // CHECK-NEXT: cf.br ^[[END:.*]]([[X]] : i32) {d.hint}
  cf.br ^end(%x : i32) {d.hint}
// CHECK: ^[[ELSE]]:
^else:
  // CHECK-NEXT: cf.cond_br [[P]] weights([1, 2]), ^[[ELSE]], ^[[END]]([[A]] : i32)
  // GENERIC: <{branch_weights = array<i32: 1, 2>, operandSegmentSizes = array<i32: 1, 0, 1>}>
  cf.cond_br %p weights([1, 2]), ^else, ^end(%a : i32)
// CHECK: ^[[END]]([[R:%.*]]: i32):
^end(%r: i32):
  // CHECK-NEXT: return [[R]] : i32
  return %r : i32
}
