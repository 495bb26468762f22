// Clusters and multicasts: what is printed reads back, and instances have numbers.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --cake-instantiate %s | FileCheck %s --check-prefix=INSTANCE

// CHECK: target("sm_90a") cluster(C, 2) guard(N ge 1)
// CHECK: via(tma) pad(0.0) multicast(C * C * 4 - 1)
// INSTANCE: cluster(2, 2)
// INSTANCE: multicast(15)
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") cluster(C, 2) guard(N ge 1) {
  cake.param @C = 2 in [1, 2]
  cake.require C eq 2
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0) multicast(C * C * 4 - 1)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      cake.release %t
    }
  }
}
