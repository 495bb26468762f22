// Faults in the structure of a kernel: declarations, roles, loops.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// expected-error@+1 {{has no role}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.param @D = 1 in [1]
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{has the default 3, which is not among its choices [1, 2]}}
  cake.param @D = 3 in [1, 2]
  cake.role @r warps(4) {
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the first role is here}}
  cake.role @r warps(4) {
  }
  // expected-error@+1 {{declares something behind the first role}}
  cake.param @D = 1 in [1]
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{stands outside of a role}}
  %a = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
  // expected-error@+1 {{stands outside of a role}}
  %b = arith.constant 1 : i32
  cake.role @r warps(4) {
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{uses 'M', which is neither a parameter nor a size `[M]` of an argument}}
  cake.tiles @t (m = M) schedule(grid)
  cake.role @r warps(4) {
  }
}

// -----

// expected-error@+1 {{uses 'M', which is neither}}
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") guard(M ge 1) {
  cake.role @r warps(4) {
  }
}

// -----

// A size that is bound only together with others does not count.
// expected-error@+1 {{uses 'M', which is neither}}
cake.kernel @k(%x: !cake.global<[M * 2]xf32>) target("sm_90a") {
  cake.role @r warps(4) {
  }
}

// -----

// expected-error@+1 {{an argument of a kernel must be an array in global memory or a scalar, but this is 'vector<4xf32>'}}
cake.kernel @k(%x: vector<4xf32>) target("sm_90a") {
  cake.role @r warps(4) {
  }
}

// -----

// expected-error@+1 {{two arguments are named 'a'}}
cake.kernel @k(%x as a: f32, %y as a: f32) target("sm_90a") {
  cake.role @r warps(4) {
  }
}

// -----

// expected-error@+1 {{has 1 argument(s), but 0 name(s) in 'arg_names'}}
"cake.kernel"() <{sym_name = "k", arg_names = [], target = ["sm_80"]}> ({
^bb0(%x: f32):
  "cake.role"() <{sym_name = "r", warps = #cake.expr<1>}> ({ "cake.end"() : () -> () }) : () -> ()
  "cake.end"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{names no target}}
"cake.kernel"() <{sym_name = "k", arg_names = [], target = []}> ({
  "cake.role"() <{sym_name = "r", warps = #cake.expr<1>}> ({ "cake.end"() : () -> () }) : () -> ()
  "cake.end"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{expects parent op}}
cake.role @r warps(1) {
}

// -----

// Roles.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{needs either `warps` or `warpgroups`}}
  cake.role @a {
  }
  // expected-error@+1 {{needs either `warps` or `warpgroups`}}
  cake.role @b warps(4) warpgroups(1) {
  }
  // expected-error@+1 {{warpgroups must be from 1 to 1, but is 2}}
  cake.role @c warpgroups(2) {
  }
  // expected-error@+1 {{warps must be from 1 to 32, but is 0}}
  cake.role @d warps(0) {
  }
  // expected-error@+1 {{'replicate' uses `instance` outside of a role}}
  cake.role @e warps(1) replicate(instance) {
  }
}

// -----

// Pipelines.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{stages must be from 1 to 64, but is 0}}
  cake.pipeline @p stages(0) from(@r) to(@r) slot(x: !cake.shared<8x64xbf16, sw128>)
  // expected-error@+1 {{has slots without parts}}
  cake.pipeline @q stages(1) from(@r) to(@r) slot()
  // expected-error@+1 {{`from` names @nobody, which is no role of this kernel}}
  cake.pipeline @s stages(1) from(@nobody) to(@r) slot(x: !cake.shared<8x64xbf16, sw128>)
  // expected-error@+1 {{`to` names @s, which is no role of this kernel}}
  cake.pipeline @t stages(1) from(@r) to(@s) slot(x: !cake.shared<8x64xbf16, sw128>)
  // expected-error@+1 {{part 'x' has 12 rows; sw128 needs a multiple of 8}}
  cake.pipeline @u stages(1) from(@r) to(@r) slot(x: !cake.shared<12x64xbf16, sw128>)
  // expected-error@+1 {{part 'x' has rows of 96 bytes; sw128 needs a multiple of 128}}
  cake.pipeline @v stages(1) from(@r) to(@r) slot(x: !cake.shared<8x48xbf16, sw128>)
  // expected-error@+1 {{part 'x' is stored as sw64, which needs two dimensions}}
  cake.pipeline @w stages(1) from(@r) to(@r) slot(x: !cake.shared<64xbf16, sw64>)
  // expected-error@+1 {{part 'x' has 16777217 elements in dimension 1; at most 16777216}}
  cake.pipeline @z stages(1) from(@r) to(@r) slot(x: !cake.shared<8x16777217xbf16, rows>)
  cake.role @r warps(4) {
  }
}

// -----

// Iterators.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{has no axis}}
  cake.tiles @a () schedule(grid)
  // expected-error@+1 {{has more than 3 axes}}
  cake.tiles @b (a = 1, b = 1, c = 1, d = 1) schedule(grid)
  // expected-error@+1 {{has 2 inner axes; `steps` names one}}
  cake.tiles @c (a = 1) steps(x = 1, y = 1) schedule(grid)
  // expected-error@+1 {{axes must be from 0 to 2147483647, but is -1}}
  cake.tiles @d (a = -1) schedule(grid)
  cake.role @r warps(4) {
  }
}

// -----

// Loops.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @t (a = 2, b = 3) schedule(grid)
  cake.tiles @s (a = 2) steps(k = 2) schedule(grid)
  cake.role @r warps(4) {
    // expected-error@+1 {{names @r, which is no iterator (cake.tiles)}}
    cake.items (%a, %b) in @r {
    }
    // expected-error@+1 {{has 1 argument(s) in its body; 2 index(es) and 0 carried value(s) were expected}}
    cake.items (%a) in @t {
    }
    cake.items (%a, %b) in @t {
      // expected-error@+1 {{stands inside of another loop over items}}
      cake.items (%c) in @s {
      }
      // expected-error@+1 {{@t has no steps}}
      cake.steps (%k) in @t {
      }
      // expected-error@+1 {{must stand inside of the items of @s}}
      cake.steps (%k) in @s {
      }
    }
    cake.items (%c) in @s {
      cake.steps (%k) in @s {
        // expected-error@+1 {{stands inside of another loop over steps}}
        cake.steps (%l) in @s {
        }
      }
    }
  }
}

