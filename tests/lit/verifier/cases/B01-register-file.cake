// https://github.com/tile-ai/tilelang/pull/2406
// The register budgets of the roles, 128 threads a warpgroup, are together more than the CTA owns (REG_BUDGET). The report
// names 224 for two and two; 2 * 128 * 24 + 2 * 128 * 232 is 65,536, which an H200 gives while all four warpgroups hold theirs.
// RUN: cake-opt --verify-diagnostics --split-input-file %s
// RUN: not cake-opt --split-input-file %s 2>&1 | FileCheck %s
// CHECK: fix: write regs(232)
// CHECK: fix: write regs(160)

// Two and two warpgroups with the pair that was chosen for one and two.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  // expected-note@+1 {{role '@p': 2 warpgroup(s) × 128 threads × 24 registers = 6144}}
  cake.role @p warpgroups(1) replicate(2) regs(24) {
  }
  // expected-note@+2 {{role '@c': 2 warpgroup(s) × 128 threads × 240 registers = 61440}}
  // expected-error@+1 {{asks for 240 registers a thread: the CTA would need 67584, but has 65536}}
  cake.role @c warpgroups(1) replicate(2) regs(240) {
  }
}

// -----

// One and three.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  // expected-note@+1 {{role '@p': 1 warpgroup(s) × 128 threads × 24 registers = 3072}}
  cake.role @p warpgroups(1) regs(24) {
  }
  // expected-note@+2 {{role '@c': 3 warpgroup(s) × 128 threads × 240 registers = 92160}}
  // expected-error@+1 {{asks for 240 registers a thread: the CTA would need 95232, but has 65536}}
  cake.role @c warpgroups(1) replicate(3) regs(240) {
  }
}

// -----

// Controls: one and two with 24 and 240, two and two with 24 and 224, one and three with 24 and 160.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @p warpgroups(1) regs(24) {
  }
  cake.role @c warpgroups(1) replicate(2) regs(240) {
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @p warpgroups(1) replicate(2) regs(24) {
  }
  cake.role @c warpgroups(1) replicate(2) regs(224) {
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @p warpgroups(1) regs(24) {
  }
  cake.role @c warpgroups(1) replicate(3) regs(160) {
  }
}

// -----

// A sibling: a budget that is no multiple of 8.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @p warpgroups(1) regs(24) {
  }
  // expected-error@+1 {{asks for 236 registers; the number must be a multiple of 8}}
  cake.role @c warpgroups(1) replicate(2) regs(236) {
  }
}
