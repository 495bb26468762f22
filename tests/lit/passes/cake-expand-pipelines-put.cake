// cake-expand-pipelines: slots that threads fill, for another role.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --canonicalize --cse --split-input-file %s | FileCheck %s

// One arrival with the bytes of the copy, and one of each of the two warps. wgmma reads what they write: a proxy fence, then the lanes of a warp
// meet, and one arrives.
// CHECK-LABEL: gpu.func @matrix
// CHECK: gpu.mbarrier_init {{%.*}}, 3
// CHECK: gpu.mbarrier_arrive_expect_tx {{%.*}}, 8192
// CHECK: cake.copy
// CHECK: cake.put
// CHECK-NEXT: gpu.fence_proxy_async
// CHECK-NEXT: gpu.warp_sync
// CHECK: [[ONE:%.*]] = gpu.elect
// CHECK-NEXT: scf.if [[ONE]] {
// CHECK-NEXT: gpu.mbarrier_arrive {{%.*}}
cake.kernel @matrix(%a: !cake.global<64x64xbf16, align 16>, %b: !cake.global<64x16xbf16, align 16>, %c: !cake.global<64x64xf32, align 16>)
    target("sm_90a") {
  cake.pipeline @in stages(1) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<64x16xbf16, sw32>)
  cake.tiles @work (m = 1) schedule(grid)
  cake.role @load warps(2) {
    cake.items (%m) in @work {
      %s, %as, %bs = cake.acquire @in
      cake.copy %a[0, 0] -> %as via(tma)
      %f = cake.load %b[0, 0] : tensor<64x16xbf16, #cake.vec<lane, 16>>
      cake.put %f, %bs
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%m) in @work {
      %s, %as, %bs = cake.wait @in
      %rows = cake.get %as : tensor<64x64xbf16, #cake.wgmma.acc>
      %ones = cake.fill 1.0 : tensor<64x16xbf16, #cake.wgmma.a>
      %zero = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      %p = cake.mma %zero, %ones * %bs form(wgmma.m64n64k16.nt)
      %f = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %s
      cake.store %f, %c[0, 0]
    }
  }
}

// -----

// A reader that loads needs no proxy fence, and without a copy nothing announces bytes.
// CHECK-LABEL: gpu.func @plain
// CHECK: gpu.mbarrier_init {{%.*}}, 1
// CHECK-NOT: expect_tx
// CHECK-NOT: fence_proxy_async
// CHECK: cake.put
// CHECK-NEXT: gpu.warp_sync
// CHECK: gpu.mbarrier_arrive
cake.kernel @plain(%a: !cake.global<16x64xbf16, align 16>, %b: !cake.global<8x64xbf16, align 16>, %c: !cake.global<16x8xf32>) target("sm_90a") {
  cake.pipeline @in stages(2) from(@load) to(@use) slot(a: !cake.shared<16x64xbf16, sw128>)
  cake.tiles @work (m = 1) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %s, %as = cake.acquire @in
      %f = cake.load %a[0, 0] : tensor<16x64xbf16, #cake.mma.acc<1x1>>
      cake.put %f, %as
      cake.commit %s
    }
  }
  cake.role @use warps(1) {
    cake.items (%m) in @work {
      %s, %as = cake.wait @in
      %x = cake.get %as : tensor<16x64xbf16, #cake.mma.a<1x1>>
      cake.release %s
      %y = cake.load %b[0, 0] : tensor<8x64xbf16, #cake.mma.b<1x1>>
      %zero = cake.fill 0.0 : tensor<16x8xf32, #cake.mma.acc<1x1>>
      %z = cake.mma %zero, %x * %y form(mma.m16n8k16.nt)
      cake.store %z, %c[0, 0]
    }
  }
}
