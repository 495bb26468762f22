// schedule-pipeline: rings of a loop get stages; by default as many as fit.
// RUN: cake-opt --split-input-file --schedule-pipeline %s 2>%t.remarks | FileCheck %s --check-prefix=MOST
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-pipeline{stages=3})' %s 2>/dev/null | FileCheck %s --check-prefix=THREE
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-pipeline{stages=2 pipeline=@item})' %s 2>/dev/null | FileCheck %s --check-prefix=NAMED
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-pipeline{stages=20})' %s 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-pipeline{stages=65})' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: cake-opt --pass-pipeline='builtin.module(cake-instantiate,schedule-pipeline{stages=4})' %cake_src/bench/kernels/gemm.cake 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: remark: schedule-pipeline: missed: the kernel is as this pass would make it
// OPTION: error: {{.*}}'stages' must be from 0 to 64, but is 65 [PASS_PIPELINE]

// 227 KiB hold 6 slots of 32 KiB beside the item's.
// MOST: cake.pipeline @item stages(1)
// MOST: cake.pipeline @ring stages(6)
// THREE: cake.pipeline @item stages(1)
// THREE: cake.pipeline @ring stages(3)
// NAMED: cake.pipeline @item stages(2)
// NAMED: cake.pipeline @ring stages(1)
// MANY: remark: schedule-pipeline: missed: the result is refused: 'cake.kernel' op needs {{[0-9]+}} bytes of shared memory
cake.kernel @rings(%x: !cake.global<[N]x[K]xbf16, align 16>) target("sm_90a") guard(K mod 8 eq 0) {
  cake.pipeline @item stages(1) from(@load) to(@use) slot(x: !cake.shared<128x64xbf16, sw128>)
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(x: !cake.shared<256x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 256)) steps(k = ceildiv(K, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %i, %iv = cake.acquire @item
      cake.copy %x[%n * 256, 0] -> %iv via(tma) pad(0.0)
      cake.commit %i
      cake.steps (%k) in @work {
        %s, %v = cake.acquire @ring
        cake.copy %x[%n * 256, %k * 64] -> %v via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %i, %iv = cake.wait @item
      cake.release %i
      cake.steps (%k) in @work {
        %s, %v = cake.wait @ring
        cake.release %s
      }
    }
  }
}

// -----

// A role that waits for what it fills overlaps nothing.
// MISSED: :[[#@LINE+3]]:3: remark: schedule-pipeline: missed: one role fills and empties it, and waits for what it fills; schedule-split makes two of it
// THREE: cake.pipeline @ring stages(1)
cake.kernel @alone(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(1) from(@all) to(@all) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = 1) steps(k = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %v = cake.acquire @ring
        cake.copy %x[%k * 64, 0] -> %v via(tma) pad(0.0)
        cake.commit %s
        %f, %w = cake.wait @ring
        cake.release %f
      }
    }
  }
}

// -----

// MISSED: remark: schedule-pipeline: missed: not even two stages fit: 'cake.kernel' op needs
// THREE: cake.pipeline @ring stages(1)
cake.kernel @large(%x: !cake.global<[N]x512xbf16, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(x: !cake.shared<128x512xbf16, sw128>)
  cake.tiles @work (n = 1) steps(k = ceildiv(N, 128)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %v = cake.acquire @ring
        cake.copy %x[%k * 128, 0] -> %v via(tma) pad(0.0)
        cake.commit %s
      }
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %s, %v = cake.wait @ring
        cake.release %s
      }
    }
  }
}

// -----

// MISSED: remark: schedule-pipeline: missed: has no such pipeline; schedule-stage makes one
cake.kernel @none(%x: !cake.global<[N]xbf16>) target("sm_90a") {
  cake.role @all warps(4) {
  }
}
