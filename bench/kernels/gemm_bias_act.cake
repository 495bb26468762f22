// C = act(A · Bᵀ + bias) for Hopper: the product of gemm.cake with an epilogue that adds a vector of biases, one a column, and applies an activation
// to the f32 sums before they are rounded, half of the columns at a time. ReLU, and GELU in its form with tanh.
!Pending = !cake.pending<64x256xf32, wgmma.acc>
!Acc = tensor<64x256xf32, #cake.wgmma.acc>
!Part = tensor<64x128xf32, #cake.wgmma.acc>
!Half = tensor<64x128xbf16, #cake.wgmma.acc>
!Bias = tensor<128xf32, #cake.col<wgmma.acc>>

cake.kernel @gemm_bias_relu(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>,
    %bias: !cake.global<[N]xf32, align 8>, %c: !cake.global<[M]x[N]xbf16, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.param @S = 4 in 2..4
  cake.param @G = 16 in [1, 4, 8, 16]
  cake.pipeline @ring stages(S) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<256x64xbf16, sw128>)
  cake.pipeline @out stages(1) from(@mma each) to(store) slot(c: !cake.shared<64x128xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, 256)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, G>)
  cake.role @load warps(1) regs(40) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 128, %k * 64] -> %at via(tma) pad(0.0)
        cake.copy %b[%n * 256, %k * 64] -> %bt via(tma) pad(0.0)
        cake.commit %slot
      }
    }
  }
  cake.role @mma warpgroups(1) replicate(2) regs(232) {
    cake.items (%m, %n) in @work {
      %nothing = cake.zero : !Pending
      %issued = cake.steps (%k) in @work iter(%so_far = %nothing) {
        %slot, %at, %bt = cake.wait @ring
        %more = cake.mma %so_far, %at[instance * 64, 0] * %bt form(wgmma.m64n256k16.nt)
        cake.release %slot after(%more)
        cake.yield %more
      }
      %sum = cake.await %issued : !Acc
      cake.unroll %j = 0 to 2 {
        %part = cake.slice %sum[0, %j * 128] : !Part
        %biases = cake.load %bias[%n * 256 + %j * 128] pad(0.0) : !Bias
        %shift = cake.spread %biases : !Part
        %x = arith.addf %part, %shift : !Part
        %zero = cake.fill 0.0 : !Part
        %y = arith.maximumf %x, %zero : !Part
        %half = arith.truncf %y : !Part to !Half
        %slot, %ct = cake.acquire @out
        cake.put %half, %ct
        cake.commit %slot to(%c[%m * 128 + instance * 64, %n * 256 + %j * 128])
      }
    }
  }
}

cake.kernel @gemm_bias_gelu(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>,
    %bias: !cake.global<[N]xf32, align 8>, %c: !cake.global<[M]x[N]xbf16, align 16>)
    target("sm_90a") guard(K mod 8 eq 0, N mod 8 eq 0, K ge 1) {
  cake.param @S = 4 in 2..4
  cake.param @G = 16 in [1, 4, 8, 16]
  cake.pipeline @ring stages(S) from(@load) to(@mma) slot(a: !cake.shared<128x64xbf16, sw128>, b: !cake.shared<256x64xbf16, sw128>)
  cake.pipeline @out stages(1) from(@mma each) to(store) slot(c: !cake.shared<64x128xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, 256)) steps(k = ceildiv(K, 64)) schedule(persistent, group<m, G>)
  cake.role @load warps(1) regs(40) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %slot, %at, %bt = cake.acquire @ring
        cake.copy %a[%m * 128, %k * 64] -> %at via(tma) pad(0.0)
        cake.copy %b[%n * 256, %k * 64] -> %bt via(tma) pad(0.0)
        cake.commit %slot
      }
    }
  }
  cake.role @mma warpgroups(1) replicate(2) regs(232) {
    cake.items (%m, %n) in @work {
      %nothing = cake.zero : !Pending
      %issued = cake.steps (%k) in @work iter(%so_far = %nothing) {
        %slot, %at, %bt = cake.wait @ring
        %more = cake.mma %so_far, %at[instance * 64, 0] * %bt form(wgmma.m64n256k16.nt)
        cake.release %slot after(%more)
        cake.yield %more
      }
      %sum = cake.await %issued : !Acc
      cake.unroll %j = 0 to 2 {
        %part = cake.slice %sum[0, %j * 128] : !Part
        %biases = cake.load %bias[%n * 256 + %j * 128] pad(0.0) : !Bias
        %shift = cake.spread %biases : !Part
        %x = arith.addf %part, %shift : !Part
        %cubic = cake.fill 0.0356774081 : !Part
        %linear = cake.fill 0.7978845608 : !Part
        %half_of = cake.fill 0.5 : !Part
        %square = arith.mulf %x, %x : !Part
        %slope = math.fma %square, %cubic, %linear : !Part
        %inner = arith.mulf %x, %slope : !Part
        %turned = math.tanh %inner fastmath<afn> : !Part
        %scaled = arith.mulf %x, %half_of : !Part
        %y = math.fma %scaled, %turned, %scaled : !Part
        %half = arith.truncf %y : !Part to !Half
        %slot, %ct = cake.acquire @out
        cake.put %half, %ct
        cake.commit %slot to(%c[%m * 128 + instance * 64, %n * 256 + %j * 128])
      }
    }
  }
}
