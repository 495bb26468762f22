// Comments about uses, numbers that no two values share, and locations for people: as mlir-opt prints them.
// RUN: cake-opt --allow-unregistered-dialect --mlir-print-value-users %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: cake-opt --allow-unregistered-dialect --print-value-users %s | cake-opt --allow-unregistered-dialect -o %t.again -
// RUN: cake-opt --allow-unregistered-dialect %s | diff - %t.again
//      CHECK:  func.func @f(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
// CHECK-NEXT:    // %arg0 is used by %8, %4
// CHECK-NEXT:    // %arg1 is used by %3#0, %3#1
// CHECK-NEXT:    // %arg2 is unused
// CHECK-NEXT:    %3:2 = "t.two"(%arg1, %arg1) : (i32, i32) -> (i32, i32) // users: (%12, %5, %13, %15), (%5)
// CHECK-NEXT:    scf.if %arg0 {
// CHECK-NEXT:      "t.inner"(%3#0) ({
// CHECK-NEXT:      ^bb0(%arg3: i32, %arg4: i32):
// CHECK-NEXT:        // %arg3 is used by %15
// CHECK-NEXT:        // %arg4 is unused
// CHECK-NEXT:        "t.x"(%3#0, %arg3) : (i32, i32) -> () // id: %15
// CHECK-NEXT:      }) : (i32) -> () // id: %13
// CHECK-NEXT:    } else {
// CHECK-NEXT:      "t.y"() : () -> ()
// CHECK-NEXT:    } // id: %4
// CHECK-NEXT:    %5 = arith.addi %3#0, %3#1 : i32 // user: %6
// CHECK-NEXT:    cf.br ^bb1(%5 : i32) // id: %6
// CHECK-NEXT:  ^bb1(%7: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:    // %7 is used by %12, %8
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1(%7 : i32), ^bb2(%7, %7 : i32, i32) // id: %8
// CHECK-NEXT:  ^bb2(%9: i32, %10: i32):  // pred: ^bb1
// CHECK-NEXT:    // %9 is used by %11#0, %11#1, %11#2
// CHECK-NEXT:    // %10 is unused
// CHECK-NEXT:    %11:3 = "t.three"(%9) : (i32) -> (i32, i32, i32) // unused
// CHECK-NEXT:    return %3#0, %7 : i32, i32 // id: %12
// CHECK-NEXT:  }

// RUN: cake-opt --allow-unregistered-dialect --mlir-print-unique-ssa-ids %s | FileCheck %s --check-prefix=UNIQUE
// UNIQUE: func.func @f(%arg1: i1, %arg2: i32, %arg3: i32)
// UNIQUE-NEXT: %1:2 = "t.two"(%arg2, %arg2)
// UNIQUE: ^bb0(%arg4: i32, %arg5: i32):
// UNIQUE: func.func @g(%arg0: i32) {
// UNIQUE-NEXT: %0 = "t.one"() {users} : () -> i32
// RUN: cake-opt --allow-unregistered-dialect --mlir-print-unique-ssa-ids --mlir-print-value-users --keep-names %s | FileCheck %s --check-prefix=BOTH
// BOTH: // %arg1 is used by %11, %7
// BOTH: %4 = "t.one"() {users} : () -> i32 // unused

// RUN: cake-opt --allow-unregistered-dialect --mlir-print-debuginfo --mlir-pretty-debuginfo --mlir-print-local-scope %s | FileCheck %s --check-prefix=PRETTY -DFILE=%s
// PRETTY: "t.two"(%arg1, %arg1) : (i32, i32) -> (i32, i32) "original"
// PRETTY: ^bb0(%arg3: i32 [[FILE]]:{{[0-9]+}}:10, %arg4: i32 [[FILE]]:{{[0-9]+}}:19):
// PRETTY-NEXT: "t.x"(%0#0, %arg3) : (i32, i32) -> () "a"
// PRETTY-NEXT: at <"m">["b", f.x:1:2]
// PRETTY: return %0#0, %2 : i32, i32 "a" at x:1:2
// PRETTY: "t.one"() {users} : () -> i32 [unknown]
// RUN: cake-opt --allow-unregistered-dialect --print-debuginfo --pretty-debuginfo %s | FileCheck %s --check-prefix=ALIASES -DFILE=%s
// ALIASES: #loc{{[0-9]*}} = [[FILE]]:
// ALIASES: "t.two"(%arg1, %arg1) : (i32, i32) -> (i32, i32) "original"
// ALIASES: return %0#0, %2 : i32, i32 #loc{{[0-9]+}} at #loc
func.func @f(%x: i1, %y: i32, %u: i32) -> (i32, i32) {
  %1:2 = "t.two"(%y, %y) : (i32, i32) -> (i32, i32) loc("original")
  scf.if %x {
    "t.inner"(%1#0) ({
    ^bb0(%a: i32, %b: i32):
      "t.x"(%1#0, %a) : (i32, i32) -> () loc(callsite("a" at fused<"m">["b", "f.x":1:2]))
    }) : (i32) -> ()
  } else {
    "t.y"() : () -> ()
  }
  %z = arith.addi %1#0, %1#1 : i32
  cf.br ^bb1(%z : i32)
^bb1(%w: i32):
  cf.cond_br %x, ^bb1(%w : i32), ^bb2(%w, %w : i32, i32)
^bb2(%g: i32, %h: i32):
  %n:3 = "t.three"(%g) : (i32) -> (i32, i32, i32)
  return %1#0, %w : i32, i32 loc(callsite("a" at "x":1:2))
}
func.func private @d(i32)
func.func @g(%y: i32) {
  %c = "t.one"() {users} : () -> i32 loc(unknown)
  return
}
