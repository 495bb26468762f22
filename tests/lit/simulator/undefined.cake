// Undefined arithmetic is reported at the operation, with the CTA and the item.
// RUN: not cake-run %s --in d=0 --size N=64 --out o=%t.npy 2>&1 | FileCheck %s
// RUN: cake-run %s --in d=3 --size N=64 --out o=%t.npy

// CHECK: undefined.cake:[[@LINE+10]]:{{[0-9]+}}: error: 'arith.divsi' op divides by zero, or the quotient overflows (element 0) [SIM_UNDEFINED]
// CHECK-NEXT: %q = arith.divsi %one, %d : i32
// CHECK: note: in role '@all' of CTA 0, item (n = 0)
cake.kernel @divide(%o: !cake.global<[N]xi32>, %d: i32) target("sm_80") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      %one = arith.constant 1 : i32
      %whole = cake.fill 1 : tensor<64xi32, #cake.row<mma.acc<4x1>>>
      cake.store %whole, %o[%n * 64] clip
      %q = arith.divsi %one, %d : i32
    }
  }
}
