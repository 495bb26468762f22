// https://github.com/NVIDIA/Fuser/pull/3472 and https://github.com/Ratbuyer/h100-features/issues/1 (boxes over 256), https://github.com/NVIDIA/Fuser/pull/924 (rows that are
// longer than the swizzle), https://github.com/tile-ai/tilelang/issues/460 (strides): tensor maps that the driver refuses at the launch.
// Refused by tensor-maps (TMA_STRIDE).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// 512 elements in one dimension.
gpu.module @kernels {
  // expected-error@+1 {{has a tensor map of 'y' whose box has 512 elements in dimension 1; a box has 1 to 256}}
  gpu.func @box(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 200704 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 512], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// 256 are fine.
gpu.module @kernels {
  gpu.func @box_fits(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 200704 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 256], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Rows of 256 bytes and a swizzle of 128.
gpu.module @kernels {
  // expected-error@+1 {{has a tensor map of 'y' whose box has rows of 256 bytes, which is more than its swizzle of 128}}
  gpu.func @swizzle(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 200704 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 128 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Rows of 128.
gpu.module @kernels {
  gpu.func @swizzle_fits(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 200704 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [32, 32], panel = 0 : i64, swizzle = 128 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// Rows of 12 bytes.
gpu.module @kernels {
  // expected-error@+1 {{has a tensor map of 'y' whose box has rows of 12 bytes; they must be multiples of 16}}
  gpu.func @rows(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 200704 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [3, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A stride of N elements, where nothing is known of N.
gpu.module @kernels {
  // expected-error@+1 {{has a tensor map of 'y' ('!cake.global<[N]x[N]xf32>'), whose stride of dimension 0 need not be a multiple of 16 bytes}}
  gpu.func @stride(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x[N]xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 200704 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// With an assumption.
gpu.module @kernels {
  gpu.func @stride_fits(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x[N]xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 200704 : i64, guard = #cake.pred<N mod 4 eq 0>, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [64, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      gpu.tma_store %smem, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}
