// cse and canonicalize leave behind what mlir-opt leaves behind, up to the place of constants.
// REQUIRES: mlir-opt
// RUN: mlir-opt --cse --allow-unregistered-dialect --split-input-file %S/cse.mlir -o %t.theirs
// RUN: cake-opt --cse --allow-unregistered-dialect --split-input-file %S/cse.mlir -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t.theirs -o %t.theirs.generic
// RUN: mlir-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t.ours -o %t.ours.generic
// RUN: diff %t.theirs.generic %t.ours.generic
