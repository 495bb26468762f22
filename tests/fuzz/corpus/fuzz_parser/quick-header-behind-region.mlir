func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  scf.for %i = %a to %a step %a {
    "t.made"() : () -> i32
  } : index
  return
}
