// Words that are near to those of the language: the diagnostic names what there is.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  // expected-error@+1 {{'threads' is none of its clauses: 'warps', 'warpgroups', 'replicate', 'regs'}}
  cake.role @a threads(128) {
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @a warps(4) {
    // expected-error@+1 {{custom op 'cake.pipe_acquire' is unknown; did you mean 'cake.acquire'?}}
    %s, %v = cake.pipe_acquire @p
  }
}

// -----

gpu.module @m {
  gpu.func @k(%x: !gpu.ptr<global>) attributes {arg_names = ["x"], arg_types = [!cake.global<64xf32>], block = 128 : i64, grid = 1 : i64, sizes = [], target = ["sm_90a"]} {
    // expected-error@+1 {{custom op 'gpu.wgmma_wait_group' is unknown; did you mean 'gpu.wgmma_wait'?}}
    gpu.wgmma_wait_group 0
    gpu.return
  }
}

// -----

// No other is near.
gpu.module @m {
  gpu.func @k(%x: !gpu.ptr<global>) attributes {arg_names = ["x"], arg_types = [!cake.global<64xf32>], block = 128 : i64, grid = 1 : i64, sizes = [], target = ["sm_90a"]} {
    // expected-error@+1 {{custom op 'gpu.syncthreads' is unknown}}
    gpu.syncthreads
    gpu.return
  }
}

// -----

// A role has no number of a thread.
cake.kernel @k(%x: !cake.global<[N]x64xbf16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @a warps(4) {
    // expected-error@+1 {{is of the thread level, which stands in a gpu.func: a role has no threads of its own}}
    %t = gpu.thread_id x
  }
}
