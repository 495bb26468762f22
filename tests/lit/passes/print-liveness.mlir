// What is live into and out of blocks, and last uses: through branches, into loops, out of nested regions.
// RUN: cake-opt %s --print-liveness --verify-diagnostics

func.func @branches(%a: i32, %b: i32, %c: i1) -> i32 {
  // expected-remark @+2 {{live in: nothing; live out: %a, %b}}
  // expected-remark @+1 {{last use of: %c}}
  cf.cond_br %c, ^left(%a : i32), ^right
^left(%x: i32):
  // expected-remark @+2 {{live in: %b; live out: %b}}
  // expected-remark @+1 {{last use of: %x}}
  %y = arith.addi %x, %b : i32
  // expected-remark @+1 {{last use of: %y}}
  cf.br ^end(%y : i32)
^right:
  // expected-remark @+2 {{live in: %a, %b; live out: %b}}
  // expected-remark @+1 {{last use of: %a}}
  cf.br ^end(%a : i32)
^end(%z: i32):
  // expected-remark @+2 {{live in: %b; live out: nothing}}
  // expected-remark @+1 {{last use of: %z, %b}}
  %s = arith.addi %z, %b : i32
  // expected-remark @+1 {{last use of: %s}}
  return %s : i32
}

// What comes from outside is used again in the next round: it lives to the end of the body.
func.func @loop(%n: index, %b: i32) -> i32 {
  %one = arith.constant 1 : index
  // expected-remark @+1 {{last use of: %n, %one, %b}}
  %s = scf.for %i = %n to %n step %one iter_args(%acc = %b) -> i32 {
    // expected-remark @+2 {{live in: %b; live out: %b}}
    // expected-remark @+1 {{last use of: %acc}}
    %w = arith.addi %acc, %b : i32
    // expected-remark @+1 {{last use of: %w}}
    scf.yield %w : i32
  }
  // expected-remark @+1 {{last use of: %s}}
  return %s : i32
}

// Behind the region, but still in the function: the use in the branch is not the last one.
func.func @nested(%a: i32, %c: i1) -> i32 {
  // expected-remark @+1 {{last use of: %c}}
  %r = scf.if %c -> i32 {
    // expected-remark @+1 {{live in: %a; live out: nothing}}
    %x = arith.addi %a, %a : i32
    // expected-remark @+1 {{last use of: %x}}
    scf.yield %x : i32
  } else {
    // expected-remark @+1 {{live in: %a; live out: nothing}}
    scf.yield %a : i32
  }
  // expected-remark @+1 {{last use of: %r, %a}}
  %s = arith.addi %r, %a : i32
  // expected-remark @+1 {{last use of: %s}}
  return %s : i32
}

// scf.while: the values of the test go to the body, and back.
func.func @while(%a: i32, %k: i32) -> i32 {
  // expected-remark @+1 {{last use of: %a}}
  %r = scf.while (%x = %a) : (i32) -> i32 {
    // expected-remark @+1 {{live in: %k; live out: %k}}
    %lt = arith.cmpi slt, %x, %k : i32
    // expected-remark @+1 {{last use of: %lt, %x}}
    scf.condition(%lt) %x : i32
  } do {
  ^bb0(%y: i32):
    // expected-remark @+2 {{live in: %k; live out: %k}}
    // expected-remark @+1 {{last use of: %y}}
    %z = arith.addi %y, %k : i32
    // expected-remark @+1 {{last use of: %z}}
    scf.yield %z : i32
  }
  // expected-remark @+1 {{last use of: %r}}
  return %r : i32
}
