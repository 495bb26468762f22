// Layers of rows of packed sequences, copied tile by tile through a ring: bands of sequences, the longest items of a band first.
!Tile = tensor<8x64xf32, #cake.vec<warp, 2>>
cake.kernel @layers(%x: !cake.global<[Z]x[T]x64xf32, align 16>, %cu: !cake.global<[S1]xi32, readonly>, %y: !cake.global<[Z]x[T]x64xf32, align 16>)
    target("sm_80") guard(S1 ge 2) sizes(LMAX) {
  cake.param @S = 2 in 1..3
  cake.param @G = 7 in 1..200
  cake.pipeline @ring stages(S) from(@load) to(@store) slot(x: !cake.shared<8x64xf32, rows>)
  cake.tiles @work (z = Z, s = S1 - 1, m = ceildiv(len, 8)) let(lo = %cu[s], end = %cu[s + 1], len = end - lo)
      bound(len le LMAX, lo + len le T) steps(n = m + 1) schedule(persistent, group<s, G>, longest_first)
  cake.role @load warps(4) {
    cake.items (%z, %s, %m) in @work {
      %tile = cake.load %x[%z, lo + %m * 8, 0] pad(0.0) keep(row + %m * 8 lt len) : !Tile
      cake.steps (%n) in @work {
        %t, %slot = cake.acquire @ring
        cake.put %tile, %slot
        cake.commit %t
      }
    }
  }
  cake.role @store warps(4) {
    cake.items (%z, %s, %m) in @work {
      %none = cake.fill 0.0 : !Tile
      // As many slots as the item has steps, all the same: the last one is what is stored.
      %last = cake.steps (%n) in @work iter(%before = %none) {
        %t, %slot = cake.wait @ring
        %now = cake.get %slot : !Tile
        cake.release %t
        cake.yield %now
      }
      cake.store %last, %y[%z, lo + %m * 8, 0] keep(row + %m * 8 lt len)
    }
  }
}
