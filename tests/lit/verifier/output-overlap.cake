// Rule output-overlap.
// RUN: cake-opt %s --split-input-file --verify-diagnostics
// RUN: not cake-opt %s --split-input-file 2>&1 | FileCheck %s --check-prefix=CODE
// CODE: output-overlap.cake:[[@LINE+15]]:7: error: 'cake.commit' op in role '@all' writes the same elements of %y again {{.*}} [OUTPUT_OVERLAP]
// CODE: fix: let the place depend on it, or write `reduce add`

// The parts of a sum are stored on top of one another.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @parts(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  // expected-note@+1 {{of which there are several}}
  cake.tiles @work (p = 8, r = ceildiv(R, 64)) schedule(persistent)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      %f = cake.fill 1.0 : !F
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      // expected-error@+1 {{in role '@all' writes the same elements of %y again for each p of the items, in no order}}
      cake.commit %s to(%y[%r * 64, 0])
    }
  }
}

// -----

// They are added.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @added(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (p = 8, r = ceildiv(R, 64)) schedule(persistent)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      %f = cake.fill 1.0 : !F
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      cake.commit %s to(%y[%r * 64, 0]) reduce add
    }
  }
}

// -----

// One part; a part that the place depends on by way of other ops.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @one(%y: !cake.global<[R]x64xf32, align 16>, %z: !cake.global<[Q]x[R]x64xf32>) target("sm_90a") {
  cake.tiles @work (p = 1, q = Q, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%p, %q, %r) in @work {
      %f = cake.fill 1.0 : !F
      %two = arith.constant 2 : index
      %rows = arith.muli %r, %two : index
      %at = cake.index (%rows * 32) : index
      cake.unroll %j = 0 to 1 {
        cake.store %f, %z[%q, %at, %j] clip
      }
    }
  }
}

// -----

// Under a condition, or with elements left out, one item alone may write: nothing is said.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @first(%y: !cake.global<[R]x64xf32, align 16>, %z: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.tiles @work (p = 8, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      %f = cake.fill 1.0 : !F
      %zero = arith.constant 0 : index
      %is = arith.cmpi eq, %p, %zero : index
      scf.if %is {
        cake.store %f, %y[%r * 64, 0] clip
      }
      cake.store %f, %z[%r * 64, 0] keep(row + %p * 64 lt 64, row + %r * 64 lt R)
    }
  }
}

// -----

// Replicas.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @replicas(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.tiles @work (r = ceildiv(R, 64)) schedule(grid)
  // expected-note@+1 {{of which there are several}}
  cake.role @all warps(4) replicate(2) {
    cake.items (%r) in @work {
      %f = cake.fill 1.0 : !F
      // expected-error@+1 {{writes the same elements of %y again for each replica of the role, in no order}}
      cake.store %f, %y[%r * 64, 0] clip
    }
  }
}

// -----

!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @apart(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.tiles @work (r = ceildiv(R, 128)) schedule(grid)
  cake.role @all warps(4) replicate(2) {
    cake.items (%r) in @work {
      %f = cake.fill 1.0 : !F
      %at = cake.index (%r * 128 + instance * 64) : index
      cake.store %f, %y[%at, 0] clip
    }
  }
}

// -----

// CTAs of a cluster.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
// expected-note@+1 {{of which there are several}}
cake.kernel @cluster(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") cluster(2) {
  cake.tiles @work (r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%r) in @work {
      %f = cake.fill 1.0 : !F
      // expected-error@+1 {{writes the same elements of %y again for each CTA of the cluster, in no order}}
      cake.store %f, %y[%r * 64, 0] clip
    }
  }
}

// -----

// What is added to is not written otherwise, and not read.
!F = tensor<64x64xf32, #cake.mma.acc<4x1>>
cake.kernel @both(%y: !cake.global<[R]x64xf32, align 16>) target("sm_90a") {
  cake.pipeline @out stages(1) from(@all) to(store) slot(y: !cake.shared<64x64xf32, sw128>)
  cake.tiles @work (p = 8, r = ceildiv(R, 64)) schedule(grid)
  cake.role @all warps(4) {
    cake.items (%p, %r) in @work {
      // expected-error@+1 {{reads %y in role '@all', which the kernel writes in no declared order}}
      %f = cake.load %y[%r * 64, 0] pad(0.0) : !F
      %zero = arith.constant 0 : index
      %is = arith.cmpi eq, %p, %zero : index
      scf.if %is {
        // expected-note@+2 {{it is written here}}
        // expected-note@+1 {{it is written here}}
        cake.store %f, %y[%r * 64, 0] clip
      }
      %s, %ys = cake.acquire @out
      cake.put %f, %ys
      // expected-error@+1 {{in role '@all' adds to %y, which the kernel writes as well, in no order}}
      cake.commit %s to(%y[%r * 64, 0]) reduce add
    }
  }
}
