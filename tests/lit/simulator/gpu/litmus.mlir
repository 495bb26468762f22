// What the PTX manual says about barriers, copies and registers, one function a sentence. tests/gpu/litmus runs the same on a GPU.
// RUN: python3 %S/Inputs/npy.py %t.phases.npy i4 3
// RUN: cake-run %s --kernel @phases --races --level gpu --schedules 20 --size N=1 --check o=%t.phases.npy
// RUN: python3 %S/Inputs/npy.py %t.counted.npy i4 2
// RUN: cake-run %s --kernel @counted --races --level gpu --schedules 20 --size N=1 --check o=%t.counted.npy
// RUN: python3 %S/Inputs/npy.py %t.hand_over.npy i4 6
// RUN: cake-run %s --kernel @hand_over --races --level gpu --schedules 20 --size N=1 --check o=%t.hand_over.npy
// RUN: python3 %S/Inputs/npy.py %t.registers.npy i4 7
// RUN: cake-run %s --kernel @registers --races --level gpu --schedules 20 --size N=1 --check o=%t.registers.npy
// RUN: python3 %S/Inputs/npy.py %t.elected.npy i4 1
// RUN: cake-run %s --kernel @elected --races --level gpu --schedules 20 --size N=1 --check o=%t.elected.npy
// RUN: python3 %S/Inputs/npy.py %t.x.npy i4 0:8
// RUN: python3 %S/Inputs/npy.py %t.bytes_first.npy i4 0 1 2 3 -1 -1 -1 -1
// RUN: cake-run %s --kernel @bytes_first --level gpu --schedules 20 --races --in x=%t.x.npy --check o=%t.bytes_first.npy
// RUN: cake-run %s --kernel @two_copies --level gpu --schedules 20 --races --in x=%t.x.npy --check o=%t.x.npy
// RUN: cake-opt --verify-protocol %s 2>&1 | FileCheck %s --check-prefix=PROVED
// PROVED: protocol of '@phases' proved
// PROVED: protocol of '@counted' proved
// PROVED: protocol of '@bytes_first' proved
// PROVED: protocol of '@two_copies' proved
// PROVED: protocol of '@hand_over' proved
// PROVED: protocol of '@registers' proved
// PROVED: protocol of '@elected' proved

