// In graph regions, what an op uses comes first; what is in order, and what uses one another, keeps its order.
// RUN: cake-opt --allow-unregistered-dialect --topological-sort --check-passes %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --topological-sort %s | cake-opt --allow-unregistered-dialect --topological-sort --pass-statistics -o /dev/null - 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: ops moved

// CHECK:      module @behind {
// CHECK-NEXT: "t.b"
// CHECK-NEXT: %[[D:.*]] = "t.d"
// CHECK-NEXT: %[[C:.*]] = "t.c"(%[[D]])
// CHECK-NEXT: %[[A:.*]] = "t.a"(%[[C]])
module @behind {
  %a = "t.a"(%c) : (i32) -> i32
  "t.b"() : () -> ()
  %c = "t.c"(%d) : (i32) -> i32
  %d = "t.d"() : () -> i32
}

// Uses inside of an op count, but those of the op itself do not.
// CHECK:      module @inside {
// CHECK-NEXT: "t.inner"
// CHECK-NEXT: "t.own"
// CHECK-NEXT: "t.around"
module @inside {
  "t.around"() ({
    "t.use"(%inner) : (i32) -> ()
  }) : () -> ()
  %inner = "t.inner"() : () -> i32
  %own = "t.own"(%own) : (i32) -> i32
}

// Of a circle the first op stays in front.
// CHECK:      module @circle {
// CHECK-NEXT: "t.last"
// CHECK-NEXT: "t.x"
// CHECK-NEXT: "t.y"
// CHECK-NEXT: "t.z"
module @circle {
  %x = "t.x"(%z) : (i32) -> i32
  %y = "t.y"(%x, %w) : (i32, i32) -> i32
  %z = "t.z"(%y) : (i32) -> i32
  %w = "t.last"() : () -> i32
}

// Regions with an order of their own stay.
// CHECK-LABEL: func.func @f
// CHECK-NEXT: "t.two"
// CHECK-NEXT: "t.one"
func.func @f() {
  "t.two"() : () -> ()
  "t.one"() : () -> ()
  return
}
