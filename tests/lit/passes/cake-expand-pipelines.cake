// cake-expand-pipelines: set-up, counters through loops, the barriers of copies and readers.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --split-input-file %s | FileCheck %s

// One pipeline an item (one stage: only the phase is carried), one a step (stage and phase). @x by TMA (1 arrival), @c and @q by both (1 + 32);
// every warp of both replicas releases (8).
// CHECK-LABEL: gpu.func @both
// CHECK-NOT: cake.pipeline
// CHECK: [[SHARED:%.*]] = gpu.shared_memory
// CHECK: [[THREAD:%.*]] = gpu.thread_id x
// CHECK: [[FIRST:%.*]] = arith.cmpi eq, [[THREAD]], {{%.*}} : index
// CHECK: scf.if [[FIRST]] {
// CHECK:   gpu.mbarrier_init {{%.*}}, 1
// CHECK:   gpu.mbarrier_init {{%.*}}, 8
// CHECK:   scf.for {{.*}} {
// CHECK:     gpu.mbarrier_init {{%.*}}, 33
// CHECK:     gpu.mbarrier_init {{%.*}}, 8
// CHECK:   }
// CHECK:   gpu.mbarrier_init_fence
// CHECK: }
// CHECK: gpu.barrier

// The reading role: waits for `full` with its phase.
// CHECK: scf.if {{%.*}} {
// CHECK:   [[ZERO:%.*]] = arith.constant 0 : i32
// CHECK:   gpu.setmaxnreg increase 232
// CHECK:   scf.for {{.*}} iter_args([[PX:%.*]] = [[ZERO]], [[ST0:%.*]] = [[ZERO]], [[PH0:%.*]] = [[ZERO]]) -> (i32, i32, i32)
// CHECK:     gpu.mbarrier_wait {{%.*}}, [[PX]]
// CHECK:     [[PX2:%.*]] = arith.xori [[PX]], {{%.*}} : i32
// CHECK:     [[IN:%.*]]:3 = scf.for {{.*}} iter_args([[ACC:%.*]] = {{%.*}}, [[ST:%.*]] = [[ST0]], [[PH:%.*]] = [[PH0]])
// CHECK:       [[EIGHT:%.*]] = arith.constant 8 : i32
// CHECK:       [[AT:%.*]] = arith.muli [[ST]], [[EIGHT]] : i32
// CHECK:       [[FULLAT:%.*]] = arith.addi [[AT]], {{%.*}} : i32
// CHECK:       [[FULL:%.*]] = gpu.ptr_add [[SHARED]], [[FULLAT]]
// CHECK:       gpu.mbarrier_wait [[FULL]], [[PH]]
// CHECK:       [[NEXT:%.*]] = arith.addi [[ST]], {{%.*}} : i32
// CHECK:       [[WRAPS:%.*]] = arith.cmpi eq, [[NEXT]], {{%.*}} : i32
// CHECK:       [[FLIP:%.*]] = arith.extui [[WRAPS]] : i1 to i32
// CHECK:       [[ST2:%.*]] = arith.select [[WRAPS]], {{%.*}}, [[NEXT]] : i32
// CHECK:       [[PH2:%.*]] = arith.xori [[PH]], [[FLIP]] : i32
// CHECK:       builtin.unrealized_conversion_cast {{%.*}} : !gpu.ptr<shared> to !cake.shared<128x64xbf16, sw128>
// CHECK:       [[Q:%.*]] = builtin.unrealized_conversion_cast {{%.*}} : !gpu.ptr<shared> to !cake.shared<128xf32, rows>
// CHECK:       cake.get [[Q]]
// CHECK:       gpu.warp_sync
// CHECK:       [[ONE:%.*]] = gpu.elect
// CHECK:       scf.if [[ONE]] {
// CHECK:         gpu.mbarrier_arrive
// CHECK:       scf.yield {{%.*}}, [[ST2]], [[PH2]]
// CHECK:     scf.yield [[PX2]], [[IN]]#1, [[IN]]#2

// The loading role: waits for `empty` with the other phase, announces the bytes, gives the copies their mbarrier.
// CHECK: } else {
// CHECK:   scf.if {{%.*}} {
// CHECK:   gpu.setmaxnreg decrease 40
// CHECK:   scf.if {{%.*}} {
// CHECK:     scf.for
// CHECK:       [[OTHER:%.*]] = arith.xori {{%.*}}, {{%.*}} : i32
// CHECK:       gpu.mbarrier_wait {{%.*}}, [[OTHER]]
// CHECK:       gpu.elect
// CHECK:       gpu.mbarrier_arrive_expect_tx {{%.*}}, 16384
// CHECK:       cake.copy
// CHECK:       scf.for
// CHECK:         gpu.mbarrier_arrive_expect_tx [[RING:%.*]], 16384
// CHECK:         cake.copy {{.*}} via(tma) pad(0.0) barrier([[RING]])
// CHECK:         cake.copy {{.*}} via(cp_async) pad(0.0){{$}}
// CHECK:         gpu.cp_async_mbarrier_arrive
// CHECK:   } {cake.role = "load"}
!Acc = tensor<64x128xf32, #cake.wgmma.acc>
!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Col = tensor<128xf32, #cake.col<wgmma.acc>>
cake.kernel @both(%x: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[K]x64xbf16, align 16>, %q: !cake.global<[K]xf32>,
    %y: !cake.global<[K]xf32>) target("sm_90a") {
  cake.pipeline @points stages(1) from(@load) to(@use) slot(x: !cake.shared<128x64xbf16, sw128>)
  cake.pipeline @ring stages(3) from(@load) to(@use) slot(c: !cake.shared<128x64xbf16, sw128>, q: !cake.shared<128xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 128)) steps(k = ceildiv(K, 128)) schedule(persistent)
  cake.role @load warps(1) regs(40) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @points
      cake.copy %x[%n * 128, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
      cake.steps (%k) in @work {
        %t, %cs, %qs = cake.acquire @ring
        cake.copy %c[%k * 128, 0] -> %cs via(tma) pad(0.0)
        cake.copy %q[%k * 128] -> %qs via(cp_async) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @use warpgroups(1) replicate(2) regs(232) {
    %zero = cake.fill 0.0 : !Col
    cake.items (%n) in @work {
      %s, %xs = cake.wait @points
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %t, %cs, %qs = cake.wait @ring
        %none = cake.zero : !Pending
        %issued = cake.mma %none, %xs[instance * 64, 0] * %cs form(wgmma.m64n128k16.nt)
        %dot = cake.await %issued : !Acc
        %f = cake.get %qs : !Col
        cake.release %t
        %next = arith.addf %so_far, %f : !Col
        cake.yield %next
      }
      cake.release %s
      cake.store %sum, %y[%n * 256 + instance * 128] clip
    }
  }
}
