// Blocks inlined into regions that the after writes; a rewrite of functions in canonicalize.
// RUN: cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/regions.rewrite --check-passes --loops --canonicalize %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/regions.rewrite --loops --symbol-dce --verify-roundtrip -o /dev/null %s
// RUN: not cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/regions.rewrite --swap_forever %s 2>&1 | FileCheck %s --check-prefix=ENDLESS

// CHECK-LABEL: private @for_to_while
// CHECK-NEXT:   %0:3 = scf.while (%arg4 = %arg0, %arg5 = %arg3, %arg6 = %arg0) : (index, f32, index) -> (index, f32, index) {
// CHECK-NEXT:     %2 = arith.cmpi slt, %arg4, %arg1 : index
// CHECK-NEXT:     scf.condition(%2) %arg4, %arg5, %arg6 : index, f32, index
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%arg4: index, %arg5: f32, %arg6: index):
// CHECK-NEXT:     %2 = "u.step"(%arg5, %arg4, %arg6) : (f32, index, index) -> f32
// CHECK-NEXT:     %3 = arith.addi %arg4, %arg2 : index
// CHECK-NEXT:     scf.yield %3, %2, %arg4 : index, f32, index
// CHECK-NEXT:   }
// CHECK-NEXT:   %1 = scf.while (%arg4 = %arg0) : (index) -> index {
// CHECK-NEXT:     %2 = arith.cmpi slt, %arg4, %arg1 : index
// CHECK-NEXT:     scf.condition(%2) %arg4 : index
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%arg4: index):
// CHECK-NEXT:     "u.use"(%arg4) : (index) -> ()
// CHECK-NEXT:     %2 = arith.addi %arg4, %arg2 : index
// CHECK-NEXT:     scf.yield %2 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   return %0#1 : f32
// CHECK-NEXT: }
func.func @for_to_while(%l: index, %u: index, %s: index, %a: f32) -> f32 {
  %r:2 = scf.for %i = %l to %u step %s iter_args(%x = %a, %y = %l) -> (f32, index) {
    %z = "u.step"(%x, %i, %y) : (f32, index, index) -> f32
    scf.yield %z, %i : f32, index
  }
  scf.for %i = %l to %u step %s {
    "u.use"(%i) : (index) -> ()
  }
  return %r#0 : f32
}

// CHECK-LABEL: private @callee
// CHECK-NEXT:   return %arg0 : i32
// CHECK-NEXT: }
func.func @callee(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.subi %0, %0 : i32
  %2 = arith.addi %a, %1 : i32
  return %2 : i32
}

// CHECK-LABEL: private @caller
// CHECK-NEXT:   %0 = call @callee(%arg0) : (i32) -> i32
// CHECK-NEXT:   return %0 : i32
// CHECK-NEXT: }
func.func @caller(%a: i32) -> i32 {
  %0 = call @callee(%a) : (i32) -> i32
  return %0 : i32
}

// CHECK-LABEL: private @swap
// CHECK-NEXT:   scf.if %arg0 {
// CHECK-NEXT:     "u.x"() : () -> ()
// CHECK-NEXT:   } else {
// CHECK-NEXT:     "u.y"() : () -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   return
// CHECK-NEXT: }
func.func @swap(%c: i1) {
  scf.if %c { "u.x"() : () -> () } else { "u.y"() : () -> () }
  return
}

// ENDLESS: error: rewriting does not come to an end: {{.*}}; these feed one another: pattern 'swap_forever' on 'scf.if'
// ENDLESS-NEXT: scf.if %c { "u.x"()