gpu.module @litmus {
  // PTX ISA, "Phase of the mbarrier object": a wait for the parity of the phase before passes; then each phase in turn.
  gpu.func @phases(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %shared, 1
      gpu.mbarrier_wait %shared, %one
      gpu.mbarrier_arrive %shared
      gpu.mbarrier_wait %shared, %zero
      gpu.mbarrier_arrive %shared
      gpu.mbarrier_wait %shared, %one
      %three = arith.constant 3 : i32
      gpu.store %three, %o : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // "Count of the mbarrier": a phase takes as many arrivals as it was set up for, whoever makes them; the next one, too.
  gpu.func @counted(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %shared, 64
    }
    gpu.barrier
    gpu.mbarrier_arrive %shared
    gpu.mbarrier_wait %shared, %zero
    gpu.mbarrier_arrive %shared
    gpu.mbarrier_wait %shared, %one
    scf.if %first {
      %two = arith.constant 2 : i32
      gpu.store %two, %o : i32, !gpu.ptr<global>
    }
    gpu.return
  }

  // "Tracking asynchronous operations": bytes may complete before they are expected; the arrival that is missing keeps the phase open.
  gpu.func @bytes_first(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 1024 : i64} {
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
      gpu.bulk_load %data, %shared, %x, %c16
      gpu.mbarrier_arrive_expect_tx %shared, 16
      gpu.mbarrier_wait %shared, %zero
      %v = gpu.load %data : !gpu.ptr<shared> -> vector<4xi32>
      gpu.store %v, %o : vector<4xi32>, !gpu.ptr<global>
    }
    gpu.return
  }

  // "expect-tx operation": one expectation for two copies, of which the phase waits for both.
  gpu.func @two_copies(%x: !gpu.ptr<global>, %o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["x", "o"], arg_types = [!cake.global<[N]xi32, align 16>, !cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 1024 : i64} {
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
    %data2 = gpu.ptr_add %data, %c16 : !gpu.ptr<shared>, i32
    %x2 = gpu.ptr_add %x, %c16 : !gpu.ptr<global>, i32
    %o2 = gpu.ptr_add %o, %c16 : !gpu.ptr<global>, i32
    scf.if %first {
      gpu.mbarrier_init %shared, 1
      gpu.mbarrier_init_fence
      gpu.mbarrier_arrive_expect_tx %shared, 32
      gpu.bulk_load %data, %shared, %x, %c16
      gpu.bulk_load %data2, %shared, %x2, %c16
      gpu.mbarrier_wait %shared, %zero
      %v = gpu.load %data : !gpu.ptr<shared> -> vector<4xi32>
      gpu.store %v, %o : vector<4xi32>, !gpu.ptr<global>
      %w = gpu.load %data2 : !gpu.ptr<shared> -> vector<4xi32>
      gpu.store %w, %o2 : vector<4xi32>, !gpu.ptr<global>
    }
    gpu.return
  }

  // "bar": warps that arrive do not wait, those that meet do; two barriers hand a word to and fro.
  gpu.func @hand_over(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %b1 = arith.constant 1 : i32
    %b2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : index
    %warp = gpu.warp_id
    %lane = gpu.lane_id
    %leads = arith.cmpi eq, %lane, %c0 : index
    %writes = arith.cmpi eq, %warp, %c0 : index
    scf.if %writes {
      scf.for %i = %c0 to %c4 step %c1 {
        scf.if %leads {
          %v = arith.index_cast %i : index to i32
          gpu.store %v, %shared : i32, !gpu.ptr<shared>
        }
        gpu.named_barrier_arrive %b1, 64
        gpu.named_barrier %b2, 64
      }
    } else {
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %zero) -> (i32) {
        gpu.named_barrier %b1, 64
        %v = gpu.load %shared : !gpu.ptr<shared> -> i32
        gpu.named_barrier_arrive %b2, 64
        %next = arith.addi %so_far, %v : i32
        scf.yield %next : i32
      }
      scf.if %leads {
        gpu.store %sum, %o : i32, !gpu.ptr<global>
      }
    }
    gpu.return
  }

  // "setmaxnreg": an increase waits until others have given back as much. 384 threads have 168 registers each.
  gpu.func @registers(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 384 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %warp = gpu.warp_id
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : i32
    %grows = arith.cmpi ult, %warp, %c4 : index
    scf.if %grows {
      gpu.setmaxnreg increase 240
      scf.if %first {
        gpu.store %c7, %o : i32, !gpu.ptr<global>
      }
    } else {
      gpu.setmaxnreg decrease 24
    }
    gpu.return
  }

  // "elect.sync": one lane of the warp, the same each time.
  gpu.func @elected(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 1024 : i64} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %l1 = gpu.elect
    %l2 = gpu.elect
    %a = arith.extui %l1 : i1 to i32
    %b = arith.extui %l2 : i1 to i32
    %same = arith.andi %a, %b : i32
    %c32 = arith.constant 32 : i32
    %s0, %v0 = gpu.shuffle xor %same, %one, %c32 : i32
    %t0 = arith.addi %same, %s0 : i32
    %m1 = arith.constant 2 : i32
    %s1, %v1 = gpu.shuffle xor %t0, %m1, %c32 : i32
    %t1 = arith.addi %t0, %s1 : i32
    %m2 = arith.constant 4 : i32
    %s2, %v2 = gpu.shuffle xor %t1, %m2, %c32 : i32
    %t2 = arith.addi %t1, %s2 : i32
    %m3 = arith.constant 8 : i32
    %s3, %v3 = gpu.shuffle xor %t2, %m3, %c32 : i32
    %t3 = arith.addi %t2, %s3 : i32
    %m4 = arith.constant 16 : i32
    %s4, %v4 = gpu.shuffle xor %t3, %m4, %c32 : i32
    %t4 = arith.addi %t3, %s4 : i32
    scf.if %first {
      gpu.store %t4, %o : i32, !gpu.ptr<global>
    }
    gpu.return
  }
}
