// Faults in maps, sets, elements, layouts, distinct attributes and resources, each where it is.
// RUN: cake-opt --verify-diagnostics --split-input-file --allow-unregistered-dialect %s

// expected-error@+1 {{no expression inside parentheses}}
#m = affine_map<(i) -> (())>
// -----
// expected-error@+1 {{missing left operand of binary operator}}
#m = affine_map<(i) -> (* i)>
// -----
// expected-error@+1 {{missing right operand of binary operator}}
#m = affine_map<(i) -> (i +)>
// -----
// expected-error@+1 {{expected affine expression}}
#m = affine_map<(i) -> ("x")>
// -----
// expected-error@+1 {{use of undeclared identifier 'j'}}
#m = affine_map<(i) -> (j)>
// -----
// expected-error@+1 {{redefinition of identifier 'i'}}
#m = affine_map<(i)[i] -> (i)>
// -----
// expected-error@+1 {{expected bare identifier}}
#m = affine_map<(4) -> (4)>
// -----
// expected-error@+1 {{constant too large for index}}
#m = affine_map<(i) -> (9223372036854775808)>
// -----
// expected-error@+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
#m = affine_map<(i, j) -> (i * j)>
// -----
// expected-error@+1 {{non-affine expression: right operand of mod has to be either a constant or symbolic}}
#m = affine_map<(i, j) -> (i mod j)>
// -----
// expected-error@+1 {{expected '(' in affine map range}}
#m = affine_map<(i) -> i>
// -----
// expected-error@+1 {{expected '==', '>=' or '<=' in affine constraint}}
#s = affine_set<(i) : (i > 0)>
// -----
// expected-error@+1 {{inferred shape of elements literal ([1]) does not match type ([5])}}
#a = dense<[4]> : tensor<5xi32>
// -----
// expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
#a = dense<[4, [5]]> : tensor<2xi32>
// -----
// expected-error@+1 {{parsed zero elements, but type ('tensor<i64>') expected at least 1}}
#a = dense<> : tensor<i64>
// -----
// expected-error@+1 {{parsed 3 elements, but type ('tensor<2xcomplex<i64>>') expected 4 elements}}
#a = dense<[0, (0, 1)]> : tensor<2xcomplex<i64>>
// -----
// expected-error@+1 {{expected ',' between complex elements}}
#a = dense<[(10)]> : tensor<1xcomplex<i64>>
// -----
// expected-error@+1 {{elements hex data size is invalid for provided type: 'tensor<9xi1>'}}
#a = dense<"0x000000"> : tensor<9xi1>
// -----
// expected-error@+1 {{expected 1-d tensor for sparse element values}}
#a = sparse<[[0, 0, 0]], [[-2.0]]> : vector<1x1x1xf16>
// -----
// expected-error@+1 {{sparse index #0 is not contained within the value shape, with index=[1, 1], and type='tensor<1x1xi16>'}}
#a = sparse<1, 10> : tensor<1x1xi16>
// -----
// expected-error@+1 {{expected shape ([3]); inferred shape of indices literal ([2, 1]); inferred shape of values literal ([3])}}
#a = sparse<[[0], [1]], [1, 2, 3]> : tensor<3xi16>
// -----
// expected-error@+1 {{expected 'true' or 'false' values for i1 type}}
#a = array<i1: 0>
// -----
// expected-error@+1 {{integer constant out of range for attribute}}
#a = 340282366920938463463374607431768211456 : i128
// -----
// expected-error@+1 {{negative integer literal not valid for unsigned integer type}}
#a = -1 : ui100
// -----
// expected-error@+1 {{`dense_resource` expected a shaped type}}
#a = dense_resource<key> : i32
// -----
#a = distinct[0]<42 : i32>
// expected-error@+1 {{referenced attribute does not match previous definition: 42 : i32}}
#b = distinct[0]<43 : i32>
// -----
// expected-error@+1 {{expected an unsigned 64-bit integer}}
#a = distinct[0xAAAABBBBEEEEFFFF1]<>
// -----
// expected-error@+1 {{expected 'offset' after comma}}
#a = strided<[], >
// -----
// expected-error@+1 {{expected a 64-bit signed integer or '?'}}
#a = strided<[x]>
// -----
// expected-error@+1 {{expected the number of strides to match the rank}}
!t = memref<?x?xf32, strided<[1]>>
// -----
// expected-error@+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
!t = memref<42xi8, affine_map<(i, j) -> (i, j)>>
// -----
// expected-error@+1 {{multiple memory spaces specified in memref type}}
!t = memref<42xi8, 1, 2>
// -----
// expected-error@+1 {{expected memory space to be last in memref type}}
!t = memref<4xi8, 1, strided<[1]>>
// -----
// expected-error@+1 {{unsupported memory space Attribute}}
!t = memref<4xi8, i8>
// -----
// expected-error@+1 {{cannot have affine map for unranked memref type}}
!t = memref<*xi8, strided<[1]>>
// -----
// expected-error@+1 {{unknown key 'some_key' in file metadata dictionary}}
{-# some_key: {} #-}
// -----
// expected-error@+1 {{dialect 'foobar' is unknown}}
{-# dialect_resources: { foobar: { } } #-}
// -----
// expected-error@+1 {{expected hex string blob for key 'blob'}}
{-# dialect_resources: { builtin: { blob: "fail" } } #-}
// -----
// expected-error@+1 {{expected hex string blob for key 'blob' to encode alignment in first 4 bytes}}
{-# dialect_resources: { builtin: { blob: "0x" } } #-}
// -----
// expected-error@+1 {{expected hex string blob for key 'blob' to encode an alignment that is a power of two, but got 3}}
{-# dialect_resources: { builtin: { blob: "0x03000000" } } #-}
// -----
// expected-error@+1 {{can only contain attributes with dialect-prefixed names, found: 'attr'}}
module attributes {attr} {
}
// -----
// expected-error@+1 {{arguments may only have dialect attributes, not 'x'}}
func.func private @f(i32 {x})
// -----
// expected-error@+1 {{'sym_visibility' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @f() attributes {sym_visibility = "private"}
// -----
// expected-error@+1 {{expected element literal of primitive type}}
"t.op"() {a = dense<[1, 2, ]> : tensor<2xi32>} : () -> ()
// -----
// expected-error@+1 {{expected ',' or ']'}}
"t.op"() {a = dense<[1, 2 3]> : tensor<3xi32>} : () -> ()
// -----
// expected-error@+1 {{integer constant out of range for attribute}}
"t.op"() {a = dense<[1, -129, 3]> : tensor<3xi8>} : () -> ()
// -----
// expected-error@+1 {{integer constant out of range for attribute}}
"t.op"() {a = dense<[1, 128, 3]> : tensor<3xsi8>} : () -> ()
// -----
// expected-error@+1 {{negative integer literal not valid for unsigned integer type}}
"t.op"() {a = dense<[1, -1, 3]> : tensor<3xui8>} : () -> ()
// -----
// expected-error@+1 {{ranks are not consistent between elements}}
"t.op"() {a = dense<[1, 2, [3]]> : tensor<3xi8>} : () -> ()
// -----
// expected-error@+1 {{elements hex string holds a character that is no digit}}
"t.op"() {a = dense<"0x0102030g"> : tensor<4xi8>} : () -> ()
