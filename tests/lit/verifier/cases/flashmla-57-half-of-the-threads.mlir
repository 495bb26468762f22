// https://github.com/deepseek-ai/FlashMLA/pull/57: a named barrier for all 256 threads in a branch of 128. https://github.com/NVIDIA/TransformerEngine/pull/2554: a barrier that the hardware does
// not have.
// Refused by protocol (SYNC_ARRIVAL_COUNT), protocol (SYNC_DEADLOCK).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

gpu.module @kernels {
  // expected-note@+3 {{warp 4: ended}}
  // expected-note@+2 {{warps 5-7: ended}}
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @half(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 256 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %id = arith.constant 1 : i32
    %four = arith.constant 4 : index
    %low = arith.cmpi ult, %w, %four : index
    scf.if %low {
      // expected-error@+2 {{can wait for ever: warp 0 waits for the others of barrier 1, and no role can go on}}
      // expected-note@+1 {{warps 1-3 waits here for the others of barrier 1}}
      gpu.named_barrier %id, 256
    }
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 256 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %id = arith.constant 1 : i32
    %four = arith.constant 4 : index
    %low = arith.cmpi ult, %w, %four : index
    scf.if %low {
      gpu.named_barrier %id, 128
    }
    gpu.return
  }
}

// -----

// Two groups that name different numbers at one barrier.
gpu.module @kernels {
  gpu.func @differ(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c2 = arith.constant 2 : index
    %id = arith.constant 1 : i32
    %low = arith.cmpi ult, %w, %c2 : index
    scf.if %low {
      // expected-note@+1 {{they came here}}
      gpu.named_barrier %id, 128
    } else {
      // expected-error@+1 {{names 64 threads at barrier 1, where others wait for 128}}
      gpu.named_barrier %id, 64
    }
    gpu.return
  }
}

// -----

// Two groups at one barrier, where each wants its own.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @shared_id(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c2 = arith.constant 2 : index
    %id = arith.constant 1 : i32
    %low = arith.cmpi ult, %w, %c2 : index
    scf.if %low {
      // expected-note@+2 {{warp 0: 32 arrival(s) here}}
      // expected-note@+1 {{warp 1: 32 arrival(s) here}}
      gpu.named_barrier %id, 64
    } else {
      // expected-error@+2 {{can come too late: a phase of barrier 1 completes without this arrival of warps 2-3}}
      // expected-note@+1 {{warps 2-3: 64 arrival(s) here}}
      gpu.named_barrier %id, 64
    }
    gpu.return
  }
}

// -----

// Each with its own.
gpu.module @kernels {
  gpu.func @own_id(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c2 = arith.constant 2 : index
    %id = arith.constant 1 : i32
    %id2 = arith.constant 2 : i32
    %low = arith.cmpi ult, %w, %c2 : index
    scf.if %low {
      gpu.named_barrier %id, 64
    } else {
      gpu.named_barrier %id2, 64
    }
    gpu.return
  }
}

// -----

// There are 16, the one of gpu.barrier among them.
gpu.module @kernels {
  gpu.func @number(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %id = arith.constant 18 : i32
    // expected-error@+1 {{names barrier 18; there are 1 to 15 beside that of gpu.barrier}}
    gpu.named_barrier %id, 128
    gpu.return
  }
}
