// https://github.com/tile-ai/tilelang/pull/1396: the mbarrier is set up for one arrival, and every lane of the producer's warp arrives.
// Refused by protocol (SYNC_ARRIVAL_COUNT).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// 32 arrivals where a phase takes one.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @lanes(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      // expected-error@+2 {{can come too late: a phase of the mbarrier at byte 32768 completes without this arrival of warp 0}}
      // expected-note@+1 {{warp 0: 32 arrival(s) here}}
      gpu.mbarrier_arrive %bar
    } else {
      gpu.mbarrier_wait %bar, %z
    }
    gpu.return
  }
}

// -----

// The repair: one lane.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      %l = gpu.elect
      scf.if %l {
        gpu.mbarrier_arrive %bar
      }
    } else {
      gpu.mbarrier_wait %bar, %z
    }
    gpu.return
  }
}
