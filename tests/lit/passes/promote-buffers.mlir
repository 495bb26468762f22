// promote-buffers on a dialect in text: across regions and loops, and where it must not.
// RUN: cake-opt --load-dialect=%S/Inputs/memory.dialect --allow-unregistered-dialect %s --promote-buffers | FileCheck %s
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

// Over blocks: nothing writes between, whichever way control goes.
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT: mem.
// CHECK: arith.addi %arg0, %arg0
// CHECK-NOT: mem.
// CHECK: return %arg0
func.func @blocks(%a: i32, %c: i1) -> i32 {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  cf.cond_br %c, ^left, ^end
^left:
  %x = mem.load %m : !mem.cell<i32> -> i32
  %s = arith.addi %x, %x : i32
  cf.cond_br %c, ^left, ^end
^end:
  %y = mem.load %m : !mem.cell<i32> -> i32
  return %y : i32
}

// One value on all paths, though several ops write it; two values are none.
// CHECK-LABEL: func.func @join(
// CHECK: %[[TWO:.*]] = mem.alloc
// CHECK: scf.if
// CHECK-NEXT: mem.store %arg0, %[[TWO]]
// CHECK-NEXT: } else {
// CHECK-NEXT: mem.store %arg1, %[[TWO]]
// CHECK: %[[Y:.*]] = mem.load %[[TWO]]
// CHECK-NEXT: arith.addi %arg0, %[[Y]]
func.func @join(%a: i32, %b: i32, %c: i1) -> i32 {
  %one = mem.alloc : !mem.cell<i32>
  %two = mem.alloc : !mem.cell<i32>
  scf.if %c {
    mem.store %a, %one : i32, !mem.cell<i32>
    mem.store %a, %two : i32, !mem.cell<i32>
  } else {
    mem.store %a, %one : i32, !mem.cell<i32>
    mem.store %b, %two : i32, !mem.cell<i32>
  }
  %x = mem.load %one : !mem.cell<i32> -> i32
  %y = mem.load %two : !mem.cell<i32> -> i32
  %s = arith.addi %x, %y : i32
  return %s : i32
}

// What a round of a loop of blocks wrote, the next one reads; before the first nothing was written.
// CHECK-LABEL: func.func @rounds(
// CHECK: ^bb1:
// CHECK: mem.load
// CHECK: mem.store
func.func @rounds(%a: i32, %c: i1) -> i32 {
  %m = mem.alloc : !mem.cell<i32>
  cf.br ^round
^round:
  %x = mem.load %m : !mem.cell<i32> -> i32
  %s = arith.addi %a, %a : i32
  mem.store %s, %m : i32, !mem.cell<i32>
  cf.cond_br %c, ^round, ^end
^end:
  return %x : i32
}

// A value that was written in a region is not in sight behind it.
// CHECK-LABEL: func.func @sight(
// CHECK: scf.while
// CHECK: mem.store
// CHECK: mem.load
func.func @sight(%a: i32, %c: i1) -> i32 {
  %m = mem.alloc : !mem.cell<i32>
  scf.while : () -> () {
    %s = arith.addi %a, %a : i32
    mem.store %s, %m : i32, !mem.cell<i32>
    scf.condition(%c)
  } do {
    scf.yield
  }
  %x = mem.load %m : !mem.cell<i32> -> i32
  return %x : i32
}

// What was read is written on and read again: each stands for what was written first.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: return %arg0 : i32
func.func @chain(%a: i32) -> i32 {
  %m = mem.alloc : !mem.cell<i32>
  %n = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  %x = mem.load %m : !mem.cell<i32> -> i32
  mem.store %x, %n : i32, !mem.cell<i32>
  %y = mem.load %n : !mem.cell<i32> -> i32
  mem.store %y, %m : i32, !mem.cell<i32>
  %z = mem.load %m : !mem.cell<i32> -> i32
  return %z : i32
}

// Writes go that are overwritten on all paths before anything reads; one that is read on some path stays.
// CHECK-LABEL: func.func @overwritten(
// CHECK: %[[M:.*]] = mem.alloc
// CHECK-NEXT: mem.store %arg1, %[[M]]
// CHECK-NEXT: scf.if %arg2 {
// CHECK-NEXT: mem.load %[[M]]
// CHECK-NEXT: "t.use"
// CHECK-NEXT: }
// CHECK-NEXT: mem.store %arg0, %[[M]]
// CHECK-NEXT: mem.load %[[M]]
// CHECK-NOT: mem.store
// CHECK: return
func.func @overwritten(%a: i32, %b: i32, %c: i1) -> f32 {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  mem.store %b, %m : i32, !mem.cell<i32>
  scf.if %c {
    %x = mem.load %m : !mem.cell<i32> -> f32
    "t.use"(%x) : (f32) -> ()
    mem.store %b, %m : i32, !mem.cell<i32>
  }
  mem.store %a, %m : i32, !mem.cell<i32>
  %y = mem.load %m : !mem.cell<i32> -> f32
  mem.store %b, %m : i32, !mem.cell<i32>
  return %y : f32
}

// What is used in an op of which nothing is known may be read at any time: it stays as it is.
// CHECK-LABEL: func.func @opaque(
// CHECK: mem.store %arg0
// CHECK-NEXT: mem.load
// CHECK-NEXT: "t.use"
// CHECK-NEXT: "t.later"
// CHECK-NEXT: mem.load
// CHECK: mem.store %arg1
// CHECK-NEXT: "t.more"
func.func @opaque(%a: i32, %b: i32) {
  %m = mem.alloc : !mem.cell<i32>
  mem.store %a, %m : i32, !mem.cell<i32>
  %x = mem.load %m : !mem.cell<i32> -> i32
  "t.use"(%x) : (i32) -> ()
  "t.later"() ({
    %y = mem.load %m : !mem.cell<i32> -> i32
    "t.use"(%y) : (i32) -> ()
  }) : () -> ()
  mem.store %b, %m : i32, !mem.cell<i32>
  "t.more"() : () -> ()
  return
}
