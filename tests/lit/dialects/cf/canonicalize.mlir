// Branches on constants, blocks with one way in or none, blocks that only lead on, needless arguments.
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

// -----

// Arguments go that nobody uses, that are always the same value, or that only go round.
// CHECK-LABEL: func.func @needless
// CHECK-SAME: ([[C:%.*]]: i1, [[A:%.*]]: i32)
// CHECK-NEXT: cf.cond_br [[C]], ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: "t.left"([[A]])
// CHECK-NEXT: [[D:%.*]] = "t.again"() : () -> i1
// CHECK-NEXT: cf.cond_br [[D]], ^bb1, ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: "t.end"([[A]])
func.func @needless(%c: i1, %a: i32) {
  cf.cond_br %c, ^left(%a, %a : i32, i32), ^end(%a : i32)
^left(%unused: i32, %same: i32):
  "t.left"(%same) : (i32) -> ()
  %d = "t.again"() : () -> i1
  cf.cond_br %d, ^left(%unused, %same : i32, i32), ^end(%a : i32)
^end(%x: i32):
  "t.end"(%x) : (i32) -> ()
  return
}

// -----

// Ops that nobody knows hand on what they like.
// CHECK-LABEL: func.func @unknown_ways
// CHECK: ^bb2({{%.*}}: i32):
func.func @unknown_ways(%c: i1, %a: i32) {
  cf.cond_br %c, ^end(%a : i32), ^other
^other:
  "t.go"(%a)[^end] : (i32) -> ()
^end(%x: i32):
  return
}

// -----

// Two ways to a block with no other are a choice of values.
// CHECK-LABEL: func.func @choice
// CHECK-SAME: ([[C:%.*]]: i1, [[A:%.*]]: i32, [[B:%.*]]: i32)
// CHECK-NEXT: [[S:%.*]] = arith.select [[C]], [[A]], [[B]] : i32
// CHECK-NEXT: "t.use"([[S]], [[A]])
// CHECK-NEXT: return
func.func @choice(%c: i1, %a: i32, %b: i32) {
  cf.cond_br %c, ^next(%a, %a : i32, i32), ^next(%b, %a : i32, i32)
^next(%x: i32, %y: i32):
  "t.use"(%x, %y) : (i32, i32) -> ()
  return
}

// -----

// A block that only leads on is passed by, with what it hands on.
// CHECK-LABEL: func.func @passed_by
// CHECK-SAME: ([[C:%.*]]: i1, [[A:%.*]]: i32, [[B:%.*]]: i32)
// CHECK-NEXT: cf.cond_br [[C]], ^bb1, ^bb2([[B]], [[A]] : i32, i32)
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: "t.left"()
// CHECK-NEXT: cf.br ^bb2([[A]], [[B]] : i32, i32)
// CHECK-NEXT: ^bb2(
func.func @passed_by(%c: i1, %a: i32, %b: i32) {
  cf.cond_br %c, ^left, ^first(%a : i32)
^left:
  "t.left"() : () -> ()
  cf.br ^end(%a, %b : i32, i32)
^first(%x: i32):
  cf.br ^second(%x : i32)
^second(%y: i32):
  cf.br ^end(%b, %y : i32, i32)
^end(%p: i32, %q: i32):
  "t.use"(%p, %q) : (i32, i32) -> ()
  return
}

// -----

// A circle of such blocks stays.
// CHECK-LABEL: func.func @circle
// CHECK-NEXT: cf.cond_br {{%.*}}, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb1
func.func @circle(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  cf.br ^a
}
