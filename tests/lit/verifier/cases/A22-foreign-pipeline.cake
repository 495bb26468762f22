// https://github.com/flashinfer-ai/flashinfer/pull/3581
// A role operates a pipeline that it does not own: only the declared producer acquires and commits, only the declared consumer waits and
// releases, and nobody drains (PIPE_OWNER).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The first compute group waits for the slots of the second's output pipeline, as a drain would.
cake.kernel @prefill(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @o stages(2) from(@cg1) to(@epi) slot(x: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @cg0 warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{role '@cg0' empties pipeline '@o', but only its `to` role '@epi' may}}
      %s, %xs = cake.wait @o
      cake.release %s
    }
  }
  cake.role @cg1 warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @o
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @epi warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.wait @o
      cake.release %s
    }
  }
}

// -----

// It acquires them.
cake.kernel @prefill(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  // expected-note@+1 {{the pipeline is declared here}}
  cake.pipeline @o stages(2) from(@cg1) to(@epi) slot(x: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @cg0 warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{role '@cg0' fills pipeline '@o', but only its `from` role '@cg1' may}}
      %s, %xs = cake.acquire @o
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @cg1 warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @o
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @epi warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.wait @o
      cake.release %s
    }
  }
}

// -----

// The repair: it leaves the pipeline alone.
cake.kernel @prefill(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @o stages(2) from(@cg1) to(@epi) slot(x: !cake.shared<64x64xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @cg0 warps(4) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xf32, #cake.vec<warp, 4>>
      cake.store %f, %y[%n * 64, 0] clip
    }
  }
  cake.role @cg1 warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @o
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @epi warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.wait @o
      cake.release %s
    }
  }
}
