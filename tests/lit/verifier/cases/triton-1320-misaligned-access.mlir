// https://github.com/triton-lang/triton/issues/1320 (misaligned address): vectors and rows of matrices at addresses that are no multiples of their size.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Four floats at every fourth byte.
gpu.module @kernels {
  gpu.func @vector(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    // expected-error@+1 {{touches shared memory at byte 4; the address must be a multiple of 16}}
    %q = gpu.load %p : !gpu.ptr<shared> -> vector<4xf32>
    gpu.store %q, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// At every sixteenth.
gpu.module @kernels {
  gpu.func @vector_fits(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c16 = arith.constant 16 : i32
    %ov = arith.muli %t, %c16 : i32
    %pv = gpu.ptr_add %smem, %ov : !gpu.ptr<shared>, i32
    %q = gpu.load %pv : !gpu.ptr<shared> -> vector<4xf32>
    gpu.store %q, %y : vector<4xf32>, !gpu.ptr<global>
    gpu.return
  }
}

// -----

// ldmatrix takes rows of 16 bytes.
gpu.module @kernels {
  gpu.func @rows(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %t = arith.index_cast %tid : index to i32
    %c4 = arith.constant 4 : i32
    %o = arith.muli %t, %c4 : i32
    %p = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
    // expected-error@+1 {{touches shared memory at byte 4; the address must be a multiple of 16}}
    %q = gpu.ldmatrix %p : vector<8xbf16>
    gpu.return
  }
}
