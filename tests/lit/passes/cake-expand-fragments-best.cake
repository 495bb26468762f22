// cake-expand-fragments: mask, best.init, best and settle.
// RUN: cake-opt %s --split-input-file --cake-expand-fragments --canonicalize --cse --dce | FileCheck %s

// A predicate that is linear in row and col is one number a lane, compared with a constant an element.
// CHECK-LABEL: gpu.func @mask
// CHECK-SAME:    [[K:%[^ ]+]]: index)
// CHECK:         [[X:%.+]] = arith.subi {{.*}}, [[K]] : index
// CHECK:         [[LANE:%.+]] = arith.addi {{.*}}, [[X]] : index
// CHECK-DAG:     [[INF:%.+]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:     [[C0:%.+]] = arith.constant 0 : index
// CHECK:         [[IN0:%.+]] = arith.cmpi slt, [[LANE]], [[C0]] : index
// CHECK:         [[M0:%.+]] = arith.select [[IN0]], {{.*}}, [[INF]] : f32
// CHECK:         [[CM1:%.+]] = arith.constant -1 : index
// CHECK:         [[IN1:%.+]] = arith.cmpi slt, [[LANE]], [[CM1]] : index
// CHECK:         [[M1:%.+]] = arith.select [[IN1]], {{.*}}, [[INF]] : f32
// CHECK:         [[M2:%.+]] = arith.select [[IN0]], {{.*}}, [[INF]] : f32
// CHECK:         [[M3:%.+]] = arith.select [[IN1]], {{.*}}, [[INF]] : f32
// CHECK:         gpu.store [[M0]]
gpu.module @kernels {
  gpu.func @mask(%x: !gpu.ptr<global>, %K: index) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<16x8xf32>], sizes = ["K"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %k = gpu.block_id x
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %m = cake.mask %v keep(col + %k * 8 lt %K) fill(inf)
    cake.store %m, %g[0, 0]
    gpu.return
  }
}

// -----

