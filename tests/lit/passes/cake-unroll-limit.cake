// Loops in loops: more rounds than any memory holds are an error at the loop.
// RUN: not cake-opt --cake-unroll %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+6]]:9: error: 'cake.unroll' op has 256 rounds: a module may unroll 131072 in all
cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") {
  cake.tiles @work (n = N) schedule(grid)
  cake.role @all warps(1) { cake.items (%n) in @work {
    cake.unroll %i = 0 to 256 {
      cake.unroll %j = 0 to 256 {
        cake.unroll %k = 0 to 256 {
          cake.yield
        }
        cake.yield
      }
      cake.yield
    }
  } }
}
