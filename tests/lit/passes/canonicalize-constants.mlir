// The constants of a function are unique and stand at its start; a condition is known in the regions and blocks that it leads to; sums,
// differences and bits cancel out.
// RUN: cake-opt --canonicalize --split-input-file %s | FileCheck %s
// RUN: cake-opt --canonicalize --split-input-file %s | cake-opt --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @unique
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %[[ONE]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: func.call @use(%[[ONE]], %[[SUM]])
func.func @unique(%a: i32, %c: i1) {
  %one = arith.constant 1 : i32
  %sum = arith.addi %a, %one : i32
  scf.if %c {
    %again = arith.constant 1 : i32
    func.call @use(%again, %sum) : (i32, i32) -> ()
  }
  return
}
func.func private @use(i32, i32)

// -----

// CHECK-LABEL: func.func @known_in_regions
// CHECK: scf.if %arg0 {
// CHECK-NEXT: func.call @yes()
// CHECK-NEXT: func.call @both()
// CHECK-NEXT: } else {
// CHECK-NEXT: func.call @no()
// CHECK-NEXT: }
func.func @known_in_regions(%c: i1) {
  scf.if %c {
    scf.if %c {
      func.call @yes() : () -> ()
    } else {
      func.call @no() : () -> ()
    }
    func.call @both() : () -> ()
  } else {
    scf.if %c {
      func.call @yes() : () -> ()
    } else {
      func.call @no() : () -> ()
    }
  }
  return
}
func.func private @yes()
func.func private @no()
func.func private @both()

// -----

// Both ways lead to the last block: nothing is known there.
// CHECK-LABEL: func.func @known_in_blocks
// CHECK: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK-NEXT: call @yes() : () -> ()
// CHECK-NEXT: cf.br ^bb2
// CHECK: ^bb2:
// CHECK-NEXT: arith.select %arg0
func.func @known_in_blocks(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^first, ^last
^first:
  cf.cond_br %c, ^second, ^other
^second:
  call @yes() : () -> ()
  cf.br ^last
^other:
  call @no() : () -> ()
  cf.br ^last
^last:
  %r = arith.select %c, %a, %b : i32
  return %r : i32
}
func.func private @yes()
func.func private @no()

// -----

// CHECK-LABEL: func.func @cancel
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[MINUS:.*]] = arith.subi %[[ZERO]], %arg1
// CHECK-DAG: %[[AND:.*]] = arith.andi %arg0, %arg1
// CHECK: return %[[MINUS]], %[[AND]], %arg1, %arg0
func.func @cancel(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %d = arith.subi %a, %b : i32
  %minus = arith.subi %d, %a : i32
  %and = arith.andi %a, %b : i32
  %same = arith.andi %b, %and : i32
  %x = arith.xori %a, %b : i32
  %other = arith.xori %a, %x : i32
  %first = arith.xori %x, %b : i32
  return %minus, %same, %other, %first : i32, i32, i32, i32
}
