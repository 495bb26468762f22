func.func @f(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %0#1, %b : i32
  return
}
