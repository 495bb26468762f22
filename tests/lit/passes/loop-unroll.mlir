// loop-unroll: a factor with and without rounds left over, whole loops, and loops that stay.
// RUN: cake-opt --loop-unroll --split-input-file %s | FileCheck %s
// RUN: cake-opt --loop-unroll=full-limit=8 --canonicalize --split-input-file %s | FileCheck %s --check-prefix=FULL
// RUN: not cake-opt --loop-unroll=factor=0 %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: error: 'builtin.module' op cannot be unrolled: factor must be from 1 to 1024 and full-limit not negative

// Ten rounds: two of four, then two alone, which go on with what came out.
// CHECK-LABEL: func.func @rest(
// CHECK-DAG: %[[LOW:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[END:.*]] = arith.constant 19 : index
// CHECK-DAG: %[[STEP4:.*]] = arith.constant 8 : index
// CHECK: %[[MAIN:.*]] = scf.for %[[I:.*]] = %[[LOW]] to %[[END]] step %[[STEP4]] iter_args(%[[A0:.*]] = %arg0) -> (i32) {
// CHECK: %[[A1:.*]] = arith.muli %[[A0]], %{{.*}} : i32
// CHECK: arith.addi %[[I]], %{{.*}} : index
// CHECK: %[[A2:.*]] = arith.muli %[[A1]], %{{.*}} : i32
// CHECK: %[[A3:.*]] = arith.muli %[[A2]], %{{.*}} : i32
// CHECK: %[[A4:.*]] = arith.muli %[[A3]], %{{.*}} : i32
// CHECK: scf.yield %[[A4]] : i32
// CHECK: %[[REST:.*]] = scf.for %{{.*}} = %[[END]] to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[MAIN]]) -> (i32) {
// CHECK: return %[[REST]] : i32
// FULL-LABEL: func.func @rest(
// FULL-COUNT-2: scf.for
func.func @rest(%x: i32) -> i32 {
  %low = arith.constant 3 : index
  %high = arith.constant 22 : index
  %two = arith.constant 2 : index
  %r = scf.for %i = %low to %high step %two iter_args(%a = %x) -> i32 {
    %k = arith.index_cast %i : index to i32
    %m = arith.muli %a, %k : i32
    scf.yield %m : i32
  }
  return %r : i32
}

// Swapped values, none of which the body makes; eight rounds leave nothing over.
// CHECK-LABEL: func.func @swap(
// CHECK: scf.for
// CHECK-NOT: scf.for
// FULL-LABEL: func.func @swap(
// FULL-NEXT: return %arg0, %arg1 : i32, i32
func.func @swap(%x: i32, %y: i32) -> (i32, i32) {
  %low = arith.constant -4 : i8
  %high = arith.constant 4 : i8
  %one = arith.constant 1 : i8
  %r:2 = scf.for %i = %low to %high step %one iter_args(%a = %x, %b = %y) -> (i32, i32) : i8 {
    scf.yield %b, %a : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// Loops whose bounds are not known stay; of nested ones only the inner loop takes a factor.
// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
// CHECK: return
// FULL-LABEL: func.func @stays(
// FULL: scf.for
// FULL-COUNT-4: call @use(
// FULL-NOT: call @use(
func.func private @use(index, index)
func.func @stays(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      scf.for %k = %c0 to %c2 step %c1 {
        func.call @use(%j, %k) : (index, index) -> ()
      }
    }
  }
  return
}

// -----

// The new step would not fit into i8: 100 + 4 * 20.
// CHECK-LABEL: func.func @narrow(
// CHECK: scf.for
// CHECK-NOT: arith.addi
// CHECK: return
func.func private @use8(i8)
func.func @narrow() {
  %low = arith.constant 0 : i8
  %high = arith.constant 120 : i8
  %step = arith.constant 20 : i8
  scf.for %i = %low to %high step %step : i8 {
    func.call @use8(%i) : (i8) -> ()
  }
  return
}
