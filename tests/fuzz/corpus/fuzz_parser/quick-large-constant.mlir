func.func @f() {
  %0 = arith.constant 255 : i8
  %1 = arith.constant 256 : i8
  return
}
