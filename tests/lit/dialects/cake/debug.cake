// cake.print and cake.assert: round trips, and what they refuse.
// RUN: cake-opt %cake_src/tests/lit/simulator/Inputs/debug.cake -o %t.1
// RUN: cake-opt %t.1 | cmp - %t.1
// RUN: cake-opt --print-op-generic %t.1 | cake-opt | cmp - %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: cake-opt --verify-diagnostics --split-input-file %s
// CHECK: cake.print "100% here"
// CHECK: cake.print "tile", %{{[0-9]+}}
// CHECK: cake.print "x", %{{[0-9]+}} keep(row eq 9, col ge 62)
// CHECK: cake.assert %{{[0-9]+}}, "x is large enough"
// CHECK: cake.assert %{{[0-9]+}}, "x is below 100" keep(row ge 1)
!P = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @refused(%x: !cake.global<64x64xbf16>) target("sm_90a") {
  cake.role @all warpgroups(1) {
    // expected-error@+1 {{has `keep`, but no value}}
    cake.print "here" keep(row eq 1)
    %i = cake.index (1) : index
    // expected-error@+1 {{has `keep`, but 'index' has no elements}}
    cake.print "i", %i keep(row eq 1)
    %z = cake.zero : !P
    // expected-error@+1 {{takes a scalar or a fragment, but got '!cake.pending<64x64xf32, wgmma.acc>'}}
    cake.print "pending", %z
    %a = cake.await %z : tensor<64x64xf32, #cake.wgmma.acc>
    // expected-error@+1 {{needs an i1 or a fragment of i1, but got 'tensor<64x64xf32, #cake.wgmma.acc>'}}
    cake.assert %a, "all"
    %f = cake.fill 0.0 : tensor<64x64xbf16, #cake.wgmma.a>
    // expected-error@+1 {{several lanes hold parts of the same elements}}
    cake.print "a", %f
    // expected-error@+1 {{'keep' uses d0, but has 0 operand(s)}}
    "cake.print"(%a) <{text = "x", keep = #cake.pred<row lt d0>, operandSegmentSizes = array<i32: 1, 0>}> : (tensor<64x64xf32, #cake.wgmma.acc>) -> ()
  }
}
