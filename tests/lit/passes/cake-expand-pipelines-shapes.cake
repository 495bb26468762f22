// cake-expand-pipelines: shapes that the corpus kernels do not have.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --split-input-file %s | FileCheck %s

// A loader of two warps: 64 threads arrive for cp.async; without TMA nothing is announced. Four warps read.
// CHECK-LABEL: gpu.func @two_warps
// CHECK: gpu.mbarrier_init {{%.*}}, 64
// CHECK: gpu.mbarrier_init {{%.*}}, 4
// CHECK-NOT: expect_tx
// CHECK: gpu.return
!Row = tensor<64xf32, #cake.row<mma.acc<4x1>>>
!Col = tensor<64xf32, #cake.col<mma.acc<4x1>>>
cake.kernel @two_warps(%q: !cake.global<[K]xf32>, %y: !cake.global<[K]xf32>) target("sm_80") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(q: !cake.shared<64xf32, rows>)
  cake.tiles @work (k = ceildiv(K, 64)) schedule(grid)
  cake.role @load warps(2) {
    cake.items (%k) in @work {
      %t, %qs = cake.acquire @p
      cake.copy %q[%k * 64] -> %qs via(cp_async) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warps(4) {
    cake.items (%k) in @work {
      %t, %qs = cake.wait @p
      %f = cake.get %qs : !Col
      cake.release %t
      cake.store %f, %y[%k * 64] clip
    }
  }
}

// -----

// A loader of two warps with TMA: only its first warp announces the bytes, one lane of it; both arrive at the commit, or the
// second could be lapped. The whole function has two roles, so the loader's first warp is number 4 or 0 by the order of the text.
// CHECK-LABEL: gpu.func @first_warp
// CHECK-SAME: {first_warp = [[W:[0-9]+]] : i64, name = "load"
// CHECK: gpu.mbarrier_init {{%.*}}, 3
// CHECK: [[ONE:%.*]] = gpu.elect
// CHECK: [[WARP:%.*]] = gpu.warp_id
// CHECK: [[C:%.*]] = arith.constant [[W]] : index
// CHECK: [[IS:%.*]] = arith.cmpi eq, [[WARP]], [[C]] : index
// CHECK: [[BOTH:%.*]] = arith.andi [[IS]], [[ONE]] : i1
// CHECK: scf.if [[BOTH]] {
// CHECK-NEXT: gpu.mbarrier_arrive_expect_tx {{%.*}}, 8192
// CHECK: cake.copy
// CHECK: [[EACH:%.*]] = gpu.elect
// CHECK-NEXT: scf.if [[EACH]] {
// CHECK-NEXT: gpu.mbarrier_arrive {{%.*}}
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @first_warp(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xbf16>) target("sm_90a") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(2) {
    cake.items (%n) in @work {
      %t, %xs = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xs = cake.wait @p
      %f = cake.get %xs : !A
      cake.release %t
    }
  }
}

// -----

// Two slots are held at once and one is carried by a loop: it is carried as the number of its stage.
// CHECK-LABEL: gpu.func @carried
// CHECK: scf.for {{.*}} iter_args([[HELD:%.*]] = {{%.*}}, {{%.*}} = {{%.*}}, {{%.*}} = {{%.*}}) -> (i32, i32, i32)
// CHECK: gpu.mbarrier_wait
// CHECK: [[AT:%.*]] = arith.muli [[HELD]]
// CHECK: gpu.warp_sync
// CHECK: scf.yield
!Col2 = tensor<64xf32, #cake.col<mma.acc<4x1>>>
cake.kernel @carried(%q: !cake.global<[K]xf32>, %y: !cake.global<[K]xf32>) target("sm_80") {
  cake.pipeline @p stages(2) from(@load) to(@use) slot(q: !cake.shared<64xf32, rows>)
  cake.role @use warps(4) {
    %lower = arith.constant 0 : index
    %upper = arith.constant 4 : index
    %step = arith.constant 1 : index
    %first, %fs = cake.wait @p
    %last = scf.for %i = %lower to %upper step %step iter_args(%held = %first) -> (!cake.slot<@p, full>) {
      %t, %qs = cake.wait @p
      cake.release %held
      scf.yield %t : !cake.slot<@p, full>
    }
    cake.release %last
  }
  cake.role @load warps(1) {
    %lower = arith.constant 0 : index
    %upper = arith.constant 5 : index
    %step = arith.constant 1 : index
    scf.for %i = %lower to %upper step %step {
      %t, %qs = cake.acquire @p
      cake.copy %q[%i * 64] -> %qs via(cp_async) pad(0.0)
      cake.commit %t
    }
  }
}
