// cake-expand-roles: functions, dispatch on the warp, loops, and expressions without names.
// RUN: cake-opt --cake-assign-shared --cake-expand-roles --split-input-file --allow-unregistered-dialect %s | FileCheck %s

// One role that is the whole CTA, one CTA an item: straight code. Sizes and `instance` (there is one: 0) go into the operands.
// CHECK-LABEL: gpu.module @kernels
// CHECK: gpu.func @grid([[X:%.*]]: !gpu.ptr<global>, [[Y:%.*]]: !gpu.ptr<global>, [[S:%.*]]: f32, [[B:%.*]]: index, [[N:%.*]]: index, [[K:%.*]]: index)
// CHECK-SAME: arg_names = ["x", "y", "s"]
// CHECK-SAME: block = 128 : i64
// CHECK-SAME: grid = #cake.expr<B * ceildiv(N, 64)>
// CHECK-SAME: roles = [{first_warp = 0 : i64, name = "all", regs = 0 : i64, replicas = 1 : i64, warps = 4 : i64}]
// CHECK-SAME: sizes = ["B", "N", "K"]
// CHECK: [[VX:%.*]] = builtin.unrealized_conversion_cast [[X]] : !gpu.ptr<global> to !cake.global<[B]x[N]xf32>
// CHECK: [[VY:%.*]] = builtin.unrealized_conversion_cast [[Y]] : !gpu.ptr<global> to !cake.global<[B]x[K]xf32>
// CHECK: [[C63:%.*]] = arith.constant 63 : index
// CHECK: [[SUM:%.*]] = arith.addi [[N]], [[C63]]
// CHECK: [[NT:%.*]] = arith.divui [[SUM]], {{%.*}} : index
// CHECK: [[ITEM:%.*]] = gpu.block_id x
// CHECK: [[I:%.*]] = arith.remui [[ITEM]], [[NT]]
// CHECK: [[J:%.*]] = arith.divui [[ITEM]], [[NT]]
// CHECK: [[F:%.*]] = cake.load [[VX]]{{\[}}[[J]], [[I]] * 64] pad(0.0)
// CHECK: [[M:%.*]] = cake.mask [[F]] keep(row + [[I]] * 64 lt [[N]]) fill(0.0)
// CHECK: [[C64:%.*]] = arith.constant 64 : index
// CHECK: [[AT:%.*]] = arith.muli [[I]], [[C64]]
// CHECK: [[END:%.*]] = arith.addi [[AT]], [[K]]
// CHECK: cake.store [[M]], [[VY]]{{\[}}[[J]], [[END]]] clip
// CHECK: gpu.return
// CHECK-NOT: cake.kernel
cake.kernel @grid(%x: !cake.global<[B]x[N]xf32>, %s: f32, %y: !cake.global<[B]x[K]xf32>) target("sm_80") {
  cake.tiles @work (b = B, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%b, %n) in @work {
      %f = cake.load %x[%b, %n * 64 + instance] pad(0.0) : tensor<64xf32, #cake.row<mma.acc<4x1>>>
      %m = cake.mask %f keep(row + %n * 64 lt N) fill(0.0)
      %at = cake.index(%n * 64 + K) : index
      cake.store %m, %y[%b, %at] clip
    }
  }
}

// -----

// Persistent, carried values, steps in items, replicas, and a role that is not the whole CTA.
// CHECK: gpu.func @persistent
// CHECK-SAME: persistent
// CHECK: [[ITEMS:%.*]] = arith.muli [[N:%.*]], [[E:%.*]] : index
// CHECK: [[W:%.*]] = gpu.warp_id
// CHECK: [[C8:%.*]] = arith.constant 8 : index
// CHECK: [[IS:%.*]] = arith.cmpi ult, [[W]], [[C8]] : index
// CHECK: scf.if [[IS]] {
// CHECK:   [[C4:%.*]] = arith.constant 4 : index
// CHECK:   [[INST:%.*]] = arith.divui [[W]], [[C4]]
// CHECK:   [[START:%.*]] = cake.fill 0.0
// CHECK:   [[FIRST:%.*]] = gpu.block_id x
// CHECK:   [[STRIDE:%.*]] = gpu.grid_dim x
// CHECK:   [[OUT:%.*]] = scf.for [[ITEM:%.*]] = [[FIRST]] to [[ITEMS]] step [[STRIDE]] iter_args([[ACC:%.*]] = [[START]])
// CHECK:     [[J:%.*]] = arith.remui [[ITEM]], [[E]]
// CHECK:     [[I:%.*]] = arith.divui [[ITEM]], [[E]]
// CHECK:     [[IN:%.*]] = scf.for [[K:%.*]] = {{%.*}} to {{%.*}} step {{%.*}} iter_args([[A:%.*]] = [[ACC]])
// CHECK:       [[F:%.*]] = cake.load {{%.*}}[[[I]], [[K]] * 64 + [[INST]] * 64] pad(0.0)
// CHECK:       [[SUM:%.*]] = arith.addf [[A]], [[F]]
// CHECK:       scf.yield [[SUM]]
// CHECK:     scf.yield [[IN]]
// CHECK:   cake.store [[OUT]], {{%.*}}[[[INST]] * 64] clip
// CHECK: } else {
// CHECK:   scf.if {{%.*}} {
// CHECK:     "t.body"() : () -> ()
// CHECK:   } {cake.role = "idle"}
// CHECK: } {cake.role = "work"}
!Row = tensor<64xf32, #cake.row<mma.acc<4x1>>>
cake.kernel @persistent(%x: !cake.global<[N]x[K]xf32>, %y: !cake.global<[K]xf32>) target("sm_80") {
  cake.tiles @tiles (n = N, j = ceildiv(K, 256)) steps(k = ceildiv(K, 64)) schedule(persistent)
  cake.role @work warps(4) replicate(2) {
    %start = cake.fill 0.0 : !Row
    %out = cake.items (%n, %j) in @tiles iter(%acc = %start) {
      %in = cake.steps (%k) in @tiles iter(%a = %acc) {
        %f = cake.load %x[%n, %k * 64 + instance * 64] pad(0.0) : !Row
        %sum = arith.addf %a, %f : !Row
        cake.yield %sum
      }
      cake.yield %in
    }
    cake.store %out, %y[instance * 64] clip
  }
  cake.role @idle warps(1) {
    "t.body"() : () -> ()
  }
}
