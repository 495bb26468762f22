// What one way of a branch alone uses goes there, with what that uses; the rest stays.
// RUN: cake-opt --allow-unregistered-dialect --control-flow-sink --check-passes %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --control-flow-sink --pass-statistics %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: 7 ops moved

// CHECK-LABEL: @ways
// CHECK-NEXT: %0 = arith.muli %arg0, %arg1
// CHECK-NEXT: scf.index_switch
// CHECK-NEXT: case 1 {
// CHECK-NEXT:   %[[SUM:.*]] = arith.addi %arg0, %arg1
// CHECK-NEXT:   scf.yield %[[SUM]]
// CHECK: default {
// CHECK-NEXT:   %[[A:.*]] = arith.subi %arg0, %arg1
// CHECK-NEXT:   %[[B:.*]] = arith.divsi %[[A]], %[[A]]
// CHECK-NEXT:   arith.addi %[[B]], %0
func.func @ways(%a: i32, %b: i32, %i: index) -> (i32, i32) {
  %sum = arith.addi %a, %b : i32
  %both = arith.muli %a, %b : i32
  %first = arith.subi %a, %b : i32
  %second = arith.divsi %first, %first : i32
  %r = scf.index_switch %i -> i32
  case 1 {
    scf.yield %sum : i32
  }
  default {
    %m = arith.addi %second, %both : i32
    scf.yield %m : i32
  }
  return %r, %both : i32, i32
}

// An op with regions goes, too, into what is inside of both.
// CHECK-LABEL: @inside
// CHECK-NEXT: scf.if
// CHECK-NEXT:   scf.if
// CHECK-NEXT:     %[[IF:.*]] = scf.if
// CHECK:          %[[SUM:.*]] = arith.addi
// CHECK-NEXT:     "t.use"(%[[SUM]], %[[IF]], %[[IF]])
func.func @inside(%a: i32, %b: i32, %c: i1) -> i32 {
  %if = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  %sum = arith.addi %a, %b : i32
  scf.if %c {
    scf.if %c {
      "t.use"(%sum, %if, %if) : (i32, i32, i32) -> ()
    }
  }
  return %a : i32
}

// What only ops further inside use stays: those in between may be loops.
// CHECK-LABEL: @further
// CHECK-NEXT: arith.addi
// CHECK-NEXT: scf.if
func.func @further(%a: i32, %n: index, %c: i1) {
  %sum = arith.addi %a, %a : i32
  scf.if %c {
    scf.for %i = %n to %n step %n {
      "t.use"(%sum) : (i32) -> ()
    }
  }
  return
}

// What has effects, is used outside or in a loop, or in both ways, or by nobody, stays.
// CHECK-LABEL: @stays
// CHECK-NEXT: "t.effect"
// CHECK-NEXT: arith.addi
// CHECK-NEXT: arith.muli
// CHECK-NEXT: arith.subi
// CHECK-NEXT: arith.ori
// CHECK-NEXT: scf.for
func.func @stays(%a: i32, %n: index, %c: i1) -> i32 {
  %e = "t.effect"() : () -> i32
  %loop = arith.addi %a, %a : i32
  %outside = arith.muli %a, %a : i32
  %both = arith.subi %a, %a : i32
  %dead = arith.ori %a, %a : i32
  scf.for %i = %n to %n step %n {
    "t.use"(%loop) : (i32) -> ()
  }
  scf.if %c {
    "t.use"(%e, %outside, %both) : (i32, i32, i32) -> ()
  } else {
    "t.use"(%both) : (i32) -> ()
  }
  return %outside : i32
}

// A chain: each op is ready when the one behind it has gone; an op that is used twice when both have.
// CHECK-LABEL: @chain
// CHECK-NEXT: scf.if
// CHECK-NEXT:   %[[A:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT:   %[[B:.*]] = arith.muli %[[A]], %[[A]]
// CHECK-NEXT:   "t.use"(%[[A]], %[[B]])
func.func @chain(%a: i32, %c: i1) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  scf.if %c {
    "t.use"(%0, %1) : (i32, i32) -> ()
  }
  return
}
