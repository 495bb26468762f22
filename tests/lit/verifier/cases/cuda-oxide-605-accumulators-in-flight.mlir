// https://github.com/NVlabs/cuda-oxide/issues/605, of a kind with https://github.com/triton-lang/triton/pull/8964 and https://github.com/NVIDIA/Fuser/pull/3680: accumulators that
// are still written are read, and products begin without the fence in front of them.
// Refused by matrix-groups (MMA_ORDER).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Read without a wait.
gpu.module @kernels {
  gpu.func @no_wait(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    gpu.wgmma_fence
    // expected-note@+1 {{the matrix instruction}}
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    // expected-error@+1 {{takes an accumulator that the matrix unit may still write}}
    gpu.store %r, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// The wait leaves the group under way whose accumulator is read.
gpu.module @kernels {
  gpu.func @one_left(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    gpu.wgmma_fence
    // expected-note@+1 {{the matrix instruction}}
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    // expected-error@+1 {{leaves 1 group(s) under way, and an accumulator of the last 1 passes through it}}
    %d = gpu.wgmma_wait 1, %r : vector<4xf32>
    gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// No group: the wait is for nothing.
gpu.module @kernels {
  gpu.func @no_commit(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    gpu.wgmma_fence
    // expected-note@+1 {{the matrix instruction}}
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    // expected-error@+1 {{does not wait for an accumulator whose matrix instructions no commit has put in a group}}
    %d = gpu.wgmma_wait 0, %r : vector<4xf32>
    gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// No fence in front of the first.
gpu.module @kernels {
  gpu.func @no_fence(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    // expected-error@+1 {{is the first of its warpgroup and has no 'gpu.wgmma_fence' before it}}
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %d = gpu.wgmma_wait 0, %r : vector<4xf32>
    gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// An accumulator that was computed on, and no fence since.
gpu.module @kernels {
  gpu.func @scaled(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    gpu.wgmma_fence
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %d = gpu.wgmma_wait 0, %r : vector<4xf32>
    // expected-note@+1 {{they are written here}}
    %e = arith.addf %d, %d : vector<4xf32>
    // expected-error@+1 {{takes registers that were written without a 'gpu.wgmma_fence' since}}
    %f = gpu.wgmma %desc, %desc, 8 into %e : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %g = gpu.wgmma_wait 0, %f : vector<4xf32>
    gpu.store %g, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// A loop hands it on, and reads it in the next round.
gpu.module @kernels {
  gpu.func @carried(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %desc = arith.constant 4611686293305294848 : i64
    %init = arith.constant dense<0.0> : vector<4xf32>
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %init) -> (vector<4xf32>) {
      // expected-error@+1 {{takes an accumulator that the matrix unit may still write}}
      gpu.store %acc, %y : vector<4xf32>, !gpu.ptr<global>
      gpu.wgmma_fence
      // expected-note@+1 {{the matrix instruction}}
      %r = gpu.wgmma %desc, %desc, 8 into %acc : bf16 -> vector<4xf32>
      gpu.wgmma_commit
      scf.yield %r : vector<4xf32>
    }
    %d = gpu.wgmma_wait 0, %last : vector<4xf32>
    gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// Controls: two groups, one of which is left; the other is read.
gpu.module @kernels {
  gpu.func @pipelined(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %desc = arith.constant 4611686293305294848 : i64
    gpu.wgmma_fence
    %r = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %s = gpu.wgmma %desc, %desc, 8 : bf16 -> vector<4xf32>
    gpu.wgmma_commit
    %d = gpu.wgmma_wait 1, %r : vector<4xf32>
    gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    %e = gpu.wgmma_wait 0, %s : vector<4xf32>
    gpu.store %e, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// A sum over a loop, with one wait behind it.
gpu.module @kernels {
  gpu.func @summed(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %desc = arith.constant 4611686293305294848 : i64
    %init = arith.constant dense<0.0> : vector<4xf32>
    gpu.wgmma_fence
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %init) -> (vector<4xf32>) {
      %r = gpu.wgmma %desc, %desc, 8 into %acc : bf16 -> vector<4xf32>
      gpu.wgmma_commit
      scf.yield %r : vector<4xf32>
    }
    %d = gpu.wgmma_wait 0, %last : vector<4xf32>
    gpu.store %d, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}
