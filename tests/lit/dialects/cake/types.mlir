// Types and attributes of the dialect read back as they print.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt %s | cake-opt | FileCheck %s

// CHECK: module attributes {t.a = [!cake.global<[B]x[N * 2 + 1]x?x64xbf16, readonly, align 16>, !cake.global<f32>, !cake.shared<4x[D]xf32, rows<pad 16>>, !cake.shared<8x64xbf16, sw128>, !cake.shared<8x32xbf16, sw64>, !cake.slot<@p, open>, !cake.slot<@"a b", full>, !cake.turn<@o>, !cake.pending<64x[N]xf32, wgmma.acc>]
// CHECK-SAME: t.b = [#cake.expr<(a + b) * 2 floordiv c>, #cake.expr<a - (b - c)>, #cake.expr<a - b - c>, #cake.expr<ceildiv(a, b) mod (c mod 4)>, #cake.expr<-3>, #cake.at<[]>, #cake.at<[d0, instance * 2]>, #cake.pred<row gt 0, col ne 1>]
// CHECK-SAME: t.c = [#cake.axes<>, #cake.axes<a = N>, #cake.choices<[1, -2]>, #cake.choices<-1..1>, #cake.schedule<persistent>, #cake.via<bulk>, #cake.form<mma.m16n8k16.nt>, #cake.parts<x: !cake.shared<4xf32, rows>>]
// CHECK-SAME: t.d = [#cake.wgmma.acc, #cake.wgmma.a, #cake.mma.acc<4x1>, #cake.mma.a<2x2>, #cake.mma.b<1x8>, #cake.vec<role, 8>, #cake.row<wgmma.acc>, #cake.col<vec<warp, 4>>, #cake.of<64x[D], mma.a<4x1>>, #cake.of<[D * 2], row<mma.acc<4x1>>>]
module attributes {
  t.a = [!cake.global<[B]x[N * 2 + 1]x?x64xbf16, align 16, readonly>, !cake.global<f32>, !cake.shared<4x[D]xf32, rows<pad 16>>, !cake.shared<8x64xbf16, sw128>, !cake.shared<8x32xbf16, sw64>, !cake.slot<@p, open>, !cake.slot<@"a b", full>, !cake.turn<@o>, !cake.pending<64x[N]xf32, wgmma.acc>],
  t.b = [#cake.expr<(a + b) * 2 floordiv c>, #cake.expr<a - (b - c)>, #cake.expr<(a - b) - c>, #cake.expr<ceildiv(a, b) mod (c mod 4)>, #cake.expr<-3>, #cake.at<[]>, #cake.at<[d0, instance * 2]>, #cake.pred<row gt 0, col ne 1>],
  t.c = [#cake.axes<>, #cake.axes<a = N>, #cake.choices<[1, -2]>, #cake.choices<-1..1>, #cake.schedule<persistent>, #cake.via<bulk>, #cake.form<mma.m16n8k16.nt>, #cake.parts<x: !cake.shared<4xf32, rows>>],
  t.d = [#cake.wgmma.acc, #cake.wgmma.a, #cake.mma.acc<4x1>, #cake.mma.a<2x2>, #cake.mma.b<1x8>, #cake.vec<role, 8>, #cake.row<wgmma.acc>, #cake.col<vec<warp, 4>>, #cake.of<64x[D], mma.a<4x1>>, #cake.of<[D * 2], row<mma.acc<4x1>>>]
} {}
