// Loops, branches on values and regions of several blocks become branches between blocks.
// RUN: cake-opt --allow-unregistered-dialect --convert-scf-to-cf --check-passes %s | FileCheck %s
// RUN: cake-opt --allow-unregistered-dialect --convert-scf-to-cf --split-input-file --verify-diagnostics %S/Inputs/scf-invalid.mlir

// CHECK-LABEL: func.func @for
// CHECK-NEXT: cf.br ^bb1(%arg0, %arg3 : index, i32)
// CHECK-NEXT: ^bb1(%0: index, %1: i32):
// CHECK-NEXT: %2 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %2, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: %3 = arith.addi %1, %arg3 : i32
// CHECK-NEXT: %4 = arith.addi %0, %arg2 : index
// CHECK-NEXT: cf.br ^bb1(%4, %3 : index, i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %1 : i32
func.func @for(%a: index, %b: index, %s: index, %x: i32) -> i32 {
  %r = scf.for %i = %a to %b step %s iter_args(%y = %x) -> i32 {
    %z = arith.addi %y, %x : i32
    scf.yield %z : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @for32
// CHECK-NEXT: cf.br ^bb1(%arg0 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = arith.cmpi ult, %0, %arg1 : i32
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: "u"(%0) : (i32) -> ()
// CHECK-NEXT: %2 = arith.addi %0, %arg2 : i32
// CHECK-NEXT: cf.br ^bb1(%2 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return
func.func @for32(%a: i32, %b: i32, %s: i32) {
  scf.for unsigned %i = %a to %b step %s : i32 { "u"(%i) : (i32) -> () }
  return
}

// CHECK-LABEL: func.func @if
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: "a"() : () -> ()
// CHECK-NEXT: cf.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.cond_br %arg0, ^bb3, ^bb4
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: "a"() : () -> ()
// CHECK-NEXT: cf.br ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: "b"() : () -> ()
// CHECK-NEXT: cf.br ^bb5
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: cf.cond_br %arg0, ^bb6, ^bb7
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: %0 = "a"() : () -> i32
// CHECK-NEXT: cf.br ^bb8(%0 : i32)
// CHECK-NEXT: ^bb7:
// CHECK-NEXT: %1 = "b"() : () -> i32
// CHECK-NEXT: cf.br ^bb8(%1 : i32)
// CHECK-NEXT: ^bb8(%2: i32):
// CHECK-NEXT: return %2 : i32
func.func @if(%c: i1) -> i32 {
  scf.if %c { "a"() : () -> () }
  scf.if %c { "a"() : () -> () } else { "b"() : () -> () }
  %r = scf.if %c -> i32 { %x = "a"() : () -> i32 scf.yield %x : i32 } else { %x = "b"() : () -> i32 scf.yield %x : i32 }
  return %r : i32
}

// CHECK-LABEL: func.func @while
// CHECK-NEXT: cf.br ^bb1(%arg1 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = "f"(%0) : (i32) -> f32
// CHECK-NEXT: cf.cond_br %arg0, ^bb2(%1, %0 : f32, i32), ^bb3
// CHECK-NEXT: ^bb2(%2: f32, %3: i32):
// CHECK-NEXT: %4 = "g"(%2) : (f32) -> i32
// CHECK-NEXT: cf.br ^bb1(%4 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %1 : f32
func.func @while(%c: i1, %x: i32) -> f32 {
  %r:2 = scf.while (%y = %x) : (i32) -> (f32, i32) {
    %f = "f"(%y) : (i32) -> f32
    scf.condition(%c) %f, %y : f32, i32
  } do {
  ^bb0(%g: f32, %h: i32):
    %k = "g"(%g) : (f32) -> i32
    scf.yield %k : i32
  }
  return %r#0 : f32
}

// CHECK-LABEL: func.func @dowhile
// CHECK-NEXT: cf.br ^bb1(%arg1 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = "f"(%0) : (i32) -> i32
// CHECK-NEXT: cf.cond_br %arg0, ^bb1(%1 : i32), ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: return %1 : i32
func.func @dowhile(%c: i1, %x: i32) -> i32 {
  %r = scf.while (%y = %x) : (i32) -> (i32) {
    %f = "f"(%y) : (i32) -> i32
    scf.condition(%c) %f : i32
  } do {
  ^bb0(%g: i32):
    scf.yield %g : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @switch
// CHECK-NEXT: %0 = arith.index_cast %arg0 : index to i32
// CHECK-NEXT: cf.switch %0 : i32, [
// CHECK-NEXT: default: ^bb3,
// CHECK-NEXT: 1: ^bb1,
// CHECK-NEXT: 7: ^bb2
// CHECK-NEXT: ]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: %1 = "a"() : () -> i32
// CHECK-NEXT: cf.br ^bb4(%1 : i32)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: %2 = "b"() : () -> i32
// CHECK-NEXT: cf.br ^bb4(%2 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: %3 = "c"() : () -> i32
// CHECK-NEXT: cf.br ^bb4(%3 : i32)
// CHECK-NEXT: ^bb4(%4: i32):
// CHECK-NEXT: return %4 : i32
func.func @switch(%i: index) -> i32 {
  %r = scf.index_switch %i -> i32 case 1 { %x = "a"() : () -> i32 scf.yield %x : i32 } case 7 { %x = "b"() : () -> i32 scf.yield %x : i32 } default { %x = "c"() : () -> i32 scf.yield %x : i32 }
  return %r : i32
}

// CHECK-LABEL: func.func @exec
// CHECK-NEXT: cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.cond_br %arg0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: %0 = "a"() : () -> i32
// CHECK-NEXT: cf.br ^bb4(%0 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: %1 = "b"() : () -> i32
// CHECK-NEXT: cf.br ^bb4(%1 : i32)
// CHECK-NEXT: ^bb4(%2: i32):
// CHECK-NEXT: return %2 : i32
func.func @exec(%c: i1) -> i32 {
  %r = scf.execute_region -> i32 { 
    cf.cond_br %c, ^a, ^b
  ^a:
    %x = "a"() : () -> i32 scf.yield %x : i32
  ^b:
    %y = "b"() : () -> i32 scf.yield %y : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @par
// CHECK-NEXT: cf.br ^bb1(%arg0, %arg3 : index, f32)
// CHECK-NEXT: ^bb1(%0: index, %1: f32):
// CHECK-NEXT: %2 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %2, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%arg0, %1 : index, f32)
// CHECK-NEXT: ^bb3(%3: index, %4: f32):
// CHECK-NEXT: %5 = arith.cmpi slt, %3, %arg1 : index
// CHECK-NEXT: cf.cond_br %5, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: %6 = "e"(%0, %3) : (index, index) -> f32
// CHECK-NEXT: %7 = arith.addf %4, %6 : f32
// CHECK-NEXT: %8 = arith.addi %3, %arg2 : index
// CHECK-NEXT: cf.br ^bb3(%8, %7 : index, f32)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: %9 = arith.addi %0, %arg2 : index
// CHECK-NEXT: cf.br ^bb1(%9, %4 : index, f32)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: return %1 : f32
func.func @par(%a: index, %b: index, %s: index, %z: f32) -> f32 {
  %r = scf.parallel (%i, %j) = (%a, %a) to (%b, %b) step (%s, %s) init (%z) -> f32 {
    %e = "e"(%i, %j) : (index, index) -> f32
    scf.reduce(%e : f32) {
    ^bb0(%p: f32, %q: f32):
      %t = arith.addf %p, %q : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// CHECK-LABEL: func.func @nested
// CHECK-NEXT: cf.br ^bb1(%arg1, %arg2 : index, f32)
// CHECK-NEXT: ^bb1(%0: index, %1: f32):
// CHECK-NEXT: %2 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %2, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.cond_br %arg0, ^bb3, ^bb4
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: %3 = "e"(%0) : (index) -> f32
// CHECK-NEXT: cf.br ^bb5(%3 : f32)
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: cf.br ^bb5(%1 : f32)
// CHECK-NEXT: ^bb5(%4: f32):
// CHECK-NEXT: %5 = arith.addi %0, %arg1 : index
// CHECK-NEXT: cf.br ^bb1(%5, %4 : index, f32) {llvm.loop_annotation = 1 : i32}
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: return %1 : f32
func.func @nested(%c: i1, %n: index, %x: f32) -> f32 {
  %r = scf.for %i = %n to %n step %n iter_args(%y = %x) -> f32 {
    %z = scf.if %c -> f32 {
      %e = "e"(%i) : (index) -> f32
      scf.yield %e : f32
    } else {
      scf.yield %y : f32
    }
    scf.yield %z : f32
  } {llvm.loop_annotation = 1 : i32, other}
  return %r : f32
}

// CHECK-LABEL: func.func @wide
// CHECK-NEXT: %0 = arith.index_cast %arg0 : index to i64
// CHECK-NEXT: cf.switch %0 : i64, [
// CHECK-NEXT: default: ^bb2,
// CHECK-NEXT: 8589934592: ^bb1
// CHECK-NEXT: ]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: "a"() : () -> ()
// CHECK-NEXT: cf.br ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.br ^bb4
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: cf.br ^bb5
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: return
func.func @wide(%i: index) {
  scf.index_switch %i case 8589934592 { "a"() : () -> () scf.yield } default { }
  scf.execute_region { scf.yield }
  return
}