// -----

// Carried values.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.tiles @t (a = 2) schedule(grid)
  cake.role @r warps(4) {
    %one = arith.constant 1 : i32
    %two = arith.constant 1.0 : f32
    %u = cake.items (%a) in @t iter(%v = %one) {
      // expected-error@+1 {{hands on 0 value(s), but the loop carries 1}}
      cake.yield
    }
    %w = cake.items (%a) in @t iter(%v = %one) {
      // expected-error@+1 {{hands on 'f32' as carried value #0, which is 'i32'}}
      cake.yield %two
    }
  }
}

// -----

// A slot that changes over a loop: TOKEN_LOOP_TYPE.
!A = tensor<64x64xbf16, #cake.mma.a<4x1>>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.pipeline @other stages(1) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @ring stages(2) from(@load) to(@use) slot(x: !cake.shared<64x64xbf16, sw128>)
  cake.tiles @work (n = ceildiv(N, 64)) steps(k = 2) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %xs = cake.acquire @ring
      cake.copy %x[%n * 64, 0] -> %xs via(cp_async) pad(0.0)
      cake.commit %s
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %t, %xt = cake.wait @ring
      %o, %xo = cake.wait @other
      %u = cake.steps (%k) in @work iter(%v = %t) {
        // expected-error@+1 {{hands on '!cake.slot<@other, full>' as carried value #0, which is '!cake.slot<@ring, full>'}}
        cake.yield %o
      }
      cake.release %u
    }
  }
}

// -----

// Orders.
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{`over` names @s, which is no role of this kernel}}
  cake.order @o over(@s)
  cake.role @r warps(4) replicate(2) {
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{is over role @r, of which there is one instance}}
  cake.order @o over(@r)
  // expected-note@+1 {{the role is here}}
  cake.role @r warps(4) {
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the order is declared here}}
  cake.order @o over(@r)
  cake.role @r warps(4) replicate(2) {
  }
  cake.role @s warps(4) replicate(2) {
    // expected-error@+1 {{role '@s' takes a turn of @o, which is over role @r}}
    %t = cake.take @o
    cake.pass %t
  }
}

// -----

cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.role @r warps(4) replicate(2) {
    // expected-error@+1 {{names @o, which is no order}}
    %t = cake.take @o
    cake.pass %t
  }
}

// -----

cake.kernel @by_zero(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-error@+1 {{'axes' divides by 0: ceildiv(N, 0)}}
  cake.tiles @work (n = ceildiv(N, 0)) schedule(grid)
  cake.role @all warps(1) {
  }
}

// -----

// In any expression.
cake.kernel @by_zero_index(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  cake.role @all warps(1) {
    // expected-error@+1 {{'expr' divides by 0: (N + 1) mod 0}}
    %i = cake.index ((N + 1) mod 0) : index
  }
}
