// Aliases are printed where mlir-opt prints them: affine maps and sets, distinct attributes, locations, and tuples of more
// than 16 types; nested ones first, those that only ops' locations need behind the IR.
// RUN: cake-opt --allow-unregistered-dialect %s -o %t.plain
// RUN: FileCheck %s --input-file=%t.plain
// RUN: cake-opt --allow-unregistered-dialect %t.plain | diff %t.plain -
// RUN: cake-opt --allow-unregistered-dialect --print-debuginfo %s -o %t.loc
// RUN: FileCheck %s --input-file=%t.loc --check-prefix=LOC
// RUN: cake-opt --allow-unregistered-dialect --print-debuginfo %t.loc | diff %t.loc -
// RUN: cake-opt --allow-unregistered-dialect --print-local-scope %s | FileCheck %s --check-prefix=LOCAL

// CHECK: !tuple = tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>
// CHECK-NEXT: #loc = loc("y":1:2)
// CHECK-NEXT: #loc1 = loc("z":1:2)
// CHECK-NEXT: #loc2 = loc(unknown)
// CHECK-NEXT: #map = affine_map<(d0) -> (d0 + 1)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0 + 2)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0 + 3)>
// CHECK-NEXT: #set = affine_set<(d0) : (d0 >= 0)>
// CHECK-NEXT: #distinct = distinct[0]<#map>
// CHECK-NEXT: #loc3 = loc(fused<#map>[#loc1, #loc])
// CHECK-NEXT: module {
// CHECK-NEXT: "a.b"() {n = {k = #map}, t = !tuple, u = tuple<i1, i2>, x = #map, y = #set, z = [#map, #map1]} : () -> ()
// CHECK-NEXT: func.func @f(%{{.*}}: memref<4xf32, #map2>, %{{.*}}: !tuple) attributes {d = #distinct} {
// CHECK: "a.c"() {l = #loc, m = #loc3, n = #loc2} : () -> ()
// CHECK-NEXT: }
// CHECK-NOT: loc

// LOC: #[[Y:loc[0-9]*]] = loc("y":1:2)
// LOC: #[[MAP:map]] = affine_map<(d0) -> (d0 + 1)>
// LOC: module {
// LOC: func.func @f(%{{.*}}: memref<4xf32, #map2> loc("{{.*}}alias-printing.mlir":[[# @LINE + 20]]:14), %{{.*}}: !tuple loc("a"))
// LOC: return loc(#[[RETURN:loc[0-9]*]])
// LOC-NEXT: } loc(#[[X:loc[0-9]*]])
// LOC-NEXT: "a.c"() {l = #[[Y]], {{.*}}} : () -> () loc(#[[NAMED:loc[0-9]*]])
// LOC-NEXT: } loc(#[[MODULE:loc[0-9]*]])
// LOC: #[[X]] = loc("x.c":3:4)
// LOC: #[[RETURN]] = loc("{{.*}}alias-printing.mlir":[[# @LINE + 15]]:3)
// LOC: #[[Q:loc[0-9]*]] = loc("q":7:7)
// LOC: #[[CALL:loc[0-9]*]] = loc(callsite(#[[Q]] at #[[X]]))
// LOC-NEXT: #[[NAMED]] = loc("named"(#[[CALL]]))

// LOCAL-NOT: #map
// LOCAL: "a.b"() {n = {k = affine_map<(d0) -> (d0 + 1)>}, t = tuple<i1,

#m = affine_map<(d0) -> (d0 + 1)>
#s = affine_set<(d0) : (d0 >= 0)>
!t = tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>
!u = tuple<i1, i2>
"a.b"() {x = #m, y = #s, z = [#m, affine_map<(d0) -> (d0 + 2)>], t = !t, u = !u, n = {k = #m}} : () -> ()

func.func @f(%a: memref<4xf32, affine_map<(d0) -> (d0 + 3)>>, %t: !t loc("a")) attributes {d = distinct[0]<#m>} {
  return
} loc("x.c":3:4)
"a.c"() {l = loc("y":1:2), m = loc(fused<#m>["z":1:2, "y":1:2]), n = loc(unknown)} : () -> () loc(#later)
#later = loc("named"(callsite("q":7:7 at "x.c":3:4)))
