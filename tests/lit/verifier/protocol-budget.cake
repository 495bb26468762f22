// Rule protocol behind lowering: when the states run out there, that is said, and the pass passes.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --cake-expand-pipelines --cake-expand-fragments %s 2>&1 | FileCheck %s
// RUN: cake-opt --no-verify --pass-pipeline='builtin.module(cake-assign-shared,cake-expand-roles,cake-expand-pipelines,cake-expand-fragments,verify-protocol)' %s 2>&1 | FileCheck %s --check-prefix=MORE

// CHECK: remark: protocol not proved within 4000 states: verify-protocol{budget=40000} goes on [PROTOCOL_VERDICT]
// CHECK-NOT: error
// MORE: remark: verify-protocol: protocol of '@three' proved: {{.*}}; 10001 state(s)
// RUN: sed 's/stages([579])/stages(15)/' %s | cake-opt --no-verify --pass-pipeline='builtin.module(cake-assign-shared,cake-expand-roles,cake-expand-pipelines,cake-expand-fragments,verify-protocol)' 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: remark: verify-protocol: protocol of '@three' bounded: the budget of states ran out; {{[0-9]+}} state(s)

// Three rings that advance independently of one another: how full they are multiplies.
cake.kernel @three(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @p0 stages(5) from(@load) to(@use) slot(x: !cake.shared<16x64xbf16, sw128>)
  cake.pipeline @p1 stages(7) from(@load) to(@use) slot(x: !cake.shared<16x64xbf16, sw128>)
  cake.pipeline @p2 stages(9) from(@load) to(@use) slot(x: !cake.shared<16x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 16)) schedule(persistent)
  cake.role @load warps(1) {
    %lo = arith.constant 0 : index
    %one = arith.constant 1 : index
    cake.items (%n) in @work {
      %n1 = arith.addi %n, %one : index
      %n2 = arith.addi %n1, %one : index
      scf.for %i = %lo to %n step %one {
        %s, %xs = cake.acquire @p0
        cake.copy %x[%n * 16, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
      scf.for %i = %lo to %n1 step %one {
        %s, %xs = cake.acquire @p1
        cake.copy %x[%n * 16, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
      scf.for %i = %lo to %n2 step %one {
        %s, %xs = cake.acquire @p2
        cake.copy %x[%n * 16, 0] -> %xs via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(1) {
    %lo = arith.constant 0 : index
    %one = arith.constant 1 : index
    cake.items (%n) in @work {
      %n1 = arith.addi %n, %one : index
      %n2 = arith.addi %n1, %one : index
      scf.for %i = %lo to %n step %one {
        %s, %xs = cake.wait @p0
        cake.release %s
      }
      scf.for %i = %lo to %n1 step %one {
        %s, %xs = cake.wait @p1
        cake.release %s
      }
      scf.for %i = %lo to %n2 step %one {
        %s, %xs = cake.wait @p2
        cake.release %s
      }
    }
  }
}
