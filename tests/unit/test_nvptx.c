// The NVPTX target on every row of gpu.def, arith.def and math.def for every target: an op is refused with a reason, or becomes PTX that ptxas takes
// without a word. LLVM ends the process on what it cannot select, so that each target is tried in a child that says at which case it stands.
#include "analysis/targets.h"
#include "cake/dialects.h"
#include "cake/nvptx.h"
#include "cake/text.h"
#include "cake/verify.h"
#include "dialects/arith/arith.h"
#include "dialects/gpu/gpu_accessors.h"
#include "dialects/math/math.h"
#include "targets/nvptx/target.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- One program for each row of gpu.def -------------------------------------------------------------------------------------

// Arguments of every kernel: %g a pointer, %n an index, %i an i32, %l an i64, %x and %y two f32, %map a tensor map. %s is shared memory.
#define STORE(type) "gpu.store %r, %g : " type ", !gpu.ptr<global>"
#define WIDEN "%w = arith.extui %r : i1 to i32 gpu.store %w, %g : i32, !gpu.ptr<global>"
#define BODY_module ""
#define BODY_func ""
#define BODY_return ""
#define BODY_thread_id "%r = gpu.thread_id y " STORE("index")
#define BODY_block_id "%r = gpu.block_id z " STORE("index")
#define BODY_grid_dim "%r = gpu.grid_dim x " STORE("index")
#define BODY_cluster_id "%r = gpu.cluster_id x " STORE("index")
#define BODY_cluster_dim "%r = gpu.cluster_dim x " STORE("index")
#define BODY_cluster_block_id "%r = gpu.cluster_block_id x " STORE("index")
#define BODY_lane_id "%r = gpu.lane_id " STORE("index")
#define BODY_warp_id "%r = gpu.warp_id " STORE("index")
#define BODY_pack "%r = gpu.pack %x, %y : f32, f32 -> vector<2xf32> " STORE("vector<2xf32>")
#define BODY_unpack                                                                                                    \
  "%v = gpu.load %g : !gpu.ptr<global> -> vector<4xbf16> %r, %q = gpu.unpack %v : vector<4xbf16> -> vector<2xbf16>, "  \
  "vector<2xbf16> " STORE("vector<2xbf16>")
#define BODY_splat "%r = gpu.splat %x : f32 -> vector<4xf32> " STORE("vector<4xf32>")
#define BODY_poison "%v = gpu.poison : vector<4xf32> %r = gpu.splat %x : f32 -> vector<4xf32> " STORE("vector<4xf32>")
#define BODY_pin "%r = gpu.pin %x : f32 " STORE("f32")
#define BODY_replace_if "%c = arith.cmpf olt, %x, %y : f32 %r = gpu.replace_if %c, %x, %y " STORE("f32")
#define BODY_shuffle                                                                                                   \
  "%r, %v = gpu.shuffle xor %x, %i, %i : f32 " STORE(                                                                  \
      "f32") " %d, %dv = gpu.shuffle up %i, %i, %i : i32 gpu.store %d, %g : i32, !gpu.ptr<global> "                    \
             "%e, %ev = gpu.shuffle down %x, %i, %i : f32 gpu.store %e, %g : f32, !gpu.ptr<global> %f, %fv = "         \
             "gpu.shuffle idx %i, %i, %i : i32 "                                                                       \
             "gpu.store %f, %g : i32, !gpu.ptr<global>"
#define BODY_shared_memory "gpu.store %x, %s : f32, !gpu.ptr<shared>"
#define BODY_ptr_add                                                                                                   \
  "%p = gpu.ptr_add %g, %l : !gpu.ptr<global>, i64 gpu.store %x, %p : f32, !gpu.ptr<global> %q = gpu.ptr_add %s, %i "  \
  ": !gpu.ptr<shared>, i32 gpu.store %x, %q : f32, !gpu.ptr<shared>"
#define BODY_shared_address "%r = gpu.shared_address %s : !gpu.ptr<shared> " STORE("i32")
#define BODY_load                                                                                                      \
  "%r = gpu.load %g {readonly} : !gpu.ptr<global> -> vector<8xbf16> gpu.store %r, %s : vector<8xbf16>, "               \
  "!gpu.ptr<shared> %b = gpu.load %g : !gpu.ptr<global> -> vector<16xi8> "                                             \
  "gpu.store %b, %s : vector<16xi8>, !gpu.ptr<shared> %d = gpu.load %s : !gpu.ptr<shared> -> vector<2xf64> gpu.store " \
  "%d, %g : vector<2xf64>, !gpu.ptr<global> "                                                                          \
  "%h = gpu.load %s : !gpu.ptr<shared> -> f16 gpu.store %h, %g : f16, !gpu.ptr<global> %p = gpu.load %g : "            \
  "!gpu.ptr<global> -> !gpu.ptr<global> gpu.store %x, %p : f32, !gpu.ptr<global>"
#define BODY_store "gpu.store %l, %g : i64, !gpu.ptr<global> gpu.store %n, %s : index, !gpu.ptr<shared>"
#define BODY_cp_async                                                                                                  \
  "gpu.cp_async %s, %g, 16 gpu.cp_async %s, %g, 16 zfill %i gpu.cp_async %s, %g, 8 zfill %i gpu.cp_async %s, %g, 4"
