// What is wrong in an attribute or location that is nearly read without tokens (ir/quick.h) is reported as for any other op. In front of each
// is what makes its words known.
// RUN: cake-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%a: i32) {
  %0 = arith.constant 1 : i8
  // expected-error @+1 {{integer constant out of range for attribute}}
  %1 = arith.constant 256 : i8
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi8>
  // expected-error @+1 {{inferred shape of elements literal ([3]) does not match type ([2])}}
  %1 = arith.constant dense<[1, 2, 3]> : tensor<2xi8>
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi8>
  // expected-error @+1 {{integer constant out of range for attribute}}
  %1 = arith.constant dense<[1, -129]> : tensor<2xi8>
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi8>
  // expected-error @+1 {{integer constant out of range for attribute}}
  %1 = arith.constant dense<[-0, 1]> : tensor<2xi8>
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // expected-error @+1 {{unexpected decimal integer literal for a floating point value; add a trailing dot to make it a float}}
  %1 = arith.constant dense<[1.0, 2]> : tensor<2xf32>
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.addi %a, %a {k = 1} : i32
  // expected-error @+1 {{duplicate key 'k' in dictionary attribute}}
  %1 = arith.addi %a, %a {k = 1, k = 2} : i32
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  // expected-error @+1 {{attribute 'overflowFlags' of 'arith.addi' is given twice}}
  %1 = arith.addi %a, %a overflow<nsw> {overflowFlags = #arith.overflow<nsw>} : i32
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  // expected-error @+1 {{expected one of: none, nsw, nuw}}
  %1 = arith.addi %a, %a overflow<nnan> : i32
  return
}

// -----

func.func @f(%a: i32) {
  %0 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  // expected-error @+1 {{attribute 'overflowFlags' of 'arith.addi' is given twice}}
  %1 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>}> {overflowFlags = #arith.overflow<nsw>} : (i32, i32) -> i32
  return
}

// -----

func.func @f(%a: i32) {
  %0 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  // expected-error @+1 {{'arith.addi' has no property 'flags'}}
  %1 = "arith.addi"(%a, %a) <{flags = 1}> : (i32, i32) -> i32
  return
}

// -----

func.func @f(%a: i32) {
  %0 = "t.x"(%a) {k = array<i8: 1>} : (i32) -> i32
  // expected-error @+1 {{integer constant out of range for attribute}}
  %1 = "t.x"(%a) {k = array<i8: 1, 256>} : (i32) -> i32
  return
}

// -----

#known = affine_map<(d0) -> (d0)>
func.func @f(%a: i32) {
  %0 = "t.x"(%a) {k = #known} : (i32) -> i32
  // expected-error @+1 {{undefined symbol alias id 'unknown'}}
  %1 = "t.x"(%a) {k = #unknown} : (i32) -> i32
  return
}

// -----

#known = affine_map<(d0) -> (d0)>
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32 loc("f":1:2)
  // expected-error @+1 {{expected location attribute}}
  %1 = arith.addi %a, %a : i32 loc(#known)
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32 loc("f":1:2)
  // expected-error @+1 {{operation location alias was never defined}}
  %1 = arith.addi %a, %a : i32 loc(#never)
  return
}

// -----

// expected-error @+1 {{'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @f(%a: i32) attributes {sym_name = "g"} {
  return
}
