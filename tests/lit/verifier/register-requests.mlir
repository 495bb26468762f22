// Rule register-requests (REG_BUDGET): setmaxnreg at the thread level asks for what is there, by whole warpgroups. The numbers of case B01.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// Two and two warpgroups with 24 and 240.
gpu.module @kernels {
  gpu.func @two_and_two(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 512 : i64, grid = 1 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %p = arith.constant 8 : index
    %is_p = arith.cmpi ult, %w, %p : index
    scf.if %is_p {
      // expected-note@+2 {{warpgroup 0: 128 threads with 24 registers}}
      // expected-note@+1 {{warpgroup 1: 128 threads with 24 registers}}
      gpu.setmaxnreg decrease 24
    } else {
      // expected-note@+3 {{warpgroup 2: 128 threads with 240 registers}}
      // expected-note@+2 {{warpgroup 3: 128 threads with 240 registers}}
      // expected-error@+1 {{waits for ever: the warpgroups ask for 67584 registers, and the CTA has 65536}}
      gpu.setmaxnreg increase 240
    }
    gpu.return
  }
}

// -----

// 232 is the most that fits: 65536 in all. It runs on an H200 while the others still wait.
gpu.module @kernels {
  gpu.func @most(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 512 : i64, grid = 1 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %p = arith.constant 8 : index
    %is_p = arith.cmpi ult, %w, %p : index
    scf.if %is_p {
      gpu.setmaxnreg decrease 24
    } else {
      gpu.setmaxnreg increase 232
    }
    gpu.return
  }
}

// -----

// One and two with 24 and 240: 64512 of 64512.
gpu.module @kernels {
  gpu.func @one_and_two(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 384 : i64, grid = 1 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %p = arith.constant 4 : index
    %is_p = arith.cmpi ult, %w, %p : index
    scf.if %is_p {
      gpu.setmaxnreg decrease 24
    } else {
      gpu.setmaxnreg increase 240
    }
    gpu.return
  }
}

// -----

// A warp of a warpgroup does not come.
gpu.module @kernels {
  gpu.func @part(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 512 : i64, grid = 1 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %p = arith.constant 7 : index
    %is_p = arith.cmpi ult, %w, %p : index
    scf.if %is_p {
      // expected-error@+1 {{is executed by only some threads of warpgroup 1 (warps 4 to 7); all of its warps must}}
      gpu.setmaxnreg decrease 24
    } else {
      gpu.setmaxnreg increase 232
    }
    gpu.return
  }
}

// -----

// An increase that is none.
gpu.module @kernels {
  // expected-note@+1 {{512 threads begin with 128 registers each}}
  gpu.func @direction(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 512 : i64, grid = 1 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %p = arith.constant 8 : index
    %is_p = arith.cmpi ult, %w, %p : index
    scf.if %is_p {
      gpu.setmaxnreg decrease 24
    } else {
      // expected-error@+1 {{increases to 120 registers a thread, which has 128 here}}
      gpu.setmaxnreg increase 120
    }
    gpu.return
  }
}

// -----

// An increase that no decrease pays for.
gpu.module @kernels {
  gpu.func @unpaid(%y: !gpu.ptr<global>, %n: index) attributes {arg_names = ["y"], arg_types = [!cake.global<[N]xf32>], block = 512 : i64, grid = 1 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %w = gpu.warp_id
    %p = arith.constant 8 : index
    %is_p = arith.cmpi ult, %w, %p : index
    scf.if %is_p {
      // expected-note@+2 {{warpgroup 0}}
      // expected-note@+1 {{warpgroup 1}}
      gpu.setmaxnreg decrease 128
    } else {
      // expected-note@+3 {{warpgroup 2}}
      // expected-note@+2 {{warpgroup 3}}
      // expected-error@+1 {{waits for ever: the warpgroups ask for 67584 registers}}
      gpu.setmaxnreg increase 136
    }
    gpu.return
  }
}