#define BODY_cp_async_mbarrier_arrive "gpu.cp_async_mbarrier_arrive %s"
#define BODY_tma_load                                                                                                  \
  "gpu.tma_load %s, %s, %map[%i] gpu.tma_load %s, %s, %map[%i, %i] gpu.tma_load %s, %s, %map[%i, %i, %i] "             \
  "gpu.tma_load %s, %s, %map[%i, %i, %i, %i] gpu.tma_load %s, %s, %map[%i, %i, %i, %i, %i]"
#define BODY_tma_load_multicast                                                                                        \
  "gpu.tma_load_multicast %s, %s, %map[%i] to %i gpu.tma_load_multicast %s, %s, %map[%i, %i] to %i "                   \
  "gpu.tma_load_multicast %s, %s, %map[%i, %i, %i] to %i gpu.tma_load_multicast %s, %s, %map[%i, %i, %i, %i] to %i "   \
  "gpu.tma_load_multicast %s, %s, %map[%i, %i, %i, %i, %i] to %i"
#define BODY_bulk_load "gpu.bulk_load %s, %s, %g, %i"
#define BODY_ldmatrix                                                                                                  \
  "%r = gpu.ldmatrix %s : vector<8xbf16> " STORE(                                                                      \
      "vector<8xbf16>") " %t = gpu.ldmatrix %s trans : vector<8xf16> gpu.store %t, %g : vector<8xf16>, "               \
                        "!gpu.ptr<global>"
#define BODY_stmatrix "%v = gpu.load %g : !gpu.ptr<global> -> vector<8xbf16> gpu.stmatrix %v, %s : vector<8xbf16>"
#define BODY_tma_store                                                                                                 \
  "gpu.tma_store %s, %map[%i] gpu.tma_store %s, %map[%i, %i] gpu.tma_store %s, %map[%i, %i, %i] gpu.tma_store %s, "    \
  "%map[%i, %i, %i, %i] gpu.tma_store %s, %map[%i, %i, %i, %i, %i] gpu.tma_store %s, %map[%i] reduce add "             \
  "gpu.tma_store %s, %map[%i, %i, %i, %i, %i] reduce add"
#define BODY_bulk_commit "gpu.bulk_commit"
#define BODY_bulk_wait_read "gpu.bulk_wait_read 0 gpu.bulk_wait_read 3"
#define BODY_barrier "gpu.barrier"
#define BODY_cluster_barrier "gpu.cluster_barrier"
#define BODY_named_barrier "gpu.named_barrier %i, 64"
#define BODY_named_barrier_arrive "gpu.named_barrier_arrive %i, 64"
#define BODY_prefetch "gpu.prefetch %g"
#define BODY_printf "gpu.printf \"%d\", %i : i32"
#define BODY_fail "gpu.fail \"why\""
#define BODY_griddepcontrol "gpu.griddepcontrol wait gpu.griddepcontrol launch_dependents"
#define BODY_warp_sync "gpu.warp_sync"
#define BODY_elect "%r = gpu.elect " WIDEN
#define BODY_mbarrier_init "gpu.mbarrier_init %s, 33"
#define BODY_mbarrier_init_fence "gpu.mbarrier_init_fence"
#define BODY_mbarrier_arrive "gpu.mbarrier_arrive %s"
#define BODY_mbarrier_arrive_remote "gpu.mbarrier_arrive_remote %s at %i gpu.mbarrier_arrive_remote %s at %i relaxed"
#define BODY_mbarrier_arrive_expect_tx "gpu.mbarrier_arrive_expect_tx %s, 4096"
#define BODY_mbarrier_wait "gpu.mbarrier_wait %s, %i"
#define BODY_fence_proxy_async "gpu.fence_proxy_async"
#define MMA(type)                                                                                                      \
  "%a" type " = gpu.load %g : !gpu.ptr<global> -> vector<8x" type "> %b" type                                          \
  " = gpu.load %g : !gpu.ptr<global> -> vector<4x" type "> %r" type " = gpu.mma %a" type ", %b" type                   \
  ", %c : vector<8x" type ">, vector<4x" type ">, vector<4xf32> gpu.store %r" type                                     \
  ", %g : vector<4xf32>, !gpu.ptr<global> "
#define BODY_mma "%c = gpu.splat %x : f32 -> vector<4xf32> " MMA("bf16") MMA("f16")
#define BODY_wgmma_fence "gpu.wgmma_fence"
// Alone, or without what it belongs to, ptxas warns of it.
#define BODY_wgmma_commit                                                                                              \
  "gpu.wgmma_fence %v = gpu.wgmma %l, %l, 8 : bf16 -> vector<4xf32> gpu.wgmma_commit %r = gpu.wgmma_wait 0, %v : "     \
  "vector<4xf32> " STORE("vector<4xf32>")
#define BODY_wgmma_wait                                                                                                \
  "%v = gpu.splat %x : f32 -> vector<4xf32> %r = gpu.wgmma_wait 1, %v : vector<4xf32> " STORE("vector<4xf32>")
#define BODY_wgmma                                                                                                     \
  "gpu.wgmma_fence %a = gpu.wgmma %l, %l, 256 : bf16 -> vector<128xf32> %b = gpu.wgmma %l, %l, 256 into %a : bf16 -> " \
  "vector<128xf32> gpu.wgmma_commit "                                                                                  \
  "%d = gpu.wgmma_wait 0, %b : vector<128xf32> gpu.wgmma_fence %c = gpu.wgmma %l, %l, 8 trans_a trans_b : f16 -> "     \
  "vector<4xf32> gpu.wgmma_commit "                                                                                    \
  "%r = gpu.wgmma_wait 0, %c : vector<4xf32> %e = gpu.pin %d : vector<128xf32> " STORE("vector<4xf32>")
