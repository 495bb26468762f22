// Faults of the ops that take and give slots.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{'@nothing' is no pipeline declared before}}
      %t, %xt = cake.wait @nothing
    }
  }
}

// -----

!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      // expected-error@+1 {{needs an open slot, but got '!cake.slot<@ring, full>'}}
      cake.commit %t
    }
  }
}

// -----

!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      // expected-error@+1 {{needs a full slot, but got '!cake.slot<@ring, open>'}}
      cake.release %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %c = arith.constant 1 : i32
      // expected-error@+1 {{operand #0 must be slot of a pipeline (!cake.slot), but got 'i32'}}
      cake.release %c
    }
  }
}

// -----

// A pending accumulator is no fragment yet: it must be awaited.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xf32>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{operand #0 must be fragment (a tensor with a form, up to 2^24 elements a side), but got '!cake.pending<64x64xf32, wgmma.acc>'}}
      cake.store %z, %y[0, 0] clip
    }
  }
}

// -----

// Nor an operand of arithmetic.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      // expected-note@+1 {{prior use here}}
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{use of value '%z' expects different type than prior uses}}
      %a = arith.addf %z, %z : tensor<64x64xf32, #cake.wgmma.acc>
    }
  }
}

// -----

cake.kernel @large_fragment(%x: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = N) schedule(grid)
  cake.role @l warps(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{result #0 must be fragment (a tensor with a form, up to 2^24 elements a side), but got 'tensor<16777217x8xf32}}
      %v = cake.load %x[%n, 0] : tensor<16777217x8xf32, #cake.vec<warp, 4>>
    }
  }
}
