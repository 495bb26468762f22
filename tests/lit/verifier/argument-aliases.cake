// Rule argument-aliases (ARG_ALIASED): an array that a kernel writes is read in it only where each thread reads what it writes itself.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// In place: every element has one thread. Replicas are told apart, and lie apart.
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @in_place(%x: !cake.global<[B]x[N]x512xf32, align 16>) target("sm_90a") {
  cake.tiles @work (b = B, n = ceildiv(N, 128)) schedule(grid)
  cake.role @all warps(4) replicate(2) {
    cake.items (%b, %n) in @work {
      %f = cake.load %x[%b, %n * 128 + instance * 64, 0] pad(0.0) : !F
      cake.store %f, %x[%b, %n * 128 + instance * 64, 0] clip
    }
  }
}

// -----

// Both replicas have the same tile.
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @replicas(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  // expected-note@+1 {{of which there are several}}
  cake.role @all warps(4) replicate(2) {
    cake.items (%n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      // expected-note@+2 {{it is written here}}
      // expected-error@+1 {{writes the same elements of %x again for each replica of the role, in no order}}
      cake.store %f, %x[%n * 64, 0] clip
    }
  }
}

// -----

// So have all items of an axis that the place does not name.
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @items(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  // expected-note@+1 {{of which there are several}}
  cake.tiles @work (b = 2, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%b, %n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      // expected-note@+2 {{it is written here}}
      // expected-error@+1 {{writes the same elements of %x again for each b of the items, in no order}}
      cake.store %f, %x[%n * 64, 0] clip
    }
  }
}

// -----

// Tiles of neighbours overlap.
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @overlap(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 32)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n * 32, 0] pad(0.0) : !F
      // expected-note@+1 {{it is written here}}
      cake.store %f, %x[%n * 32, 0] clip
    }
  }
}

// -----

// In another form the element belongs to another thread.
!F = tensor<64x512xf32, #cake.vec<role, 4>>
!G = tensor<64x512xf32, #cake.vec<role, 2>>
cake.kernel @form(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      %g = cake.fill 0.0 : !G
      // expected-note@+1 {{it is written here}}
      cake.store %g, %x[%n * 64, 0] clip
    }
  }
}

// -----

// A copy engine reads at any time; another role as well.
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @copy(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  cake.pipeline @ring stages(1) from(@load) to(@use) slot(x: !cake.shared<64x512xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      // expected-error@+1 {{reads %x in role '@load', which the kernel writes in no declared order}}
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    %f = cake.fill 0.0 : !F
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      cake.release %t
      // expected-note@+1 {{it is written here}}
      cake.store %f, %x[%n * 64, 0] clip
    }
  }
}

// -----

// A declared barrier orders what one role stores for an item before what another loads for it.
!C = tensor<8xi32, #cake.col<mma.acc<1x1>>>
cake.kernel @behind_barrier(%x: !cake.global<[N]x8xi32>) target("sm_80") {
  cake.barrier @filled arrive(@a) meet(@b)
  cake.tiles @w (n = N) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%n) in @w {
      %v = cake.fill 1 : !C
      cake.store %v, %x[%n, 0]
      cake.arrive @filled
    }
  }
  cake.role @b warps(1) {
    cake.items (%n) in @w {
      cake.meet @filled
      %v = cake.load %x[%n, 0] : !C
    }
  }
}

// -----

// Not one to which the writing role comes too early, or behind which the reading role did not wait.
!C = tensor<8xi32, #cake.col<mma.acc<1x1>>>
cake.kernel @too_early(%x: !cake.global<[N]x8xi32>) target("sm_80") {
  cake.barrier @filled arrive(@a) meet(@b)
  cake.tiles @w (n = N) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%n) in @w {
      %v = cake.fill 1 : !C
      cake.arrive @filled
      // expected-note@+1 {{it is written here}}
      cake.store %v, %x[%n, 0]
    }
  }
  cake.role @b warps(1) {
    cake.items (%n) in @w {
      cake.meet @filled
      // expected-error@+1 {{reads %x in role '@b', which the kernel writes in no declared order}}
      %v = cake.load %x[%n, 0] : !C
    }
  }
}

// -----

// Another item's tile is none of this barrier's.
!C = tensor<8xi32, #cake.col<mma.acc<1x1>>>
cake.kernel @other_item(%x: !cake.global<[N]x[N]x8xi32>) target("sm_80") {
  cake.barrier @filled arrive(@a) meet(@b)
  cake.tiles @w (m = N, n = N) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%m, %n) in @w {
      %v = cake.fill 1 : !C
      // expected-note@+1 {{it is written here}}
      cake.store %v, %x[%m, %n, 0]
      cake.arrive @filled
    }
  }
  cake.role @b warps(1) {
    cake.items (%m, %n) in @w {
      cake.meet @filled
      // expected-error@+1 {{reads %x in role '@b', which the kernel writes in no declared order}}
      %v = cake.load %x[%n, %m, 0] : !C
    }
  }
}

// -----

// The same place along other dimensions is another tile.
!F = tensor<16x8xf32, #cake.mma.acc<1x1>>
cake.kernel @dims(%x: !cake.global<[N]x16x16x8xf32>) target("sm_80") {
  cake.tiles @w (n = N) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @w {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n, 0, 0, 0] dims(1, 3) : !F
      // expected-note@+1 {{it is written here}}
      cake.store %f, %x[%n, 0, 0, 0] dims(2, 3) {cake.partial}
    }
  }
}
