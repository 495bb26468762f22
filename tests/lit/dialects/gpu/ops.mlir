// RUN: cake-opt %s | cake-opt | FileCheck %s
// RUN: cake-opt %s --print-op-generic | cake-opt | FileCheck %s
// Every op of the gpu dialect in its custom form: printed back as it was read, and the same through the generic form.

// CHECK: gpu.module @kernels {
gpu.module @kernels {
  // CHECK: gpu.func @all(%{{.*}}: !gpu.ptr<global>, %{{.*}}: index, %{{.*}}: !gpu.tensor_map) attributes {
  gpu.func @all(%x: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map)
      attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [f32], sizes = ["N"], grid = 1 : i64, block = 128 : i64, tensor_maps = [{arg = "x"}]} {
    // CHECK: gpu.thread_id x
    %tid = gpu.thread_id x
    // CHECK: gpu.block_id y
    %cta = gpu.block_id y
    // CHECK: gpu.grid_dim z
    %ctas = gpu.grid_dim z
    // CHECK: gpu.lane_id
    %lane = gpu.lane_id
    // CHECK: gpu.warp_id
    %warp = gpu.warp_id
    // CHECK: %[[SHARED:.*]] = gpu.shared_memory : !gpu.ptr<shared>
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %i = arith.constant 16 : i32
    %one = arith.constant 1.0 : f32
    %id = arith.constant 1 : i32
    // CHECK: gpu.ptr_add %[[SHARED]], %{{.*}} : !gpu.ptr<shared>, i32
    %bar = gpu.ptr_add %shared, %i : !gpu.ptr<shared>, i32
    // CHECK: gpu.shared_address %[[SHARED]] : !gpu.ptr<shared>
    %address = gpu.shared_address %shared : !gpu.ptr<shared>
    // CHECK: gpu.load %{{.*}} : !gpu.ptr<global> -> vector<4xf32>
    %v = gpu.load %x : !gpu.ptr<global> -> vector<4xf32>
    // CHECK: gpu.load %{{.*}} {readonly} : !gpu.ptr<global> -> f32
    %s = gpu.load %x {readonly} : !gpu.ptr<global> -> f32
    // CHECK: %[[PARTS:.*]]:4 = gpu.unpack %{{.*}} : vector<4xf32> -> f32, f32, f32, f32
    %p:4 = gpu.unpack %v : vector<4xf32> -> f32, f32, f32, f32
    // CHECK: gpu.pack %[[PARTS]]#0, %[[PARTS]]#1 : f32, f32 -> vector<2xf32>
    %w = gpu.pack %p#0, %p#1 : f32, f32 -> vector<2xf32>
    // CHECK: gpu.splat %{{.*}} : f32 -> vector<8xf32>
    %sp = gpu.splat %one : f32 -> vector<8xf32>
    // CHECK: gpu.poison : vector<8xf32>
    %none = gpu.poison : vector<8xf32>
    // CHECK: gpu.pin %{{.*}} : vector<8xf32>
    %pin = gpu.pin %sp : vector<8xf32>
    // CHECK: gpu.pin %{{.*}} branch : i32
    %held = gpu.pin %i branch : i32
    %less = arith.cmpf olt, %one, %s : f32
    // CHECK: gpu.replace_if %{{.*}}, %{{.*}}, %{{.*}}
    %taken = gpu.replace_if %less, %one, %s
    // CHECK: gpu.shuffle xor %{{.*}}, %{{.*}}, %{{.*}} : f32
    %sh, %valid = gpu.shuffle xor %one, %i, %i : f32
    %pair = gpu.poison : vector<2xbf16>
    // CHECK: gpu.shuffle xor %{{.*}}, %{{.*}}, %{{.*}} : vector<2xbf16>
    %swapped, %in_range = gpu.shuffle xor %pair, %i, %i : vector<2xbf16>
    // CHECK: gpu.store %{{.*}}, %{{.*}} : vector<2xf32>, !gpu.ptr<global>
    gpu.store %w, %x : vector<2xf32>, !gpu.ptr<global>
    // CHECK: gpu.cp_async %[[SHARED]], %{{.*}}, 16
    gpu.cp_async %shared, %x, 16
    // CHECK: gpu.cp_async %[[SHARED]], %{{.*}}, 4 zfill %{{.*}}
    gpu.cp_async %shared, %x, 4 zfill %i
    // CHECK: gpu.cp_async_mbarrier_arrive %{{.*}}
    gpu.cp_async_mbarrier_arrive %bar
    // CHECK: gpu.mbarrier_init %{{.*}}, 33
    gpu.mbarrier_init %bar, 33
    // CHECK: gpu.mbarrier_init_fence
    gpu.mbarrier_init_fence
    // CHECK: gpu.barrier
    gpu.barrier
    // CHECK: gpu.named_barrier %{{.*}}, 64
    gpu.named_barrier %id, 64
    // CHECK: gpu.named_barrier_arrive %{{.*}}, 96
    gpu.named_barrier_arrive %id, 96
    // CHECK: gpu.prefetch %{{.*}}
    gpu.prefetch %x
    // CHECK: gpu.griddepcontrol wait
    gpu.griddepcontrol wait
    // CHECK: gpu.warp_sync
    gpu.warp_sync
    // CHECK: gpu.elect
    %elected = gpu.elect
    // CHECK: gpu.mbarrier_arrive %{{.*}}
    gpu.mbarrier_arrive %bar
    // CHECK: gpu.mbarrier_arrive_expect_tx %{{.*}}, 4096
    gpu.mbarrier_arrive_expect_tx %bar, 4096
    // CHECK: gpu.mbarrier_wait %{{.*}}, %{{.*}}
    gpu.mbarrier_wait %bar, %i
    // CHECK: gpu.fence_proxy_async
    gpu.fence_proxy_async
    // CHECK: gpu.tma_load %[[SHARED]], %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}]
    gpu.tma_load %shared, %bar, %map[%i, %i]
    // CHECK: gpu.tma_store %[[SHARED]], %{{.*}}[%{{.*}}, %{{.*}}]
    gpu.tma_store %shared, %map[%i, %i]
    // CHECK: gpu.tma_store %[[SHARED]], %{{.*}}[%{{.*}}] reduce add
    gpu.tma_store %shared, %map[%i] reduce add
    // CHECK: gpu.bulk_commit
    gpu.bulk_commit
    // CHECK: gpu.bulk_wait_read 1
    gpu.bulk_wait_read 1
    // CHECK: gpu.bulk_load %[[SHARED]], %{{.*}}, %{{.*}}, %{{.*}}
    gpu.bulk_load %shared, %bar, %x, %i
    // CHECK: gpu.ldmatrix %[[SHARED]] : vector<8xbf16>
    %a = gpu.ldmatrix %shared : vector<8xbf16>
    // CHECK: gpu.ldmatrix %[[SHARED]] trans : vector<8xbf16>
    %at = gpu.ldmatrix %shared trans : vector<8xbf16>
    // CHECK: gpu.stmatrix %{{.*}}, %[[SHARED]] : vector<8xbf16>
    gpu.stmatrix %at, %shared : vector<8xbf16>
    %b:2 = gpu.unpack %at : vector<8xbf16> -> vector<4xbf16>, vector<4xbf16>
    // CHECK: gpu.mma %{{.*}}, %{{.*}}, %{{.*}} : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
    %m = gpu.mma %a, %b#0, %v : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
    %desc = arith.constant 7 : i64
    // CHECK: gpu.wgmma_fence
    gpu.wgmma_fence
    // CHECK: %[[FIRST:.*]] = gpu.wgmma %[[D:.*]], %[[D]], 16 : bf16 -> vector<8xf32>
    %g0 = gpu.wgmma %desc, %desc, 16 : bf16 -> vector<8xf32>
    // CHECK: gpu.wgmma %[[D]], %[[D]], 16 into %[[FIRST]] trans_b : bf16 -> vector<8xf32>
    %g1 = gpu.wgmma %desc, %desc, 16 into %g0 trans_b : bf16 -> vector<8xf32>
    // CHECK: %[[RS:.*]] = gpu.wgmma_rs %{{.*}}, %[[D]], 16 : bf16 : vector<8xbf16> -> vector<8xf32>
    %rs = gpu.wgmma_rs %a, %desc, 16 : bf16 : vector<8xbf16> -> vector<8xf32>
    // CHECK: gpu.wgmma_rs %{{.*}}, %[[D]], 16 into %[[RS]] trans_b : bf16 : vector<8xbf16> -> vector<8xf32>
    %rs1 = gpu.wgmma_rs %a, %desc, 16 into %rs trans_b : bf16 : vector<8xbf16> -> vector<8xf32>
    // CHECK: gpu.wgmma_rs %{{.*}}, %[[D]], 16 into %{{.*}} if %{{.*}} : bf16 : vector<8xbf16> -> vector<8xf32>
    %rs2 = gpu.wgmma_rs %a, %desc, 16 into %rs1 if %elected : bf16 : vector<8xbf16> -> vector<8xf32>
    // CHECK: gpu.wgmma %[[D]], %[[D]], 16 into %{{.*}} if %{{.*}} : bf16 -> vector<8xf32>
    %g2 = gpu.wgmma %desc, %desc, 16 into %g1 if %elected : bf16 -> vector<8xf32>
    // CHECK: gpu.wgmma_commit
    gpu.wgmma_commit
    // CHECK: gpu.wgmma_wait 0, %{{.*}} : vector<8xf32>
    %g = gpu.wgmma_wait 0, %g1 : vector<8xf32>
    // CHECK: gpu.wgmma_wait 1{{$}}
    gpu.wgmma_wait 1
    // CHECK: gpu.tcgen05_alloc %{{.*}}, 64
    gpu.tcgen05_alloc %shared, 64
    // CHECK: gpu.tcgen05_fence before
    gpu.tcgen05_fence before
    // CHECK: %[[TENSOR:.*]] = gpu.tcgen05_address %{{.*}}
    %tensor = gpu.tcgen05_address %shared
    // CHECK: gpu.tcgen05_fence after
    gpu.tcgen05_fence after
    // CHECK: gpu.tcgen05_mma %[[TENSOR]], %[[D]], %[[D]], 128 x 64 if %{{.*}} : bf16
    gpu.tcgen05_mma %tensor, %desc, %desc, 128 x 64 if %elected : bf16
    // CHECK: gpu.tcgen05_commit %{{.*}}
    gpu.tcgen05_commit %shared
    // CHECK: %[[LOADED:.*]] = gpu.tcgen05_ld %[[TENSOR]] : vector<64xf32>
    %loaded = gpu.tcgen05_ld %tensor : vector<64xf32>
    // CHECK: gpu.tcgen05_wait_ld %[[LOADED]] : vector<64xf32>
    %ready = gpu.tcgen05_wait_ld %loaded : vector<64xf32>
    // CHECK: gpu.tcgen05_dealloc %[[TENSOR]], 64
    gpu.tcgen05_dealloc %tensor, 64
    // CHECK: gpu.setmaxnreg increase 232
    gpu.setmaxnreg increase 232
    // CHECK: gpu.return
    gpu.return
  }
}

