// Tensor memory: what is allocated, who reaches which lanes, and when a result may be read.
// RUN: python3 %S/Inputs/npy.py %t.ones.npy f4 16.0*128
// RUN: cake-run %s --no-rules --level gpu --races --schedules 20 --kernel @product --size N=128 --check o=%t.ones.npy
// RUN: cake-run %s --no-rules --level gpu --races --schedule late --kernel @product --size N=128 --check o=%t.ones.npy
// RUN: not cake-run %s --no-rules --level gpu --schedule late --kernel @no_wait --size N=128 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not cake-run %s --no-rules --level gpu --kernel @no_alloc --size N=128 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=ALLOC
// RUN: not cake-run %s --no-rules --level gpu --kernel @no_dealloc --size N=128 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=DEALLOC
// RUN: not cake-run %s --no-rules --level gpu --kernel @lanes --size N=128 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not cake-run %s --no-rules --level gpu --kernel @empty --size N=128 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not cake-run %s --no-rules --level gpu --kernel @wide --size N=128 --out o=%t.npy 2>&1 | FileCheck %s --check-prefix=WIDE

// WAIT: error: 'gpu.tcgen05_ld' op {{.*}}reads column {{[0-9]+}} of tensor memory, which {{(a tcgen05_mma under way writes \[SIM_UNARRIVED_READ|nobody wrote \[SIM_UNINITIALISED)}}]
// ALLOC: error: 'gpu.tcgen05_mma' op {{.*}}uses tensor memory, but none is allocated [SIM_UNINITIALISED]
// DEALLOC: error: 'gpu.tcgen05_alloc' op {{.*}}allocates 32 columns of tensor memory, which CTA 0 does not give back [SIM_UNDEFINED]
// LANES: error: 'gpu.tcgen05_ld' op {{.*}}reads tensor memory from lane 0 on; this warp reaches lanes {{[0-9]+}} to {{[0-9]+}} [SIM_UNDEFINED]
// EMPTY: error: 'gpu.tcgen05_mma' op {{.*}}reads column {{[0-9]+}} of tensor memory, which nobody wrote [SIM_UNINITIALISED]
// WIDE: error: 'gpu.tcgen05_mma' op {{.*}}uses columns {{[0-9]+}} to {{[0-9]+}} of tensor memory; allocated are {{[0-9]+}} to {{[0-9]+}} [SIM_OUT_OF_BOUNDS]

