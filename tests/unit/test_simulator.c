// What simulated ops compute: small kernels whose results are known by hand.
#include "sim_support.h"

#include <math.h>

#define ACC "#cake.mma.acc<4x1>"
#define F32 "tensor<64x8xf32, " ACC ">"
#define ROWF "tensor<64xf32, #cake.row<mma.acc<4x1>>>"

enum { ROWS = 64, COLS = 8, COUNT = ROWS * COLS };

// ---- Elementwise ops -----------------------------------------------------------------------------------------------------

// A kernel that loads fragments from arrays a, b, c of element types `in`, runs `body`, and stores %r to r of element type `out`.
static Sim each_open(const char *in, const char *out, const char *body) {
  CakeBuf text = {0};
  cake_buf_printf(
      &text, "!I = tensor<64x8x%s, " ACC ">\n!B = tensor<64x8xi1, " ACC ">\n!O = tensor<64x8x%s, " ACC ">\n", in, out);
  cake_buf_printf(&text,
                  "cake.kernel @k(%%a: !cake.global<64x8x%s>, %%b: !cake.global<64x8x%s>, %%c: !cake.global<64x8x%s>, "
                  "%%r: !cake.global<64x8x%s>) target(\"sm_80\") {\n",
                  in, in, in, out);
  cake_buf_text(&text, "cake.role @all warps(4) {\n %x = cake.load %a[0, 0] : !I\n %y = cake.load %b[0, 0] : !I\n %z = "
                       "cake.load %c[0, 0] : !I\n");
  cake_buf_printf(&text, "%s\n cake.store %%v, %%r[0, 0]\n }\n}\n", body);
  Sim sim = sim_open(text.data);
  cake_buf_fini(&text);
  return sim;
}

typedef struct Each {
  const char *in, *out, *body;
  double a, b, c, result;
} Each;

