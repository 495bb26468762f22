// https://github.com/NVIDIA/Fuser/pull/4152: columns of tensor memory come in powers of two, 32 at least. https://github.com/NVIDIA/Fuser/pull/3803: what is allocated
// is given back.
// Refused by tensor-capacity (TMEM_CAPACITY).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// 48 columns.
gpu.module @kernels {
  gpu.func @columns(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_100a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      // expected-error@+1 {{names 48 columns; tensor memory is allocated in powers of two from 32 to 512}}
      gpu.tcgen05_alloc %smem, 48
      %a = gpu.tcgen05_address %smem
      gpu.tcgen05_dealloc %a, 64
    }
    gpu.return
  }
}

// -----

// 64, and nobody gives them back.
gpu.module @kernels {
  gpu.func @kept(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_100a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      // expected-error@+1 {{allocates tensor memory that is not given back before the kernel ends}}
      gpu.tcgen05_alloc %smem, 64
    }
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_100a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      gpu.tcgen05_alloc %smem, 64
      %a = gpu.tcgen05_address %smem
      gpu.tcgen05_dealloc %a, 64
    }
    gpu.return
  }
}
