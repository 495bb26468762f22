// RUN: cake-opt %s --verify-diagnostics --split-input-file
// What each op of the gpu dialect refuses.

func.func @part_count(%x: f32) {
  // expected-error @+1 {{has parts of 1 elements in all, but the vector has 2}}
  %v = gpu.pack %x : f32 -> vector<2xf32>
  return
}

// -----

func.func @part_type(%v: vector<4xf32>) {
  // expected-error @+1 {{expects parts of 'f32' or vectors of it, but got 'i32'}}
  %p:4 = gpu.unpack %v : vector<4xf32> -> i32, i32, i32, i32
  return
}

// -----

func.func @splat(%x: f32) {
  // expected-error @+1 {{spreads 'f32' over a vector of another type}}
  %v = gpu.splat %x : f32 -> vector<2xi32>
  return
}

// -----

func.func @dimension() {
  // expected-error @+1 {{expects 'dimension' to be one of x, y, z}}
  %t = gpu.thread_id w
  return
}

// -----

func.func @shuffle_mode(%x: f32, %i: i32) {
  // expected-error @+1 {{expects 'mode' to be one of xor, up, down, idx}}
  %a, %b = gpu.shuffle left %x, %i, %i : f32
  return
}

// -----

func.func @shuffle_type(%x: f64, %i: i32) {
  // expected-error @+1 {{exchanges 32 bits: i32, f32 or a vector, but got 'f64'}}
  %a, %b = gpu.shuffle xor %x, %i, %i : f64
  return
}

// -----

func.func @shuffle_vector(%x: vector<4xbf16>, %i: i32) {
  // expected-error @+1 {{exchanges 32 bits: i32, f32 or a vector, but got 'vector<4xbf16>'}}
  %a, %b = gpu.shuffle xor %x, %i, %i : vector<4xbf16>
  return
}

// -----

func.func @barrier_threads(%i: i32) {
  // expected-error @+1 {{counts 48 threads; whole warps meet: a multiple of 32 from 32 to 1024}}
  gpu.named_barrier %i, 48
  return
}

// -----

func.func @barrier_id() {
  %id = arith.constant 16 : i32
  // expected-error @+1 {{names barrier 16; there are 1 to 15 beside that of gpu.barrier}}
  gpu.named_barrier_arrive %id, 64
  return
}

// -----

func.func @grid() {
  // expected-error @+1 {{expects 'action' to be one of wait, launch_dependents}}
  gpu.griddepcontrol launch
  return
}

// -----

func.func @registers() {
  // expected-error @+1 {{expects 24 to 256 registers in multiples of 8, but got 100}}
  gpu.setmaxnreg increase 100
  return
}

// -----

func.func @access(%p: !gpu.ptr<global>) {
  // expected-error @+1 {{moves 1, 2, 4, 8 or 16 bytes, but got 'vector<3xf32>'}}
  %v = gpu.load %p : !gpu.ptr<global> -> vector<3xf32>
  return
}

// -----

func.func @store_access(%p: !gpu.ptr<global>, %v: vector<8xf32>) {
  // expected-error @+1 {{moves 1, 2, 4, 8 or 16 bytes, but got 'vector<8xf32>'}}
  gpu.store %v, %p : vector<8xf32>, !gpu.ptr<global>
  return
}

// -----

func.func @copy_size(%p: !gpu.ptr<global>) {
  %s = gpu.shared_memory : !gpu.ptr<shared>
  // expected-error @+1 {{copies 4, 8 or 16 bytes, but got 12}}
  gpu.cp_async %s, %p, 12
  return
}

// -----

func.func @ldmatrix(%p: !gpu.ptr<global>) {
  %s = gpu.shared_memory : !gpu.ptr<shared>
  // expected-error @+1 {{gives vector<8xbf16> or vector<8xf16>, but got 'vector<4xbf16>'}}
  %m = gpu.ldmatrix %s : vector<4xbf16>
  return
}

// -----

func.func @mma(%a: vector<8xbf16>, %b: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{takes vector<8xbf16> * vector<4xbf16> + vector<4xf32> (or f16)}}
  %d = gpu.mma %a, %b, %c : vector<8xbf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

func.func @wgmma_n(%d: i64) {
  // expected-error @+1 {{expects n from 8 to 256 in multiples of 8, but got 12}}
  %r = gpu.wgmma %d, %d, 12 : bf16 -> vector<6xf32>
  return
}

// -----

func.func @wgmma_result(%d: i64) {
  // expected-error @+1 {{gives vector<8xf32>, but got 'vector<4xf32>'}}
  %r = gpu.wgmma %d, %d, 16 : bf16 -> vector<4xf32>
  return
}

// -----

func.func @wgmma_element(%d: i64) {
  // expected-error @+1 {{multiplies bf16, f16, f8E4M3FN, f8E5M2 or f32 (as tf32), but got 'f64'}}
  %r = gpu.wgmma %d, %d, 16 : f64 -> vector<8xf32>
  return
}

// -----

func.func @wgmma_rs_a(%a: vector<8xf16>, %d: i64) {
  // expected-error @+1 {{takes A as vector<8xbf16>, but got 'vector<8xf16>'}}
  %r = gpu.wgmma_rs %a, %d, 16 : bf16 : vector<8xf16> -> vector<8xf32>
  return
}

// -----

