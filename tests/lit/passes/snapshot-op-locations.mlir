// Ops get the places that reading the file would give them; the old locations are replaced, or kept under a tag.
// RUN: cake-opt --allow-unregistered-dialect --snapshot-op-locations=filename=%t --print-debuginfo --print-local-scope %s | FileCheck %s -DFILE=%t
// RUN: cake-opt --allow-unregistered-dialect --print-debuginfo --print-local-scope %t | FileCheck %s -DFILE=%t
// CHECK: func.func @f(
// CHECK-NEXT: %0 = "t.x"() : () -> i32 loc("[[FILE]]":3:10)
// CHECK-NEXT: "t.y"() ({
// CHECK-NEXT:   "t.z"() : () -> () loc("[[FILE]]":5:7)
// CHECK-NEXT: }) : () -> () loc("[[FILE]]":4:5)
// CHECK-NEXT: return %0 : i32 loc("[[FILE]]":7:5)
// CHECK-NEXT: } loc("[[FILE]]":2:3)
// CHECK-NEXT: } loc("[[FILE]]":1:1)

// RUN: cake-opt --allow-unregistered-dialect --snapshot-op-locations='filename=%t tag=tagged print-debuginfo' --print-debuginfo --print-local-scope %s | FileCheck %s --check-prefix=TAG -DFILE=%t
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t
// TAG: %0 = "t.x"() : () -> i32 loc(fused["original", "tagged"("[[FILE]]":3:10)])
// FILE: func.func
// FILE-NEXT: %0 = "t.x"() : () -> i32 loc(#loc{{[0-9]*}})
// RUN: cake-opt --allow-unregistered-dialect --snapshot-op-locations='filename=%t print-op-generic print-debuginfo pretty-debuginfo print-local-scope' %s -o /dev/null
// RUN: FileCheck %s --check-prefix=GENERIC --input-file=%t
// GENERIC: "builtin.module"
// GENERIC: "t.x"() : () -> i32 "original"

// RUN: not cake-opt --allow-unregistered-dialect --snapshot-op-locations %s 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: 'builtin.module' op has no place to be written to: `filename` is empty
// RUN: not cake-opt --allow-unregistered-dialect --snapshot-op-locations=filename=%t/no/file %s 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: 'builtin.module' op can't be written: cannot create
func.func @f() -> i32 {
  %0 = "t.x"() : () -> i32 loc("original")
  "t.y"() ({
    "t.z"() : () -> ()
  }) : () -> ()
  return %0 : i32
}
