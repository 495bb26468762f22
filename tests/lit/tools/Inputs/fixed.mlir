func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = fixed.mul %a, %b shift 8 : i32
  return %0 : i32
}
