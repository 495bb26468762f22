// Slots that are added to an array: read, printed, and fixed points.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// RUN: cake-opt %s -o %t.1
// RUN: cake-opt %t.1 | cmp - %t.1
// RUN: cake-opt --print-op-generic %s | cake-opt | cmp - %t.1

!Acc = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%y: !cake.global<[M]x64xf32, align 16>) target("sm_90a") {
  cake.param @P = 4 in [2, 4]
  cake.pipeline @out stages(1) from(@use) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (p = P, m = ceildiv(M, 64)) schedule(grid)
  cake.role @use warpgroups(1) {
    cake.items (%p, %m) in @work {
      %f = cake.fill 1.0 : !Acc
      %o, %c = cake.acquire @out
      cake.put %f, %c
      // CHECK: cake.commit %{{.*}}#0 to(%arg0[%{{.*}} * 64, 0]) reduce add
      // GENERIC: "cake.commit"({{.*}}) <{at = #cake.at<[d0 * 64, 0]>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce = "add"}>
      cake.commit %o reduce add to(%y[%m * 64, 0])
    }
  }
}

gpu.module @kernels {
  gpu.func @adds(%g: !gpu.ptr<global>, %n: index)
      attributes {target = ["sm_90a"], arg_names = ["y"], arg_types = [f32], sizes = ["N"], grid = 1 : i64, block = 128 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %v = builtin.unrealized_conversion_cast %shared : !gpu.ptr<shared> to !cake.shared<64x32xf32, sw128>
    %y = builtin.unrealized_conversion_cast %g : !gpu.ptr<global> to !cake.global<[N]x32xf32, align 16>
    // CHECK: cake.store_view %{{.*}}, %{{.*}}[%{{.*}} * 64, 0] reduce add
    // GENERIC: "cake.store_view"({{.*}}) <{at = #cake.at<[d0 * 64, 0]>, operandSegmentSizes = array<i32: 1, 1, 1>, reduce = "add"}>
    cake.store_view %v, %y[%n * 64, 0] reduce add
    gpu.return
  }
}
