// schedule-stage: operands of a product, and the vectors of their step, go through slots that the role fills itself; what cannot is refused.
// RUN: cake-opt --split-input-file --schedule-stage %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-stage{via=cp_async loads=operands align=16})' %s 2>/dev/null | FileCheck %s --check-prefix=ASYNC
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-stage{via=bulk})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-stage{loads=some})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=LOADS
// OPTION: error: {{.*}}'via' must be tma or cp_async, but is 'bulk' [PASS_PIPELINE]
// LOADS: error: {{.*}}'loads' must be all or operands, but is 'some' [PASS_PIPELINE]

// The rows' norms stand in the same step, but their strides fit no tensor map. The points stay for the item. sm_80 has no TMA.
// CHECK-LABEL: cake.kernel @nearest
// CHECK-SAME: target("sm_90a") {
// CHECK: cake.pipeline @tile stages(1) from(@all) to(@all) slot(x: !cake.shared<64x64xbf16, sw128>)
// CHECK: cake.pipeline @ring stages(1) from(@all) to(@all) slot(c: !cake.shared<64x64xbf16, sw128>, c2: !cake.shared<64xf32, rows>)
// CHECK: cake.items
// CHECK: [[T:%[0-9]+]]:2 = cake.acquire @tile
// CHECK: cake.copy %{{.*}}[%{{.*}} * 64, 0] -> [[T]]#1 via(tma) pad(0.0)
// CHECK: cake.commit [[T]]#0
// CHECK: [[F:%[0-9]+]]:2 = cake.wait @tile
// CHECK: cake.get [[F]]#1 : tensor<64x64xbf16, #cake.mma.a<4x1>>
// CHECK: cake.release [[F]]#0
// CHECK: cake.steps
// CHECK: [[S:%[0-9]+]]:3 = cake.acquire @ring
// CHECK: cake.copy %{{.*}}[%{{.*}} * 64, 0] -> [[S]]#1 via(tma) pad(0.0)
// CHECK: cake.copy %{{.*}}[%{{.*}} * 64] -> [[S]]#2 via(cp_async) pad(0.0)
// CHECK: cake.commit
// CHECK: [[W:%[0-9]+]]:3 = cake.wait @ring
// CHECK: cake.get [[W]]#1 : tensor<64x64xbf16, #cake.mma.b<4x1>>
// CHECK: cake.get [[W]]#2 : tensor<64xf32, #cake.col<mma.acc<4x1>>>
// CHECK: cake.release [[W]]#0
// CHECK-NOT: cake.load
// CHECK: cake.store

// ASYNC-LABEL: cake.kernel @nearest
// ASYNC-SAME: target("sm_80", "sm_90a") {
// ASYNC: slot(c: !cake.shared<64x64xbf16, sw128>)
// ASYNC: via(cp_async)
// ASYNC: via(cp_async)
// ASYNC: cake.load %{{.*}} : tensor<64xf32, #cake.col<mma.acc<4x1>>>
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @nearest(%x: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[K]x64xbf16, align 16>, %c2: !cake.global<[K]xf32>,
    %label: !cake.global<[N]xi32>) target("sm_80", "sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %q = cake.load %c2[%k * 64] pad(0.0) : tensor<64xf32, #cake.col<mma.acc<4x1>>>
        %dot = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %norm = cake.spread %q : !Acc
        %far = arith.subf %norm, %dot : !Acc
        %best = cake.best %far at(%k * 64) keep(col + %k * 64 lt K) into(%so_far)
        cake.yield %best
      }
      %v, %i = cake.settle %last
      cake.store %i, %label[%n * 64] clip
    }
  }
}

// -----

// Arrays that promise too little: left as it is, unless the pass may ask for more.
// MISSED: remark: schedule-stage: missed: 'cake.copy' op via tma needs addresses that are multiples of 16 bytes, but %a {{.*}} promises 2 [ALIGNMENT]; declare the array with `align 16`
// CHECK-LABEL: cake.kernel @unaligned
// CHECK-NOT: cake.pipeline
// ASYNC-LABEL: cake.kernel @unaligned(%{{.*}}: !cake.global<[M]x[K]xbf16, align 16>, %{{.*}}: !cake.global<[N]x[K]xbf16, align 16>, %{{.*}}: !cake.global<[M]x[N]xf32>)
// ASYNC: cake.pipeline @ring
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @unaligned(%a: !cake.global<[M]x[K]xbf16>, %b: !cake.global<[N]x[K]xbf16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      cake.store %sum, %c[%m * 64, %n * 64] clip
    }
  }
}

// -----

// A tile of rows that no panel of 128 bytes holds stays where it is; the other operand goes alone.
// MISSED: remark: schedule-stage: missed: a tile of 64 rows of 64 bytes cannot be stored as sw128
// MISSED: remark: schedule-stage: missed: a tile of 64 rows of 64 bytes cannot be stored as sw128
// MISSED: remark: schedule-stage: missed: no load feeds a matrix product
// CHECK-LABEL: cake.kernel @narrow
// CHECK-NOT: cake.pipeline
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @narrow(%a: !cake.global<[M]x32xbf16, align 16>, %b: !cake.global<[N]x32xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %as = cake.load %a[%m * 64, 0] pad(0.0) : tensor<64x32xbf16, #cake.mma.a<4x1>>
      %bs = cake.load %b[%n * 64, 0] pad(0.0) : tensor<64x32xbf16, #cake.mma.b<4x1>>
      %sum = cake.mma %zero, %as * %bs form(mma.m16n8k16.nt)
      cake.store %sum, %c[%m * 64, %n * 64] clip
    }
  }
}

// -----

// Copies pad with 0 only.
// MISSED: remark: schedule-stage: missed: pads with 1.000000e+00 : bf16; copies pad with 0 only
// CHECK-LABEL: cake.kernel @ones
// CHECK: slot(b: !cake.shared<64x64xbf16, sw128>)
// CHECK: cake.load {{.*}} pad(1.0)
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @ones(%a: !cake.global<[M]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %as = cake.load %a[%m * 64, 0] pad(1.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %bs = cake.load %b[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %sum = cake.mma %zero, %as * %bs form(mma.m16n8k16.nt)
      cake.store %sum, %c[%m * 64, %n * 64] clip
    }
  }
}

// -----

// Templates have no numbers yet.
// MISSED: remark: schedule-stage: missed: the kernel is a template; run cake-instantiate first
// CHECK-LABEL: cake.kernel @template
cake.kernel @template(%x: !cake.global<[N]x[D]xbf16>) target("sm_90a") {
  cake.param @D = 64 in [64, 128]
  cake.role @all warps(4) {
  }
}
