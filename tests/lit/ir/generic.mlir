// The generic form: everything that an operation may have, and the printed text is a fixed point.
// RUN: cake-opt --print-op-generic --allow-unregistered-dialect %s -o %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: cake-opt --print-op-generic --allow-unregistered-dialect %t.1 -o %t.2
// RUN: diff %t.1 %t.2

// CHECK: "builtin.module"() <{sym_name = "top"}> ({
module @top attributes {t.note = "x"} {
  // Results, packs of results, and uses of both.
  // CHECK: [[PACK:%[0-9]+]]:2 = "t.pair"() : () -> (i32, f32)
  // CHECK: [[ONE:%[0-9]+]] = "t.one"([[PACK]]#1, [[PACK]]#0) : (f32, i32) -> i32
  %pair:2 = "t.pair"() : () -> (i32, f32)
  %one = "t.one"(%pair#1, %pair) : (f32, i32) -> i32
  // One name a result is read, too.
  // CHECK: [[LIST:%[0-9]+]]:3 = "t.three"() : () -> (i1, i2, i3)
  // CHECK: "t.use"([[LIST]]#0, [[LIST]]#1, [[LIST]]#2) : (i1, i2, i3) -> ()
  %a, %b:2 = "t.three"() : () -> (i1, i2, i3)
  "t.use"(%a, %b#0, %b#1) : (i1, i2, i3) -> ()

  // Properties are sorted by name; attributes are a dictionary of their own.
  // CHECK: "t.props"() <{aa = 2 : i64, zz = 1 : i32}> {mm} : () -> ()
  "t.props"() <{zz = 1 : i32, aa = 2}> {mm = unit} : () -> ()

  // Names of operations are strings: escapes are read.
  // CHECK: "t.one"() : () -> ()
  "t.\6Fne"() : () -> ()

  // A result that is a function type stands in parentheses.
  // CHECK: "t.fn"() : () -> ((i32) -> f32)
  %f = "t.fn"() : () -> ((i32) -> f32)

  // Regions: empty, with an implicit and with labelled blocks, predecessors as comments.
  // CHECK:      "t.regions"() ({
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   "t.inside"() : () -> ()
  // CHECK-NEXT: }, {
  // CHECK-NEXT: ^bb0([[ARG:%arg[0-9]+]]: i32, {{%arg[0-9]+}}: f32):
  // CHECK-NEXT:   "t.br"([[ARG]])[^bb2] : (i32) -> ()
  // CHECK-NEXT: ^bb1:  // pred: ^bb2
  // CHECK-NEXT:   "t.end"() : () -> ()
  // CHECK-NEXT: ^bb2:  // 2 preds: ^bb0, ^bb2
  // CHECK-NEXT:   "t.br"()[^bb1, ^bb2] <{p}> : () -> ()
  // CHECK-NEXT: ^bb3:  // no predecessors
  // CHECK-NEXT:   "t.end"() : () -> ()
  // CHECK-NEXT: }) {after} : () -> ()
  "t.regions"() ({
  }, {
    "t.inside"() : () -> ()
  }, {
  ^entry(%x: i32, %y: f32):
    "t.br"(%x)[^loop] : (i32) -> ()
  ^exit:
    "t.end"() : () -> ()
  ^loop:
    "t.br"()[^exit, ^loop] <{p}> : () -> ()
  ^dead:
    "t.end"() : () -> ()
  }) {after} : () -> ()
}
