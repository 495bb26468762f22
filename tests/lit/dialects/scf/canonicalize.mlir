// Loops that run never or once, branches on constants, pure loops whose results nobody uses, needless results.
// RUN: cake-opt --canonicalize --split-input-file --allow-unregistered-dialect %s | FileCheck %s

// CHECK-LABEL: func.func @never
// CHECK-SAME: ([[A:%.*]]: i32, [[X:%.*]]: index)
// CHECK-NEXT: return [[A]], [[A]] : i32, i32
func.func @never(%a: i32, %x: index) -> (i32, i32) {
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c4 to %c3 step %x iter_args(%p = %a) -> (i32) {
    %1 = "t.next"(%p) : (i32) -> i32
    scf.yield %1 : i32
  }
  %2 = scf.for %i = %x to %x step %c3 iter_args(%p = %0) -> (i32) {
    %3 = "t.next"(%p) : (i32) -> i32
    scf.yield %3 : i32
  }
  return %0, %2 : i32, i32
}

// -----

// CHECK-LABEL: func.func @once
// CHECK-SAME: ([[A:%.*]]: i32)
// CHECK: [[C:%.*]] = arith.constant 4 : index
// CHECK: [[R:%.*]] = "t.next"([[A]], [[C]]) : (i32, index) -> i32
// CHECK-NEXT: return [[R]] : i32
func.func @once(%a: i32) -> i32 {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c2 = arith.constant 2 : index
  %0 = scf.for %i = %c4 to %c6 step %c2 iter_args(%p = %a) -> (i32) {
    %1 = "t.next"(%p, %i) : (i32, index) -> i32
    scf.yield %1 : i32
  }
  return %0 : i32
}

// -----

