// Elements in all their forms, wide numbers, distinct attributes and resources.
// RUN: cake-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect %s | cake-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: #distinct = distinct[0]<"x">
// CHECK-NEXT: #distinct1 = distinct[1]<>

// CHECK: a = dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]> : tensor<2xcomplex<f32>>, b = dense<(1,2)> : tensor<2xcomplex<i8>>
"t.op"() {a = dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>, b = dense<[(1, 2), (1, 2)]> : tensor<2xcomplex<i8>>} : () -> ()
// Lists of plain integers, and what breaks them: another base, a comment, a line; the bounds of each kind of type.
// CHECK: a = dense<[1, -128, 16, 4, 127, -1]> : tensor<6xi8>, b = dense<{{\[\[}}-8, 7], [-1, -8]]> : tensor<2x2xi4>, c = dense<[255, 0, 3]> : tensor<3xui8>
// CHECK-SAME: d = dense<[-9223372036854775808, 9223372036854775807, 1]> : tensor<3xindex>, e = dense<[false, true, true]> : tensor<3xi1>
"t.op"() {a = dense<[1, -128, 0x10, // a comment
  4, 127, 255]> : tensor<6xi8>, b = dense<[[-8, 7], [15, 8]]> : tensor<2x2xi4>, c = dense<[255, 0, 3]> : tensor<3xui8>,
  d = dense<[-9223372036854775808, 9223372036854775807, 1]> : tensor<3xindex>, e = dense<[0, 1, true]> : tensor<3xi1>} : () -> ()
// The bits of i1 elements are packed in hexadecimal.
// CHECK: h = dense<[true, false, true, true, false, false, false, false, true]> : tensor<9xi1>, s = dense<true> : tensor<16xi1>
"t.op"() {h = dense<"0x0D01"> : tensor<9xi1>, s = dense<"0xFF"> : tensor<16xi1>} : () -> ()
// CHECK: a = dense<["x", "y"]> : tensor<2x!t.string>, b = dense<"z"> : tensor<3x!t.string>, c = dense<> : tensor<0xi8>
"t.op"() {a = dense<["x", "y"]> : tensor<2x!t.string>, b = dense<"z"> : tensor<3x!t.string>, c = dense<> : tensor<0xi8>} : () -> ()
// CHECK: s = sparse<{{\[\[}}0, 0], [1, 2]], [1.000000e+00, 5.000000e+00]> : tensor<3x4xf32>, t = sparse<0, 7> : tensor<1xi16>, u = sparse<> : tensor<2xi8>
"t.op"() {s = sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<3x4xf32>, t = sparse<0, 7> : tensor<1xi16>, u = sparse<> : tensor<2xi8>} : () -> ()
// CHECK: a = -1 : i128, b = -5 : si72, c = 18446744073709551616 : ui65, d = 18446744073709551615 : i65, e = 0.100000000000000005551 : f80, f = 5.000000e-01 : f128
"t.op"() {a = 340282366920938463463374607431768211455 : i128, b = -5 : si72, c = 0x10000000000000000 : ui65, d = 18446744073709551615 : i65, e = 0.1 : f80, f = 0.5 : f128} : () -> ()
// CHECK: [#distinct, #distinct1, #distinct]
"t.op"() {a = [distinct[5]<"x">, distinct[7]<>, distinct[5]<"x">]} : () -> ()
// CHECK: r = dense_resource<kept> : tensor<1xi32>
"t.op"() {r = dense_resource<kept> : tensor<1xi32>} : () -> ()

// Of the resources, those that something refers to are printed.
// CHECK:      {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       kept: "0x08000000FA0000A0"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}
{-#
  dialect_resources: { builtin: { kept: "0x08000000fa0000A0", unused: "0x08000000" } },
  external_resources: { mlir_reproducer: { pipeline: "builtin.module()", verify_each: true } }
#-}
