// Lists of integers of all widths, signs and shapes are printed as they were read.
// RUN: cake-opt %s | FileCheck %s
// CHECK{LITERAL}: arith.constant dense<[[1, -2, 3], [127, -128, 0]]> : tensor<2x3xi8>
// CHECK{LITERAL}: arith.constant dense<[18446744073709551615, 2]> : tensor<2xui64>
// CHECK{LITERAL}: arith.constant dense<[255, 2]> : tensor<2xui8>
// CHECK{LITERAL}: arith.constant dense<[-255, 2]> : vector<2xindex>
// CHECK{LITERAL}: arith.constant dense<[-9223372036854775808, 2]> : vector<2xi64>
// CHECK{LITERAL}: arith.constant dense<[true, false]> : vector<2xi1>
// CHECK{LITERAL}: arith.constant dense<[-3, 2]> : vector<2xi5>
// CHECK{LITERAL}: arith.constant dense<> : tensor<0xi32>
// CHECK{LITERAL}: arith.constant dense<[-32768, 2]> : vector<2xsi16>
// CHECK{LITERAL}: arith.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>
func.func @f() {
  %0 = arith.constant dense<[[1, -2, 3], [127, -128, 0]]> : tensor<2x3xi8>
  %1 = arith.constant dense<[18446744073709551615, 2]> : tensor<2xui64>
  %2 = arith.constant dense<[255, 2]> : tensor<2xui8>
  %3 = arith.constant dense<[-255, 2]> : vector<2xindex>
  %4 = arith.constant dense<[-9223372036854775808, 2]> : vector<2xi64>
  %5 = arith.constant dense<[true, false]> : vector<2xi1>
  %6 = arith.constant dense<[-3, 2]> : vector<2xi5>
  %7 = arith.constant dense<[]> : tensor<0xi32>
  %8 = arith.constant dense<[-32768, 2]> : vector<2xsi16>
  %9 = arith.constant dense<[[[1],[2]],[[3],[4]]]> : tensor<2x2x1xi32>
  return
}
