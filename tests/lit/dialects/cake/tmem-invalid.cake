// RUN: cake-opt %s --verify-diagnostics --split-input-file
// What tensor memory and tcgen05 refuse.

cake.kernel @rows() target("sm_100a") {
  // expected-error @+1 {{part 'd' has 32 rows; tensor memory has 64 or 128}}
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<32x256xf32, acc>)
  cake.role @a warps(1) {
  }
  cake.role @b warpgroups(1) {
  }
}

// -----

cake.kernel @element() target("sm_100a") {
  // expected-error @+1 {{part 'd' holds an accumulator of 'f32' elements, not of 'bf16'}}
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<128x256xbf16, acc>)
  cake.role @a warps(1) {
  }
  cake.role @b warpgroups(1) {
  }
}

// -----

cake.kernel @zero_in_registers() target("sm_100a") {
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @a warps(1) {
    %s, %d = cake.acquire @p
    // expected-error @+1 {{lies in tensor memory: name the view of an open slot that holds it}}
    %z = cake.zero : !cake.pending<128x256xf32, tcgen05.acc>
    cake.commit %s after(%z)
  }
  cake.role @b warpgroups(1) {
    %t, %v = cake.wait @p
    cake.release %t
  }
}

// -----

cake.kernel @zero_elsewhere() target("sm_100a") {
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @a warps(1) {
    %s, %d = cake.acquire @p
    // expected-error @+1 {{'!cake.tmem<128x256xf32, acc>' does not hold '!cake.pending<128x128xf32, tcgen05.acc>'}}
    %z = cake.zero %d : !cake.pending<128x128xf32, tcgen05.acc>
    cake.commit %s after(%z)
  }
  cake.role @b warpgroups(1) {
    %t, %v = cake.wait @p
    cake.release %t
  }
}

// -----

cake.kernel @not_filled() target("sm_100a") {
  // expected-note @+1 {{the pipeline is declared here}}
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @a warps(1) {
    %s, %d = cake.acquire @p
    // expected-error @+1 {{hands on tensor memory that no accumulator was committed to}}
    cake.commit %s
  }
  cake.role @b warpgroups(1) {
    %t, %v = cake.wait @p
    cake.release %t
  }
}

// -----

cake.kernel @form() target("sm_100a") {
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<128x256xf32, acc>)
  cake.role @a warps(1) {
    %s, %d = cake.acquire @p
    %z = cake.zero %d : !cake.pending<128x256xf32, tcgen05.acc>
    cake.commit %s after(%z)
  }
  cake.role @b warpgroups(1) {
    %t, %v = cake.wait @p
    // expected-error @+1 {{no instruction reads '!cake.tmem<128x256xf32, acc>' into 'tensor<64x256xf32, #cake.wgmma.acc>'}}
    %f = cake.get %v[0, 0] : tensor<64x256xf32, #cake.wgmma.acc>
    cake.release %t
  }
}

// -----

cake.kernel @target(%g: !cake.global<128x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ab stages(1) from(@l) to(@a) slot(x: !cake.shared<128x64xbf16, sw128>)
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<128x128xf32, acc>)
  cake.role @l warps(1) {
    %o, %x = cake.acquire @ab
    cake.copy %g[0, 0] -> %x via(tma)
    cake.commit %o
  }
  cake.role @a warps(1) {
    %s, %d = cake.acquire @p
    %f, %x = cake.wait @ab
    %z = cake.zero %d : !cake.pending<128x128xf32, tcgen05.acc>
    // expected-error @+1 {{needs tcgen05 and tensor memory, which target sm_90a lacks; targets that have it: sm_100a, sm_103a}}
    %q = cake.mma %z, %x * %x form(tcgen05.m128n128k16.nt)
    cake.release %f after(%q)
    cake.commit %s after(%q)
  }
  cake.role @b warpgroups(1) {
    %t, %v = cake.wait @p
    cake.release %t
  }
}

// -----

cake.kernel @one_dimension(%g: !cake.global<128xbf16, align 16>) target("sm_100a") {
  // expected-error @+1 {{part 'x' is stored as sw128, which needs two dimensions}}
  cake.pipeline @ab stages(1) from(@l) to(@a) slot(x: !cake.shared<128xbf16, sw128>)
  cake.pipeline @p stages(1) from(@a) to(@b) slot(d: !cake.tmem<128x128xf32, acc>)
  cake.role @l warps(1) {
    %o, %x = cake.acquire @ab
    cake.copy %g[0] -> %x via(tma)
    cake.commit %o
  }
  cake.role @a warps(1) {
    %s, %d = cake.acquire @p
    %f, %x = cake.wait @ab
    %z = cake.zero %d : !cake.pending<128x128xf32, tcgen05.acc>
    // expected-error @+1 {{operand 'a' is stored as sw128, which needs two dimensions}}
    %q = cake.mma %z, %x * %x form(tcgen05.m128n128k16.nt)
    cake.release %f after(%q)
    cake.commit %s after(%q)
  }
  cake.role @b warpgroups(1) {
    %t, %v = cake.wait @p
    cake.release %t
  }
}
