func.func @dominance() {
  %0 = arith.constant 1 : i32
  cf.br ^bb1
^bb1:
  %1 = arith.addi %2, %3 : i32
  %2 = arith.addi %0, %0 : i32
  cf.br ^bb2
^bb2:
  %3 = arith.addi %2, %2 : i32
  cf.br ^bb1
^bb3: // nothing leads here
  %4 = arith.addi %5, %5 : i32
  %5 = arith.addi %0, %0 : i32
  func.return
}
