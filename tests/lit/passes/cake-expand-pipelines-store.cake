// cake-expand-pipelines: slots that the store engine empties, and releases that wait for matrix instructions.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --canonicalize --cse --split-input-file %s | FileCheck %s

// Each of two warpgroups has a ring of two slots of 16384 bytes, no mbarrier. One thread of a warpgroup waits until the slot that was stored two
// commits ago has been read; all meet (barriers 1 and 2); behind the put they meet again behind the proxy fence, and that thread stores.
// CHECK-LABEL: gpu.func @store
// CHECK-SAME: shared_bytes = 65536 : i64
// CHECK-NOT: mbarrier
// CHECK: scf.for {{.*}} iter_args([[STAGE:%.*]] = {{%.*}}) -> (i32) {
// CHECK:   scf.if {{%.*}} {
// CHECK:     [[ONE:%.*]] = gpu.elect
// CHECK:     scf.if [[ONE]] {
// CHECK:       gpu.bulk_wait_read 1
// CHECK:   gpu.named_barrier [[ID:%.*]], 128
// CHECK:   [[WRAPS:%.*]] = arith.cmpi eq
// CHECK:   [[NEXT:%.*]] = arith.select [[WRAPS]]
// CHECK:   cake.put
// CHECK:   gpu.fence_proxy_async
// CHECK:   gpu.named_barrier [[ID]], 128
// CHECK:   scf.if {{%.*}} {
// CHECK:     gpu.elect
// CHECK:       cake.store_view {{%.*}}, {{%.*}}[{{%.*}} * 128 + {{%.*}} * 64, 0]
// CHECK:       gpu.bulk_commit
// CHECK:   scf.yield [[NEXT]] : i32
// Before the program ends nothing reads shared memory any more.
// CHECK: scf.if {{%.*}} {
// CHECK:   gpu.elect
// CHECK:     gpu.bulk_wait_read 0
!Acc = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @store(%y: !cake.global<[M]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(2) from(@use each) to(store) slot(y: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 128)) schedule(persistent)
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 128 + instance * 64, 0])
    }
  }
}

// -----

// A role of one warp needs no named barrier.
// CHECK-LABEL: gpu.func @warp
// CHECK-NOT: named_barrier
// CHECK: gpu.bulk_wait_read 0
// CHECK: gpu.warp_sync
// CHECK: cake.put
// CHECK: gpu.fence_proxy_async
// CHECK-NEXT: gpu.warp_sync
// CHECK: cake.store_view
cake.kernel @warp(%y: !cake.global<[M]x16xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<16x16xf32, rows>)
  cake.tiles @work (m = ceildiv(M, 16)) schedule(grid)
  cake.role @use warps(1) {
    cake.items (%m) in @work {
      %f = cake.fill 1.0 : tensor<16x16xf32, #cake.mma.acc<1x1>>
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 16, 0])
    }
  }
}

// -----