#define BODY_wgmma_rs                                                                                                  \
  "%a = gpu.load %g : !gpu.ptr<global> -> vector<8xbf16> %h = gpu.load %g : !gpu.ptr<global> -> vector<8xf16> "        \
  "gpu.wgmma_fence "                                                                                                   \
  "%b = gpu.wgmma_rs %a, %l, 16 : bf16 : vector<8xbf16> -> vector<8xf32> %c = gpu.wgmma_rs %a, %l, 16 into %b : bf16 " \
  ": vector<8xbf16> -> vector<8xf32> "                                                                                 \
  "gpu.wgmma_commit %d = gpu.wgmma_wait 0, %c : vector<8xf32> gpu.wgmma_fence %e = gpu.wgmma_rs %h, %l, 8 trans_b : "  \
  "f16 : vector<8xf16> -> vector<4xf32> "                                                                              \
  "gpu.wgmma_commit %r = gpu.wgmma_wait 0, %e : vector<4xf32> %f = gpu.pin %d : vector<8xf32> " STORE("vector<4xf32>")
#define BODY_tcgen05_alloc "gpu.tcgen05_alloc %s, 64"
#define BODY_tcgen05_address "%r = gpu.tcgen05_address %s " STORE("i32")
#define BODY_tcgen05_dealloc "gpu.tcgen05_dealloc %i, 512"
#define BODY_tcgen05_fence "gpu.tcgen05_fence before gpu.tcgen05_fence after"
#define BODY_tcgen05_mma                                                                                               \
  "%c = arith.constant true gpu.tcgen05_mma %i, %l, %l, 128 x 256 if %c : bf16 gpu.tcgen05_mma %i, %l, %l, 64 x 8 if " \
  "%c : f16 gpu.tcgen05_mma %i, %l, %l, 128 x 16 if %c : f8E4M3FN gpu.tcgen05_mma %i, %l, %l, 128 x 32 if %c : "       \
  "f8E5M2 gpu.tcgen05_mma %i, %l, %l, 128 x 64 if %c : f32"
#define BODY_tcgen05_commit "gpu.tcgen05_commit %s"
#define BODY_tcgen05_ld                                                                                                \
  "%v = gpu.tcgen05_ld %i : vector<64xf32> %w = gpu.tcgen05_ld %i : vector<1xf32> %q, %p = gpu.tcgen05_wait_ld %v, "   \
  "%w : vector<64xf32>, vector<1xf32> %r = gpu.unpack %p : vector<1xf32> -> f32 " STORE("f32")
#define BODY_tcgen05_wait_ld                                                                                           \
  "%v = gpu.tcgen05_ld %i : vector<4xf32> %r = gpu.tcgen05_wait_ld %v : vector<4xf32> " STORE("vector<4xf32>")
#define BODY_setmaxnreg "gpu.setmaxnreg decrease 40 gpu.setmaxnreg increase 232"

typedef struct Row {
  const char *name, *body;
} Row;

static const Row gpu_rows[] = {
#include "cake/dialect_rows_clear.h"
#undef OP
#define OP(op, ...) {#op, BODY_##op},
#include "dialects/gpu/gpu.def"
};
#include "cake/dialect_rows_clear.h"

// ---- What operands arith and math ops take -----------------------------------------------------------------------------------

typedef enum Kind {
  INT2,
  FLOAT1,
  FLOAT2,
  FLOAT3,
  COMPARE_INT,
  COMPARE_FLOAT,
  SELECT,
  CONSTANT,
  FLOAT_UP,
  FLOAT_DOWN,
  INT_UP,
  INT_DOWN,
  INT_TO_FLOAT,
  FLOAT_TO_INT,
  INDEX,
  BITS,
  NOT_TRANSLATED
} Kind;
#define KIND_constant CONSTANT
#define KIND_addi INT2
#define KIND_subi INT2
#define KIND_muli INT2
#define KIND_divsi INT2
#define KIND_divui INT2
#define KIND_remsi INT2
#define KIND_remui INT2
#define KIND_ceildivsi INT2
#define KIND_floordivsi INT2
// Read and verified for MLIR's sake; code generation refuses them.
#define KIND_ceildivui NOT_TRANSLATED
#define KIND_addui_extended NOT_TRANSLATED
#define KIND_mulsi_extended NOT_TRANSLATED
#define KIND_mului_extended NOT_TRANSLATED
#define KIND_remf NOT_TRANSLATED
#define KIND_scaling_extf NOT_TRANSLATED
#define KIND_scaling_truncf NOT_TRANSLATED
#define KIND_andi INT2
#define KIND_ori INT2
#define KIND_xori INT2
#define KIND_shli INT2
#define KIND_shrsi INT2
#define KIND_shrui INT2
#define KIND_maxsi INT2
#define KIND_minsi INT2
#define KIND_maxui INT2
#define KIND_minui INT2
#define KIND_addf FLOAT2
#define KIND_subf FLOAT2
#define KIND_mulf FLOAT2
#define KIND_divf FLOAT2
#define KIND_negf FLOAT1
#define KIND_maximumf FLOAT2
#define KIND_minimumf FLOAT2
#define KIND_maxnumf FLOAT2
#define KIND_minnumf FLOAT2
#define KIND_cmpi COMPARE_INT
#define KIND_cmpf COMPARE_FLOAT
#define KIND_select SELECT
#define KIND_extf FLOAT_UP
#define KIND_truncf FLOAT_DOWN
#define KIND_extsi INT_UP
#define KIND_extui INT_UP
#define KIND_trunci INT_DOWN
#define KIND_sitofp INT_TO_FLOAT
#define KIND_uitofp INT_TO_FLOAT
#define KIND_fptosi FLOAT_TO_INT
#define KIND_fptoui FLOAT_TO_INT
#define KIND_index_cast INDEX
#define KIND_index_castui INDEX
#define KIND_bitcast BITS
#define KIND_fma FLOAT3
#define KIND_absf FLOAT1
#define KIND_sqrt FLOAT1
#define KIND_rsqrt FLOAT1
#define KIND_exp FLOAT1
#define KIND_exp2 FLOAT1
#define KIND_log FLOAT1
#define KIND_log2 FLOAT1
#define KIND_tanh FLOAT1

