// cake-expand-fragments: put by stmatrix and by pairs, and tensor stores.
// RUN: cake-opt %s --split-input-file --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// 64x64 of 16-bit elements in one panel: lanes 0-15 address the rows of the left 8 columns, 16-31 of the right ones; four blocks of 16 columns, each
// with a swizzled place of its own. The part begins at column 64 of the fragment, which only names registers.
// CHECK-LABEL: gpu.func @stmatrix
// CHECK-DAG: [[L:%.+]] = gpu.lane_id
// CHECK-DAG: [[C16:%.+]] = arith.constant 16 : index
// CHECK-DAG: [[CHUNK:%.+]] = arith.divui [[L]], [[C16]] : index
// CHECK:     arith.xori [[CHUNK]], {{%.+}} : index
// CHECK:     [[PARTS:%.+]]:8 = gpu.unpack {{%.+}} : vector<64xbf16> -> vector<8xbf16>
// CHECK-NOT: gpu.store
// CHECK:     gpu.stmatrix [[PARTS]]#4, {{%.+}} : vector<8xbf16>
// CHECK:     gpu.stmatrix [[PARTS]]#5, {{%.+}} : vector<8xbf16>
// CHECK:     gpu.stmatrix [[PARTS]]#6, {{%.+}} : vector<8xbf16>
// CHECK:     gpu.stmatrix [[PARTS]]#7, {{%.+}} : vector<8xbf16>
// CHECK-NOT: gpu.stmatrix
gpu.module @kernels {
  gpu.func @stmatrix(%g: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [bf16], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x64xbf16, sw128>
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<64x128xbf16, align 16>
    %f = cake.load %x[0, 0] : tensor<64x128xbf16, #cake.wgmma.acc>
    %h = arith.negf %f : tensor<64x128xbf16, #cake.wgmma.acc>
    cake.put %h[0, 64], %v
    gpu.return
  }
}

// -----

