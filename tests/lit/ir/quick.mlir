// Ops on one line with nothing unusual are read without tokens (ir/quick.h). Whatever stands between their parts, the same ops come out.
// RUN: cake-opt --allow-unregistered-dialect %s -o %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: cake-opt --allow-unregistered-dialect %t.1 | diff %t.1 -

// CHECK-LABEL: func.func @spaces
func.func @spaces(%a: i32, %b: i32, %c: i1) -> i32 {
  // CHECK-NEXT: %0 = arith.addi %arg0, %arg1 : i32
  // CHECK-NEXT: %1 = arith.addi %0, %arg1 : i32
  // CHECK-NEXT: %2 = arith.addi %1, %0 : i32
  // CHECK-NEXT: %3 = arith.addi %2, %1 : i32
  // CHECK-NEXT: %4 = arith.addi %3, %2 overflow<nsw> : i32
  // CHECK-NEXT: %5 = arith.addi %4, %3 {t.note} : i32
  // CHECK-NEXT: %6 = arith.constant -2 : i32
  // CHECK-NEXT: return %5 : i32
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

// CHECK-LABEL: func.func @branches
func.func @branches(%a: i32, %c: i1) {
  // CHECK-NEXT: cf.br ^bb1
  cf.br ^head
^head:
  // CHECK: cf.cond_br %arg1, ^bb2(%arg0, %arg0 : i32, i32), ^bb1
  cf.cond_br %c, ^tail(%a, %a : i32, i32), ^head
^tail(%x: i32, %y: i32):
  // CHECK: cf.cond_br %arg1 weights([1, 2]), ^bb1, ^bb3
  cf.cond_br %c weights([1, 2]), ^head, ^end
^end:
  // CHECK: cf.br ^bb4 {t.note}
  cf.br ^last {t.note}
^last:
  // CHECK: return
  return
}

// CHECK-LABEL: func.func @call
func.func @call(%a: i32, %b: i32) -> (i32, i32) {
  // CHECK-NEXT: %0:2 = call @call(%arg0, %arg1) : (i32, i32) -> (i32, i32)
  // CHECK-NEXT: %1:2 = call @call(%0#0, %0#1) : (i32, i32) -> (i32, i32)
  // CHECK-NEXT: call @none() : () -> ()
  // CHECK-NEXT: return %1#0, %1#1 : i32, i32
  %0:2 = call @call(%a, %b) : (i32, i32) -> (i32, i32)
  %1:2 = func.call @call(%0#0, %0#1) : (i32, i32) -> (i32, i32)
  call @none() : () -> ()
  return %1#0, %1#1 : i32, i32
}
func.func private @none()

// CHECK: "t.region"() ({
"t.region"() ({
^bb0(%a: i32, %name_of_more_than_eight_bytes: i32):
  // CHECK: %0 = "t.op"(%arg0, %arg1) {a = 1 : i32} : (i32, i32) -> i32
  // CHECK-NEXT: %1 = "t.op"(%arg0, %0) {a = 1 : i32} : (i32, i32) -> i32
  // CHECK-NEXT: %2 = "t.op"(%arg0, %1) {a = 2 : i32} : (i32, i32) -> i32
  // CHECK-NEXT: %3 = "t.op"(%5, %2) {a = 2 : i32} : (i32, i32) -> i32
  // CHECK-NEXT: %4 = arith.addi %3, %2 : i32
  // CHECK-NEXT: %5 = arith.addi %4, %4 : i32
  // CHECK-NEXT: "t.end"() : () -> ()
  %0 = "t.op"(%a, %name_of_more_than_eight_bytes) {a = 1 : i32} : (i32, i32) -> i32
  %1 = "t.op"(%a, %0) {a = 1 : i32} : (i32, i32) -> i32
  %2 = "t.op"(%a, %1) {a = 2 : i32} : (i32, i32) -> i32
  %3 = "t.op"(%5, %2) {a = 2 : i32} : (i32, i32) -> i32
  %4 = "arith.addi"(%3, %2) : (i32, i32) -> i32
  %5 = "arith.addi"(%4, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "t.end"() : () -> ()
}) : () -> ()

// Types with parameters are known by their text: each is read twice here, by its tokens and then quickly.
// CHECK-LABEL: func.func @parameters
!short = tensor<2xf32>
func.func @parameters(%t: tensor<4x8xf32>, %u: !short, %v: vector<[4]xi32>, %m: memref<?x4xi32, strided<[?, 1], offset: ?>>, %i: index) {
  // CHECK-NEXT: %0 = arith.addf %arg0, %arg0 : tensor<4x8xf32>
  // CHECK-NEXT: %1 = arith.addf %0, %arg0 : tensor<4x8xf32>
  // CHECK-NEXT: %2 = arith.addf %1, %0 : tensor<4x8xf32>
  %0 = arith.addf %t, %t : tensor<4x8xf32>
  %1 = arith.addf %0, %t : tensor<4x8xf32>
  %2 = arith.addf %1, %0 : tensor< 4x8xf32 >
  // CHECK-NEXT: %3 = arith.addf %arg1, %arg1 : tensor<2xf32>
  // CHECK-NEXT: %4 = arith.addf %3, %3 : tensor<2xf32>
  // CHECK-NEXT: %5 = arith.addf %4, %4 : tensor<2xf32>
  %3 = arith.addf %u, %u : !short
  %4 = arith.addf %3, %3 : !short
  %5 = arith.addf %4, %4 : tensor<2xf32>
  // CHECK-NEXT: %6 = arith.addi %arg2, %arg2 : vector<[4]xi32>
  // CHECK-NEXT: %7 = arith.addi %6, %6 : vector<[4]xi32>
  %6 = arith.addi %v, %v : vector<[4]xi32>
  %7 = arith.addi %6, %6 : vector<[4]xi32>
  // CHECK-COUNT-3: "t.use"(%arg3, %arg4) : (memref<?x4xi32, strided<[?, 1], offset: ?>>, index) -> ()
  "t.use"(%m, %i) : (memref<?x4xi32, strided<[?, 1], offset: ?>>, index) -> ()
  "t.use"(%m, %i) : (memref<?x4xi32, strided<[?, 1], offset: ?>>, index) -> ()
  "t.use"(%m, %i) : (memref<?x4xi32, strided<[?,1], offset: ?>>, index) -> ()
  // CHECK-COUNT-2: "t.made"() : () -> !t.pair<i32, [1 -> 2]>
  %8 = "t.made"() : () -> !t.pair<i32, [1 -> 2]>
  %9 = "t.made"() : () -> !t.pair<i32, [1 -> 2]>
  // CHECK-COUNT-2: "t.made"() : () -> !t.plain
  %10 = "t.made"() : () -> !t.plain
  %11 = "t.made"() : () -> !t.plain
  return
}
