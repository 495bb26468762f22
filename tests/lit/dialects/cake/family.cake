// Kernels of one family: `family(@name)` reads back to what is printed, and they must have the same arguments.
// RUN: cake-opt %s --split-input-file -o %t.1 --verify-diagnostics
// RUN: sed '/^.. -----/,$d' %s > %t.first
// RUN: cake-opt %t.first -o %t.2
// RUN: cake-opt %t.2 | cmp - %t.2
// RUN: cake-opt --print-op-generic %t.2 | cake-opt - | cmp - %t.2
// RUN: FileCheck %s --input-file=%t.2
// CHECK: cake.kernel @few({{.*}}) target("sm_80") guard(N le 16) family(@double) {
// CHECK: cake.kernel @many({{.*}}) target("sm_80") family(@double) {
// Lowered, each is a kernel of its own.
// RUN: cake-opt --cake-instantiate --cake-assign-shared --cake-expand-roles %t.2 | FileCheck %s --check-prefix=ROLES
// ROLES: gpu.func @few
// ROLES-NOT: family
// ROLES: gpu.func @many
// ROLES-NOT: family

cake.kernel @few(%x: !cake.global<[N]xf32>, %y: f32) target("sm_80") guard(N le 16) family(@double) {
  cake.tiles @work (n = ceildiv(N, 32)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
    }
  }
}
// Alignments and promises may differ, and kernels of no family stand beside them.
cake.kernel @other(%z: f32) target("sm_80") {
  cake.role @all warps(1) {
  }
}
cake.kernel @many(%x: !cake.global<[N]xf32, readonly, align 16>, %y: f32) target("sm_80") family(@double) {
  cake.tiles @work (n = ceildiv(N, 64)) schedule(grid)
  cake.role @all warps(1) {
    cake.items (%n) in @work {
    }
  }
}

// -----

// expected-note @+1 {{this is the first kernel of the family}}
cake.kernel @few(%x: !cake.global<[N]xf32>) target("sm_80") family(@double) {
  cake.role @all warps(1) {
  }
}
// expected-error @+1 {{is of the family '@double', whose kernels have the same arguments, but has another number of them}}
cake.kernel @many(%x: !cake.global<[N]xf32>, %y: f32) target("sm_80") family(@double) {
  cake.role @all warps(1) {
  }
}

// -----

// expected-note @+1 {{this is the first kernel of the family}}
cake.kernel @few(%x: !cake.global<[N]xf32>, %y: f32) target("sm_80") family(@double) {
  cake.role @all warps(1) {
  }
}
// expected-error @+1 {{but names them differently}}
cake.kernel @many(%y: !cake.global<[N]xf32>, %x: f32) target("sm_80") family(@double) {
  cake.role @all warps(1) {
  }
}

// -----

// expected-note @+1 {{this is the first kernel of the family}}
cake.kernel @few(%x: !cake.global<[N]xf32>, %y: f32) target("sm_80") family(@double) {
  cake.role @all warps(1) {
  }
}
// expected-error @+1 {{but has them of other types}}
cake.kernel @many(%x: !cake.global<[N]x64xf32>, %y: f32) target("sm_80") family(@double) {
  cake.role @all warps(1) {
  }
}
