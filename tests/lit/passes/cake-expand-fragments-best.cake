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

// A lane has columns 2t and 2t+1 of rows g and g+8. Scanned downwards, a candidate that is the minimum takes the index: the smaller column wins
// ties, NaN never is the minimum. Without `keep` the index of a row of NaN is that of its first column.
// CHECK-LABEL: gpu.func @best
// CHECK-DAG:     [[NAN:%.+]] = arith.constant dense<0x7FC00000> : vector<2xf32>
// CHECK-DAG:     [[NONE:%.+]] = arith.constant dense<-1> : vector<2xi32>
// CHECK:         scf.for {{.*}} iter_args([[BV:%.+]] = [[NAN]], [[BI:%.+]] = [[NONE]]) -> (vector<2xf32>, vector<2xi32>)
// CHECK:           [[V:%.+]]:2 = gpu.unpack [[BV]] : vector<2xf32> -> f32, f32
// CHECK:           [[I:%.+]]:2 = gpu.unpack [[BI]] : vector<2xi32> -> i32, i32
// CHECK:           [[TAKE1:%.+]] = arith.cmpf oeq, [[X1:%.+]], [[X1]] : f32
// CHECK:           [[I1:%.+]] = arith.select [[TAKE1]], {{.*}}, {{.*}} : i32
// CHECK:           [[MIN:%.+]] = arith.minnumf [[X1]], [[X0:%.+]] : f32
// CHECK:           [[TAKE0:%.+]] = arith.cmpf oeq, [[MIN]], [[X0]] : f32
// CHECK:           [[I0:%.+]] = arith.select [[TAKE0]], {{.*}}, [[I1]] : i32
// CHECK:           [[IDX:%.+]] = arith.addi [[I0]], {{.*}} : i32
// Against the running best: a smaller number, the same with a lower index, or anything better than NaN.
// CHECK:           [[LESS:%.+]] = arith.cmpf olt, [[MIN]], [[V]]#0 : f32
// CHECK:           [[SAME:%.+]] = arith.cmpf oeq, [[MIN]], [[V]]#0 : f32
// CHECK:           [[OLDNAN:%.+]] = arith.cmpf uno, [[V]]#0, [[V]]#0 : f32
// CHECK:           [[NUMBER:%.+]] = arith.cmpf ord, [[MIN]], [[MIN]] : f32
// CHECK:           [[LOW:%.+]] = arith.cmpi ult, [[IDX]], [[I]]#0 : i32
// CHECK:           [[T:%.+]] = arith.ori {{.*}} : i1
// CHECK:           arith.select {{.*}}, [[MIN]], [[V]]#0 : f32
// CHECK:           arith.select {{.*}}, [[IDX]], [[I]]#0 : i32
// CHECK:           scf.yield {{.*}} : vector<2xf32>, vector<2xi32>
// The four lanes of a quad merge in two exchanges; one of them stores.
// CHECK-COUNT-8: gpu.shuffle xor
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

// With `keep`, what is not kept becomes NaN for the scan, and the first column that is kept is the index when nothing but NaN is. A largest
// value is found with maxnum. When the last column is kept, all are: the scan without a predicate stands behind that one condition.
// CHECK-LABEL: gpu.func @keep
// CHECK-SAME:    [[K:%[^ ]+]]: index)
// CHECK:         [[REST:%.+]] = arith.subi {{.*}}, [[K]] : index
// CHECK:         [[CM7:%.+]] = arith.constant -7 : index
// CHECK:         [[ALL:%.+]] = arith.cmpi slt, [[REST]], [[CM7]] : index
// CHECK:         [[R:%.+]]:4 = scf.if [[ALL]] -> (f32, i32, f32, i32) {
// CHECK-COUNT-2:   arith.maxnumf
// CHECK-NOT:       arith.maxnumf
// CHECK:           scf.yield
// CHECK:         } else {
// CHECK:           [[F1:%.+]] = arith.select [[IN1:%.+]], {{.*}}, {{.*}} : i32
// CHECK:           [[F0:%.+]] = arith.select [[IN0:%.+]], {{.*}}, [[F1]] : i32
// CHECK:           arith.select [[IN1]], {{.*}}, {{.*}} : f32
// CHECK:           arith.select {{.*}}, {{.*}}, [[F0]] : i32
// CHECK:           arith.select [[IN0]], {{.*}}, {{.*}} : f32
// CHECK:           arith.maxnumf
// CHECK:         }
// CHECK:         arith.cmpf ogt, [[R]]#0
// A row in which nothing was seen settles on the value that everything is better than.
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-DAG:     [[WORST:%.+]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:     [[NOTHING:%.+]] = arith.cmpi slt, {{.*}} : i32
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
