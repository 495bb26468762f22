// promote-buffers: what one role puts into its buffer and gets back; only where nothing else may have written.
// RUN: cake-opt %s --promote-buffers --split-input-file | FileCheck %s

// An accumulator read back as the left operand of the next product: its registers are the same.
// CHECK-LABEL: cake.kernel @operand
// CHECK-NOT: cake.buffer
// CHECK: %[[F:.*]] = cake.load
// CHECK-NOT: cake.put
// CHECK: %[[A:.*]] = cake.convert %[[F]] : tensor<64x64xbf16, #cake.wgmma.acc> to tensor<64x64xbf16, #cake.wgmma.a>
// CHECK-NOT: cake.get
// CHECK-LABEL: cake.kernel @form
cake.kernel @operand(%x: !cake.global<64x64xbf16, align 16>) target("sm_90a") {
  %b = cake.buffer : !cake.shared<64x64xbf16, sw128>
  cake.role @r warpgroups(1) {
    %f = cake.load %x[0, 0] : tensor<64x64xbf16, #cake.wgmma.acc>
    cake.put %f, %b
    %a = cake.get %b : tensor<64x64xbf16, #cake.wgmma.a>
  }
}

// -----

// Another form takes the way through memory.
// CHECK: cake.buffer
// CHECK: cake.put
// CHECK: cake.get
cake.kernel @form(%x: !cake.global<64x64xf32, align 16>) target("sm_90a") {
  %b = cake.buffer : !cake.shared<64x64xf32, rows>
  %c = cake.buffer alias(%b) : !cake.shared<64xf32, rows>
  cake.role @r warpgroups(1) {
    %f = cake.load %x[0, 0] : tensor<64x64xf32, #cake.wgmma.acc>
    cake.put %f, %b
    %g = cake.get %c : tensor<64xf32, #cake.row<wgmma.acc>>
  }
}

// -----

// What is put and overwritten before anything reads it goes, and so does what nothing reads behind it.
// CHECK-LABEL: cake.kernel @overwritten
// CHECK: %[[F:.*]] = cake.load
// CHECK-NEXT: %[[G:.*]] = cake.load
// CHECK-NEXT: cake.put %[[G]], %[[B:.*]]
// CHECK-NOT: cake.put
// CHECK: cake.get %[[B]]
cake.kernel @overwritten(%x: !cake.global<64x64xbf16, align 16>, %y: !cake.global<64x64xbf16, align 16>) target("sm_90a") {
  %b = cake.buffer : !cake.shared<64x64xbf16, sw128>
  cake.role @r warpgroups(1) {
    %f = cake.load %x[0, 0] : tensor<64x64xbf16, #cake.wgmma.acc>
    %g = cake.load %y[0, 0] : tensor<64x64xbf16, #cake.wgmma.acc>
    cake.put %f, %b
    cake.put %g, %b
    %h = cake.get %b : tensor<64x64xbf16, #cake.mma.b<1x4>>
    cake.put %f, %b
  }
}
