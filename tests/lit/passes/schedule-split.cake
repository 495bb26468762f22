// schedule-split: the filling of slots goes to a role of its own, with its loops and its index arithmetic.
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-split{producer-warps=2})' %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage,schedule-form,schedule-split{producer-regs=40 consumer-regs=232})' %cake_src/bench/kernels/gemm_naive.cake | FileCheck %s --check-prefix=REGS
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage,schedule-split{producer-regs=40 consumer-regs=999})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-split{producer-warps=0})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}'producer-warps' must be at least 1 [PASS_PIPELINE]
// REGS: cake.role @load warps(1) regs(40)
// REGS: cake.role @all warpgroups(1) regs(232)
// REFUSED: remark: schedule-split: missed: the result is refused: {{.*}} regs must be from {{.*}}, but is 999
// REFUSED-NOT: cake.role @load

// What carries values stays; the row's number goes along, and what else the step does not.
// CHECK: cake.pipeline @ring stages(1) from(@load2) to(@all)
// CHECK: cake.role @load2 warps(2) {
// CHECK-NEXT: cake.items ([[N:%.*]]) in @work {
// CHECK-NEXT: [[ROW:%.*]] = cake.index ([[N]] * 64) : index
// CHECK-NEXT: cake.steps ([[K:%.*]]) in @work {
// CHECK-NEXT: [[S:%.*]]:2 = cake.acquire @ring
// CHECK-NEXT: cake.copy %{{.*}}{{\[}}[[ROW]], [[K]] * 64] -> [[S]]#1 via(cp_async) pad(0.0)
// CHECK-NEXT: cake.commit [[S]]#0
// CHECK-NEXT: }
// CHECK: cake.role @all warps(4) {
// CHECK-NOT: cake.acquire
// CHECK: cake.steps ({{.*}}) in @work iter(
// CHECK-NEXT: cake.wait @ring
// CHECK: cake.store
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @square(%x: !cake.global<[N]x[K]xbf16, align 16>, %load: !cake.global<64x64xbf16, align 16>, %y: !cake.global<[N]x64xf32>) target("sm_80", "sm_90a") guard(K mod 8 eq 0) {
  cake.barrier @load meet(@all)
  cake.pipeline @ring stages(1) from(@all) to(@all) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    %b = cake.load %load[0, 0] : tensor<64x64xbf16, #cake.mma.b<4x1>>
    %zero = cake.fill 0.0 : !Acc
    cake.items (%n) in @work {
      %row = cake.index (%n * 64) : index
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %o, %xo = cake.acquire @ring
        cake.copy %x[%row, %k * 64] -> %xo via(cp_async) pad(0.0)
        cake.commit %o
        %f, %xf = cake.wait @ring
        %a = cake.get %xf : !A
        cake.release %f
        %more = cake.mma %so_far, %a * %b form(mma.m16n8k16.nt)
        cake.yield %more
      }
      cake.store %sum, %y[%n * 64, 0] clip
    }
  }
}

// -----

// Whether a slot is filled must not depend on data that another role does not have.
// MISSED: :[[#@LINE+9]]:7: remark: schedule-split: missed: fills a slot under a condition that another role does not know
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @sometimes(%x: !cake.global<[N]x64xbf16, align 16>, %flag: !cake.global<1xi32>) target("sm_90a") {
  cake.pipeline @p stages(1) from(@all) to(@all) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    %one = arith.constant 1 : i32
    cake.items (%n) in @work {
      %c = arith.cmpi eq, %one, %one : i32
      scf.if %c {
        %o, %xo = cake.acquire @p
        cake.copy %x[%n * 64, 0] -> %xo via(tma) pad(0.0)
        cake.commit %o
        %f, %xf = cake.wait @p
        cake.release %f
      }
    }
  }
}

// -----

// MISSED: remark: schedule-split: missed: no role fills a pipeline that it empties; schedule-stage makes one
cake.kernel @none(%x: !cake.global<[N]xbf16>) target("sm_90a") {
  cake.role @all warps(4) {
  }
}
