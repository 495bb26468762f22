// Attributes: literals, collections, and what is only carried.
// RUN: cake-opt --print-local-scope --print-op-generic --allow-unregistered-dialect %s -o %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: cake-opt --print-local-scope --print-op-generic --allow-unregistered-dialect %t.1 | diff %t.1 -

// Integers: i64 unless said otherwise; the types i64 and f64 are left out in arrays only.
// CHECK: "t.int"() {a = 1 : i64, b = -1 : i8, c = -1 : i32, d = 255 : ui8, e = -9223372036854775808 : i64, f = 31 : i64, g = 7 : index, h = [1, 2 : i32, true, false]}
"t.int"() {a = 1, b = 255 : i8, c = -1 : i32, d = 0xFF : ui8, e = -9223372036854775808, f = 0x1F, g = 7 : index, h = [1 : i64, 2 : i32, true, 0 : i1]} : () -> ()

// Floats: six digits when that reads back the same, else as many as the type needs, else hexadecimal.
// CHECK: "t.float"() {a = 1.000000e+00 : f64, b = 1.000000e-01 : f32, c = 3.14159274 : f32, d = 1.23456789E+20 : f64, e = 0x4132D68700000000 : f64, f = -0.000000e+00 : f32}
"t.float"() {a = 1.0, b = 0.1 : f32, c = 3.14159274 : f32, d = 1.23456789e20, e = 1234567.0 : f64, f = -0.0 : f32} : () -> ()
// CHECK: "t.float"() {a = 0x7F800000 : f32, b = 0xFF80 : bf16, c = 0x7E00 : f16, d = 0x7FF0000000000000 : f64, e = 1.500000e+00 : f16, f = 4.480000e+02 : f8E4M3FN, g = 9.997550e-02 : f16}
"t.float"() {a = 0x7F800000 : f32, b = 0xFF80 : bf16, c = 0x7E00 : f16, d = 0x7FF0000000000000 : f64, e = 0x3E00 : f16, f = 448.0 : f8E4M3FN, g = 0.1 : f16} : () -> ()

// Strings: printable ASCII as it is, anything else by two digits.
// CHECK: "t.string"() {a = "a\22b\\c\0A\09\C3\A9", b = "", "c d" = "x", e = @sym, f = @a::@"b c"::@d}
"t.string"() {a = "a\"b\\c\n\té", b = "", "c d" = "x", e = @sym, f = @a::@"b c"::@"d"} : () -> ()

