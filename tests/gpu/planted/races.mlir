// Races of warps over shared memory, beside each the same kernel without the fault: for compute-sanitizer
// (tests/gpu/sanitizers) and for the simulator (tests/lit/simulator/gpu/planted.test). What a kernel reads is stored, so that no compiler leaves
// it out.
gpu.module @planted {
  // Two warps write the same words.
  gpu.func @write_write(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %lane = gpu.lane_id
    %lane_number = arith.index_cast %lane : index to i32
    %lane_four = arith.muli %lane_number, %c4 : i32
    %word = gpu.ptr_add %shared, %lane_four : !gpu.ptr<shared>, i32
    gpu.store %number, %word : i32, !gpu.ptr<shared>
    gpu.barrier
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // The same one behind the other.
  gpu.func @write_write_ordered(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
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
    scf.if %is_first {
      gpu.store %number, %word : i32, !gpu.ptr<shared>
    }
    gpu.barrier
    %second = arith.cmpi ne, %warp, %c0 : index
    scf.if %second {
      gpu.store %number, %word : i32, !gpu.ptr<shared>
    }
    gpu.barrier
    %v = gpu.load %word : !gpu.ptr<shared> -> i32
    gpu.store %v, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // A warp reads what another writes, without a barrier between.
  gpu.func @write_read(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
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
    scf.if %is_first {
      gpu.store %number, %word : i32, !gpu.ptr<shared>
    }
    %second = arith.cmpi ne, %warp, %c0 : index
    scf.if %second {
      %v = gpu.load %word : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // With a named barrier.
  gpu.func @write_read_ordered(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
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
    scf.if %is_first {
      gpu.store %number, %word : i32, !gpu.ptr<shared>
    }
    %id = arith.constant 1 : i32
    gpu.named_barrier %id, 64
    %second = arith.cmpi ne, %warp, %c0 : index
    scf.if %second {
      %v = gpu.load %word : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // A warp overwrites what another reads.
  gpu.func @read_write(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
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
    %word_of_all = gpu.ptr_add %shared, %four : !gpu.ptr<shared>, i32
    gpu.store %number, %word_of_all : i32, !gpu.ptr<shared>
    gpu.barrier
    scf.if %is_first {
      %v = gpu.load %word : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    %second = arith.cmpi ne, %warp, %c0 : index
    scf.if %second {
      gpu.store %number, %word : i32, !gpu.ptr<shared>
    }
    gpu.return
  }

  // With a barrier.
  gpu.func @read_write_ordered(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
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
    %word_of_all = gpu.ptr_add %shared, %four : !gpu.ptr<shared>, i32
    gpu.store %number, %word_of_all : i32, !gpu.ptr<shared>
    gpu.barrier
    scf.if %is_first {
      %v = gpu.load %word : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.barrier
    %second = arith.cmpi ne, %warp, %c0 : index
    scf.if %second {
      gpu.store %number, %word : i32, !gpu.ptr<shared>
    }
    gpu.return
  }

  // An mbarrier is arrived at, but nobody waits for it.
  gpu.func @mbarrier_unwaited(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
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
      gpu.store %number, %word : i32, !gpu.ptr<shared>
      gpu.mbarrier_arrive %bar
    } else {
      %v = gpu.load %word : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // With the wait.
  gpu.func @mbarrier_ordered(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
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
      gpu.store %number, %word : i32, !gpu.ptr<shared>
      gpu.mbarrier_arrive %bar
    } else {
      gpu.mbarrier_wait %bar, %zero
      %v = gpu.load %word : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }
}
