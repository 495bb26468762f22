// schedule-reuse: what the steps do not change of a product's left operand is read once.
// RUN: cake-opt --split-input-file --schedule-reuse %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks

// A load goes in front of the loop.
// CHECK-LABEL: cake.kernel @scores
// CHECK: cake.items
// CHECK: cake.load %arg0
// CHECK: cake.steps
// CHECK: cake.load %arg1
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
!Max = tensor<64xf32, #cake.row<mma.acc<4x1>>>
cake.kernel @scores(%q: !cake.global<[M]x64xbf16, align 16>, %k: !cake.global<[N]x64xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_80", "sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64)) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !Acc
      cake.steps (%n) in @work {
        %qs = cake.load %q[%m * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %ks = cake.load %k[%n * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %s = cake.mma %zero, %qs * %ks form(mma.m16n8k16.nt)
        cake.store %s, %c[%m * 64, %n * 64] clip
      }
    }
  }
}

// -----

// A slot that is held around the loop is read into registers, and goes back before the loop.
// CHECK-LABEL: cake.kernel @held
// CHECK: [[Q:%[0-9]+]]:2 = cake.wait @q
// CHECK-NEXT: [[A:%.*]] = cake.get [[Q]]#1[instance * 64, 0] : tensor<64x128xbf16, #cake.wgmma.a>
// CHECK-NEXT: cake.release [[Q]]#0
// CHECK-NEXT: cake.steps
// CHECK: cake.mma %{{.*}}, [[A]] * %{{.*}} form(wgmma.m64n64k16.nt)
!Pending = !cake.pending<64x64xf32, wgmma.acc>
!Acc = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @held(%q: !cake.global<[M]x128xbf16, align 16>, %k: !cake.global<[N]x128xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_90a") {
  cake.pipeline @q stages(1) from(@load) to(@use) slot(q: !cake.shared<128x128xbf16, sw128>)
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(k: !cake.shared<64x128xbf16, sw128>)
  cake.tiles @work (m = ceildiv(M, 128)) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%m) in @work {
      %s, %qv = cake.acquire @q
      cake.copy %q[%m * 128, 0] -> %qv via(tma) pad(0.0)
      cake.commit %s
      cake.steps (%n) in @work {
        %t, %kv = cake.acquire @ring
        cake.copy %k[%n * 64, 0] -> %kv via(tma) pad(0.0)
        cake.commit %t
      }
    }
  }
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m) in @work {
      %s, %qv = cake.wait @q
      cake.steps (%n) in @work {
        %t, %kv = cake.wait @ring
        %zero = cake.zero : !Pending
        %p = cake.mma %zero, %qv[instance * 64, 0] * %kv form(wgmma.m64n64k16.nt)
        %sum = cake.await %p : !Acc
        cake.release %t
        cake.store %sum, %c[%m * 128 + instance * 64, %n * 64] clip
      }
      cake.release %s
    }
  }
}

// -----

// Another tile in each step; an array that the kernel writes; a slot of the step.
// MISSED: remark: schedule-reuse: missed: the left operand is another one in each step
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @sum(%a: !cake.global<[M]x[K]xbf16, align 16>, %b: !cake.global<[N]x[K]xbf16, align 16>, %c: !cake.global<[M]x[N]xf32>) target("sm_80", "sm_90a") guard(K mod 8 eq 0) {
  cake.tiles @work (m = ceildiv(M, 64), n = ceildiv(N, 64)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
      %zero = cake.fill 0.0 : !Acc
      %sum = cake.steps (%k) in @work iter(%so_far = %zero) {
        %as = cake.load %a[%m * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
        %bs = cake.load %b[%n * 64, %k * 64] pad(0.0) : tensor<64x64xbf16, #cake.mma.b<4x1>>
        %more = cake.mma %so_far, %as * %bs form(mma.m16n8k16.nt)
        cake.yield %more
      }
      cake.store %sum, %c[%m * 64, %n * 64] clip
    }
  }
}

// -----

// MISSED: remark: schedule-reuse: missed: stands in no loop over steps
!Acc = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @once(%q: !cake.global<[M]x64xbf16, align 16>, %k: !cake.global<64x64xbf16, align 16>, %c: !cake.global<[M]x64xf32>) target("sm_80", "sm_90a") {
  cake.tiles @work (m = ceildiv(M, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !Acc
      %qs = cake.load %q[%m * 64, 0] pad(0.0) : tensor<64x64xbf16, #cake.mma.a<4x1>>
      %ks = cake.load %k[0, 0] : tensor<64x64xbf16, #cake.mma.b<4x1>>
      %s = cake.mma %zero, %qs * %ks form(mma.m16n8k16.nt)
      cake.store %s, %c[%m * 64, 0] clip
    }
  }
}

// -----

// MISSED: remark: schedule-reuse: missed: has no product
cake.kernel @none(%x: !cake.global<[N]xbf16>) target("sm_90a") {
  cake.role @all warps(4) {
  }
}
