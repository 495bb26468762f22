// Every op of arith: custom form to custom form, through the generic form, and as mlir-opt reads and prints it.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @integers(
// CHECK-SAME: [[A:%.*]]: i32, [[B:%.*]]: i32, [[V:%.*]]: vector<4xi8>, [[X:%.*]]: index)
// GENERIC-LABEL: sym_name = "integers"
func.func @integers(%a: i32, %b: i32, %v: vector<4xi8>, %x: index) {
  // CHECK-NEXT: arith.addi [[A]], [[B]] : i32
  %0 = arith.addi %a, %b : i32
  // CHECK-NEXT: arith.addi [[A]], [[B]] overflow<nsw> : i32
  // GENERIC: "arith.addi"({{.*}}) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  %1 = arith.addi %a, %b overflow<nsw> : i32
  // CHECK-NEXT: arith.addi [[X]], [[X]] overflow<nsw, nuw> : index
  %2 = arith.addi %x, %x overflow<nuw, nsw> : index
  // CHECK-NEXT: arith.subi [[V]], [[V]] {note = "kept"} : vector<4xi8>
  %3 = arith.subi %v, %v {note = "kept"} : vector<4xi8>
  // CHECK-NEXT: arith.muli [[A]], [[B]] : i32
  %4 = arith.muli %a, %b : i32
  // CHECK-NEXT: arith.divsi [[A]], [[B]] : i32
  %5 = arith.divsi %a, %b : i32
  // CHECK-NEXT: arith.divsi [[A]], [[B]] exact : i32
  // GENERIC: "arith.divsi"({{.*}}) <{isExact}> : (i32, i32) -> i32
  %6 = arith.divsi %a, %b exact : i32
  // CHECK-NEXT: arith.divui [[A]], [[B]] : i32
  %7 = arith.divui %a, %b : i32
  // CHECK-NEXT: arith.remsi [[A]], [[B]] : i32
  %8 = arith.remsi %a, %b : i32
  // CHECK-NEXT: arith.remui [[A]], [[B]] : i32
  %9 = arith.remui %a, %b : i32
  // CHECK-NEXT: arith.ceildivsi [[A]], [[B]] : i32
  %10 = arith.ceildivsi %a, %b : i32
  // CHECK-NEXT: arith.floordivsi [[A]], [[B]] : i32
  %11 = arith.floordivsi %a, %b : i32
  // CHECK-NEXT: arith.andi [[A]], [[B]] : i32
  %12 = arith.andi %a, %b : i32
  // CHECK-NEXT: arith.ori [[A]], [[B]] : i32
  %13 = arith.ori %a, %b : i32
  // CHECK-NEXT: arith.xori [[A]], [[B]] : i32
  %14 = arith.xori %a, %b : i32
  // CHECK-NEXT: arith.shli [[A]], [[B]] overflow<nuw> : i32
  %15 = arith.shli %a, %b overflow<nuw> : i32
  // CHECK-NEXT: arith.shrsi [[A]], [[B]] exact : i32
  %16 = arith.shrsi %a, %b exact : i32
  // CHECK-NEXT: arith.shrui [[A]], [[B]] : i32
  %17 = arith.shrui %a, %b : i32
  // CHECK-NEXT: arith.maxsi [[A]], [[B]] : i32
  %18 = arith.maxsi %a, %b : i32
  // CHECK-NEXT: arith.minsi [[A]], [[B]] : i32
  %19 = arith.minsi %a, %b : i32
  // CHECK-NEXT: arith.maxui [[A]], [[B]] : i32
  %20 = arith.maxui %a, %b : i32
  // CHECK-NEXT: arith.minui [[V]], [[V]] : vector<4xi8>
  %21 = arith.minui %v, %v : vector<4xi8>
  return
}

// CHECK-LABEL: func.func @floats(
// CHECK-SAME: [[A:%.*]]: f32, [[V:%.*]]: vector<4xbf16>)
func.func @floats(%a: f32, %v: vector<4xbf16>) {
  // CHECK-NEXT: arith.addf [[A]], [[A]] : f32
  %0 = arith.addf %a, %a : f32
  // CHECK-NEXT: arith.addf [[A]], [[A]] fastmath<fast> : f32
  %1 = arith.addf %a, %a fastmath<fast> : f32
  // CHECK-NEXT: arith.subf [[V]], [[V]] fastmath<nnan,ninf> : vector<4xbf16>
  // GENERIC: "arith.subf"({{.*}}) <{fastmath = #arith.fastmath<nnan,ninf>}>
  %2 = arith.subf %v, %v fastmath<ninf, nnan> : vector<4xbf16>
  // CHECK-NEXT: arith.mulf [[A]], [[A]] fastmath<reassoc,nsz,arcp,contract,afn> : f32
  %3 = arith.mulf %a, %a fastmath<reassoc,nsz,arcp,contract,afn> : f32
  // CHECK-NEXT: arith.divf [[A]], [[A]] : f32
  %4 = arith.divf %a, %a fastmath<none> : f32
  // CHECK-NEXT: arith.maximumf [[A]], [[A]] : f32
  %5 = arith.maximumf %a, %a : f32
  // CHECK-NEXT: arith.minimumf [[A]], [[A]] : f32
  %6 = arith.minimumf %a, %a : f32
  // CHECK-NEXT: arith.maxnumf [[A]], [[A]] : f32
  %7 = arith.maxnumf %a, %a : f32
  // CHECK-NEXT: arith.minnumf [[A]], [[A]] : f32
  %8 = arith.minnumf %a, %a : f32
  // CHECK-NEXT: arith.negf [[A]] : f32
  %9 = arith.negf %a : f32
  // CHECK-NEXT: arith.negf [[V]] fastmath<nnan> {x} : vector<4xbf16>
  %10 = arith.negf %v fastmath<nnan> {x} : vector<4xbf16>
  return
}

