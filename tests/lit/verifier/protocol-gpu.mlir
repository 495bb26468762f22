// Rule protocol at the gpu level: barriers that are written by hand (SYNC_PHASE_LAP).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// A ring of two accumulators. The reader advances its counter before it frees the slot, so it frees the next one: that
// barrier's phase is over before the writer waits for it.
gpu.module @kernels {
  // expected-note@+1 {{a schedule that leads there, 10 move(s)}}
  gpu.func @ring(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 64 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      scf.for %i = %c0 to %c2 step %c1 {
        %j = arith.index_cast %i : index to i32
        %o = arith.muli %j, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %f, 1
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %e, 1
      }
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w = gpu.warp_id
    %is_mma = arith.cmpi eq, %w, %c0 : index
    scf.if %is_mma {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %q = arith.xori %ph, %one : i32
        // expected-error@+1 {{can be lapped: another phase of the mbarrier at byte 24 completes before warp 0 has seen the one that it waits for, and it waits for ever}}
        gpu.mbarrier_wait %e, %q
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %f
        }
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        scf.yield %s2, %ph2 : i32, i32
      }
    } else {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_wait %f, %ph
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        %o2 = arith.muli %s2, %c8 : i32
        %p = arith.addi %o2, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %e
        }
        scf.yield %s2, %ph2 : i32, i32
      }
    }
    gpu.return
  }
}

// -----

// The right ring: the slot that was read is freed.
gpu.module @kernels {
  gpu.func @ring(%arg0: !gpu.ptr<global>, %n: index) attributes {arg_names = ["x"], arg_types = [!cake.global<[N]xf32>], block = 64 : i64, grid = #cake.expr<1>, shared_bytes = 64 : i64, sizes = ["N"], target = ["sm_90a"]} {
    %smem = gpu.shared_memory : !gpu.ptr<shared>
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      scf.for %i = %c0 to %c2 step %c1 {
        %j = arith.index_cast %i : index to i32
        %o = arith.muli %j, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %f, 1
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        gpu.mbarrier_init %e, 1
      }
      gpu.mbarrier_init_fence
    }
    gpu.barrier
    %w = gpu.warp_id
    %is_mma = arith.cmpi eq, %w, %c0 : index
    scf.if %is_mma {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %p = arith.addi %o, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %q = arith.xori %ph, %one : i32
        gpu.mbarrier_wait %e, %q
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %f
        }
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        scf.yield %s2, %ph2 : i32, i32
      }
    } else {
      %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %ph = %z) -> (i32, i32) {
        %o = arith.muli %s, %c8 : i32
        %f = gpu.ptr_add %smem, %o : !gpu.ptr<shared>, i32
        gpu.mbarrier_wait %f, %ph
        %s1 = arith.addi %s, %one : i32
        %wrap = arith.cmpi eq, %s1, %two : i32
        %s2 = arith.select %wrap, %z, %s1 : i32
        %flip = arith.extui %wrap : i1 to i32
        %ph2 = arith.xori %ph, %flip : i32
        %o2 = arith.muli %s, %c8 : i32
        %p = arith.addi %o2, %c16 : i32
        %e = gpu.ptr_add %smem, %p : !gpu.ptr<shared>, i32
        %l = gpu.elect
        scf.if %l {
          gpu.mbarrier_arrive %e
        }
        scf.yield %s2, %ph2 : i32, i32
      }
    }
    gpu.return
  }
}
