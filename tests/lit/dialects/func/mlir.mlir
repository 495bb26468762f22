// What cake-opt prints means to mlir-opt what the input meant to it.
// REQUIRES: mlir-opt
// RUN: mlir-opt --allow-unregistered-dialect --mlir-print-op-generic %S/ops.mlir -o %t.expected
// RUN: cake-opt %S/ops.mlir | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.custom
// RUN: diff %t.expected %t.custom
// RUN: cake-opt --print-op-generic %S/ops.mlir | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.generic
// RUN: diff %t.expected %t.generic
