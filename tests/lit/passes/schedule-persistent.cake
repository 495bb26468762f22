// schedule-persistent: one word of the iterator, and its bands.
// RUN: cake-opt --split-input-file --schedule-persistent %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: cake-opt --split-input-file --pass-pipeline='builtin.module(schedule-persistent{axis=m group=4})' %s 2>%t.axis | FileCheck %s --check-prefix=BANDS
// RUN: FileCheck %s --check-prefix=AXIS --input-file=%t.axis
// RUN: not cake-opt --pass-pipeline='builtin.module(schedule-persistent{axis=m group=0})' %cake_src/bench/kernels/gemm_naive.cake 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}'group' must be at least 1 [PASS_PIPELINE]

// CHECK: cake.tiles @work(m = M, n = N) schedule(persistent)
// BANDS: cake.tiles @work(m = M, n = N) schedule(persistent, group<m, 4>)
cake.kernel @two(%x: !cake.global<[M]x[N]xbf16>) target("sm_90a") {
  cake.tiles @work (m = M, n = N) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%m, %n) in @work {
    }
  }
}

// -----

// MISSED: :[[#@LINE+4]]:3: remark: schedule-persistent: missed: is persistent already
// AXIS: :[[#@LINE+3]]:3: remark: schedule-persistent: missed: has no axis 'm'
// CHECK: cake.tiles @work(n = N) schedule(persistent)
cake.kernel @one(%x: !cake.global<[N]xbf16>) target("sm_90a") {
  cake.tiles @work (n = N) schedule(persistent)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
    }
  }
}

// -----

// Bands of an axis keep the longest items first where the axis that the steps depend on stands behind it.
// CHECK: cake.tiles @work(m = M, s = S) steps(n = s) schedule(persistent, longest_first)
// BANDS: cake.tiles @work(m = M, s = S) steps(n = s) schedule(persistent, group<m, 4>, longest_first)
cake.kernel @longest(%x: !cake.global<[M]x[S]xbf16>) target("sm_90a") {
  cake.tiles @work (m = M, s = S) steps(n = s) schedule(grid, longest_first)
  cake.role @all warps(4) {
  }
}

// -----

// AXIS: :[[#@LINE+3]]:3: remark: schedule-persistent: missed: has its longest items first, by an axis that does not stand behind 'm'
// BANDS: cake.tiles @work(s = S, m = M) steps(n = s) schedule(grid, longest_first)
cake.kernel @behind(%x: !cake.global<[M]x[S]xbf16>) target("sm_90a") {
  cake.tiles @work (s = S, m = M) steps(n = s) schedule(grid, longest_first)
  cake.role @all warps(4) {
  }
}

// -----

// MISSED: remark: schedule-persistent: missed: has no iterator
cake.kernel @none(%x: !cake.global<[N]xbf16>) target("sm_90a") {
  cake.role @all warps(4) {
  }
}
