// https://github.com/tile-ai/tilelang/issues/1026
// Rule uniform-barriers (SYNC_DIVERGENT). A barrier of the CTA inside of a branch that only the even threads take. At the
// schedule level there is no number of a thread, so such a condition cannot be written; this is the level below.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

gpu.module @kernels {
  gpu.func @even(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %t = arith.index_cast %tid : index to i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %one = arith.constant 1 : i32
    %tx = arith.xori %t, %one : i32
    %ox = arith.muli %tx, %c4 : i32
    %px = gpu.ptr_add %smem, %ox : !gpu.ptr<shared>, i32
    %r = arith.remui %tid, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    scf.if %even {
      %a = gpu.load %p : !gpu.ptr<shared> -> f32
      // expected-error@+1 {{waits for threads that never come: only some threads of a warp reach it}}
      gpu.barrier
      gpu.store %a, %px : f32, !gpu.ptr<shared>
    }
    gpu.return
  }
}

// -----

// The repair: the branch is taken twice, the barrier stands between.
gpu.module @kernels {
  gpu.func @hoisted(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %t = arith.index_cast %tid : index to i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %one = arith.constant 1 : i32
    %tx = arith.xori %t, %one : i32
    %ox = arith.muli %tx, %c4 : i32
    %px = gpu.ptr_add %smem, %ox : !gpu.ptr<shared>, i32
    %r = arith.remui %tid, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    %zero = arith.constant 0.0 : f32
    %a = scf.if %even -> (f32) {
      %b = gpu.load %p : !gpu.ptr<shared> -> f32
      scf.yield %b : f32
    } else {
      scf.yield %zero : f32
    }
    gpu.barrier
    scf.if %even {
      gpu.store %a, %px : f32, !gpu.ptr<shared>
    }
    gpu.return
  }
}

// -----

// Control: a condition that is the same in the whole CTA.
gpu.module @kernels {
  gpu.func @uniform(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %some = arith.cmpi ult, %c0, %n : index
    scf.if %some {
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Control: a condition that whole warps see alike, and a barrier of just those.
gpu.module @kernels {
  gpu.func @warps(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %half = arith.constant 32 : index
    %low = arith.cmpi ult, %tid, %half : index
    %id = arith.constant 1 : i32
    scf.if %low {
      gpu.named_barrier %id, 32
    }
    gpu.return
  }
}

// -----

// A sibling: the condition comes from memory, at an address of each thread's own.
gpu.module @kernels {
  gpu.func @data(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %t = arith.index_cast %tid : index to i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %one = arith.constant 1 : i32
    %tx = arith.xori %t, %one : i32
    %ox = arith.muli %tx, %c4 : i32
    %px = gpu.ptr_add %smem, %ox : !gpu.ptr<shared>, i32
    %a = gpu.load %p : !gpu.ptr<shared> -> i32
    %big = arith.cmpi ugt, %a, %c4 : i32
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    scf.if %big {
      // expected-error@+1 {{is executed by whole warps, but only some threads of a warp reach it}}
      %w:2 = gpu.shuffle xor %a, %one, %c4 : i32
    }
    gpu.return
  }
}

// -----

// A sibling: a loop that runs as often as each thread likes.
gpu.module @kernels {
  gpu.func @loop(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    scf.for %i = %c0 to %tid step %c1 {
      // expected-error@+1 {{waits for threads that never come}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// A sibling: only one of two warps comes to a barrier of the whole CTA.
gpu.module @kernels {
  // expected-note@+2 {{a schedule that leads there}}
  // expected-note@+1 {{warp 1: ended}}
  gpu.func @missing(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %half = arith.constant 32 : index
    %low = arith.cmpi ult, %tid, %half : index
    scf.if %low {
      // expected-error@+1 {{can wait for ever: warp 0 waits for the others of barrier 0, and no role can go on}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// A near miss: a loop carries numbers of the threads, but its index, and what it carries beside them, are the same in all.
gpu.module @kernels {
  gpu.func @carried(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 128 : i64, sizes = ["N"], target = ["sm_80"]} {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%own = %tid, %count = %c0) -> (index, index) {
      %at_first = arith.cmpi eq, %i, %c0 : index
      scf.if %at_first {
        gpu.warp_sync
      }
      %more = arith.addi %own, %tid : index
      %next = arith.addi %count, %i : index
      scf.yield %more, %next : index, index
    }
    %none = arith.cmpi eq, %last#1, %c0 : index
    scf.if %none {
      gpu.warp_sync
    }
    gpu.return
  }
}

// -----

// And what is asked is the carried number of the thread.
gpu.module @kernels {
  gpu.func @asked(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 128 : i64, sizes = ["N"], target = ["sm_80"]} {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%own = %c0, %count = %c0) -> (index, index) {
      %more = arith.addi %own, %tid : index
      %next = arith.addi %count, %i : index
      scf.yield %more, %next : index, index
    }
    %none = arith.cmpi eq, %last#0, %c0 : index
    // expected-note@+1 {{what decides here differs among the threads of a warp}}
    scf.if %none {
      // expected-error@+1 {{waits for threads that never come}}
      gpu.warp_sync
    }
    gpu.return
  }
}
