// What print and assert show. @wrong states what does not hold in one element; @uneven in a scalar.
!F = tensor<64x64xf32, #cake.wgmma.acc>
!B = tensor<64x64xi1, #cake.wgmma.acc>
!Row = tensor<64xf32, #cake.row<wgmma.acc>>
cake.kernel @right(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]xf32>) target("sm_90a") guard(N mod 128 eq 0) {
  cake.tiles @work (n = N floordiv 128) schedule(grid)
  cake.role @all warpgroups(1) replicate(2) {
    cake.items (%n) in @work {
      cake.print "100% here"
      %i = cake.index (%n * 2 + instance) : index
      cake.print "tile", %i
      %f = cake.load %x[%n * 128 + instance * 64, 0] : !F
      cake.print "x", %f keep(row eq 9, col ge 62)
      %s = cake.reduce add %f axis(1) : !Row
      cake.print "sum", %s keep(row + %i eq 3)
      %zero = cake.fill -1000.0 : !F
      %ok = arith.cmpf ogt, %f, %zero : !F
      cake.assert %ok, "x is large enough"
      cake.store %s, %y[%n * 128 + instance * 64]
    }
  }
}
cake.kernel @wrong(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]xf32>) target("sm_90a") guard(N mod 128 eq 0) {
  cake.tiles @work (n = N floordiv 128) schedule(grid)
  cake.role @all warpgroups(1) replicate(2) {
    cake.items (%n) in @work {
      %f = cake.load %x[%n * 128 + instance * 64, 0] : !F
      %most = cake.fill 100.0 : !F
      %ok = arith.cmpf olt, %f, %most : !F
      cake.assert %ok, "x is below 100" keep(row ge 1)
      %s = cake.reduce add %f axis(1) : !Row
      cake.store %s, %y[%n * 128 + instance * 64]
    }
  }
}
cake.kernel @uneven(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]xf32>, %even: i1) target("sm_90a") guard(N mod 128 eq 0) {
  cake.tiles @work (n = N floordiv 128) schedule(grid)
  cake.role @all warpgroups(1) replicate(2) {
    cake.items (%n) in @work {
      cake.assert %even, "the number is even"
      %f = cake.load %x[%n * 128 + instance * 64, 0] : !F
      %s = cake.reduce add %f axis(1) : !Row
      cake.store %s, %y[%n * 128 + instance * 64]
    }
  }
}
