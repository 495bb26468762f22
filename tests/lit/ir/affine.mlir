// Affine maps and sets are read, simplified and printed as MLIR does it; an identity is no layout.
// RUN: cake-opt --print-local-scope --allow-unregistered-dialect %s | FileCheck %s
// RUN: cake-opt --print-local-scope --allow-unregistered-dialect %s | cake-opt --print-local-scope --allow-unregistered-dialect | FileCheck %s

// CHECK: a = affine_map<(d0, d1) -> (d0 + d1 + 4)>
"t.op"() {a = affine_map<(i, j) -> ((i + 4) + j)>} : () -> ()
// CHECK: a = affine_map<(d0)[s0] -> (d0 + s0, d0 * 6, d0 * -3 + s0)>
"t.op"() {a = affine_map<(i)[s] -> (s + i, (i * 2) * 3, s - 3 * i)>} : () -> ()
// CHECK: a = affine_map<(d0, d1) -> (-d0, d0 - d1, d0 - d1 * 2, d0 - (d0 + d1), d0 - 5)>
"t.op"() {a = affine_map<(i, j) -> (-i, i - j, i - 2 * j, i - (i + j), i - 5)>} : () -> ()
// CHECK: a = affine_map<(d0, d1) -> (d0 * 2, d0 floordiv 3, d1 ceildiv 2, 0, d0 mod 4)>
"t.op"() {a = affine_map<(i, j) -> ((i * 8) floordiv 4, i floordiv 3, j ceildiv 2, (i * 128) mod 64, (i mod 8) mod 4)>} : () -> ()
// CHECK: a = affine_map<(d0) -> (d0 mod 8, (d0 floordiv 8) * 8, -2, -1, 3)>
"t.op"() {a = affine_map<(i) -> (i - (i floordiv 8) * 8, (i floordiv 8) * 8, (-3) floordiv 2, (-3) ceildiv 2, (-5) mod 8)>} : () -> ()
// CHECK: a = affine_map<()[s0, s1] -> (s0 * s1, s0 floordiv s1)>
"t.op"() {a = affine_map<()[a, b] -> (a * b, a floordiv b)>} : () -> ()
// CHECK: a = affine_map<(d0)[s0] -> (s0 mod 3)>
// CHECK-SAME: b = affine_map<() -> ()>
"t.op"() {a = affine_map<(mod)[floordiv] -> (floordiv mod 3 + 0 * mod)>, b = affine_map<() -> ()>} : () -> ()
// CHECK: s = affine_set<(d0)[s0] : (d0 - 1 >= 0, -d0 + s0 >= 0, d0 - 4 == 0)>
"t.op"() {s = affine_set<(i)[n] : (i >= 1, i <= n, i == 4)>} : () -> ()
// CHECK: s = affine_set<(d0) : (0 == 0)>
"t.op"() {s = affine_set<(i) : ()>} : () -> ()
// CHECK: (memref<4x4xf32>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1>, memref<?xf32, strided<[?], offset: 3>>, memref<*xf32, 2>) -> ()
"t.op"() : () -> ((memref<4x4xf32, affine_map<(i, j) -> (i, j)>, 0>, memref<4x4xf32, affine_map<(i, j) -> (j, i)>, 1>, memref<?xf32, strided<[?], offset: 3>>, memref<*xf32, 2>) -> ())
// Two dimensions, or two symbols, that are added or multiplied stand in their order.
// CHECK: a = affine_map<(d0, d1, d2)[s0, s1] -> (d1 + d2, d1 + d2 + 5, d0 + d2 + d1 + 7, s0 + s1, s0 * s1, d2 * 5 + d1)>
"t.op"() {a = affine_map<(i, j, k)[n, m] -> (k + 5 + j - 5, k + 5 + j, k + 7 + i + j, m + n, m * n, k * 5 + j)>} : () -> ()
