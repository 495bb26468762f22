// Rewrites of ops with regions: bound as wholes and moved, shown op by op, inlined; what would be out of sight is left alone.
// RUN: cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/regions.rewrite --check-passes --regions --sight --nested --while --trace-rewrites %s 2>%t.trace | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.trace
// RUN: cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/regions.rewrite --regions --pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: cake-query %s --load-rewrites=%S/Inputs/regions.rewrite --allow-unregistered-dialect -c 'm rewrite("no_trips")' | FileCheck %s --check-prefix=QUERY

// CHECK-LABEL: @if_true
// CHECK-NEXT:   %0 = arith.constant true
// CHECK-NEXT:   %1 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT:   "u.x"() : () -> ()
// CHECK-NEXT:   %2 = arith.constant false
// CHECK-NEXT:   return %1, %arg0 : i32, i32
// CHECK-NEXT: }
func.func @if_true(%a: i32) -> (i32, i32) {
  %true = arith.constant true
  %0:2 = scf.if %true -> (i32, i32) {
    %1 = arith.addi %a, %a : i32
    scf.yield %1, %a : i32, i32
  } else {
    %c = arith.constant 3 : i32
    scf.yield %c, %c : i32, i32
  }
  scf.if %true { "u.x"() : () -> () }
  %false = arith.constant false
  scf.if %false { "u.y"() : () -> () }
  return %0#0, %0#1 : i32, i32
}

// CHECK-LABEL: @if_not
// CHECK-NEXT:   %0 = arith.constant true
// CHECK-NEXT:   %1 = arith.xori %0, %arg0 : i1
// CHECK-NEXT:   %2 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:     scf.yield %arg2 : i32
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.if %arg0 {
// CHECK-NEXT:     "u.y"() : () -> ()
// CHECK-NEXT:   } else {
// CHECK-NEXT:     "u.x"() : () -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   return %2 : i32
// CHECK-NEXT: }
func.func @if_not(%c: i1, %a: i32, %b: i32) -> i32 {
  %true = arith.constant true
  %n = arith.xori %true, %c : i1
  %0 = scf.if %n -> i32 { scf.yield %a : i32 } else { scf.yield %b : i32 }
  scf.if %n { "u.x"() : () -> () } else { "u.y"() : () -> () }
  return %0 : i32
}

// CHECK-LABEL: @loops
// CHECK-NEXT:   %0 = arith.constant 4 : index
// CHECK-NEXT:   %1 = arith.constant 5 : index
// CHECK-NEXT:   %2 = arith.constant 2 : index
// CHECK-NEXT:   %3 = "u.step"(%arg0, %0) : (f32, index) -> f32
// CHECK-NEXT:   return %arg0, %arg0, %3 : f32, f32, f32
// CHECK-NEXT: }
func.func @loops(%a: f32, %s: index) -> (f32, f32, f32) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c4 to %c4 step %s iter_args(%x = %a, %y = %a) -> (f32, f32) {
    %z = arith.addf %x, %y : f32
    scf.yield %y, %z : f32, f32
  }
  scf.for %i = %c5 to %c4 step %s { "u.x"(%i) : (index) -> () }
  %q:2 = scf.for %i = %c4 to %c5 step %c2 iter_args(%x = %a, %y = %r#1) -> (f32, f32) {
    %z = "u.step"(%x, %i) : (f32, index) -> f32
    scf.yield %y, %z : f32, f32
  }
  return %r#0, %q#0, %q#1 : f32, f32, f32
}

// CHECK-LABEL: @both
// CHECK-NEXT:   %0 = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT:   scf.if %0 {
// CHECK-NEXT:     "u.x"() : () -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.if %arg0 {
// CHECK-NEXT:     "u.z"() : () -> ()
// CHECK-NEXT:     scf.if %arg1 {
// CHECK-NEXT:       "u.x"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
// CHECK-NEXT: }
func.func @both(%c: i1, %d: i1) {
  scf.if %c { 
    scf.if %d { "u.x"() : () -> () }
  }
  scf.if %c { 
    "u.z"() : () -> ()
    scf.if %d { "u.x"() : () -> () }
  }
  return
}

