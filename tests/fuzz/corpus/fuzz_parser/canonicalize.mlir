func.func @never(%a: i32, %x: index) -> (i32, i32) {
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c4 to %c3 step %x iter_args(%p = %a) -> (i32) {
    %1 = "t.next"(%p) : (i32) -> i32
    scf.yield %1 : i32
  }
  %2 = scf.for %i = %x to %x step %c3 iter_args(%p = %0) -> (i32) {
    %3 = "t.next"(%p) : (i32) -> i32
    scf.yield %3 : i32
  }
  return %0, %2 : i32, i32
}