static const Each each[] = {
    {"f32",  "f32",  "%v = arith.addf %x, %y : !I",                                              1.5,          2.25,         0,  3.75          },
    {"f32",  "f32",  "%v = arith.subf %x, %y : !I",                                              1.5,          2.25,         0,  -0.75         },
    {"f32",  "f32",  "%v = arith.mulf %x, %y : !I",                                              1.5,          2.25,         0,  3.375         },
    {"f32",  "f32",  "%v = arith.divf %x, %y : !I",                                              1,            3,            0,  0x1.555556p-2 },
    {"f32",  "f32",  "%v = arith.negf %x : !I",                                                  2,            0,            0,  -2            },
    {"f32",  "f32",  "%v = arith.maximumf %x, %y : !I",                                          -0.0,         0,            0,  0             },
    {"f32",  "f32",  "%v = arith.maximumf %x, %y : !I",                                          NAN,          1,            0,  NAN           },
    {"f32",  "f32",  "%v = arith.minimumf %x, %y : !I",                                          0,            -0.0,         0,  -0.0          },
    {"f32",  "f32",  "%v = arith.minimumf %x, %y : !I",                                          1,            NAN,          0,  NAN           },
    {"f32",  "f32",  "%v = arith.maxnumf %x, %y : !I",                                           NAN,          1,            0,  1             },
    {"f32",  "f32",  "%v = arith.minnumf %x, %y : !I",                                           1,            NAN,          0,  1             },
    {"f32",  "f32",  "%v = arith.minnumf %x, %y : !I",                                           1,            -3,           0,  -3            },
    // 1/3 rounded to bf16 and f16; 1 + 2^-9 is a tie for bf16 and goes to even.
    {"bf16", "bf16", "%v = arith.divf %x, %y : !I",                                              1,            3,            0,  0x1.56p-2     },
    {"f16",  "f16",  "%v = arith.divf %x, %y : !I",                                              1,            3,            0,  0x1.554p-2    },
    {"bf16", "bf16", "%v = arith.addf %x, %y : !I",                                              1,            0x1p-8,       0,  1             },
    {"bf16", "bf16", "%v = arith.addf %x, %y : !I",                                              0x1.02p0,     0x1p-8,       0,  0x1.04p0      },
    {"f16",  "f16",  "%v = arith.mulf %x, %y : !I",                                              60000,        2,            0,  INFINITY      },
    {"f32",  "bf16", "%v = arith.truncf %x : !I to !O",                                          0x1.010002p0, 0,            0,  0x1.02p0      },
    {"f32",  "f16",  "%v = arith.truncf %x : !I to !O",                                          65520,        0,            0,  INFINITY      },
    {"bf16", "f32",  "%v = arith.extf %x : !I to !O",                                            0x1.56p-2,    0,            0,  0x1.56p-2     },
    {"f32",  "f32",  "%v = math.fma %x, %y, %z : !I",                                            0x1.000004p0, 0x1.000004p0, -1, 0x1.000002p-21},
    {"bf16", "bf16", "%v = math.fma %x, %y, %z : !I",                                            3,            5,            1,  16            },
    {"f32",  "f32",  "%v = math.absf %x : !I",                                                   -3,           0,            0,  3             },
    {"f32",  "f32",  "%v = math.exp2 %x : !I",                                                   3,            0,            0,  8             },
    {"f32",  "f32",  "%v = math.exp %x : !I",                                                    0,            0,            0,  1             },
    {"f32",  "f32",  "%v = math.log2 %x : !I",                                                   32,           0,            0,  5             },
    {"f32",  "f32",  "%v = math.log %x : !I",                                                    1,            0,            0,  0             },
    {"f32",  "f32",  "%v = math.sqrt %x : !I",                                                   2,            0,            0,  0x1.6a09e6p0  },
    {"f32",  "f32",  "%v = math.rsqrt %x : !I",                                                  4,            0,            0,  0.5           },
    {"f32",  "f32",  "%v = math.tanh %x : !I",                                                   100,          0,            0,  1             },
    {"i32",  "i32",  "%v = arith.addi %x, %y : !I",                                              2147483647,   1,            0,  -2147483648.0 },
    {"i32",  "i32",  "%v = arith.subi %x, %y : !I",                                              3,            5,            0,  -2            },
    {"i32",  "i32",  "%v = arith.muli %x, %y : !I",                                              65536,        65537,        0,  65536         },
    {"i32",  "i32",  "%v = arith.divsi %x, %y : !I",                                             -7,           2,            0,  -3            },
    {"i32",  "i32",  "%v = arith.divui %x, %y : !I",                                             -2,           2,            0,  2147483647    },
    {"i32",  "i32",  "%v = arith.remsi %x, %y : !I",                                             -7,           2,            0,  -1            },
    {"i32",  "i32",  "%v = arith.remui %x, %y : !I",                                             -1,           10,           0,  5             },
    {"i32",  "i32",  "%v = arith.ceildivsi %x, %y : !I",                                         7,            2,            0,  4             },
    {"i32",  "i32",  "%v = arith.ceildivsi %x, %y : !I",                                         -7,           2,            0,  -3            },
    {"i32",  "i32",  "%v = arith.floordivsi %x, %y : !I",                                        -7,           2,            0,  -4            },
    {"i32",  "i32",  "%v = arith.andi %x, %y : !I",                                              12,           10,           0,  8             },
    {"i32",  "i32",  "%v = arith.ori %x, %y : !I",                                               12,           10,           0,  14            },
    {"i32",  "i32",  "%v = arith.xori %x, %y : !I",                                              12,           10,           0,  6             },
    {"i32",  "i32",  "%v = arith.shli %x, %y : !I",                                              1,            31,           0,  -2147483648.0 },
    {"i32",  "i32",  "%v = arith.shrsi %x, %y : !I",                                             -8,           1,            0,  -4            },
    {"i32",  "i32",  "%v = arith.shrui %x, %y : !I",                                             -8,           1,            0,  2147483644    },
    {"i32",  "i32",  "%v = arith.maxsi %x, %y : !I",                                             -1,           1,            0,  1             },
    {"i32",  "i32",  "%v = arith.minsi %x, %y : !I",                                             -1,           1,            0,  -1            },
    {"i32",  "i32",  "%v = arith.maxui %x, %y : !I",                                             -1,           1,            0,  -1            },
    {"i32",  "i32",  "%v = arith.minui %x, %y : !I",                                             -1,           1,            0,  1             },
    {"i32",  "i32",  "%p = arith.cmpi slt, %x, %y : !I\n %v = arith.select %p, %x, %y : !B, !I", -1,           1,            0,  -1            },
    {"i32",  "i32",  "%p = arith.cmpi ult, %x, %y : !I\n %v = arith.select %p, %x, %y : !B, !I", -1,           1,            0,  1             },
    {"i32",  "i32",  "%p = arith.cmpi eq, %x, %y : !I\n %v = arith.extsi %p : !B to !O",         4,            4,            0,  -1            },
    {"i32",  "i32",  "%p = arith.cmpi uge, %x, %y : !I\n %v = arith.extui %p : !B to !O",        4,            4,            0,  1             },
    {"f32",  "i32",  "%p = arith.cmpf olt, %x, %y : !I\n %v = arith.extui %p : !B to !O",        NAN,          1,            0,  0             },
    {"f32",  "i32",  "%p = arith.cmpf ult, %x, %y : !I\n %v = arith.extui %p : !B to !O",        NAN,          1,            0,  1             },
    {"f32",  "i32",  "%p = arith.cmpf uno, %x, %y : !I\n %v = arith.extui %p : !B to !O",        1,            1,            0,  0             },
    {"f32",  "i32",  "%p = arith.cmpf one, %x, %y : !I\n %v = arith.extui %p : !B to !O",        2,            1,            0,  1             },
    {"f32",  "i32",  "%v = arith.fptosi %x : !I to !O",                                          -2.75,        0,            0,  -2            },
    {"f32",  "i32",  "%v = arith.fptoui %x : !I to !O",                                          4294967040.0, 0,            0,  -256          },
    {"i32",  "f32",  "%v = arith.sitofp %x : !I to !O",                                          -5,           0,            0,  -5            },
    {"i32",  "f32",  "%v = arith.uitofp %x : !I to !O",                                          -1,           0,            0,  4294967296.0  },
    {"i32",  "f32",  "%v = arith.bitcast %x : !I to !O",                                         0x3f800000,   0,            0,  1             },
    {"bf16", "i16",  "%v = arith.bitcast %x : !I to !O",                                         1,            0,            0,  0x3f80        },
    {"i32",  "i8",   "%v = arith.trunci %x : !I to !O",                                          200,          0,            0,  -56           },
    {"i8",   "i32",  "%v = arith.extsi %x : !I to !O",                                           -56,          0,            0,  -56           },
    {"i8",   "i32",  "%v = arith.extui %x : !I to !O",                                           -56,          0,            0,  200           },
    {"i32",  "i32",  "%v = arith.constant dense<7> : !O",                                        0,            0,            0,  7             },
    {"f32",  "f32",  "%v = cake.fill -2.5 : !O",                                                 0,            0,            0,  -2.5          },
};

