// https://github.com/NVIDIA/Fuser/pull/5444: a tile of 512 rows by one tensor copy, where a box has at most 256 elements in a dimension.
// Refused by copy-alignment (TMA_STRIDE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

cake.kernel @box(%x: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @p stages(1) from(@load) to(@use) slot(x: !cake.shared<512x64xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 512)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @p
      // expected-error@+1 {{via tma copies a box of 512 elements in dimension 0; a box has at most 256}}
      cake.copy %x[%n * 512, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.wait @p
      cake.release %s
    }
  }
}

// -----

// The repair: 256.
cake.kernel @box(%x: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @p stages(1) from(@load) to(@use) slot(x: !cake.shared<256x64xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 256)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @p
      cake.copy %x[%n * 256, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %s, %xs = cake.wait @p
      cake.release %s
    }
  }
}
