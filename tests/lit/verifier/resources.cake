// Rules register-budget, shared-capacity, thread-limit: budgets of registers that are too large hang the GPU, so they are refused (REG_BUDGET).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Two producers and two consumers: 2 × 128 × 24 + 2 × 128 × 240 = 67584 registers.
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  // expected-note@+1 {{role '@p': 2 warpgroup(s) × 128 threads × 24 registers = 6144}}
  cake.role @p warpgroups(1) replicate(2) regs(24) {
  }
  // expected-note@+2 {{role '@c': 2 warpgroup(s) × 128 threads × 240 registers = 61440}}
  // expected-error@+1 {{role '@c' asks for 240 registers a thread: the CTA would need 67584, but has 65536}}
  cake.role @c warpgroups(1) replicate(2) regs(240) {
  }
}

// -----

// The repaired program.
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warpgroups(1) replicate(2) regs(24) {
  }
  cake.role @c warpgroups(1) replicate(2) regs(224) {
  }
}

// -----

// The legal neighbour: one producer.
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warpgroups(1) replicate(1) regs(24) {
  }
  cake.role @c warpgroups(1) replicate(2) regs(240) {
  }
}

// -----

// Three consumers.
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warpgroups(1) replicate(1) regs(24) {
  }
  cake.role @c warpgroups(1) replicate(3) regs(160) {
  }
}

// -----

// A number that is no multiple of 8.
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  // expected-error@+1 {{asks for 100 registers; the number must be a multiple of 8}}
  cake.role @p warpgroups(1) regs(100) {
  }
}

// -----

// Too few.
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  // expected-error@+1 {{regs must be from 24 to 256, but is 16}}
  cake.role @p warpgroups(1) regs(16) {
  }
}

// -----

// Shared memory of sm_80 (SHARED_CAPACITY).
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_80", "sm_90a") {
  // expected-error@-1 {{needs 196656 bytes of shared memory; a CTA on sm_80 has at most 166912}}
  // expected-note@+1 {{pipeline '@ring' needs 196656 bytes}}
  cake.pipeline @ring stages(3) from(@load) to(@use) slot(x: !cake.shared<512x64xbf16, sw128>)
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
      %a = cake.get %xt[0, 0] : !A
      cake.release %t
    }
  }
}

// -----

// The same on sm_90a alone.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(3) from(@load) to(@use) slot(x: !cake.shared<512x64xbf16, sw128>)
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
      %a = cake.get %xt[0, 0] : !A
      cake.release %t
    }
  }
}

// -----

// Threads (THREAD_LIMIT).
// expected-error@+1 {{has roles of 1280 threads together; a CTA on sm_90a has at most 1024}}
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warps(8) replicate(4) {
  }
  cake.role @c warps(8) {
  }
}

// -----

// As many as there may be.
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.role @p warps(8) replicate(3) {
  }
  cake.role @c warps(8) {
  }
}
