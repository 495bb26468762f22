// promote-buffers on a dialect in text: across regions and loops, and where it must not.
// RUN: cake-opt --load-dialect=%S/Inputs/memory.dialect %s --promote-buffers | FileCheck %s
// RUN: cake-opt --load-dialect=%S/Inputs/memory.dialect --list-ops | FileCheck %s --check-prefix=OPS
// OPS: mem.alloc

// CHECK-LABEL: func.func @straight(
// CHECK-NEXT: %[[S:.*]] = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT: return %[[S]] : i32
func.func @straight(%a: i32, %b: i32) -> i32 {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  %x = mem.load %m : !mem.cell<i32> -> i32
  mem.store %b, %m : i32, !mem.cell<i32>
  %y = mem.load %m : !mem.cell<i32> -> i32
  %s = arith.addi %x, %y : i32
  return %s : i32
}

// Out of a branch, and out of a loop that does not write.
// CHECK-LABEL: func.func @regions(
// CHECK-NOT: mem.
// CHECK: arith.addi %arg0, %arg0
// CHECK-NOT: mem.
// CHECK: return
func.func @regions(%a: i32, %c: i1, %n: index) {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  scf.for %i = %n to %n step %n {
    scf.if %c {
      %x = mem.load %m : !mem.cell<i32> -> i32
      %s = arith.addi %x, %x : i32
    }
  }
  return
}

// The next round reads what this one wrote.
// CHECK-LABEL: func.func @carried(
// CHECK: mem.alloc
// CHECK: mem.store
// CHECK: scf.for
// CHECK: mem.load
// CHECK: mem.store
func.func @carried(%a: i32, %n: index) {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  scf.for %i = %n to %n step %n {
    %x = mem.load %m : !mem.cell<i32> -> i32
    %s = arith.addi %x, %x : i32
    mem.store %s, %m : i32, !mem.cell<i32>
  }
  return
}

// In one round it is known.
// CHECK-LABEL: func.func @in_round(
// CHECK-NOT: mem.
// CHECK: return
func.func @in_round(%a: i32, %n: index) {
  %m = mem.alloc : !mem.cell<i32>
  scf.for %i = %n to %n step %n {
    mem.store %a, %m : i32, !mem.cell<i32>
    %x = mem.load %m : !mem.cell<i32> -> i32
    %s = arith.addi %x, %x : i32
  }
  return
}

// A write in a branch between them: not known behind it. So is what is changed in part.
// CHECK-LABEL: func.func @between(
// CHECK: mem.load
// CHECK: mem.add
// CHECK: mem.load
func.func @between(%a: i32, %b: i32, %c: i1) -> i32 {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  scf.if %c {
    mem.store %b, %m : i32, !mem.cell<i32>
  }
  %x = mem.load %m : !mem.cell<i32> -> i32
  mem.store %a, %m : i32, !mem.cell<i32>
  mem.add %b, %m : i32, !mem.cell<i32>
  %y = mem.load %m : !mem.cell<i32> -> i32
  %s = arith.addi %x, %y : i32
  return %s : i32
}

// Who has another name for it, or is given it, may write.
// CHECK-LABEL: func.func @escapes(
// CHECK: mem.load
// CHECK: mem.load
func.func @escapes(%a: i32) -> i32 {
  %m = mem.alloc : !mem.cell<i32>
  %n = mem.alloc : !mem.cell<i32>
  %o = mem.same %m : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  mem.store %a, %n : i32, !mem.cell<i32>
  func.call @taken(%n) : (!mem.cell<i32>) -> ()
  %x = mem.load %m : !mem.cell<i32> -> i32
  %y = mem.load %n : !mem.cell<i32> -> i32
  %s = arith.addi %x, %y : i32
  return %s : i32
}
func.func private @taken(!mem.cell<i32>)

// Of another type than was written.
// CHECK-LABEL: func.func @type(
// CHECK: mem.load
func.func @type(%a: i32) -> f32 {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  %x = mem.load %m : !mem.cell<i32> -> f32
  return %x : f32
}
