func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1, %x: i32) -> i32 {
  %0:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %x : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  return %0#2 : i32
}
