// Two scf.if on one condition, one in the other, and on a negation.
// RUN: cake-opt --allow-unregistered-dialect --canonicalize --check-passes %s | FileCheck %s

// Behind one another: what the second uses of the first is what that yields.
// CHECK-LABEL: @two
// CHECK-NEXT: %0:2 = scf.if %arg0 -> (i32, i32) {
// CHECK-NEXT:   %[[A:.*]] = "t.a"
// CHECK-NEXT:   %[[B:.*]] = "t.b"(%[[A]])
// CHECK-NEXT:   scf.yield %[[A]], %[[B]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[C:.*]] = "t.c"(%arg1)
// CHECK-NEXT:   scf.yield %arg1, %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0, %0#1
func.func @two(%c: i1, %b: i32) -> (i32, i32) {
  %0 = scf.if %c -> i32 {
    %x = "t.a"() : () -> i32
    scf.yield %x : i32
  } else {
    scf.yield %b : i32
  }
  %1 = scf.if %c -> i32 {
    %x = "t.b"(%0) : (i32) -> i32
    scf.yield %x : i32
  } else {
    %y = "t.c"(%0) : (i32) -> i32
    scf.yield %y : i32
  }
  return %0, %1 : i32, i32
}

// Any of them may have an else.
// CHECK-LABEL: @elses
// CHECK-NEXT: scf.if
// CHECK-NEXT:   "t.a"
// CHECK-NEXT:   "t.b"
// CHECK-NEXT:   "t.c"
// CHECK-NEXT: } else {
// CHECK-NEXT:   "t.d"
// CHECK-NEXT:   "t.e"
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @elses(%c: i1) {
  scf.if %c {
    "t.a"() : () -> ()
  }
  scf.if %c {
    "t.b"() : () -> ()
  } else {
    "t.d"() : () -> ()
  }
  scf.if %c {
    "t.c"() : () -> ()
  } else {
    "t.e"() : () -> ()
  }
  return
}

// On a condition and its negation, either way round; a use deep inside.
// CHECK-LABEL: @negated
// CHECK-NEXT: %0 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:   %[[A:.*]] = "t.a"
// CHECK-NEXT:   scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.for
// CHECK-NEXT:     "t.use"(%arg1)
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.yield %arg1
// CHECK-NEXT: }
// CHECK-NEXT: return %0
func.func @negated(%c: i1, %b: i32, %n: index, %m: index) -> i32 {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %0 = scf.if %c -> i32 {
    %x = "t.a"() : () -> i32
    scf.yield %x : i32
  } else {
    scf.yield %b : i32
  }
  scf.if %not {
    scf.for %i = %m to %n step %n {
      "t.use"(%0) : (i32) -> ()
    }
  }
  return %0 : i32
}

// What stands between them keeps them apart.
// CHECK-LABEL: @between
// CHECK: scf.if
// CHECK: "t.x"
// CHECK: scf.if
func.func @between(%c: i1) {
  scf.if %c {
    "t.a"() : () -> ()
  }
  "t.x"() : () -> ()
  scf.if %c {
    "t.b"() : () -> ()
  }
  return
}

// A negated condition with an else.
// CHECK-LABEL: @swap
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT:   "t.b"
// CHECK-NEXT: } else {
// CHECK-NEXT:   "t.a"
// CHECK-NEXT: } {kept}
func.func @swap(%c: i1) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  scf.if %not {
    "t.a"() : () -> ()
  } else {
    "t.b"() : () -> ()
  } {kept}
  return
}

// One in the other, with equal values where either condition does not hold, and others that are known in front of both.
// CHECK-LABEL: @inner
// CHECK-NEXT: %[[CHOICE:.*]] = arith.select %arg0, %arg2, %arg3 : i32
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT: %[[IF:.*]] = scf.if %[[BOTH]] -> (i32) {
// CHECK-NEXT:   %[[A:.*]] = "t.a"
// CHECK-NEXT:   scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %arg3
// CHECK-NEXT: }
// CHECK-NEXT: return %[[IF]], %[[CHOICE]]
func.func @inner(%c: i1, %d: i1, %a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    %q = scf.if %d -> i32 {
      %x = "t.a"() : () -> i32
      scf.yield %x : i32
    } else {
      scf.yield %b : i32
    }
    scf.yield %q, %a : i32, i32
  } else {
    scf.yield %b, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// Not when the other ways do something, or yield something else.
// CHECK-LABEL: @apart
// CHECK:      scf.if %arg0
// CHECK-NEXT:   scf.if %arg1
// CHECK:      scf.if %arg1
// CHECK-NEXT:   scf.if %arg0
func.func @apart(%c: i1, %d: i1, %a: i32, %b: i32) -> i32 {
  scf.if %c {
    scf.if %d {
      "t.a"() : () -> ()
    }
  } else {
    "t.b"() : () -> ()
  }
  %r = scf.if %d -> i32 {
    %q = scf.if %c -> i32 {
      %x = "t.c"() : () -> i32
      scf.yield %x : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %q : i32
  } else {
    scf.yield %b : i32
  }
  return %r : i32
}