static void put(CakeType type, void *array, int i, double value) {
  if (cake_type_is_float(type, CAKE_FLOAT_F32))
    ((float *)array)[i] = (float)value;
  else if (cake_type_is_float(type, CAKE_FLOAT_BF16))
    ((uint16_t *)array)[i] = cake_bf16_from_f32((float)value);
  else if (cake_type_is_float(type, CAKE_FLOAT_F16))
    ((uint16_t *)array)[i] = cake_f16_from_f32((float)value);
  else if (cake_type_is_integer(type, 8))
    ((int8_t *)array)[i] = (int8_t)value;
  else if (cake_type_is_integer(type, 16))
    ((int16_t *)array)[i] = (int16_t)value;
  else
    ((int32_t *)array)[i] = (int32_t)value;
}

static double take(CakeType type, const void *array, int i) {
  if (cake_type_is_float(type, CAKE_FLOAT_F32)) return (double)((const float *)array)[i];
  if (cake_type_is_float(type, CAKE_FLOAT_BF16)) return (double)cake_bf16_to_f32(((const uint16_t *)array)[i]);
  if (cake_type_is_float(type, CAKE_FLOAT_F16)) return (double)cake_f16_to_f32(((const uint16_t *)array)[i]);
  if (cake_type_is_integer(type, 8)) return ((const int8_t *)array)[i];
  if (cake_type_is_integer(type, 16)) return ((const int16_t *)array)[i];
  return ((const int32_t *)array)[i];
}

START_TEST(an_op_computes) {
  const Each *row = &each[_i];
  static uint32_t arrays[4][COUNT];
  Sim sim = each_open(row->in, row->out, row->body);
  const CakeBlock *body = cake_region_entry(cake_op_region(sim.kernel, 0));
  CakeType in = cake_global_element(body->args[0]->type), out = cake_global_element(body->args[3]->type);
  static const char *const names[] = {"a", "b", "c", "r"};
  const double values[] = {row->a, row->b, row->c, 0};
  for (int i = 0; i < 4; i++) {
    CakeType type = i == 3 ? out : in;
    for (int j = 0; j < COUNT; j++)
      put(type, arrays[i], j, values[i]);
    sim_arg(&sim, names[i], type, arrays[i], SIM_DIMS(ROWS, COLS));
  }
  SIM_EXPECT_OK(&sim);
  for (int j = 0; j < COUNT; j++) {
    double found = take(out, arrays[3], j);
    bool is_right =
        isnan(row->result) ? isnan(found) : found == row->result && !signbit(found) == !signbit(row->result);
    if (!is_right) ck_abort_msg("%s: element %d is %a, wanted %a", row->body, j, found, row->result);
  }
  sim_close(&sim);
}
END_TEST

typedef struct Undefined {
  const char *in, *out, *body;
  double a, b;
} Undefined;

static const Undefined undefined[] = {
    {"i32", "i32", "%v = arith.divsi %x, %y : !I",    -2147483648.0, -1},
    {"i32", "i32", "%v = arith.remui %x, %y : !I",    1,             0 },
    {"i32", "i32", "%v = arith.shli %x, %y : !I",     1,             32},
    {"f32", "i32", "%v = arith.fptosi %x : !I to !O", 2147483648.0,  0 },
    {"f32", "i32", "%v = arith.fptosi %x : !I to !O", NAN,           0 },
    {"f32", "i32", "%v = arith.fptoui %x : !I to !O", -1,            0 },
};

