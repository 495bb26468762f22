// cake-watchdog: the function gets an argument for the report and says where the mbarriers of its pipelines are.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-watchdog %s | FileCheck %s
// RUN: cake-opt --pass-pipeline='builtin.module(cake-assign-shared,cake-expand-roles,cake-watchdog{ns=5000},cake-watchdog,cake-expand-pipelines,cake-expand-fragments)' %s | FileCheck %s --check-prefix=AGAIN
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-watchdog{ns=0})' %s 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-expand-roles,cake-watchdog)' %s 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not cake-opt --pass-pipeline='builtin.module(cake-assign-shared,cake-expand-roles,cake-expand-pipelines,cake-expand-fragments,cake-watchdog)' %s 2>&1 | FileCheck %s --check-prefix=LATE

// CHECK: gpu.func @copy({{.*}}: index, {{%[a-z0-9]+}}: !gpu.ptr<global>)
// CHECK-SAME: watchdog = {barriers = [{name = "ring", offset = [[#]] : i64, stages = 3 : i64}], ns = 2000000000 : i64}

// Once is enough, and the tensor map's argument comes behind it.
// AGAIN: gpu.func @copy({{.*}}: !gpu.ptr<global>, {{.*}}: !gpu.tensor_map)
// AGAIN-SAME: ns = 5000 : i64
// RANGE: error: {{.*}}cake-watchdog: 'ns' is 0; it must be 1 to 10^12 nanoseconds [PASS_FAILED]
// EARLY: error: {{.*}}has no place in shared memory; run cake-assign-shared first [PASS_FAILED]
// LATE: error: {{.*}}has tensor maps already; cake-watchdog stands in front of cake-expand-pipelines [PASS_FAILED]

cake.kernel @copy(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xf32>) target("sm_90a") guard(N ge 1) {
  cake.pipeline @ring stages(3) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %v = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %v via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %s, %v = cake.wait @ring
      %a = cake.get %v : tensor<64x64xbf16, #cake.mma.a<4x1>>
      cake.release %s
    }
  }
}
