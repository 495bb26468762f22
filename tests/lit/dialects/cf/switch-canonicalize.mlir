// A switch on a constant, and cases that lead where the default does.
// RUN: cake-opt --canonicalize --check-passes --allow-unregistered-dialect %s | FileCheck %s

// CHECK-LABEL: func.func @constant
// CHECK-NEXT: return %arg1, %arg0, %arg1
func.func @constant(%a: i32, %b: i32) -> (i32, i32, i32) {
  %minus = arith.constant -1 : i32
  %four = arith.constant 4 : i32
  cf.switch %minus : i32, [
    default: ^bb1(%a : i32),
    -1: ^bb1(%b : i32),
    4: ^bb1(%a : i32)
  ]
^bb1(%x: i32):
  cf.switch %four : i32, [
    default: ^bb2(%a : i32),
    5: ^bb2(%b : i32)
  ]
^bb2(%y: i32):
  cf.switch %a : i32, [
    default: ^bb3(%b : i32)
  ]
^bb3(%z: i32):
  return %x, %y, %z : i32, i32, i32
}

// CHECK-LABEL: func.func @like_default
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1(%arg1 : i32),
// CHECK-NEXT: 10: ^bb2(%arg1, %arg2 : i32, i32),
// CHECK-NEXT: 20: ^bb1(%arg2 : i32)
// CHECK-NEXT: ] {kept}
func.func @like_default(%i: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %i : i32, [
    default: ^bb1(%a : i32),
    -7: ^bb1(%a : i32),
    10: ^bb2(%a, %b : i32, i32),
    15: ^bb1(%a : i32),
    20: ^bb1(%b : i32)
  ] {kept}
^bb1(%x: i32):
  "t.one"(%x) : (i32) -> ()
  return %x : i32
^bb2(%y: i32, %z: i32):
  "t.two"(%y, %z) : (i32, i32) -> ()
  return %y : i32
}

// All of them.
// CHECK-LABEL: func.func @only_default
// CHECK-NEXT: return %arg1
func.func @only_default(%i: i32, %a: i32) -> i32 {
  cf.switch %i : i32, [
    default: ^bb1(%a : i32),
    1: ^bb1(%a : i32)
  ]
^bb1(%x: i32):
  return %x : i32
}
