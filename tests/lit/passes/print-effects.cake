// What ops do to memory: by their rows, where these hold for the op as it is.
// RUN: cake-opt %s --print-effects --verify-diagnostics --allow-unregistered-dialect --split-input-file

cake.kernel @k(%x: !cake.global<[N]x[N]xf32, align 16>) target("sm_90a") {
  cake.pipeline @a stages(2) from(@load) to(@use) slot(p: !cake.shared<64x64xf32, rows>)
  // expected-remark @+1 {{allocates shared memory of %b}}
  %b = cake.buffer : !cake.shared<64x64xf32, rows>
  cake.role @load warps(1) {
    // expected-remark @+1 {{synchronises shared memory}}
    %s, %p = cake.acquire @a
    // expected-remark @+1 {{reads global memory of %x, writes shared memory of %p}}
    cake.copy %x[0, 0] -> %p via(cp_async) pad(0.0)
    // expected-remark @+1 {{synchronises shared memory of %s}}
    cake.commit %s
  }
  cake.role @use warpgroups(1) {
    // expected-remark @+1 {{synchronises shared memory}}
    %s, %p = cake.wait @a
    // expected-remark @+1 {{reads global memory of %x}}
    %f = cake.load %x[0, 0] pad(0.0) : tensor<64x64xf32, #cake.wgmma.acc>
    // expected-remark @+1 {{writes shared memory of %b}}
    cake.put %f, %b
    // expected-remark @+1 {{synchronises shared memory of %s}}
    cake.release %s
  }
}

// -----

// Loops, branches and pure ops do nothing by themselves; what says nothing may do anything.
func.func @f(%n: index, %c: i1) {
  scf.for %i = %n to %n step %n {
    %s = arith.addi %i, %i : index
    scf.if %c {
      // expected-remark @+1 {{may do anything}}
      func.call @f(%n, %c) : (index, i1) -> ()
    }
  }
  // expected-remark @+1 {{may do anything}}
  "t.unknown"() : () -> ()
  // expected-remark @+1 {{writes memory}}
  cf.assert %c, "no"
  return
}
