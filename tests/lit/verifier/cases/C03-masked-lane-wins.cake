// https://github.com/svg-project/flash-kmeans/pull/16
// Lanes behind the end of the clusters are masked with a value that can win the arg-reduction (PAD_NOT_NEUTRAL).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Cosine similarities are negative too: 0 wins against them.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%s: !cake.global<[N]x[K]xf32>, %label: !cake.global<[N]xi32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %none = cake.best.init : !Best
      %last = cake.steps (%k) in @work iter(%b = %none) {
        %scores = cake.load %s[%n * 64, %k * 64] pad(0.0) : !D
        // expected-error@+1 {{fills with 0.000000e+00 : f32, which can win the running maximum}}
        %masked = cake.mask %scores keep(col + %k * 64 lt K) fill(0.0)
        // expected-note@+1 {{the running best is here}}
        %next = cake.best %masked at(%k * 64) into(%b)
        cake.yield %next
      }
      %value, %index = cake.settle %last
      cake.store %index, %label[%n * 64] clip
    }
  }
}

// -----

// The repair: minus infinity.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%s: !cake.global<[N]x[K]xf32>, %label: !cake.global<[N]xi32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %none = cake.best.init : !Best
      %last = cake.steps (%k) in @work iter(%b = %none) {
        %scores = cake.load %s[%n * 64, %k * 64] pad(0.0) : !D
        %masked = cake.mask %scores keep(col + %k * 64 lt K) fill(-inf)
        %next = cake.best %masked at(%k * 64) into(%b)
        cake.yield %next
      }
      %value, %index = cake.settle %last
      cake.store %index, %label[%n * 64] clip
    }
  }
}

// -----

// Control: the Euclidean variant, plus infinity into an arg-min.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%s: !cake.global<[N]x[K]xf32>, %label: !cake.global<[N]xi32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %none = cake.best.init : !Best
      %last = cake.steps (%k) in @work iter(%b = %none) {
        %scores = cake.load %s[%n * 64, %k * 64] pad(0.0) : !D
        %masked = cake.mask %scores keep(col + %k * 64 lt K) fill(inf)
        %next = cake.best %masked at(%k * 64) into(%b)
        cake.yield %next
      }
      %value, %index = cake.settle %last
      cake.store %index, %label[%n * 64] clip
    }
  }
}

// -----

// A sibling: plus infinity into an arg-max.
!D = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @k(%s: !cake.global<[N]x[K]xf32>, %label: !cake.global<[N]xi32>) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %none = cake.best.init : !Best
      %last = cake.steps (%k) in @work iter(%b = %none) {
        %scores = cake.load %s[%n * 64, %k * 64] pad(0.0) : !D
        // expected-error@+1 {{which can win the running maximum}}
        %masked = cake.mask %scores keep(col + %k * 64 lt K) fill(inf)
        // expected-note@+1 {{the running best is here}}
        %next = cake.best %masked at(%k * 64) into(%b)
        cake.yield %next
      }
      %value, %index = cake.settle %last
      cake.store %index, %label[%n * 64] clip
    }
  }
}
