func.func @f(%a: i32) {
  "t.op"(%a) {k = 1 : i32} : (i32) -> ()
  "t.op"(%a) {k = 1 : i32} : (i32, i32) -> ()
  return
}
