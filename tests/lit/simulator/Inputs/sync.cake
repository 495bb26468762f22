// Role @a fills what role @b reads behind a barrier; @b counts steps from the second on and numbers its columns.
!C = tensor<8xi32, #cake.col<mma.acc<1x1>>>
func.func private @add(%a: !C, %b: !C) -> !C {
  %c = arith.addi %a, %b : !C
  return %c : !C
}
cake.kernel @sync(%x: !cake.global<[N]x8xi32>, %mid: !cake.global<[N]x8xi32>, %y: !cake.global<[N]x8xi32>) target("sm_80") guard(N ge 2) {
  cake.barrier @filled arrive(@a) meet(@b)
  cake.tiles @w (n = N) steps(k = N) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%n) in @w {
      %v = cake.load %x[%n, 0] : !C
      cake.store %v, %mid[%n, 0]
      cake.arrive @filled
    }
  }
  cake.role @b warps(1) {
    cake.items (%n) in @w {
      cake.meet @filled
      %v = cake.load %mid[%n, 0] : !C
      %sum = cake.steps (%k) in @w from(1) iter(%s = %v) {
        %c = cake.iota axis(1) at(%k) : !C
        %t = cake.call @add(%s, %c) : (!C, !C) -> !C
        cake.yield %t
      }
      cake.store %sum, %y[%n, 0]
    }
  }
}
