// schedule-split-reduction: the steps of an item become those of several, whose sums are added up.
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-split-reduction{parts=4})' %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: cake-opt --split-input-file --schedule-split-reduction %s 2>/dev/null | cake-opt --split-input-file | FileCheck %s --check-prefix=EIGHT
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-split-reduction{parts=1})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}'parts' must be at least 2 [PASS_PIPELINE]

!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!B = tensor<64x64xbf16, #cake.mma.b<4x1>>

// CHECK-LABEL: cake.kernel @product
// CHECK: cake.tiles @work(part = 4, m = ceildiv(M, 64)) steps(k = ceildiv(ceildiv(K, 64), 4)) schedule(persistent, group<m, 8>)
// CHECK: cake.items ([[P:%[a-z0-9]+]], [[M:%[a-z0-9]+]]) in @work {
// CHECK: cake.steps ([[K:%[a-z0-9]+]]) in @work iter(
// CHECK: cake.load %{{.*}}{{\[}}[[M]] * 64, ([[P]] * ceildiv(ceildiv(K, 64), 4) + [[K]]) * 64] pad(0.0)
// CHECK: cake.index ([[P]] * ceildiv(ceildiv(K, 64), 4) + [[K]]) : index
// CHECK: cake.load %{{.*}}[0, %{{.*}} * 64] pad(0.0)
// CHECK: cake.commit %{{.*}} to(%{{.*}}{{\[}}[[M]] * 64, 0]) reduce add
// EIGHT: cake.tiles @work(part = 8, m = ceildiv(M, 64)) steps(k = ceildiv(ceildiv(K, 64), 8))
cake.kernel @product(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<64x[K]xbf16, align 16>, %c: !cake.global<[M]x64xf32, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, K ge 1) {
  cake.pipeline @out stages(1) from(@all) to(store) slot(c: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (m = ceildiv(M, 64)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, 8>)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : !A
        %at = cake.index (%k) : index
        %bs = cake.load %b[0, %at * 64] pad(0.0) : !B
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      %s, %cs = cake.acquire @out
      cake.put %sum, %cs
      cake.commit %s to(%c[%m * 64, 0])
    }
  }
}

// -----

// MISSED: remark: schedule-split-reduction: missed: has no steps that could be shared out
// CHECK-LABEL: cake.kernel @stepless
// CHECK-NOT: reduce add
cake.kernel @stepless(%c: !cake.global<[M]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(c: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (m = ceildiv(M, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %one = cake.fill 1.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      %s, %cs = cake.acquire @out
      cake.put %one, %cs
      cake.commit %s to(%c[%m * 64, 0])
    }
  }
}

// -----

// A sum that begins with something else would have it added once for each part.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!B = tensor<64x64xbf16, #cake.mma.b<4x1>>
cake.kernel @bias(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<64x[K]xbf16, align 16>, %c: !cake.global<[M]x64xf32, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, K ge 1) {
  cake.pipeline @out stages(1) from(@all) to(store) slot(c: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (m = ceildiv(M, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %one = cake.fill 1.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %one) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : !A
        %bs = cake.load %b[0, %k * 64] pad(0.0) : !B
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      %s, %cs = cake.acquire @out
      // MISSED: [[@LINE+1]]:7: remark: schedule-split-reduction: missed: what is stored is no sum of products over the steps that begins with 0
      cake.put %sum, %cs
      cake.commit %s to(%c[%m * 64, 0])
    }
  }
}

// -----

// So would what is done to the sum behind the steps, or within them.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!B = tensor<64x64xbf16, #cake.mma.b<4x1>>
cake.kernel @scaled(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<64x[K]xbf16, align 16>, %c: !cake.global<[M]x64xf32, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, K ge 1) {
  cake.pipeline @out stages(1) from(@all) to(store) slot(c: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (m = ceildiv(M, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : !A
        %bs = cake.load %b[0, %k * 64] pad(0.0) : !B
        %scaled = arith.mulf %so_far, %so_far : !Acc
        %more = cake.mma %scaled, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      %s, %cs = cake.acquire @out
      // MISSED: [[@LINE+1]]:7: remark: schedule-split-reduction: missed: what is stored is no sum of products over the steps that begins with 0
      cake.put %sum, %cs
      cake.commit %s to(%c[%m * 64, 0])
    }
  }
}

// -----

// A predicate that counts steps.
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
!B = tensor<64x64xbf16, #cake.mma.b<4x1>>
cake.kernel @kept(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<64x[K]xbf16, align 16>, %c: !cake.global<[M]x64xf32, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, K ge 1) {
  cake.pipeline @out stages(1) from(@all) to(store) slot(c: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (m = ceildiv(M, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        // MISSED: [[@LINE+1]]:15: remark: schedule-split-reduction: missed: 'cake.load' uses the step otherwise than in a place
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) keep(col + %k * 64 lt K) : !A
        %bs = cake.load %b[0, %k * 64] pad(0.0) : !B
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      %s, %cs = cake.acquire @out
      cake.put %sum, %cs
      cake.commit %s to(%c[%m * 64, 0])
    }
  }
}
