// Threads that read what the async proxy brought, and will bring again, fence before they give the slot back; matrix instructions alone need none.
// RUN: cake-opt --pass-pipeline='builtin.module(cake-instantiate,cake-assign-shared,cake-expand-roles,cake-expand-pipelines)' --split-input-file %s | FileCheck %s
!A = tensor<64x64xbf16, #cake.of<64x64, wgmma.a>>
!D = tensor<64x64xf32, #cake.wgmma.acc>
!P = !cake.pending<64x64xf32, wgmma.acc>
// CHECK-LABEL: gpu.func @read
// CHECK: cake.get
// CHECK-NEXT: gpu.fence_proxy_async
// CHECK-NEXT: gpu.warp_sync
// CHECK: gpu.mbarrier_arrive
// CHECK: gpu.mbarrier_wait
// CHECK-NOT: fence_proxy
// CHECK: gpu.warp_sync
// CHECK: gpu.mbarrier_arrive
cake.kernel @read(%a: !cake.global<[M]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[M]x[N]xf32, align 16>)
    target("sm_90a") guard(N mod 4 eq 0) {
  cake.pipeline @rows stages(1) from(@load) to(@mma) slot(a: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @ring stages(2) from(@load) to(@mma) slot(b: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 64)) steps(n = ceildiv(N, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %r, %at = cake.acquire @rows
      cake.copy %a[%m * 64, 0] -> %at via(tma) pad(0.0)
      cake.commit %r
      cake.steps (%n) in @work {
        %s, %bt = cake.acquire @ring
        cake.copy %b[%n * 64, 0] -> %bt via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @mma warpgroups(1) {
    cake.items (%m) in @work {
      %r, %at = cake.wait @rows
      %x = cake.get %at : !A
      cake.release %r
      cake.steps (%n) in @work {
        %s, %bt = cake.wait @ring
        %zero = cake.zero : !P
        %p = cake.mma %zero, %x * %bt form(wgmma.m64n64k16.nt)
        %sum = cake.await %p : !D
        cake.release %s
        cake.store %sum, %c[%m * 64, %n * 64] clip
      }
    }
  }
}

// -----

// Threads read one part and wgmma the other, in flight until the next round: what threads have read is fenced all the same.
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
// CHECK-LABEL: gpu.func @both
// CHECK: scf.for
// CHECK: cake.get
// CHECK: cake.mma
// CHECK: gpu.wgmma_wait 1
// CHECK-NEXT: gpu.fence_proxy_async
// CHECK-NEXT: gpu.warp_sync
// CHECK: gpu.mbarrier_arrive
// CHECK: cake.await
// CHECK-NEXT: gpu.fence_proxy_async
// CHECK-NEXT: gpu.warp_sync
// CHECK: gpu.mbarrier_arrive
// CHECK: cake.store
cake.kernel @both(%a: !cake.global<[K]x64xbf16, align 16>, %q: !cake.global<[K]xf32, align 16>, %c: !cake.global<64x64xf32, align 16>)
    target("sm_90a") guard(K ge 1) {
  cake.pipeline @ring stages(2) from(@load) to(@mma) slot(a: !cake.shared<64x64xbf16, sw128>, q: !cake.shared<64xf32, rows>)
  cake.tiles @work (m = 1) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      cake.steps (%k) in @work {
        %s, %at, %qt = cake.acquire @ring
        cake.copy %a[%k * 64, 0] -> %at via(tma) pad(0.0)
        cake.copy %q[%k * 64] -> %qt via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @mma warpgroups(1) {
    cake.items (%m) in @work {
      %none = cake.zero : !P
      %zero = cake.fill 0.0 : tensor<64xf32, #cake.row<wgmma.acc>>
      %p, %sum = cake.steps (%k) in @work iter(%so_far = %none, %old = %zero) {
        %s, %at, %qt = cake.wait @ring
        %x = cake.get %qt : tensor<64xf32, #cake.row<wgmma.acc>>
        %next = arith.addf %old, %x : tensor<64xf32, #cake.row<wgmma.acc>>
        %more = cake.mma %so_far, %at * %at form(wgmma.m64n64k16.nt)
        cake.release %s after(%more)
        cake.yield %more, %next
      }
      %d = cake.await %p : !D
      %rows = cake.spread %sum : !D
      %out = arith.addf %d, %rows : !D
      cake.store %out, %c[0, 0]
    }
  }
}
