// https://github.com/triton-lang/triton/pull/11731 (and 9413, 10656): a CTA of a cluster returns while another still reaches into its shared memory.
// Refused by protocol (SYNC_EXIT).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Nothing waits for the arrival of the other.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @exits(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], cluster = [2, 1, 1]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %rank = gpu.cluster_block_id x
    %ri = arith.index_cast %rank : index to i32
    %peer = arith.xori %ri, %one : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.cluster_barrier
    scf.if %is_first {
      // expected-error@+1 {{can come when CTA 1 of the cluster has ended: warp 0 of CTA 0 reaches into its shared memory}}
      gpu.mbarrier_arrive_remote %bar at %peer
    }
    gpu.return
  }
}

// -----

// The repair: the cluster meets before it ends.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], cluster = [2, 1, 1]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %rank = gpu.cluster_block_id x
    %ri = arith.index_cast %rank : index to i32
    %peer = arith.xori %ri, %one : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.cluster_barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_remote %bar at %peer
    }
    gpu.cluster_barrier
    gpu.return
  }
}

// -----

// Control: each waits for the arrival that comes to it.
gpu.module @kernels {
  gpu.func @waits(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], cluster = [2, 1, 1]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %rank = gpu.cluster_block_id x
    %ri = arith.index_cast %rank : index to i32
    %peer = arith.xori %ri, %one : i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.cluster_barrier
    scf.if %is_first {
      gpu.mbarrier_arrive_remote %bar at %peer
    }
    gpu.mbarrier_wait %bar, %z cluster
    gpu.return
  }
}
