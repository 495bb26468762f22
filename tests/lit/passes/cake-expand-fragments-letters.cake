// cake-expand-fragments: wgmma of operands that are stored with the sum along columns, and of 8- and 32-bit elements.
// RUN: cake-opt %s --split-input-file --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// A is K×M, B is K×N. Of A the second panel of 64 columns (64 rows of 128 bytes: 8192 bytes further). The leading offset goes from panel to panel
// (8192 / 16 = 512), the stride is 8 rows (64), and a slice is 16 rows (2048 / 16 = 128): 1 << 62 | 64 << 32 | 512 << 16.
// CHECK-LABEL: gpu.func @tn
// CHECK:         [[FAR:%.+]] = arith.constant 8192 : i32
// CHECK:         gpu.ptr_add {{%.+}}, [[FAR]]
// CHECK:         [[FIXED:%.+]] = arith.constant 4611686293338849280 : i64
// CHECK:         arith.ori {{%.+}}, [[FIXED]] : i64
// CHECK:         gpu.wgmma [[A:%.+]], [[B:%.+]], 128 trans_a trans_b : bf16 -> vector<64xf32>
// CHECK:         [[STEP:%.+]] = arith.constant 128 : i64
// CHECK-DAG:     [[A1:%.+]] = arith.addi [[A]], [[STEP]] : i64
// CHECK-DAG:     [[B1:%.+]] = arith.addi [[B]], [[STEP]] : i64
// CHECK:         gpu.wgmma [[A1]], [[B1]], 128 into {{%.+}} trans_a trans_b : bf16 -> vector<64xf32>
// CHECK-COUNT-2: gpu.wgmma {{.*}} trans_a trans_b
// CHECK-NEXT:    gpu.wgmma_commit
gpu.module @kernels {
  gpu.func @tn(%o: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<64x128xf32>], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<64x128xf32>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x128xbf16, sw128>
    %z = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
    %p = cake.mma %z, %a[0, 64] * %a form(wgmma.m64n128k16.tn)
    %r = cake.await %p : tensor<64x128xf32, #cake.wgmma.acc>
    cake.store %r, %out[0, 0]
    gpu.return
  }
}

// -----

// A panel of 128 bytes holds 128 8-bit elements, four slices of 32.
// CHECK-LABEL: gpu.func @f8
// CHECK-COUNT-4: gpu.wgmma {{.*}}, 8 {{.*}}: f8E5M2 -> vector<4xf32>
// CHECK-NEXT:    gpu.wgmma_commit
gpu.module @kernels {
  gpu.func @f8(%o: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<64x8xf32>], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<64x8xf32>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x128xf8E5M2, sw128>
    %b = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<8x128xf8E5M2, sw128>
    %z = cake.zero : !cake.pending<64x8xf32, wgmma.acc>
    %p = cake.mma %z, %a * %b form(wgmma.m64n8k32.nt)
    %r = cake.await %p : tensor<64x8xf32, #cake.wgmma.acc>
    cake.store %r, %out[0, 0]
    gpu.return
  }
}
