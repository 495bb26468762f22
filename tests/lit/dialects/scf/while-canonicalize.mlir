// What a while carries for nothing, and regions of one block.
// RUN: cake-opt --allow-unregistered-dialect --canonicalize --check-passes %s | FileCheck %s

// CHECK-LABEL: func.func @results
// CHECK-NEXT: %0 = scf.while (%[[X:.*]] = %arg1) : (i32) -> i32 {
// CHECK-NEXT:   %[[T:.*]] = "t.z"(%[[X]])
// CHECK-NEXT:   scf.condition(%arg0) %[[T]] : i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[U:.*]]: i32):
// CHECK-NEXT:   scf.yield %[[U]] : i32
// CHECK:      return %0
func.func @results(%c: i1, %a: i32) -> i32 {
  %r:2 = scf.while (%x = %a) : (i32) -> (i32, i32) {
    %t = "t.z"(%x) : (i32) -> i32
    scf.condition(%c) %t, %x : i32, i32
  } do {
  ^bb0(%u: i32, %v: i32):
    scf.yield %u : i32
  }
  return %r#0 : i32
}

// CHECK-LABEL: func.func @arguments
// CHECK-NEXT: scf.while (%[[X:.*]] = %arg1) : (i32) -> () {
// CHECK-NEXT:   %[[C:.*]] = "t.test"(%[[X]])
// CHECK-NEXT:   scf.condition(%[[C]])
// CHECK-NEXT: } do {
// CHECK-NEXT:   %[[N:.*]] = "t.next"
// CHECK-NEXT:   scf.yield %[[N]] : i32
// CHECK-NEXT: } attributes {kept}
func.func @arguments(%a: f32, %b: i32) {
  %r = scf.while (%p = %a, %x = %b) : (f32, i32) -> i32 {
    %c = "t.test"(%x) : (i32) -> i1
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    %n = "t.next"() : () -> i32
    scf.yield %a, %n : f32, i32
  } attributes {kept}
  return
}

// CHECK-LABEL: func.func @one_block
// CHECK-NEXT: %[[X:.*]] = "t.x"
// CHECK-NEXT: return %[[X]]
func.func @one_block(%a: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %x = "t.x"(%a) : (i32) -> i32
    scf.yield %x : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @not_inlined
// CHECK: scf.execute_region
// CHECK: scf.execute_region
func.func @not_inlined(%c: i1, %d: i1) {
  scf.execute_region no_inline {
    "t.x"() : () -> ()
    scf.yield
  }
  scf.if %c {
    scf.execute_region {
      cf.cond_br %d, ^a, ^b
    ^a:
      "t.a"() : () -> ()
      scf.yield
    ^b:
      scf.yield
    }
    scf.yield
  }
  return
}

// A region that ends otherwise stays.
// CHECK-LABEL: func.func @ends_otherwise
// CHECK: scf.execute_region
// CHECK-NEXT: "t.stop"
func.func @ends_otherwise() {
  scf.execute_region {
    "t.stop"() : () -> ()
  }
  return
}