typedef struct KindRow {
  const char *name;
  Kind kind;
} KindRow;

static const KindRow number_rows[] = {
#undef OP
#define OP(op, ...) {"arith." #op, KIND_##op},
#include "cake/dialect_rows_clear.h"
#include "dialects/arith/arith.def"
#undef OP
#define OP(op, ...) {"math." #op, KIND_##op},
#include "dialects/math/math.def"
};
#include "cake/dialect_rows_clear.h"

static const char *const ints[] = {"i1", "i8", "i16", "i32", "i64", "index"};
static const char *const floats[] = {"f16", "bf16", "f32", "f64"};

// ---- Cases -------------------------------------------------------------------------------------------------------------------

typedef enum Outcome { NOT_RUN, ACCEPTED, REFUSED_TARGET, REFUSED, BROKEN } Outcome;
enum { MOST_CASES = 256 };

typedef struct Case {
  CakeStr name;  // of the row
  CakeStr funcs; // for an arith or math op one for each choice of types
} Case;

// Shared with the children.
typedef struct Report {
  int at;
  unsigned char outcome[MOST_CASES];
  char refusal[MOST_CASES][160]; // the targets that a message names
  char message[1024];
} Report;

static Case cases[MOST_CASES];
static int n_cases, n_funcs;
static CakeArena *arena;
static Report *report;

static void set_up(void) {
  arena = cake_arena_create();
  n_cases = n_funcs = 0;
  report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(report, MAP_FAILED);
}

static void tear_down(void) {
  munmap(report, sizeof *report);
  cake_arena_destroy(arena);
}

#define FACTS "target = [\"sm_80\"], sizes = [], grid = 1 : i64, block = 128 : i64"

static void add_case(CakeStr name, const char *func) {
  n_funcs++;
  Case *last = n_cases ? &cases[n_cases - 1] : NULL;
  if (last && cake_str_equal(last->name, name)) {
    last->funcs = cake_arena_printf(arena, "%s%s", last->funcs.ptr, func);
    return;
  }
  ck_assert_int_lt(n_cases, MOST_CASES);
  cases[n_cases++] = (Case){name, cake_arena_str(arena, cake_str(func))};
}

static void add_gpu_case(const Row *row) {
  CakeStr func = cake_arena_printf(arena,
                                   "gpu.func @k%d(%%g: !gpu.ptr<global>, %%n: index, %%i: i32, %%l: i64, %%x: f32, "
                                   "%%y: f32, %%map: !gpu.tensor_map) attributes {" FACTS
                                   ", arg_names = [\"g\", \"n\", \"i\", \"l\", \"x\", \"y\"], arg_types = [i32, i32, "
                                   "i32, i32, i32, i32], tensor_maps = [{}]} {\n"
                                   "%%s = gpu.shared_memory : !gpu.ptr<shared>\n%s\ngpu.return\n}\n",
                                   n_funcs, row->body);
  add_case(cake_arena_printf(arena, "gpu.%s", row->name), func.ptr);
}

// `%r = op(a, …) : (in, …) -> out`, of scalars or of vectors of four.
static void add_number_case(const char *op, const char *in, unsigned n, bool has_condition, const char *out,
                            const char *attrs, bool vector) {
  const char *open = vector ? "vector<4x" : "", *close = vector ? ">" : "";
  CakeBuf text = {0};
  cake_buf_printf(&text,
                  "gpu.func @k%d(%%a0: %s, %%b0: %s, %%c0: i1) attributes {" FACTS
                  ", arg_names = [\"a\", \"b\", \"c\"], arg_types = [i32, i32, i32]} {\n",
                  n_funcs, in, in);
  for (int i = 0; i < 2; ++i) {
    if (vector)
      cake_buf_printf(&text, "%%%c = gpu.splat %%%c0 : %s -> vector<4x%s>\n", 'a' + i, 'a' + i, in, in);
    else
      cake_buf_printf(&text, "%%%c = gpu.pin %%%c0 : %s\n", 'a' + i, 'a' + i, in);
  }
  if (vector)
    cake_buf_text(&text, "%c = gpu.splat %c0 : i1 -> vector<4xi1>\n");
  else
    cake_buf_text(&text, "%c = gpu.pin %c0 : i1\n");
  cake_buf_printf(&text, "%%r = \"%s\"(%s%s) %s : (", op, has_condition ? "%c, " : "",
                  n == 0   ? ""
                  : n == 1 ? "%a"
                  : n == 2 ? "%a, %b"
                           : "%a, %b, %a",
                  attrs);
  if (has_condition) cake_buf_printf(&text, "%si1%s, ", open, close);
  for (unsigned i = 0; i < n; ++i)
    cake_buf_printf(&text, "%s%s%s%s", i ? ", " : "", open, in, close);
  cake_buf_printf(&text, ") -> %s%s%s\n%%p = gpu.pin %%r : %s%s%s\ngpu.return\n}\n", open, out, close, open, out,
                  close);
  add_case(cake_str(op), text.data);
  cake_buf_fini(&text);
}

