// https://github.com/NVIDIA/cuml/pull/6578: all threads write shared memory, meet, and thread 0 sums it up; the others write the next round's values meanwhile.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// One barrier a round.
gpu.module @kernels {
  gpu.func @sums(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.for %i = %c0 to %c8 step %c1 {
      // expected-error@+1 {{writes shared memory at byte 496, which another thread reads, in no order}}
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.barrier
      scf.if %is_first {
        // expected-note@+1 {{the read}}
        %a = gpu.load %prev : !gpu.ptr<shared> -> f32
        gpu.store %a, %y : f32, !gpu.ptr<global>
      }
    }
    gpu.return
  }
}

// -----

// The repair: a second one.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.for %i = %c0 to %c8 step %c1 {
      gpu.store %v, %p : f32, !gpu.ptr<shared>
      gpu.barrier
      scf.if %is_first {
        %a = gpu.load %prev : !gpu.ptr<shared> -> f32
        gpu.store %a, %y : f32, !gpu.ptr<global>
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Without any barrier.
gpu.module @kernels {
  gpu.func @none(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    // expected-note@+1 {{the write}}
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    // expected-error@+1 {{reads shared memory at byte 496, which another thread writes, in no order}}
    %a = gpu.load %prev : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// Control: each thread reads what it wrote itself.
gpu.module @kernels {
  gpu.func @own(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %v = arith.constant 1.0 : f32
    gpu.store %v, %p : f32, !gpu.ptr<shared>
    %a = gpu.load %p : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}