START_TEST(an_undefined_result_is_reported) {
  const Undefined *row = &undefined[_i];
  static uint32_t arrays[4][COUNT];
  Sim sim = each_open(row->in, row->out, row->body);
  const CakeBlock *body = cake_region_entry(cake_op_region(sim.kernel, 0));
  static const char *const names[] = {"a", "b", "c", "r"};
  for (int i = 0; i < 4; i++) {
    CakeType type = cake_global_element(body->args[i]->type);
    for (int j = 0; j < COUNT; j++)
      put(type, arrays[i], j, j < 5 ? 1 : i == 0 ? row->a : i == 1 ? row->b : 0);
    sim_arg(&sim, names[i], type, arrays[i], SIM_DIMS(ROWS, COLS));
  }
  sim_expect_error(&sim, "SIM_UNDEFINED", "(element 5)");
  sim_close(&sim);
}
END_TEST

// ---- Running bests -------------------------------------------------------------------------------------------------------

// Rows 0 … 7 of `values` are the cases; the kernel sees each row twice, the second time with indices from 100 on.
static void run_best(const char *kind, const char *keep, float (*values)[COLS], float *value, int32_t *index) {
  CakeBuf text = {0};
  cake_buf_printf(&text, "!Best = !cake.best<64x1xf32, %s, group<1>, mma.acc<4x1>>\n", kind);
  cake_buf_text(&text, "cake.kernel @k(%a: !cake.global<[N]x8xf32>, %v: !cake.global<[N]xf32>, %i: "
                       "!cake.global<[N]xi32>) target(\"sm_80\") {\n"
                       " cake.role @all warps(4) {\n  %x = cake.load %a[0, 0] pad(0.0) : " F32
                       "\n  %none = cake.best.init : !Best\n");
  cake_buf_printf(&text,
                  "  %%one = cake.best %%x at(0) %s into(%%none)\n  %%two = cake.best %%x at(100) %s into(%%one)\n",
                  keep, keep);
  cake_buf_text(
      &text,
      "  %value, %index = cake.settle %two\n  cake.store %value, %v[0] clip\n  cake.store %index, %i[0] clip\n }\n}\n");
  Sim sim = sim_open(text.data);
  sim_arg(&sim, "a", cake_type_f32(sim.context), values, SIM_DIMS(8, COLS));
  sim_arg(&sim, "v", cake_type_f32(sim.context), value, SIM_DIMS(8));
  sim_arg(&sim, "i", cake_type_i32(sim.context), index, SIM_DIMS(8));
  SIM_EXPECT_OK(&sim);
  sim_close(&sim);
  cake_buf_fini(&text);
}

