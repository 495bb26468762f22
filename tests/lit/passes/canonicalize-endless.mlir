// Code that cannot be reached, or depends on itself, on which folding to a fixed point may never end: it ends, with the right result.
// RUN: cake-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --canonicalize=region-simplify=disabled --split-input-file %s | FileCheck %s --check-prefix=KEEP
// RUN: cake-opt --allow-unregistered-dialect --inline --split-input-file %s -o %t

// A branch on a constant cuts the loop off while it is being rewritten.
// CHECK-LABEL: func.func @cut_off(
// CHECK-NEXT: return
// CHECK-NEXT: }
// KEEP-LABEL: func.func @cut_off(
// KEEP: arith.addi %{{.*}}, %{{.*}} : i32
func.func @cut_off(%cond: i1, %init: i32) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  cf.cond_br %true, ^exit, ^header(%init : i32)
^header(%iv: i32):
  cf.cond_br %cond, ^exit, ^latch
^latch:
  %next = arith.addi %iv, %c1 : i32
  cf.br ^header(%next : i32)
^exit:
  return
}

// The same loop, still entered: nothing changes.
// CHECK-LABEL: func.func @reachable(
// CHECK: cf.cond_br %{{.*}}, ^[[EXIT:bb[0-9]+]], ^[[HEADER:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[HEADER]](%[[IV:.*]]: i32):
// CHECK-NEXT: cf.cond_br %{{.*}}, ^[[EXIT]], ^[[LATCH:bb[0-9]+]]
// CHECK: ^[[LATCH]]:
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[IV]], %{{.*}} : i32
// CHECK-NEXT: cf.br ^[[HEADER]](%[[NEXT]] : i32)
func.func @reachable(%enter: i1, %cond: i1, %init: i32) {
  %c1 = arith.constant 1 : i32
  cf.cond_br %enter, ^exit, ^header(%init : i32)
^header(%iv: i32):
  cf.cond_br %cond, ^exit, ^latch
^latch:
  %next = arith.addi %iv, %c1 : i32
  cf.br ^header(%next : i32)
^exit:
  return
}

// -----

// Merging the two blocks of the loop that is cut off would make its counter depend on itself.
// CHECK-LABEL: func.func @merged(
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @merged() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %enter = arith.cmpi sgt, %c2, %c0 : i32
  cf.cond_br %enter, ^exit, ^header(%c2 : i32)
^header(%iv: i32):
  %done = arith.cmpi eq, %iv, %c2 : i32
  cf.cond_br %done, ^exit, ^latch
^latch:
  %next = arith.addi %iv, %c1 : i32
  cf.br ^header(%next : i32)
^exit:
  return
}

// The second branch is cut off only when the first is gone, and the third behind both.
// CHECK-LABEL: func.func @in_turn(
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @in_turn(%init: i32, %cond: i1) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  cf.cond_br %true, ^a(%true : i1), ^l1(%init : i32)
^l1(%x: i32):
  %x1 = arith.addi %x, %c1 : i32
  cf.cond_br %cond, ^l1(%x1 : i32), ^a(%cond : i1)
^a(%c: i1):
  cf.cond_br %c, ^b(%c : i1), ^l2(%init : i32)
^l2(%y: i32):
  %y1 = arith.addi %y, %c1 : i32
  cf.cond_br %cond, ^l2(%y1 : i32), ^b(%cond : i1)
^b(%d: i1):
  cf.cond_br %d, ^exit, ^l3(%init : i32)
^l3(%z: i32):
  %z1 = arith.addi %z, %c1 : i32
  cf.br ^l4(%z1 : i32)
^l4(%w: i32):
  %w1 = arith.addi %w, %c1 : i32
  cf.br ^l3(%w1 : i32)
^exit:
  return
}

// -----

// A loop of empty blocks.
// CHECK-LABEL: func.func @empty_loop(
// CHECK: ^[[LOOP:bb[0-9]+]]:
// CHECK-NEXT: cf.br ^[[LOOP]]
func.func @empty_loop() {
  %false = arith.constant false
  cf.cond_br %false, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  cf.br ^bb1
}

// -----

// In a graph region a value may depend on itself; it and what depends on it stay.
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[SELF:.*]] = arith.addi %[[ZERO]], %[[SELF]] : index
%c0 = arith.constant 0 : index
%0 = arith.addi %c0, %0 : index

// -----

// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[USER:.*]] = arith.addi %[[A:.*]], %[[ONE]] : i32
// CHECK: "test.use"(%[[USER]])
// CHECK: %[[A]] = arith.addi %[[B:.*]], %[[ONE]] : i32
// CHECK: %[[B]] = arith.addi %[[C:.*]], %[[ONE]] : i32
// CHECK: %[[C]] = arith.addi %[[A]], %[[ONE]] : i32
%c1 = arith.constant 1 : i32
%user = arith.addi %a, %c1 : i32
"test.use"(%user) : (i32) -> ()
%a = arith.addi %b, %c1 : i32
%b = arith.addi %c, %c1 : i32
%c = arith.addi %a, %c1 : i32
// Looking ahead is not enough: these do not depend on themselves.
// CHECK: "test.use"(%[[LATER:.*]])
// CHECK-NOT: arith.addi
// CHECK: "test.source"
"test.use"(%later) : (i32) -> ()
%later = arith.addi %zero, %source : i32
%source = "test.source"() : () -> i32
%zero = arith.constant 0 : i32

// -----

// In a block that nothing leads to a value may use itself as well.
// CHECK-LABEL: func.func @self(
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-NEXT: return %[[C0]]
// CHECK-NEXT: }
// KEEP-LABEL: func.func @self(
// KEEP: ^{{.*}}: // no predecessors
// KEEP: %[[S:.*]] = arith.addi %[[S]], %{{.*}} : i32
func.func @self() -> i32 {
  %2 = arith.constant 0 : i32
  return %2 : i32
^bb0:
  %0 = arith.constant 0 : i32
  %1 = arith.addi %1, %0 : i32
  return %1 : i32
}
