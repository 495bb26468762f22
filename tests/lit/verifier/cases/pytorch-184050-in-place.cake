// https://github.com/pytorch/pytorch/pull/184050 and https://github.com/triton-lang/triton/issues/5791: kernels that read what they write, in place or through another argument. One argument is one array; that two share no memory is
// tested at the launch.
// Refused by argument-aliases (ARG_ALIASED).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// A row further: another item may have written it.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x64xf32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %a = cake.load %x[%n * 64 + 1, 0] pad(0.0) : !V
      // expected-note@+1 {{it is written here}}
      cake.store %a, %x[%n * 64, 0] clip
    }
  }
}

// -----

// Control: each thread reads what it writes.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x64xf32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      cake.store %a, %x[%n * 64, 0] clip
    }
  }
}
