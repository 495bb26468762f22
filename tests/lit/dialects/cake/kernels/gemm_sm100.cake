// RUN: cake-opt %s -o %t.1
// RUN: cake-opt %t.1 | cmp - %t.1
// RUN: cake-opt --print-op-generic %t.1 -o %t.2
// RUN: cake-opt %t.2 | cmp - %t.1
// RUN: cake-opt --cake-instantiate %t.1 | FileCheck %s
// RUN: not cake-translate --target sm_100a %s 2>&1 | FileCheck --check-prefix=LOWER %s
// A GEMM for Blackwell: a loader, one warp that issues tcgen05 into tensor memory twice over, and a warpgroup that stores.
// No lowering takes tensor memory yet; that is said at the pipeline.

// CHECK: cake.pipeline @acc stages(2) from(@mma) to(@epi) slot(d: !cake.tmem<128x256xf32, acc>)
// CHECK: cake.zero {{%.*}} : !cake.pending<128x256xf32, tcgen05.acc>
// CHECK: cake.mma {{%.*}}, {{%.*}} * {{%.*}} form(tcgen05.m128n256k16.nt)
// CHECK: cake.release {{%.*}} after({{%.*}})
// CHECK: cake.commit {{%.*}} after({{%.*}})
// CHECK: cake.get {{%.*}}[0, {{%.*}} * 64] : tensor<128x64xf32, #cake.tmem.ld>
// LOWER: gemm_sm100.cake:[[@LINE+8]]:{{.*}}part 'd' is of type '!cake.tmem<128x256xf32, acc>'; tensor memory has no lowering yet
!P = !cake.pending<128x256xf32, tcgen05.acc>
!V = tensor<128x64xf32, #cake.tmem.ld>
!W = tensor<128x64xbf16, #cake.tmem.ld>
cake.kernel @gemm_sm100(%A: !cake.global<[M]x[K]xbf16, align 16>, %B: !cake.global<[N]x[K]xbf16, align 16>, %C: !cake.global<[M]x[N]xbf16, align 16>)
    target("sm_100a", "sm_103a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.param @S = 4 in 2..4
  cake.pipeline @ab stages(S) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<256x64xbf16, sw128>)
  cake.pipeline @acc stages(2) from(@mma) to(@epi) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.pipeline @out stages(2) from(@epi) to(store) slot(c: !cake.shared<128x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, 256)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, 8>)
  cake.role @load warps(1) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %s, %a, %b = cake.acquire @ab
        cake.copy %A[%m * 128, %k * 64] -> %a via(tma) pad(0.0)
        cake.copy %B[%n * 256, %k * 64] -> %b via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @mma warps(1) {
    cake.items (%m, %n) in @work {
      %t, %d = cake.acquire @acc
      %z = cake.zero %d : !P
      %p = cake.steps (%k) in @work iter(%q = %z) {
        %s, %a, %b = cake.wait @ab
        %q1 = cake.mma %q, %a * %b form(tcgen05.m128n256k16.nt)
        cake.release %s after(%q1)
        cake.yield %q1
      }
      cake.commit %t after(%p)
    }
  }
  cake.role @epi warpgroups(1) {
    cake.items (%m, %n) in @work {
      %t, %d = cake.wait @acc
      cake.unroll %j = 0 to 4 {
        %v = cake.get %d[0, %j * 64] : !V
        %w = arith.truncf %v : !V to !W
        %o, %c = cake.acquire @out
        cake.put %w, %c
        cake.commit %o to(%C[%m * 128, %n * 256 + %j * 64])
      }
      cake.release %t
    }
  }
}
