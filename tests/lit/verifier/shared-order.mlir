// Rule shared-order: what orders accesses of shared memory, and what does not.
// Refused by protocol (SYNC_ARRIVAL_COUNT), protocol (SYNC_NOT_READY), shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Lanes of a warp hand values to one another: they meet in between.
gpu.module @kernels {
  gpu.func @lanes(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %ln = arith.xori %li, %one : i32
    %lno = arith.muli %ln, %c4 : i32
    %lq = gpu.ptr_add %smem, %lno : !gpu.ptr<shared>, i32
    gpu.store %v, %lp : f32, !gpu.ptr<shared>
    gpu.warp_sync
    %a = gpu.load %lq : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// They do not.
gpu.module @kernels {
  gpu.func @lanes_alone(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %ln = arith.xori %li, %one : i32
    %lno = arith.muli %ln, %c4 : i32
    %lq = gpu.ptr_add %smem, %lno : !gpu.ptr<shared>, i32
    // expected-note@+1 {{the write}}
    gpu.store %v, %lp : f32, !gpu.ptr<shared>
    // expected-error@+1 {{reads shared memory at byte 0, which another thread writes, in no order}}
    %a = gpu.load %lq : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// A fence of proxies is no rendezvous.
gpu.module @kernels {
  gpu.func @lanes_fenced(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %ln = arith.xori %li, %one : i32
    %lno = arith.muli %ln, %c4 : i32
    %lq = gpu.ptr_add %smem, %lno : !gpu.ptr<shared>, i32
    // expected-note@+1 {{the write}}
    gpu.store %v, %lp : f32, !gpu.ptr<shared>
    gpu.fence_proxy_async
    // expected-error@+1 {{reads shared memory at byte 0, which another thread writes, in no order}}
    %a = gpu.load %lq : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// A warp arrives at a named barrier, another waits there.
gpu.module @kernels {
  gpu.func @arrives(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %ln = arith.xori %li, %one : i32
    %lno = arith.muli %ln, %c4 : i32
    %lq = gpu.ptr_add %smem, %lno : !gpu.ptr<shared>, i32
    %id = arith.constant 1 : i32
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      gpu.store %v, %lp : f32, !gpu.ptr<shared>
      gpu.named_barrier_arrive %id, 64
    } else {
      gpu.named_barrier %id, 64
      %a = gpu.load %lq : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.return
  }
}

// -----

// It arrives before it writes.
gpu.module @kernels {
  gpu.func @arrives_early(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %ln = arith.xori %li, %one : i32
    %lno = arith.muli %ln, %c4 : i32
    %lq = gpu.ptr_add %smem, %lno : !gpu.ptr<shared>, i32
    %id = arith.constant 1 : i32
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      gpu.named_barrier_arrive %id, 64
      // expected-note@+1 {{the write}}
      gpu.store %v, %lp : f32, !gpu.ptr<shared>
    } else {
      gpu.named_barrier %id, 64
      // expected-error@+1 {{reads shared memory at byte 0, which another thread writes, in no order}}
      %a = gpu.load %lq : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.return
  }
}

// -----

// All threads store one number to one place: it is there in any order.
gpu.module @kernels {
  gpu.func @one_number(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %v = arith.constant 1.0 : f32
    gpu.store %v, %smem : f32, !gpu.ptr<shared>
    gpu.barrier
    %a = gpu.load %smem : !gpu.ptr<shared> -> f32
    gpu.store %a, %y : f32, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// Each its own.
gpu.module @kernels {
  gpu.func @own_numbers(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    // expected-error@+2 {{writes shared memory at byte 0, which another thread writes, in no order}}
    // expected-note@+1 {{the write}}
    gpu.store %t, %smem : i32, !gpu.ptr<shared>
    gpu.return
  }
}

// -----

// Which place it is comes from memory: nothing is said.
gpu.module @kernels {
  gpu.func @unknown(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %at = gpu.load %y : !gpu.ptr<global> -> i32
    %q = gpu.ptr_add %smem, %at : !gpu.ptr<shared>, i32
    gpu.store %t, %q : i32, !gpu.ptr<shared>
    gpu.return
  }
}

// -----

// An mbarrier that nobody sets up.
gpu.module @kernels {
  gpu.func @no_set_up(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    // expected-error@+1 {{uses an mbarrier at byte 32768, and the function sets up none}}
    gpu.mbarrier_arrive %bar
    gpu.return
  }
}

// -----

// Two arrivals of a phase that takes one, and waits for bytes.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @again(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_arrive_expect_tx %bar, 16
      // expected-error@+1 {{can come too early: the phase of the mbarrier at byte 32768 in which warp 0 has arrived before may not be complete}}
      gpu.mbarrier_arrive %bar
    }
    gpu.return
  }
}
