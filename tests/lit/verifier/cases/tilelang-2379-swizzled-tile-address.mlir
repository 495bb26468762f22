// https://github.com/tile-ai/tilelang/issues/2379 and https://github.com/inclusionAI/humming/pull/21: where tensor copies find their tiles in shared memory. A swizzle takes the address, not the
// place in the tile, so its pattern of 8 rows begins at a multiple of them.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// 128 bytes behind the start, with a swizzle of 128.
gpu.module @kernels {
  gpu.func @swizzled(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [32, 32], panel = 0 : i64, swizzle = 128 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %off = arith.constant 128 : i32
    %at = gpu.ptr_add %smem, %off : !gpu.ptr<shared>, i32
    scf.if %is_first {
      // expected-error@+1 {{touches shared memory at byte 128; the address must be a multiple of 1024}}
      gpu.tma_store %at, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// 1,024.
gpu.module @kernels {
  gpu.func @swizzled_fits(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [32, 32], panel = 0 : i64, swizzle = 128 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %off = arith.constant 1024 : i32
    %at = gpu.ptr_add %smem, %off : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.tma_store %at, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// 64 bytes behind the start, without a swizzle.
gpu.module @kernels {
  gpu.func @plain(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [32, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %off = arith.constant 64 : i32
    %at = gpu.ptr_add %smem, %off : !gpu.ptr<shared>, i32
    scf.if %is_first {
      // expected-error@+1 {{touches shared memory at byte 64; the address must be a multiple of 128}}
      gpu.tma_store %at, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// 128.
gpu.module @kernels {
  gpu.func @plain_fits(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [32, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %off = arith.constant 128 : i32
    %at = gpu.ptr_add %smem, %off : !gpu.ptr<shared>, i32
    scf.if %is_first {
      gpu.tma_store %at, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}

// -----

// A tile that is longer than what is left.
gpu.module @kernels {
  gpu.func @outside(%y: !gpu.ptr<global>, %n: index, %map0: !gpu.tensor_map) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"], tensor_maps = [{arg = "y", box = [32, 32], panel = 0 : i64, swizzle = 0 : i64}]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %tid, %c0 : index
    %off = arith.constant 30720 : i32
    %at = gpu.ptr_add %smem, %off : !gpu.ptr<shared>, i32
    scf.if %is_first {
      // expected-error@+1 {{touches bytes 30720 to 34815 of shared memory, of which the CTA has 33792}}
      gpu.tma_store %at, %map0[%z, %z]
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}
