// cake-expand-fragments: stores of 16-bit accumulators. The four lanes of a row exchange pairs, so that each writes 8 neighbours at once.
// RUN: cake-opt %s --split-input-file --cake-expand-roles --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// 64 columns of 16 rows a warp: two groups of four tiles in each half, with four exchanges each; two stages of two.
// CHECK-LABEL: gpu.func @aligned
// CHECK-DAG:     [[T:%.+]] = arith.remui %{{.*}}, %{{.*}} : index
// CHECK:         [[ODD:%.+]] = arith.cmpi ne
// CHECK:         [[GIVEN:%.+]] = arith.select [[ODD]], [[LOW:%.+]], [[HIGH:%.+]] : vector<2xbf16>
// CHECK:         [[GOT:%.+]]:2 = gpu.shuffle xor [[GIVEN]], %{{.*}} : vector<2xbf16>
// CHECK:         arith.select [[ODD]], [[GOT]]#0, [[LOW]] : vector<2xbf16>
// CHECK:         arith.select [[ODD]], [[HIGH]], [[GOT]]#0 : vector<2xbf16>
// CHECK-COUNT-3: gpu.shuffle xor %{{.*}} : vector<2xbf16>
// CHECK:         [[EIGHT:%.+]] = gpu.pack {{.*}} -> vector<8xbf16>
// CHECK-COUNT-12: gpu.shuffle xor %{{.*}} : vector<2xbf16>
// CHECK-NOT:     gpu.shuffle
// CHECK:         gpu.store [[EIGHT]], %{{.*}} : vector<8xbf16>, !gpu.ptr<global>
// CHECK-COUNT-3: gpu.store %{{.*}} : vector<8xbf16>, !gpu.ptr<global>
// CHECK-NOT:     gpu.store
cake.kernel @aligned(%c: !cake.global<64x64xbf16, align 16>) target("sm_80") {
  cake.role @all warps(4) {
    %f = cake.load %c[0, 0] : tensor<64x64xbf16, #cake.mma.acc<4x1>>
    cake.store %f, %c[0, 0]
  }
}

// -----

// Rows may be left out: the exchange is of all lanes, the stores stand under a condition a row.
// CHECK-LABEL: gpu.func @rows
// CHECK:         gpu.shuffle xor
// CHECK-NOT:     scf.if
// CHECK:         gpu.pack {{.*}} -> vector<8xf16>
// CHECK:         scf.if
// CHECK-NEXT:      gpu.store %{{.*}} : vector<8xf16>, !gpu.ptr<global>
cake.kernel @rows(%c: !cake.global<[M]x[N]xf16, align 16>) target("sm_80") guard(N mod 8 eq 0) {
  cake.tiles @work (m = ceildiv(M, 16), n = ceildiv(N, 32)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%m, %n) in @work {
      %f = cake.fill 1.0 : tensor<16x32xf16, #cake.mma.acc<1x1>>
      cake.store %f, %c[%m * 16, %n * 32] clip
    }
  }
}

// -----

// What does not let runs be: an alignment of 8 bytes, a row whose length 8 does not divide, a column that starts in between, a condition on columns,
// tiles that are not four together, other element sizes.
// CHECK-LABEL: gpu.func @not
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:     vector<8xbf16>, !gpu.ptr<global>
// CHECK:         gpu.return
cake.kernel @not(%a: !cake.global<16x32xbf16, align 8>, %b: !cake.global<16x[N]xbf16, align 16>, %c: !cake.global<16x64xbf16, align 16>,
    %d: !cake.global<16x32xf32, align 16>) target("sm_80") guard(N ge 32) {
  cake.role @all warps(1) {
    %f = cake.fill 1.0 : tensor<16x32xbf16, #cake.mma.acc<1x1>>
    cake.store %f, %a[0, 0]
    cake.store %f, %b[0, 0] clip {cake.partial}
    cake.store %f, %c[0, 4] {cake.partial}
    cake.store %f, %c[0, 0] keep(col lt 9) {cake.partial}
    %g = cake.fill 1.0 : tensor<16x16xbf16, #cake.mma.acc<1x1>>
    cake.store %g, %c[0, 0] {cake.partial}
    %h = cake.fill 1.0 : tensor<16x32xf32, #cake.mma.acc<1x1>>
    cake.store %h, %d[0, 0]
  }
}
