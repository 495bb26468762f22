// Ranges of integers: through arith, branches, loops and calls; what may wrap is anything.
// RUN: cake-opt %s --print-ranges --verify-diagnostics

// expected-remark @+1 {{%x in [3, 9]}}
func.func private @callee(%x: i32) -> i32 {
  // expected-remark @+1 {{%one in [1, 1]}}
  %one = arith.constant 1 : i32
  // expected-remark @+1 {{%y in [4, 10]}}
  %y = arith.addi %x, %one : i32
  return %y : i32
}

// expected-remark @+1 {{%c in [0, 1]}}
func.func @calls(%c: i1) -> i32 {
  // expected-remark @+1 {{%three in [3, 3]}}
  %three = arith.constant 3 : i32
  // expected-remark @+1 {{%nine in [9, 9]}}
  %nine = arith.constant 9 : i32
  // expected-remark @+1 {{%s in [3, 9]}}
  %s = arith.select %c, %three, %nine : i32
  // expected-remark @+1 {{%r in [4, 10]}}
  %r = func.call @callee(%s) : (i32) -> i32
  return %r : i32
}

// expected-remark @+1 {{%a in [-2147483648, 2147483647]}}
func.func @bits(%a: i32) {
  // expected-remark @+1 {{%mask in [255, 255]}}
  %mask = arith.constant 255 : i32
  // expected-remark @+1 {{%low in [0, 255]}}
  %low = arith.andi %a, %mask : i32
  // expected-remark @+1 {{%two in [2, 2]}}
  %two = arith.constant 2 : i32
  // expected-remark @+1 {{%up in [0, 1020]}}
  %up = arith.shli %low, %two : i32
  // expected-remark @+1 {{%down in [-536870912, 536870911]}}
  %down = arith.shrsi %a, %two : i32
  // expected-remark @+1 {{%four in [4, 4]}}
  %four = arith.constant 4 : i32
  // expected-remark @+1 {{%q in [0, 63]}}
  %q = arith.divui %low, %four : i32
  // expected-remark @+1 {{%rest in [-254, 254]}}
  %rest = arith.remsi %a, %mask : i32
  // expected-remark @+1 {{%wraps in [-2147483648, 2147483647]}}
  %wraps = arith.addi %a, %two : i32
  // expected-remark @+1 {{%short in [-128, 127]}}
  %short = arith.trunci %up : i32 to i8
  // expected-remark @+1 {{%wide in [-2147483648, 2147483647]}}
  %wide = arith.extsi %a : i32 to i64
  // expected-remark @+1 {{%flag in [1, 1]}}
  %flag = arith.cmpi ult, %q, %mask : i32
  // expected-remark @+1 {{%signed in [-1, -1]}}
  %signed = arith.extsi %flag : i1 to i32
  // expected-remark @+1 {{%three in [3, 3]}}
  %three = arith.constant 3 : i32
  // expected-remark @+1 {{%negative in [-8, -8]}}
  %negative = arith.constant -8 : i32
  // expected-remark @+1 {{%floor in [-3, -3]}}
  %floor = arith.floordivsi %negative, %three : i32
  // expected-remark @+1 {{%ceil in [-2, -2]}}
  %ceil = arith.ceildivsi %negative, %three : i32
  return
}

// expected-remark @+1 {{%n in [-9223372036854775808, 9223372036854775807]}}
func.func @loops(%n: index) {
  // expected-remark @+1 {{%c0 in [0, 0]}}
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{%c1 in [1, 1]}}
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{%c3 in [3, 3]}}
  %c3 = arith.constant 3 : index
  // A step of 1 cannot pass the bound; one of 3 could wrap where nothing is known of it.
  // expected-remark @+1 {{%i in [0, 9223372036854775806]}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @+1 {{%m in [0, 2]}}
    %m = arith.remui %i, %c3 : index
  }
  // expected-remark @+1 {{%j in [-9223372036854775808, 9223372036854775807]}}
  scf.for %j = %c0 to %n step %c3 {
  }
  // A sum that grows round by round is given up; one that is held is not.
  // expected-remark @+2 {{%sum in [-9223372036854775808, 9223372036854775807], result #1 of 'scf.for' in [0, 3]}}
  // expected-remark @+1 {{%k in [0, 2], %acc in [-9223372036854775808, 9223372036854775807], %held in [0, 3]}}
  %sum:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %c0, %held = %c0) -> (index, index) {
    // expected-remark @+1 {{%next in [-9223372036854775808, 9223372036854775807]}}
    %next = arith.addi %acc, %c3 : index
    // expected-remark @+1 {{%more in [1, 4]}}
    %more = arith.addi %held, %c1 : index
    // expected-remark @+1 {{%most in [1, 3]}}
    %most = arith.minsi %more, %c3 : index
    scf.yield %next, %most : index, index
  }
  return
}