// The accumulator stays in flight over the back edge: each round waits for the group of the round before and gives that round's slot back; the last
// slot is given back behind the await. The guard says that there is a round.
// CHECK-LABEL: gpu.func @deferred
// CHECK: scf.for
// CHECK:   [[LOOP:%.*]]:3 = scf.for [[K:%.*]] = [[FIRST:%.*]] to {{%.*}} step {{.*}} iter_args({{%.*}} = {{%.*}}, [[STAGE:%.*]] = {{%.*}}, {{%.*}} = {{%.*}})
// CHECK:     gpu.mbarrier_wait
// CHECK:     cake.mma
// CHECK-NEXT: gpu.wgmma_wait 1
// CHECK-DAG: [[HAS:%.*]] = arith.cmpi ne, [[K]], [[FIRST]] : index
// CHECK-DAG: [[ZERO:%.*]] = arith.cmpi eq, [[STAGE]], {{%.*}} : i32
// CHECK:     arith.select [[ZERO]]
// CHECK:     [[ONE:%.*]] = gpu.elect
// CHECK:     [[BOTH:%.*]] = arith.andi [[ONE]], [[HAS]] : i1
// CHECK:     scf.if [[BOTH]] {
// CHECK:       gpu.mbarrier_arrive
// CHECK:   } {cake.nonempty}
// CHECK:   cake.await [[LOOP]]#0
// CHECK-NOT: arith.cmpi slt
// CHECK:   arith.cmpi eq, [[LOOP]]#1
// CHECK:   scf.if
// CHECK:     gpu.mbarrier_arrive
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @deferred(%x: !cake.global<[N]x[K]xbf16, align 16>) target("sm_90a") guard(K mod 8 eq 0, K ge 1) {
  cake.pipeline @ring stages(3) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(persistent)
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %z = cake.zero : !P
      %p = cake.steps (%k) in @work iter(%q = %z) {
        %t, %xt = cake.wait @ring
        %r = cake.mma %q, %xt * %xt form(wgmma.m64n64k16.nt)
        cake.release %t after(%r)
        cake.yield %r
      }
      %d = cake.await %p : !D
    }
  }
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, %k * 64] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
}

// -----

// One stage alone: the producer needs the slot before the next round, so each round waits for its own group. Without a promise that there is a
// round, and with two groups a round of which the first reads the slot, one group stays in flight.
// CHECK-LABEL: gpu.func @at_once
// CHECK: cake.mma
// CHECK: cake.mma
// CHECK-NEXT: gpu.wgmma_wait 1
// CHECK-NOT: arith.cmpi ne
// CHECK: gpu.mbarrier_arrive
// CHECK-NOT: cake.nonempty
// CHECK: cake.await
// CHECK-NOT: gpu.mbarrier_arrive
// CHECK: cake.await
// CHECK-NOT: gpu.mbarrier_arrive
// CHECK: gpu.warp_sync
// CHECK: else
!P = !cake.pending<64x64xf32, wgmma.acc>
!D = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @at_once(%x: !cake.global<[N]x[K]xbf16, align 16>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.pipeline @whole stages(1) from(@load) to(@use) slot(y: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %w, %yt = cake.wait @whole
      %z = cake.zero : !P
      %z2 = cake.zero : !P
      %p, %p2 = cake.steps (%k) in @work iter(%q = %z, %q2 = %z2) {
        %t, %xt = cake.wait @ring
        %r = cake.mma %q, %xt * %xt form(wgmma.m64n64k16.nt)
        %r2 = cake.mma %q2, %yt * %yt form(wgmma.m64n64k16.nt)
        cake.release %t after(%r)
        cake.yield %r, %r2
      }
      %d = cake.await %p : !D
      %d2 = cake.await %p2 : !D
      cake.release %w
    }
  }
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %w, %ys = cake.acquire @whole
      cake.copy %x[%n * 64, 0] -> %ys via(tma) pad(0.0)
      cake.commit %w
      cake.steps (%k) in @work {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%n * 64, %k * 64] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
}

// -----

// A slot that is added: as one that is written, and the engine is told.
// CHECK-LABEL: gpu.func @added
// CHECK: gpu.bulk_wait_read 0
// CHECK: cake.put
// CHECK: gpu.fence_proxy_async
// CHECK-NEXT: gpu.warp_sync
// CHECK: cake.store_view {{%.*}}, {{%.*}}[{{%.*}} * 16, 0] reduce add
// CHECK-NEXT: gpu.bulk_commit
cake.kernel @added(%y: !cake.global<[M]x16xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<16x16xf32, rows>)
  cake.tiles @work (p = 3, m = ceildiv(M, 16)) schedule(grid)
  cake.role @use warps(1) {
    cake.items (%p, %m) in @work {
      %f = cake.fill 1.0 : tensor<16x16xf32, #cake.mma.acc<1x1>>
      %o, %c = cake.acquire @out
      cake.put %f, %c
      cake.commit %o to(%y[%m * 16, 0]) reduce add
    }
  }
}
