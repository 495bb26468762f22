// RUN: cake-opt --cake-inline-calls --split-input-file --verify-diagnostics %s | FileCheck %s
// cake-inline-calls: bodies take the place of calls, those inside of bodies too; functions that nobody names go.

// CHECK-LABEL: cake.kernel @twice
// CHECK: [[X:%.*]] = cake.fill
// CHECK: [[A:%.*]] = arith.addf [[X]], [[X]]
// CHECK: [[B:%.*]] = arith.mulf [[A]], [[X]]
// CHECK: [[C:%.*]] = arith.addf [[B]], [[B]]
// CHECK: arith.mulf [[C]], [[B]]
// CHECK-NOT: func.func
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
func.func private @double(%x: !F) -> !F {
  %y = arith.addf %x, %x : !F
  return %y : !F
}
func.func private @square(%x: !F) -> !F {
  %d = cake.call @double(%x) : (!F) -> !F
  %y = arith.mulf %d, %x : !F
  return %y : !F
}
cake.kernel @twice() target("sm_80") {
  cake.role @a warps(4) {
    %x = cake.fill 1.0 : !F
    %y = cake.call @square(%x) : (!F) -> !F
    %z = cake.call @square(%y) : (!F) -> !F
  }
}

// -----

func.func private @endless(%x: i32) -> i32 {
  // expected-error @+1 {{is one of more than 10000 calls: does the function call itself?}}
  %y = cake.call @endless(%x) : (i32) -> i32
  return %y : i32
}
cake.kernel @recursive(%x: i32) target("sm_80") {
  cake.role @a warps(1) {
    %y = cake.call @endless(%x) : (i32) -> i32
  }
}
