// view-op-graph: for Graphviz, and as a picture.
// RUN: cake-opt --view-op-graph %s -o %t 2>&1 | FileCheck %s
// RUN: cake-opt --view-op-graph=format=svg %s -o %t 2> %t.svg
// RUN: FileCheck %s --check-prefix=SVG < %t.svg
// RUN: python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" %t.svg
// RUN: not cake-opt --view-op-graph=format=png %s -o %t 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: 'builtin.module' op cannot be drawn: format must be dot or svg, and max-label-len from 1 to 10000

// CHECK: digraph G {
// CHECK: subgraph cluster_0 {
// CHECK-NEXT: label = "builtin.module";
// CHECK: subgraph cluster_1 {
// CHECK-NEXT: label = "func.func {sym_name = \"f\", function_type = (i32, i1) -> i32}";
// CHECK: v[[ARGS:[0-9]+]] [shape = ellipse, label = "^block(i32, i1)"];
// CHECK-NEXT: v[[ADD:[0-9]+]] [label = "arith.addi{{.*}} : i32"];
// CHECK: v[[BR:[0-9]+]] [label = "cf.cond_br{{.*}}"];
// CHECK: v[[ARG:[0-9]+]] [shape = ellipse, label = "^block(i32)"];
// CHECK: v[[RETURN:[0-9]+]] [label = "func.return"];
// CHECK-NEXT: }
// CHECK: v[[ARGS]] -> v[[ADD]] [label = "0"];
// CHECK-NEXT: v[[ARGS]] -> v[[ADD]] [label = "1"];
// CHECK: v[[ADD]] -> v[[BR]] [label = "1"];
// CHECK: v[[BR]] -> v[[ARG]] [style = dashed];
// CHECK: v[[ARG]] -> v[[RETURN]];

// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG: <text x="{{[0-9]+}}" y="{{[0-9]+}}">arith.addi{{.*}} : i32</text>
// SVG: <path class="v"
// SVG: <path class="c"
// SVG: </svg>
func.func @f(%x: i32, %c: i1) -> i32 {
  %0 = arith.addi %x, %x : i32
  cf.cond_br %c, ^next(%0 : i32), ^next(%x : i32)
^next(%a: i32):
  return %a : i32
}
