// Branches on constants, blocks with one way in, blocks with none.
// RUN: cake-opt --canonicalize --split-input-file --allow-unregistered-dialect %s | FileCheck %s

// CHECK-LABEL: func.func @constant
// CHECK-NEXT: "t.then"() : () -> ()
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @constant() {
  %true = arith.constant true
  cf.cond_br %true, ^then, ^else
^then:
  "t.then"() : () -> ()
  return
^else:
  "t.else"() : () -> ()
  return
}

// -----

// CHECK-LABEL: func.func @merged
// CHECK-SAME: ([[A:%.*]]: i32)
// CHECK-NEXT: "t.use"([[A]]) : (i32) -> ()
// CHECK-NEXT: return [[A]] : i32
func.func @merged(%a: i32) -> i32 {
  cf.br ^next(%a : i32)
^next(%x: i32):
  "t.use"(%x) : (i32) -> ()
  cf.br ^end
^end:
  return %x : i32
}

// -----

// CHECK-LABEL: func.func @same_target
// CHECK-NOT: cf.cond_br
// CHECK: return
func.func @same_target(%p: i1, %a: i32) -> i32 {
  cf.cond_br %p, ^end(%a : i32), ^end(%a : i32)
^end(%x: i32):
  return %x : i32
}

// -----

// Blocks that use one another and that nothing reaches.
// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unreachable() {
  return
^a(%x: i32):
  %0 = arith.addi %x, %1 : i32
  cf.br ^b
^b:
  %1 = arith.addi %0, %0 : i32
  cf.br ^a(%1 : i32)
}

// -----

// A loop stays.
// CHECK-LABEL: func.func @loop
// CHECK: ^[[LOOP:bb[0-9]+]]:
// CHECK: cf.cond_br {{%.*}}, ^[[LOOP]], ^
func.func @loop() {
  cf.br ^loop
^loop:
  %p = "t.condition"() : () -> i1
  cf.cond_br %p, ^loop, ^end
^end:
  return
}
