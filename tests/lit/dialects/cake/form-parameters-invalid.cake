// What a form with parameters may not say.
// RUN: cake-opt --verify-diagnostics --split-input-file %s
!F = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @unknown(%x: !cake.global<64x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(1) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    %s, %a = cake.acquire @p
    cake.copy %x[0, 0] -> %a via(tma)
    cake.commit %s
  }
  cake.role @use warpgroups(1) {
    %s, %a = cake.wait @p
    %z = cake.fill 0.0 : !F
    // expected-error@+1 {{uses 'M', which is neither a parameter nor a size `[M]` of an argument}}
    %q = cake.mma %z, %a * %a form(wgmma.m64n[M]k16.nt)
    %f = cake.await %q : !F
    cake.release %s
  }
}

// -----

cake.kernel @depth(%x: !cake.global<64x64xbf16, align 16>) target("sm_90a") {
  cake.param @K = 16 in [16, 32]
  cake.pipeline @p stages(1) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    %s, %a = cake.acquire @p
    cake.copy %x[0, 0] -> %a via(tma)
    cake.commit %s
  }
  cake.role @use warpgroups(1) {
    %s, %a = cake.wait @p
    %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
    // expected-error@+1 {{expected an instruction such as mma.m16n8k16.nt, wgmma.m64n128k16.nt or, in a template, wgmma.m64n[BN]k16.nt}}
    %q = cake.mma %z, %a * %a form(wgmma.m64n64k[K].nt)
  }
}

// -----

// expected-error@+1 {{a form is spread over 1 to 32 warps along each dimension}}
func.func private @warps(tensor<64x64xf32, #cake.mma.acc<?x1>>)

// -----

// expected-error@+1 {{a form is spread over 1 to 32 warps along each dimension}}
func.func private @three(tensor<64x64xf32, #cake.mma.acc<1x1x1>>)
