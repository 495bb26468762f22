// https://github.com/pytorch/FBGEMM/pull/5857: threads behind the end return in front of a barrier of the block.
// Refused by uniform-barriers (SYNC_DIVERGENT).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// A return, between blocks.
gpu.module @kernels {
  gpu.func @returns(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %tid = gpu.thread_id x
    %inside = arith.cmpi ult, %tid, %n : index
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    cf.cond_br %inside, ^work, ^exit
    ^work:
    // expected-error@+1 {{waits for threads that never come: only some threads of a warp reach it}}
    gpu.barrier
    cf.br ^exit
    ^exit:
    gpu.return
  }
}

// -----

// The same as a branch.
gpu.module @kernels {
  gpu.func @branches(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %inside = arith.cmpi ult, %tid, %n : index
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    scf.if %inside {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      // expected-error@+1 {{waits for threads that never come: only some threads of a warp reach it}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Whole warps return.
gpu.module @kernels {
  gpu.func @warps(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c3 = arith.constant 3 : index
    %works = arith.cmpi ult, %w, %c3 : index
    // expected-note@+1 {{what decides here differs among the warps}}
    cf.cond_br %works, ^work, ^exit
    ^work:
    // expected-error@+1 {{waits for threads that never come: only some warps reach it}}
    gpu.barrier
    cf.br ^exit
    ^exit:
    gpu.return
  }
}

// -----

// The repair: work is masked, and all come to the barrier.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %inside = arith.cmpi ult, %tid, %n : index
    scf.if %inside {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// Control: a return that all threads take alike.
gpu.module @kernels {
  gpu.func @uniform(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %c0 = arith.constant 0 : index
    %some = arith.cmpi ult, %c0, %n : index
    cf.cond_br %some, ^work, ^exit
    ^work:
    gpu.barrier
    cf.br ^exit
    ^exit:
    gpu.return
  }
}
