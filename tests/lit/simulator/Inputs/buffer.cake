// Two replicas, each of which turns a tile over in a buffer of its own: written as an accumulator, read as rows.
!F = tensor<64x64xf32, #cake.wgmma.acc>
!R = tensor<64xf32, #cake.row<wgmma.acc>>
cake.kernel @turn(%x: !cake.global<128x64xf32, align 16>, %y: !cake.global<128xf32>) target("sm_90a") {
  %b = cake.buffer each : !cake.shared<64x64xf32, rows>
  %c = cake.buffer each alias(%b) : !cake.shared<64xf32, rows>
  cake.role @a warpgroups(1) replicate(2) {
    %f = cake.load %x[instance * 64, 0] : !F
    cake.put %f, %b
    %s = cake.reduce add %f axis(1) : !R
    cake.store %s, %y[instance * 64]
  }
}
