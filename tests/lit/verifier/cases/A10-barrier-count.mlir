// https://github.com/Dao-AILab/quack/pull/146
// A named barrier whose number of threads was written down for one load warp, and then there are four. (SYNC_ARRIVAL_COUNT)
// RUN: cake-opt --verify-diagnostics --split-input-file %s

gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 160 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 4 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      // expected-note@+3 {{warp 0: 32 arrival(s) here}}
      // expected-note@+2 {{warps 1-3: 96 arrival(s) here}}
      // expected-error@+1 {{can come too late: a phase of barrier 3 completes without this arrival of warps 1-3}}
      gpu.named_barrier_arrive %id, 64
    } else {
      // expected-note@+1 {{warp 4: 32 arrival(s) here}}
      gpu.named_barrier %id, 64
    }
    gpu.return
  }
}

// -----

// The repair: (load warps + 1) * 32.
gpu.module @kernels {
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 160 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 4 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      gpu.named_barrier_arrive %id, 160
    } else {
      gpu.named_barrier %id, 160
    }
    gpu.return
  }
}

// -----

// Control: one load warp, 64 threads.
gpu.module @kernels {
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 1 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      gpu.named_barrier_arrive %id, 64
    } else {
      gpu.named_barrier %id, 64
    }
    gpu.return
  }
}

// -----

// A sibling: the count is too large, and the reader waits for ever.
gpu.module @kernels {
  // expected-note@+2 {{warp 0: ended}}
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @gather(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %loads = arith.constant 1 : index
    %id = arith.constant 3 : i32
    %is_load = arith.cmpi ult, %w, %loads : index
    scf.if %is_load {
      gpu.named_barrier_arrive %id, 96
    } else {
      // expected-error@+1 {{can wait for ever: warp 1 waits for the others of barrier 3, and no role can go on}}
      gpu.named_barrier %id, 96
    }
    gpu.return
  }
}

// -----

// A sibling with an mbarrier: it is set up for one arrival, and two warps arrive.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @mbarrier(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 96 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %smem, 1
    }
    gpu.barrier
    %arrives = arith.cmpi ult, %w, %c2 : index
    scf.if %arrives {
      %l = gpu.elect
      scf.if %l {
        // expected-note@+3 {{warp 0: 1 arrival(s) here}}
        // expected-note@+2 {{warp 1: 1 arrival(s) here}}
        // expected-error@+1 {{can come too late: a phase of the mbarrier at byte 0 completes without this arrival of}}
        gpu.mbarrier_arrive %smem
      }
    }
    gpu.return
  }
}

// -----

// A sibling: the mbarrier is used before anything orders it behind its set-up (SYNC_NOT_READY).
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @early(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %smem, 1
      gpu.mbarrier_arrive %smem
    }
    %is_reader = arith.cmpi ne, %w, %c0 : index
    scf.if %is_reader {
      // expected-error@+1 {{can come before the mbarrier at byte 0 is set up: warp 1 is not ordered behind that}}
      gpu.mbarrier_wait %smem, %z
    }
    gpu.return
  }
}