func.func @wgmma_rs_acc(%a: vector<8xf16>, %d: i64, %acc: vector<4xf32>) {
  // expected-error @+1 {{accumulates into 'vector<4xf32>', but gives 'vector<8xf32>'}}
  %r = "gpu.wgmma_rs"(%a, %d, %acc) {n = 16 : i64, element = f16, operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (vector<8xf16>, i64, vector<4xf32>) -> vector<8xf32>
  return
}

// -----

func.func @replace_if(%c: i1, %x: f64) {
  // expected-error @+3 {{operand #1 must be 32-bit float, but got 'f64'}}
  // expected-error @+2 {{operand #2 must be 32-bit float, but got 'f64'}}
  // expected-error @+1 {{result #0 must be 32-bit float, but got 'f64'}}
  %r = "gpu.replace_if"(%c, %x, %x) : (i1, f64, f64) -> f64
  return
}

// -----

gpu.module @m {
  // expected-error @+1 {{has 2 arguments, but its launch facts name 1}}
  gpu.func @facts(%x: !gpu.ptr<global>, %n: index) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [f32], sizes = [], grid = 1 : i64, block = 32 : i64} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{has 2048 threads a CTA; 1 to 1024 are possible}}
  gpu.func @threads(%x: !gpu.ptr<global>) attributes {target = ["sm_80"], arg_names = ["x"], arg_types = [f32], sizes = [], grid = 1 : i64, block = 2048 : i64} {
    gpu.return
  }
}

// -----

func.func @stmatrix(%p: !gpu.ptr<global>) {
  %s = gpu.shared_memory : !gpu.ptr<shared>
  %v = gpu.load %p : !gpu.ptr<global> -> vector<4xf32>
  // expected-error@+1 {{stores vector<8xbf16> or vector<8xf16>, but got 'vector<4xf32>'}}
  gpu.stmatrix %v, %s : vector<4xf32>
  func.return
}

// -----

func.func @wgmma_if(%d: i64, %b: i1) {
  // expected-error@+1 {{has a condition, but no accumulator to read}}
  %r = gpu.wgmma %d, %d, 16 if %b : bf16 -> vector<8xf32>
  func.return
}

// -----

func.func @tensor_columns(%t: i32) {
  // expected-error@+1 {{names 48 columns; tensor memory is allocated in powers of two from 32 to 512}}
  gpu.tcgen05_dealloc %t, 48
  func.return
}

// -----

func.func @tensor_fence() {
  // expected-error@+1 {{expects 'side' to be one of before, after}}
  gpu.tcgen05_fence around
  func.return
}

// -----

func.func @tensor_shape(%t: i32, %d: i64, %b: i1) {
  // expected-error@+1 {{is of 128x24; tcgen05.mma has 64 rows (columns in steps of 8) or 128 (in steps of 16), and up to 256 columns}}
  gpu.tcgen05_mma %t, %d, %d, 128 x 24 if %b : bf16
  func.return
}

// -----

func.func @tensor_element(%t: i32, %d: i64, %b: i1) {
  // expected-error@+1 {{multiplies bf16, f16, f8E4M3FN, f8E5M2 or f32 (as tf32), but got 'f64'}}
  gpu.tcgen05_mma %t, %d, %d, 128 x 64 if %b : f64
  func.return
}

// -----

func.func @tensor_count(%t: i32) {
  // expected-error@+1 {{gives vector<Nxf32>, N a power of two up to 128, but got 'vector<48xf32>'}}
  %v = gpu.tcgen05_ld %t : vector<48xf32>
  func.return
}

// -----

func.func @tensor_wait(%t: i32, %w: vector<4xf32>) {
  // expected-note@+1 {{it is loaded here}}
  %v = gpu.tcgen05_ld %t : vector<4xf32>
  // expected-error@+1 {{takes what gpu.tcgen05_ld loads, which may not have arrived}}
  %s = arith.addf %v, %w : vector<4xf32>
  func.return
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{needs a cluster of 1 to 8 CTAs along x, and 1 along y and z}}
  gpu.func @cluster() attributes {target = ["sm_90a"], arg_names = [], arg_types = [], sizes = [], grid = 1 : i64, block = 32 : i64, cluster = [9, 1, 1]} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{needs a cluster of 1 to 8 CTAs along x, and 1 along y and z}}
  gpu.func @cluster() attributes {target = ["sm_90a"], arg_names = [], arg_types = [], sizes = [], grid = 1 : i64, block = 32 : i64, cluster = [2, 2, 1]} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{needs a cluster of 1 to 8 CTAs along x, and 1 along y and z}}
  gpu.func @cluster() attributes {target = ["sm_90a"], arg_names = [], arg_types = [], sizes = [], grid = 1 : i64, block = 32 : i64, cluster = [2, 1]} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{needs a cluster of 1 to 8 CTAs along x, and 1 along y and z}}
  gpu.func @cluster() attributes {target = ["sm_90a"], arg_names = [], arg_types = [], sizes = [], grid = 1 : i64, block = 32 : i64, cluster = [0, 1, 1]} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{needs a cluster of 1 to 8 CTAs along x, and 1 along y and z}}
  gpu.func @cluster() attributes {target = ["sm_90a"], arg_names = [], arg_types = [], sizes = [], grid = 1 : i64, block = 32 : i64, cluster = [f32, 1, 1]} {
    gpu.return
  }
}

// -----

func.func @reduce(%shared: !gpu.ptr<shared>, %map: !gpu.tensor_map, %i: i32) {
  // expected-error @+1 {{has no 'reduce' of "max"; there is `add`}}
  gpu.tma_store %shared, %map[%i] reduce max
  return
}
