// schedule-form: a product by mma.sync becomes one by wgmma, and tiles take its size. What the instruction cannot read, and what would need another
// accumulator, is refused.
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-stage{loads=operands},schedule-form{form=wgmma.m64n128k16.nt})' %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage,schedule-form{form=wgmma.m64n128k16.nt group=4 keep=true})' %cake_src/bench/kernels/gemm_naive.cake | FileCheck %s --check-prefix=CHAIN
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-form)' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=UNSTAGED
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage{via=cp_async},schedule-form)' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=ASYNC
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage,schedule-form{form=wgmma.m64n256k16.nn})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=LETTERS
// RUN: cake-opt --pass-pipeline='builtin.module(schedule-stage,schedule-form{form=wgmma.m64n260k16.nt})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: cake-opt --cake-instantiate --schedule-form %cake_src/bench/kernels/gemm_sm80.cake 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-form{form=mma.m16n8k16.nt})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-form{form=?})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=TEXT
// UNSTAGED: remark: schedule-form: missed: operand a is no whole part of a slot; schedule-stage makes it one
// ASYNC: remark: schedule-form: missed: wgmma reads only what TMA has written; operand a comes by cp_async
// LETTERS: remark: schedule-form: missed: its operands are stored as nt, but wgmma.m64n256k16.nn reads nn
// NONE: remark: schedule-form: missed: the result is refused: {{.*}}260
// WARPS: remark: schedule-form: missed: wgmma is executed by one warpgroup, but the role has 1 x 8 warps
// OPTION: error: {{.*}}'form' must be a form of wgmma, but is 'mma.m16n8k16.nt' [PASS_PIPELINE]
// TEXT: error: {{.*}}expected

// A sum that a loop carries on: the accumulator stays in flight, and a slot goes back behind the group of the next step.
// CHAIN: target("sm_90a")
// CHAIN: cake.tiles @work(m = ceildiv(M, 64), n = ceildiv(N, 128)) steps(k = ceildiv(K, 64))
// CHAIN: slot(a: !cake.shared<64x64xbf16, sw128>, b: !cake.shared<128x64xbf16, sw128>)
// CHAIN: cake.role @all warpgroups(1)
// CHAIN: [[Z:%.*]] = cake.zero : !cake.pending<64x128xf32, wgmma.acc>
// CHAIN: [[R:%.*]] = cake.steps ({{.*}}) in @work iter([[ACC:%.*]] = [[Z]])
// CHAIN: cake.copy %{{.*}}[%{{.*}} * 128, %{{.*}} * 64] ->
// CHAIN: [[W:%[0-9]+]]:3 = cake.wait @ring
// CHAIN-NEXT: [[P:%.*]] = cake.mma [[ACC]], [[W]]#1 * [[W]]#2 form(wgmma.m64n128k16.nt)
// CHAIN-NEXT: cake.release [[W]]#0 after([[P]])
// CHAIN-NEXT: cake.yield [[P]]
// CHAIN: cake.await [[R]] : tensor<64x128xf32, #cake.wgmma.acc>
// CHAIN: cake.store %{{.*}}[%{{.*}} * 64, %{{.*}} * 128] clip

// A product of its own in each step is awaited at once; the points, read before the loop, stay in registers.
// CHECK-LABEL: cake.kernel @nearest
// CHECK: steps(k = ceildiv(K, 128))
// CHECK: [[A:%.*]] = cake.get %{{.*}} : tensor<64x64xbf16, #cake.wgmma.a>
// CHECK: cake.best.init : !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, wgmma.acc>
// CHECK: [[W:%[0-9]+]]:2 = cake.wait @ring
// CHECK: [[Z:%.*]] = cake.zero
// CHECK: [[P:%.*]] = cake.mma [[Z]], [[A]] * [[W]]#1
// CHECK-NEXT: cake.await [[P]]
// CHECK-NEXT: cake.release [[W]]#0
// CHECK: cake.mask %{{.*}} keep(col + %{{.*}} * 128 lt K) fill(inf)
// CHECK: cake.best %{{.*}} at(%{{.*}} * 128) into
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>
cake.kernel @nearest(%x: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[K]x64xbf16, align 16>, %c2: !cake.global<[K]xf32>,
    %label: !cake.global<[N]xi32>) target("sm_80", "sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %xa = cake.load %x[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %none = cake.best.init : !Best
      %zero = cake.fill 0.0 : !Acc
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        %cb = cake.load %c[%k * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %q = cake.load %c2[%k * 64] pad(0.0) : tensor<64xf32, #cake.col<mma.acc<4x1>>>
        %dot = cake.mma %zero, %xa * %cb form(mma.m16n8k16.nt)
        %norm = cake.spread %q : !Acc
        %far = arith.subf %norm, %dot : !Acc
        %valid = cake.mask %far keep(col + %k * 64 lt K) fill(inf)
        %best = cake.best %valid at(%k * 64) into(%so_far)
        cake.yield %best
      }
      %v, %i = cake.settle %last
      cake.store %i, %label[%n * 64] clip
    }
  }
}