static void add_casts(const char *op, const char *const *from, int n_from, const char *const *to, int n_to,
                      int direction, bool vector) {
  for (int i = 0; i < n_from; ++i)
    for (int j = 0; j < n_to; ++j)
      if (direction == 0 || (direction > 0 ? i < j : i > j)) add_number_case(op, from[i], 1, false, to[j], "", vector);
}

// f16 and bf16 have one width.
static bool same_width(const char *a, const char *b) {
  return a[0] != 'i' && (a[0] == 'b' || !strcmp(a, "f16")) && (b[0] == 'b' || !strcmp(b, "f16"));
}

static void add_float_casts(const char *op, int direction, bool vector) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if ((direction > 0 ? i < j : i > j) && !same_width(floats[i], floats[j]))
        add_number_case(op, floats[i], 1, false, floats[j], "", vector);
}

static void add_constants(bool vector) {
  static const char *const values[] = {"true",       "-3 : i8",   "-3 : i16",   "-3 : i32",  "-3 : i64",
                                       "-3 : index", "1.5 : f16", "1.5 : bf16", "1.5 : f32", "1.5 : f64"};
  static const char *const dense[] = {"[true, false, true, true]",
                                      "[-1, 2, 3, 4]",
                                      "[-1, 2, 3, 4]",
                                      "[-1, 2, 3, 4]",
                                      "[-1, 2, 3, 4]",
                                      "[-1, 2, 3, 4]",
                                      "[1.5, 2.0, 3.0, 4.0]",
                                      "[1.5, 2.0, 3.0, 4.0]",
                                      "[1.5, 2.0, 3.0, 4.0]",
                                      "[1.5, 2.0, 3.0, 4.0]"};
  for (int i = 0; i < 10; ++i) {
    const char *type = i < 6 ? ints[i] : floats[i - 6];
    CakeStr attr = vector ? cake_arena_printf(arena, "{value = dense<%s> : vector<4x%s>}", dense[i], type)
                          : cake_arena_printf(arena, "{value = %s}", values[i]);
    add_number_case("arith.constant", type, 0, false, type, attr.ptr, vector);
  }
}

static void add_bitcasts(const char *op, bool vector) {
  static const char *const pairs[][2] = {
      {"i16",  "f16" },
      {"bf16", "i16" },
      {"f16",  "bf16"},
      {"i32",  "f32" },
      {"f64",  "i64" }
  };
  for (size_t i = 0; i < CAKE_COUNT(pairs); ++i)
    add_number_case(op, pairs[i][0], 1, false, pairs[i][1], "", vector);
}

static void add_elementwise(const char *op, Kind kind, bool vector) {
  for (int i = 0; i < 6; ++i) {
    if (kind == INT2) add_number_case(op, ints[i], 2, false, ints[i], "", vector);
    if (kind == COMPARE_INT) add_number_case(op, ints[i], 2, false, "i1", "{predicate = 2 : i64}", vector);
    if (kind == SELECT) add_number_case(op, ints[i], 2, true, ints[i], "", vector);
  }
  for (int i = 0; i < 4; ++i) {
    if (kind == FLOAT1 || kind == FLOAT2 || kind == FLOAT3)
      add_number_case(op, floats[i], 1 + (unsigned)(kind - FLOAT1), false, floats[i], "", vector);
    if (kind == COMPARE_FLOAT) add_number_case(op, floats[i], 2, false, "i1", "{predicate = 4 : i64}", vector);
    if (kind == SELECT) add_number_case(op, floats[i], 2, true, floats[i], "", vector);
  }
}

static void add_number_row(const KindRow *row, bool vector) {
  static const char *const index[] = {"index"};
  switch (row->kind) {
  case CONSTANT: add_constants(vector); break;
  case FLOAT_UP: add_float_casts(row->name, 1, vector); break;
  case FLOAT_DOWN: add_float_casts(row->name, -1, vector); break;
  case INT_UP: add_casts(row->name, ints, 5, ints, 5, 1, vector); break;
  case INT_DOWN: add_casts(row->name, ints, 5, ints, 5, -1, vector); break;
  case INT_TO_FLOAT: add_casts(row->name, ints, 5, floats, 4, 0, vector); break;
  case FLOAT_TO_INT: add_casts(row->name, floats, 4, ints, 5, 0, vector); break;
  case INDEX:
    add_casts(row->name, ints, 5, index, 1, 0, vector);
    add_casts(row->name, index, 1, ints, 5, 0, vector);
    break;
  case BITS: add_bitcasts(row->name, vector); break;
  case NOT_TRANSLATED: break;
  default: add_elementwise(row->name, row->kind, vector); break;
  }
}

// ---- In the child ------------------------------------------------------------------------------------------------------------

typedef struct Said {
  CakeCode code;
  char text[512];
  int count;
  bool verified;
} Said;

static void hear(void *user, const CakeDiagnostic *diagnostic) {
  Said *said = user;
  if (said->count++) return;
  said->code = diagnostic->code;
  snprintf(said->text, sizeof said->text, "%.*s", CAKE_STR_ARG(diagnostic->message));
}

static CakeContext *context; // of a child, which ends without giving it back

