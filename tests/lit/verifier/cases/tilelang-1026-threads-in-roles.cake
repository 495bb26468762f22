// A condition on the number of a thread, and a barrier that counts threads, cannot stand in a role: https://github.com/tile-ai/tilelang/issues/1026 at the level of schedules.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x64xf32>, %y: !cake.global<[N]x64xf32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{is of the thread level, which stands in a gpu.func: a role has no threads of its own}}
      %t = gpu.thread_id x
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      cake.store %a, %y[%n * 64, 0] clip
    }
  }
}

// -----

!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x64xf32>, %y: !cake.global<[N]x64xf32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{is of the thread level, which stands in a gpu.func: a role has no threads of its own}}
      gpu.barrier
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      cake.store %a, %y[%n * 64, 0] clip
    }
  }
}

// -----

// What there is: all threads of the role meet.
!V = tensor<64x64xf32, #cake.vec<warp, 2>>
cake.kernel @k(%x: !cake.global<[N]x64xf32>, %y: !cake.global<[N]x64xf32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      cake.sync
      %a = cake.load %x[%n * 64, 0] pad(0.0) : !V
      cake.store %a, %y[%n * 64, 0] clip
    }
  }
}
