cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %a = "cake.fill"() <{value = 0 : i32}> : () -> tensor<64x64xf32, #cake.mma.acc<4x1>>
    }
  }
}
