// Every op in custom form, read and printed; the generic form of the same; and both are fixed points.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// RUN: cake-opt %s -o %t.1
// RUN: cake-opt %t.1 | cmp - %t.1
// RUN: cake-opt --print-op-generic %s | cake-opt | cmp - %t.1

!Acc = tensor<64x64xf32, #cake.wgmma.acc>
!Pending = !cake.pending<64x64xf32, wgmma.acc>
!Best = !cake.best<64x1xf32, max, tie<high>, nan<first>, group<1>, wgmma.acc>

// CHECK: cake.kernel @all(%arg0 as x: !cake.global<[N]x[D]xbf16, align 16>, %arg1 as s: !cake.global<[N]xf32, align 16>, %arg2 as y: !cake.global<[N]xi32>, %arg3 as "a b": f32) target("sm_90a") guard(N ge 64, N mod 64 eq 0) {
// GENERIC: "cake.kernel"() <{arg_names = ["x", "s", "y", "a b"], guard = #cake.pred<N ge 64, N mod 64 eq 0>, sym_name = "all", target = ["sm_90a"]}> ({
cake.kernel @all(%x: !cake.global<[N]x[D]xbf16, align 16>, %s: !cake.global<[N]xf32, align 16>, %y: !cake.global<[N]xi32>, %e as "a b": f32)
    guard(N ge 64, N mod 64 eq 0) target("sm_90a") {
  // CHECK-NEXT: cake.param @D = 64 in [64, 128]
  // GENERIC: "cake.param"() <{choices = #cake.choices<[64, 128]>, sym_name = "D", value = 64 : i64}> : () -> ()
  cake.param @D = 64 in [64, 128]
  // CHECK-NEXT: cake.param @S = 2 in 1..4
  cake.param @S = 2 in 1..4
  // CHECK-NEXT: cake.require D * S le 512, min(D, S) ge 1
  // GENERIC: "cake.require"() <{pred = #cake.pred<D * S le 512, min(D, S) ge 1>}> : () -> ()
  cake.require D * S le 512, min(D, S) ge 1
  // CHECK-NEXT: cake.pipeline @ring stages(S) from(@load) to(@use) slot(c: !cake.shared<64x[D]xbf16, sw128>, q: !cake.shared<64xf32, rows>)
  // GENERIC: "cake.pipeline"() <{from = @load, parts = #cake.parts<c: !cake.shared<64x[D]xbf16, sw128>, q: !cake.shared<64xf32, rows>>, stages = #cake.expr<S>, sym_name = "ring", to = @use}> : () -> ()
  cake.pipeline @ring stages(S) from(@load) to(@use) slot(c: !cake.shared<64x[D]xbf16, sw128>, q: !cake.shared<64xf32, rows>)
  // CHECK-NEXT: cake.order @turns over(@use)
  // GENERIC: "cake.order"() <{over = @use, sym_name = "turns"}> : () -> ()
  cake.order @turns over(@use)
  // CHECK-NEXT: cake.tiles @work{{ ?}}(n = N floordiv 64) steps(k = ceildiv(N, 64)) schedule(persistent)
  // GENERIC: "cake.tiles"() <{axes = #cake.axes<n = N floordiv 64>, schedule = #cake.schedule<persistent>, steps = #cake.axes<k = ceildiv(N, 64)>, sym_name = "work"}> : () -> ()
  cake.tiles @work (n = N floordiv 64) schedule(persistent) steps(k = ceildiv(N, 64))
  // CHECK-NEXT: cake.role @load warps(1) regs(40) {
  // GENERIC: "cake.role"() <{regs = #cake.expr<40>, sym_name = "load", warps = #cake.expr<1>}> ({
  cake.role @load warps(1) regs(40) {
    // CHECK-NEXT: cake.items (%[[N:.*]]) in @work {
    // GENERIC: "cake.items"() <{tiles = @work}> ({
    cake.items (%n) in @work {
      // CHECK-NEXT: cake.steps (%[[K:.*]]) in @work {
      // GENERIC: "cake.steps"() <{tiles = @work}> ({
      cake.steps (%k) in @work {
        // CHECK-NEXT: %[[S:.*]]:3 = cake.acquire @ring
        // GENERIC: "cake.acquire"() <{pipeline = @ring}> : () -> (!cake.slot<@ring, open>, !cake.shared<64x[D]xbf16, sw128>, !cake.shared<64xf32, rows>)
        %t, %c, %q = cake.acquire @ring
        // CHECK-NEXT: cake.copy %arg0[%[[K]] * 64, 0] -> %[[S]]#1[0, 0] via(tma) pad(0.0)
        // GENERIC: "cake.copy"({{.*}}) <{at = #cake.at<[d0 * 64, 0]>, off = #cake.at<[0, 0]>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, pad = 0.000000e+00 : bf16, via = #cake.via<tma>}>
        cake.copy %x[%k * 64, 0] -> %c[0, 0] via(tma) pad(0.0)
        // CHECK-NEXT: cake.copy %arg1[%[[N]] * 64] -> %[[S]]#2 via(bulk)
        cake.copy %s[%n * 64] -> %q via(bulk)
        // CHECK-NEXT: cake.commit %[[S]]#0
        // GENERIC: "cake.commit"(%{{.*}}#0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!cake.slot<@ring, open>) -> ()
        cake.commit %t
        // GENERIC-NEXT: "cake.yield"() : () -> ()
      }
    }
    // GENERIC: "cake.end"() : () -> ()
  }
  // CHECK: cake.role @use warpgroups(1) replicate(2) {
  cake.role @use replicate(2) warpgroups(1) {
    cake.items (%n) in @work {
      // CHECK: %[[INIT:.*]] = cake.best.init : !cake.best<64x1xf32, max, tie<high>, nan<first>, group<1>, wgmma.acc>
      // GENERIC: "cake.best.init"() : () -> !cake.best<64x1xf32, max, tie<high>, nan<first>, group<1>, wgmma.acc>
      %none = cake.best.init : !Best
      // CHECK-NEXT: %[[FILL:.*]] = cake.fill 1.5 : tensor<64x64xf32, #cake.wgmma.acc>
      // GENERIC: "cake.fill"() <{value = 1.500000e+00 : f32}> : () -> tensor<64x64xf32, #cake.wgmma.acc>
      %f = cake.fill 1.5 : !Acc
      // CHECK-NEXT: cake.fill -3 : tensor<64xi32, #cake.row<wgmma.acc>>
      %i = cake.fill -3 : tensor<64xi32, #cake.row<wgmma.acc>>
      // CHECK-NEXT: cake.fill nan : tensor<64xf32, #cake.row<wgmma.acc>>
      %nan = cake.fill nan : tensor<64xf32, #cake.row<wgmma.acc>>
      // CHECK-NEXT: cake.fill 1.0e-30 : tensor<64xf32, #cake.row<wgmma.acc>>
      %tiny = cake.fill 0.000000000000000000000000000001 : tensor<64xf32, #cake.row<wgmma.acc>>
      // CHECK-NEXT: %[[LAST:.*]] = cake.steps (%[[K2:.*]]) in @work iter(%[[SO:.*]] = %[[INIT]]) {
      %last = cake.steps (%k) in @work iter(%so_far = %none) {
        // CHECK-NEXT: %[[W:.*]]:3 = cake.wait @ring
        // GENERIC: "cake.wait"() <{pipeline = @ring}> : () -> (!cake.slot<@ring, full>,
        %t, %c, %q = cake.wait @ring
        // CHECK-NEXT: %[[Z:.*]] = cake.zero : !cake.pending<64x64xf32, wgmma.acc>
        // GENERIC: "cake.zero"() : () -> !cake.pending<64x64xf32, wgmma.acc>
        %z = cake.zero : !Pending
        // CHECK-NEXT: %[[TURN:.*]] = cake.take @turns
        // GENERIC: "cake.take"() <{order = @turns}> : () -> !cake.turn<@turns>
        %turn = cake.take @turns
        // CHECK-NEXT: %[[P:.*]] = cake.mma %[[Z]], %[[W]]#1[0, 0] * %[[W]]#1 form(wgmma.m64n64k16.nt)
        // GENERIC: "cake.mma"({{.*}}) <{a_off = #cake.at<[0, 0]>, form = #cake.form<wgmma.m64n64k16.nt>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}>
        %p = cake.mma %z, %c[0, 0] * %c form(wgmma.m64n64k16.nt)
        // CHECK-NEXT: cake.pass %[[TURN]]
        // GENERIC: "cake.pass"(%{{.*}}) : (!cake.turn<@turns>) -> ()
        cake.pass %turn
        // CHECK-NEXT: %[[D:.*]] = cake.await %[[P]] : tensor<64x64xf32, #cake.wgmma.acc>
        // GENERIC: "cake.await"
        %d = cake.await %p : !Acc
        // CHECK-NEXT: %[[Q:.*]] = cake.get %[[W]]#2[0] : tensor<64xf32, #cake.col<wgmma.acc>>
        // GENERIC: "cake.get"(%{{.*}}#2) <{off = #cake.at<[0]>}>
        %qf = cake.get %q[0] : tensor<64xf32, #cake.col<wgmma.acc>>
        // CHECK-NEXT: cake.release %[[W]]#0
        // GENERIC: "cake.release"
        cake.release %t
        // CHECK-NEXT: cake.spread %[[Q]] : tensor<64x64xf32, #cake.wgmma.acc>
        // GENERIC: "cake.spread"
        %sp = cake.spread %qf : !Acc
        // CHECK-NEXT: %[[M:.*]] = cake.mask %{{.*}} keep(row ge col, col + %[[K2]] * 64 lt N) fill(-inf)
        // GENERIC: "cake.mask"({{.*}}) <{fill = 0xFF800000 : f32, keep = #cake.pred<row ge col, col + d0 * 64 lt N>}>
        %m = cake.mask %sp keep(row ge col, col + %k * 64 lt N) fill(-inf)
        // CHECK-NEXT: %[[B:.*]] = cake.best %[[M]] at((%[[K2]] + 1) * 64 - 64) keep(col - 1 lt N) into(%[[SO]])
        // GENERIC: "cake.best"({{.*}}) <{at = #cake.expr<(d0 + 1) * 64 - 64>, keep = #cake.pred<col - 1 lt N>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}>
        %b = cake.best %m at((%k + 1) * 64 - 64) keep(col - 1 lt N) into(%so_far)
        // CHECK-NEXT: cake.yield %[[B]]
        cake.yield %b
      }
      // CHECK: %[[R:.*]]:2 = cake.settle %[[LAST]]
      // GENERIC: "cake.settle"
      %v, %at = cake.settle %last
      // CHECK-NEXT: cake.index (max(%{{.*}}, 1) mod 8 + ceildiv(N, 2) - -1) : index
      // GENERIC: "cake.index"({{.*}}) <{expr = #cake.expr<max(d0, 1) mod 8 + ceildiv(N, 2) - -1>}> : (index) -> index
      %ix = cake.index (max(%n, 1) mod 8 + (N ceildiv 2) - -1) : index
      // CHECK-NEXT: cake.load %arg1[%{{.*}} * 64] : tensor<64xf32, #cake.row<wgmma.acc>>
      // GENERIC: "cake.load"
      %l = cake.load %s[%n * 64] : tensor<64xf32, #cake.row<wgmma.acc>>
      // CHECK-NEXT: cake.store %[[R]]#1, %arg2[%{{.*}} * 64 + instance * 64] clip
      // GENERIC: "cake.store"({{.*}}) <{at = #cake.at<[d0 * 64 + instance * 64]>, clip, operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
      cake.store %at, %y[%n * 64 + instance * 64] clip
    }
  }
}
