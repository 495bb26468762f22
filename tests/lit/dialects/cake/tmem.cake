// Tensor memory: what cake-expand-pipelines leaves of a commit that waits for matrix instructions.
// RUN: cake-opt %s | FileCheck %s
// RUN: cake-opt %s | cake-opt | FileCheck %s
// RUN: cake-opt --print-op-generic %s | FileCheck %s --check-prefix=GENERIC
func.func @commit(%p: !cake.pending<128x64xf32, tcgen05.acc>, %barrier: !gpu.ptr<shared>) {
  // CHECK: cake.commit_mma %{{.*}} at %{{.*}} : !cake.pending<128x64xf32, tcgen05.acc>, !gpu.ptr<shared>
  // GENERIC: "cake.commit_mma"(%{{.*}}, %{{.*}}) : (!cake.pending<128x64xf32, tcgen05.acc>, !gpu.ptr<shared>) -> ()
  cake.commit_mma %p at %barrier : !cake.pending<128x64xf32, tcgen05.acc>, !gpu.ptr<shared>
  func.return
}
