// https://github.com/NVIDIA/cudnn-frontend/pull/426: all lanes of a warp store, and one arrives for them; the arrival releases what that lane did.
// Refused by shared-order (SYNC_RACE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Nothing orders the stores of the other lanes before the arrival.
gpu.module @kernels {
  gpu.func @alone(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      // expected-note@+1 {{the write}}
      gpu.store %v, %lp : f32, !gpu.ptr<shared>
      %l = gpu.elect
      scf.if %l {
        gpu.mbarrier_arrive %bar
      }
    } else {
      gpu.mbarrier_wait %bar, %z
      // expected-error@+1 {{reads shared memory at byte 0, which another thread writes, in no order}}
      %a = gpu.load %lp : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.return
  }
}

// -----

// A proxy fence does not, either.
gpu.module @kernels {
  gpu.func @fenced(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      // expected-note@+1 {{the write}}
      gpu.store %v, %lp : f32, !gpu.ptr<shared>
      gpu.fence_proxy_async
      %l = gpu.elect
      scf.if %l {
        gpu.mbarrier_arrive %bar
      }
    } else {
      gpu.mbarrier_wait %bar, %z
      // expected-error@+1 {{reads shared memory at byte 0, which another thread writes, in no order}}
      %a = gpu.load %lp : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.return
  }
}

// -----

// The repair: the warp meets.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %v = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %bo = arith.constant 32768 : i32
    %bar = gpu.ptr_add %smem, %bo : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.mbarrier_init %bar, 1
    }
    gpu.barrier
    %lane = gpu.lane_id
    %li = arith.index_cast %lane : index to i32
    %lo = arith.muli %li, %c4 : i32
    %lp = gpu.ptr_add %smem, %lo : !gpu.ptr<shared>, i32
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      gpu.store %v, %lp : f32, !gpu.ptr<shared>
      gpu.warp_sync
      %l = gpu.elect
      scf.if %l {
        gpu.mbarrier_arrive %bar
      }
    } else {
      gpu.mbarrier_wait %bar, %z
      %a = gpu.load %lp : !gpu.ptr<shared> -> f32
      gpu.store %a, %y : f32, !gpu.ptr<global>
    }
    gpu.return
  }
}