// A lane has columns 2t and 2t+1 of rows g and g+8. A candidate that is a number and smaller than the running best, or the first number, is
// taken over, and its column with it: of equal ones the first. The running best is compared with directly, and the value goes by replace_if.
// CHECK-LABEL: gpu.func @best
// CHECK-DAG:     [[NAN:%.+]] = arith.constant dense<0x7FC00000> : vector<2xf32>
// CHECK-DAG:     [[NONE:%.+]] = arith.constant dense<-1> : vector<2xi32>
// CHECK:         scf.for {{.*}} iter_args([[BV:%.+]] = [[NAN]], [[BI:%.+]] = [[NONE]]) -> (vector<2xf32>, vector<2xi32>)
// CHECK:           [[V:%.+]]:2 = gpu.unpack [[BV]] : vector<2xf32> -> f32, f32
// CHECK:           [[I:%.+]]:2 = gpu.unpack [[BI]] : vector<2xi32> -> i32, i32
// CHECK:           [[NO:%.+]] = arith.constant -1 : i32
// CHECK:           [[ORD:%.+]] = arith.cmpf ord, [[X0:%.+]], [[X0]] : f32
// CHECK:           [[LESS:%.+]] = arith.cmpf ult, [[X0]], [[V]]#0 : f32
// CHECK:           [[T0:%.+]] = arith.andi [[LESS]], [[ORD]] : i1
// CHECK:           [[V0:%.+]] = gpu.replace_if [[T0]], [[X0]], [[V]]#0
// CHECK:           [[C0:%.+]] = arith.constant 0 : i32
// CHECK:           [[COL0:%.+]] = arith.select [[T0]], [[C0]], [[NO]] : i32
// CHECK:           [[LESS1:%.+]] = arith.cmpf ult, [[X1:%.+]], [[V0]] : f32
// CHECK:           [[V1:%.+]] = gpu.replace_if {{.*}}, [[X1]], [[V0]]
// CHECK:           [[COL1:%.+]] = arith.select {{.*}}, {{.*}}, [[COL0]] : i32
// Where no candidate was taken, what was seen before stays; where nothing was, the first column stands for it.
// CHECK:           [[SEEN:%.+]] = arith.cmpi slt, [[I]]#0, [[C0]] : i32
// CHECK:           [[OLD:%.+]] = arith.select [[SEEN]], [[FIRST:%.+]], [[I]]#0 : i32
// CHECK:           [[NEW:%.+]] = arith.addi [[COL1]], [[FIRST]] : i32
// CHECK:           [[KEEP:%.+]] = arith.cmpi slt, [[COL1]], [[C0]] : i32
// CHECK:           arith.select [[KEEP]], [[OLD]], [[NEW]] : i32
// CHECK:           scf.yield {{.*}} : vector<2xf32>, vector<2xi32>
// The four lanes of a quad merge the smallest number in two exchanges, then the smallest index of the lanes that have it in two more; that of a
// lane that saw nothing is the largest unsigned number. One of the lanes stores.
// CHECK:         gpu.shuffle xor [[OWN:%[^ ,]+]], {{.*}} : f32
// CHECK:         arith.minnumf
// CHECK:         gpu.shuffle xor {{.*}} : f32
// CHECK:         [[BEST:%.+]] = arith.minnumf
// CHECK:         [[ISNAN:%.+]] = arith.cmpf uno, [[BEST]], [[BEST]] : f32
// CHECK:         [[HAS:%.+]] = arith.cmpf oeq, [[OWN]], [[BEST]] : f32
// CHECK:         [[IS:%.+]] = arith.ori [[HAS]], [[ISNAN]] : i1
// CHECK:         arith.select [[IS]], {{.*}} : i32
// CHECK:         gpu.shuffle xor {{.*}} : i32
// CHECK:         arith.minui
// CHECK:         gpu.shuffle xor {{.*}} : i32
// CHECK:         arith.minui
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-NOT:     gpu.shuffle
// CHECK:         scf.if
// CHECK-NEXT:      gpu.store {{.*}} : i32
gpu.module @kernels {
  gpu.func @best(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %K: index) attributes {target = ["sm_80"], arg_names = ["x", "o"], arg_types = [!cake.global<16x8xf32>, !cake.global<16xi32>], sizes = ["K"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16xi32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %none = cake.best.init : !cake.best<16x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<1x1>>
    %last = scf.for %k = %zero to %K step %one iter_args(%b = %none) -> (!cake.best<16x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<1x1>>) {
      %n = cake.best %v at(%k * 8) into(%b)
      scf.yield %n : !cake.best<16x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<1x1>>
    }
    %value, %index = cake.settle %last
    cake.store %index, %out[0]
    gpu.return
  }
}

// -----

// With `keep`, what is not kept becomes NaN, and the first column that is kept is the index when nothing but NaN is. When the last column is
// kept, all are: the masking stands behind that one condition, and the scan behind it is one for both.
// CHECK-LABEL: gpu.func @keep
// CHECK-SAME:    [[K:%[^ ]+]]: index)
// CHECK:         [[REST:%.+]] = arith.subi {{.*}}, [[K]] : index
// CHECK:         [[CM7:%.+]] = arith.constant -7 : index
// CHECK:         [[ALL:%.+]] = arith.cmpi slt, [[REST]], [[CM7]] : index
// CHECK:         [[R:%.+]]:3 = scf.if [[ALL]] -> (vector<4xf32>, i32, i32) {
// CHECK:           [[ZERO:%.+]] = arith.constant 0 : i32
// CHECK-NEXT:      scf.yield {{%.+}}, [[ZERO]], [[ZERO]]
// CHECK-NEXT:    } else {
// CHECK:           [[NAN:%.+]] = arith.constant 0x7FC00000 : f32
// CHECK:           [[IN0:%.+]] = arith.cmpi slt
// CHECK:           [[M0:%.+]] = arith.select [[IN0]], {{.*}}, [[NAN]] : f32
// CHECK:           [[IN1:%.+]] = arith.cmpi slt
// CHECK:           [[M1:%.+]] = arith.select [[IN1]], {{.*}}, [[NAN]] : f32
// CHECK:           [[F1:%.+]] = arith.select [[IN1]], {{.*}}, {{.*}} : i32
// CHECK:           [[F0:%.+]] = arith.select [[IN0]], {{.*}}, [[F1]] : i32
// CHECK:           scf.yield {{%.+}}, [[F0]], [[F0]]
// CHECK-NEXT:    }
// CHECK:         [[X:%.+]]:4 = gpu.unpack [[R]]#0
// CHECK:         arith.cmpf ugt, [[X]]#0
// CHECK:         [[FIRST:%.+]] = arith.addi [[R]]#1, {{.*}} : i32
// CHECK:         [[EMPTY:%.+]] = arith.cmpi slt, [[R]]#1, {{.*}} : i32
// CHECK:         arith.select [[EMPTY]], {{.*}}, [[FIRST]] : i32
// A row in which nothing was seen settles on the value that everything is better than.
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK:         [[WORST:%.+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT:    [[NOTHING:%.+]] = arith.cmpi slt, {{.*}} : i32
// CHECK:         arith.select [[NOTHING]], [[WORST]], {{.*}} : f32
gpu.module @kernels {
  gpu.func @keep(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %K: index) attributes {target = ["sm_80"], arg_names = ["x", "o"], arg_types = [!cake.global<16x8xf32>, !cake.global<16xf32>], sizes = ["K"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16xf32>
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %none = cake.best.init : !cake.best<16x1xf32, max, tie<low>, nan<last>, group<1>, mma.acc<1x1>>
    %n = cake.best %v at(0) keep(col lt %K) into(%none)
    %value, %index = cake.settle %n
    cake.store %value, %out[0]
    gpu.return
  }
}

// -----

// Branches carry fragments and bests too.
// CHECK-LABEL: gpu.func @branch
// CHECK:         [[R:%.+]] = scf.if {{.*}} -> (vector<4xf32>) {
// CHECK:           scf.yield {{.*}} : vector<4xf32>
// CHECK:         } else {
// CHECK:           scf.yield {{.*}} : vector<4xf32>
// CHECK:         [[P:%.+]]:4 = gpu.unpack [[R]] : vector<4xf32> -> f32, f32, f32, f32
// CHECK:         gpu.store [[P]]#0
gpu.module @kernels {
  gpu.func @branch(%x: !gpu.ptr<global>, %K: index) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<16x8xf32>], sizes = ["K"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %zero = arith.constant 0 : index
    %is = arith.cmpi eq, %K, %zero : index
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %r = scf.if %is -> (tensor<16x8xf32, #cake.mma.acc<1x1>>) {
      %d = arith.addf %v, %v : tensor<16x8xf32, #cake.mma.acc<1x1>>
      scf.yield %d : tensor<16x8xf32, #cake.mma.acc<1x1>>
    } else {
      scf.yield %v : tensor<16x8xf32, #cake.mma.acc<1x1>>
    }
    cake.store %r, %g[0, 0]
    gpu.return
  }
}

// -----

// Rows and scaled columns in a predicate: the constant of the second column is -2, that of row g+8 is 8.
// CHECK-LABEL: gpu.func @scaled
// CHECK:         arith.constant 0 : index
// CHECK:         [[M2:%.+]] = arith.constant -2 : index
// CHECK:         arith.cmpi slt, [[COL:%.+]], [[M2]] : index
// CHECK:         [[M8:%.+]] = arith.constant -8 : index
// CHECK:         arith.cmpi sge, {{.*}}, [[M8]] : index
gpu.module @kernels {
  gpu.func @scaled(%x: !gpu.ptr<global>, %K: index) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [!cake.global<16x8xf32>], sizes = ["K"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %m = cake.mask %v keep(2 * col lt %K, row ge %K - 4) fill(0.0)
    cake.store %m, %g[0, 0]
    gpu.return
  }
}

// -----

// Groups of four: columns 2t, 2t+1 of two neighbouring subtiles. Three minimums, one comparison and one selection; the best and three of the
// four values are taken over (by selection, outside of loops). The masking stands behind the wait, above the arithmetic: NaN comes down from there. What is found is pinned
// before the next wait, so that the multiplications that are waited for run meanwhile.
// CHECK-LABEL: gpu.func @group
// CHECK:         [[BEST:%.+]] = arith.constant dense<0x7FC00000> : vector<8xf32>
// CHECK:         [[DOT:%.+]] = gpu.wgmma_wait 1, {{.*}} : vector<8xf32>
// CHECK:         [[M:%.+]]:3 = scf.if {{.*}} -> (vector<8xf32>, i32, i32) {
// CHECK-COUNT-8:   arith.select {{.*}} : f32
// CHECK:         [[FAR:%.+]] = math.fma [[M]]#0
// CHECK:         [[X:%.+]]:8 = gpu.unpack [[FAR]]
// CHECK:         [[A:%.+]] = arith.minnumf [[X]]#4, [[X]]#5 : f32
// CHECK:         [[B:%.+]] = arith.minnumf [[X]]#0, [[X]]#1 : f32
// CHECK:         [[MIN:%.+]] = arith.minnumf [[B]], [[A]] : f32
// CHECK:         [[T:%.+]] = arith.andi
// CHECK:         arith.select [[T]], [[MIN]]
// CHECK-NEXT:    arith.select [[T]], [[X]]#0
// CHECK-NEXT:    arith.select [[T]], [[X]]#1
// CHECK-NEXT:    arith.select [[T]], [[X]]#4
// CHECK-NOT:     arith.select [[T]], [[X]]#5
// CHECK:         [[P:%.+]] = gpu.pin {{.*}} : vector<8xf32>
// CHECK:         [[Q:%.+]] = gpu.pin {{.*}} : vector<2xi32>
// CHECK:         gpu.wgmma_wait 0
// settle finds the first column that equals the best; the last one of the group is at + 9, and a row of NaN has its first.
// CHECK:         [[V:%.+]]:8 = gpu.unpack [[P]]
// CHECK:         [[ISNAN:%.+]] = arith.cmpf uno, [[V]]#0, [[V]]#0 : f32
// CHECK:         [[C9:%.+]] = arith.constant 9 : i32
// CHECK:         [[L3:%.+]] = arith.select [[ISNAN]], {{.*}}, [[C9]] : i32
// CHECK:         [[E2:%.+]] = arith.cmpf oeq, [[V]]#3, [[V]]#0 : f32
// CHECK:         [[L2:%.+]] = arith.select [[E2]], {{.*}}, [[L3]] : i32
// CHECK:         [[E1:%.+]] = arith.cmpf oeq, [[V]]#2, [[V]]#0 : f32
// CHECK:         [[L1:%.+]] = arith.select [[E1]], {{.*}}, [[L2]] : i32
// CHECK:         [[E0:%.+]] = arith.cmpf oeq, [[V]]#1, [[V]]#0 : f32
// CHECK:         [[L0:%.+]] = arith.select [[E0]], {{.*}}, [[L1]] : i32
// CHECK:         arith.addi {{.*}}, [[L0]] : i32
!Pending = !cake.pending<64x16xf32, wgmma.acc>
!Acc = tensor<64x16xf32, #cake.wgmma.acc>
!Best = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<4>, wgmma.acc>
gpu.module @kernels {
  gpu.func @group(%o: !gpu.ptr<global>, %K: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<64xi32>], sizes = ["K"], grid = #cake.expr<1>, block = 128 : i64} {
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<64xi32>
    %base = gpu.shared_memory : !gpu.ptr<shared>
    %a = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<64x64xbf16, sw128>
    %b = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16x64xbf16, sw128>
    %v = builtin.unrealized_conversion_cast %base : !gpu.ptr<shared> to !cake.shared<16xf32, rows>
    %none = cake.best.init : !Best
    %minus2 = cake.fill -2.0 : !Acc
    %z0 = cake.zero : !Pending
    %z1 = cake.zero : !Pending
    %p0 = cake.mma %z0, %a * %b form(wgmma.m64n16k16.nt)
    %p1 = cake.mma %z1, %a * %b form(wgmma.m64n16k16.nt)
    %dot = cake.await %p0 : !Acc
    %q = cake.get %v : tensor<16xf32, #cake.col<wgmma.acc>>
    %norm = cake.spread %q : !Acc
    %far = math.fma %dot, %minus2, %norm : !Acc
    %best = cake.best %far at(0) keep(col lt %K) into(%none)
    %rest = cake.await %p1 : !Acc
    %value, %index = cake.settle %best
    cake.store %index, %out[0]
    gpu.return
  }
}

// -----

// Where the author promises that there is no NaN, the test for it is left out, and nothing is the worst number.
// CHECK-LABEL: gpu.func @never
// CHECK:         arith.constant dense<0xFF800000> : vector<2xf32>
// CHECK-NOT:     arith.cmpf ord
// CHECK:         arith.cmpf ogt
// CHECK-NOT:     gpu.replace_if
// CHECK:         gpu.shuffle
// Other orders look at one candidate after the other. Of equal ones the last wins, and NaN goes before every number.
// CHECK-LABEL: gpu.func @last
// CHECK-NOT:     gpu.replace_if
// CHECK:         arith.cmpf olt
// CHECK:         [[NEWNAN:%.+]] = arith.cmpf uno
// CHECK:         [[OLDNUMBER:%.+]] = arith.cmpf ord
// CHECK:         arith.andi [[NEWNAN]], [[OLDNUMBER]] : i1
// CHECK:         arith.cmpi sgt, {{.*}} : i32
// CHECK:         [[KEPT:%.+]] = arith.select [[IN:%.+]], {{.*}} : f32
// CHECK:         gpu.shuffle
gpu.module @kernels {
  gpu.func @never(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x", "o"], arg_types = [!cake.global<16x8xf32>, !cake.global<16xi32>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16xi32>
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %none = cake.best.init : !cake.best<16x1xf32, max, tie<any>, nan<never>, group<1>, mma.acc<1x1>>
    %n = cake.best %v at(0) into(%none)
    %value, %index = cake.settle %n
    cake.store %index, %out[0]
    gpu.return
  }
  gpu.func @last(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %K: index) attributes {target = ["sm_80"], arg_names = ["x", "o"], arg_types = [!cake.global<16x8xf32>, !cake.global<16xi32>], sizes = ["K"], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<16x8xf32>
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<16xi32>
    %v = cake.load %g[0, 0] : tensor<16x8xf32, #cake.mma.acc<1x1>>
    %none = cake.best.init : !cake.best<16x1xf32, min, tie<high>, nan<first>, group<2>, mma.acc<1x1>>
    %n = cake.best %v at(0) keep(col lt %K) into(%none)
    %value, %index = cake.settle %n
    cake.store %index, %out[0]
    gpu.return
  }
}

// -----

// mask takes any whole fragment: here each lane has a row, so that which columns stay is known.
// CHECK-LABEL: gpu.func @mask_vec
// CHECK:         [[ZERO:%.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         [[V:%.+]]:4 = gpu.unpack
// CHECK:         gpu.pack [[V]]#0, [[V]]#1, [[ZERO]], [[ZERO]]
gpu.module @kernels {
  gpu.func @mask_vec(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x", "o"], arg_types = [!cake.global<32x4xf32, align 16>, !cake.global<32x4xf32, align 16>], sizes = [], grid = #cake.expr<1>, block = 32 : i64} {
    %g = builtin.unrealized_conversion_cast %x : !gpu.ptr<global> to !cake.global<32x4xf32, align 16>
    %out = builtin.unrealized_conversion_cast %o : !gpu.ptr<global> to !cake.global<32x4xf32, align 16>
    %v = cake.load %g[0, 0] : tensor<32x4xf32, #cake.vec<lane, 4>>
    %m = cake.mask %v keep(col lt 2) fill(0.0)
    cake.store %m, %out[0, 0]
    gpu.return
  }
}
