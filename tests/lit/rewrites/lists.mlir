// Rewrites of terminators, with blocks from outside, and of lists of any length.
// RUN: cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/regions.rewrite --check-passes --branches --trace-rewrites %s 2>%t.trace | FileCheck %s --check-prefix=BRANCH
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.trace
// RUN: cake-opt --allow-unregistered-dialect --load-rewrites=%S/Inputs/regions.rewrite --check-passes --lists --trace-rewrites %s 2>%t.trace2 | FileCheck %s --check-prefix=LIST
// RUN: FileCheck %s --check-prefix=TRACE-LIST --input-file %t.trace2

// BRANCH-LABEL: @cond
// BRANCH-NEXT:   %0 = arith.constant true
// BRANCH-NEXT:   %1 = arith.constant false
// BRANCH-NEXT:   cf.br ^bb1(%arg0, %arg0 : i32, i32)
// BRANCH-NEXT: ^bb1(%2: i32, %3: i32):  // pred: ^bb0
// BRANCH-NEXT:   cf.br ^bb3(%3 : i32)
// BRANCH-NEXT: ^bb2:  // no predecessors
// BRANCH-NEXT:   cf.br ^bb3(%arg0 : i32)
// BRANCH-NEXT: ^bb3(%4: i32):  // 2 preds: ^bb1, ^bb2
// BRANCH-NEXT:   %5 = arith.addi %4, %4 : i32
// BRANCH-NEXT:   return %5, %4 : i32, i32
// BRANCH-NEXT: }
func.func @cond(%a: i32, %c: i1) -> (i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %true, ^bb1(%a, %a: i32, i32), ^bb2
^bb1(%x: i32, %y: i32):
  cf.cond_br %false, ^bb3(%x: i32), ^bb3(%y: i32)
^bb2:
  cf.cond_br %c, ^bb3(%a: i32), ^bb3(%a: i32)
^bb3(%z: i32):
  return %z, %z : i32, i32
}

func.func private @log(i32, f32, f32) -> f32

func.func private @log_rest(f32, f32) -> f32

// LIST-LABEL: @lists
// LIST-NEXT:   %0 = arith.constant 3 : i32
// LIST-NEXT:   %1 = call @log_rest(%arg0, %arg0) : (f32, f32) -> f32
// LIST-NEXT:   %2 = call @log(%arg2, %arg0, %1) : (i32, f32, f32) -> f32
// LIST-NEXT:   %3:3 = "u.turned"(%arg2, %1, %2) : (i32, f32, f32) -> (i32, f32, f32)
// LIST-NEXT:   %4 = "u.turned"(%3#0) : (i32) -> i32
// LIST-NEXT:   %5:2 = "u.pack"(%arg0, %1, %2) : (f32, f32, f32) -> (i64, i64)
// LIST-NEXT:   %6:3 = "u.unpack"(%5#1, %5#0) : (i64, i64) -> (f32, f32, f32)
// LIST-NEXT:   "u.use"(%arg0, %1, %2, %6#0, %3#1, %4) : (f32, f32, f32, f32, f32, i32) -> ()
// LIST-NEXT:   %7 = arith.constant true
// LIST-NEXT:   %8 = arith.xori %7, %arg1 : i1
// LIST-NEXT:   cf.cond_br %arg1, ^bb2(%arg0, %1 : f32, f32), ^bb1
// LIST-NEXT: ^bb1:  // pred: ^bb0
// LIST-NEXT:   return %2 : f32
// LIST-NEXT: ^bb2(%9: f32, %10: f32):  // pred: ^bb0
// LIST-NEXT:   return %10 : f32
// LIST-NEXT: }
func.func @lists(%a: f32, %c: i1, %i: i32) -> f32 {
  %c3 = arith.constant 3 : i32
  %0 = func.call @log(%c3, %a, %a) : (i32, f32, f32) -> f32
  %1 = func.call @log(%i, %a, %0) : (i32, f32, f32) -> f32
  %2:3 = "u.turn"(%0, %1, %i) : (f32, f32, i32) -> (i32, f32, f32)
  %3 = "u.turn"(%2#0) : (i32) -> i32
  %4:2 = "u.pack"(%a, %0, %1) : (f32, f32, f32) -> (i64, i64)
  %5:3 = "u.unpack"(%4#0, %4#1) : (i64, i64) -> (f32, f32, f32)
  %6:3 = "u.unpack"(%4#1, %4#0) : (i64, i64) -> (f32, f32, f32)
  "u.use"(%5#0, %5#1, %5#2, %6#0, %2#1, %3) : (f32, f32, f32, f32, f32, i32) -> ()
  %true = arith.constant true
  %n = arith.xori %true, %c : i1
  cf.cond_br %n, ^a, ^b(%5#0, %5#1 : f32, f32)
^a:
  return %1 : f32
^b(%x: f32, %y: f32):
  return %y : f32
}

// LIST-LABEL: @many
// LIST-NEXT:   %0:34 = "u.made"(%arg0) : (f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
// LIST-NEXT:   return %0#0, %0#33 : f32, f32
// LIST-NEXT: }
func.func @many(%x: f32) -> (f32, f32) {
  %0:34 = "u.many"(%x) : (f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  return %0#0, %0#33 : f32, f32
}

// TRACE: 'cf.cond_br': pattern 'cond_true' applied
// TRACE: pattern 'cond_true' does not apply: attribute 'value' of 'arith.constant' is false, not true
// TRACE: 'func.return': pattern 'return_twice' does not apply: 'func.return' has 1 operands, not 2
// TRACE: pattern 'cond_same' does not apply: the 2 operands of 'cf.cond_br' from #1 on are not of the types '!As...'
// TRACE-LIST: 'func.call': pattern 'drop_operand' does not apply: 'constant(%first)' does not hold
// TRACE-LIST: 'u.unpack': pattern 'through' applied
// TRACE-LIST: 'u.unpack': pattern 'through' does not apply: the operands of 'u.unpack' from #0 on are other results of 'u.pack' than %b...
