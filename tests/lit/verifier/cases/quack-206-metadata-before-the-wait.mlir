// https://github.com/Dao-AILab/quack/issues/206, of a kind with https://github.com/NVIDIA/cutlass/issues/2760 and https://github.com/Dao-AILab/flash-attention/pull/2498: with
// programmatic dependent launch some warps read what the kernel in front writes without waiting for it. A kernel in which nobody waits is one that is launched behind the end of the other,
// as far as its text says.
// Refused by launch-order (LAUNCH_ORDER).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// The load warp waits, the others do not.
gpu.module @kernels {
  gpu.func @metadata(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %w0 = arith.cmpi eq, %w, %c0 : index
    scf.if %w0 {
      // expected-note@+1 {{the kernel begins early, and waits here}}
      gpu.griddepcontrol wait
      %a = gpu.load %y : !gpu.ptr<global> -> f32
    } else {
      // expected-error@+1 {{touches global memory before its threads have waited for the grid in front, which may still write it}}
      %b = gpu.load %y : !gpu.ptr<global> -> f32
    }
    gpu.return
  }
}

// -----

// The repair.
gpu.module @kernels {
  gpu.func @repaired(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %c0 = arith.constant 0 : index
    %w0 = arith.cmpi eq, %w, %c0 : index
    gpu.griddepcontrol wait
    scf.if %w0 {
      %a = gpu.load %y : !gpu.ptr<global> -> f32
    } else {
      %b = gpu.load %y : !gpu.ptr<global> -> f32
    }
    gpu.return
  }
}

// -----

// Control: an array that nobody writes while the kernel runs may be read before.
gpu.module @kernels {
  gpu.func @readonly(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]x64xf32, readonly>], block = 128 : i64, grid = #cake.expr<1>, shared_bytes = 33792 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %a = gpu.load %y : !gpu.ptr<global> -> f32
    gpu.griddepcontrol wait
    gpu.return
  }
}