// CHECK-LABEL: func.func @twice
// CHECK: scf.for
func.func @twice() {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c4 to %c6 step %c1 {
    "t.use"(%i) : (index) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @known
// CHECK-NEXT: "t.then"() : () -> ()
// CHECK-NEXT: [[E:%.*]] = "t.else"() : () -> i32
// CHECK-NEXT: return [[E]] : i32
func.func @known() -> i32 {
  %true = arith.constant true
  %false = arith.constant false
  scf.if %true {
    "t.then"() : () -> ()
  }
  scf.if %false {
    "t.gone"() : () -> ()
  }
  %0 = scf.if %false -> i32 {
    %1 = "t.gone"() : () -> i32
    scf.yield %1 : i32
  } else {
    %2 = "t.else"() : () -> i32
    scf.yield %2 : i32
  }
  return %0 : i32
}

// -----

// CHECK-LABEL: func.func @chooses
// CHECK-SAME: ([[C:%.*]]: i1, [[A:%.*]]: i32, [[B:%.*]]: i32)
// CHECK-NEXT: [[S:%.*]] = arith.select [[C]], [[A]], [[B]] : i32
// CHECK-NEXT: return [[S]], [[A]] : i32, i32
func.func @chooses(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    scf.yield %a, %a : i32, i32
  } else {
    scf.yield %b, %a : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @empty_else
// CHECK: scf.if
// CHECK-NOT: else
// CHECK: return
func.func @empty_else(%c: i1) {
  scf.if %c {
    "t.then"() : () -> ()
  } else {
  }
  return
}

// -----

// CHECK-LABEL: func.func @case
// CHECK-NEXT: [[R:%.*]] = "t.two"() : () -> i32
// CHECK-NEXT: [[D:%.*]] = "t.default"() : () -> i32
// CHECK-NEXT: return [[R]], [[D]] :
func.func @case() -> (i32, i32) {
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %0 = scf.index_switch %c2 -> i32
  case 1 {
    %1 = "t.one"() : () -> i32
    scf.yield %1 : i32
  }
  case 2 {
    %1 = "t.two"() : () -> i32
    scf.yield %1 : i32
  }
  default {
    %1 = "t.default"() : () -> i32
    scf.yield %1 : i32
  }
  %2 = scf.index_switch %c7 -> i32
  case 1 {
    %1 = "t.one"() : () -> i32
    scf.yield %1 : i32
  }
  default {
    %1 = "t.default"() : () -> i32
    scf.yield %1 : i32
  }
  return %0, %2 : i32, i32
}

// -----

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: scf.while
// CHECK: return
func.func @unused(%x: index, %y: index, %c: i1, %a: i32) {
  %0 = scf.for %i = %x to %y step %x iter_args(%p = %a) -> (i32) {
    %1 = scf.if %c -> i32 {
      %2 = arith.addi %p, %p : i32
      scf.yield %2 : i32
    } else {
      %3 = arith.muli %p, %p : i32
      scf.yield %3 : i32
    }
    scf.yield %1 : i32
  }
  %4 = scf.while (%p = %a) : (i32) -> i32 {
    scf.condition(%c) %p : i32
  } do {
  ^bb0(%q: i32):
    scf.yield %q : i32
  }
  return
}

// -----

// What a loop hands on unchanged, or replaces by what it began with, is what it began with; what nobody uses goes.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: ([[N:%.*]]: index, [[A:%.*]]: i32, [[B:%.*]]: i32)
// CHECK: [[R:%.*]] = scf.for {{%.*}} = {{%.*}} to [[N]] step {{%.*}} iter_args([[X:%.*]] = [[A]]) -> (i32) {
// CHECK-NEXT: [[Y:%.*]] = "t.body"([[X]], [[B]], [[A]]) : (i32, i32, i32) -> i32
// CHECK-NEXT: scf.yield [[Y]] : i32
// CHECK-NEXT: } {t.kept}
// CHECK-NEXT: return [[R]], [[B]], [[A]]
func.func @carried(%n: index, %a: i32, %b: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %same = %b, %first = %a, %unused = %b) -> (i32, i32, i32, i32) {
    %y = "t.body"(%x, %same, %first) : (i32, i32, i32) -> i32
    scf.yield %y, %same, %a, %y : i32, i32, i32, i32
  } {t.kept}
  return %r#0, %r#1, %r#2 : i32, i32, i32
}

// -----

// A result that nobody uses stays where the loop reads what is carried.
// CHECK-LABEL: func.func @read_inside
// CHECK: scf.for {{.*}} iter_args([[X:%.*]] = {{%.*}}) -> (i32) {
// CHECK: "t.body"([[X]])
func.func @read_inside(%n: index, %a: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    %y = "t.body"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  return
}

// -----

// What both regions yield is known in front of them; results that nobody uses go.
// CHECK-LABEL: func.func @yielded
// CHECK-SAME: ([[C:%.*]]: i1, [[D:%.*]]: i1, [[A:%.*]]: i32)
// CHECK-NEXT: [[R:%.*]] = scf.if [[C]] -> (i32) {
// CHECK-NEXT: [[X:%.*]] = "t.then"() : () -> i32
// CHECK-NEXT: scf.yield [[X]] : i32
// CHECK-NEXT: } else {
// CHECK-NEXT: [[Y:%.*]] = "t.else"() : () -> i32
// CHECK-NEXT: scf.yield [[Y]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: scf.if [[D]] {
// CHECK-NEXT: "t.effect"()
// CHECK-NEXT: }
// CHECK-NEXT: return [[A]], [[R]]
func.func @yielded(%c: i1, %d: i1, %a: i32) -> (i32, i32) {
  %r:3 = scf.if %c -> (i32, i32, i32) {
    %x = "t.then"() : () -> i32
    scf.yield %a, %x, %x : i32, i32, i32
  } else {
    %y = "t.else"() : () -> i32
    scf.yield %a, %y, %y : i32, i32, i32
  }
  %s = scf.if %d -> (i32) {
    "t.effect"() : () -> ()
    scf.yield %a : i32
  } else {
    scf.yield %a : i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// Results whose values are known in front of the op are chosen there; the rest stays.
// CHECK-LABEL: func.func @chosen
// CHECK-SAME: ([[C:%.*]]: i1, [[A:%.*]]: i32, [[B:%.*]]: i32, [[T:%.*]]: tensor<4xi32>, [[U:%.*]]: tensor<4xi32>)
// CHECK-NEXT: [[S:%.*]] = arith.select [[C]], [[A]], [[B]] : i32
// CHECK-NEXT: [[R:%.*]] = scf.if [[C]] -> (tensor<4xi32>) {
// CHECK-NEXT: "t.effect"()
// CHECK-NEXT: scf.yield [[T]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield [[U]]
// CHECK-NEXT: }
// CHECK-NEXT: return [[S]], [[R]]
func.func @chosen(%c: i1, %a: i32, %b: i32, %t: tensor<4xi32>, %u: tensor<4xi32>) -> (i32, tensor<4xi32>) {
  %r:2 = scf.if %c -> (i32, tensor<4xi32>) {
    "t.effect"() : () -> ()
    scf.yield %a, %t : i32, tensor<4xi32>
  } else {
    scf.yield %b, %u : i32, tensor<4xi32>
  }
  return %r#0, %r#1 : i32, tensor<4xi32>
}
