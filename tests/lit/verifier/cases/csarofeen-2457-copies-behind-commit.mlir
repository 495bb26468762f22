// https://github.com/csarofeen/pytorch/pull/2457: what is waited for is what was closed before, and the newest cp.async is not in it. Groups of cp.async are no part of the thread
// level here: an arrival at an mbarrier stands for the commit.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The copy is issued behind the arrival that should cover it.
gpu.module @kernels {
  gpu.func @behind(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_80"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %g = gpu.ptr_add %y, %o : !gpu.ptr<global>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 128
    }
    gpu.barrier
    gpu.cp_async_mbarrier_arrive %bar
    // expected-note@+1 {{the write}}
    gpu.cp_async %p, %g, 4
    gpu.mbarrier_wait %bar, %z
    // expected-error@+1 {{reads shared memory at byte 368, which a cp.async writes, which nobody here has waited for}}
    %a = gpu.load %prev : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_80"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    %m127 = arith.constant 127 : i32
    %rev = arith.xori %t, %m127 : i32
    %orev = arith.muli %rev, %c4 : i32
    %prev = gpu.ptr_add %smem, %orev : !gpu.ptr<shared>, i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %g = gpu.ptr_add %y, %o : !gpu.ptr<global>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 128
    }
    gpu.barrier
    gpu.cp_async %p, %g, 4
    gpu.cp_async_mbarrier_arrive %bar
    gpu.mbarrier_wait %bar, %z
    %a = gpu.load %prev : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// A barrier alone waits for no cp.async.
gpu.module @kernels {
  gpu.func @barrier(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_80"]} {
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
    %g = gpu.ptr_add %y, %o : !gpu.ptr<global>, i32
    // expected-note@+1 {{the write}}
    gpu.cp_async %p, %g, 4
    gpu.barrier
    // expected-error@+1 {{reads shared memory at byte 496, which a cp.async writes, which nobody here has waited for}}
    %a = gpu.load %prev : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}
