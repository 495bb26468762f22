// Barriers that are not used as they have to be, beside each the same kernel without the fault: for compute-sanitizer
// (tests/gpu/sanitizers) and for the simulator (tests/lit/simulator/gpu/planted.test). What a kernel reads is stored, so that no compiler leaves
// it out.
gpu.module @planted {
  // Four lanes of each warp execute a barrier.
  gpu.func @divergent(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %some = arith.constant 4 : index
    %few = arith.cmpi ult, %lane, %some : index
    scf.if %few {
      gpu.barrier
    }
    scf.if %is_first {
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // One of two warps executes a barrier; the other ends.
  gpu.func @left_out(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_first {
      gpu.barrier
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // An arrival where no mbarrier was set up.
  gpu.func @no_mbarrier(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_arrive %bar
    }
    scf.if %is_first {
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // Two arrivals where a phase that waits for bytes takes one.
  gpu.func @one_too_many(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %leads = arith.cmpi eq, %thread, %c0 : index
    %c1024 = arith.constant 1024 : i32
    %bar = gpu.ptr_add %shared, %c1024 : !gpu.ptr<shared>, i32
    scf.if %leads {
      gpu.mbarrier_init %bar, 1
      gpu.mbarrier_arrive_expect_tx %bar, 16
      gpu.mbarrier_arrive %bar
    }
    scf.if %is_first {
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }
}
