// Rule protocol: arrivals that may be counted in another phase than their own (SYNC_ARRIVAL_COUNT), though the order in
// which they are usually made shows nothing.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Nothing keeps the second copy behind the first: its bytes and its arrival may come while the first is under way.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there, 6 move(s)}}
  gpu.func @early(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32, align 16>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c512 = arith.constant 512 : i32
    %full = gpu.ptr_add %smem, %z : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %smem, %c8 : !gpu.ptr<shared>, i32
    %data = gpu.ptr_add %smem, %c512 : !gpu.ptr<shared>, i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %is_load = arith.cmpi eq, %w, %c0 : index
    scf.if %is_load {
      scf.for %t = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          // expected-error@+1 {{can come too early: the phase of the mbarrier at byte 0 in which warp 0 has arrived before may not be complete}}
          gpu.mbarrier_arrive_expect_tx %full, 64
          %bytes = arith.constant 64 : i32
          // expected-note@+2 {{the write}}
          // expected-error@+1 {{writes shared memory at byte 512, which a bulk load writes, whose mbarrier nobody here has waited for}}
          gpu.bulk_load %data, %full, %arg0, %bytes
        }
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }
}

// -----

// The repair: each waits for its own.
gpu.module @kernels {
  gpu.func @waits(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32, align 16>], block = 32 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c512 = arith.constant 512 : i32
    %full = gpu.ptr_add %smem, %z : !gpu.ptr<shared>, i32
    %empty = gpu.ptr_add %smem, %c8 : !gpu.ptr<shared>, i32
    %data = gpu.ptr_add %smem, %c512 : !gpu.ptr<shared>, i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %full, 1
      gpu.mbarrier_init %empty, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %is_load = arith.cmpi eq, %w, %c0 : index
    scf.if %is_load {
      scf.for %t = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive_expect_tx %full, 64
          %bytes = arith.constant 64 : i32
          gpu.bulk_load %data, %full, %arg0, %bytes
        }
        gpu.mbarrier_wait %full, %ph
        %next = arith.xori %ph, %one : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }
}

// -----

// A named barrier at which a warp only arrives: the reader may be a round behind.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @ahead(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32, align 16>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %full = arith.constant 1 : i32
    %empty = arith.constant 2 : i32
    %is_load = arith.cmpi eq, %w, %c0 : index
    scf.if %is_load {
      scf.for %t = %c0 to %n step %c1 {
        // expected-error@+1 {{can come too early: the phase of barrier 1 in which warp 0 has arrived before may not be complete}}
        gpu.named_barrier_arrive %full, 64
      }
    } else {
      scf.for %t = %c0 to %n step %c1 {
        gpu.named_barrier %full, 64
      }
    }
    gpu.return
  }
}

// -----

// The repair: the reader says when it is there.
gpu.module @kernels {
  gpu.func @in_step(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32, align 16>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 1024 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %full = arith.constant 1 : i32
    %empty = arith.constant 2 : i32
    %is_load = arith.cmpi eq, %w, %c0 : index
    scf.if %is_load {
      scf.for %t = %c0 to %n step %c1 {
        gpu.named_barrier_arrive %full, 64
        gpu.named_barrier %empty, 64
      }
    } else {
      scf.for %t = %c0 to %n step %c1 {
        gpu.named_barrier %full, 64
        gpu.named_barrier_arrive %empty, 64
      }
    }
    gpu.return
  }
}
