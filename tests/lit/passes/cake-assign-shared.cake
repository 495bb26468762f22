// cake-assign-shared: parts by alignment, then the mbarriers of every pipeline.
// RUN: cake-opt --cake-assign-shared --split-input-file --verify-diagnostics %s | FileCheck %s

// The swizzled parts (alignment 1024) come before the rows (128), whatever their order in the text; a stage is rounded up to the alignment.
// CHECK-LABEL: cake.kernel @order
// CHECK-SAME: attributes {shared_bytes = 42416 : i64}
// CHECK: cake.pipeline @small stages(2) {{.*}} {barriers = 42368 : i64, offsets = array<i64: 40960, 0>, strides = array<i64: 512, 8192>}
// CHECK: cake.pipeline @large stages(1) {{.*}} {barriers = 42400 : i64, offsets = array<i64: 16384, 41984>, strides = array<i64: 24576, 384>}
cake.kernel @order(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @small stages(2) from(@load) to(@use) slot(q: !cake.shared<128xf32, rows>, c: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @large stages(1) from(@load) to(@use) slot(x: !cake.shared<192x64xbf16, sw128>, r: !cake.shared<80xf32, rows>)
  cake.role @load warps(1) {
  }
  cake.role @use warps(1) {
  }
}

// -----

// A kernel without a pipeline needs none.
// CHECK-LABEL: cake.kernel @none
// CHECK-SAME: attributes {shared_bytes = 0 : i64}
cake.kernel @none(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @template(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.param @S = 2 in 1..4
  // expected-error @+1 {{has no constant number of stages; run cake-instantiate first}}
  cake.pipeline @p stages(S) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
  }
  cake.role @use warps(1) {
  }
}

// -----

cake.kernel @size(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.param @R = 64 in [64, 128]
  // expected-error @+1 {{part 'x' has no constant size; run cake-instantiate first}}
  cake.pipeline @p stages(2) from(@load) to(@use) slot(x: !cake.shared<[R]x64xbf16, sw128>)
  cake.role @load warps(1) {
  }
  cake.role @use warps(1) {
  }
}

// -----

// Tensor memory: columns, of which a power of two is allocated; 8 bytes of shared memory hold their address.
// CHECK-LABEL: cake.kernel @tensor
// CHECK-SAME: attributes {shared_bytes = 56 : i64, tensor_memory = {address = 48 : i64, columns = 256 : i64}}
// CHECK: cake.pipeline @acc stages(2) {{.*}} {barriers = 0 : i64, offsets = array<i64: 0>, strides = array<i64: 64>}
// CHECK: cake.pipeline @once stages(1) {{.*}} {barriers = 32 : i64, offsets = array<i64: 128>, strides = array<i64: 32>}
cake.kernel @tensor(%x: !cake.global<[N]xf32>) target("sm_100a") {
  cake.pipeline @acc stages(2) from(@mma) to(@use) slot(d: !cake.tmem<128x64xf32, acc>)
  cake.pipeline @once stages(1) from(@mma) to(@use) slot(d: !cake.tmem<128x16xf32, acc>)
  cake.role @mma warps(1) {
  }
  cake.role @use warpgroups(1) {
  }
}

// -----

// expected-error @+1 {{needs 768 columns of tensor memory; there are 512}}
cake.kernel @too_many(%x: !cake.global<[N]xf32>) target("sm_100a") {
  // expected-note @+1 {{pipeline '@acc' needs 768 columns}}
  cake.pipeline @acc stages(3) from(@mma) to(@use) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @mma warps(1) {
  }
  cake.role @use warpgroups(1) {
  }
}

// -----

cake.kernel @scales(%x: !cake.global<[N]xf32>) target("sm_100a") {
  // expected-error @+1 {{part 's' is of type '!cake.tmem<128x16xi8, scales>'; only accumulators are lowered}}
  cake.pipeline @p stages(1) from(@mma) to(@use) slot(s: !cake.tmem<128x16xi8, scales>)
  cake.role @mma warps(1) {
  }
  cake.role @use warpgroups(1) {
  }
}
