// Bytecode: what text says, with locations, names and resources; read wherever text is read.
// RUN: cake-opt --allow-unregistered-dialect %s --emit-bytecode -o %t.bc
// RUN: cake-opt --allow-unregistered-dialect %t.bc --print-debuginfo --keep-names -o %t.read
// RUN: cake-opt --allow-unregistered-dialect %s --print-debuginfo --keep-names | diff - %t.read
// RUN: FileCheck %s < %t.read
// RUN: cake-opt --allow-unregistered-dialect %t.bc --emit-bytecode | cmp - %t.bc
// RUN: not cake-opt %t.bc 2>&1 | FileCheck %s --check-prefix=UNREGISTERED
// UNREGISTERED: <text>:1:{{[0-9]+}}: error: dialect 't' of the type is not registered [UNREGISTERED]
// UNREGISTERED: bytecode.mlir.tmp.bc:0:0: error: bytecode: the text of an attribute cannot be read at byte {{[0-9]+}} of {{[0-9]+}} [PARSE_BYTECODE]

// Values that are used in front of their definition, and blocks that branch back.
// CHECK-LABEL: func.func @blocks(
// CHECK: cf.cond_br
func.func @blocks(%a: i32, %c: i1) -> i32 {
  cf.br ^loop(%a : i32)
^loop(%x: i32):
  %y = arith.addi %x, %a : i32 loc("named"("file.mlir":7:3))
  cf.cond_br %c, ^loop(%y : i32), ^end
^end:
  return %y : i32 loc(callsite("callee" at fused<"why">["a", "b":1:2]))
}

"t.graph"() ({
  // CHECK: "t.use"(%{{.*}}#1)
  "t.use"(%two#1) : (i64) -> ()
  %two:2 = "t.two"() {loc = loc("inside"), nested = [{k = 1 : i8}, @a::@b, f32, unit]} : () -> (f32, i64)
}) : () -> ()

// CHECK: "t.attributes"() <{inherent = 1 : i32}>
"t.attributes"() <{inherent = 1 : i32}> {
  a = dense<[1.5, 2.5]> : tensor<2xf32>, b = dense<true> : tensor<4xi1>, c = dense<(1.0, 2.0)> : tensor<complex<f64>>,
  d = dense<["x", "y"]> : tensor<2x!t.string>, e = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, f = array<i16: 1, -2>,
  g = affine_map<(d0)[s0] -> (d0 + s0)>, h = 123456789012345678901234567890 : i128, i = 0x7FC00000 : f32, j = -1 : index,
  k = distinct[0]<@blocks>, l = distinct[1]<@blocks>, m = dense_resource<blob> : tensor<2xi8>, n = #t.opaque<"x">,
  o = (i32, tuple<i8, vector<[4]x2xf16>>) -> memref<?x4xi32, strided<[4, 1], offset: ?>>, p = "quote \22 and \00 nul",
  q = 0 : i0, r = 0 : si0
} : () -> ()

// CHECK: {-#
// CHECK: blob: "0x080000000102"
{-#
  dialect_resources: { builtin: { blob: "0x080000000102", unused: "0x0800000001" } }
#-}
