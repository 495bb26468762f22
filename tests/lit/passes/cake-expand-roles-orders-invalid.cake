// cake-expand-roles: more turns than the CTA has barriers.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --verify-diagnostics %s

cake.kernel @many(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.order @a over(@all)
  cake.order @b over(@all)
  // expected-error @below {{needs barriers 16 to 20 of the CTA, which has 16}}
  cake.order @c over(@all)
  cake.tiles @work (n = ceildiv(N, 160)) schedule(persistent)
  cake.role @all warps(2) replicate(5) {
    cake.items (%n) in @work {
      %f = cake.fill 1.0 : tensor<32xf32, #cake.row<mma.acc<2x1>>>
      cake.store %f, %x[%n * 160 + instance * 32] clip
    }
  }
}
