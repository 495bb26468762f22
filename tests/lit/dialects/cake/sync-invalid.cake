// RUN: cake-opt %s --verify-diagnostics --split-input-file
// What barriers, calls, coordinates and hints refuse.

cake.kernel @no_role() target("sm_80") {
  // expected-error @+1 {{names @b, which is no role of this kernel}}
  cake.barrier @x meet(@a, @b)
  cake.role @a warps(1) {
  }
}

// -----

cake.kernel @twice() target("sm_80") {
  // expected-error @+1 {{names @a twice}}
  cake.barrier @x meet(@a, @a)
  cake.role @a warps(1) {
  }
}

// -----

cake.kernel @both() target("sm_80") {
  // expected-error @+1 {{has @a arrive and meet}}
  cake.barrier @x arrive(@a) meet(@a)
  cake.role @a warps(1) {
  }
}

// -----

cake.kernel @other() target("sm_80") {
  // expected-note @+1 {{the barrier is declared here}}
  cake.barrier @x meet(@a)
  cake.role @a warps(1) {
    cake.meet @x
  }
  cake.role @b warps(1) {
    // expected-error @+1 {{in role '@b' comes to barrier @x, of whose `meet` roles it is none}}
    cake.meet @x
  }
}

// -----

cake.kernel @unknown() target("sm_80") {
  cake.role @a warps(1) {
    // expected-error @+1 {{names @y, which is no barrier}}
    cake.arrive @y
  }
}

// -----

cake.kernel @no_function() target("sm_80") {
  cake.role @a warps(1) {
    // expected-error @+1 {{calls @a, which is no function}}
    cake.call @a() : () -> ()
  }
}

// -----

// expected-note @+1 {{the function is here}}
func.func private @outside(i32) -> i32
cake.kernel @no_body(%x: i32) target("sm_80") {
  cake.role @a warps(1) {
    // expected-error @+1 {{has no body of one block: it cannot be inlined}}
    %y = cake.call @outside(%x) : (i32) -> i32
  }
}

// -----

func.func private @f(%x: i32) -> i32 {
  return %x : i32
}
cake.kernel @argument(%x: f32) target("sm_80") {
  cake.role @a warps(1) {
    // expected-error @+1 {{hands over 'f32' as argument #0, which is 'i32'}}
    %y = cake.call @f(%x) : (f32) -> i32
  }
}

// -----

func.func private @f(%x: i32) -> i32 {
  return %x : i32
}
cake.kernel @result(%x: i32) target("sm_80") {
  cake.role @a warps(1) {
    // expected-error @+1 {{takes 'f32' as result #0, which is 'i32'}}
    %y = cake.call @f(%x) : (i32) -> f32
  }
}

// -----

func.func private @f(%x: i32) -> i32 {
  return %x : i32
}
cake.kernel @count(%x: i32) target("sm_80") {
  cake.role @a warps(1) {
    // expected-error @+1 {{hands over 1 value(s) and takes 0}}
    cake.call @f(%x) : (i32) -> ()
  }
}

// -----

cake.kernel @iota_float() target("sm_80") {
  cake.role @a warps(4) {
    // expected-error @+1 {{gives elements of type 'i32', not 'f32'}}
    %c = cake.iota axis(1) : tensor<64x64xf32, #cake.mma.acc<4x1>>
  }
}

// -----

cake.kernel @iota_axis() target("sm_80") {
  cake.role @a warps(4) {
    // expected-error @+1 {{counts along axis 1, which 'tensor<64xi32, #cake.row<mma.acc<4x1>>>' does not have}}
    %c = cake.iota axis(1) : tensor<64xi32, #cake.row<mma.acc<4x1>>>
  }
}

// -----

cake.kernel @iota_part() target("sm_80") {
  cake.role @a warps(4) {
    // expected-error @+1 {{would put its number into every lane of a part}}
    %c = cake.iota axis(0) : tensor<64xi32, #cake.part<add, mma.acc<4x1>>>
  }
}

// -----

cake.kernel @convert_wide() target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.fill 0.0 : tensor<64x64xf32, #cake.mma.acc<4x1>>
    // expected-error @+2 {{do not have the same registers}}
    // expected-note @+1 {{free are wgmma.acc to wgmma.a and mma.acc<Rx1> to mma.a<Rx1>}}
    %a = cake.convert %f : tensor<64x64xf32, #cake.mma.acc<4x1>> to tensor<64x64xf32, #cake.vec<warp, 2>>
  }
}

// -----

cake.kernel @convert_size() target("sm_80") {
  cake.role @a warps(4) {
    %f = cake.fill 0.0 : tensor<64x64xbf16, #cake.mma.acc<4x1>>
    // expected-error @+1 {{the sizes of}}
    %a = cake.convert %f : tensor<64x64xbf16, #cake.mma.acc<4x1>> to tensor<64x32xbf16, #cake.mma.a<4x1>>
  }
}

// -----

cake.kernel @depend() target("sm_90") {
  cake.role @a warps(1) {
    // expected-error @+1 {{expects 'what' to be one of wait, launch}}
    cake.depend start
  }
}

// -----

cake.kernel @prefetch(%x: !cake.global<64x64xf32>) target("sm_80") {
  cake.role @a warps(1) {
    // expected-error @+1 {{has 1 coordinate(s), but the array has 2 dimension(s)}}
    cake.prefetch %x[0]
  }
}

// -----

cake.kernel @from() target("sm_80") {
  cake.tiles @w (i = 1) steps(k = 4) schedule(grid)
  cake.role @a warps(1) {
    cake.items (%i) in @w {
      // expected-error @+1 {{from must be from 0 to 2147483647, but is -1}}
      cake.steps (%k) in @w from(-1) {
      }
    }
  }
}
