// cake.tiles with names of the item, and moves along chosen dimensions: round trips.
// RUN: cake-opt %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s

!F = tensor<64x64xf32, #cake.wgmma.acc>
// CHECK: cake.kernel @names({{.*}}) target("sm_90a") guard(S1 ge 1) sizes(LMAX, SMAX) {
// GENERIC: "cake.kernel"() <{{.*}}sizes = ["LMAX", "SMAX"]
cake.kernel @names(%x: !cake.global<[T]x[H]x64xf32, align 16>, %cu: !cake.global<[S1]x2xi64>, %y: !cake.global<[T]x[H]x64xf32, align 16>)
    target("sm_90a") guard(S1 ge 1) sizes(LMAX, SMAX) {
  // CHECK: cake.tiles @work(s = S1, m = ceildiv(len, 64), h = H) let(lo = %{{.*}}[s, 0], len = %{{.*}}[s, 1], last = max(lo + len, 1) - 1) bound(len le LMAX, lo + len le T, SMAX ge 1) steps(n = m + 1) schedule(grid, longest_first)
  // GENERIC: "cake.tiles"(%arg1, %arg1) <{axes = #cake.axes<s = S1, m = ceildiv(len, 64), h = H>, bound = #cake.pred<len le LMAX, lo + len le T, SMAX ge 1>, let = #cake.lets<lo = d0[s, 0], len = d1[s, 1], last = max(lo + len, 1) - 1>, schedule = #cake.schedule<grid, longest_first>
  cake.tiles @work (s = S1, m = ceildiv(len, 64), h = H) let(lo = %cu[s, 0], len = %cu[s, 1], last = max(lo + len, 1) - 1)
      bound(len le LMAX, lo + len le T, SMAX ge 1) steps(n = m + 1) schedule(grid, longest_first)
  cake.role @all warpgroups(1) {
    cake.items (%s, %m, %h) in @work {
      // CHECK: cake.load %{{.*}}[lo + %{{.*}} * 64, %{{.*}}, 0] dims(0, 2) pad(0.0) keep(row + %{{.*}} * 64 lt len)
      // GENERIC: "cake.load"(%arg0, %{{.*}}, %{{.*}}, %{{.*}}) <{at = #cake.at<[lo + d0 * 64, d1, 0]>, dims = array<i64: 0, 2>, keep = #cake.pred<row + d0 * 64 lt len>, operandSegmentSizes = array<i32: 1, 2, 1>, pad = 0.000000e+00 : f32}>
      %f = cake.load %x[lo + %m * 64, %h, 0] dims(0, 2) pad(0.0) keep(row + %m * 64 lt len) : !F
      cake.steps (%n) in @work {
      }
      // CHECK: cake.store %{{.*}}, %{{.*}}[lo + %{{.*}} * 64, %{{.*}}, 0] dims(0, 2) keep(row + %{{.*}} * 64 lt len, col le last) clip
      cake.store %f, %y[lo + %m * 64, %h, 0] dims(0, 2) keep(row + %m * 64 lt len, col le last) clip
    }
  }
}
