// Calls of known functions are replaced by their bodies, callees first; private functions that are not called any more go.
// RUN: cake-opt --inline --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: cake-opt --inline=default-pipeline={} --allow-unregistered-dialect --split-input-file %s | FileCheck %s --check-prefix=PLAIN
// RUN: cake-opt --inline --allow-unregistered-dialect --print-debuginfo --print-local-scope --split-input-file %s | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: i32)
// CHECK-NEXT: %[[X:.*]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: %[[Y:.*]] = arith.muli %[[X]], %[[A]]
// CHECK-NEXT: return %[[Y]]
// CHECK-NOT: func.func private
// LOC: arith.addi {{.*}} loc(callsite(callsite({{.*}} at {{.*}}) at {{.*}}))
func.func @chain(%a: i32) -> i32 {
  %r = call @middle(%a) : (i32) -> i32
  return %r : i32
}
func.func private @middle(%a: i32) -> i32 {
  %s = call @leaf(%a) : (i32) -> i32
  %r = arith.muli %s, %a : i32
  return %r : i32
}
func.func private @leaf(%a: i32) -> i32 {
  %r = arith.addi %a, %a : i32
  return %r : i32
}

// -----

// With blocks the caller is cut in two; a region with one block cannot take them.
// CHECK-LABEL: func.func @blocks
// CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK: cf.br ^bb3(%{{.*}} : i32)
// CHECK: ^bb2:
// CHECK: cf.br ^bb3(%{{.*}} : i32)
// CHECK: ^bb3(%[[R:.*]]: i32):
// CHECK: return %[[R]]
// PLAIN-LABEL: func.func @blocks
// PLAIN: cf.cond_br
// PLAIN: ^bb3(%[[R:.*]]: i32):
// PLAIN: return %[[R]]
func.func @blocks(%c: i1, %a: i32) -> i32 {
  %r = call @choose(%c, %a) : (i1, i32) -> i32
  return %r : i32
}
// CHECK-LABEL: func.func @one_block
// CHECK: scf.if
// CHECK-NEXT: func.call @choose
func.func @one_block(%c: i1, %a: i32) {
  scf.if %c {
    %r = func.call @choose(%c, %a) : (i1, i32) -> i32
    func.call @sink(%r) : (i32) -> ()
  }
  return
}
func.func private @sink(i32)
// CHECK-LABEL: func.func private @choose
func.func private @choose(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^yes, ^no
^yes:
  %x = arith.addi %a, %a : i32
  return %x : i32
^no:
  %y = arith.muli %a, %a : i32
  return %y : i32
}

// -----

// Recursion ends: a function is not inlined into itself, nor into what came from it.
// CHECK-LABEL: func.func @self
// CHECK: call @self
func.func @self(%a: i32) -> i32 {
  %r = call @self(%a) : (i32) -> i32
  return %r : i32
}
// CHECK-LABEL: func.func @even
func.func @even(%a: i32) -> i32 {
  %r = call @odd(%a) : (i32) -> i32
  return %r : i32
}
// CHECK-LABEL: func.func @odd
func.func @odd(%a: i32) -> i32 {
  %r = call @even(%a) : (i32) -> i32
  return %r : i32
}

// -----

// Declarations, and what says that it must not be inlined, stay called. A private function that is referred to stays.
// CHECK-LABEL: func.func @stay
// CHECK: call @extern
// CHECK: call @marked
// CHECK-NOT: call @plain
// CHECK: call @plain(%{{.*}}) {no_inline}
func.func @stay(%a: i32) {
  call @extern(%a) : (i32) -> ()
  call @marked(%a) : (i32) -> ()
  call @plain(%a) : (i32) -> ()
  call @plain(%a) {no_inline} : (i32) -> ()
  return
}
func.func private @extern(i32)
// CHECK: func.func private @marked
func.func private @marked(%a: i32) attributes {no_inline} {
  return
}
// CHECK: func.func private @plain
func.func private @plain(%a: i32) {
  return
}

// -----

// Private functions go with the last reference to them: what only one that goes refers to goes with it, also where functions
// call one another; what an attribute refers to stays.
// CHECK-LABEL: func.func @keep
// CHECK-NEXT: arith.addi
// CHECK-NEXT: "t.use"
// CHECK-NEXT: return
// CHECK-NOT: func.func private
// CHECK: func.func private @named
// CHECK-NOT: func.func private
// PLAIN-LABEL: func.func @keep
// PLAIN-NOT: func.func private
// PLAIN: func.func private @named
// PLAIN-NOT: func.func private
func.func @keep(%a: i32) {
  %r = call @outer(%a) : (i32) -> i32
  %s = call @named(%r) : (i32) -> i32
  "t.use"(%s) {by = [@named]} : (i32) -> ()
  return
}
func.func private @outer(%a: i32) -> i32 {
  %r = call @inner(%a) : (i32) -> i32
  return %r : i32
}
func.func private @inner(%a: i32) -> i32 {
  return %a : i32
}
func.func private @named(%a: i32) -> i32 {
  %r = arith.addi %a, %a : i32
  return %r : i32
}
func.func private @never(%a: i32) -> i32 {
  %r = call @only_by_never(%a) : (i32) -> i32
  return %r : i32
}
func.func private @only_by_never(%a: i32) -> i32 {
  %r = call @inner(%a) {no_inline} : (i32) -> i32
  return %r : i32
}

// -----

// A call that folding removes (its block cannot be reached) counts as none.
// CHECK-LABEL: func.func @folded
// CHECK-NEXT: return
// CHECK-NOT: func.func private
// PLAIN-LABEL: func.func @folded
// PLAIN: func.func private @behind
func.func @folded() {
  %false = arith.constant false
  cf.cond_br %false, ^dead, ^end
^dead:
  call @behind() {no_inline} : () -> ()
  cf.br ^end
^end:
  return
}
func.func private @behind() {
  return
}
