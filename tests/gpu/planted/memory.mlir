// Accesses to memory that is not there or that nobody wrote, beside each the same kernel without the fault: for compute-sanitizer
// (tests/gpu/sanitizers) and for the simulator (tests/lit/simulator/gpu/planted.test). What a kernel reads is stored, so that no compiler leaves
// it out.
gpu.module @planted {
  // 64 threads write an array of 32 numbers.
  gpu.func @beyond_write(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    gpu.store %number, %mine : i32, !gpu.ptr<global>
    gpu.return
  }

  // 32 of them do.
  gpu.func @within_write(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_first {
      gpu.store %number, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // 64 threads read an array of 32 numbers.
  gpu.func @beyond_read(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
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
    %from = gpu.ptr_add %x, %four : !gpu.ptr<global>, i32
    %v = gpu.load %from : !gpu.ptr<global> -> i32
    scf.if %is_first {
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    } else {
      gpu.store %v, %word : i32, !gpu.ptr<shared>
    }
    gpu.return
  }

  // Words behind the end of shared memory.
  gpu.func @shared_beyond(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
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
    %end = arith.constant 4096 : i32
    %far = gpu.ptr_add %word, %end : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.store %number, %far : i32, !gpu.ptr<shared>
      %v = gpu.load %far : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // A word at an address that is no multiple of 4.
  gpu.func @misaligned(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %leads = arith.cmpi eq, %thread, %c0 : index
    %two = arith.constant 2 : i32
    %odd = gpu.ptr_add %o, %two : !gpu.ptr<global>, i32
    scf.if %leads {
      gpu.store %number, %odd : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // An output is read before anybody has written it.
  gpu.func @unwritten_global(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i32
    %thread = gpu.thread_id x
    %number = arith.index_cast %thread : index to i32
    %four = arith.muli %number, %c4 : i32
    %mine = gpu.ptr_add %o, %four : !gpu.ptr<global>, i32
    %warp = gpu.warp_id
    %is_first = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_first {
      %v = gpu.load %mine : !gpu.ptr<global> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // The same in shared memory.
  gpu.func @unwritten_shared(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 4096 : i64} {
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
      %v = gpu.load %word : !gpu.ptr<shared> -> i32
      gpu.store %v, %mine : i32, !gpu.ptr<global>
    }
    gpu.return
  }
}