// CHECK-LABEL: func.func @comparing(
// CHECK-SAME: [[A:%.*]]: i32, [[F:%.*]]: f32, [[V:%.*]]: vector<4xi8>, [[P:%.*]]: i1, [[M:%.*]]: vector<4xi1>)
func.func @comparing(%a: i32, %f: f32, %v: vector<4xi8>, %p: i1, %m: vector<4xi1>) {
  // CHECK-NEXT: arith.cmpi eq, [[A]], [[A]] : i32
  %0 = arith.cmpi eq, %a, %a : i32
  // CHECK-NEXT: arith.cmpi uge, [[V]], [[V]] : vector<4xi8>
  // GENERIC: "arith.cmpi"({{.*}}) <{predicate = 9 : i64}> : (vector<4xi8>, vector<4xi8>) -> vector<4xi1>
  %1 = arith.cmpi uge, %v, %v : vector<4xi8>
  // CHECK-NEXT: arith.cmpf olt, [[F]], [[F]] : f32
  %2 = arith.cmpf "olt", %f, %f : f32
  // CHECK-NEXT: arith.cmpf uno, [[F]], [[F]] fastmath<nsz> : f32
  %3 = arith.cmpf uno, %f, %f fastmath<nsz> : f32
  // CHECK-NEXT: arith.select [[P]], [[V]], [[V]] : vector<4xi8>
  %4 = arith.select %p, %v, %v : vector<4xi8>
  // CHECK-NEXT: arith.select [[M]], [[V]], [[V]] : vector<4xi1>, vector<4xi8>
  %5 = arith.select %m, %v, %v : vector<4xi1>, vector<4xi8>
  return
}

// CHECK-LABEL: func.func @converting(
// CHECK-SAME: [[I:%.*]]: i8, [[F:%.*]]: f32, [[H:%.*]]: vector<2xbf16>, [[X:%.*]]: index)
func.func @converting(%i: i8, %f: f32, %h: vector<2xbf16>, %x: index) {
  // CHECK-NEXT: arith.extf [[H]] : vector<2xbf16> to vector<2xf32>
  %0 = arith.extf %h : vector<2xbf16> to vector<2xf32>
  // CHECK-NEXT: arith.extf [[F]] fastmath<contract> : f32 to f64
  %1 = arith.extf %f fastmath<contract> : f32 to f64
  // CHECK-NEXT: arith.truncf [[F]] : f32 to f16
  %2 = arith.truncf %f : f32 to f16
  // CHECK-NEXT: arith.truncf [[F]] toward_zero fastmath<fast> : f32 to bf16
  // GENERIC: "arith.truncf"({{.*}}) <{fastmath = #arith.fastmath<fast>, roundingmode = 3 : i32}> : (f32) -> bf16
  %3 = arith.truncf %f toward_zero fastmath<fast> : f32 to bf16
  // CHECK-NEXT: arith.extsi [[I]] : i8 to i32
  %4 = arith.extsi %i : i8 to i32
  // CHECK-NEXT: arith.extui [[I]] : i8 to i32
  %5 = arith.extui %i : i8 to i32
  // CHECK-NEXT: arith.trunci [[I]] overflow<nsw> : i8 to i1
  %6 = arith.trunci %i overflow<nsw> : i8 to i1
  // CHECK-NEXT: arith.sitofp [[I]] : i8 to f32
  %7 = arith.sitofp %i : i8 to f32
  // CHECK-NEXT: arith.uitofp [[I]] : i8 to f16
  %8 = arith.uitofp %i : i8 to f16
  // CHECK-NEXT: arith.fptosi [[F]] : f32 to i8
  %9 = arith.fptosi %f : f32 to i8
  // CHECK-NEXT: arith.fptoui [[F]] : f32 to i64
  %10 = arith.fptoui %f : f32 to i64
  // CHECK-NEXT: arith.index_cast [[X]] : index to i32
  %11 = arith.index_cast %x : index to i32
  // CHECK-NEXT: arith.index_castui [[I]] : i8 to index
  %12 = arith.index_castui %i : i8 to index
  // CHECK-NEXT: arith.bitcast [[F]] : f32 to i32
  %13 = arith.bitcast %f : f32 to i32
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: arith.constant 1 : i32
  %0 = arith.constant 1 : i32
  // CHECK-NEXT: arith.constant true
  %1 = arith.constant true
  // CHECK-NEXT: arith.constant -5 : index
  %2 = arith.constant -5 : index
  // CHECK-NEXT: arith.constant 1.500000e+00 : bf16
  %3 = arith.constant 1.5 : bf16
  // CHECK-NEXT: arith.constant dense<1.000000e+00> : vector<4xf32>
  %4 = arith.constant dense<1.0> : vector<4xf32>
  // CHECK-NEXT: arith.constant dense<[1, -2]> : tensor<2xi8>
  %5 = arith.constant dense<[1, -2]> : tensor<2xi8>
  // CHECK-NEXT: arith.constant {where = "here"} 7 : i64
  // GENERIC: "arith.constant"() <{value = 7 : i64}> {where = "here"} : () -> i64
  %6 = arith.constant {where = "here"} 7 : i64
  return
}

// Elements may have signs, a scalar may not.
// CHECK-LABEL: func.func @signed_elements
func.func @signed_elements() {
  // CHECK-NEXT: arith.constant dense<-1> : tensor<4xsi32>
  %0 = arith.constant dense<-1> : tensor<4xsi32>
  return
}
