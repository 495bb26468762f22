// What the cost model does not give a time for.
!Row = tensor<1x1024xf32, #cake.vec<role, 8>>

cake.kernel @on_numbers(%x: !cake.global<[R]x1024xf32, align 16>, %most: f32) target("sm_90a") {
  %exchange = cake.buffer : !cake.shared<4xf32, rows>
  cake.tiles @work (r = R) schedule(persistent)
  cake.role @all warps(4) {
    cake.items (%r) in @work {
      %f = cake.load %x[%r, 0] : !Row
      %sum = cake.reduce add %f through(%exchange) : f32
      %is_large = arith.cmpf ogt, %sum, %most : f32
      scf.if %is_large {
        cake.store %f, %x[%r, 0]
      }
    }
  }
}

cake.kernel @printing(%x: !cake.global<[R]x1024xf32, align 16>) target("sm_90a") {
  cake.tiles @work (r = R) schedule(persistent)
  cake.role @all warps(4) {
    cake.items (%r) in @work {
      %f = cake.load %x[%r, 0] : !Row
      cake.print "x", %f keep(row eq 9)
      cake.store %f, %x[%r, 0]
    }
  }
}

cake.kernel @other_target(%x: !cake.global<[R]x1024xf32, align 16>) target("sm_80") {
  cake.tiles @work (r = R) schedule(persistent)
  cake.role @all warps(4) {
    cake.items (%r) in @work {
      %f = cake.load %x[%r, 0] : !Row
      cake.store %f, %x[%r, 0]
    }
  }
}

cake.kernel @without_work(%x: !cake.global<[R]x1024xf32, align 16>) target("sm_90a") {
  cake.tiles @work (r = R) schedule(persistent)
  cake.role @all warps(4) {
    cake.items (%r) in @work {
    }
  }
}