gpu.module @litmus {
  gpu.func @product(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_100a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 8192 : i64} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %warp = gpu.warp_id
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : i32
    %tensor_at = gpu.ptr_add %s, %c8 : !gpu.ptr<shared>, i32
    %first_warp = arith.cmpi eq, %warp, %c0 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %s, 1
      gpu.mbarrier_init_fence
    }
    scf.if %first_warp {
      gpu.tcgen05_alloc %tensor_at, 32
    }
    %ones = arith.constant dense<1.0> : vector<8xbf16>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant 1024 : i32
    %c2048 = arith.constant 2048 : i32
    %c4096 = arith.constant 4096 : i32
    %id = arith.index_cast %thread : index to i32
    %mine = arith.muli %id, %c16 : i32
    %at0 = arith.addi %mine, %c1024 : i32
    %at1 = arith.addi %at0, %c2048 : i32
    %at2 = arith.addi %at1, %c2048 : i32
    %p0 = gpu.ptr_add %s, %at0 : !gpu.ptr<shared>, i32
    %p1 = gpu.ptr_add %s, %at1 : !gpu.ptr<shared>, i32
    %p2 = gpu.ptr_add %s, %at2 : !gpu.ptr<shared>, i32
    gpu.store %ones, %p0 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p1 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p2 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    %tensor = gpu.tcgen05_address %tensor_at
    %four = arith.constant 4 : i32
    %a_ptr = gpu.ptr_add %s, %c1024 : !gpu.ptr<shared>, i32
    %a_address = gpu.shared_address %a_ptr : !gpu.ptr<shared>
    %a_units = arith.shrui %a_address, %four : i32
    %a_low = arith.extui %a_units : i32 to i64
    %strides = arith.constant 70437464178688 : i64
    %a = arith.ori %a_low, %strides : i64
    %b_step = arith.constant 256 : i64
    %b = arith.addi %a, %b_step : i64
    scf.if %first_warp {
      %elected = gpu.elect
      scf.if %elected {
        gpu.tcgen05_mma %tensor, %a, %b, 128 x 16 if %false : bf16
        gpu.tcgen05_commit %s
      }
    }
    gpu.mbarrier_wait %s, %zero
    gpu.tcgen05_fence after
    %c2097152 = arith.constant 2097152 : index
    %lane_bits = arith.muli %warp, %c2097152 : index
    %lanes = arith.index_cast %lane_bits : index to i32
    %place = arith.addi %tensor, %lanes : i32
    %loaded = gpu.tcgen05_ld %place : vector<1xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<1xf32>
    %value = gpu.unpack %ready : vector<1xf32> -> f32
    %c4 = arith.constant 4 : i64
    %index = arith.extui %id : i32 to i64
    %bytes = arith.muli %index, %c4 : i64
    %to = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i64
    gpu.store %value, %to : f32, !gpu.ptr<global>
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    scf.if %first_warp {
      gpu.tcgen05_dealloc %tensor, 32
    }
    gpu.return
  }

  gpu.func @no_wait(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_100a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 8192 : i64} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %warp = gpu.warp_id
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : i32
    %tensor_at = gpu.ptr_add %s, %c8 : !gpu.ptr<shared>, i32
    %first_warp = arith.cmpi eq, %warp, %c0 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %s, 1
      gpu.mbarrier_init_fence
    }
    scf.if %first_warp {
      gpu.tcgen05_alloc %tensor_at, 32
    }
    %ones = arith.constant dense<1.0> : vector<8xbf16>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant 1024 : i32
    %c2048 = arith.constant 2048 : i32
    %c4096 = arith.constant 4096 : i32
    %id = arith.index_cast %thread : index to i32
    %mine = arith.muli %id, %c16 : i32
    %at0 = arith.addi %mine, %c1024 : i32
    %at1 = arith.addi %at0, %c2048 : i32
    %at2 = arith.addi %at1, %c2048 : i32
    %p0 = gpu.ptr_add %s, %at0 : !gpu.ptr<shared>, i32
    %p1 = gpu.ptr_add %s, %at1 : !gpu.ptr<shared>, i32
    %p2 = gpu.ptr_add %s, %at2 : !gpu.ptr<shared>, i32
    gpu.store %ones, %p0 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p1 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p2 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    %tensor = gpu.tcgen05_address %tensor_at
    %four = arith.constant 4 : i32
    %a_ptr = gpu.ptr_add %s, %c1024 : !gpu.ptr<shared>, i32
    %a_address = gpu.shared_address %a_ptr : !gpu.ptr<shared>
    %a_units = arith.shrui %a_address, %four : i32
    %a_low = arith.extui %a_units : i32 to i64
    %strides = arith.constant 70437464178688 : i64
    %a = arith.ori %a_low, %strides : i64
    %b_step = arith.constant 256 : i64
    %b = arith.addi %a, %b_step : i64
    scf.if %first_warp {
      %elected = gpu.elect
      scf.if %elected {
        gpu.tcgen05_mma %tensor, %a, %b, 128 x 16 if %false : bf16
        gpu.tcgen05_commit %s
      }
    }
    gpu.tcgen05_fence after
    %c2097152 = arith.constant 2097152 : index
    %lane_bits = arith.muli %warp, %c2097152 : index
    %lanes = arith.index_cast %lane_bits : index to i32
    %place = arith.addi %tensor, %lanes : i32
    %loaded = gpu.tcgen05_ld %place : vector<1xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<1xf32>
    %value = gpu.unpack %ready : vector<1xf32> -> f32
    %c4 = arith.constant 4 : i64
    %index = arith.extui %id : i32 to i64
    %bytes = arith.muli %index, %c4 : i64
    %to = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i64
    gpu.store %value, %to : f32, !gpu.ptr<global>
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    scf.if %first_warp {
      gpu.tcgen05_dealloc %tensor, 32
    }
    gpu.return
  }

  gpu.func @no_alloc(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_100a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 8192 : i64} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %warp = gpu.warp_id
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : i32
    %tensor_at = gpu.ptr_add %s, %c8 : !gpu.ptr<shared>, i32
    %first_warp = arith.cmpi eq, %warp, %c0 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %s, 1
      gpu.mbarrier_init_fence
    }
    %ones = arith.constant dense<1.0> : vector<8xbf16>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant 1024 : i32
    %c2048 = arith.constant 2048 : i32
    %c4096 = arith.constant 4096 : i32
    %id = arith.index_cast %thread : index to i32
    %mine = arith.muli %id, %c16 : i32
    %at0 = arith.addi %mine, %c1024 : i32
    %at1 = arith.addi %at0, %c2048 : i32
    %at2 = arith.addi %at1, %c2048 : i32
    %p0 = gpu.ptr_add %s, %at0 : !gpu.ptr<shared>, i32
    %p1 = gpu.ptr_add %s, %at1 : !gpu.ptr<shared>, i32
    %p2 = gpu.ptr_add %s, %at2 : !gpu.ptr<shared>, i32
    gpu.store %ones, %p0 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p1 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p2 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    %tensor = arith.constant 0 : i32
    %four = arith.constant 4 : i32
    %a_ptr = gpu.ptr_add %s, %c1024 : !gpu.ptr<shared>, i32
    %a_address = gpu.shared_address %a_ptr : !gpu.ptr<shared>
    %a_units = arith.shrui %a_address, %four : i32
    %a_low = arith.extui %a_units : i32 to i64
    %strides = arith.constant 70437464178688 : i64
    %a = arith.ori %a_low, %strides : i64
    %b_step = arith.constant 256 : i64
    %b = arith.addi %a, %b_step : i64
    scf.if %first_warp {
      %elected = gpu.elect
      scf.if %elected {
        gpu.tcgen05_mma %tensor, %a, %b, 128 x 16 if %false : bf16
        gpu.tcgen05_commit %s
      }
    }
    gpu.mbarrier_wait %s, %zero
    gpu.tcgen05_fence after
    %c2097152 = arith.constant 2097152 : index
    %lane_bits = arith.muli %warp, %c2097152 : index
    %lanes = arith.index_cast %lane_bits : index to i32
    %place = arith.addi %tensor, %lanes : i32
    %loaded = gpu.tcgen05_ld %place : vector<1xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<1xf32>
    %value = gpu.unpack %ready : vector<1xf32> -> f32
    %c4 = arith.constant 4 : i64
    %index = arith.extui %id : i32 to i64
    %bytes = arith.muli %index, %c4 : i64
    %to = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i64
    gpu.store %value, %to : f32, !gpu.ptr<global>
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    gpu.return
  }

  gpu.func @no_dealloc(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_100a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 8192 : i64} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %warp = gpu.warp_id
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : i32
    %tensor_at = gpu.ptr_add %s, %c8 : !gpu.ptr<shared>, i32
    %first_warp = arith.cmpi eq, %warp, %c0 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %s, 1
      gpu.mbarrier_init_fence
    }
    scf.if %first_warp {
      gpu.tcgen05_alloc %tensor_at, 32
    }
    %ones = arith.constant dense<1.0> : vector<8xbf16>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant 1024 : i32
    %c2048 = arith.constant 2048 : i32
    %c4096 = arith.constant 4096 : i32
    %id = arith.index_cast %thread : index to i32
    %mine = arith.muli %id, %c16 : i32
    %at0 = arith.addi %mine, %c1024 : i32
    %at1 = arith.addi %at0, %c2048 : i32
    %at2 = arith.addi %at1, %c2048 : i32
    %p0 = gpu.ptr_add %s, %at0 : !gpu.ptr<shared>, i32
    %p1 = gpu.ptr_add %s, %at1 : !gpu.ptr<shared>, i32
    %p2 = gpu.ptr_add %s, %at2 : !gpu.ptr<shared>, i32
    gpu.store %ones, %p0 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p1 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p2 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    %tensor = gpu.tcgen05_address %tensor_at
    %four = arith.constant 4 : i32
    %a_ptr = gpu.ptr_add %s, %c1024 : !gpu.ptr<shared>, i32
    %a_address = gpu.shared_address %a_ptr : !gpu.ptr<shared>
    %a_units = arith.shrui %a_address, %four : i32
    %a_low = arith.extui %a_units : i32 to i64
    %strides = arith.constant 70437464178688 : i64
    %a = arith.ori %a_low, %strides : i64
    %b_step = arith.constant 256 : i64
    %b = arith.addi %a, %b_step : i64
    scf.if %first_warp {
      %elected = gpu.elect
      scf.if %elected {
        gpu.tcgen05_mma %tensor, %a, %b, 128 x 16 if %false : bf16
        gpu.tcgen05_commit %s
      }
    }
    gpu.mbarrier_wait %s, %zero
    gpu.tcgen05_fence after
    %c2097152 = arith.constant 2097152 : index
    %lane_bits = arith.muli %warp, %c2097152 : index
    %lanes = arith.index_cast %lane_bits : index to i32
    %place = arith.addi %tensor, %lanes : i32
    %loaded = gpu.tcgen05_ld %place : vector<1xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<1xf32>
    %value = gpu.unpack %ready : vector<1xf32> -> f32
    %c4 = arith.constant 4 : i64
    %index = arith.extui %id : i32 to i64
    %bytes = arith.muli %index, %c4 : i64
    %to = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i64
    gpu.store %value, %to : f32, !gpu.ptr<global>
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    gpu.return
  }

  gpu.func @lanes(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_100a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 8192 : i64} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %warp = gpu.warp_id
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : i32
    %tensor_at = gpu.ptr_add %s, %c8 : !gpu.ptr<shared>, i32
    %first_warp = arith.cmpi eq, %warp, %c0 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %s, 1
      gpu.mbarrier_init_fence
    }
    scf.if %first_warp {
      gpu.tcgen05_alloc %tensor_at, 32
    }
    %ones = arith.constant dense<1.0> : vector<8xbf16>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant 1024 : i32
    %c2048 = arith.constant 2048 : i32
    %c4096 = arith.constant 4096 : i32
    %id = arith.index_cast %thread : index to i32
    %mine = arith.muli %id, %c16 : i32
    %at0 = arith.addi %mine, %c1024 : i32
    %at1 = arith.addi %at0, %c2048 : i32
    %at2 = arith.addi %at1, %c2048 : i32
    %p0 = gpu.ptr_add %s, %at0 : !gpu.ptr<shared>, i32
    %p1 = gpu.ptr_add %s, %at1 : !gpu.ptr<shared>, i32
    %p2 = gpu.ptr_add %s, %at2 : !gpu.ptr<shared>, i32
    gpu.store %ones, %p0 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p1 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p2 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    %tensor = gpu.tcgen05_address %tensor_at
    %four = arith.constant 4 : i32
    %a_ptr = gpu.ptr_add %s, %c1024 : !gpu.ptr<shared>, i32
    %a_address = gpu.shared_address %a_ptr : !gpu.ptr<shared>
    %a_units = arith.shrui %a_address, %four : i32
    %a_low = arith.extui %a_units : i32 to i64
    %strides = arith.constant 70437464178688 : i64
    %a = arith.ori %a_low, %strides : i64
    %b_step = arith.constant 256 : i64
    %b = arith.addi %a, %b_step : i64
    scf.if %first_warp {
      %elected = gpu.elect
      scf.if %elected {
        gpu.tcgen05_mma %tensor, %a, %b, 128 x 16 if %false : bf16
        gpu.tcgen05_commit %s
      }
    }
    gpu.mbarrier_wait %s, %zero
    gpu.tcgen05_fence after
    %c2097152 = arith.constant 2097152 : index
    %lane_bits = arith.muli %warp, %c2097152 : index
    %lanes = arith.index_cast %lane_bits : index to i32
    %place = arith.addi %tensor, %zero : i32
    %loaded = gpu.tcgen05_ld %place : vector<1xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<1xf32>
    %value = gpu.unpack %ready : vector<1xf32> -> f32
    %c4 = arith.constant 4 : i64
    %index = arith.extui %id : i32 to i64
    %bytes = arith.muli %index, %c4 : i64
    %to = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i64
    gpu.store %value, %to : f32, !gpu.ptr<global>
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    scf.if %first_warp {
      gpu.tcgen05_dealloc %tensor, 32
    }
    gpu.return
  }

  gpu.func @empty(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_100a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 8192 : i64} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %warp = gpu.warp_id
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : i32
    %tensor_at = gpu.ptr_add %s, %c8 : !gpu.ptr<shared>, i32
    %first_warp = arith.cmpi eq, %warp, %c0 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %s, 1
      gpu.mbarrier_init_fence
    }
    scf.if %first_warp {
      gpu.tcgen05_alloc %tensor_at, 32
    }
    %ones = arith.constant dense<1.0> : vector<8xbf16>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant 1024 : i32
    %c2048 = arith.constant 2048 : i32
    %c4096 = arith.constant 4096 : i32
    %id = arith.index_cast %thread : index to i32
    %mine = arith.muli %id, %c16 : i32
    %at0 = arith.addi %mine, %c1024 : i32
    %at1 = arith.addi %at0, %c2048 : i32
    %at2 = arith.addi %at1, %c2048 : i32
    %p0 = gpu.ptr_add %s, %at0 : !gpu.ptr<shared>, i32
    %p1 = gpu.ptr_add %s, %at1 : !gpu.ptr<shared>, i32
    %p2 = gpu.ptr_add %s, %at2 : !gpu.ptr<shared>, i32
    gpu.store %ones, %p0 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p1 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p2 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    %tensor = gpu.tcgen05_address %tensor_at
    %four = arith.constant 4 : i32
    %a_ptr = gpu.ptr_add %s, %c1024 : !gpu.ptr<shared>, i32
    %a_address = gpu.shared_address %a_ptr : !gpu.ptr<shared>
    %a_units = arith.shrui %a_address, %four : i32
    %a_low = arith.extui %a_units : i32 to i64
    %strides = arith.constant 70437464178688 : i64
    %a = arith.ori %a_low, %strides : i64
    %b_step = arith.constant 256 : i64
    %b = arith.addi %a, %b_step : i64
    scf.if %first_warp {
      %elected = gpu.elect
      scf.if %elected {
        gpu.tcgen05_mma %tensor, %a, %b, 128 x 16 if %first : bf16
        gpu.tcgen05_commit %s
      }
    }
    gpu.mbarrier_wait %s, %zero
    gpu.tcgen05_fence after
    %c2097152 = arith.constant 2097152 : index
    %lane_bits = arith.muli %warp, %c2097152 : index
    %lanes = arith.index_cast %lane_bits : index to i32
    %place = arith.addi %tensor, %lanes : i32
    %loaded = gpu.tcgen05_ld %place : vector<1xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<1xf32>
    %value = gpu.unpack %ready : vector<1xf32> -> f32
    %c4 = arith.constant 4 : i64
    %index = arith.extui %id : i32 to i64
    %bytes = arith.muli %index, %c4 : i64
    %to = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i64
    gpu.store %value, %to : f32, !gpu.ptr<global>
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    scf.if %first_warp {
      gpu.tcgen05_dealloc %tensor, 32
    }
    gpu.return
  }

  gpu.func @wide(%o: !gpu.ptr<global>, %n: index) attributes {target = ["sm_100a"], arg_names = ["o"], arg_types = [!cake.global<[N]xf32, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 128 : i64, shared_bytes = 8192 : i64} {
    %s = gpu.shared_memory : !gpu.ptr<shared>
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %warp = gpu.warp_id
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : i32
    %tensor_at = gpu.ptr_add %s, %c8 : !gpu.ptr<shared>, i32
    %first_warp = arith.cmpi eq, %warp, %c0 : index
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      gpu.mbarrier_init %s, 1
      gpu.mbarrier_init_fence
    }
    scf.if %first_warp {
      gpu.tcgen05_alloc %tensor_at, 32
    }
    %ones = arith.constant dense<1.0> : vector<8xbf16>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant 1024 : i32
    %c2048 = arith.constant 2048 : i32
    %c4096 = arith.constant 4096 : i32
    %id = arith.index_cast %thread : index to i32
    %mine = arith.muli %id, %c16 : i32
    %at0 = arith.addi %mine, %c1024 : i32
    %at1 = arith.addi %at0, %c2048 : i32
    %at2 = arith.addi %at1, %c2048 : i32
    %p0 = gpu.ptr_add %s, %at0 : !gpu.ptr<shared>, i32
    %p1 = gpu.ptr_add %s, %at1 : !gpu.ptr<shared>, i32
    %p2 = gpu.ptr_add %s, %at2 : !gpu.ptr<shared>, i32
    gpu.store %ones, %p0 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p1 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.store %ones, %p2 : vector<8xbf16>, !gpu.ptr<shared>
    gpu.fence_proxy_async
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    %tensor = gpu.tcgen05_address %tensor_at
    %four = arith.constant 4 : i32
    %a_ptr = gpu.ptr_add %s, %c1024 : !gpu.ptr<shared>, i32
    %a_address = gpu.shared_address %a_ptr : !gpu.ptr<shared>
    %a_units = arith.shrui %a_address, %four : i32
    %a_low = arith.extui %a_units : i32 to i64
    %strides = arith.constant 70437464178688 : i64
    %a = arith.ori %a_low, %strides : i64
    %b_step = arith.constant 256 : i64
    %b = arith.addi %a, %b_step : i64
    scf.if %first_warp {
      %elected = gpu.elect
      scf.if %elected {
        gpu.tcgen05_mma %tensor, %a, %b, 128 x 64 if %false : bf16
        gpu.tcgen05_commit %s
      }
    }
    gpu.mbarrier_wait %s, %zero
    gpu.tcgen05_fence after
    %c2097152 = arith.constant 2097152 : index
    %lane_bits = arith.muli %warp, %c2097152 : index
    %lanes = arith.index_cast %lane_bits : index to i32
    %place = arith.addi %tensor, %lanes : i32
    %loaded = gpu.tcgen05_ld %place : vector<1xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<1xf32>
    %value = gpu.unpack %ready : vector<1xf32> -> f32
    %c4 = arith.constant 4 : i64
    %index = arith.extui %id : i32 to i64
    %bytes = arith.muli %index, %c4 : i64
    %to = gpu.ptr_add %o, %bytes : !gpu.ptr<global>, i64
    gpu.store %value, %to : f32, !gpu.ptr<global>
    gpu.tcgen05_fence before
    gpu.barrier
    gpu.tcgen05_fence after
    scf.if %first_warp {
      gpu.tcgen05_dealloc %tensor, 32
    }
    gpu.return
  }
}
