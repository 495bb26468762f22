// RUN: cake-opt %s --canonicalize | FileCheck %s
// Packing what was unpacked, and the other way round, is nothing.

// CHECK-LABEL: func.func @pack_of_unpack
// CHECK-SAME: (%[[V:.*]]: vector<4xf32>)
// CHECK-NEXT: return %[[V]]
func.func @pack_of_unpack(%v: vector<4xf32>) -> vector<4xf32> {
  %p:2 = gpu.unpack %v : vector<4xf32> -> vector<2xf32>, vector<2xf32>
  %w = gpu.pack %p#0, %p#1 : vector<2xf32>, vector<2xf32> -> vector<4xf32>
  return %w : vector<4xf32>
}

// CHECK-LABEL: func.func @unpack_of_pack
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT: return %[[B]]
func.func @unpack_of_pack(%a: f32, %b: f32) -> f32 {
  %v = gpu.pack %a, %b : f32, f32 -> vector<2xf32>
  %p:2 = gpu.unpack %v : vector<2xf32> -> f32, f32
  return %p#1 : f32
}

// The halves come back in the other order: this stays.
// CHECK-LABEL: func.func @swapped
// CHECK: gpu.unpack
// CHECK: gpu.pack
func.func @swapped(%v: vector<4xf32>) -> vector<4xf32> {
  %p:2 = gpu.unpack %v : vector<4xf32> -> vector<2xf32>, vector<2xf32>
  %w = gpu.pack %p#1, %p#0 : vector<2xf32>, vector<2xf32> -> vector<4xf32>
  return %w : vector<4xf32>
}
