// https://github.com/databricks/megablocks/pull/186 and https://github.com/fla-org/flash-linear-attention/issues/1080: products of indices that do not fit 32 bits. Offsets into arrays have 64 bits here; what has 32 are
// indices, so numbers of items that do not fit are refused. Sizes that a launch brings are tested there.
// Refused by index-width (OFFSET_OVERFLOW).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// More items than an index counts.
cake.kernel @k(%x: !cake.global<65536x4194304xf32>, %y: !cake.global<65536x4194304xf32>) target("sm_80") {
  // expected-error@+1 {{has a number of items of 4294967296, and an index has 32 bits: at most 2147483647}}
  cake.tiles @work (i = 65536, j = 65536) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%i, %j) in @work {
      %a = cake.load %x[%i, %j * 64] : tensor<1x64xf32, #cake.vec<role, 2>>
      cake.store %a, %y[%i, %j * 64]
    }
  }
}

// -----

// Control: so many bytes, and fewer items.
cake.kernel @k(%x: !cake.global<65536x4194304xf32>, %y: !cake.global<65536x4194304xf32>) target("sm_80") {
  cake.tiles @work (i = 65536, j = 1024) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%i, %j) in @work {
      cake.unroll %q = 0 to 64 {
        %a = cake.load %x[%i, %j * 4096 + %q * 64] : tensor<1x64xf32, #cake.vec<role, 2>>
        cake.store %a, %y[%i, %j * 4096 + %q * 64]
      }
    }
  }
}
