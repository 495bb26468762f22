// schedule-replicate: several instances share the rows of a larger tile.
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage,schedule-split,schedule-replicate{count=3})' %cake_src/bench/kernels/gemm_naive.cake | FileCheck %s
// RUN: cake-opt --cake-instantiate --schedule-replicate %cake_src/bench/kernels/kmeans_assign_naive.cake | FileCheck %s --check-prefix=DIRECT
// RUN: cake-opt --schedule-stage --schedule-replicate %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=SELF
// RUN: cake-opt --cake-instantiate --schedule-replicate %cake_src/bench/kernels/gemm.cake 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: cake-opt --cake-instantiate --schedule-replicate %cake_src/bench/kernels/softmax.cake 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-replicate{count=8})' %cake_src/bench/kernels/gemm_sm80.cake 2>&1 | FileCheck %s --check-prefix=TEMPLATE
// RUN: cake-opt --pass-pipeline='builtin.module(cake-instantiate,schedule-replicate{count=8})' %cake_src/bench/kernels/gemm_sm80.cake 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: cake-opt --schedule-replicate %s 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-replicate{count=1})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}'count' must be from 2 to 8, but is 1 [PASS_PIPELINE]
// SELF: remark: schedule-replicate: missed: is filled by the role itself; schedule-split gives that to another role
// AGAIN: remark: schedule-replicate: missed: is replicated already
// NONE: remark: schedule-replicate: missed: has no product whose rows could be shared out
// TEMPLATE: remark: schedule-replicate: missed: the kernel is a template; run cake-instantiate first
// CAPACITY: remark: schedule-replicate: missed: the result is refused: 'cake.kernel' op needs {{[0-9]+}} bytes of shared memory
// BUFFER: remark: schedule-replicate: missed: is one buffer for all instances

// The rows of A are filled for all and read by parts; all instances read the same B.
// CHECK: cake.tiles @work(m = ceildiv(M, 192), n = ceildiv(N, 64))
// CHECK: slot(a: !cake.shared<192x64xbf16, sw128>, b: !cake.shared<64x64xbf16, sw128>)
// CHECK: cake.role @load
// CHECK: cake.copy %arg0[%{{.*}} * 192, %{{.*}} * 64] ->
// CHECK: cake.copy %arg1[%{{.*}} * 64, %{{.*}} * 64] ->
// CHECK: cake.role @all warps(4) replicate(3)
// CHECK: [[W:%[0-9]+]]:3 = cake.wait @ring
// CHECK: cake.get [[W]]#1[instance * 64, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
// CHECK: cake.get [[W]]#2 : tensor<64x64xbf16, #cake.mma.b<4x1>>
// CHECK: cake.store %{{.*}}, %arg2[%{{.*}} * 192 + instance * 64, %{{.*}} * 64] clip

// What is loaded directly is loaded by each instance for itself.
// DIRECT: cake.tiles @work(b = B, n = ceildiv(N, 128)) steps(k = ceildiv(K, 64))
// DIRECT: cake.load %arg0[%{{.*}}, %{{.*}} * 128 + instance * 64, 0]
// DIRECT: cake.load %arg1[%{{.*}}, %{{.*}} * 64, 0]
// DIRECT: cake.store %{{.*}}, %arg3[%{{.*}}, %{{.*}} * 128 + instance * 64] clip
!Acc = tensor<64x64xf32, #cake.mma.acc<2x2>>
!Row = tensor<64xf32, #cake.row<mma.acc<2x2>>>
cake.kernel @norms(%a: !cake.global<[M]x64xbf16>, %b: !cake.global<64x64xbf16>, %c: !cake.global<[M]xf32>) target("sm_90a") {
  %sums = cake.buffer : !cake.shared<128xf32, rows>
  cake.tiles @work (m = ceildiv(M, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !Acc
      %as = cake.load %a[%m * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<2x2>>
      %bs = cake.load %b[0, 0] : tensor<64x64xbf16, #cake.mma.b<2x2>>
      %d = cake.mma %zero, %as * %bs form(mma.m16n8k16.nt)
      %r = cake.reduce add %d axis(1) through(%sums) : !Row
      cake.store %r, %c[%m * 64] clip
    }
  }
}
