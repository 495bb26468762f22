// schedule-interleave: two chains of rows; both products are issued before the first is looked at, and slots go back behind both.
// DEFINE: %{split} = cake-instantiate,schedule-stage{align=16},schedule-form{form=wgmma.m64n128k16.nt group=4 keep=true},schedule-split
// RUN: cake-opt --pass-pipeline='builtin.module(%{split},schedule-replicate,schedule-interleave)' %cake_src/bench/kernels/kmeans_assign_naive.cake | FileCheck %s
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage,schedule-form{form=wgmma.m64n128k16.nt},schedule-split,schedule-interleave,schedule-replicate,schedule-pipeline)' %cake_src/bench/kernels/gemm_naive.cake | FileCheck %s --check-prefix=CHAIN
// RUN: cake-opt --schedule-stage --schedule-form --schedule-interleave %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=SELF
// RUN: cake-opt --schedule-interleave %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=SYNC
// RUN: cake-opt --cake-instantiate --schedule-interleave %cake_src/bench/kernels/gemm.cake 2>&1 | FileCheck %s --check-prefix=PART
// RUN: cake-opt --cake-instantiate --schedule-interleave %cake_src/bench/kernels/gemm_bias_act.cake 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: cake-opt --cake-instantiate --schedule-interleave %cake_src/bench/kernels/rmsnorm.cake 2>&1 | FileCheck %s --check-prefix=NONE
// SELF: remark: schedule-interleave: missed: is filled by the role itself; schedule-split gives that to another role
// SYNC: remark: schedule-interleave: missed: has no product that is pending; schedule-form makes one
// PART: remark: schedule-interleave: missed: 'cake.put' cannot work on a tile of another size: it writes a part of a fragment
// SHARED: remark: schedule-interleave: missed: the result is refused: 'cake.kernel' op needs {{[0-9]+}} bytes of shared memory
// NONE: remark: schedule-interleave: missed: has no product that is pending; schedule-form makes one

// CHECK: cake.tiles @work(b = B, n = ceildiv(N, 256)) steps(k = ceildiv(K, 128))
// CHECK: slot(x: !cake.shared<256x64xbf16, sw128>)
// CHECK: cake.role @all warpgroups(1) replicate(2)
// CHECK: [[A0:%.*]] = cake.get [[X:%[0-9]+#1]][instance * 128, 0] : tensor<64x64xbf16, #cake.wgmma.a>
// CHECK: [[A1:%.*]] = cake.get [[X]][instance * 128 + 64, 0] : tensor<64x64xbf16, #cake.wgmma.a>
// CHECK: [[EMPTY:%.*]] = cake.best.init
// CHECK: [[LAST:%.*]]:2 = cake.steps ({{.*}}) in @work iter([[B0:%.*]] = [[EMPTY]], [[B1:%.*]] = [[EMPTY]]) {
// CHECK: [[W:%[0-9]+]]:3 = cake.wait @ring
// CHECK: [[P0:%.*]] = cake.mma %{{.*}}, [[A0]] * [[W]]#1
// CHECK-NEXT: [[P1:%.*]] = cake.mma %{{.*}}, [[A1]] * [[W]]#1
// CHECK-NEXT: cake.await [[P0]]
// CHECK-NEXT: cake.get [[W]]#2
// CHECK: [[N0:%.*]] = cake.best %{{.*}} into([[B0]])
// CHECK-NEXT: cake.await [[P1]]
// CHECK-NEXT: cake.get [[W]]#2
// CHECK-NEXT: cake.release [[W]]#0
// CHECK: [[N1:%.*]] = cake.best %{{.*}} into([[B1]])
// CHECK-NEXT: cake.yield [[N0]], [[N1]]
// CHECK: cake.settle [[LAST]]#0
// CHECK: cake.settle [[LAST]]#1
// CHECK: cake.store %{{.*}}[%{{.*}}, %{{.*}} * 256 + instance * 128] clip
// CHECK: cake.store %{{.*}}[%{{.*}}, %{{.*}} * 256 + instance * 128 + 64] clip

// Accumulators that stay in flight; instances come behind.
// CHAIN: cake.tiles @work(m = ceildiv(M, 256), n = ceildiv(N, 128))
// CHAIN: [[W:%[0-9]+]]:3 = cake.wait @ring
// CHAIN-NEXT: cake.mma %{{.*}}, [[W]]#1[instance * 128, 0] * [[W]]#2
// CHAIN-NEXT: [[P1:%.*]] = cake.mma %{{.*}}, [[W]]#1[instance * 128 + 64, 0] * [[W]]#2
// CHAIN-NEXT: cake.release [[W]]#0 after([[P1]])
// CHAIN: cake.store {{.*}} * 256 + instance * 128, %{{.*}} * 128] clip
// CHAIN: cake.store {{.*}} * 256 + instance * 128 + 64, %{{.*}} * 128] clip
