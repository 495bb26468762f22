// Two calls a level are 2^24 bodies: inlining stops at its limit and says so.
// RUN: cake-opt --inline=max-growth=1 %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// REMARK: remark: inline: this call and further ones stay: inlining has made the code grow by its limit
// REMARK-NOT: remark
// CHECK: call @f{{[0-9]+}}() : () -> ()
func.func private @f0()
func.func private @f1() { call @f0() : () -> () call @f0() : () -> () return }
func.func private @f2() { call @f1() : () -> () call @f1() : () -> () return }
func.func private @f3() { call @f2() : () -> () call @f2() : () -> () return }
func.func private @f4() { call @f3() : () -> () call @f3() : () -> () return }
func.func private @f5() { call @f4() : () -> () call @f4() : () -> () return }
func.func private @f6() { call @f5() : () -> () call @f5() : () -> () return }
func.func private @f7() { call @f6() : () -> () call @f6() : () -> () return }
func.func private @f8() { call @f7() : () -> () call @f7() : () -> () return }
func.func private @f9() { call @f8() : () -> () call @f8() : () -> () return }
func.func private @f10() { call @f9() : () -> () call @f9() : () -> () return }
func.func private @f11() { call @f10() : () -> () call @f10() : () -> () return }
func.func private @f12() { call @f11() : () -> () call @f11() : () -> () return }
func.func private @f13() { call @f12() : () -> () call @f12() : () -> () return }
func.func private @f14() { call @f13() : () -> () call @f13() : () -> () return }
func.func private @f15() { call @f14() : () -> () call @f14() : () -> () return }
func.func private @f16() { call @f15() : () -> () call @f15() : () -> () return }
func.func private @f17() { call @f16() : () -> () call @f16() : () -> () return }
func.func private @f18() { call @f17() : () -> () call @f17() : () -> () return }
func.func private @f19() { call @f18() : () -> () call @f18() : () -> () return }
func.func private @f20() { call @f19() : () -> () call @f19() : () -> () return }
func.func private @f21() { call @f20() : () -> () call @f20() : () -> () return }
func.func private @f22() { call @f21() : () -> () call @f21() : () -> () return }
func.func private @f23() { call @f22() : () -> () call @f22() : () -> () return }
func.func private @f24() { call @f23() : () -> () call @f23() : () -> () return }
func.func @main() { call @f24() : () -> () return }