// Emits the PTX of a module's text. What was reported first comes back in `said`.
static bool emit(CakeStr text, const char *target, Said *said, CakeBuf *out) {
  if (!context) {
    context = cake_context_create();
    cake_register_all_dialects(context);
    cake_context_allow_unregistered(context, true);
  }
  *said = (Said){0};
  cake_context_set_handler(context, hear, said, NULL, NULL);
  CakeOp *module = cake_parse_module(context, cake_str("case.cake"), text);
  bool ok = module && cake_verify(module);
  said->verified = ok;
  if (ok) ok = cake_nvptx_emit_ptx(module, &(CakeNvptxOptions){.target = target, .line_info = true}, out);
  return ok;
}

// The targets behind "; " in "needs wgmma, which sm_80 lacks; sm_90a has it".
static void note_refusal(int i, const char *text) {
  const char *names = strstr(text, "; ");
  snprintf(report->refusal[i], sizeof report->refusal[i], "%s", names ? names + 2 : "?");
}

static Outcome try_case(int i, const char *target) {
  CakeBuf text = {0}, out = {0};
  Said said;
  cake_buf_printf(&text, "module { gpu.module @m {\n%.*s} }\n", CAKE_STR_ARG(cases[i].funcs));
  Outcome outcome = ACCEPTED;
  if (!emit(cake_buf_view(&text), target, &said, &out)) {
    outcome = said.code == CAKE_CODE_FORM_TARGET                            ? REFUSED_TARGET
              : said.code == CAKE_CODE_LOWER_UNSUPPORTED && said.count == 1 ? REFUSED
                                                                            : BROKEN;
    if (outcome == REFUSED_TARGET) note_refusal(i, said.text);
    if (out.len || !said.verified) outcome = BROKEN;
  } else if (said.count) {
    outcome = BROKEN;
  }
  if (outcome == BROKEN)
    snprintf(report->message, sizeof report->message, "%.*s for %s: %d messages, the first '%.700s'",
             CAKE_STR_ARG(cases[i].name), target, said.count, said.text);
  cake_buf_fini(&text);
  cake_buf_fini(&out);
  return outcome;
}

// All accepted kernels as one module.
static bool write_ptx(const char *target, const char *path) {
  CakeBuf text = {0}, out = {0};
  Said said;
  cake_buf_text(&text, "module { gpu.module @m {\n");
  for (int i = 0; i < n_cases; ++i)
    if (report->outcome[i] == ACCEPTED) cake_buf_str(&text, cases[i].funcs);
  cake_buf_text(&text, "} }\n");
  bool ok = emit(cake_buf_view(&text), target, &said, &out);
  if (!ok) snprintf(report->message, sizeof report->message, "all kernels together for %s: %.700s", target, said.text);
  FILE *file = ok ? fopen(path, "w") : NULL;
  if (file) ok = fwrite(out.data, 1, out.len, file) == out.len;
  if (file) ok = fclose(file) == 0 && ok;
  cake_buf_fini(&text);
  cake_buf_fini(&out);
  return ok && file;
}

static int child(const char *target, const char *path) {
  for (int i = 0; i < n_cases; ++i) {
    report->at = i;
    report->outcome[i] = (unsigned char)try_case(i, target);
    if (report->outcome[i] == BROKEN) return 1;
  }
  report->at = n_cases;
  return write_ptx(target, path) ? 0 : 1;
}

// ---- In the test -------------------------------------------------------------------------------------------------------------

static const char *find_ptxas(void) {
  if (access("/usr/local/cuda/bin/ptxas", X_OK) == 0) return "/usr/local/cuda/bin/ptxas";
  return system("command -v ptxas > /dev/null 2>&1") == 0 ? "ptxas" : NULL;
}

static void assemble(const char *target, const char *path) {
  char command[512], words[2000] = "";
  const char *ptxas = find_ptxas();
  if (!ptxas) return;
  snprintf(command, sizeof command, "%s -arch=%s -O1 %s -o /dev/null 2>&1", ptxas, target, path);
  FILE *pipe = popen(command, "r");
  ck_assert_ptr_nonnull(pipe);
  size_t n = fread(words, 1, sizeof words - 1, pipe);
  words[n] = '\0';
  int status = pclose(pipe);
  if (status || n) ck_abort_msg("ptxas for %s: status %d\n%s", target, status, words);
}

static void try_target(const char *target) {
  char path[] = "/tmp/cake_nvptx_XXXXXX";
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  close(file);
  memset(report, 0, sizeof *report);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) _exit(child(target, path));
  int status;
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  if (!WIFEXITED(status)) {
    unlink(path);
    ck_abort_msg("%s: the process ended by signal %d at '%.*s'", target, WTERMSIG(status),
                 report->at < n_cases ? (int)cases[report->at].name.len : 3,
                 report->at < n_cases ? cases[report->at].name.ptr : "all");
  }
  if (WEXITSTATUS(status) == 0) assemble(target, path);
  unlink(path);
  if (WEXITSTATUS(status))
    ck_abort_msg("%s: status %d at case %d: %s", target, WEXITSTATUS(status), report->at, report->message);
}

// ---- Tests -------------------------------------------------------------------------------------------------------------------

START_TEST(targets_have_a_ptx_version) {
  for (const CakeTarget *target = cake_targets; target->name; ++target)
    if (!cake_nvptx_has_target(target->name)) ck_abort_msg("no PTX version for %s", target->name);
  ck_assert(!cake_nvptx_has_target("sm_70"));
  ck_assert(!cake_nvptx_has_target(""));
  ck_assert(!cake_nvptx_has_target(NULL));
}
END_TEST

