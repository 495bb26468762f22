// Every diagnostic says its code: one of each kind that text can cause.
// RUN: not cake-opt --split-input-file %s 2>&1 | FileCheck %s
// RUN: not cake-opt %S/Inputs/not_utf8.txt 2>&1 | FileCheck %s --check-prefix=ENCODING
// RUN: python3 -c "print('\"t.r\"() ({' * 2000)" > %t.deep
// RUN: not cake-opt --allow-unregistered-dialect %t.deep 2>&1 | FileCheck %s --check-prefix=DEPTH
// ENCODING: [PARSE_ENCODING]
// DEPTH: [PARSE_DEPTH]

// CHECK: [PARSE_SYNTAX]
func.func func.func

// -----

// CHECK: [PARSE_NAME]
func.func @f() {
  "func.return"(%nobody) : (i32) -> ()
}

// -----

// CHECK: [PARSE_TYPE]
func.func @f(%a: i32) -> f32 {
  return %a : f32
}

// -----

// CHECK: [PARSE_NUMBER]
func.func @f() {
  %0 = arith.constant 300 : i8
  return
}

// -----

// CHECK: [UNREGISTERED]
"nobody.op"() : () -> ()

// -----

// CHECK: [IR_OPERANDS]
func.func @f(%a: i32) {
  %0 = "arith.addi"(%a) : (i32) -> i32
  return
}

// -----

// CHECK: [IR_RESULTS]
func.func @f(%a: i32) {
  "arith.addi"(%a, %a) : (i32, i32) -> ()
  return
}

// -----

// CHECK: [IR_ATTRIBUTES]
func.func @f(%a: i32) {
  %0 = "arith.cmpi"(%a, %a) : (i32, i32) -> i1
  return
}

// -----

// CHECK: [IR_REGIONS]
func.func @f(%a: i1) {
  "scf.if"(%a) ({
  ^bb0:
    "scf.yield"() : () -> ()
  }) : (i1) -> ()
  return
}

// -----

// CHECK: [IR_SUCCESSORS]
func.func @f(%a: i1) {
  cf.br ^end(%a : i1)
^end:
  return
}

// -----

// CHECK: [IR_DOMINANCE]
func.func @f(%a: i32) {
  %0 = arith.addi %1, %a : i32
  %1 = arith.addi %a, %a : i32
  return
}

// -----

// CHECK: [IR_SYMBOL]
func.func @f() {
  call @nobody() : () -> ()
  return
}

// -----

// CHECK: [IR_TRAIT]
func.func @f(%a: i32, %b: i64) {
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

// CHECK: [IR_SEMANTICS]
func.func @f(%x: index) {
  "scf.index_switch"(%x) <{cases = array<i64: 2, 2>}> ({
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}