// -----

// A loop without a step would leave nothing to wait for.
// MISSED: remark: schedule-form: missed: the loop may have no step; a guard such as `K ge 1` promises one
!Acc = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @perhaps(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 128)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 128, %k * 64] pad(0.0) : tensor<128x64xbf16, #cake.mma.b<4x1>>
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      cake.store %sum, %c[%m * 64, %n * 128] clip
    }
  }
}

// -----

// A sum that starts with something else.
// MISSED: remark: schedule-form: missed: the accumulator does not start with 0
!Acc = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @from_one(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 128)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %one = cake.fill 1.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %one) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 128, %k * 64] pad(0.0) : tensor<128x64xbf16, #cake.mma.b<4x1>>
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      cake.store %sum, %c[%m * 64, %n * 128] clip
    }
  }
}

// -----

// A sum that the step looks at, too, is neither.
// MISSED: remark: schedule-form: missed: its accumulator is neither 0 nor handed on by a loop that does nothing else with it
!Acc = tensor<64x128xf32, #cake.mma.acc<4x1>>
cake.kernel @scaled(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 128)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 128, %k * 64] pad(0.0) : tensor<128x64xbf16, #cake.mma.b<4x1>>
        %half = arith.addf %so_far, %so_far : !Acc
        %more = cake.mma %half, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      cake.store %sum, %c[%m * 64, %n * 128] clip
    }
  }
}

// -----

// Tiles of 64 columns of a fixed width cannot become 128 wide.
// MISSED: remark: schedule-form: missed: its place in the array, {{.*}}0{{.*}}, is no multiple of one axis' index: the tile cannot grow there
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @fixed(%a: !cake.global<[M]x64xbf16, align 16>, %b: !cake.global<64x64xbf16, align 16>, %c: !cake.global<[M]x64xf32>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !Acc
      %as = cake.load %a[%m * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %bs = cake.load %b[0, 0] : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %sum = cake.mma %zero, %as * %bs form(mma.m16n8k16.nt)
      cake.store %sum, %c[%m * 64, 0] clip
    }
  }
}

// -----

// An op that counts the columns of a tile, a reduction along them, and an axis that is used otherwise.
// MISSED: remark: schedule-form: missed: 'cake.iota' cannot work on a tile of another size: it numbers the elements
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Int = tensor<64x64xi32, #cake.mma.acc<4x1>>
cake.kernel @numbered(%a: !cake.global<[M]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %as = cake.load %a[%m * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %bs = cake.load %b[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %sum = cake.mma %zero, %as * %bs form(mma.m16n8k16.nt)
      %i = cake.iota axis(1) : !Int
      %f = arith.sitofp %i : !Int to !Acc
      %s = arith.addf %sum, %f : !Acc
      cake.store %s, %c[%m * 64, %n * 64] clip
    }
  }
}

// -----

// MISSED: remark: schedule-form: missed: 'cake.reduce' cannot work on a tile of another size: it reduces along it
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @summed(%a: !cake.global<[M]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[N]x[M]xf32>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %as = cake.load %a[%m * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %bs = cake.load %b[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %sum = cake.mma %zero, %as * %bs form(mma.m16n8k16.nt)
      %valid = cake.mask %sum keep(col + %n * 64 lt N) fill(0.0)
      %r = cake.reduce add %valid axis(1) : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      cake.store %r, %c[%n * 64, %m * 64] clip {cake.partial}
    }
  }
}

// -----

// MISSED: remark: schedule-form: missed: 'cake.index' uses the index of the axis otherwise than as index * 64 of the tile's place
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @elsewhere(%a: !cake.global<[M]x64xbf16, align 16>, %b: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[M]x[N]xi32>) target("sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %as = cake.load %a[%m * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %bs = cake.load %b[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %sum = cake.mma %zero, %as * %bs form(mma.m16n8k16.nt)
      %i = cake.index (%n) : index
      %j = arith.index_cast %i : index to i32
      %t = cake.spread %j : tensor<64x64xi32, #cake.mma.acc<4x1>>
      %s = arith.fptosi %sum : !Acc to tensor<64x64xi32, #cake.mma.acc<4x1>>
      %u = arith.addi %s, %t : tensor<64x64xi32, #cake.mma.acc<4x1>>
      cake.store %u, %c[%m * 64, %n * 64] clip
    }
  }
}

// -----

// MISSED: remark: schedule-form: missed: has no product
cake.kernel @none(%x: !cake.global<[N]xbf16>) target("sm_90a") {
  cake.role @all warps(4) {
  }
}
