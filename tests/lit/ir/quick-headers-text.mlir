// Headers of ops of a dialect in text are read without tokens (ir/quick.h) by what their assembly formats say.
// RUN: cake-opt --load-dialect=%S/Inputs/nest.dialect --allow-unregistered-dialect --split-input-file --verify-diagnostics %s -o %t.1
// RUN: FileCheck %s --input-file=%t.1

// CHECK-LABEL: func.func @each
func.func @each(%a: index, %x: i32, %f: f32) {
  // CHECK-NEXT: nest.each (%arg3, %arg4) from %arg0 {
  // CHECK-NEXT: "t.use"(%arg3, %arg4) : (index, index) -> ()
  // CHECK-NEXT: }
  nest.each (%i, %j) from %a {
    "t.use"(%i, %j) : (index, index) -> ()
  }
  // CHECK-NEXT: nest.each (%arg3) from %arg0 iter(%arg4 = %arg1, %arg5 = %arg2) {
  // CHECK-NEXT: "t.use"(%arg3, %arg4, %arg5) : (index, i32, f32) -> ()
  // CHECK-NEXT: } {t.note}
  nest.each (%i) from %a iter(%y = %x, %z = %f) {
    "t.use"(%i, %y, %z) : (index, i32, f32) -> ()
  } {t.note}
  // CHECK-NEXT: nest.each () from %arg0 {
  // CHECK-NEXT: nest.each (%arg3) from %arg0 iter(%arg4 = %arg0) {
  // CHECK-NEXT: "t.use"(%arg4) : (index) -> ()
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  nest.each () from %a {
    nest.each (%i) // a comment
      from %a
      iter ( %k  =  %a )
    {
      "t.use"(%k) : (index) -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @choose
func.func @choose(%c: i1) -> i32 {
  // CHECK-NEXT: %0 = nest.choose %arg0 : i32 {
  // CHECK-NEXT: "t.one"() : () -> ()
  // CHECK-NEXT: } or {
  // CHECK-NEXT: "t.two"() : () -> ()
  // CHECK-NEXT: } never {
  // CHECK-NEXT: "t.three"() : () -> ()
  // CHECK-NEXT: }
  %0 = nest.choose %c : i32 {
    "t.one"() : () -> ()
  } or {
    "t.two"() : () -> ()
  } never {
    "t.three"() : () -> ()
  }
  // CHECK-NEXT: %1 = nest.choose %arg0 : i32 {
  // CHECK: } or {
  // CHECK: } never {
  // CHECK: } attributes {t.note}
  %1 = nest.choose %c : i32 {
    "t.one"() : () -> ()
  }
  or // a comment
  {
    "t.two"(%0) : (i32) -> ()
  }  never{
    "t.three"(%0) : (i32) -> ()
  } attributes {t.note}
  // CHECK: nest.choose
  // CHECK: nest.maybe %arg0 {
  // CHECK-NEXT: "t.one"() : () -> ()
  // CHECK-NEXT: } else {
  // CHECK-NEXT: nest.maybe %arg0 named "inner" {
  // CHECK-NEXT: "t.two"() : () -> ()
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  %2 = nest.choose %c : i32 {
    "t.one"() : () -> ()
  } or {
    "t.two"() : () -> ()
  } never {
    nest.maybe %c {
      "t.one"() : () -> ()
    } else {
      nest.maybe %c named "inner" {
        "t.two"() : () -> ()
      }
    }
  }
  return %1 : i32
}

// -----

func.func @before(%a: index, %c: i1) {
  %0 = nest.choose %c : i32 {} or {} never {}
  nest.each (%i) from %a iter(%k = %a) {}
  return
}
func.func @f(%c: i1) {
  %0 = nest.choose %c : i32 {
    "t.one"() : () -> ()
  // expected-error @+1 {{expected 'or'}}
  } never {
    "t.three"() : () -> ()
  }
  return
}

// -----

func.func @before(%a: index, %c: i1) {
  %0 = nest.choose %c : i32 {} or {} never {}
  nest.each (%i) from %a iter(%k = %a) {}
  return
}
func.func @f(%c: i1) {
  %0 = nest.choose %c : i32 {
    "t.one"() : () -> ()
  } or {
    // expected-error @+1 {{expected SSA operand}}
    "t.two"(3) : () -> ()
  } never {
    "t.three"() : () -> ()
  }
  return
}

// -----

func.func @before(%a: index, %c: i1) {
  %0 = nest.choose %c : i32 {} or {} never {}
  nest.each (%i) from %a iter(%k = %a) {}
  return
}
func.func @f(%a: index, %x: i32) {
  // expected-note @+1 {{previously defined here}}
  nest.each (%i) from %a {
    // expected-error @+1 {{redefinition of SSA value '%i'}}
    %i = arith.addi %a, %a : index
  }
  return
}

// -----

func.func @before(%a: index, %c: i1) {
  %0 = nest.choose %c : i32 {} or {} never {}
  nest.each (%i) from %a iter(%k = %a) {}
  return
}
func.func @f(%a: index) {
  // expected-error @+1 {{use of undeclared SSA value name '%y': it must be defined before}}
  nest.each (%i) from %a iter(%x = %y) {
    "t.use"(%x) : (index) -> ()
  }
  return
}
