// https://github.com/pytorch/helion/pull/2975 (of a kind with https://github.com/ORNL/HeCBench/issues/253): the tile of the next step is written over the one that
// slower threads still read.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The loop has a barrier between write and read alone; how often it runs is not known.
gpu.module @kernels {
  gpu.func @steps(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    scf.for %k = %c0 to %n step %c1 {
      // expected-error@+1 {{writes shared memory at byte 0, which another thread reads, in no order}}
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.barrier
      // expected-note@+1 {{the read}}
      %a = gpu.load %prev : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.return
  }
}

// -----

// The repair: one behind the read, too.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    scf.for %k = %c0 to %n step %c1 {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.barrier
      %a = gpu.load %prev : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Control: two tiles in turn, with one barrier a step.
gpu.module @kernels {
  gpu.func @in_turn(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %c512 = arith.constant 512 : i32
    scf.for %k = %c0 to %n step %c1 {
      %r = arith.remui %k, %c2 : index
      %i = arith.index_cast %r : index to i32
      %at = arith.muli %i, %c512 : i32
      %to = gpu.ptr_add %p, %at : !gpu.ptr<shared>, i32
      %from = gpu.ptr_add %prev, %at : !gpu.ptr<shared>, i32
      gpu.store %v, %to : f32, !gpu.ptr<shared>
      gpu.barrier
      %a = gpu.load %from : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.return
  }
}
