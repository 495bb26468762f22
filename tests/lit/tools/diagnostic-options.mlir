// What is shown of diagnostics: their least severity, their notes, the op that they are about; and which of them are compared.
// RUN: not cake-opt --split-input-file --mlir-print-op-on-diagnostic %s -o %t 2>&1 | FileCheck %s --check-prefix=SHOWN
// SHOWN: :[[# @LINE + 32]]:8: error: 'arith.addi' op result #0 must be signless-integer-like, but got 'f32' [IR_RESULTS]
// SHOWN: :[[# @LINE + 31]]:8: note: see current operation: %0 = "arith.addi"(%arg0, %arg0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> f32
// RUN: not cake-opt --split-input-file %s -o %t 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: not cake-opt --split-input-file --print-op-on-diagnostic=false %s -o %t 2>&1 | FileCheck %s --check-prefix=NOTE
// NOTE-NOT: see current operation
// NOTE: error: redefinition of symbol named 'twice'
// NOTE: note: see existing symbol definition here
// RUN: not cake-opt --split-input-file --mlir-disable-diagnostic-notes %s -o %t 2>&1 | FileCheck %s --check-prefix=NO-NOTE
// NO-NOTE: error: redefinition of symbol named 'twice'
// NO-NOTE-NOT: note:

// RUN: sed '/^.. .....$/,$d' %s > %t.remarks
// RUN: cake-opt --print-liveness %t.remarks -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: print-liveness
// RUN: cake-opt --print-liveness --mlir-diagnostic-verbosity-level=warnings %t.remarks 2>&1 | FileCheck %s --check-prefix=NO-REMARK --implicit-check-not=remark:
// NO-REMARK: func.func @fine

// Of several expectations on lines one below another, each is about the line behind (in front of) all of them.
// RUN: not cake-opt --split-input-file --verify-diagnostics %s 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: [[# @LINE + 29]]:8: error: unexpected error: 'arith.addf' op operand #1 must be floating-point-like
// ALL: [[# @LINE + 28]]:8: error: unexpected error: 'arith.addf' op result #0 must be floating-point-like
// ALL-NOT: error:
// RUN: cake-opt --split-input-file --verify-diagnostics=only-expected --print-op-on-diagnostic %s
func.func @fine(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}

// -----

func.func @shown(%a: i32) -> i32 {
  // expected-error@below {{result #0 must be signless-integer-like}}
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> f32
  return %a : i32
}

// -----

func.func @below(%a: i32) {
  // expected-error@below {{operand #0 must be}}
  // expected-error@below {{operand #1 must be}}
  // expected-error@below {{result #0 must be}}
  %0 = "arith.addf"(%a, %a) : (i32, i32) -> i32
  %1 = "arith.addf"(%a, %a) : (i32, i32) -> i32
  // expected-error@above {{operand #0 must be}}
  // expected-error@above {{operand #1 must be}}
  // expected-error@above {{result #0 must be}}
  // expected-error@+1 {{operand #0 must be}}
  %2 = "arith.addf"(%a, %a) : (i32, i32) -> i32
  return
}

// -----

// expected-note@below {{see existing symbol definition here}}
func.func private @twice()
// expected-error@below {{redefinition of symbol named 'twice'}}
func.func private @twice()
