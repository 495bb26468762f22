func.func @f(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  %1:0 = arith.addi %a, %b : i32
  return
}
