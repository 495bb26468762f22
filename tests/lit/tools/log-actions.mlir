// Actions: a line for each that begins and ends, or is left out, indented by how deep it is in others.
// RUN: cake-opt %s --load-rewrites=%S/../rewrites/Inputs/strength.rewrite --canonicalize --mul_one --cse --log-actions-to=%t.log -o /dev/null
// RUN: FileCheck %s --match-full-lines --strict-whitespace < %t.log
// RUN: cake-opt %s --canonicalize --log-actions-to=- --trace-rewrites -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: cake-opt %s --canonicalize --cse --debug-counter=erase-count=0,pass-count=1 --log-actions-to=- 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not cake-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{max-num-rewrites=0}))' --log-actions-to=- -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: not cake-opt %s --cse --log-actions-to=%t.none/log 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not cake-opt %s --cse --log-actions-to=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL

//      CHECK:begins pass 1 'canonicalize' on 'builtin.module' at {{.*}}log-actions.mlir:0:0
// CHECK-NEXT:  begins round 1 on 'func.func' @f at {{.*}}log-actions.mlir:56:1
// CHECK-NEXT:    begins fold on 'arith.addi' at {{.*}}:58:8
// CHECK-NEXT:    completed fold: changed
// CHECK-NEXT:    begins erase on 'arith.constant' at {{.*}}:57:8
// CHECK-NEXT:    completed erase: changed
// CHECK-NEXT:    begins canonicalize on 'arith.muli' at {{.*}}:59:8
// CHECK-NEXT:    completed canonicalize: unchanged
// CHECK-NEXT:  completed round 1: changed
// CHECK-NEXT:  begins round 2 on 'func.func' @f at {{.*}}
// CHECK-NEXT:    begins canonicalize on 'arith.muli' at {{.*}}
// CHECK-NEXT:    completed canonicalize: unchanged
// CHECK-NEXT:  completed round 2: unchanged
// CHECK-NEXT:  begins round 1 on 'builtin.module' at {{.*}}
// CHECK-NEXT:  completed round 1: unchanged
// CHECK-NEXT:completed pass 1 'canonicalize': changed
// CHECK-NEXT:begins pass 2 'mul_one' on 'builtin.module' at {{.*}}
// CHECK-NEXT:  begins round 1 on 'func.func' @f at {{.*}}
// CHECK-NEXT:    begins pattern 'mul_one' on 'arith.muli' at {{.*}}:59:8
// CHECK-NEXT:    completed pattern 'mul_one': unchanged: operand #{{[01]}} of 'arith.muli' is an argument of a block, not a result of 'arith.constant'
// CHECK-NEXT:  completed round 1: unchanged
// CHECK-NEXT:  begins round 1 on 'builtin.module' at {{.*}}
// CHECK-NEXT:  completed round 1: unchanged
// CHECK-NEXT:completed pass 2 'mul_one': unchanged
// CHECK-NEXT:begins pass 3 'cse' on 'builtin.module' at {{.*}}
// CHECK-NEXT:completed pass 3 'cse': unchanged
//  CHECK-NOT:{{.}}

// BOTH: begins pass 1 'canonicalize'
// BOTH: begins fold on 'arith.addi'
// BOTH: rewrite: {{.*}}: 'arith.addi': folded
// BOTH: rewrite: {{.*}}: 'arith.constant': erased, unused

// LEFT: leaves out erase on 'arith.constant'
// LEFT: leaves out pass 2 'cse' on 'builtin.module'
// LEFT-NOT: completed pass 2
// LEFT: arith.constant 0
// LEFT-NOT: arith.addi

// FAILED: begins pass 1 'canonicalize' on 'func.func' @f
// FAILED: completed round 1: failed
// FAILED: completed pass 1 'canonicalize': failed

// NONE: cake-opt: cannot write '{{.*}}.none/log': No such file or directory [TOOL_IO]
// FULL: cake-opt: cannot write all of '/dev/full' [TOOL_IO]

func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  %2 = arith.muli %1, %b : i32
  return %2 : i32
}
