// Parameters in the form of a matrix instruction and in the warps of a fragment's form: round trips, instances, and instances that do not exist.
// RUN: cake-opt %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --cake-instantiate='params="N=96,R=2"' %s | FileCheck %s --check-prefix=INSTANCE
// RUN: not cake-opt --cake-instantiate='params="N=264"' %s 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: not cake-opt --cake-instantiate='params="R=3"' %s 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not cake-opt --cake-instantiate='params="R=64"' %s 2>&1 | FileCheck %s --check-prefix=WARPS
!P = !cake.pending<64x[N]xf32, wgmma.acc>
!F = tensor<64x?xf32, #cake.of<64x[N], wgmma.acc>>
cake.kernel @wide(%a: !cake.global<64x64xbf16, align 16>, %y: !cake.global<64x256xf32, align 16>) target("sm_90a") {
  cake.param @N = 64 in [64, 96, 264]
  cake.param @R = 2 in [1, 2, 3, 64]
  cake.pipeline @p stages(1) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<[N]x64xbf16, sw128>)
  cake.role @load warps(1) {
    %s, %a1, %b1 = cake.acquire @p
    cake.copy %a[0, 0] -> %a1 via(tma)
    cake.copy %a[0, 0] -> %b1 via(tma) pad(0.0)
    cake.commit %s
  }
  cake.role @use warpgroups(1) {
    %s, %a1, %b1 = cake.wait @p
    %z = cake.zero : !P
    // CHECK: cake.mma %{{.*}}, %{{.*}} * %{{.*}} form(wgmma.m64n[N]k16.nt)
    // INSTANCE: cake.mma %{{.*}}, %{{.*}} * %{{.*}} form(wgmma.m64n96k16.nt)
    // COLUMNS: error: {{.*}}there is no wgmma.m64n264k16.nt
    %q = cake.mma %z, %a1 * %b1 form(wgmma.m64n[N]k16.nt)
    %f = cake.await %q : !F
    cake.release %s
    cake.store %f, %y[0, 0] clip {cake.partial}
  }
  cake.role @rows warps(2) {
    // CHECK: cake.load %{{.*}} : tensor<64x64xbf16, #cake.mma.a<[R]x1>>
    // INSTANCE: cake.load %{{.*}} : tensor<64x64xbf16, #cake.mma.a<2x1>>
    // ROWS: error: 'cake.load' op '{{.*}}#cake.mma.a<3x1>>' has 64 rows; its form needs a multiple of 48
    // WARPS: error: 'cake.load' op '{{.*}}' is spread over 64 warps; a form takes 1 to 32 along each dimension
    %x = cake.load %a[0, 0] : tensor<64x64xbf16, #cake.mma.a<[R]x1>>
    %b = cake.load %a[0, 0] : tensor<64x64xbf16, #cake.mma.b<[R]x1>>
    %z = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<[R]x1>>
    // CHECK: cake.mma %{{.*}}, %{{.*}} * %{{.*}} form(mma.m16n8k16.nt)
    %q = cake.mma %z, %x * %b form(mma.m16n8k16.nt)
  }
}
