// The pipeline that makes the corpus' GEMM makes a schedule of another product, too: batches, f16, steps of 128, a row and a column in the end, f32 results, other names.
// DEFINE: %{hopper} = schedule-stage,schedule-form{form=wgmma.m64n128k16.nt},schedule-split{producer-regs=40 consumer-regs=232},schedule-replicate,schedule-pipeline,schedule-persistent{axis=j group=4},schedule-store{columns=32 epilogue=true},schedule-ping-pong
// RUN: cake-opt --pass-pipeline='builtin.module(%{hopper})' %s -o %t.hopper 2>%t.remarks
// RUN: count 0 < %t.remarks
// RUN: FileCheck %s --input-file=%t.hopper
// DEFINE: %{arrays} = --in left=random --in right=random --in scale=random --in shift=random --size Batch=2,Rows=150,Cols=136,Depth=200
// RUN: cake-run %s --target sm_90a %{arrays} --out out=%t.npy
// RUN: cake-run %t.hopper %{arrays} --check out=%t.npy
// RUN: cake-run --level gpu --races %t.hopper %{arrays} --check out=%t.npy

// CHECK: cake.tiles @walk(p = Batch, i = ceildiv(Rows, 128), j = ceildiv(Cols, 128)) steps(s = ceildiv(Depth, 128)) schedule(persistent, group<j, 4>)
// CHECK: slot(right: !cake.shared<128x128xf16, sw128>, left: !cake.shared<128x128xf16, sw128>)
// CHECK: cake.role @load warps(1) regs(40)
// CHECK: cake.role @everyone warpgroups(1) replicate(2) regs(232)
// CHECK: cake.take
// CHECK: cake.mma %{{.*}}, %{{.*}}[instance * 64, 0] * %{{.*}} form(wgmma.m64n128k16.nt)
// CHECK: cake.pass
// CHECK: cake.load %arg2[%{{.*}}, %{{.*}} * 128 + instance * 64] pad(0.0) : tensor<64xf32, #cake.row<wgmma.acc>>
// CHECK: cake.unroll [[J:%.*]] = 0 to 4 {
// CHECK: cake.load %arg3[%{{.*}} * 128 + [[J]] * 32] pad(0.0) : tensor<32xf32, #cake.col<wgmma.acc>>
!Sum = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @scores(%left: !cake.global<[Batch]x[Rows]x[Depth]xf16, align 16>, %right: !cake.global<[Batch]x[Cols]x[Depth]xf16, align 16>,
    %scale: !cake.global<[Batch]x[Rows]xf32>, %shift: !cake.global<[Cols]xf32>, %out: !cake.global<[Batch]x[Rows]x[Cols]xf32, align 16>)
    target("sm_80", "sm_90a") guard(Depth mod 8 eq 0, Cols mod 4 eq 0, Depth ge 8) {
  cake.tiles @walk (p = Batch, i = ceildiv(Rows, 64), j = ceildiv(Cols, 64)) steps(s = ceildiv(Depth, 128)) schedule(grid)
  cake.role @everyone warps(4) {
    cake.items (%p, %i, %j) in @walk {
      %nought = cake.fill 0.0 : !Sum
      %total = cake.steps (%s) in @walk iter(%sum = %nought) {
        %r = cake.load %right[%p, %j * 64, %s * 128] pad(0.0) : tensor<64x128xf16, #cake.mma.b<4x1>>
        %l = cake.load %left[%p, %i * 64, %s * 128] pad(0.0) : tensor<64x128xf16, #cake.mma.a<4x1>>
        %next = cake.mma %sum, %l * %r form(mma.m16n8k16.nt)
        cake.yield %next
      }
      %row = cake.load %scale[%p, %i * 64] pad(0.0) : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      %col = cake.load %shift[%j * 64] pad(0.0) : tensor<64xf32, #cake.col<mma.acc<4x1>>>
      %rows = cake.spread %row : !Sum
      %cols = cake.spread %col : !Sum
      %all = math.fma %total, %rows, %cols : !Sum
      cake.store %all, %out[%p, %i * 64, %j * 64] clip
    }
  }
}
