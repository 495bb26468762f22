// cake-opt's own options.
// RUN: cake-opt --help | FileCheck %s --check-prefix=HELP
// HELP: Usage: cake-opt
// HELP: --pass-pipeline=TEXT
// RUN: cake-opt --version | FileCheck %s --check-prefix=VERSION
// VERSION: cake-opt {{[0-9]+\.[0-9]+}}
// RUN: cake-opt --list-passes | FileCheck %s --check-prefix=PASSES
// PASSES: --canonicalize
// PASSES-NEXT: max-iterations {{.*}} (default: -1)
// PASSES: --cse
// RUN: cake-opt --list-ops | FileCheck %s --check-prefix=OPS
// OPS: builtin.module
// OPS: arith.addi {{.*}}The sum of two integers
// OPS: scf.for
// RUN: cake-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: builtin
// DIALECTS: cake

// RUN: not cake-opt --canonicalise %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: cake-opt: unknown option or pass '--canonicalise'; did you mean '--canonicalize'? [TOOL_USAGE]
// RUN: not cake-opt --cse --pass-pipeline='builtin.module(cse)' %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: --pass-pipeline and single passes can't be used together
// RUN: not cake-opt %s %s 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: more than one input
// RUN: not cake-opt -o 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: option '--o' needs a value
// RUN: not cake-opt --help=3 2>&1 | FileCheck %s --check-prefix=NOVALUE
// NOVALUE: option '--help' takes no value
// RUN: not cake-opt --timing=fast %s 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: --timing takes no value, 'list', 'tree' or 'json', not 'fast'
// RUN: not cake-opt --diagnostics=xml %s 2>&1 | FileCheck %s --check-prefix=DIAGNOSTICS
// DIAGNOSTICS: --diagnostics must be text or json, not 'xml'
// RUN: not cake-opt --verify-each=perhaps %s 2>&1 | FileCheck %s --check-prefix=EACH
// EACH: --verify-each must be true or false, not 'perhaps'
// RUN: not cake-opt %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: cake-opt: {{.*}}missing{{.*}} [TOOL_IO]
// RUN: not cake-opt --diagnostics=json %t.missing 2>&1 | FileCheck %s --check-prefix=IOJSON
// IOJSON: {{[{]}}{{.*}}TOOL_IO
// RUN: not cake-opt --nothing-of-the-kind-at-all %s 2>&1 | FileCheck %s --check-prefix=NOHINT
// NOHINT: unknown option or pass '--nothing-of-the-kind-at-all'; 'cake-opt --help' and '--list-passes' show them
// RUN: not cake-opt %s -o %t.folder/missing/file 2>&1 | FileCheck %s --check-prefix=NOFOLDER
// NOFOLDER: cake-opt: {{.*}}missing/file

// Standard input, -o, generic form, names.
// RUN: cake-opt - < %s | FileCheck %s
// RUN: cake-opt < %s | FileCheck %s
// RUN: cake-opt -o %t.out %s && FileCheck %s < %t.out
// RUN: cake-opt -mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: cake-opt --keep-names %s | FileCheck %s --check-prefix=NAMES
// CHECK: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: %0 = arith.addi %arg0, %arg0 : i32
// GENERIC: %0 = "arith.addi"(%arg0, %arg0)
// NAMES: func.func @f(%left: i32) -> i32 {
// NAMES-NEXT: %sum = arith.addi %left, %left : i32
func.func @f(%left: i32) -> i32 {
  %sum = arith.addi %left, %left : i32
  return %sum : i32
}
