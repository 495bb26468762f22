// schedule-ping-pong: instances take turns around the products of a step.
// DEFINE: %{hopper} = schedule-stage,schedule-form,schedule-split
// RUN: cake-opt --pass-pipeline='builtin.module(%{hopper},schedule-replicate,schedule-pipeline,schedule-ping-pong)' %cake_src/bench/kernels/gemm_naive.cake | FileCheck %s
// RUN: cake-opt --pass-pipeline='builtin.module(cake-instantiate,schedule-ping-pong)' %cake_src/bench/kernels/kmeans_assign.cake | FileCheck %s --check-prefix=TWO
// RUN: cake-opt --pass-pipeline='builtin.module(%{hopper},schedule-ping-pong)' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: cake-opt --pass-pipeline='builtin.module(%{hopper},schedule-replicate,schedule-ping-pong,schedule-ping-pong)' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: cake-opt --schedule-ping-pong %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=SYNC
// RUN: cake-opt --cake-instantiate --schedule-ping-pong %cake_src/bench/kernels/softmax.cake 2>&1 | FileCheck %s --check-prefix=NONE
// ALONE: remark: schedule-ping-pong: missed: is alone; schedule-replicate makes several of it
// AGAIN: remark: schedule-ping-pong: missed: the role takes turns already
// SYNC: remark: schedule-ping-pong: missed: has no product that is pending; schedule-form makes one
// NONE: remark: schedule-ping-pong: missed: has no product that is pending; schedule-form makes one

// CHECK: cake.order @turns over(@all)
// CHECK: cake.wait @ring
// CHECK-NEXT: [[T:%.*]] = cake.take @turns
// CHECK-NEXT: cake.mma
// CHECK-NEXT: cake.pass [[T]]
// CHECK-NEXT: cake.release

// Both products of a step belong to one turn.
// TWO: [[T:%.*]] = cake.take @turns
// TWO-NEXT: cake.mma
// TWO-NEXT: cake.mma
// TWO-NEXT: cake.pass [[T]]
// TWO-NEXT: cake.await
