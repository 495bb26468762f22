// https://github.com/vllm-project/vllm/pull/26026: a warp without work for a tile arrives at a named barrier and goes on to the next tile, whose arrival may be counted in the same phase.
// Refused by protocol (SYNC_ARRIVAL_COUNT).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// An arrival a tile, and no wait.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @arrives(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = arith.constant 3 : i32
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      scf.for %i = %c0 to %n step %c1 {
        // expected-error@+1 {{can come too early: the phase of barrier 3 in which warp 0 has arrived before may not be complete}}
        gpu.named_barrier_arrive %id, 64
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        gpu.named_barrier %id, 64
      }
    }
    gpu.return
  }
}

// -----

// The repair: it waits, too.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = arith.constant 3 : i32
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      scf.for %i = %c0 to %n step %c1 {
        gpu.named_barrier %id, 64
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        gpu.named_barrier %id, 64
      }
    }
    gpu.return
  }
}
