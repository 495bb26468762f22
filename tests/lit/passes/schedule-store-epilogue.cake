// schedule-store{epilogue=true}: what is computed for the store is computed by columns, too: loads, masks and constants move along, rows are shared.
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-store{columns=32 epilogue=true})' %s -o %t.parts
// RUN: FileCheck %s --check-prefix=EPILOGUE --input-file=%t.parts
// RUN: cake-run %s --target sm_90a --in x=random --in w=random --in r=random --size M=70,N=200 --out y=%t.npy
// RUN: cake-run %t.parts --in x=random --in w=random --in r=random --size M=70,N=200 --check y=%t.npy
// RUN: cake-run --level gpu %t.parts --in x=random --in w=random --in r=random --size M=70,N=200 --check y=%t.npy
// EPILOGUE: cake.load %arg2[%{{.*}} * 64] pad(0.0) : tensor<64xf32, #cake.row<mma.acc<4x1>>>
// EPILOGUE: cake.unroll [[J:%.*]] = 0 to 4 {
// EPILOGUE: cake.load %arg0[%{{.*}} * 64, %{{.*}} * 128 + [[J]] * 32] pad(0.0) : tensor<64x32xf32, #cake.mma.acc<4x1>>
// EPILOGUE: cake.load %arg1[%{{.*}} * 128 + [[J]] * 32] pad(0.0) : tensor<32xf32, #cake.col<mma.acc<4x1>>>
// EPILOGUE: cake.mask %{{.*}} keep(col + [[J]] * 32 + %{{.*}} * 128 lt 150, row + %{{.*}} * 64 lt 66) fill(7.0)
cake.kernel @scaled(%x: !cake.global<[M]x[N]xf32>, %w: !cake.global<[N]xf32>, %r: !cake.global<[M]xf32>, %y: !cake.global<[M]x[N]xf32, align 16>) target("sm_80", "sm_90a") guard(N mod 4 eq 0) {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 128)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %xs = cake.load %x[%m * 64, %n * 128] pad(0.0) : tensor<64x128xf32, #cake.mma.acc<4x1>>
      %ws = cake.load %w[%n * 128] pad(0.0) : tensor<128xf32, #cake.col<mma.acc<4x1>>>
      %rs = cake.load %r[%m * 64] pad(0.0) : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      %wf = cake.spread %ws : tensor<64x128xf32, #cake.mma.acc<4x1>>
      %rf = cake.spread %rs : tensor<64x128xf32, #cake.mma.acc<4x1>>
      %a = arith.mulf %xs, %wf : tensor<64x128xf32, #cake.mma.acc<4x1>>
      %b = arith.addf %a, %rf : tensor<64x128xf32, #cake.mma.acc<4x1>>
      %c = cake.mask %b keep(col + %n * 128 lt 150, row + %m * 64 lt 66) fill(7.0)
      cake.store %c, %y[%m * 64, %n * 128] clip
    }
  }
}
