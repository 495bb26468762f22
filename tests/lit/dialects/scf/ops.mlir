// Every op of scf: custom and generic form.
// RUN: cake-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --print-op-generic %s | cake-opt --allow-unregistered-dialect | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @loops(
// CHECK-SAME: [[X:%.*]]: index, [[A:%.*]]: i32, [[F:%.*]]: f32)
func.func @loops(%x: index, %a: i32, %f: f32) {
  // CHECK-NEXT: scf.for [[I:%.*]] = [[X]] to [[X]] step [[X]] {
  // CHECK-NEXT:   "t.use"([[I]]) : (index) -> ()
  // CHECK-NEXT: }
  scf.for %i = %x to %x step %x {
    "t.use"(%i) : (index) -> ()
  }
  // CHECK-NEXT: scf.for unsigned [[I:%.*]] = [[A]] to [[A]] step [[A]]  : i32 {
  // CHECK-NEXT: } {d.hint}
  scf.for unsigned %i = %a to %a step %a : i32 {
  } {d.hint}
  // CHECK-NEXT: [[R:%.*]]:2 = scf.for [[I:%.*]] = [[X]] to [[X]] step [[X]] iter_args([[P:%.*]] = [[A]], [[Q:%.*]] = [[F]]) -> (i32, f32) {
  // CHECK-NEXT:   scf.yield [[P]], [[Q]] : i32, f32
  // CHECK-NEXT: }
  // GENERIC: "scf.for"({{.*}}) ({
  // GENERIC: ^bb0({{%.*}}: index, {{%.*}}: i32, {{%.*}}: f32):
  // GENERIC: "scf.yield"({{.*}}) : (i32, f32) -> ()
  // GENERIC: }) : (index, index, index, i32, f32) -> (i32, f32)
  %r:2 = scf.for %i = %x to %x step %x iter_args(%p = %a, %q = %f) -> (i32, f32) {
    scf.yield %p, %q : i32, f32
  }
  // CHECK-NEXT: "t.use"([[R]]#1) : (f32) -> ()
  "t.use"(%r#1) : (f32) -> ()
  return
}

// CHECK-LABEL: func.func @branches(
// CHECK-SAME: [[C:%.*]]: i1, [[A:%.*]]: i32, [[X:%.*]]: index)
func.func @branches(%c: i1, %a: i32, %x: index) {
  // CHECK-NEXT: scf.if [[C]] {
  // CHECK-NEXT:   "t.then"() : () -> ()
  // CHECK-NEXT: }
  scf.if %c {
    "t.then"() : () -> ()
  }
  // CHECK-NEXT: [[R:%.*]] = scf.if [[C]] -> (i32) {
  // CHECK-NEXT:   scf.yield [[A]] : i32
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   [[S:%.*]] = "t.else"() : () -> i32
  // CHECK-NEXT:   scf.yield [[S]] : i32
  // CHECK-NEXT: } {d.hint}
  %r = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    %s = "t.else"() : () -> i32
    scf.yield %s : i32
  } {d.hint}
  // CHECK-NEXT: [[T:%.*]] = scf.index_switch [[X]] -> i32
  // CHECK-NEXT: case 2 {
  // CHECK-NEXT:   scf.yield [[R]] : i32
  // CHECK-NEXT: }
  // CHECK-NEXT: case -1 {
  // CHECK-NEXT:   scf.yield [[A]] : i32
  // CHECK-NEXT: }
  // CHECK-NEXT: default {
  // CHECK-NEXT:   scf.yield [[A]] : i32
  // CHECK-NEXT: }
  // GENERIC: "scf.index_switch"({{.*}}) <{cases = array<i64: 2, -1>}> ({
  %t = scf.index_switch %x -> i32
  case 2 {
    scf.yield %r : i32
  }
  case -1 {
    scf.yield %a : i32
  }
  default {
    scf.yield %a : i32
  }
  // A default that yields nothing need not say so: mlir-opt prints it without.
  // CHECK-NEXT: scf.index_switch [[X]]
  // CHECK-NEXT: case 1 {
  // CHECK-NEXT:   "t.one"() : () -> ()
  // CHECK-NEXT:   scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: default {
  // CHECK-NEXT:   scf.yield
  // CHECK-NEXT: }
  scf.index_switch %x
  case 1 {
    "t.one"() : () -> ()
    scf.yield
  }
  default {
  }
  return
}

// CHECK-LABEL: func.func @whiles(
// CHECK-SAME: [[C:%.*]]: i1, [[A:%.*]]: i32)
func.func @whiles(%c: i1, %a: i32) {
  // CHECK: scf.while ([[P:%.*]] = [[A]]) : (i32) -> i32 {
  // CHECK-NEXT:   scf.condition([[C]]) [[P]] : i32
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^{{.*}}([[Q:%.*]]: i32):
  // CHECK-NEXT:   scf.yield [[Q]] : i32
  // CHECK-NEXT: } attributes {d.hint}
  %r = scf.while (%p = %a) : (i32) -> i32 {
    scf.condition(%c) %p : i32
  } do {
  ^body(%q: i32):
    scf.yield %q : i32
  } attributes {d.hint}
  // CHECK: scf.while : () -> () {
  // CHECK-NEXT:   scf.condition([[C]])
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   scf.yield
  // CHECK-NEXT: }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
