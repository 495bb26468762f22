#map = affine_map<(d0, d1) -> (d1, d0)>
#row = #t.layout<1,row>
!list = tensor<4xf32>
#top = loc("top":1:1)

func.func @once() attributes {target = "gpu", hot} {
  %a = "t.in"() : () -> i32
  %b = "t.in"() : () -> f32
  %0 = arith.constant dense<[[1, -2], [3, 9999999]]> : tensor<2x2xi32>
  %1 = arith.constant dense<[true, false]> : tensor<2xi1>
  %2 = arith.constant dense<[-1, 127, -128]> : vector<3xi8>
  %3 = arith.constant dense<[255, 0]> : tensor<2xui8>
  %4 = arith.constant dense<[1.0e3, -2.5E-2, 0x7FC00000]> : tensor<3xf32>
  %5 = arith.constant dense<7> : tensor<i64>
  %6 = arith.constant dense<[]> : tensor<0xi64>
  %7 = arith.constant dense<[5]> : tensor<1xindex>
  %8 = arith.constant dense<[3, 3, 3, 3]> : tensor<4xi24>
  %9 = arith.constant dense<[1234567890123456789, -8]> : tensor<2xi64>
  %10 = arith.constant dense<1.5> : !list
  %11 = arith.addi %a, %a overflow<nsw, nuw> {x = 1 : i8} : i32
  %12 = arith.addi %a, %a overflow<none> : i32
  %13 = arith.mulf %b, %b fastmath<nnan,ninf> {y = [1, "a", @g, @g::@h, f32, !list, unit, true]} : f32
  %14 = arith.cmpi slt, %a, %a {z} : i32
  %15 = arith.cmpf oeq, %b, %b fastmath<fast> : f32
  %16 = "t.x"(%a) <{p = 1, q = #row}> {a = #t.y<2,x->y>, b = #u<(z)[w]>, c = array<i8: 1, -2>, d = array<i1: true, false>, e = array<f32: 1.5, -2.0>, f = array<i64>} : (i32) -> i32
  %17 = "t.x"(%a) {"q-r" = 1 : index, m = #map, n = affine_map<(d0) -> (d0 + 1)>, t = -9223372036854775808, u = 18446744073709551615 : ui64, w = {}, x = []} : (i32) -> i32
  %18 = "t.y"() {a = 0.1 : f64, b = 1. : f16, c = 3.5e38 : f32, d = 0.333333343 : f32, e = 123456789.125, f = 1.23457e30, g = -0.0 : bf16, h = 0.0000001} : () -> i32
  %19 = "arith.subi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>}> {z} : (i32, i32) -> i32
  %20 = arith.constant {z} 2.5 : bf16 loc(unknown)
  %21 = arith.constant 5 : i32 loc("f":1:2)
  %22 = arith.constant true loc(#late)
  %23 = arith.constant -3 : index loc("n"("f":3:4))
  %24 = math.sqrt %b fastmath<contract> : f32 loc(callsite("a":1:2 at #top))
  %25 = arith.subi %a, %a : i32 loc(fused["a":1:1, unknown, "b":2:2, "a":1:1])
  %26 = arith.constant dense<1.5> : !list loc(fused<"m">["a":1:1, unknown])
  %27 = arith.constant 6 : i32 loc("r":1:2 to :3)
  %28 = arith.constant 7 : i32 loc("named")
  return
} loc(unknown)
#late = loc("late":9:9)

func.func @twice() attributes {target = "gpu", hot} {
  %a = "t.in"() : () -> i32
  %b = "t.in"() : () -> f32
  %0 = arith.constant dense<[[1, -2], [3, 9999999]]> : tensor<2x2xi32>
  %1 = arith.constant dense<[true, false]> : tensor<2xi1>
  %2 = arith.constant dense<[-1, 127, -128]> : vector<3xi8>
  %3 = arith.constant dense<[255, 0]> : tensor<2xui8>
  %4 = arith.constant dense<[1.0e3, -2.5E-2, 0x7FC00000]> : tensor<3xf32>
  %5 = arith.constant dense<7> : tensor<i64>
  %6 = arith.constant dense<[]> : tensor<0xi64>
  %7 = arith.constant dense<[5]> : tensor<1xindex>
  %8 = arith.constant dense<[3, 3, 3, 3]> : tensor<4xi24>
  %9 = arith.constant dense<[1234567890123456789, -8]> : tensor<2xi64>
  %10 = arith.constant dense<1.5> : !list
  %11 = arith.addi %a, %a overflow<nsw, nuw> {x = 1 : i8} : i32
  %12 = arith.addi %a, %a overflow<none> : i32
  %13 = arith.mulf %b, %b fastmath<nnan,ninf> {y = [1, "a", @g, @g::@h, f32, !list, unit, true]} : f32
  %14 = arith.cmpi slt, %a, %a {z} : i32
  %15 = arith.cmpf oeq, %b, %b fastmath<fast> : f32
  %16 = "t.x"(%a) <{p = 1, q = #row}> {a = #t.y<2,x->y>, b = #u<(z)[w]>, c = array<i8: 1, -2>, d = array<i1: true, false>, e = array<f32: 1.5, -2.0>, f = array<i64>} : (i32) -> i32
  %17 = "t.x"(%a) {"q-r" = 1 : index, m = #map, n = affine_map<(d0) -> (d0 + 1)>, t = -9223372036854775808, u = 18446744073709551615 : ui64, w = {}, x = []} : (i32) -> i32
  %18 = "t.y"() {a = 0.1 : f64, b = 1. : f16, c = 3.5e38 : f32, d = 0.333333343 : f32, e = 123456789.125, f = 1.23457e30, g = -0.0 : bf16, h = 0.0000001} : () -> i32
  %19 = "arith.subi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>}> {z} : (i32, i32) -> i32
  %20 = arith.constant {z} 2.5 : bf16 loc(unknown)
  %21 = arith.constant 5 : i32 loc("f":1:2)
  %22 = arith.constant true loc(#late)
  %23 = arith.constant -3 : index loc("n"("f":3:4))
  %24 = math.sqrt %b fastmath<contract> : f32 loc(callsite("a":1:2 at #top))
  %25 = arith.subi %a, %a : i32 loc(fused["a":1:1, unknown, "b":2:2, "a":1:1])
  %26 = arith.constant dense<1.5> : !list loc(fused<"m">["a":1:1, unknown])
  %27 = arith.constant 6 : i32 loc("r":1:2 to :3)
  %28 = arith.constant 7 : i32 loc("named")
  return
} loc(unknown)
