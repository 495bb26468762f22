// A dialect in text is parsed, printed and verified as a built-in one.
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect %s | FileCheck %s
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect %s | cake-opt --load-dialect %S/Inputs/toy.dialect | FileCheck %s
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect --print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect --print-op-generic %s | cake-opt --load-dialect=%S/Inputs/toy.dialect | FileCheck %s
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect --cse --canonicalize %s | FileCheck %s --check-prefix=CSE
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect --list-ops | FileCheck %s --check-prefix=OPS
// RUN: cake-opt --load-dialect=%S/Inputs/toy.dialect --load-rewrites=%S/Inputs/toy.rewrite --expand_sum %s | FileCheck %s --check-prefix=EXPAND
// RUN: cake-docs --load-dialect=%S/Inputs/toy.dialect | FileCheck %s --check-prefix=DOCS
// RUN: not cake-docs --load-dialect=%S/Inputs/toy.rewrite 2>&1 | FileCheck %s --check-prefix=DOCS-ERROR
// DOCS: # The `toy` dialect
// DOCS: ### `!toy.box`
// DOCS: !toy.box `<` element `,` count `>`
// DOCS: ### `#toy.level`
// DOCS: ### `toy.pack`
// DOCS: | `rhs` | operand | integer \| float | another of the same type |
// DOCS: | `label` | attribute, optional | string attribute | what is on the box |
// DOCS: Traits: pure.
// DOCS: | `mode` | attribute, default `"slow"` | "fast" \| "slow" | how |
// DOCS-ERROR: toy.rewrite:2:1: error: expected 'dialect'
// OPS: toy.pack Puts two values into a box.

// CHECK-LABEL: @pack
// CSE-LABEL: @pack
func.func @pack(%a: i32, %b: f32) -> (!toy.box<i32, 2>, !toy.box<i32, 2>, !toy.box<f32, 2>) {
  // CHECK: toy.pack %arg0, %arg0 : i32 -> !toy.box<i32, 2>
  // GENERIC: "toy.pack"(%arg0, %arg0) : (i32, i32) -> !toy.box<i32, 2>
  // CSE-COUNT-2: toy.pack
  // CSE-NOT: toy.pack
  %0 = toy.pack %a, %a : i32 -> !toy.box<i32, 2>
  %1 = toy.pack %a, %a : i32 -> !toy.box<i32, 2>
  // CHECK: toy.pack %arg1, %arg1<"floats"> {more} : f32 -> !toy.box<f32, 2>
  // GENERIC: <{label = "floats"}> {more}
  %2 = toy.pack %b, %b <"floats"> {more} : f32 -> !toy.box<f32, 2>
  return %0, %1, %2 : !toy.box<i32, 2>, !toy.box<i32, 2>, !toy.box<f32, 2>
}

// CHECK-LABEL: @sum
// EXPAND-LABEL: @sum
func.func @sum(%a: i32, %b: i32) -> i32 {
  // The result's type follows from the operands'.
  // CHECK: toy.sum %arg0 : i32
  // GENERIC: "toy.sum"(%arg0) <{mode = "slow"}> : (i32) -> i32
  %0 = toy.sum %a : i32
  // CHECK: toy.sum %{{.*}} and %arg0, %arg1 mode fast : i32, i32, i32
  // GENERIC: <{mode = "fast"}>
  %1 = toy.sum %0 and %a, %b mode fast : i32, i32, i32
  // EXPAND: arith.addi
  // EXPAND-NOT: toy.sum %{{.*}} and %arg1 :
  %2 = toy.sum %1 and %b : i32, i32
  return %2 : i32
}

// CHECK-LABEL: @open
func.func @open(%b: !toy.box<f32, 2>, %k: !toy.key, %t: !toy.tag<"x", #toy.level<3>>) -> index {
  // CHECK: toy.open %arg0 : !toy.box<f32, 2>
  %0 = toy.open %b : !toy.box<f32, 2>
  // CHECK: toy.open %arg0 with %arg1 : !toy.key or(%arg1, %arg1 : !toy.key, !toy.key) : !toy.box<f32, 2>
  // GENERIC: <{operandSegmentSizes = array<i32: 1, 1, 2>}>
  %1 = toy.open %b with %k : !toy.key or (%k, %k : !toy.key, !toy.key) : !toy.box<f32, 2>
  return %1 : index
}

// CHECK-LABEL: @regions
func.func @regions(%a: i32) -> i32 {
  // CHECK: toy.twice times 5 {
  // CHECK-NEXT: toy.sum
  toy.twice times 5 { %x = toy.sum %a : i32 }
  // CHECK: toy.twice {
  toy.twice { %x = toy.sum %a : i32 }
  // CHECK: toy.scope {
  // CHECK-NEXT: toy.leave %arg0 : i32
  // CHECK-NEXT: } : i32
  %0 = toy.scope { toy.leave %a : i32 } : i32
  return %0 : i32
}
