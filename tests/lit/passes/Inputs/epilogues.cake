// What schedule-fuse-epilogue refuses; each part has a product and what follows it. Run by schedule-fuse-epilogue.cake.
// The tile stands elsewhere.
// CHECK: remark: schedule-fuse-epilogue: missed: reads another tile of the array than the producer stores
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r, %c) in @work {
      %v = cake.load %x[%c * 64, %r * 64] pad(0.0) : !Acc
      cake.store %v, %y[%r * 64, %c * 64] clip
    }
  }
}

// -----

// Other items.
// CHECK: remark: schedule-fuse-epilogue: missed: its items are c = ceildiv(C, 64), r = ceildiv(R, 64), those of the producer m = ceildiv(M, 64), n = ceildiv(N, 64)
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80") {
  cake.tiles @work (c = ceildiv(C, 64), r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%c, %r) in @work {
      %v = cake.load %x[%r * 64, %c * 64] pad(0.0) : !Acc
      cake.store %v, %y[%r * 64, %c * 64] clip
    }
  }
}

// -----

// Another form.
// CHECK: remark: schedule-fuse-epilogue: missed: loads no 'tensor<64x64xf32, #cake.mma.acc<4x1>>', which the producer stores
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r, %c) in @work {
      %v = cake.load %x[%r * 64, %c * 64] pad(0.0) : tensor<64x64xf32, #cake.mma.acc<2x2>>
      cake.store %v, %y[%r * 64, %c * 64] clip
    }
  }
}

// -----

// Rows of the whole tile.
// CHECK: remark: schedule-fuse-epilogue: missed: 'cake.reduce' does not work element by element
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r, %c) in @work {
      %v = cake.load %x[%r * 64, %c * 64] pad(0.0) : !Acc
      %s = cake.reduce add %v axis(1) : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      %t = cake.spread %s : !Acc
      cake.store %t, %y[%r * 64, %c * 64] clip
    }
  }
}

// -----

// The array is read twice.
// CHECK: remark: schedule-fuse-epilogue: missed: the array is used elsewhere in the epilogue, too
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r, %c) in @work {
      %w = cake.load %x[%r * 64, %c * 64] pad(0.0) : !Acc
      %v = cake.load %x[%r * 64, %c * 64] pad(0.0) : !Acc
      cake.store %v, %y[%r * 64, %c * 64] clip
    }
  }
}

// -----

// Two results.
// CHECK: remark: schedule-fuse-epilogue: missed: is a second store; `result` names the array that is read on
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>, %d: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
      cake.store %one, %d[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r, %c) in @work {
      %v = cake.load %x[%r * 64, %c * 64] pad(0.0) : !Acc
      cake.store %v, %y[%r * 64, %c * 64] clip
    }
  }
}

// -----

// A fixed width.
// CHECK: remark: schedule-fuse-epilogue: missed: reads '!cake.global<[R]x64xf32>', but the producer writes '!cake.global<[M]x[N]xf32>'
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x64xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_80") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r, %c) in @work {
      %v = cake.load %x[%r * 64, %c * 64] pad(0.0) : !Acc
      cake.store %v, %y[%r * 64, %c * 64] clip
    }
  }
}

// -----

// Other machines.
// CHECK: remark: schedule-fuse-epilogue: missed: has no target of the producer
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Wide = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @product(%c: !cake.global<[M]x[N]xf32>) target("sm_80") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      cake.store %one, %c[%m * 64, %n * 64] clip
    }
  }
}
cake.kernel @next(%x: !cake.global<[R]x[C]xf32>, %y: !cake.global<[R]x[C]xf32>) target("sm_90a") {
  cake.tiles @work (r = ceildiv(R, 64), c = ceildiv(C, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r, %c) in @work {
      %v = cake.load %x[%r * 64, %c * 64] pad(0.0) : !Acc
      cake.store %v, %y[%r * 64, %c * 64] clip
    }
  }
}