// A refusal names exactly the targets that accept the op.
START_TEST(gpu_rows_on_all_targets) {
  static unsigned char accepted[CAKE_COUNT(gpu_rows)][32];
  static char named[CAKE_COUNT(gpu_rows)][160];
  for (size_t i = 0; i < CAKE_COUNT(gpu_rows); ++i)
    add_gpu_case(&gpu_rows[i]);
  int t = 0;
  for (const CakeTarget *target = cake_targets; target->name; ++target, ++t) {
    try_target(target->name);
    for (int i = 0; i < n_cases; ++i) {
      if (report->outcome[i] == REFUSED) ck_abort_msg("%s has no translation", gpu_rows[i].name);
      accepted[i][t] = report->outcome[i] == ACCEPTED;
      if (report->outcome[i] == REFUSED_TARGET) snprintf(named[i], sizeof named[i], "%s", report->refusal[i]);
    }
  }
  for (int i = 0; i < n_cases; ++i) {
    CakeBuf have = {0};
    int count = 0;
    t = 0;
    for (const CakeTarget *target = cake_targets; target->name; ++target, ++t)
      if (accepted[i][t]) cake_buf_printf(&have, "%s%s", count++ ? ", " : "", target->name);
    cake_buf_text(&have, count > 1 ? " have it" : " has it");
    if (count < t) ck_assert_str_eq(named[i], have.data);
    cake_buf_fini(&have);
  }
}
END_TEST

START_TEST(wgmma_is_of_sm_90a) {
  add_gpu_case(&gpu_rows[cake_op_gpu_wgmma]);
  try_target("sm_100a");
  ck_assert_int_eq(report->outcome[0], REFUSED_TARGET);
  ck_assert_str_eq(report->refusal[0], "sm_90a has it");
}
END_TEST

static const char *const number_targets[] = {"sm_80", "sm_90a"};

START_TEST(numbers) {
  for (int vector = 0; vector < 2; ++vector)
    for (size_t i = 0; i < CAKE_COUNT(number_rows); ++i)
      add_number_row(&number_rows[i], vector);
  try_target(number_targets[_i]);
  for (int i = 0; i < n_cases; ++i) {
    static const char *const translated[] = {"arith.", "math.fma", "math.absf", "math.sqrt"};
    bool has_one = false;
    for (size_t j = 0; j < CAKE_COUNT(translated); ++j)
      has_one = has_one || cake_str_starts_with(cases[i].name, translated[j]);
    if (report->outcome[i] != (has_one ? ACCEPTED : REFUSED))
      ck_abort_msg("%s: outcome %d of %s", number_targets[_i], report->outcome[i], cases[i].name.ptr);
  }
}
END_TEST

// ---- Verified, and hostile -----------------------------------------------------------------------------------------------------

#define KERNEL(name, args, facts, body)                                                                                \
  "gpu.func " name "(" args ") attributes {" FACTS ", " facts "} { " body " gpu.return } "
#define NO_ARGS "arg_names = [], arg_types = []"
#define ONE_ARG "arg_names = [\"a\"], arg_types = [i32]"
#define MODULE(text) "module { gpu.module @m { " text "} }"
#define OF(body) MODULE(KERNEL("@k", "", NO_ARGS, body))
#define SHARED_USE "%s = gpu.shared_memory : !gpu.ptr<shared> gpu.mbarrier_arrive %s "

