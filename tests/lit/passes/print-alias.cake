// What lies in what: buffers and those that take their bytes, slots of pipelines, arrays; values that loops and branches hand on.
// RUN: cake-opt %s --print-alias --verify-diagnostics --split-input-file

// expected-remark @+1 {{%y: may %x}}
cake.kernel @k(%x: !cake.global<[N]xf32, align 16>, %y: !cake.global<[N]xf32, align 16>) target("sm_90a") {
  // expected-remark @+1 {{%one: no %x, no %y}}
  %one = cake.buffer : !cake.shared<64x64xf32, rows>
  // expected-remark @+1 {{%two: no %x, no %y, no %one}}
  %two = cake.buffer : !cake.shared<64x64xf32, rows>
  // expected-remark @+1 {{%over: no %x, no %y, partial %one, no %two}}
  %over = cake.buffer alias(%one) : !cake.shared<64x64xf32, rows>
  cake.role @r warps(1) {
  }
}

// -----

cake.kernel @slots(%x: !cake.global<[N]xf32, align 16>) target("sm_90a") {
  cake.pipeline @a stages(2) from(@load) to(@use) slot(p: !cake.shared<64xf32, rows>, q: !cake.shared<64xf32, rows>)
  cake.pipeline @b stages(2) from(@load) to(@use) slot(p: !cake.shared<64xf32, rows>)
  cake.role @load warps(1) {
    // expected-remark @+2 {{%p: no %x}}
    // expected-remark @+1 {{%q: no %x, no %p}}
    %s, %p, %q = cake.acquire @a
    cake.copy %x[0] -> %p via(tma) pad(0.0)
    cake.copy %x[0] -> %q via(tma) pad(0.0)
    cake.commit %s
    // expected-remark @+1 {{%v: no %x, no %p, no %q}}
    %t, %v = cake.acquire @b
    cake.copy %x[0] -> %v via(tma) pad(0.0)
    cake.commit %t
  }
  cake.role @use warps(1) {
    // expected-remark @+2 {{%p1: no %x, may %p, no %q, no %v}}
    // expected-remark @+1 {{%q1: no %x, no %p, may %q, no %v, no %p1}}
    %s, %p1, %q1 = cake.wait @a
    cake.release %s
    // expected-remark @+1 {{%v1: no %x, no %p, no %q, may %v, no %p1, no %q1}}
    %t, %v1 = cake.wait @b
    cake.release %t
  }
}

// -----

// expected-remark @+1 {{%b: may %a}}
func.func @flow(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %n: index) -> memref<4xf32> {
  // expected-remark @+1 {{%either: may %a, may %b}}
  %either = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  // expected-remark @+2 {{%carried: may %a, may %b, may %either}}
  // expected-remark @+1 {{%m: may %a, may %b, may %either, may %carried}}
  %carried = scf.for %i = %n to %n step %n iter_args(%m = %a) -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  }
  return %carried : memref<4xf32>
}
