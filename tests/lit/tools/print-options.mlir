// How IR is printed: regions and elements that are left out, elements in hexadecimal, names from locations. As mlir-opt prints it.
// RUN: cake-opt --mlir-print-skip-regions %s | FileCheck %s --check-prefix=SKIP --match-full-lines
// SKIP: module {...}
// RUN: cake-opt --skip-regions --print-ir-after=cse --pass-pipeline='builtin.module(func.func(cse))' %s -o %t 2>&1 | FileCheck %s --check-prefix=SKIP-FUNC
// SKIP-FUNC: func.func @f(%arg0: i32, %arg1: i1) -> (i32, i32) {...}
// RUN: cake-opt --cse --print-ir-before=cse --print-ir-after=canonicalize --canonicalize --print-ir-before=dce,canonicalize --mlir-print-op-generic %s -o %t 2>&1 | FileCheck %s --check-prefix=LISTS
// LISTS: IR Dump Before cse
// LISTS-NEXT: "builtin.module"()
// LISTS: IR Dump Before canonicalize
// LISTS: IR Dump After canonicalize
// RUN: not cake-opt --cse --print-ir-after=cse,nothing %s 2>&1 | FileCheck %s --check-prefix=NO-PASS
// NO-PASS: cake-opt: --print-ir-after: there is no pass 'nothing' [TOOL_USAGE]
// RUN: cake-opt --mlir-elide-elementsattrs-if-larger=3 %s | FileCheck %s --check-prefix=ELIDE
// ELIDE: arith.constant dense_resource<__elided__> : tensor<4xi32>
// ELIDE: arith.constant dense<7> : tensor<400xi32>
// RUN: cake-opt --elide-elements-above=4 --elide-resources-above=9 %s | FileCheck %s --check-prefix=KEEP
// KEEP: arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
// KEEP-NOT: dialect_resources
// RUN: cake-opt --elide-resources-above=28 %s | FileCheck %s --check-prefix=RESOURCE
// RESOURCE: blob: "0x08000000010000000000000002"
// RUN: cake-opt --mlir-print-elementsattrs-with-hex-if-larger=3 %s | FileCheck %s --check-prefix=HEX
// HEX: dense<"0x01000000020000000300000004000000"> : tensor<4xi32>
// RUN: cake-opt --hex-elements-above=-1 %s | FileCheck %s --check-prefix=CHECK
// RUN: cake-opt --mlir-use-nameloc-as-prefix %s | FileCheck %s --check-prefix=NAMES
// NAMES: %named = arith.constant
// NAMES: %[[IF:.*]]:2 = scf.if
// NAMES: %sum = arith.addi %arg0, %arg0 : i32
// NAMES-NEXT: %sum_0 = arith.addi %sum, %arg0 : i32
// NAMES-NEXT: scf.yield %sum_0, %arg0 : i32, i32
// NAMES: ^bb1(%entry: i32):
// NAMES-NEXT: return %[[IF]]#1, %entry : i32, i32
// RUN: cake-opt --names-from-locations --keep-names %s | FileCheck %s --check-prefix=BOTH
// BOTH: %named = arith.constant
// BOTH: %u = arith.constant
// BOTH: %x, %y = scf.if %b
// BOTH: %sum = arith.addi %a, %a : i32
// CHECK: dense<[1, 2, 3, 4]> : tensor<4xi32>

// RUN: not cake-opt --hex-elements-above=many %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: cake-opt: --hex-elements-above takes a number, not 'many' [TOOL_USAGE]
// RUN: not cake-opt --mlir-diagnostic-verbosity-level=all %s 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: cake-opt: --diagnostics-level must be errors, warnings or remarks, not 'all' [TOOL_USAGE]
// RUN: not cake-opt --verify-diagnostics=some %s 2>&1 | FileCheck %s --check-prefix=EXPECTING
// EXPECTING: cake-opt: --verify-diagnostics must be all or only-expected, not 'some'
func.func @f(%a: i32, %b: i1) -> (i32, i32) {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32> loc("named")
  %u = arith.constant dense<7> : tensor<400xi32>
  %r = arith.constant dense_resource<blob> : tensor<1xi64>
  %x, %y = scf.if %b -> (i32, i32) {
    %0 = arith.addi %a, %a : i32 loc("sum")
    %1 = arith.addi %0, %a : i32 loc("sum")
    scf.yield %1, %a : i32, i32
  } else {
    scf.yield %a, %a : i32, i32 loc("no suffix id")
  }
  cf.br ^bb1(%x : i32)
^bb1(%z: i32 loc("entry")):
  return %y, %z : i32, i32
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x08000000010000000000000002"
    }
  }
#-}