static const struct {
  const char *text, *message; // NULL: accepted
} hostile[] = {
    {OF("%a = arith.constant dense<0.0> : vector<100000xf32>"), "cannot hold"},
    {OF("%a = arith.constant dense<0.0> : vector<1024xf32> %b = gpu.pin %a : vector<1024xf32>"), NULL},
    {OF("%a = arith.constant 1.0 : f32 %b = gpu.pin %a branch : f32"), "branches on a value that is no i32"},
    {OF("%a = arith.constant dense<0.0> : vector<3xbf16>"), "cannot hold"},
    {OF("%a = arith.constant dense<0.0> : vector<[4]xf32>"), "cannot hold"},
    {OF("%a = arith.constant dense<0.0> : tensor<4xf32>"), "cannot hold"},
    {OF("%a = arith.constant 1 : i32 %b = arith.extsi %a : i32 to i128"), "cannot hold"},
    {OF("%a = arith.constant 1 : i7"), "cannot hold"},
    {OF("%a = arith.constant 4294967296 : index"), "cannot hold"},
    {OF("%a = arith.constant 0.0 : f8E4M3FN"), "cannot hold"},
    {OF("%a = arith.constant 0.0 : bf16 %v = gpu.splat %a : bf16 -> vector<5xbf16>"), "cannot hold"},
    {OF("%a = arith.constant 0.0 : bf16 %v = gpu.pack %a, %a, %a : bf16, bf16, bf16 -> vector<3xbf16>"), "cannot hold"},
    {OF("%a = arith.constant dense<0.0> : vector<6xbf16> %v, %w = gpu.unpack %a : vector<6xbf16> -> vector<3xbf16>, "
        "vector<3xbf16>"),
     "pair"},
    {OF("%a = arith.constant 1 : i32 %b = arith.extsi %a : i32 to i100"), "cannot hold"},
    {OF("%a = arith.constant 1.0 : f32 %b = arith.truncf %a upward : f32 to bf16"), "rounds otherwise"},
    {OF("%a = arith.constant 1.0 : f32 %b = math.log %a : f32"), "no exact translation"},
    {OF("%a = arith.constant 1.0 : f64 %b = math.exp2 %a : f64"), "of f64"},
    {OF("%a = arith.constant 1.0 : bf16 %b = math.exp %a : bf16 %c = math.exp2 %b : bf16 %d = math.rsqrt %c : bf16"),
     NULL},
    {OF("%a = arith.constant 1.0 : f32 %b = math.log %a fastmath<afn> : f32 %c = math.log2 %b fastmath<afn> : f32 %d = "
        "math.tanh %c fastmath<afn> : f32"),
     NULL},
    {OF("%v = \"strange.value\"() : () -> i32 %w = arith.addi %v, %v : i32"), "no translation"},
    {OF("%c = arith.constant true scf.while : () -> () { scf.condition(%c) } do { scf.yield }"), "no translation"},
    {OF("%c = arith.constant 1 : index scf.index_switch %c default { scf.yield }"), "no translation"},
    {OF("%c = arith.constant true scf.if %c { }"), NULL},
    {OF("%c = arith.constant true scf.if %c { } else { }"), NULL},
    {OF("%c = arith.constant 4 : i64 scf.for %i = %c to %c step %c : i64 { }"), NULL},
    {OF("%a = gpu.wgmma_wait 9, %v : vector<4xf32> %v = arith.constant dense<0.0> : vector<4xf32>"), "dominate"},
    {OF("%v = arith.constant dense<0.0> : vector<4xf32> %a = gpu.wgmma_wait 9, %v : vector<4xf32>"), "0 to 7"},
    {OF("cf.br ^next ^next:"), "one block"},
    {MODULE(KERNEL("@k", "%a: vector<4xf32>", ONE_ARG, "")), "cannot pass"},
    {MODULE(KERNEL("@k", "%a: !gpu.ptr<shared>", ONE_ARG, "")), "cannot pass"},
    {MODULE(KERNEL("@k", "%a: tensor<4xf32>", ONE_ARG, "")), "cannot pass"},
    {MODULE(KERNEL("@k", "%a: i99", ONE_ARG, "")), "cannot pass"},
    {MODULE(KERNEL("@k", "%a: none", ONE_ARG, "")), "cannot pass"},
    {MODULE(KERNEL("@k", "%a: i1", ONE_ARG, "")), NULL},
    {MODULE(KERNEL("@a", "", NO_ARGS, SHARED_USE) KERNEL("@b", "", NO_ARGS, SHARED_USE)), NULL},
    {"module { gpu.module @m { " KERNEL("@k", "", NO_ARGS, "") "} gpu.module @n { " KERNEL("@k", "", NO_ARGS, "") "} }",
     "another kernel"},
    {MODULE(KERNEL("@\"llvm.nvvm.barrier.cta.sync.aligned.all\"", "", NO_ARGS, "gpu.barrier")), "PTX identifier"},
    {MODULE(KERNEL("@\"two words\"", "", NO_ARGS, "")), "PTX identifier"},
    {MODULE(KERNEL("@\"\"", "", NO_ARGS, "")), "PTX identifier"},
    {MODULE(KERNEL("@\"0k\"", "", NO_ARGS, "")), "PTX identifier"},
    {MODULE(KERNEL("@_", "", NO_ARGS, "")), "PTX identifier"},
    {MODULE(KERNEL("@WARP_SZ", "", NO_ARGS, "")), "PTX identifier"},
    {MODULE(KERNEL("@cake_shared_memory", "", NO_ARGS, SHARED_USE)), "reserved"},
    {"module { gpu.module @m { " KERNEL(
         "@k", "%a: !gpu.tensor_map, %b: !gpu.tensor_map", "arg_names = [], arg_types = [], tensor_maps = [{}, {}]",
     SHARED_USE "%z = arith.constant 0 : i32 %c = arith.constant true %m = arith.select %c, %a, %b : "
                    "!gpu.tensor_map gpu.tma_load %s, %s, %m[%z]") "} }",
     "not an argument"},
};

static int try_hostile(size_t i) {
  CakeBuf out = {0};
  Said said;
  bool ok = emit(cake_str(hostile[i].text), "sm_90a", &said, &out);
  bool clean = ok ? said.count == 0 && out.len > 0
                  : said.count == 1 && out.len == 0 && (!said.verified || said.code == CAKE_CODE_LOWER_UNSUPPORTED);
  cake_buf_fini(&out);
  if (clean && ok == !hostile[i].message && (ok || strstr(said.text, hostile[i].message))) return 0;
  snprintf(report->message, sizeof report->message, "%d messages, the first '%s'", said.count, said.text);
  return 1;
}

static int try_all_hostile(void) {
  for (report->at = 0; report->at < (int)CAKE_COUNT(hostile); ++report->at)
    if (try_hostile((size_t)report->at)) return 1;
  return 0;
}

START_TEST(hostile_ir_is_refused) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) _exit(try_all_hostile());
  int status;
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  if (status) ck_abort_msg("%s\nstatus %d; %s", hostile[report->at].text, status, report->message);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("nvptx");
  TCase *tcase = tcase_create("rows");
  tcase_set_timeout(tcase, 300);
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, targets_have_a_ptx_version);
  tcase_add_test(tcase, gpu_rows_on_all_targets);
  tcase_add_test(tcase, wgmma_is_of_sm_90a);
  tcase_add_loop_test(tcase, numbers, 0, CAKE_COUNT(number_targets));
  tcase_add_test(tcase, hostile_ir_is_refused);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