static float cases[8][COLS] = {
    {5,         4,        3,         2,        3,        4,        5,        6       }, // one best
    {2,         1,        1,         3,        1,        4,        4,        4       }, // ties
    {NAN,       7,        NAN,       8,        9,        7,        NAN,      9       }, // some NaN
    {NAN,       NAN,      NAN,       NAN,      NAN,      NAN,      NAN,      NAN     }, // only NaN
    {INFINITY,  INFINITY, NAN,       INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    {-0.0f,     0,        -0.0f,     0,        0,        0,        0,        0       }, // zeros are equal
    {-INFINITY, 1,        -INFINITY, 2,        3,        4,        5,        6       },
    {1,         2,        3,         4,        5,        6,        7,        0.5f    },
};

static void expect_best(const float *value, const int32_t *index, const float *wanted, const int32_t *wanted_index) {
  for (int r = 0; r < 8; r++) {
    bool is_right = index[r] == wanted_index[r] && (isnan(wanted[r]) ? isnan(value[r]) : value[r] == wanted[r]);
    ck_assert_msg(is_right, "row %d: %a at %d, wanted %a at %d", r, (double)value[r], (int)index[r], (double)wanted[r],
                  (int)wanted_index[r]);
  }
}

START_TEST(the_best_is_chosen) {
  float value[8];
  int32_t index[8];
  run_best("min, tie<low>, nan<last>", "", cases, value, index);
  expect_best(value, index, (float[]){2, 1, 7, NAN, INFINITY, 0, -INFINITY, 0.5f}, (int32_t[]){3, 1, 1, 0, 0, 0, 0, 7});
  run_best("min, tie<high>, nan<first>", "", cases, value, index);
  expect_best(value, index, (float[]){2, 1, NAN, NAN, NAN, 0, -INFINITY, 0.5f},
              (int32_t[]){103, 104, 106, 107, 102, 107, 102, 107});
  run_best("max, tie<low>, nan<last>", "", cases, value, index);
  expect_best(value, index, (float[]){6, 4, 9, NAN, INFINITY, 0, 6, 7}, (int32_t[]){7, 5, 4, 0, 0, 0, 7, 6});
}
END_TEST

START_TEST(elements_outside_keep_are_passed_over) {
  float value[8];
  int32_t index[8];
  run_best("min, tie<low>, nan<last>", "keep(col ge 2, col lt 4, row ne 7)", cases, value, index);
  expect_best(value, index, (float[]){2, 1, 8, NAN, INFINITY, 0, -INFINITY, INFINITY},
              (int32_t[]){3, 2, 3, 2, 3, 2, 2, -1});
}
END_TEST

START_TEST(a_broken_promise_is_reported) {
  Sim sim =
      sim_open("cake.kernel @k(%a: !cake.global<64x8xf32>) target(\"sm_80\") {\n cake.role @all warps(4) {\n"
               "  %x = cake.load %a[0, 0] : " F32
               "\n  %n = cake.best.init : !cake.best<64x1xf32, min, tie<any>, nan<never>, group<1>, mma.acc<4x1>>\n"
               "  %b = cake.best %x at(0) into(%n)\n }\n}\n");
  static float a[COUNT];
  a[2 * COLS + 5] = NAN;
  sim_arg(&sim, "a", cake_type_f32(sim.context), a, SIM_DIMS(ROWS, COLS));
  sim_expect_error(&sim, "SIM_UNDEFINED", "sees a NaN at (2, 5)");
  sim_close(&sim);
}
END_TEST

// ---- Masks, spreads, tiles -------------------------------------------------------------------------------------------------

START_TEST(masks_and_spreads) {
  Sim sim = sim_open(
      "cake.kernel @k(%r: !cake.global<64xf32>, %c: !cake.global<8xf32>, %s: f32, %o: !cake.global<64x8xf32>) "
      "target(\"sm_80\") {\n"
      " cake.role @all warps(4) {\n"
      "  %row = cake.load %r[0] : " ROWF "\n  %col = cake.load %c[0] : tensor<8xf32, #cake.col<mma.acc<4x1>>>\n"
      "  %a = cake.spread %row : " F32 "\n  %b = cake.spread %col : " F32 "\n  %d = cake.spread %s : " F32 "\n"
      "  %e = arith.addf %a, %b : " F32 "\n  %f = arith.addf %e, %d : " F32 "\n"
      "  %m = cake.mask %f keep(row + 1 ge col) fill(-1.0)\n  cake.store %m, %o[0, 0]\n }\n}\n");
  static float r[ROWS], c[COLS], o[COUNT], s = 1000;
  for (int i = 0; i < ROWS; i++)
    r[i] = (float)(10 * i);
  for (int i = 0; i < COLS; i++)
    c[i] = (float)i;
  sim_arg(&sim, "r", cake_type_f32(sim.context), r, SIM_DIMS(ROWS));
  sim_arg(&sim, "c", cake_type_f32(sim.context), c, SIM_DIMS(COLS));
  sim_arg(&sim, "s", cake_type_f32(sim.context), &s, SIM_SCALAR);
  sim_arg(&sim, "o", cake_type_f32(sim.context), o, SIM_DIMS(ROWS, COLS));
  SIM_EXPECT_OK(&sim);
  for (int i = 0; i < COUNT; i++)
    ck_assert_float_eq(o[i], i / COLS + 1 >= i % COLS ? 1000 + (float)(10 * (i / COLS) + i % COLS) : -1);
  sim_close(&sim);
}
END_TEST

// A tile that hangs over the array on all sides of its last two dimensions.
START_TEST(ragged_tiles_are_padded_and_clipped) {
  Sim sim = sim_open("cake.kernel @k(%a: !cake.global<[N]x[M]xf32>, %o: !cake.global<[N]x[M]xf32>, %w: "
                     "!cake.global<64x8xf32>, %i: index) target(\"sm_80\") {\n"
                     " cake.role @all warps(4) {\n  %x = cake.load %a[%i, %i - 1] pad(9.0) : " F32 "\n"
                     "  cake.store %x, %w[0, 0]\n  %two = cake.fill 2.0 : " F32 "\n  %y = arith.mulf %x, %two : " F32
                     "\n  cake.store %y, %o[%i, %i - 1] clip\n }\n}\n");
  static float a[3 * 5], o[3 * 5], w[COUNT];
  int64_t at = -1;
  for (int i = 0; i < 15; i++)
    a[i] = (float)(i + 1);
  sim_arg(&sim, "a", cake_type_f32(sim.context), a, SIM_DIMS(3, 5));
  sim_arg(&sim, "o", cake_type_f32(sim.context), o, SIM_DIMS(3, 5));
  sim_arg(&sim, "w", cake_type_f32(sim.context), w, SIM_DIMS(ROWS, COLS));
  sim_arg(&sim, "i", cake_type_index(sim.context), &at, SIM_SCALAR);
  SIM_EXPECT_OK(&sim);
  for (int r = 0; r < ROWS; r++) {
    for (int c = 0; c < COLS; c++) {
      bool is_inside = r >= 1 && r < 4 && c >= 2 && c < 7;
      ck_assert_float_eq(w[r * COLS + c], is_inside ? a[(r - 1) * 5 + c - 2] : 9);
    }
  }
  for (int i = 0; i < 15; i++)
    ck_assert_float_eq(o[i], 2 * a[i]);
  at = INT64_MAX;
  SIM_EXPECT_OK(&sim);
  for (int i = 0; i < COUNT; i++)
    ck_assert_float_eq(w[i], 9);
  sim_close(&sim);
}
END_TEST

// ---- Control flow ----------------------------------------------------------------------------------------------------------

// The body computes %v from %n, an index; the result is stored as f32.
static float run_control(int64_t n, const char *body) {
  CakeBuf text = {0};
  cake_buf_text(
      &text,
      "cake.kernel @k(%n: index, %o: !cake.global<64xf32>) target(\"sm_80\") {\n cake.role @all warps(4) {\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c10 = arith.constant 10 : index\n");
  cake_buf_printf(&text, "%s\n  %%i = arith.index_cast %%v : index to i32\n  %%f = arith.sitofp %%i : i32 to f32\n",
                  body);
  cake_buf_text(&text,
                "  %w = cake.spread %f : tensor<64x8xf32, " ACC
                ">\n  %b = cake.best.init : !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>\n"
                "  %d = cake.best %w at(0) into(%b)\n  %e, %g = cake.settle %d\n  cake.store %e, %o[0]\n }\n}\n");
  Sim sim = sim_open(text.data);
  static float o[ROWS];
  sim_arg(&sim, "n", cake_type_index(sim.context), &n, SIM_SCALAR);
  sim_arg(&sim, "o", cake_type_f32(sim.context), o, SIM_DIMS(ROWS));
  SIM_EXPECT_OK(&sim);
  sim_close(&sim);
  cake_buf_fini(&text);
  return o[0];
}

// Fibonacci: the yield swaps the carried values.
START_TEST(loops_carry_values) {
  const char *body = "%a, %v = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c1, %y = %c0) -> (index, index) {\n"
                     "   %s = arith.addi %x, %y : index\n   scf.yield %y, %s : index, index\n  }";
  ck_assert_float_eq(run_control(0, body), 0);
  ck_assert_float_eq(run_control(1, body), 1);
  ck_assert_float_eq(run_control(10, body), 55);
}
END_TEST

START_TEST(loops_take_steps) {
  const char *body = "%v = scf.for %i = %n to %c10 step %c3 iter_args(%x = %c0) -> (index) {\n   %s = arith.addi %x, "
                     "%i : index\n   scf.yield %s : index\n  }";
  CakeBuf text = {0};
  cake_buf_printf(&text, "%%c3 = arith.constant 3 : index\n %s", body);
  ck_assert_float_eq(run_control(-2, text.data), -2 + 1 + 4 + 7);
  ck_assert_float_eq(run_control(1, text.data), 1 + 4 + 7);
  ck_assert_float_eq(run_control(10, text.data), 0);
  cake_buf_fini(&text);
}
END_TEST

START_TEST(branches_choose) {
  const char *body =
      "%p = arith.cmpi sgt, %n, %c1 : index\n  %v = scf.if %p -> (index) {\n   scf.yield %c10 : index\n  } else {\n"
      "   %m = cake.index(%n * 2 + 100) : index\n   scf.yield %m : index\n  }\n  scf.if %p {\n   %q = arith.addi %n, "
      "%n : index\n  }";
  ck_assert_float_eq(run_control(2, body), 10);
  ck_assert_float_eq(run_control(1, body), 102);
}
END_TEST

START_TEST(switches_choose) {
  const char *body = "%v = scf.index_switch %n -> index\n  case 2 {\n   scf.yield %c10 : index\n  }\n  case 5 {\n   "
                     "scf.yield %c1 : index\n  }\n"
                     "  default {\n   scf.yield %n : index\n  }";
  ck_assert_float_eq(run_control(2, body), 10);
  ck_assert_float_eq(run_control(5, body), 1);
  ck_assert_float_eq(run_control(7, body), 7);
}
END_TEST

// Halves until it is odd; `while` hands other values out than in.
START_TEST(while_loops_end) {
  const char *body = "%c2 = arith.constant 2 : index\n  %v, %u = scf.while (%x = %n) : (index) -> (index, index) {\n   "
                     "%r = arith.remui %x, %c2 : index\n"
                     "   %p = arith.cmpi eq, %r, %c0 : index\n   scf.condition(%p) %x, %r : index, index\n  } do {\n  "
                     "^bb0(%y: index, %z: index):\n"
                     "   %h = arith.divui %y, %c2 : index\n   scf.yield %h : index\n  }";
  ck_assert_float_eq(run_control(48, body), 3);
  ck_assert_float_eq(run_control(7, body), 7);
}
END_TEST

START_TEST(a_scalar_condition_chooses_a_whole_value) {
  const char *body = "%p = arith.cmpi ne, %n, %c0 : index\n  %v = arith.select %p, %c10, %c1 : index";
  ck_assert_float_eq(run_control(1, body), 10);
  ck_assert_float_eq(run_control(0, body), 1);
}
END_TEST

// ---- Work ------------------------------------------------------------------------------------------------------------------

// Each item and step adds a digit: order of items, of steps, and which CTA has which item.
static const char work[] =
    "cake.kernel @k(%o: !cake.global<[A]x[B]x64xf32>, %s: f32, %h: i32) target(\"sm_90a\") {\n"
    " cake.tiles @work (a = A, b = B) steps(k = 3) schedule(SCHEDULE)\n cake.role @all warps(4) {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %total = cake.items (%a, %b) in @work iter(%count = %zero) {\n"
    "   %base = cake.index((%a * 10 + %b) * 1000) : index\n"
    "   %sum = cake.steps (%k) in @work iter(%x = %base) {\n    %y = cake.index(%x * 2 + %k) : index\n    cake.yield "
    "%y\n   }\n"
    "   %next = cake.index(%count + 1) : index\n"
    "   %i = arith.index_cast %sum : index to i32\n   %f = arith.sitofp %i : i32 to f32\n"
    "   %w = cake.spread %f : " F32
    "\n   %n = cake.best.init : !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>\n"
    "   %d = cake.best %w at(0) into(%n)\n   %e, %g = cake.settle %d\n   cake.store %e, %o[%a, %b, 0]\n   cake.yield "
    "%next\n  }\n }\n}\n";

static void run_work(const char *schedule, int64_t grid, int64_t ctas, bool is_sample) {
  CakeBuf text = {0};
  const char *word = strstr(work, "SCHEDULE");
  cake_buf_append(&text, work, (size_t)(word - work));
  cake_buf_printf(&text, "%s%s", schedule, word + strlen("SCHEDULE"));
  Sim sim = sim_open(text.data);
  static float o[3 * 4 * 64], s;
  static int32_t h;
  memset(o, 0, sizeof o);
  sim_arg(&sim, "o", cake_type_f32(sim.context), o, SIM_DIMS(3, 4, 64));
  sim_arg(&sim, "s", cake_type_f32(sim.context), &s, SIM_SCALAR);
  sim_arg(&sim, "h", cake_type_i32(sim.context), &h, SIM_SCALAR);
  sim.options.grid = grid;
  if (is_sample) sim.options = (CakeSimOptions){.grid = grid, .first_cta = 1, .cta_count = 1};
  SIM_EXPECT_OK(&sim);
  ck_assert_int_eq(sim.report.grid, ctas);
  for (int item = 0; item < 12; item++) {
    bool is_run = !is_sample || item % ctas == 1;
    float base = (float)((item / 4 * 10 + item % 4) * 1000);
    ck_assert_float_eq(o[item * 64 + 63], is_run ? base * 8 + 0 * 4 + 1 * 2 + 2 : 0);
  }
  sim_close(&sim);
  cake_buf_fini(&text);
}

START_TEST(items_are_shared_out) {
  run_work("grid", 0, 12, false);
  run_work("grid", 5, 12, true);
  run_work("persistent", 0, 12, false);
  run_work("persistent", 5, 5, false);
  run_work("persistent", 5, 5, true);
}
END_TEST

// ---- Schedules -------------------------------------------------------------------------------------------------------------

typedef struct Seen {
  const float *array;
  uint64_t seeds[4];
  int count, wanted;
} Seen;

// Each schedule doubles the array that it is given, not what the one before left.
static bool see_schedule(void *user, uint64_t seed) {
  Seen *seen = user;
  ck_assert_int_lt(seen->count, 4);
  seen->seeds[seen->count++] = seed;
  for (int i = 0; i < COUNT; i++)
    ck_assert_float_eq(seen->array[i], (float)(2 * i));
  return seen->count < seen->wanted;
}

START_TEST(schedules_start_from_the_same_arrays) {
  Sim sim = sim_open("cake.kernel @k(%a: !cake.global<64x8xf32>) target(\"sm_80\") {\n cake.role @all warps(4) {\n"
                     "  %x = cake.load %a[0, 0] : " F32 "\n  %y = arith.addf %x, %x : " F32
                     "\n  cake.store %y, %a[0, 0]\n }\n}\n");
  static float a[COUNT];
  for (int i = 0; i < COUNT; i++)
    a[i] = (float)i;
  Seen seen = {.array = a, .wanted = 4};
  sim_arg(&sim, "a", cake_type_f32(sim.context), a, SIM_DIMS(ROWS, COLS));
  sim.options = (CakeSimOptions){.seed = 7, .schedules = 3, .after = see_schedule, .after_user = &seen};
  SIM_EXPECT_OK(&sim);
  ck_assert_int_eq(seen.count, 3);
  ck_assert_uint_eq(seen.seeds[2], 9);
  ck_assert_uint_eq(sim.report.seed, 9);
  ck_assert_int_eq(sim.report.ctas_run, 1);
  for (int i = 0; i < COUNT; i++)
    a[i] = (float)i;
  seen = (Seen){.array = a, .wanted = 2};
  SIM_EXPECT_OK(&sim);
  ck_assert_int_eq(seen.count, 2);
  ck_assert_uint_eq(sim.report.seed, 8);
  sim_close(&sim);
}
END_TEST

// ---- Matrix multiplication -------------------------------------------------------------------------------------------------

static const char mma[] =
    "cake.kernel @k(%a: !cake.global<64x16xbf16>, %b: !cake.global<24x16xbf16>, %c: !cake.global<64x24xf32>) "
    "target(\"sm_80\") {\n"
    " cake.role @all warps(4) {\n  %x = cake.load %a[0, 0] : tensor<64x16xbf16, #cake.mma.a<4x1>>\n"
    "  %y = cake.load %b[0, 0] : tensor<24x16xbf16, #cake.mma.b<4x1>>\n  %z = cake.load %c[0, 0] : "
    "tensor<64x24xf32, " ACC ">\n"
    "  %d = cake.mma %z, %x * %y form(mma.m16n8k16.nt)\n  cake.store %d, %c[0, 0]\n }\n}\n";

// An integer below 64 times one of 20 powers of two.
// Element (0, 0) of 1 · C + A · B, where row 0 of A is `row` and column 0 of B is ones.
static float multiply_row(float acc, const float *row, size_t count) {
  static uint16_t a[64 * 16], b[24 * 16];
  static float c[64 * 24];
  memset(a, 0, sizeof a);
  memset(c, 0, sizeof c);
  for (size_t i = 0; i < count; i++)
    a[i] = cake_bf16_from_f32(row[i]);
  for (size_t i = 0; i < CAKE_COUNT(b); i++)
    b[i] = cake_bf16_from_f32(1);
  c[0] = acc;
  Sim sim = sim_open(mma);
  sim_arg(&sim, "a", sim_float(&sim, CAKE_FLOAT_BF16), a, SIM_DIMS(64, 16));
  sim_arg(&sim, "b", sim_float(&sim, CAKE_FLOAT_BF16), b, SIM_DIMS(24, 16));
  sim_arg(&sim, "c", cake_type_f32(sim.context), c, SIM_DIMS(64, 24));
  SIM_EXPECT_OK(&sim);
  sim_close(&sim);
  return c[0];
}

// docs/accumulation.md, worked out by hand.
static const struct {
  float acc, row[4], wanted;
} sums[] = {
    {1,         {2, 3, 4},                10          },
    {1,         {0x1p-24f},               1           }, // kept: 23 bits
    {1,         {0x1p-24f, 0x1p-24f},     1 + 0x1p-23f}, // but summed with 25; one by one they would be lost
    {1,         {0x1p-26f, 0x1p-26f},     1           }, // cut before they are summed
    {1,         {0x1.8p-24f},             1           }, // toward zero, not to the nearest
    {-1,        {-0x1.8p-24f},            -1          },
    {1,         {-0x1p-25f},              1 - 0x1p-24f}, // toward zero
    {0,         {0x1p100f, 1, -0x1p100f}, 0           }, // 1 is far below
    {0x1p-130f, {0x1p-131f},              0x1.8p-130f },
    {INFINITY,  {1},                      INFINITY    },
};

START_TEST(products_are_summed_as_the_hardware_does) {
  float sum = multiply_row(sums[_i].acc, sums[_i].row, 4);
  if (sum != sums[_i].wanted) ck_abort_msg("it is %a, wanted %a", (double)sum, (double)sums[_i].wanted);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("simulator");
  TCase *elementwise = tcase_create("elementwise"), *other = tcase_create("other");
  tcase_add_loop_test(elementwise, an_op_computes, 0, (int)CAKE_COUNT(each));
  tcase_add_loop_test(elementwise, an_undefined_result_is_reported, 0, (int)CAKE_COUNT(undefined));
  tcase_add_test(other, the_best_is_chosen);
  tcase_add_test(other, elements_outside_keep_are_passed_over);
  tcase_add_test(other, a_broken_promise_is_reported);
  tcase_add_test(other, masks_and_spreads);
  tcase_add_test(other, ragged_tiles_are_padded_and_clipped);
  tcase_add_test(other, loops_carry_values);
  tcase_add_test(other, loops_take_steps);
  tcase_add_test(other, branches_choose);
  tcase_add_test(other, switches_choose);
  tcase_add_test(other, while_loops_end);
  tcase_add_test(other, a_scalar_condition_chooses_a_whole_value);
  tcase_add_test(other, items_are_shared_out);
  tcase_add_test(other, schedules_start_from_the_same_arrays);
  tcase_add_loop_test(other, products_are_summed_as_the_hardware_does, 0, (int)CAKE_COUNT(sums));
  tcase_set_timeout(other, 60);
  suite_add_tcase(suite, elementwise);
  suite_add_tcase(suite, other);
  return sim_main(suite);
}
