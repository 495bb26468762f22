// cake-expand-fragments: operands of mma.sync that are loaded by 16 bytes, in an order of columns that both have.
// RUN: cake-opt %s --split-input-file --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// 64 columns: two runs of 8 a row, of which a lane has two in 16 rows, and one in 8.
// CHECK-LABEL: gpu.func @runs
// CHECK-COUNT-6: gpu.load {{.*}} -> vector<8xbf16>
// CHECK-NOT: gpu.load
// CHECK-COUNT-4: gpu.mma{{ }}
gpu.module @kernels {
  gpu.func @runs(%g: !gpu.ptr<global>, %h: !gpu.ptr<global>, %o: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x", "y", "z"], arg_types = [bf16, bf16, f32], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<16x64xbf16, align 16>
    %y = builtin.unrealized_conversion_cast %h : !gpu.ptr<global> to !cake.global<8x64xbf16, align 16>
    %z = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16x8xf32>
    %a = cake.load %x[0, 0] : tensor<16x64xbf16, #cake.mma.a<1x1>>
    %b = cake.load %y[0, 0] : tensor<8x64xbf16, #cake.mma.b<1x1>>
    %c = cake.fill 0.0 : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    cake.store %d, %z[0, 0]
    gpu.return
  }
}

// -----

// The other operand is not loaded, or not aligned: both keep the order of the instruction.
// CHECK-LABEL: gpu.func @pairs
// CHECK-COUNT-16: gpu.load {{.*}} -> vector<2xbf16>
// CHECK-COUNT-4: gpu.mma{{ }}
gpu.module @kernels {
  gpu.func @pairs(%g: !gpu.ptr<global>, %o: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x", "z"], arg_types = [bf16, f32], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<16x64xbf16, align 16>
    %z = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16x8xf32>
    %a = cake.load %x[0, 0] : tensor<16x64xbf16, #cake.mma.a<1x1>>
    %b = cake.fill 1.0 : tensor<8x64xbf16, #cake.mma.b<1x1>>
    %c = cake.fill 0.0 : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    cake.store %d, %z[0, 0]
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @unaligned
// CHECK-COUNT-24: gpu.load {{.*}} -> vector<2xbf16>
// CHECK-COUNT-4: gpu.mma{{ }}
gpu.module @kernels {
  gpu.func @unaligned(%g: !gpu.ptr<global>, %h: !gpu.ptr<global>, %o: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x", "y", "z"], arg_types = [bf16, bf16, f32], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<16x64xbf16, align 16>
    %y = builtin.unrealized_conversion_cast %h : !gpu.ptr<global> to !cake.global<8x64xbf16, align 4>
    %z = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16x8xf32>
    %a = cake.load %x[0, 0] : tensor<16x64xbf16, #cake.mma.a<1x1>>
    %b = cake.load %y[0, 0] : tensor<8x64xbf16, #cake.mma.b<1x1>>
    %c = cake.fill 0.0 : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    cake.store %d, %z[0, 0]
    gpu.return
  }
}
