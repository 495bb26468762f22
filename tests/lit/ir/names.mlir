// SSA names: uses before the definition, scopes, and names that are kept.
// RUN: cake-opt --print-op-generic --allow-unregistered-dialect %s | FileCheck %s
// RUN: cake-opt --keep-names --allow-unregistered-dialect %s | FileCheck %s --check-prefix=KEEP

// A use before the definition, in a graph region and over blocks.
// CHECK: "t.use"([[LATE:%[0-9]+]]#1, [[LATE]]#0) : (f32, i32) -> ()
// CHECK: [[LATE]]:2 = "t.def"() : () -> (i32, f32)
// KEEP: "t.use"(%late#1, %late#0)
// KEEP: %late:2 = "t.def"()
"t.use"(%late#1, %late#0) : (f32, i32) -> ()
%late:2 = "t.def"() : () -> (i32, f32)

// Siblings use one name for different things.
// CHECK-COUNT-2: "t.value"() : () -> i32
// KEEP-COUNT-2: %same = "t.value"
"t.region"() ({
  %same = "t.value"() : () -> i32
  "t.end"(%same) : (i32) -> ()
}, {
  %same = "t.value"() : () -> i32
  "t.end"(%same) : (i32) -> ()
}) : () -> ()

// An isolated region may define a name of its surroundings anew.
%outer = "t.value"() : () -> f32
// CHECK: "func.func"
// CHECK-NEXT: ^bb0([[ARG:%arg[0-9]+]]: i32):
// CHECK-NEXT: "func.return"([[ARG]]) : (i32) -> ()
// KEEP: func.func @isolated(%outer_0: i32) -> i32 {
func.func @isolated(%outer: i32) -> i32 {
  return %outer : i32
}

// Results with a name each keep them; a pack has one.
// KEEP: %first, %second = "t.pair"()
// KEEP: "t.use"(%second) : (i32) -> ()
%first, %second = "t.pair"() : () -> (i32, i32)
"t.use"(%second) : (i32) -> ()

// Characters that names may have.
// KEEP: %a.b-c$d_1 = "t.value"
%a.b-c$d_1 = "t.value"() : () -> i32
