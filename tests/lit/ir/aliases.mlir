// Aliases stand for types and attributes; printing writes them out.
// RUN: cake-opt --print-op-generic --allow-unregistered-dialect %s | FileCheck %s

!pair = tuple<i32, f32>
!nested = tuple<!pair, !pair>
#one = 1 : i32
#list = [#one, #one]
// CHECK: "t.use"() {a = [1 : i32, 1 : i32], b = tuple<tuple<i32, f32>, tuple<i32, f32>>} : () -> tuple<i32, f32>
%0 = "t.use"() {a = #list, b = !nested} : () -> !pair
