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
  cake.role @all warps(4) replicate(2) {
    cake.items (%n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      // expected-note@+1 {{it is written here}}
      cake.store %f, %x[%n * 64, 0] clip
    }
  }
}

// -----

// So have all items of an axis that the place does not name.
!F = tensor<64x512xf32, #cake.vec<role, 4>>
cake.kernel @items(%x: !cake.global<[N]x512xf32, align 16>) target("sm_90a") {
  cake.tiles @work (b = 2, n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%b, %n) in @work {
      // expected-error@+1 {{reads %x in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
      // expected-note@+1 {{it is written here}}
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
