// cake-instantiate: parameters become numbers in types, attributes and expressions; choices and constraints are checked.
// RUN: cake-opt --cake-instantiate %s | FileCheck %s
// RUN: cake-opt --pass-pipeline='builtin.module(cake-instantiate{params="D=128,S=2"})' %s | FileCheck --check-prefix=OTHER %s
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-instantiate{params=D=96})' %s 2>&1 | FileCheck --check-prefix=CHOICE %s
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-instantiate{params="D=128,S=4"})' %s 2>&1 | FileCheck --check-prefix=REQUIRE %s
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-instantiate{params=Q=1})' %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-instantiate{params=D})' %s 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-instantiate{params=D=6x})' %s 2>&1 | FileCheck --check-prefix=SYNTAX %s
// CHOICE: error: 'cake.param' op cannot be 96 [PARAM_CHOICE]
// CHOICE: choose one of [64, 128]
// REQUIRE: error: 'cake.require' op does not hold for these parameters: D * S le 256 [PARAM_CHOICE]
// UNKNOWN: error: 'builtin.module' op has no kernel with a parameter 'Q' [PARAM_CHOICE]
// SYNTAX: error: {{.*}}'params' must be a list NAME=INTEGER,…, but holds 'D{{(=6x)?}}' [PASS_PIPELINE]

// CHECK: cake.kernel @k(%arg0 as x: !cake.global<[N]x64xbf16, align 16>)
// CHECK-NOT: {{cake.param|cake.require|#cake.of}}
// CHECK: cake.pipeline @ring stages(4) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
// CHECK-NEXT: cake.tiles @work{{ ?}}(n = ceildiv(N, 64)) schedule(grid)
// CHECK: cake.get %{{.*}}#1[0, 32] : tensor<64x32xbf16, #cake.mma.a<4x1>>
// CHECK: cake.index (%{{.*}} * 64 + 3) : index
// OTHER: cake.kernel @k(%arg0 as x: !cake.global<[N]x128xbf16, align 16>)
// OTHER: cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x128xbf16, sw128>)
// OTHER: cake.get %{{.*}}#1[0, 64] : tensor<64x64xbf16, #cake.mma.a<4x1>>
// OTHER: cake.index (%{{.*}} * 128 + 1) : index
cake.kernel @k(%x: !cake.global<[N]x[D]xbf16, align 16>) target("sm_90a") {
  cake.param @D = 64 in [64, 128]
  cake.param @S = 4 in 2..4
  cake.require D * S le 256
  cake.pipeline @ring stages(S) from(@load) to(@use) slot(x: !cake.shared<64x[D]xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt[0, D floordiv 2] : tensor<64x?xbf16, #cake.of<64x[D floordiv 2], mma.a<4x1>>>
      cake.release %t
      %i = cake.index (%n * D + (S - 1)) : index
    }
  }
}

// A kernel without these parameters is left as it is.
// CHECK: cake.kernel @other
cake.kernel @other(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @use warps(4) {
  }
}
