// cake-expand-pipelines and cake-expand-fragments: tensor memory and tcgen05.
// RUN: cake-opt %s --cake-assign-shared --cake-expand-roles --cake-expand-pipelines | FileCheck %s
// RUN: cake-opt %s --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s --check-prefix=THREADS

// CHECK-LABEL: gpu.func @product
// CHECK-SAME:  tensor_memory = {address = {{[0-9]+}} : i64, columns = 128 : i64}
// The matrix instructions of a step arrive at the slot's empty barrier, for which one arrival a phase is expected; those of an item fill a slot.
// CHECK:      gpu.mbarrier_init %{{.*}}, 1
// CHECK:      gpu.mbarrier_init %{{.*}}, 1
// CHECK:      gpu.mbarrier_init %{{.*}}, 1
// CHECK:      gpu.mbarrier_init %{{.*}}, 4
// CHECK:      scf.if %{{.*}} {
// CHECK-NEXT:   gpu.tcgen05_alloc %{{.*}}, 128
// CHECK:      gpu.tcgen05_fence before
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: gpu.tcgen05_fence after
// CHECK:      %[[TENSOR:.*]] = gpu.tcgen05_address %{{.*}}
// The reader of accumulators: fences on its side of both barriers.
// CHECK:      gpu.mbarrier_wait
// CHECK-NEXT: gpu.tcgen05_fence after
// CHECK:      cake.get
// CHECK:      gpu.tcgen05_fence before
// CHECK-NEXT: gpu.warp_sync
// CHECK:      gpu.mbarrier_arrive
// CHECK:      cake.mma
// CHECK:      scf.if
// CHECK-NEXT:   gpu.tcgen05_commit
// CHECK:      cake.commit_mma %{{.*}} at %{{.*}} : !cake.pending<128x64xf32, tcgen05.acc>, !gpu.ptr<shared>
// CHECK:      gpu.tcgen05_fence before
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: gpu.tcgen05_fence after
// CHECK:      gpu.tcgen05_dealloc %[[TENSOR]], 128

// A lane reads its row: 32 columns, and 16 behind them.
// THREADS-LABEL: gpu.func @product
// THREADS:     %[[WIDE:.*]] = gpu.tcgen05_ld %{{.*}} : vector<32xf32>
// THREADS:     %[[NARROW:.*]] = gpu.tcgen05_ld %{{.*}} : vector<16xf32>
// THREADS:     gpu.tcgen05_wait_ld %[[WIDE]], %[[NARROW]] : vector<32xf32>, vector<16xf32>
// Each lane stores its row, 16 bytes at a time.
// THREADS-COUNT-12: gpu.store %{{.*}} : vector<4xf32>, !gpu.ptr<global>
// THREADS-NOT: gpu.store
// The first slice of an item does not read the accumulator, which is the same one in all rounds.
// THREADS:     scf.for {{.*}} iter_args(%[[HAS:[a-z0-9]*]] = {{.*}} -> (i1, i32, i32)
// THREADS:     gpu.tcgen05_mma %[[D:[0-9]+]], %{{.*}}, %{{.*}}, 128 x 64 if %[[HAS]] : bf16
// THREADS:     gpu.tcgen05_mma %[[D]], %{{.*}}, %{{.*}}, 128 x 64 if %{{.*}} : bf16
// THREADS:     gpu.tcgen05_commit
// THREADS:     gpu.tcgen05_commit
cake.kernel @product(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<64x[K]xbf16, align 16>, %c: !cake.global<[M]x48xf32, align 16>)
    target("sm_100a") guard(K mod 32 eq 0, K ge 1, M mod 128 eq 0) {
  cake.pipeline @ab stages(2) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @acc stages(2) from(@mma) to(@epi) slot(d: !cake.tmem<128x64xf32, acc>)
  cake.tiles @work (m = ceildiv(M, 128)) steps(k = ceildiv(K, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      cake.steps (%k) in @work {
        %s, %as, %bs = cake.acquire @ab
        cake.copy %a[%m * 128, %k * 64] -> %as via(tma) pad(0.0)
        cake.copy %b[0, %k * 64] -> %bs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @mma warps(1) {
    cake.items (%m) in @work {
      %t, %d = cake.acquire @acc
      %z = cake.zero %d : !cake.pending<128x64xf32, tcgen05.acc>
      %p = cake.steps (%k) in @work iter(%q = %z) {
        %s, %as, %bs = cake.wait @ab
        %q1 = cake.mma %q, %as * %bs form(tcgen05.m128n64k16.nt)
        cake.release %s after(%q1)
        cake.yield %q1
      }
      cake.commit %t after(%p)
    }
  }
  cake.role @epi warpgroups(1) {
    cake.items (%m) in @work {
      %t, %d = cake.wait @acc
      %v = cake.get %d[0, 8] : tensor<128x48xf32, #cake.tmem.ld>
      cake.release %t
      cake.store %v, %c[%m * 128, 0] clip
    }
  }
}
