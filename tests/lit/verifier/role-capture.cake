// ROLE_CAPTURE: a register value of another role does not exist here.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-error@+1 {{in role '@load' uses %c, a value of role '@use'}}
      %d = arith.addi %c, %c : i32
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      // expected-note@+1 {{it is defined here}}
      %c = arith.constant 1 : i32
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// Defined in an earlier role: the text has ended that region already.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      // expected-note@+1 {{a value of that name is defined here, inside of 'cake.role' @load}}
      %c = arith.constant 1 : i32
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{use of undeclared SSA value name '%c'}}
      %d = arith.addi %c, %c : i32
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
    }
  }
}

// -----

// Arguments of the kernel are visible in every role.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %f: f32) target("sm_90a") {
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
      %d = arith.addf %f, %f : f32
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %a = cake.get %xt : !A
      cake.release %t
      %e = arith.addf %f, %f : f32
    }
  }
}
