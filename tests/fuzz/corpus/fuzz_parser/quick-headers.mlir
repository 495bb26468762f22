// Headers of ops with regions are read without tokens when there is nothing unusual about them (ir/quick.h). However they are written, the same
// ops come out.
// RUN: cake-opt --allow-unregistered-dialect %s -o %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: cake-opt --allow-unregistered-dialect %t.1 | diff %t.1 -

// ---- Functions

// CHECK: func.func private @declared(i32, index) -> (i32, i32)
func.func private @declared(i32, index) -> (i32, i32)
// CHECK-NEXT: func.func private @none()
func.func private @none()
// CHECK-NEXT: func.func nested @noted(i32) attributes {t.note}
func.func nested @noted(i32) attributes {t.note}
// CHECK-NEXT: func.func private @"with a space"(i32) -> i32
func.func private @"with a space"(i32) -> i32
// CHECK-NEXT: func.func private @argument(i32 {t.note})
func.func private @argument(i32 {t.note})
// CHECK-NEXT: func.func private @later(i32) -> i32
func.func private @later(i32)
    -> i32
// CHECK-NEXT: func.func private @later_noted(i32) -> i32 attributes {t.note}
func.func private @later_noted(i32) -> i32
    attributes {t.note}
// CHECK-NEXT: func.func private @types(tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
func.func private @types(tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: func.func private @function() -> (() -> i32)
func.func private @function() -> (() -> i32)

// CHECK-LABEL: func.func @plain(%arg0: i32, %arg1: index) -> i32 {
func.func @plain(%a: i32, %name_of_more_than_eight_bytes: index) -> i32 {
  return %a : i32
}
// CHECK-LABEL: func.func public @results(%arg0: i32) -> (i32, i32) {
func.func public @results(%a: i32) -> (i32, i32) {
  return %a, %a : i32, i32
}
// CHECK-LABEL: func.func @nothing() {
func.func @nothing() -> () {
  return
}
// CHECK-LABEL: func.func @spaces(%arg0: i32, %arg1: i32) -> i32 {
func.func  @spaces ( %a : i32 ,%b:i32 )->i32{
  return %a : i32
}
// CHECK-LABEL: func.func @lines(%arg0: i32, %arg1: i32) -> i32 {
func.func @lines(%a: i32, // the first
                 %b: i32)
    -> i32 // what it returns
{
  return %b : i32
}
// CHECK-LABEL: func.func @attributes(%arg0: i32 {t.note}) -> (i32 {t.note}) attributes {t.note} {
func.func @attributes(%a: i32 {t.note}) -> (i32 {t.note}) attributes {t.note} {
  return %a : i32
}
// CHECK-LABEL: func.func @unnamed(%arg0: i32) {
func.func @unnamed(i32) {
^entry(%a: i32):
  return
}
// CHECK-LABEL: func.func @one_line(%arg0: i32) -> i32 {
func.func @one_line(%a: i32) -> i32 { return %a : i32 }
// CHECK-LABEL: func.func @many(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32, %arg12: i32, %arg13: i32, %arg14: i32, %arg15: i32, %arg16: i32) {
func.func @many(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32, %h: i32, %i: i32, %j: i32, %k: i32, %l: i32, %m: i32, %n: i32, %o: i32, %p: i32, %q: i32) {
  return
}
// CHECK-LABEL: module @inner {
module @inner {
  // CHECK-NEXT: func.func @inside() {
  func.func @inside() {
    return
  }
}

// ---- Loops

// CHECK-LABEL: func.func @loops
func.func @loops(%a: index, %b: index, %s: index, %x: i32, %f: f32) -> i32 {
  // CHECK: scf.for %arg5 = %arg0 to %arg1 step %arg2 {
  // CHECK-NEXT: "t.use"(%arg5) : (index) -> ()
  // CHECK-NEXT: }
  scf.for %i = %a to %b step %s {
    "t.use"(%i) : (index) -> ()
  }
  // CHECK-NEXT: scf.for unsigned %arg5 = %arg0 to %arg1 step %arg2 {
  // CHECK-NEXT: }
  scf.for unsigned %i = %a to %b step %s {
  }
  // CHECK-NEXT: scf.for %arg5 = %arg0 to %arg1 step %arg2 {
  // CHECK-NEXT: }
  scf.for %i = %a to %b step %s {}
  // CHECK-NEXT: scf.for %arg5 = %arg0 to %arg1 step %arg2 {
  // CHECK-NEXT: } {t.note}
  scf.for %i = %a to %b step %s {
    scf.yield
  } {t.note}
  // CHECK-NEXT: scf.for %arg5 = %arg0 to %arg1 step %arg2 {
  // CHECK-NEXT: } {t.note = 1 : i32, t.other}
  scf.for %i = %a to %b step %s {
    scf.yield
  }
  // a comment
    {t.note = 1 : i32, t.other}
  // CHECK-NEXT: scf.for %arg5 = %arg3 to %arg3 step %arg3  : i32 {
  // CHECK-NEXT: "t.use"(%arg5) : (i32) -> ()
  // CHECK-NEXT: }
  scf.for %i = %x to %x step %x : i32 {
    "t.use"(%i) : (i32) -> ()
  }
  // CHECK-NEXT: %0 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %arg3) -> (i32) {
  %0 = scf.for %i = %a to %b step %s iter_args(%y = %x) -> (i32) {
    // CHECK-NEXT: %4:2 = scf.for %arg7 = %arg0 to %arg5 step %arg2 iter_args(%arg8 = %arg6, %arg9 = %arg4) -> (i32, f32) {
    %1:2 = scf.for %j = %a to %i step %s iter_args(%z = %y, %w = %f) -> (i32, f32) {
      // CHECK-NEXT: scf.yield %arg8, %arg9 : i32, f32
      scf.yield %z, %w : i32, f32
    }
    // CHECK: %5 = arith.addi %4#0, %arg6 : i32
    %2 = arith.addi %1#0, %y : i32
    // CHECK-NEXT: scf.yield %5 : i32
    scf.yield %2 : i32
  }
  // CHECK: %1 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %0) -> (i32) {
  %3 = scf.for  %i  =  %a  to  %b  step  %s  iter_args ( %y  =  %0 )  ->  i32  {
    scf.yield %y : i32
  }
  // CHECK: %2 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %1) -> (i32) {
  %4 = scf.for %i = %a // a comment
      to %b step %s
      iter_args(%y = %3) -> (i32)
  {
    scf.yield %y : i32
  }
  // CHECK: %3 = scf.for %arg5 = %arg3 to %arg3 step %arg3 iter_args(%arg6 = %2) -> (i32) : i32 {
  %5 = scf.for %i = %x to %x step %x iter_args(%y = %4) -> (i32) : i32 {
    scf.yield %y : i32
  } loc("a loop")
  return %5 : i32
}

// ---- Branches

// CHECK-LABEL: func.func @branches
func.func @branches(%c: i1, %x: i32) -> i32 {
  // CHECK-NEXT: scf.if %arg0 {
  // CHECK-NEXT: "t.use"() : () -> ()
  // CHECK-NEXT: }
  scf.if %c {
    "t.use"() : () -> ()
  }
  // CHECK-NEXT: scf.if %arg0 {
  // CHECK-NEXT: } else {
  // CHECK-NEXT: "t.use"() : () -> ()
  // CHECK-NEXT: } {t.note}
  scf.if %c {
    scf.yield
  } else {
    "t.use"() : () -> ()
  } {t.note}
  // CHECK-NEXT: scf.if %arg0 {
  // CHECK-NEXT: } {t.note}
  scf.if %c {
  } {t.note}
  // CHECK-NEXT: scf.if %arg0 {
  // CHECK-NEXT: "t.use"() : () -> ()
  // CHECK-NEXT: } else {
  // CHECK-NEXT: "t.use"() : () -> ()
  // CHECK-NEXT: }
  scf.if %c {
    "t.use"() : () -> ()
  } // a comment
  else
  {
    "t.use"() : () -> ()
  }
  // CHECK-NEXT: %0 = scf.if %arg0 -> (i32) {
  // CHECK-NEXT: scf.yield %arg1 : i32
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.yield %arg1 : i32
  // CHECK-NEXT: }
  %0 = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  // CHECK-NEXT: %1:2 = scf.if %arg0 -> (i32, i32) {
  %1:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %0 : i32, i32
  }  else  {
    scf.yield %0, %x : i32, i32
  }
  // CHECK: %2:2 = scf.if %arg0 -> (i32, i32) {
  %2, %3 = scf.if %c -> (i32, i32) {
    scf.yield %1#0, %1#1 : i32, i32
  } else {
    // CHECK: scf.yield %1#1, %1#0 : i32, i32
    scf.yield %1#1, %1#0 : i32, i32
  }
  // CHECK: %3 = scf.if %arg0 -> (i32) {
  %4 = scf.if %c -> i32 { scf.yield %2 : i32 } else { scf.yield %3 : i32 }
  return %4 : i32
}

