// cake-expand-fragments: matrix instructions that are issued, committed and waited for together, and operands of narrow swizzles.
// RUN: cake-opt %s --split-input-file --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// Two products that follow one another into an accumulator are one group: a fence in front, a commit behind. The wait for the first accumulator
// leaves the second's group under way, also over a branch that multiplies nothing.
// CHECK-LABEL: gpu.func @chains
// CHECK:     gpu.wgmma_fence
// CHECK-NOT: gpu.wgmma_{{fence|commit}}
// CHECK-COUNT-3: gpu.wgmma{{ }}
// CHECK:     gpu.wgmma_commit
// CHECK:     gpu.wgmma_fence
// CHECK-NOT: gpu.wgmma_{{fence|commit}}
// CHECK-COUNT-3: gpu.wgmma{{ }}
// CHECK:     gpu.wgmma_commit
// CHECK:     scf.if
// CHECK:     gpu.wgmma_wait 1
// CHECK:     gpu.wgmma_wait 0
gpu.module @kernels {
  gpu.func @chains(%g: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [f32], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x16xbf16, sw32>
    %b = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x32xbf16, sw64>
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<64x64xf32, align 16>
    %z0 = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
    %z1 = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
    %p0 = cake.mma %z0, %a * %a form(wgmma.m64n64k16.nt)
    %q0 = cake.mma %p0, %b * %b form(wgmma.m64n64k16.nt)
    %p1 = cake.mma %z1, %a * %a form(wgmma.m64n64k16.nt)
    %q1 = cake.mma %p1, %b * %b form(wgmma.m64n64k16.nt)
    %c = gpu.elect
    scf.if %c {
      gpu.fence_proxy_async
    }
    %f0 = cake.await %q0 : tensor<64x64xf32, #cake.wgmma.acc>
    %f1 = cake.await %q1 : tensor<64x64xf32, #cake.wgmma.acc>
    cake.store %f0, %x[0, 0]
    cake.store %f1, %x[0, 0]
    gpu.return
  }
}

// -----

// Descriptors: 8 rows of a panel are 256 or 512 bytes (16 and 32 units of 16), the swizzle is 3 or 2 in the last two bits, and of two slices in
// panels of 32 bytes the second is a panel of 64 rows, 2048 bytes, further; in one panel of 64 bytes it is 32 bytes further.
// CHECK-LABEL: gpu.func @descriptors
// CHECK-DAG: [[SW32:%.+]] = arith.constant -4611685949707845632 : i64
// CHECK-DAG: [[SW64:%.+]] = arith.constant -9223371899415756800 : i64
// CHECK-DAG: [[A:%.+]] = arith.ori {{%.+}}, [[SW32]] : i64
// CHECK-DAG: [[B:%.+]] = arith.ori {{%.+}}, [[SW64]] : i64
// CHECK:     gpu.wgmma [[A]], [[B]]
// CHECK-DAG: [[PANEL:%.+]] = arith.constant 128 : i64
// CHECK-DAG: [[SLICE:%.+]] = arith.constant 2 : i64
// CHECK-DAG: [[A1:%.+]] = arith.addi [[A]], [[PANEL]] : i64
// CHECK-DAG: [[B1:%.+]] = arith.addi [[B]], [[SLICE]] : i64
// CHECK:     gpu.wgmma [[A1]], [[B1]]
gpu.module @kernels {
  gpu.func @descriptors(%g: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [f32], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x32xbf16, sw32>
    %b = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x32xbf16, sw64>
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<64x64xf32, align 16>
    %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
    %p = cake.mma %z, %a * %b form(wgmma.m64n64k16.nt)
    %f = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
    cake.store %f, %x[0, 0]
    gpu.return
  }
}

// -----

// What runs beside matrix instructions stands in front of the wait for them, for ptxas too: the last value is pinned by a branch.
// CHECK-LABEL: gpu.func @pinned
// CHECK:     gpu.wgmma_wait 1
// CHECK:     gpu.pin {{%.+}} : vector<8xf32>
// CHECK:     gpu.pin {{%.+}} branch : vector<2xi32>
// CHECK:     gpu.wgmma_wait 0
// CHECK-NOT: gpu.pin
gpu.module @kernels {
  gpu.func @pinned(%g: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [i32], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x16xbf16, sw32>
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<64xi32>
    %none = cake.best.init : !cake.best<64x1xf32, max, tie<low>, nan<never>, group<4>, wgmma.acc>
    %z0 = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
    %z1 = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
    %p0 = cake.mma %z0, %a * %a form(wgmma.m64n64k16.nt)
    %p1 = cake.mma %z1, %a * %a form(wgmma.m64n64k16.nt)
    %f0 = cake.await %p0 : tensor<64x64xf32, #cake.wgmma.acc>
    %b0 = cake.best %f0 at(0) into(%none)
    %f1 = cake.await %p1 : tensor<64x64xf32, #cake.wgmma.acc>
    %b1 = cake.best %f1 at(64) into(%b0)
    %v, %i = cake.settle %b1
    cake.store %i, %x[0]
    gpu.return
  }
}
