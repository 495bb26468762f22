// Rule index-width (OFFSET_OVERFLOW): numbers of elements, items and steps fit the 32 bits of an index.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// expected-error@+1 {{has an array dimension of 3000000000, and an index has 32 bits: at most 2147483647}}
cake.kernel @k(%y: !cake.global<3000000000xf32>) target("sm_80") {
  cake.tiles @work (r = 4) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

cake.kernel @k(%y: !cake.global<[R]x64xf32>) target("sm_80") {
  // expected-error@+1 {{has a number of items of 4294967296, and an index has 32 bits}}
  cake.tiles @work (r = 65536, c = 65536) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

// The same array in two dimensions: offsets of elements are added in 64 bits.
cake.kernel @k(%y: !cake.global<46875x64000xf32>) target("sm_80") {
  cake.tiles @work (r = 65536, c = 32767) schedule(grid)
  cake.role @all warps(1) {
  }
}
