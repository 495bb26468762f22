// Bytecode of a module that holds functions alone, whose values are numbered function by function: also of a module inside, of one place
// in the text that ops of several functions come from, and of values that are used in front of their definition.
// RUN: cake-opt %s --emit-bytecode -o %t.bc
// RUN: cake-opt %t.bc --print-debuginfo --keep-names -o %t.read
// RUN: cake-opt %s --print-debuginfo --keep-names | diff - %t.read
// RUN: FileCheck %s < %t.read
// RUN: cake-opt %t.bc --emit-bytecode | cmp - %t.bc

// CHECK-LABEL: func.func @first(
// CHECK: arith.addi %a, %a : i32 loc([[$PLACE:#loc[0-9]+]])
func.func @first(%a: i32) -> i32 {
  %s = arith.addi %a, %a : i32 loc("shared.mlir":7:3)
  return %s : i32 loc(callsite("callee" at "shared.mlir":7:3))
}

module @inside {
  // CHECK-LABEL: func.func @second(
  // CHECK: arith.muli %a, %b : i32 loc([[$PLACE]])
  func.func @second(%a: i32, %b: i32) -> i32 {
    %p = arith.muli %a, %b : i32 loc("shared.mlir":7:3)
    return %p : i32
  }
  func.func private @declared(i32)
}

// CHECK-LABEL: func.func @third(
// CHECK: ^[[LATE:bb[0-9]+]]:
// CHECK-NEXT: return %d : i32
// CHECK: %d = arith.subi %a, %b
func.func @third(%a: i32, %b: i32) -> i32 {
  cf.br ^early
^late:
  return %d : i32 loc(callsite("callee" at "shared.mlir":7:3))
^early:
  %d = arith.subi %a, %b : i32 loc("shared.mlir":7:3)
  cf.br ^late
}
