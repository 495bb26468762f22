// https://github.com/vllm-project/vllm/pull/50183: the index of the maximum of a row of NaN lies outside of the row, and something is read there. What NaN does has no default here, so
// nobody forgets to say it; where no number was found the index is that of a NaN, or -1 when there was no candidate.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// No word about NaN: it does not parse.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
// expected-error@+1 {{expected 'nan'}}
!Best = !cake.best<64x1xf32, max, tie<low>, group<1>, mma.acc<4x1>>
cake.kernel @k(%s: !cake.global<[N]x64xf32>, %label: !cake.global<[N]xi32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %none = cake.best.init : !Best
      %scores = cake.load %s[%n * 64, 0] pad(0.0) : !D
      %next = cake.best %scores at(0) into(%none)
      %value, %index = cake.settle %next
      cake.store %index, %label[%n * 64] clip
    }
  }
}

// -----

// The repair.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<first>, group<1>, mma.acc<4x1>>
cake.kernel @k(%s: !cake.global<[N]x64xf32>, %label: !cake.global<[N]xi32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %none = cake.best.init : !Best
      %scores = cake.load %s[%n * 64, 0] pad(0.0) : !D
      %next = cake.best %scores at(0) into(%none)
      %value, %index = cake.settle %next
      cake.store %index, %label[%n * 64] clip
    }
  }
}