// CHECK: "t.collection"() {a = [], b = {}, c = {x = 1 : i64, y, z = [{}]}, d = #t.x
// CHECK-SAME: e = array<i32: 1, -2>, f = array<i1: true, false>, g = array<f32: 1.000000e+00>, h = array<i8>
"t.collection"() {a = [], b = {}, c = {z = [{}], y, x = 1}, d = #t.x, e = array<i32: 1, -2>, f = array<i1: true, false>, g = array<f32: 1.0>, h = array<i8>} : () -> ()

// Arrays of any numbers of whole bytes.
// CHECK: "t.arrays"() {a = array<f8E3M4>, b = array<f16: 1.000000e+00>, c = array<si32: -1>, d = array<ui8: 255, 7>, e = array<i24: 255, -7>
// CHECK-SAME: f = array<i128>, g = array<f8E5M2: 1.000000e+00, 0x7F>, h = array<bf16: 6.428480e-40, 0x7FC1>}
"t.arrays"() {a = array<f8E3M4>, b = array<f16: 1.0>, c = array<si32: -1>, d = array<ui8: 255, 7>, e = array<i24: 255, -7>, f = array<i128>, g = array<f8E5M2: 1.0, 0x7F>, h = array<bf16: 0x7, 0x7FC1>} : () -> ()

// Elements are rounded as single numbers are: NaN where there is no infinity, no negative zero where its bits are a NaN, powers of two.
// CHECK: "t.rounded"() {a = dense<[0x80, 0.000000e+00, 2.400000e+02]> : tensor<3xf8E4M3FNUZ>, b = 0x80 : f8E4M3FNUZ, c = 0.000000e+00 : f8E4M3FNUZ
// CHECK-SAME: d = dense<[4.000000e+00, 1.250000e-01, 2.000000e+00, 5.877470e-39, 0xFF]> : tensor<5xf8E8M0FNU>, e = 4.000000e+00 : f8E8M0FNU, f = 0xFF : f8E8M0FNU, g = 5.877470e-39 : f8E8M0FNU
// CHECK-SAME: h = dense<[0x7F, 4.480000e+02]> : tensor<2xf8E4M3FN>, i = dense<6.000000e+00> : tensor<2xf4E2M1FN>}
"t.rounded"() {a = dense<[1000.0, -0.00001, 244.0]> : tensor<3xf8E4M3FNUZ>, b = 1000.0 : f8E4M3FNUZ, c = -0.00001 : f8E4M3FNUZ, d = dense<[3.0, 0.1, 1.5, 0.0, 1.0e39]> : tensor<5xf8E8M0FNU>, e = 3.0 : f8E8M0FNU, f = 1.0e39 : f8E8M0FNU, g = 0.0 : f8E8M0FNU, h = dense<[465.0, 464.0]> : tensor<2xf8E4M3FN>, i = dense<[6.0, 7.0]> : tensor<2xf4E2M1FN>} : () -> ()

// Types behind strings and attributes of unknown dialects are carried; `none` is what is there without one.
// CHECK: "t.typed"() {a = "x" : i32, b = "y", c = #u<"x"> : i32, d = #u.x : f32, e = #u.x<1> : !u.t, f = #u.x, g = ["a" : i32, #u.x : f32]}
!carried = i32
"t.typed"() {a = "x" : !carried, b = "y" : none, c = #u<"x"> : !carried, d = #u.x : f32, e = #u.x<1> : !u.t, f = #u.x : none, g = ["a" : i32, #u.x : f32]} : () -> ()

// CHECK: "t.wide"() {a = dense<1> : tensor<2xi128>, b = dense<[1, 2]> : tensor<2xi128>, c = sparse<0, 1> : tensor<1xi128>}
!wide = tensor<2xi128>
!one = tensor<1xi128>
"t.wide"() {a = dense<1> : !wide, b = dense<[1, 2]> : !wide, c = sparse<0, 1> : !one} : () -> ()

// CHECK: "t.strings"() {a = dense<"a"> : tensor<2x!t.s>, b = dense<["a", "b"]> : tensor<2x!t.s>}
"t.strings"() {a = dense<["a", "a"]> : tensor<2x!t.s>, b = dense<["a", "b"]> : tensor<2x!t.s>} : () -> ()

// CHECK: "t.dense"() {a = dense<[1, 2]> : tensor<2xi32>, b = dense<5> : tensor<4xi8>, c = dense<1.500000e+00> : vector<2xf32>, d = dense<> : tensor<0xf32>
// CHECK-SAME: e = dense<{{\[\[\[}}1], [2]], {{\[\[}}3], [4]]]> : tensor<2x2x1xi64>, f = dense<true> : tensor<2xi1>, g = dense<[1, 2]> : tensor<2xi16>, h = dense<0x7FC0> : tensor<bf16>
"t.dense"() {a = dense<[1, 2]> : tensor<2xi32>, b = dense<[5, 5, 5, 5]> : tensor<4xi8>, c = dense<1.5> : vector<2xf32>, d = dense<> : tensor<0xf32>, e = dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi64>, f = dense<true> : tensor<2xi1>, g = dense<"0x01000200"> : tensor<2xi16>, h = dense<0x7FC0> : tensor<bf16>} : () -> ()

// What Cake only carries.
// CHECK: "t.kept"() {a = affine_map<(d0)[s0] -> (d0 + s0, d0 floordiv 2)>, b = affine_set<(d0) : (d0 - 1 >= 0)>, c = dense<"a"> : tensor<1x!t.s>
// CHECK-SAME: d = dense_resource<blob> : tensor<4xf32>, e = sparse<0, 1> : tensor<1xi32>, f = distinct[0]<42 : i32>, g = "text" : i32, h = 5 : i128, i = #u.x<[1] -> "<">, j = #u<"+">
"t.kept"() {a = affine_map<(d0)[s0] -> (d0 + s0, d0 floordiv 2)>, b = affine_set<(d0) : (d0 - 1 >= 0)>, c = dense<"a"> : tensor<1x!t.s>, d = dense_resource<blob> : tensor<4xf32>, e = sparse<0, 1> : tensor<1xi32>, f = distinct[0]<42 : i32>, g = "text" : i32, h = 5 : i128, i = #u.x<[1] -> "<">, j = #u<"+">} : () -> ()

{-# dialect_resources: { builtin: { blob: "0x04000000010000000200000003000000" } } #-}
