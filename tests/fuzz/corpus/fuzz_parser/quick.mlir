// Ops on one line with nothing unusual are read without tokens (ir/quick.h). Whatever stands between their parts, the same ops come out.

func.func @spaces(%a: i32, %b: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1=arith.addi %0,%b:i32
  %2  =  arith.addi  %1 ,  %0  :  i32
  %3 = arith.addi %2, // a comment
    %1
    : i32 // and another
  %4 = arith.addi %3, %2 overflow<nsw> : i32
  %5 = arith.addi %4, %3
    {t.note} : i32
  %6 = arith.constant -2 : i32
  return %5 : i32
}

func.func @branches(%a: i32, %c: i1) {
  cf.br ^head
^head:
  cf.cond_br %c, ^tail(%a, %a : i32, i32), ^head
^tail(%x: i32, %y: i32):
  cf.cond_br %c weights([1, 2]), ^head, ^end
^end:
  cf.br ^last {t.note}
^last:
  return
}

func.func @call(%a: i32, %b: i32) -> (i32, i32) {
  %0:2 = call @call(%a, %b) : (i32, i32) -> (i32, i32)
  %1:2 = func.call @call(%0#0, %0#1) : (i32, i32) -> (i32, i32)
  call @none() : () -> ()
  return %1#0, %1#1 : i32, i32
}
func.func private @none()

"t.region"() ({
^bb0(%a: i32, %name_of_more_than_eight_bytes: i32):
  %0 = "t.op"(%a, %name_of_more_than_eight_bytes) {a = 1 : i32} : (i32, i32) -> i32
  %1 = "t.op"(%a, %0) {a = 1 : i32} : (i32, i32) -> i32
  %2 = "t.op"(%a, %1) {a = 2 : i32} : (i32, i32) -> i32
  %3 = "t.op"(%5, %2) {a = 2 : i32} : (i32, i32) -> i32
  %4 = "arith.addi"(%3, %2) : (i32, i32) -> i32
  %5 = "arith.addi"(%4, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "t.end"() : () -> ()
}) : () -> ()
