// Options of canonicalize.
// RUN: cake-opt --canonicalize=region-simplify=false %s | FileCheck %s --check-prefix=KEEP
// RUN: cake-opt --canonicalize %s | FileCheck %s
// RUN: not cake-opt --canonicalize=max-iterations=0 %s 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not cake-opt --canonicalize=max-rewrites=0 %s 2>&1 | FileCheck %s --check-prefix=ONE

// KEEP: ^{{.*}}:  // no predecessors
// KEEP: }
// CHECK-NOT: ^
// LIMIT: error: rewriting does not come to an end: stopped by the limit of rounds over all ops after {{[0-9]+}} rewrites; still to do: the folder of 'arith.addi'
// LIMIT: note: while 'func.func' was rewritten
// ONE: error: rewriting does not come to an end: stopped by the limit of rewrites after {{[0-9]+}} rewrites; these feed one another: the folder of 'arith.addi'
func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %a, %zero : i32
  return %0 : i32
^dead:
  return %a : i32
}
