// Affine maps, and arrays of maps and strings, as attributes of a dialect in a file.
// RUN: cake-opt --load-dialect=%S/Inputs/structured.dialect --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: cake-docs --load-dialect=%S/Inputs/structured.dialect | FileCheck %s --check-prefix=DOCS
// DOCS: | `maps` | attribute | AffineMap array attribute | a map an operand |

// CHECK: #[[MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK: structured.generic maps [#[[MAP]], #[[ROW]]] iterators ["parallel", "reduction"] ins(%arg0 : tensor<4x?xf32>) outs(%arg1 : tensor<4xf32>) {
// CHECK: structured.apply #{{.*}}(%arg2)
#row = affine_map<(d0, d1) -> (d0)>
func.func @sum(%a: tensor<4x?xf32>, %b: tensor<4xf32>, %i: index) -> (tensor<4xf32>, index) {
  %r = structured.generic maps [affine_map<(d0, d1) -> (d0, d1)>, #row] iterators ["parallel", "reduction"] ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    structured.yield %s : f32
  } -> tensor<4xf32>
  %m = structured.apply affine_map<(d0) -> (d0 * 2)>(%i)
  return %r, %m : tensor<4xf32>, index
}

// -----

func.func @bad(%i: index) {
  // expected-error @+1 {{attribute 'map' failed to satisfy constraint: AffineMap attribute}}
  %m = "structured.apply"(%i) <{map = 1 : i32}> : (index) -> index
  // expected-error @+2 {{attribute 'maps' failed to satisfy constraint: AffineMap array attribute}}
  // expected-error @+1 {{attribute 'iterators' failed to satisfy constraint: string array attribute}}
  "structured.generic"() <{maps = [affine_map<(d0) -> (d0)>, 1], iterators = [1], operandSegmentSizes = array<i32: 0, 0>}> ({
    "structured.yield"() : () -> ()
  }) : () -> ()
  return
}