// ---- Loops that test before each round

// CHECK-LABEL: func.func @whiles
func.func @whiles(%c: i1, %x: i32, %f: f32) -> f32 {
  // CHECK-NEXT: %0 = scf.while (%arg3 = %arg1) : (i32) -> f32 {
  // CHECK-NEXT: "t.use"(%arg3) : (i32) -> ()
  // CHECK-NEXT: scf.condition(%arg0) %arg2 : f32
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^bb0(%arg3: f32):
  // CHECK-NEXT: scf.yield %arg1 : i32
  // CHECK-NEXT: }
  %0 = scf.while (%y = %x) : (i32) -> f32 {
    "t.use"(%y) : (i32) -> ()
    scf.condition(%c) %f : f32
  } do {
  ^bb0(%z: f32):
    scf.yield %x : i32
  }
  // CHECK-NEXT: scf.while : () -> () {
  // CHECK-NEXT: scf.condition(%arg0)
  // CHECK-NEXT: } do {
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  // CHECK-NEXT: %1:2 = scf.while (%arg3 = %arg1, %arg4 = %0) : (i32, f32) -> (i32, f32) {
  // CHECK: } do {
  // CHECK: } attributes {t.note}
  %1:2 = scf.while (%y = %x, %z = %0) : (i32, f32) -> (i32, f32) {
    scf.condition(%c) %y, %z : i32, f32
  } do {
  ^bb0(%y: i32, %z: f32):
    scf.yield %y, %z : i32, f32
  } attributes {t.note}
  // CHECK-NEXT: %2 = scf.while (%arg3 = %1#1) : (f32) -> f32 {
  // CHECK: } do {
  // CHECK: } attributes {t.note}
  %2 = scf.while (%y = %1#1) : (f32)
      -> f32 {
    scf.condition(%c) %y : f32
  }
  // a comment
  do {
  ^bb0(%y: f32):
    scf.yield %y : f32
  }
    attributes {t.note}
  // CHECK-NEXT: "t.after"() : () -> ()
  "t.after"() : () -> ()
  // CHECK-NEXT: scf.while : () -> () {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  // CHECK: cf.assert %arg0, "begins like a dictionary behind a word"
  cf.assert %c, "begins like a dictionary behind a word"
  return %2 : f32
}

// ---- Values that are not defined before

// CHECK-LABEL: func.func @forward
func.func @forward(%c: i1, %x: i32) {
  cf.br ^last
^first:
  // CHECK: ^bb1:
  // CHECK-NEXT: scf.for %arg2 = %0 to %0 step %0 {
  scf.for %i = %a to %a step %a {
    // CHECK-NEXT: scf.if %1 {
    scf.if %b {
      // CHECK-NEXT: %2 = scf.while (%arg3 = %arg1) : (i32) -> i32 {
      %r = scf.while (%y = %x) : (i32) -> i32 {
        scf.condition(%b) %y : i32
      } do {
      ^bb0(%y: i32):
        scf.yield %y : i32
      }
      // CHECK: "t.use"(%2, %arg2) : (i32, index) -> ()
      "t.use"(%r, %i) : (i32, index) -> ()
    }
  }
  return
^last:
  // CHECK: %0 = "t.made"() : () -> index
  %a = "t.made"() : () -> index
  %b = arith.cmpi eq, %a, %a : index
  cf.br ^first
}
