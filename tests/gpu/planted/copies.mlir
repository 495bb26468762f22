// Races with asynchronous copies into shared memory, beside each the same kernel without the fault: for compute-sanitizer
// (tests/gpu/sanitizers) and for the simulator (tests/lit/simulator/gpu/planted.test). What a kernel reads is stored, so that no compiler leaves
// it out.
gpu.module @planted {
  // What a bulk copy fetches is read before it has landed.
  gpu.func @bulk_unwaited(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %leads {
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.bulk_load %shared, %bar, %x, %bytes
    }
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.mbarrier_wait %bar, %zero
    gpu.return
  }

  // Behind the wait.
  gpu.func @bulk_ordered(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    scf.if %leads {
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.bulk_load %shared, %bar, %x, %bytes
    }
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // The next copy into a slot begins while another warp may still read it.
  gpu.func @refilled_early(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    %c8 = arith.constant 8 : i32
    %bar2 = gpu.ptr_add %bar, %c8 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %bar2, 1
      gpu.mbarrier_init_fence
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.bulk_load %shared, %bar, %x, %bytes
    }
    gpu.barrier
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.fence_proxy_async
    scf.if %leads {
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar2, 128
      gpu.bulk_load %shared, %bar2, %x, %bytes
    }
    gpu.mbarrier_wait %bar2, %zero
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // Once all have read it, but nothing orders the two proxies: the copy may overtake the loads.
  gpu.func @refilled_unfenced(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    %c8 = arith.constant 8 : i32
    %bar2 = gpu.ptr_add %bar, %c8 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %bar2, 1
      gpu.mbarrier_init_fence
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.bulk_load %shared, %bar, %x, %bytes
    }
    gpu.barrier
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.barrier
    scf.if %leads {
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar2, 128
      gpu.bulk_load %shared, %bar2, %x, %bytes
    }
    gpu.mbarrier_wait %bar2, %zero
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // Once all have read it, and a fence stands behind.
  gpu.func @refilled_ordered(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    %c8 = arith.constant 8 : i32
    %bar2 = gpu.ptr_add %bar, %c8 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init %bar2, 1
      gpu.mbarrier_init_fence
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.bulk_load %shared, %bar, %x, %bytes
    }
    gpu.barrier
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.fence_proxy_async
    gpu.barrier
    scf.if %leads {
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar2, 128
      gpu.bulk_load %shared, %bar2, %x, %bytes
    }
    gpu.mbarrier_wait %bar2, %zero
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // A generic write, then a write there by the async proxy without a fence between.
  gpu.func @proxy_unfenced(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
      gpu.store %number, %shared : i32, !gpu.ptr<shared>
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.bulk_load %shared, %bar, %x, %bytes
    }
    gpu.barrier
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // With the fence.
  gpu.func @proxy_fenced(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_init_fence
      gpu.store %number, %shared : i32, !gpu.ptr<shared>
      gpu.fence_proxy_async
      %bytes = arith.constant 128 : i32
      gpu.mbarrier_arrive_expect_tx %bar, 128
      gpu.bulk_load %shared, %bar, %x, %bytes
    }
    gpu.barrier
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // What cp.async fetches is read behind a barrier that does not wait for it.
  gpu.func @cp_async_unwaited(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 32
    }
    gpu.barrier
    scf.if %is_first {
      %from = gpu.ptr_add %x, %four : !gpu.ptr<global>, i32
      gpu.cp_async %word, %from, 4
      gpu.cp_async_mbarrier_arrive %bar
    }
    gpu.barrier
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.mbarrier_wait %bar, %zero
    gpu.return
  }

  // Behind the mbarrier at which the copies arrive: what loaders by cp.async do.
  gpu.func @cp_async_ordered(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 32
    }
    gpu.barrier
    scf.if %is_first {
      %from = gpu.ptr_add %x, %four : !gpu.ptr<global>, i32
      gpu.cp_async %word, %from, 4
      gpu.cp_async_mbarrier_arrive %bar
    }
    gpu.mbarrier_wait %bar, %zero
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }
}
