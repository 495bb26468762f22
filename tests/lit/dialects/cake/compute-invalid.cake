// Faults of fill, spread, mask, mma, await, best and settle.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{'value' must be of type 'f32', but is 0 : i32}}
      %a = "cake.fill"() <{value = 0 : i32}> : () -> tensor<64x64xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{the number does not fit type 'i32'}}
      %a = cake.fill 0.5 : tensor<64xi32, #cake.row<mma.acc<4x1>>>
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{result #0 must be fragment (a tensor with a form}}
      %a = cake.fill 0.0 : tensor<64x64xf32>
    }
  }
}

// -----

// Spread.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %r = cake.fill 0.0 : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      // expected-error@+1 {{the sizes of}}
      %s = cake.spread %r : tensor<128x64xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %r = cake.fill 0.0 : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      // expected-error@+1 {{the forms #cake.mma.acc<4x1> and #cake.mma.acc<2x2> differ}}
      %s = cake.spread %r : tensor<64x64xf32, #cake.mma.acc<2x2>>
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %r = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{spreads a row or column over a whole fragment}}
      %s = cake.spread %r : tensor<64x64xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %r = arith.constant 1 : i32
      // expected-error@+1 {{types of scalar and elements: 'i32' and 'f32' differ}}
      %s = cake.spread %r : tensor<64x64xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

// Legal: a scalar.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %r = arith.constant 1.0 : f32
      %s = cake.spread %r : tensor<64x64xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

// mma.sync.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{there is no mma.m16n8k8.nt; mma.m16n8k16.nt exists}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k8.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{there is no mma.m16n8k16.nn}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nn)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{b must be a fragment of form mma.b, but got 'tensor<64x64xbf16, #cake.mma.a<4x1>>'}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<2x2>>
      %b = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{a is spread over 2x2 warps, the accumulator over 4x1}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x64xf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{multiplies bf16 by bf16 or f16 by f16, but got 'bf16' and 'f16'}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.acc<4x1>>
      // expected-error@+1 {{accumulates in 'f32', but got 'bf16'}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x32xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{depths of a and of b differ: 64 and 32}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<32x64xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{columns of the accumulator and of the product differ: 64 and 32}}
      %d = cake.mma %c, %a * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %b = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %c = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{takes no offsets into fragments}}
      %d = cake.mma %c, %a[0, 0] * %b form(mma.m16n8k16.nt)
    }
  }
}

// -----

// wgmma.
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
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

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
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{there is no wgmma.m64n65k16.nt of 'bf16'; N goes from 8 to 256 in steps of 8}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n65k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

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
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{columns of the accumulator and of the product differ: 64 and 32}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n32k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{wgmma reads a from storage form sw128, sw64 or sw32, but the view is '!cake.shared<64x64xbf16, rows>'}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<128x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{needs 64 elements in dimension 0, but the view}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

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
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{'a_off' must start at column 0}}
      %p = cake.mma %z, %xt[0, 16] * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<128x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{starts at 4 in dimension 0; the storage form needs a multiple of 8}}
      %p = cake.mma %z, %xt[4, 0] * %xt[0, 0] form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %f = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{wgmma reads a from shared memory or from a fragment of form wgmma.a, but got 'tensor<64x64xbf16, #cake.mma.a<4x1>>'}}
      %p = cake.mma %z, %f * %f form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
    }
  }
}

// -----

// A in registers.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.pipeline @ring stages(1) from(@load) to(@all) slot(c: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %c = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %c via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %t, %c = cake.wait @ring
      %f = cake.fill 1.0 : tensor<128x64xbf16, #cake.wgmma.a>
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{starts at row 32 of the fragment; wgmma takes 64 rows from a multiple of 64}}
      %p = cake.mma %z, %f[32, 0] * %c form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.pipeline @ring stages(1) from(@load) to(@all) slot(c: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %c = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %c via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %t, %c = cake.wait @ring
      %f = cake.fill 1.0 : tensor<128x64xbf16, #cake.wgmma.a>
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{takes 64 rows from 128 on of a, which has 128}}
      %p = cake.mma %z, %f[128, 0] * %c form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.pipeline @ring stages(1) from(@load) to(@all) slot(c: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %c = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %c via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %t, %c = cake.wait @ring
      %f = cake.fill 1.0 : tensor<128x64xbf16, #cake.wgmma.a>
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{takes 64 rows from 0 on of a, which has 128}}
      %p = cake.mma %z, %f * %c form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.pipeline @ring stages(1) from(@load) to(@all) slot(c: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %c = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %c via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %t, %c = cake.wait @ring
      %f = cake.fill 1.0 : tensor<128x64xbf16, #cake.wgmma.a>
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{'a_off' must be constant: registers have no address}}
      %p = cake.mma %z, %f[%n * 64, 0] * %c form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.pipeline @ring stages(1) from(@load) to(@all) slot(c: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %c = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %c via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %t, %c = cake.wait @ring
      %f = cake.fill 1.0 : tensor<128x64xbf16, #cake.wgmma.a>
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{'a_off' must start at column 0: the whole width of the view is multiplied}}
      %p = cake.mma %z, %f[0, 16] * %c form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.pipeline @ring stages(1) from(@load) to(@all) slot(c: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %t, %c = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %c via(tma) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %t, %c = cake.wait @ring
      %f = cake.fill 1.0 : tensor<128x64xbf16, #cake.wgmma.a>
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{has 1 coordinate(s) in 'a_off', but the fragment has 2 dimensions}}
      %p = cake.mma %z, %f[0] * %c form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

