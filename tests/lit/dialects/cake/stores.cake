// Pipelines to the store engine, unrolled loops, put, commit to an array, release after an accumulator: read, printed, and fixed points.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// RUN: cake-opt %s -o %t.1
// RUN: cake-opt %t.1 | cmp - %t.1
// RUN: cake-opt --print-op-generic %s | cake-opt | cmp - %t.1

!Pending = !cake.pending<64x128xf32, wgmma.acc>
!Acc = tensor<64x128xf32, #cake.wgmma.acc>

cake.kernel @k(%x: !cake.global<[M]x64xbf16, align 16>, %y: !cake.global<[M]x[N]xf32, align 16>) target("sm_90a") guard(N mod 4 eq 0) {
  cake.param @P = 2 in [2, 4]
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<128x64xbf16, sw128>)
  // CHECK: cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x32xf32, sw128>)
  // GENERIC: "cake.pipeline"() <{each, from = @use, parts = #cake.parts<y: !cake.shared<64x32xf32, sw128>>, stages = #cake.expr<1>, store, sym_name = "out"}> : () -> ()
  cake.pipeline @out stages(1) from(@use each) to(store) slot(y: !cake.shared<64x32xf32, sw128>)
  // CHECK: cake.tiles @work{{ ?}}(m = ceildiv(M, 128), n = ceildiv(N, 128)) steps(k = 4) schedule(persistent, group<m, P * 2>)
  // GENERIC: schedule = #cake.schedule<persistent, group<m, P * 2>>
  cake.tiles @work (m = ceildiv(M, 128), n = ceildiv(N, 128)) steps(k = 4) schedule(persistent, group<m, P * 2>)
  cake.role @load warps(1) {
    cake.items (%m, %n) in @work {
      cake.steps (%k) in @work {
        %s, %xs = cake.acquire @ring
        cake.copy %x[%m * 128, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warpgroups(1) replicate(2) {
    cake.items (%m, %n) in @work {
      %z = cake.zero : !Pending
      %p = cake.steps (%k) in @work iter(%q = %z) {
        %t, %xt = cake.wait @ring
        %r = cake.mma %q, %xt[instance * 64, 0] * %xt form(wgmma.m64n128k16.nt)
        // CHECK: cake.release %{{.*}}#0 after(%{{.*}})
        // GENERIC: "cake.release"(%{{.*}}, %{{.*}}) : (!cake.slot<@ring, full>, !cake.pending<64x128xf32, wgmma.acc>) -> ()
        cake.release %t after(%r)
        cake.yield %r
      }
      %d = cake.await %p : !Acc
      // CHECK: cake.slice %{{.*}}[0, 64] : tensor<64x64xf32, #cake.wgmma.acc>
      // GENERIC: "cake.slice"({{.*}}) <{off = #cake.at<[0, 64]>}> : (tensor<64x128xf32, #cake.wgmma.acc>) -> tensor<64x64xf32, #cake.wgmma.acc>
      %part = cake.slice %d[0, 64] : tensor<64x64xf32, #cake.wgmma.acc>
      %one = arith.constant 1 : i32
      // CHECK: %[[U:.*]] = cake.unroll %[[J:.*]] = 0 to P + 2 iter(%{{.*}} = %{{.*}}) {
      // GENERIC: "cake.unroll"(%{{.*}}) <{lower = #cake.expr<0>, upper = #cake.expr<P + 2>}> ({
      %u = cake.unroll %j = 0 to P + 2 iter(%v = %one) {
        // CHECK: cake.put %{{.*}}[0, %[[J]] mod 4 * 32], %{{.*}}#1
        // GENERIC: "cake.put"({{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, value_off = #cake.at<[0, d0 mod 4 * 32]>}> : (tensor<64x128xf32, #cake.wgmma.acc>, index, !cake.shared<64x32xf32, sw128>) -> ()
        %o, %c = cake.acquire @out
        cake.put %d[0, %j mod 4 * 32], %c
        // CHECK: cake.commit %{{.*}}#0 to(%arg1[%{{.*}} * 128 + instance * 64, %{{.*}} * 128 + %[[J]] mod 4 * 32])
        // GENERIC: "cake.commit"({{.*}}) <{at = #cake.at<[d0 * 128 + instance * 64, d1 * 128 + d2 mod 4 * 32]>, operandSegmentSizes = array<i32: 1, 1, 3, 0>}>
        cake.commit %o to(%y[%m * 128 + instance * 64, %n * 128 + %j mod 4 * 32])
        cake.yield %v
      }
      // CHECK: cake.unroll %{{.*}} = -1 to 1 {
      cake.unroll %i = -1 to 1 {
      }
    }
  }
}

gpu.module @kernels {
  gpu.func @stores(%g: !gpu.ptr<global>, %n: index)
      attributes {target = ["sm_90a"], arg_names = ["y"], arg_types = [f32], sizes = ["N"], grid = 1 : i64, block = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %shared : !gpu.ptr<shared> to !cake.shared<64x32xf32, sw128>
    %y = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<[N]x32xf32, align 16>
    // CHECK: cake.store_view %{{.*}}, %{{.*}}[%{{.*}} * 64, 0]
    // GENERIC: "cake.store_view"({{.*}}) <{at = #cake.at<[d0 * 64, 0]>, operandSegmentSizes = array<i32: 1, 1, 1>}>
    cake.store_view %v, %y[%n * 64, 0]
    gpu.return
  }
}
