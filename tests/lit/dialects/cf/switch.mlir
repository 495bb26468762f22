// cf.switch: custom and generic form.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @choose
// CHECK:      cf.switch %arg0 : i32, [
// CHECK-NEXT:   default: ^bb1(%arg1 : f32),
// CHECK-NEXT:   42: ^bb1(%arg1 : f32),
// CHECK-NEXT:   7: ^bb1(%arg1 : f32),
// CHECK-NEXT:   -3: ^bb2
// CHECK-NEXT: ] {k}
// CHECK:      cf.switch %arg0 : i32, [
// CHECK-NEXT:   default: ^bb2
// CHECK-NEXT: ]
// GENERIC: "cf.switch"(%arg0, %arg1, %arg1, %arg1)[^bb1, ^bb1, ^bb1, ^bb2] <{case_operand_segments = array<i32: 1, 1, 0>, case_values = dense<[42, 7, -3]> : vector<3xi32>, operandSegmentSizes = array<i32: 1, 1, 2>}> {k} : (i32, f32, f32, f32) -> ()
// GENERIC: "cf.switch"(%arg0)[^bb2] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
func.func @choose(%flag: i32, %x: f32) {
  cf.switch %flag : i32, [
    default: ^bb1(%x : f32),
    42: ^bb1(%x : f32),
    7: ^bb1(%x : f32),
    -3: ^bb2
  ] {k}
^bb1(%y: f32):
  cf.switch %flag : i32, [
    default: ^bb2
  ]
^bb2:
  return
}