// sm_80 has no stmatrix: 32-bit stores of pairs, 8 places of chunks.
// CHECK-LABEL: gpu.func @pairs
// CHECK-NOT: stmatrix
// CHECK-COUNT-16: gpu.store {{.*}} : vector<2xbf16>, !gpu.ptr<shared>
// CHECK-NOT: gpu.store
gpu.module @kernels {
  gpu.func @pairs() attributes {target = ["sm_90a", "sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x64xbf16, sw128>
    %f = cake.fill 1.0 : tensor<64x64xbf16, #cake.mma.acc<4x1>>
    cake.put %f, %v
    gpu.return
  }
}

// -----

// 32-bit elements in rows: 8-byte stores. Two warps share a row: the second begins 64 columns of 4 bytes further.
// CHECK-LABEL: gpu.func @rows
// CHECK-DAG: arith.constant 256 : index
// CHECK-COUNT-16: gpu.store {{.*}} : vector<2xf32>, !gpu.ptr<shared>
// CHECK-NOT: gpu.store
gpu.module @kernels {
  gpu.func @rows() attributes {target = ["sm_90a"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<32x128xf32, rows<pad 16>>
    %f = cake.fill 1.0 : tensor<32x128xf32, #cake.mma.acc<2x2>>
    cake.put %f, %v
    gpu.return
  }
}

// -----

// Rows of the array that are no whole panels: a box a panel. Whole ones: one box with a dimension of panels.
// CHECK-LABEL: gpu.func @tensor
// CHECK-SAME: tensor_maps = [{arg = "y", box = [64, 16], panel = 0 : i64, swizzle = 128 : i64}, {arg = "z", box = [64, 16, 2], panel = 64 : i64, swizzle = 128 : i64}]
// CHECK: [[BASE:%.+]] = gpu.shared_memory
// CHECK: gpu.tma_store [[BASE]], {{%.+}}[{{%.+}}, {{%.+}}]
// CHECK: gpu.ptr_add [[BASE]], [[PANEL:%.+]] :
// CHECK: gpu.tma_store {{%.+}}, {{%.+}}[{{%.+}}, {{%.+}}]
// CHECK: gpu.tma_store [[BASE]], {{%.+}}[{{%.+}}, {{%.+}}, {{%.+}}]{{$}}
// Both boxes are added, with the maps of those that are written.
// CHECK: gpu.tma_store [[BASE]], {{%.+}}[{{%.+}}, {{%.+}}] reduce add
// CHECK: gpu.tma_store {{%.+}}, {{%.+}}[{{%.+}}, {{%.+}}] reduce add
gpu.module @kernels {
  gpu.func @tensor(%g: !gpu.ptr<global>, %h: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["y", "z"], arg_types = [bf16, bf16], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16x128xbf16, sw128>
    %y = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<64x[N]xbf16, align 16>
    %z = builtin.unrealized_conversion_cast %h : !gpu.ptr<global> to !cake.global<[N]x128xbf16, align 16>
    cake.store_view %v, %y[0, %n * 128]
    cake.store_view %v, %z[%n * 16, 0]
    cake.store_view %v, %y[0, %n * 128] reduce add
    gpu.return
  }
}

// -----

// slice names registers: the tiles of columns 64 to 127, of which each row of 16 has 16.
// CHECK-LABEL: gpu.func @slice
// CHECK:     [[PARTS:%.+]]:32 = gpu.unpack {{%.+}} : vector<128xbf16> -> vector<4xbf16>
// CHECK:     gpu.pack [[PARTS]]#8, [[PARTS]]#9, {{.*}}, [[PARTS]]#15, [[PARTS]]#24, {{.*}}, [[PARTS]]#31 : {{.*}} -> vector<64xbf16>
gpu.module @kernels {
  gpu.func @slice(%g: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [bf16], sizes = [], grid = #cake.expr<1>, block = 128 : i64} {
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<128x128xbf16, align 16>
    %y = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<128x64xbf16, align 16>
    %f = cake.load %x[0, 0] : tensor<128x128xbf16, #cake.mma.acc<4x1>>
    %h = arith.negf %f : tensor<128x128xbf16, #cake.mma.acc<4x1>>
    %s = cake.slice %h[0, 64] : tensor<128x64xbf16, #cake.mma.acc<4x1>>
    %u = arith.negf %s : tensor<128x64xbf16, #cake.mma.acc<4x1>>
    cake.store %u, %y[0, 0]
    gpu.return
  }
}

// -----

// A lane's neighbours in a row go 16 bytes at a time. vec<lane, 16>: two chunks of each of the lane's two rows, 32 rows of 32 bytes apart.
// CHECK-LABEL: gpu.func @lanes
// CHECK-COUNT-4: gpu.load {{.*}} -> vector<8xbf16>
// CHECK-NOT: stmatrix
// CHECK:     gpu.store {{%.+}}, [[FIRST:%.+]] : vector<8xbf16>, !gpu.ptr<shared>
// CHECK:     gpu.store {{%.+}}, [[SECOND:%.+]] : vector<8xbf16>, !gpu.ptr<shared>
// CHECK:     [[THIRD:%.+]] = gpu.ptr_add [[FIRST]], [[ROWS:%.+]] :
// CHECK:     gpu.store {{%.+}}, [[THIRD]] : vector<8xbf16>, !gpu.ptr<shared>
// CHECK:     [[FOURTH:%.+]] = gpu.ptr_add [[SECOND]], [[ROWS]] :
// CHECK:     gpu.store {{%.+}}, [[FOURTH]] : vector<8xbf16>, !gpu.ptr<shared>
gpu.module @kernels {
  gpu.func @lanes(%g: !gpu.ptr<global>) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [bf16], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x16xbf16, sw32>
    %x = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<64x16xbf16, align 16>
    %f = cake.load %x[0, 0] : tensor<64x16xbf16, #cake.vec<lane, 16>>
    cake.put %f, %v
    gpu.return
  }
}
