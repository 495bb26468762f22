// cake.tiles with names of the item, and what may use them.
// RUN: cake-opt --verify-diagnostics --split-input-file %s
cake.kernel @unbounded(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{axis 'm' has an extent that depends on the item, and no bound is known for it}}
  cake.tiles @work (s = S, m = ceildiv(len, 64)) let(len = %cu[s]) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @falling(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{axis 'm' has an extent that depends on the item, and no bound is known for it}}
  cake.tiles @work (s = S, m = 64 - len) let(len = %cu[s]) bound(len le 64) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @order(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{'a' uses 'b', which is not known before it}}
  cake.tiles @work (s = S) let(a = b + 1, b = %cu[s]) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @circle(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{'len' uses axis 'm', whose extent depends on names of the item}}
  cake.tiles @work (s = S, m = len) let(len = %cu[m]) bound(len le 64) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @taken(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{lets 'S' be something that has that name already}}
  cake.tiles @work (s = S) let(S = %cu[s]) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @twice(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{lets 'a' be something that has that name already}}
  cake.tiles @work (s = S) let(a = %cu[s], a = %cu[s]) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @axis(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{lets 's' be something that has that name already}}
  cake.tiles @work (s = S) let(s = %cu[0]) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @rank(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{'a' has 2 coordinate(s), but the array has 1 dimension(s)}}
  cake.tiles @work (s = S) let(a = %cu[s, 0]) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @floats(%cu: !cake.global<[S]xf32>) target("sm_90a") {
  // expected-error@+1 {{'a' is an element of '!cake.global<[S]xf32>'; it must be an integer}}
  cake.tiles @work (s = S) let(a = %cu[s]) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @unknown(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{uses 'LMAX', which is neither a parameter nor a size}}
  cake.tiles @work (s = S) let(a = %cu[s] ) bound(a le LMAX) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @extent(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{axis 'm' has an extent that names an axis; only `steps` and `let` may}}
  cake.tiles @work (s = S, m = s + 1) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @longest(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{is `longest_first`, but the number of steps does not name exactly one axis}}
  cake.tiles @work (s = S) steps(n = S) schedule(grid, longest_first)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @both(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{is `longest_first` in bands of axis 's'; the axis that the number of steps depends on must stand behind it}}
  cake.tiles @work (s = S) steps(n = s) schedule(grid, group<s, 2>, longest_first)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @outside(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  cake.tiles @work (s = S) let(a = %cu[s]) schedule(grid)
  cake.role @all warps(1) {
    // expected-error@+1 {{uses 'a', which is neither a parameter nor a size}}
    %i = cake.index (a + 1) : index
    cake.items (%s) in @work {
      %j = cake.index (a + 1) : index
    }
  }
}

// -----

cake.kernel @word(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{expected 'group'}}
  cake.tiles @work (s = S) schedule(grid, shortest_first)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @again(%cu: !cake.global<[S]xi32>) target("sm_90a") {
  // expected-error@+1 {{is said already}}
  cake.tiles @work (s = S) steps(n = s) schedule(grid, longest_first, longest_first)
  cake.role @all warps(1) {
  }
}

// -----

!F = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @dims(%x: !cake.global<8x64x64xf32, align 16>) target("sm_90a") {
  cake.role @all warpgroups(1) {
    // expected-error@+1 {{has 1 dimension(s) in 'dims', but the tile has 2}}
    %a = cake.load %x[0, 0, 0] dims(2) : !F
    // expected-error@+1 {{'dims' must name dimensions of the array in rising order, from 0 to 2, but entry 1 is 0}}
    %b = cake.load %x[0, 0, 0] dims(2, 0) : !F
    // expected-error@+1 {{'dims' must end with the array's last dimension, 2, along which elements are neighbours}}
    %c = cake.load %x[0, 0, 0] dims(0, 1) : !F
    // expected-error@+1 {{does not say what the elements become that `keep` leaves out}}
    %d = cake.load %x[0, 0, 0] keep(row lt 4) : !F
    // expected-error@+1 {{'at' uses an element's coordinates, which only `keep` can}}
    %e = cake.load %x[0, row, 0] : !F
  }
}

// -----

!F = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @puts() target("sm_90a") {
  %b = cake.buffer : !cake.shared<128x64xf32, rows<pad 16>>
  cake.pipeline @p stages(1) from(@all) to(@other) slot(a: !cake.shared<128x64xf32, rows>)
  cake.role @all warpgroups(1) {
    %f = cake.fill 0.0 : !F
    cake.put %f, %b[64, 0]
    // expected-error@+1 {{reads 64 elements from 65 on of dimension 0, which has 128}}
    cake.put %f, %b[65, 0]
    // expected-error@+1 {{cuts the fragment and goes to an offset; cake.slice cuts it before}}
    cake.put %f[0, 0], %b[0, 0]
    %s, %v = cake.acquire @p
    // expected-error@+1 {{fills a part of a slot, which is written as a whole: an offset is for buffers}}
    cake.put %f, %v[0, 0]
    cake.commit %s
  }
  cake.role @other warps(1) {
    %s, %v = cake.wait @p
    cake.release %s
  }
}

// -----

!F = tensor<64x64xf32, #cake.wgmma.acc>
!P = !cake.pending<64x64xf32, wgmma.acc>
cake.kernel @subtracts(%x: !cake.global<64x64xbf16, align 16>) target("sm_90a") {
  cake.role @all warps(4) {
    %z = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
    %a = cake.load %x[0, 0] : tensor<64x64xbf16, #cake.mma.a<4x1>>
    %b = cake.load %x[0, 0] : tensor<64x64xbf16, #cake.mma.b<4x1>>
    // expected-error@+1 {{subtracts a product, which only wgmma does; negate an operand with arith.negf}}
    %c = cake.mma %z, -%a * %b form(mma.m16n8k16.nt)
  }
}
