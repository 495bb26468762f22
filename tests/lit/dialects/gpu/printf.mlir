// gpu.printf and gpu.fail: round trips, what they become, and conversions that do not fit.
// RUN: cake-opt %s --split-input-file --verify-diagnostics | FileCheck %s
gpu.module @m {
  gpu.func @print(%x: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64} {
    %f = gpu.load %x : !gpu.ptr<global> -> f32
    %i = arith.index_cast %n : index to i32
    // CHECK: gpu.printf "100%% of %d, %g", %{{.*}}, %{{.*}} : i32, f32
    gpu.printf "100%% of %d, %g", %i, %f : i32, f32
    // CHECK: gpu.printf "nothing"
    gpu.printf "nothing"
    // CHECK: gpu.fail "why"
    gpu.fail "why"
    gpu.return
  }
}

// -----

func.func @wrong(%i: i32, %f: f32) {
  // expected-error @+1 {{'gpu.printf' op has 1 conversion(s), but 2 value(s)}}
  gpu.printf "%d", %i, %f : i32, f32
  // expected-error @+1 {{'gpu.printf' op prints 'f32' as %d}}
  gpu.printf "%d", %f : f32
  // expected-error @+1 {{'gpu.printf' op has a conversion that is none of %d, %g and %%}}
  gpu.printf "%s", %i : i32
  // expected-error @+1 {{'gpu.printf' op has a conversion that is none of %d, %g and %%}}
  gpu.printf "50%"
  return
}
