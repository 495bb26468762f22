// Faults in the text of types and attributes, each at its token.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// expected-error@+1 {{an element must be an integer or float of whole bytes}}
module attributes {a = !cake.global<4x?xi1>} {}

// -----

// expected-error@+1 {{'d0' cannot name a size: it stands for an operand in generic form}}
module attributes {a = !cake.global<[N + d0]xf32>} {}

// -----

// expected-error@+1 {{alignment must be a power of two}}
module attributes {a = !cake.global<4xf32, align 24>} {}

// -----

// expected-error@+1 {{expected 'align'}}
module attributes {a = !cake.global<4xf32, writable>} {}

// -----

// expected-error@+1 {{more than 8 dimensions}}
module attributes {a = !cake.global<1x1x1x1x1x1x1x1x1xf32>} {}

// -----

// expected-error@+1 {{shared memory is viewed with one or two dimensions, but this has 3}}
module attributes {a = !cake.shared<4x4x4xf32, rows>} {}

// -----

// expected-error@+1 {{expected a storage form: one of rows, sw128, sw64, sw32}}
module attributes {a = !cake.shared<4xf32, sw16>} {}

// -----

// expected-error@+1 {{a row is padded by 0 to 65536 bytes}}
module attributes {a = !cake.shared<4xf32, rows<pad -1>>} {}

// -----

// expected-error@+1 {{expected a slot's state: one of open, full}}
module attributes {a = !cake.slot<@p, half>} {}

// -----

// expected-error@+1 {{expected}}
module attributes {a = !cake.slot<p, open>} {}

// -----

// expected-error@+1 {{a pending accumulator has the form wgmma.acc}}
module attributes {a = !cake.pending<64x64xf32, mma.acc<4x1>>} {}

// -----

// expected-error@+1 {{a pending accumulator has two dimensions, but this has 1}}
module attributes {a = !cake.pending<64xf32, wgmma.acc>} {}

// -----

// expected-error@+1 {{a running best has two sizes}}
module attributes {a = !cake.best<64xf32, min, tie<low>, nan<last>, group<1>, wgmma.acc>} {}

// -----

// expected-error@+1 {{a running best keeps 1 place of a row}}
module attributes {a = !cake.best<64x2xf32, min, tie<low>, nan<last>, group<1>, wgmma.acc>} {}

// -----

// expected-error@+1 {{candidates are of type 'f32'}}
module attributes {a = !cake.best<64x1xbf16, min, tie<low>, nan<last>, group<1>, wgmma.acc>} {}

// -----

// expected-error@+1 {{expected min or max: one of min, max}}
module attributes {a = !cake.best<64x1xf32, least, tie<low>, nan<last>, group<1>, wgmma.acc>} {}

// -----

// expected-error@+1 {{candidates are taken in groups of 1, 2, 4 or 8}}
module attributes {a = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<3>, wgmma.acc>} {}

// -----

// expected-error@+1 {{candidates have the form wgmma.acc, mma.acc or tmem.ld}}
module attributes {a = !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.a<4x1>>} {}

// -----

// expected-error@+1 {{a form is spread over 1 to 32 warps}}
module attributes {a = #cake.mma.acc<0x4>} {}

// -----

// expected-error@+1 {{a lane holds 1, 2, 4, 8 or 16}}
module attributes {a = #cake.vec<warp, 3>} {}

// -----

// expected-error@+1 {{expected a form such as mma.acc<4x1>}}
module attributes {a = #cake.row<expr<1>>} {}

// -----

// expected-error@+1 {{expected a form such as mma.a<4x1>}}
module attributes {a = #cake.of<4x[D], expr<1>>} {}

// -----

// expected-error@+1 {{expected an expression}}
module attributes {a = #cake.expr<1 + >} {}

// -----

// expected-error@+1 {{operands are written d0, d1, … here}}
module attributes {a = #cake.expr<%x>} {}

// -----

// expected-error@+1 {{expected an expression before 'lt'}}
module attributes {a = #cake.expr<lt>} {}

// -----

// expected-error@+1 {{'a.b' is no name of a size}}
module attributes {a = #cake.expr<a.b>} {}

// -----

// expected-error@+1 {{expression is nested deeper than 64 levels}}
module attributes {a = #cake.expr<((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))>} {}

// -----

// expected-error@+1 {{expression has more than 400 parts}}
module attributes {a = #cake.expr<1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1>} {}

// -----

// expected-error@+1 {{expected one of eq, ne, lt, le, gt, ge}}
module attributes {a = #cake.pred<1 2>} {}

// -----

// expected-error@+1 {{more than 8 coordinates}}
module attributes {a = #cake.at<[1, 2, 3, 4, 5, 6, 7, 8, 9]>} {}

// -----

// expected-error@+1 {{'a' occurs twice}}
module attributes {a = #cake.axes<a = 1, a = 2>} {}

// -----

// expected-error@+1 {{a part of a slot must be of type '!cake.shared' or '!cake.tmem', but this is 'f32'}}
module attributes {a = #cake.parts<a: f32>} {}

// -----

// expected-error@+1 {{the range holds no number}}
module attributes {a = #cake.choices<4..2>} {}

// -----

// expected-error@+1 {{expected a schedule: one of grid, persistent}}
module attributes {a = #cake.schedule<dynamic>} {}

// -----

// expected-error@+1 {{expected a way to copy: one of tma, bulk, cp_async}}
module attributes {a = #cake.via<dma>} {}

// -----

// expected-error@+1 {{expected an instruction such as}}
module attributes {a = #cake.form<wgmma.m64n64.nt>} {}

// -----

// expected-error@+1 {{expected an instruction such as}}
module attributes {a = #cake.form<mma.m16n8k16.nx>} {}