// wgmma in a role of single warps: ROLE_STRUCTURE.
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
  // expected-note@+1 {{the role is here}}
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{wgmma is executed by a warpgroup, but the role is made of single warps}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warpgroups(1) {
    cake.items (%n) in @work {
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{'!cake.pending<64x64xf32, wgmma.acc>' does not become 'tensor<64x32xf32, #cake.wgmma.acc>'}}
      %d = cake.await %z : tensor<64x32xf32, #cake.wgmma.acc>
    }
  }
}

// -----

// Masks.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{expected a number of type 'f32'}}
      %m = cake.mask %a keep(col lt 4) fill(zero)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{nan has no sign}}
      %m = cake.mask %a keep(col lt 4) fill(-nan)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{attribute 'fill' failed to satisfy constraint: number (a NaN only without payload)}}
      %m = "cake.mask"(%a) <{fill = 0x7FC00001 : f32, keep = #cake.pred<col lt 4>}> : (tensor<64x64xf32, #cake.mma.acc<4x1>>) -> tensor<64x64xf32, #cake.mma.acc<4x1>>
    }
  }
}

// -----

// Bests.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %i = cake.best.init : !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
      %a = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<2x2>>
      // expected-error@+1 {{holds no candidates for}}
      %b = cake.best %a at(0) into(%i)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %i = cake.best.init : !cake.best<64x1xf32, min, tie<low>, nan<last>, group<4>, mma.acc<4x1>>
      %a = cake.fill 0.0 : tensor<64x24xf32, #cake.mma.acc<4x1>>
      // expected-error@+1 {{takes candidates in groups of 4, but a lane has 6 columns of 'tensor<64x24xf32, #cake.mma.acc<4x1>>'}}
      %b = cake.best %a at(0) into(%i)
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %i = cake.best.init : !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<2x2>>
      // expected-error@+1 {{merges the lanes of one warp, but a row of #cake.mma.acc<2x2> is spread over 2 warps}}
      %v, %x1 = cake.settle %i
    }
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{'expr' uses an element's coordinates, which only `keep` can}}
      %i = cake.index (row) : index
    }
  }
}

// -----

// 8-bit elements have one pair of letters, and a depth of their own.
cake.kernel @k(%x: !cake.global<[N]x[K]xf8E4M3FN, align 16>) target("sm_90a") guard(K mod 16 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x128xf8E4M3FN, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{there is no wgmma.m64n64k32.nn of 'f8E4M3FN'}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k32.nn)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

// The depth of an instruction is 32 bytes.
cake.kernel @k(%x: !cake.global<[N]x[K]xf8E4M3FN, align 16>) target("sm_90a") guard(K mod 16 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x128xf8E4M3FN, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{there is no wgmma.m64n64k16.nt of 'f8E4M3FN'}}
      %p = cake.mma %z, %xt * %xt form(wgmma.m64n64k16.nt)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

// With the sum along columns an offset chooses columns.
cake.kernel @k(%x: !cake.global<[N]x[K]xbf16, align 16>) target("sm_90a") guard(K mod 16 eq 0) {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<128x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warpgroups(1) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %z = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
      // expected-error@+1 {{'a_off' must start at row 0: the whole height of the view is multiplied}}
      %p = cake.mma %z, %xt[64, 0] * %xt form(wgmma.m64n64k16.tn)
      %d = cake.await %p : tensor<64x64xf32, #cake.wgmma.acc>
      cake.release %t
    }
  }
}

// -----

cake.kernel @k(%q: !cake.global<[N]xf32>) target("sm_80") {
  cake.role @all warps(4) {
    %n = cake.load %q[0] pad(0.0) : tensor<128xf32, #cake.row<vec<warp, 8>>>
    // expected-error@+1 {{spreads over rows of 16 columns, which lie several beside one another in a warp; `vec<lane, 8>` gives each a lane}}
    %f = cake.spread %n : tensor<128x16xf32, #cake.vec<warp, 8>>
  }
}

// -----

cake.kernel @k(%q: !cake.global<[N]xf32>) target("sm_80") {
  cake.role @all warps(4) {
    // expected-error@+1 {{has 96 rows; its form needs a multiple of 128}}
    %n = cake.load %q[0] pad(0.0) : tensor<96xf32, #cake.row<vec<lane, 8>>>
  }
}
