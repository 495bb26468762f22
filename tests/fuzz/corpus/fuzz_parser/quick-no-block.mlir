func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i32):
  cf.br ^bb2(%b : i32)
}
