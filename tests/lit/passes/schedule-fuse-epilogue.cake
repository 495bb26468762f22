// schedule-fuse-epilogue: a product, and a kernel that adds a bias and applies ReLU to it, become one kernel; it computes what the two compute.
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-fuse-epilogue{producer=@product epilogue=@bias_relu})' %s -o %t.one
// RUN: FileCheck %s --input-file=%t.one
// DEFINE: %{sizes} = --size M=200,N=296,K=136
// RUN: cake-run %s --kernel @product --in a=random --in b=random %{sizes} --out c=%t.c.npy
// RUN: cake-run %s --kernel @bias_relu --in x=%t.c.npy --in bias=random --in unused=random --size K=5 --out bias=%t.bias.npy --out c=%t.y.npy
// RUN: cake-run %t.one --in a=random --in b=random --in bias=%t.bias.npy --in unused=random --size K2=5 %{sizes} --check c2=%t.y.npy
// Then it is scheduled like any other.
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-fuse-epilogue{producer=product epilogue=bias_relu result=c operand=x},schedule-stage,schedule-form,schedule-split{producer-regs=40 consumer-regs=232},schedule-replicate,schedule-pipeline{stages=4},schedule-persistent,schedule-store{columns=128 epilogue=true})' %s -o %t.hopper
// RUN: FileCheck %s --check-prefix=HOPPER --input-file=%t.hopper
// RUN: cake-run --level gpu %t.hopper --in a=random --in b=random --in bias=%t.bias.npy --in unused=random --size K2=5 %{sizes} --check c2=%t.y.npy

// A size of the same name that is another one gets a number.
// CHECK: cake.kernel @product(%arg0 as a: !cake.global<[M]x[K]xbf16, align 16>, %arg1 as b: !cake.global<[N]x[K]xbf16, align 16>, %arg2 as bias: !cake.global<[N]xf32>, %arg3 as c2: !cake.global<[M]x[N]xbf16, align 16>, %arg4 as unused: !cake.global<[K2]xf32>)
// CHECK-SAME: target("sm_90a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
// CHECK: [[SUM:%.*]] = cake.steps
// CHECK: [[HALF:%.*]] = arith.truncf [[SUM]]
// CHECK: cake.fill 0.0
// CHECK: arith.extf [[HALF]]
// CHECK: cake.load %arg2[%{{.*}} * 64]
// CHECK: cake.store %{{.*}}, %arg3[%{{.*}} * 64, %{{.*}} * 64] clip
// CHECK-NOT: cake.kernel
// HOPPER: [[SUM:%.*]] = cake.await
// HOPPER-NEXT: cake.unroll [[J:%.*]] = 0 to 2 {
// HOPPER-NEXT: [[PART:%.*]] = cake.slice [[SUM]][0, [[J]] * 128] : tensor<64x128xf32, #cake.wgmma.acc>
// HOPPER-NEXT: arith.truncf [[PART]]
// HOPPER-NEXT: cake.fill 0.0 : tensor<64x128xf32, #cake.wgmma.acc>
// HOPPER-NEXT: arith.extf
// HOPPER-NEXT: cake.load %arg2[%{{.*}} * 256 + [[J]] * 128] pad(0.0) : tensor<128xf32, #cake.col<wgmma.acc>>
// HOPPER: cake.commit %{{.*}} to(%arg3[%{{.*}} * 128 + instance * 64, %{{.*}} * 256 + [[J]] * 128])

// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-fuse-epilogue{producer=@product epilogue=@next})' %S/Inputs/epilogues.cake 2>&1 >/dev/null | FileCheck %S/Inputs/epilogues.cake
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-fuse-epilogue{producer=@product epilogue=@none})' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-fuse-epilogue{producer=@product epilogue=@product})' %s 2>&1 | FileCheck %s --check-prefix=SAME
// NONE: error: {{.*}}'epilogue' must name a kernel of the module, but is 'none' [PASS_PIPELINE]
// SAME: error: {{.*}}'producer' and 'epilogue' name one kernel [PASS_PIPELINE]
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Half = tensor<64x64xbf16, #cake.mma.acc<4x1>>
cake.kernel @product(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>, %c: !cake.global<[M]x[N]xbf16>)
    target("sm_80", "sm_90a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
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
      %half = arith.truncf %sum : !Acc to !Half
      cake.store %half, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @bias_relu(%x: !cake.global<[R]x[C]xbf16>, %bias: !cake.global<[C]xf32>, %c: !cake.global<[R]x[C]xbf16, align 16>, %unused: !cake.global<[K]xf32>) target("sm_90a") guard(C mod 8 eq 0) {
  cake.tiles @tiles (row = ceildiv(R, 64), column = ceildiv(C, 64)) schedule(persistent)
  cake.role @all warps(4) {
    %zero = cake.fill 0.0 : !Acc
    cake.items (%r, %c0) in @tiles {
      %xs = cake.load %x[%r * 64, %c0 * 64] pad(0.0) : !Half
      %f = arith.extf %xs : !Half to !Acc
      %bs = cake.load %bias[%c0 * 64] pad(0.0) : tensor<64xf32, #cake.col<mma.acc<4x1>>>
      %b = cake.spread %bs : !Acc
      %s = arith.addf %f, %b : !Acc
      %y = arith.maximumf %s, %zero : !Acc
      %h = arith.truncf %y : !Acc to !Half
      cake.store %h, %c[%r * 64, %c0 * 64] clip
    }
  }
}
