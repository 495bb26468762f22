"t.int"() {a = 1, b = 255 : i8, c = -1 : i32, d = 0xFF : ui8, e = -9223372036854775808, f = 0x1F, g = 7 : index, h = [1 : i64, 2 : i32, true, 0 : i1]} : () -> ()

"t.float"() {a = 1.0, b = 0.1 : f32, c = 3.14159274 : f32, d = 1.23456789e20, e = 1234567.0 : f64, f = -0.0 : f32} : () -> ()
"t.float"() {a = 0x7F800000 : f32, b = 0xFF80 : bf16, c = 0x7E00 : f16, d = 0x7FF0000000000000 : f64, e = 0x3E00 : f16, f = 448.0 : f8E4M3FN, g = 0.1 : f16} : () -> ()

"t.string"() {a = "a\"b\\c\n\té", b = "", "c d" = "x", e = @sym, f = @a::@"b c"::@"d"} : () -> ()

"t.collection"() {a = [], b = {}, c = {z = [{}], y, x = 1}, d = #t.x, e = array<i32: 1, -2>, f = array<i1: true, false>, g = array<f32: 1.0>, h = array<i8>} : () -> ()

"t.dense"() {a = dense<[1, 2]> : tensor<2xi32>, b = dense<[5, 5, 5, 5]> : tensor<4xi8>, c = dense<1.5> : vector<2xf32>, d = dense<> : tensor<0xf32>, e = dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi64>, f = dense<true> : tensor<2xi1>, g = dense<"0x01000200"> : tensor<2xi16>, h = dense<0x7FC0> : tensor<bf16>} : () -> ()

"t.kept"() {a = affine_map<(d0)[s0] -> (d0 + s0, d0 floordiv 2)>, b = affine_set<(d0) : (d0 - 1 >= 0)>, c = dense<"a"> : tensor<1x!t.s>, d = dense_resource<blob> : tensor<4xf32>, e = sparse<0, 1> : tensor<1xi32>, f = distinct[0]<42 : i32>, g = "text" : i32, h = 5 : i128, i = #u.x<[1] -> "<">, j = #u<"+">} : () -> ()

{-# dialect_resources: { builtin: { blob: "0x04000000010000000200000003000000" } } #-}
