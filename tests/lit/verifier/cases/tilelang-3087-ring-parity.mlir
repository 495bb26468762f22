// https://github.com/tile-ai/tilelang/pull/3087: an mbarrier whose phase ends once a round is waited for with the parity of a ring of stages.
// Refused by protocol (SYNC_PHASE_LAP).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// (k / 3) mod 2 in the place of k mod 2.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @ring_parity(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    scf.for %k = %c0 to %c6 step %c1 {
      scf.if %is_first {
        gpu.mbarrier_arrive %bar
      }
      %q = arith.divui %k, %c3 : index
      %r = arith.remui %q, %c2 : index
      %parity = arith.index_cast %r : index to i32
      // expected-error@+1 {{can be lapped: another phase of the mbarrier at byte 32768 completes before warp 0 has seen the one that it waits for, and it waits for ever}}
      gpu.mbarrier_wait %bar, %parity
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    %c6 = arith.constant 6 : index
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    scf.for %k = %c0 to %c6 step %c1 {
      scf.if %is_first {
        gpu.mbarrier_arrive %bar
      }
      %r = arith.remui %k, %c2 : index
      %parity = arith.index_cast %r : index to i32
      gpu.mbarrier_wait %bar, %parity
      gpu.barrier
    }
    gpu.return
  }
}
