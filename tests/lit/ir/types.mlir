// Types: builtin ones, and those of dialects that are not registered.
// RUN: cake-opt --print-local-scope --print-op-generic --allow-unregistered-dialect %s -o %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: cake-opt --print-local-scope --print-op-generic --allow-unregistered-dialect %t.1 | diff %t.1 -

// CHECK: scalars = [i1, i17, si8, ui16777215, index, none, f16, bf16, f32, f64, tf32, f8E4M3FN, f8E5M2, f6E2M3FN, f4E2M1FN, f80, f128]
"t.types"() {scalars = [i1, i17, si8, ui16777215, index, none, f16, bf16, f32, f64, tf32, f8E4M3FN, f8E5M2, f6E2M3FN, f4E2M1FN, f80, f128]} : () -> ()
// CHECK: vectors = [vector<4xf32>, vector<2x3xi8>, vector<[4]x2xindex>, vector<f32>]
"t.types"() {vectors = [vector<4xf32>, vector<2x3xi8>, vector<[4]x2xindex>, vector<f32>]} : () -> ()
// Where a size ends and a name begins: hexadecimal digits are none here.
// CHECK: tensors = [tensor<f32>, tensor<?x4xf32>, tensor<*xf32>, tensor<0x4xi32>, tensor<2xvector<4xf32>>, tensor<4xf32, "row">, tensor<1xbf16, #t.enc<[1, 2]>>]
"t.types"() {tensors = [tensor<f32>, tensor<? x 4 x f32>, tensor<*xf32>, tensor<0x4xi32>, tensor<2xvector<4xf32>>, tensor<4xf32, "row">, tensor<1xbf16, #t.enc<[1, 2]>>]} : () -> ()
// CHECK: memrefs = [memref<4x?xf32>, memref<*xf32, 3>, memref<4xf32, strided<[2], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1 : i32>]
"t.types"() {memrefs = [memref<4x?xf32>, memref<*xf32, 3>, memref<4xf32, strided<[2], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1 : i32>]} : () -> ()
// CHECK: others = [tuple<>, tuple<i32, tuple<f32>>, complex<f32>, () -> (), (i32, f32) -> (i1, i1), (i32) -> ((f32) -> i1), () -> i32]
"t.types"() {others = [tuple<>, tuple<i32, tuple<f32>>, complex<f32>, () -> (), (i32, f32) -> (i1, i1), (i32) -> ((f32) -> i1), () -> (i32)]} : () -> ()
// Kept as they are written; brackets balance, arrows are none.
// CHECK: opaque = [!u.t, !u.t<4x?xi32>, !u.a.b<(i32) -> {x = "}>"}, [1]>, !u<"+">]
"t.types"() {opaque = [!u.t, !u.t<4x?xi32>, !u.a.b<(i32) -> {x = "}>"}, [1]>, !u<"+">]} : () -> ()
