module {
  func.func @keep(%a: i32, %b: i32, %c: i1) -> i32 attributes {tag = "x"} {
    %0 = arith.addi %a, %b : i32
    %1 = arith.muli %0, %b : i32
    %2 = scf.if %c -> (i32) {
      %3 = arith.divsi %1, %b {deep} : i32
      scf.yield %3 : i32
    } else {
      scf.yield %1 : i32
    }
    %4 = arith.addi %2, %a : i32
    func.return %4 : i32
  }
  func.func @gone(%a: i32) -> i32 {
    cf.br ^bb1(%a : i32)
  ^bb1(%x: i32):
    %y = arith.addi %x, %a : i32
    cf.br ^bb2
  ^bb2:
    func.return %y : i32
  }
}
