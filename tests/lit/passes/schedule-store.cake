// schedule-store: accumulators are put into slots that the store engine empties.
// RUN: cake-opt --split-input-file --schedule-store %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-store{columns=32 stages=2})' %s 2>/dev/null | FileCheck %s --check-prefix=PARTS
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-store{columns=48})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-store{stages=0})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}'columns' must not be negative, and 'stages' at least 1 [PASS_PIPELINE]
// COLUMNS: remark: schedule-store: missed: 64 columns cannot be stored 48 at a time

// CHECK: cake.pipeline @out stages(1) from(@all each) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
// CHECK: [[S:%[0-9]+]]:2 = cake.acquire @out
// CHECK-NEXT: cake.put %{{.*}}, [[S]]#1
// CHECK-NEXT: cake.commit [[S]]#0 to(%{{.*}}[%{{.*}} * 64, 0])
// CHECK-NOT: cake.store
// PARTS: cake.pipeline @out stages(2) from(@all each) to(store) slot(y: !cake.shared<64x32xf32, sw128>)
// PARTS: cake.unroll [[J:%.*]] = 0 to 2 {
// PARTS: cake.put %{{.*}}[0, [[J]] * 32], [[V:%.*]]
// PARTS: cake.commit %{{.*}} to(%{{.*}}[%{{.*}} * 64, [[J]] * 32])
cake.kernel @ones(%y: !cake.global<[N]x64xf32, align 16>) target("sm_80", "sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %one = cake.fill 1.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      cake.store %one, %y[%n * 64, 0] clip
    }
  }
}

// -----

// Warps that share rows cannot write a swizzled panel together.
// CHECK: slot(y: !cake.shared<64x64xf32, rows>)
cake.kernel @shared_rows(%y: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %one = cake.fill 1.0 : tensor<64x64xf32, #cake.mma.acc<2x2>>
      cake.store %one, %y[%n * 64, 0] clip
    }
  }
}

// -----

// MISSED: remark: schedule-store: missed: the result is refused: 'cake.commit' op via the store engine needs addresses that are multiples of 16 bytes
cake.kernel @unaligned(%y: !cake.global<[N]x64xf32>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %one = cake.fill 1.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      cake.store %one, %y[%n * 64, 0] clip
    }
  }
}

// -----

// MISSED: remark: schedule-store: missed: no target of the kernel has {{.*}}: ["sm_80"]
cake.kernel @ampere(%y: !cake.global<[N]x64xf32, align 16>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %one = cake.fill 1.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      cake.store %one, %y[%n * 64, 0] clip
    }
  }
}

// -----

// MISSED: remark: schedule-store: missed: stores no accumulator, but 'tensor<64xf32, #cake.row<mma.acc<4x1>>>'
cake.kernel @row(%y: !cake.global<[N]xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %one = cake.fill 1.0 : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      cake.store %one, %y[%n * 64] clip
    }
  }
}

// -----

// MISSED: remark: schedule-store: missed: has no store of a fragment
cake.kernel @none(%y: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @all warps(4) {
  }
}
