// schedule-multicast: CTAs of a cluster take neighbouring tiles, and fetch what they share once.
// RUN: cake-opt --cake-instantiate --schedule-multicast %cake_src/bench/kernels/gemm.cake | FileCheck %s
// RUN: cake-opt --pass-pipeline='builtin.module(cake-instantiate,schedule-multicast{axis=n count=4})' %cake_src/bench/kernels/gemm.cake | FileCheck %s --check-prefix=AXIS
// RUN: cake-opt --cake-instantiate --schedule-multicast %cake_src/bench/kernels/kmeans_assign.cake | FileCheck %s --check-prefix=ASSIGN
// RUN: cake-opt --cake-instantiate --schedule-multicast %cake_src/bench/kernels/gemm_cluster.cake 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: cake-opt --cake-instantiate --schedule-multicast %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: cake-opt --cake-instantiate --schedule-multicast %cake_src/bench/kernels/gemm_sm100.cake 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: cake-opt --pass-pipeline='builtin.module(cake-instantiate,schedule-multicast{axis=q})' %cake_src/bench/kernels/gemm.cake 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: cake-opt --schedule-multicast %cake_src/bench/kernels/gemm.cake 2>&1 | FileCheck %s --check-prefix=TEMPLATE
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-multicast{count=9})' %cake_src/bench/kernels/gemm.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: cake-opt --schedule-multicast %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// AGAIN: remark: schedule-multicast: missed: has clusters already
// NONE: remark: schedule-multicast: missed: no tile that TMA copies is the same along an axis, in 2 shares of whole 8 rows
// TENSOR: remark: schedule-multicast: missed: is a tcgen05, which cannot read what several CTAs fill
// NAME: remark: schedule-multicast: missed: has no axis 'q'
// TEMPLATE: remark: schedule-multicast: missed: the kernel is a template; run cake-instantiate first
// OPTION: error: {{.*}}'count' must be from 2 to 8, but is 9 [PASS_PIPELINE]
// OUTSIDE: remark: schedule-multicast: missed: 'arith.addi' uses the axis outside of an expression

// B is larger than A, so CTAs differ in their rows; bands of 16 rows are 8 of 2 now.
// CHECK: target("sm_90a") cluster(2) guard
// CHECK: cake.tiles @work(m = ceildiv(M, 256), n = ceildiv(N, 256)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, 8>)
// CHECK: cake.copy %arg0[%{{.*}} * 256 + rank * 128, %{{.*}} * 64] -> %{{.*}} via(tma) pad(0.0){{$}}
// CHECK: cake.copy %arg1[%{{.*}} * 256, %{{.*}} * 64] -> %{{.*}} via(tma) pad(0.0) multicast(3)
// CHECK: to(%arg2[%{{.*}} * 256 + rank * 128 + instance * 64, %{{.*}} * 256 + %{{.*}} * 128])

// AXIS: cluster(4)
// AXIS: n = ceildiv(N, 1024)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, 16>)
// AXIS: cake.copy %arg0[%{{.*}} * 128, %{{.*}} * 64] -> %{{.*}} multicast(15)
// AXIS: cake.copy %arg1[%{{.*}} * 1024 + rank * 256, %{{.*}} * 64] -> %{{.*}} pad(0.0){{$}}

// Each CTA has points of its own; all need the same centroids. The norms come by cp.async, for each CTA its own.
// ASSIGN: cluster(2)
// ASSIGN: cake.copy %arg0[%{{.*}}, %{{.*}} * 512 + rank * 256, 0] -> %{{.*}} via(tma) pad(0.0){{$}}
// ASSIGN: cake.copy %arg1[%{{.*}}] -> %{{.*}} via(tma) pad(0.0) multicast(3)
cake.kernel @outside(%x: !cake.global<[N]x[K]xbf16, align 16>, %y: !cake.global<[N]xi32>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %more = arith.addi %n, %n : index
      cake.steps (%k) in @work {
        %s, %xs = cake.acquire @ring
        cake.copy %x[0, %k * 64] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %t, %xt = cake.wait @ring
        cake.release %t
      }
    }
  }
}
