func.func @yields(%a: i32) {
  %0 = scf.for %i = %a to %a step %a iter_args(%p = %a) -> (i32) : i32 {
    scf.yield %p, %p : i32, i32
  }
  return
}
