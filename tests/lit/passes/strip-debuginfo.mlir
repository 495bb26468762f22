// strip-debuginfo: no location is left.
// RUN: cake-opt --print-debuginfo %s | FileCheck %s --check-prefix=BEFORE
// RUN: cake-opt --strip-debuginfo --print-debuginfo %s | FileCheck %s

// BEFORE: "there.cake":7:2
// CHECK-NOT: there.cake
// CHECK-NOT: strip-debuginfo.mlir
func.func @f(%a: i32 loc("there.cake":5:1)) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("there.cake":7:2)
  return %0 : i32
}
