// cake-expand-roles: index arithmetic. Sizes, steps and items are not negative and divide unsigned; others round as the language says.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --split-input-file %s | FileCheck %s

// CHECK-LABEL: gpu.func @signs
// CHECK-SAME: ({{%.*}}: !gpu.ptr<global>, [[S:%.*]]: index, [[N:%.*]]: index)
// CHECK: scf.for [[K:%.*]] =
// CHECK: [[K3:%.*]] = arith.muli [[K]], {{%.*}} : index
// CHECK: [[SUM:%.*]] = arith.addi [[K3]], [[N]] : index
// CHECK: arith.divui [[SUM]], {{%.*}} : index
// CHECK: [[REM:%.*]] = arith.remui [[K]], [[N]] : index
// CHECK: [[MIN:%.*]] = arith.minsi [[REM]], {{%.*}} : index
// CHECK: arith.maxsi [[MIN]], {{%.*}} : index
// CHECK: [[UP:%.*]] = arith.addi [[K]], {{%.*}} : index
// CHECK: arith.divui [[UP]], {{%.*}} : index
// CHECK: [[LESS:%.*]] = arith.subi [[K]], {{%.*}} : index
// CHECK: arith.floordivsi [[LESS]], {{%.*}} : index
// CHECK: [[LESS2:%.*]] = arith.subi [[K]], {{%.*}} : index
// CHECK: arith.ceildivsi [[LESS2]], {{%.*}} : index
// CHECK: [[FLOOR:%.*]] = arith.floordivsi [[S]], {{%.*}} : index
// CHECK: [[BACK:%.*]] = arith.muli [[FLOOR]], {{%.*}} : index
// CHECK: arith.subi [[S]], [[BACK]] : index
// CHECK: cake.store {{%.*}}, {{%.*}}{{\[}}[[K]] * 64 + [[N]] floordiv 2] clip
!Row = tensor<64xf32, #cake.row<mma.acc<4x1>>>
cake.kernel @signs(%y: !cake.global<[N]xf32>, %s: index) target("sm_80") {
  cake.tiles @work (n = 1) steps(k = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    %zero = cake.fill 0.0 : !Row
    cake.items (%n) in @work {
      cake.steps (%k) in @work {
        %a = cake.index((%k * 3 + N) floordiv 7) : index
        %b = cake.index(max(min(%k mod N, 5), 1)) : index
        %c = cake.index(%k ceildiv 16) : index
        %d = cake.index((%k - 1) floordiv 2) : index
        %e = cake.index((%k - 1) ceildiv 2) : index
        %f = cake.index(%s mod 5) : index
        cake.store %zero, %y[%k * 64 + N floordiv 2 + instance * 8] clip
      }
    }
  }
}

// -----

// Two kernels go into one module, in order; a module that is there is used.
// CHECK: gpu.module @kernels
// CHECK: gpu.func @there
// CHECK: gpu.func @one
// CHECK: gpu.func @two
// CHECK-NOT: gpu.module
gpu.module @kernels {
  gpu.func @there() attributes {target = ["sm_80"], arg_names = [], arg_types = [], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    gpu.return
  }
}
cake.kernel @one(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.role @all warps(1) {
  }
}
cake.kernel @two(%x: !cake.global<[N]xf32>) target("sm_80") {
  cake.role @all warps(1) {
  }
}