// CHECK-LABEL: @sight
// CHECK-NEXT:   %0 = "u.if"(%arg0) ({
// CHECK-NEXT:     %1 = "u.any"() : () -> i32
// CHECK-NEXT:     "u.yield"(%1) : (i32) -> ()
// CHECK-NEXT:   }) : (i1) -> i32
// CHECK-NEXT:   return %arg1, %0 : i32, i32
// CHECK-NEXT: }
func.func @sight(%c: i1, %x: i32) -> (i32, i32) {
  %0 = "u.if"(%c) ({
    "u.any"() : () -> ()
    "u.yield"(%x) : (i32) -> ()
  }) : (i1) -> i32
  %1 = "u.if"(%c) ({
    %y = "u.any"() : () -> i32
    "u.yield"(%y) : (i32) -> ()
  }) : (i1) -> i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: @out
// CHECK-NEXT:   "u.inner"() ({
// CHECK-NEXT:     %0 = "u.x"() : () -> i32
// CHECK-NEXT:     "u.y"(%0) : (i32) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   "u.outer"() ({
// CHECK-NEXT:     %0 = "u.x"() : () -> i32
// CHECK-NEXT:     "u.inner"() ({
// CHECK-NEXT:       "u.y"(%0) : (i32) -> ()
// CHECK-NEXT:     }) : () -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   return
// CHECK-NEXT: }
func.func @out() {
  "u.outer"() ({
    "u.lost"() : () -> ()
    "u.inner"() ({
      %x = "u.x"() : () -> i32
      "u.y"(%x) : (i32) -> ()
    }) : () -> ()
  }) : () -> ()
  "u.outer"() ({
    %x = "u.x"() : () -> i32
    "u.inner"() ({
      "u.y"(%x) : (i32) -> ()
    }) : () -> ()
  }) : () -> ()
  return
}

// CHECK-LABEL: @constant_outside
// CHECK-NEXT:   %0 = arith.constant 3 : i32
// CHECK-NEXT:   "u.fill"(%0) : (i32) -> ()
// CHECK-NEXT:   "u.repeat"() ({
// CHECK-NEXT:     %1 = arith.constant 3 : i32
// CHECK-NEXT:     "u.store"(%1) : (i32) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   return
// CHECK-NEXT: }
func.func @constant_outside() {
  %c = arith.constant 3 : i32
  "u.repeat"() ({
    "u.store"(%c) : (i32) -> ()
  }) : () -> ()
  "u.repeat"() ({
    %d = arith.constant 3 : i32
    "u.store"(%d) : (i32) -> ()
  }) : () -> ()
  return
}

// CHECK-LABEL: @while
// CHECK-NEXT:   %0:2 = scf.execute_region -> (f32, i8) {
// CHECK-NEXT:     cf.br ^bb1(%arg0, %arg1 : f32, i8)
// CHECK-NEXT:   ^bb1(%1: f32, %2: i8):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     %3:2 = "u.round"(%1, %2) ({
// CHECK-NEXT:       "u.y"(%arg0) : (f32) -> ()
// CHECK-NEXT:     }) : (f32, i8) -> (f32, i8)
// CHECK-NEXT:     %4 = "u.go"(%3#0, %3#1) : (f32, i8) -> i1
// CHECK-NEXT:     cf.cond_br %4, ^bb1(%3#0, %3#1 : f32, i8), ^bb2
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     scf.yield %3#0, %3#1 : f32, i8
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.execute_region {
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     "u.round"() ({
// CHECK-NEXT:       "u.y"(%arg0) : (f32) -> ()
// CHECK-NEXT:     }) : () -> ()
// CHECK-NEXT:     %1 = "u.go"() : () -> i1
// CHECK-NEXT:     cf.cond_br %1, ^bb1, ^bb2
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   return %0#0, %0#1 : f32, i8
// CHECK-NEXT: }
func.func @while(%a: f32, %b: i8) -> (f32, i8) {
  %0:2 = "u.loop"(%a, %b) ({
    "u.y"(%a) : (f32) -> ()
  }) : (f32, i8) -> (f32, i8)
  "u.loop"() ({
    "u.y"(%a) : (f32) -> ()
  }) : () -> ()
  return %0#0, %0#1 : f32, i8
}

// CHECK-LABEL: @nested
// CHECK-NEXT:   "u.body"() ({
// CHECK-NEXT:     %0 = arith.constant 3 : i32
// CHECK-NEXT:     %1 = arith.shli %arg0, %0 : i32
// CHECK-NEXT:     "u.end"(%1) {tag = 5 : i64} : (i32) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   "u.body"() ({
// CHECK-NEXT:     %0 = arith.constant dense<2> : vector<2xi16>
// CHECK-NEXT:     %1 = arith.shli %arg1, %0 : vector<2xi16>
// CHECK-NEXT:     "u.end"(%1) {tag = 6 : i64} : (vector<2xi16>) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   "u.body"() ({
// CHECK-NEXT:     %0 = arith.constant 7 : i32
// CHECK-NEXT:     %1 = arith.muli %arg0, %0 : i32
// CHECK-NEXT:     "u.end"(%1) {tag = 5 : i64} : (i32) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   "u.body"() ({
// CHECK-NEXT:     %0 = arith.constant 8 : i32
// CHECK-NEXT:     %1 = arith.muli %arg0, %0 : i32
// CHECK-NEXT:     "u.end"(%1) {tag = -5 : i64} : (i32) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   "u.square"(%arg2) : (f32) -> ()
// CHECK-NEXT:   "u.body"() ({
// CHECK-NEXT:     %0 = arith.mulf %arg2, %arg2 fastmath<fast> : f32
// CHECK-NEXT:     "u.end"(%0) : (f32) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   "u.body"() ({
// CHECK-NEXT:   ^bb0:
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   return
// CHECK-NEXT: }
func.func @nested(%x: i32, %v: vector<2xi16>, %f: f32) {
  "u.body"() ({
    %c = arith.constant 8 : i32
    %y = arith.muli %x, %c : i32
    "u.end"(%y) {tag = 5} : (i32) -> ()
  }) : () -> ()
  "u.body"() ({
    %c = arith.constant dense<4> : vector<2xi16>
    %y = arith.muli %c, %v : vector<2xi16>
    "u.end"(%y) {tag = 6} : (vector<2xi16>) -> ()
  }) : () -> ()
  "u.body"() ({
    %c = arith.constant 7 : i32
    %y = arith.muli %x, %c : i32
    "u.end"(%y) {tag = 5} : (i32) -> ()
  }) : () -> ()
  "u.body"() ({
    %c = arith.constant 8 : i32
    %y = arith.muli %x, %c : i32
    "u.end"(%y) {tag = -5} : (i32) -> ()
  }) : () -> ()
  "u.body"() ({
    %y = arith.mulf %f, %f : f32
    "u.end"(%y) : (f32) -> ()
  }) : () -> ()
  "u.body"() ({
    %y = arith.mulf %f, %f fastmath<fast> : f32
    "u.end"(%y) : (f32) -> ()
  }) : () -> ()
  "u.body"() ({
  ^empty:
  }) : () -> ()
  return
}

// TRACE: 'scf.if': pattern 'if_true' does not apply: a region of 'scf.if' is empty
// TRACE: 'scf.if': pattern 'if_true_alone' does not apply: 'scf.if' has 1 results, not 0
// TRACE: 'scf.for': pattern 'no_trips' does not apply: 'not less(#l, #u)' does not hold
// TRACE: 'scf.for': pattern 'one_trip' applied
// TRACE: 'scf.if': pattern 'both' does not apply: there is a 'u.z', not a 'scf.if'
// TRACE: 'u.if': pattern 'same_yield' applied
// TRACE: 'u.if': pattern 'same_yield' does not apply: %x is defined in a region that the after does not inline
// TRACE: 'u.outer': pattern 'out' does not apply: ^body... uses a value of the region around it
// TRACE: 'u.repeat': pattern 'constant_outside' does not apply: 'arith.constant' stands in another block than in the before
// TRACE: 'u.body': pattern 'shift_inside' applied
// TRACE: 'u.body': pattern 'shift_inside' does not apply: 'power_of_two(#c)' does not hold
// TRACE: 'u.body': pattern 'shift_inside' does not apply: 'positive(#tag)' does not hold
// TRACE: 'u.body': pattern 'exact_float' applied
// TRACE: 'u.body': pattern 'exact_float' does not apply: attribute 'fastmath' of 'arith.mulf' is #arith.fastmath<fast>, not #arith.fastmath<none>
// TRACE: 'u.body': pattern 'shift_inside' does not apply: a block of 'u.body' has fewer ops than the before shows
// COUNT: regions
// COUNT-NEXT: 1 if_true
// COUNT-DAG: 2 if_not
// COUNT-DAG: 2 no_trips
// COUNT-DAG: 1 one_trip
// QUERY: 2 matches
