// The codes of what the lowering passes refuse, as people see them.
// RUN: not cake-opt --cake-assign-shared --split-input-file %s 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: not cake-opt --cake-expand-roles --split-input-file %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// FAILED: error: 'cake.pipeline' op has no constant number of stages; run cake-instantiate first [PASS_FAILED]
cake.kernel @template(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.param @S = 2 in 1..4
  cake.pipeline @p stages(S) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.role @load warps(1) {
  }
  cake.role @use warps(1) {
  }
}

// -----

// REFUSED: error: 'cake.items' op works on another iterator than other loops of the kernel; one a kernel is supported [LOWER_UNSUPPORTED]
cake.kernel @two(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.tiles @a (n = N) schedule(grid)
  cake.tiles @b (n = N) schedule(grid)
  cake.role @one warps(1) {
    cake.items (%n) in @a {
    }
    cake.items (%n) in @b {
    }
  }
}
