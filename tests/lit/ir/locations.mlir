// Locations: all forms, aliases before and behind their use, and files' positions by default.
// RUN: cake-opt --print-local-scope --print-op-generic --print-debuginfo --allow-unregistered-dialect %s -o %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: cake-opt --print-local-scope --print-op-generic --print-debuginfo --allow-unregistered-dialect %t.1 | diff %t.1 -

#before = loc("before.py":7:8)
// CHECK: "t.a"() : () -> () loc("f.py":1:2)
"t.a"() : () -> () loc("f.py":1:2)
// CHECK: "t.b"() : () -> () loc("name")
"t.b"() : () -> () loc("name")
// CHECK: "t.c"() : () -> () loc("name"("f.py":3:4))
"t.c"() : () -> () loc("name"("f.py":3:4))
// CHECK: "t.d"() : () -> () loc(callsite("callee" at "f.py":5:6))
"t.d"() : () -> () loc(callsite("callee" at "f.py":5:6))
// Those that are fused in the same way are single ones.
// CHECK: "t.d2"() : () -> () loc(fused<"m">["a", "b", fused["c", "d"]])
"t.d2"() : () -> () loc(fused<"m">[fused<"m">["a", "b"], fused["c", fused["d"]], "a"])
// What is unknown says nothing.
// CHECK: "t.e"() : () -> () loc(fused<"why">["a"])
"t.e"() : () -> () loc(fused<"why">["a", unknown])
// CHECK: "t.f"() : () -> () loc(unknown)
"t.f"() : () -> () loc(unknown)
// CHECK: "t.g"() : () -> () loc("before.py":7:8)
"t.g"() : () -> () loc(#before)
// CHECK: "t.h"() : () -> () loc("later"("before.py":7:8))
"t.h"() : () -> () loc(#later)
// An attribute, and an argument.
// CHECK: "t.i"() ({
// CHECK-NEXT: ^bb0(%{{.*}}: i32 loc("arg")):
// CHECK: {at = loc("x":1:2)}
"t.i"() ({
^bb0(%a: i32 loc("arg")):
  "t.end"() : () -> ()
}) {at = loc("x":1:2)} : () -> ()
// Its place in this file.
// CHECK: "t.j"() : () -> () loc("{{.*}}locations.mlir":[[# @LINE + 1]]:3)
  "t.j"() : () -> ()
#later = loc("later"(#before))