// CHECK: gpu.module @clusters {
gpu.module @clusters {
  // CHECK: gpu.func @pair({{.*}}) attributes {
  // CHECK-SAME: cluster = [2, 1, 1]
  gpu.func @pair(%x: !gpu.ptr<global>, %map: !gpu.tensor_map)
      attributes {target = ["sm_90a"], arg_names = ["x"], arg_types = [f32], sizes = [], grid = 2 : i64, block = 32 : i64, cluster = [2, 1, 1], tensor_maps = [{arg = "x"}]} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %i = arith.constant 1 : i32
    // CHECK: gpu.cluster_id x
    %cluster = gpu.cluster_id x
    // CHECK: gpu.cluster_dim x
    %clusters = gpu.cluster_dim x
    // CHECK: gpu.cluster_block_id y
    %rank = gpu.cluster_block_id y
    // CHECK: gpu.cluster_barrier
    gpu.cluster_barrier
    // CHECK: gpu.tma_load_multicast %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}
    gpu.tma_load_multicast %shared, %shared, %map[%i, %i] to %i
    // CHECK: gpu.mbarrier_arrive_remote %{{.*}} at %{{[a-z0-9]+$}}
    gpu.mbarrier_arrive_remote %shared at %i
    // CHECK: gpu.mbarrier_arrive_remote %{{.*}} at %{{.*}} relaxed
    gpu.mbarrier_arrive_remote %shared at %i relaxed
    // CHECK: gpu.mbarrier_wait %{{.*}}, %{{.*}} cluster
    gpu.mbarrier_wait %shared, %i cluster
    gpu.return
  }
}
