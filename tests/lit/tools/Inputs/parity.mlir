func.func @f(%a: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %0 = arith.addi %c2, %c2 : i32
  %1 = arith.addi %0, %a : i32
  return %1 : i32
}
