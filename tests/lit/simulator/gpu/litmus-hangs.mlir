// Kernels that hang: refuted without running, seen to hang on the simulator, and (tests/gpu/litmus) ended by their time limit on a GPU.
// RUN: cake-opt --verify-diagnostics %s
// RUN: not cake-run %s --no-rules --kernel @fresh --level gpu --size N=1 --out o=%t.npy 2>&1 | FileCheck %s
// RUN: not cake-run %s --no-rules --kernel @one_short --level gpu --size N=1 --out o=%t.npy 2>&1 | FileCheck %s
// RUN: python3 %S/Inputs/npy.py %t.x.npy i4 0:8
// RUN: not cake-run %s --no-rules --kernel @bytes_missing --level gpu --in x=%t.x.npy --out o=%t.npy 2>&1 | FileCheck %s
// CHECK: [SIM_HANG]

gpu.module @litmus {
  // A wait for the phase that is under way, in which nobody arrives.
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @fresh(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %shared, 1
      // expected-error@+1 {{can wait for ever}}
      gpu.mbarrier_wait %shared, %zero
      gpu.store %one, %o : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // A phase that expects more bytes than come.
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @bytes_missing(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %c512 = arith.constant 512 : i32
    %c16 = arith.constant 16 : i32
    %data = gpu.ptr_add %shared, %c512 : !gpu.ptr<shared>, i32
    scf.if %first {
      gpu.mbarrier_init %shared, 1
      gpu.mbarrier_init_fence
      gpu.mbarrier_arrive_expect_tx %shared, 32
      gpu.bulk_load %data, %shared, %x, %c16
      // expected-error@+1 {{can wait for ever}}
      gpu.mbarrier_wait %shared, %zero
      %v = gpu.load %data : !gpu.ptr<shared> -> vector<4xi32>
      gpu.store %v, %o : vector<4xi32>, !gpu.ptr<global>
    }
    gpu.return
  }

  // A barrier for three warps, at which two meet.
  // expected-note@+1 {{a schedule that leads there}}
  gpu.func @one_short(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %b1 = arith.constant 1 : i32
    // expected-note@+2 {{warp 1 waits here for the others of barrier 1}}
    // expected-error@+1 {{can wait for ever}}
    gpu.named_barrier %b1, 96
    scf.if %first {
      gpu.store %one, %o : i32, !gpu.ptr<global>
    }
    gpu.return
  }
}
