// verify-protocol: a verdict about every kernel, and the schedule of a refutation with a column a role.
// RUN: cake-opt --verify-protocol %s 2>&1 | FileCheck %s
// RUN: cake-opt --pass-pipeline='builtin.module(verify-protocol{budget=2})' %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not cake-opt --pass-pipeline='builtin.module(verify-protocol{budget=2 require-proof=true})' %s 2>&1 | FileCheck %s --check-prefix=PROOF
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --cake-expand-fragments --verify-protocol %s 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: not cake-opt %S/Inputs/deadlock.cake 2>&1 | FileCheck %s --check-prefix=SCHEDULE

// CHECK: remark: verify-protocol: protocol of '@ring' proved: 3 process(es), 1 object(s)
// BUDGET: remark: verify-protocol: protocol of '@ring' bounded: the budget of states ran out
// PROOF: error: 'cake.kernel' op has a protocol that is not proved: the budget of states ran out [PROTOCOL_VERDICT]
// GPU: remark: verify-protocol: protocol of '@ring' proved: {{.*}} 7 object(s)

// SCHEDULE: error: 'cake.acquire' op can wait for ever: @a waits for an empty slot of pipeline '@p', and no role can go on [SYNC_DEADLOCK]
// SCHEDULE: note: @b.0 waits here for a full slot of pipeline '@q'
// SCHEDULE: note: @b.1 waits here for a full slot of pipeline '@q'
// SCHEDULE: note: a schedule that leads there, 2 move(s):
// SCHEDULE-NEXT: @a @b.0 @b.1
// SCHEDULE-NEXT: acquire @p :7
// SCHEDULE-NEXT: commit @p :9
// SCHEDULE-NEXT: at acquire @p :10 at wait @q :20 at wait @q :20
cake.kernel @ring(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p stages(3) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(persistent)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @p
      cake.copy %x[%n * 64, 0] -> %xs via(tma) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) replicate(2) {
    cake.items (%n) in @work {
      %s, %xs = cake.wait @p
      cake.release %s
    }
  }
}
