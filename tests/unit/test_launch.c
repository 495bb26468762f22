// The launcher against a driver of our own that this program exports: what a call is refused for, what reaches the driver,
// and what is cached.
#include "targets/nvptx/runtime/launch.h"
#include "targets/nvptx/runtime/watchdog.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The driver ------------------------------------------------------------------------------------------------------

static struct {
  const char *failing; // the symbol that answers with an error
  int loads, unloads, encodes, launches, launches_ex;
  unsigned grid, threads, shared_bytes, n_attributes, cluster;
  void *stream, *context;
  unsigned long long context_id;
  uint64_t address;
  int32_t sizes[3];
  float scale;
  CakeLaunchMapBits map;
} driver;

#define CAKE_LAUNCH_ROW(field, symbol, required, parameters) int symbol parameters;
CAKE_LAUNCH_DRIVER(CAKE_LAUNCH_ROW)
#undef CAKE_LAUNCH_ROW

#define ANSWER(symbol) return driver.failing && strcmp(driver.failing, #symbol) == 0 ? 1 : 0

int cuInit(unsigned flags) {
  (void)flags;
  ANSWER(cuInit);
}

int cuGetErrorName(int error, const char **out) {
  (void)error;
  *out = "CUDA_ERROR_INVALID_VALUE";
  return 0;
}

int cuCtxGetCurrent(void **out) {
  *out = driver.context;
  ANSWER(cuCtxGetCurrent);
}

int cuCtxGetId(void *context, unsigned long long *out) {
  (void)context;
  *out = driver.context_id;
  ANSWER(cuCtxGetId);
}

int cuCtxGetDevice(int *out) {
  *out = 0;
  ANSWER(cuCtxGetDevice);
}

int cuDeviceGetAttribute(int *out, int attribute, int device) {
  (void)device;
  *out = attribute == CAKE_LAUNCH_DEVICE_MAJOR             ? 9
         : attribute == CAKE_LAUNCH_DEVICE_MINOR           ? 0
         : attribute == CAKE_LAUNCH_DEVICE_MULTIPROCESSORS ? 132
                                                           : INT32_MAX;
  ANSWER(cuDeviceGetAttribute);
}

int cuModuleLoadDataEx(void **out, const void *image, unsigned n_options, int *options, void **values) {
  ck_assert_uint_eq(n_options, 2);
  ck_assert_int_eq(options[0], CAKE_LAUNCH_JIT_ERROR_LOG);
  if (strcmp(image, "bad") == 0) {
    strcpy(values[0], "line 1: syntax error");
    return 1;
  }
  driver.loads++;
  *out = &driver;
  ANSWER(cuModuleLoadDataEx);
}

int cuModuleUnload(void *module) {
  ck_assert_ptr_eq(module, &driver);
  driver.unloads++;
  return 0;
}

int cuModuleGetFunction(void **out, void *module, const char *name) {
  (void)module;
  ck_assert_str_eq(name, "scale");
  *out = &driver.loads;
  ANSWER(cuModuleGetFunction);
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  (void)function, (void)attribute, (void)value;
  ANSWER(cuFuncSetAttribute);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, void *function, int threads, size_t shared_bytes) {
  (void)function, (void)threads, (void)shared_bytes;
  *out = driver.failing && strcmp(driver.failing, "occupancy") == 0 ? 0 : 1;
  ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
}

int cuOccupancyMaxActiveClusters(int *out, void *function, const CakeLaunchConfig *config) {
  (void)function;
  ck_assert_uint_eq(config->n_attributes, 1);
  ck_assert_uint_eq(config->grid[0], 2);
  *out = 60;
  ANSWER(cuOccupancyMaxActiveClusters);
}

static void take_params(void **params) {
  memcpy(&driver.address, params[0], sizeof driver.address);
  memcpy(&driver.scale, params[1], sizeof driver.scale);
  for (int i = 0; i < 2; i++)
    memcpy(&driver.sizes[i], params[2 + i], sizeof driver.sizes[i]);
  memcpy(&driver.map, params[4], sizeof driver.map);
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **params,
                   void **extra) {
  (void)extra;
  ck_assert_ptr_eq(function, &driver.loads);
  ck_assert(grid_y == 1 && grid_z == 1 && block_y == 1 && block_z == 1);
  driver.launches++;
  driver.grid = grid_x;
  driver.threads = block_x;
  driver.shared_bytes = shared_bytes;
  driver.stream = stream;
  take_params(params);
  ANSWER(cuLaunchKernel);
}

int cuLaunchKernelEx(const CakeLaunchConfig *config, void *function, void **params, void **extra) {
  (void)function, (void)extra;
  driver.launches_ex++;
  driver.grid = config->grid[0];
  driver.n_attributes = config->n_attributes;
  driver.cluster = config->attributes[0].value.cluster[0];
  take_params(params);
  ANSWER(cuLaunchKernelEx);
}

int cuTensorMapEncodeTiled(CakeLaunchMapBits *out, int type, uint32_t rank, void *base, const uint64_t *dims,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides,
                           int interleave, int swizzle, int promotion, int fill) {
  (void)element_strides, (void)interleave, (void)promotion, (void)fill;
  ck_assert_int_eq(type, 9);
  ck_assert_uint_eq(rank, 3);
  ck_assert(dims[0] == 64 && dims[2] == 2 && strides[1] == 128 && box[0] == 64 && swizzle == 3);
  memset(out, 0, sizeof *out);
  out->opaque[0] = (uint64_t)(uintptr_t)base;
  out->opaque[1] = dims[1];
  driver.encodes++;
  ANSWER(cuTensorMapEncodeTiled);
}

// ---- A kernel --------------------------------------------------------------------------------------------------------

// @scale(%x: [M]x128xbf16 by a tensor map, %a: f32), one CTA for 64 rows of M and all of N; guard(N ge 1).
static const CakeFormulaStep m_steps[] =
    {
        {CAKE_FORMULA_SIZE, 0}
},
                             k_steps[] = {{CAKE_FORMULA_CONST, 128}},
                             item_steps[] = {{CAKE_FORMULA_SIZE, 0},
                                             {CAKE_FORMULA_CONST, 64},
                                             {CAKE_FORMULA_CEILDIV, 0}},
                             guard_steps[] = {{CAKE_FORMULA_SIZE, 1}, {CAKE_FORMULA_CONST, 1}, {CAKE_FORMULA_GE, 0}};
static const CakeFormula dims[] = {
    {m_steps, 1},
    {k_steps, 1}
};
static const CakeManifestArgument args[] = {
    {.name = "x", .element = CAKE_ELEMENT_BF16, .is_array = true, .align = 2, .rank = 2, .dims = dims},
    {.name = "a", .element = CAKE_ELEMENT_F32},
};
static const char *const sizes[] = {"M", "N"};
static const CakeManifestMap maps[] = {
    {.argument = 0, .rank = 3, .box = {64, 64, 1}, .panel = 64, .swizzle = 128}
};

static CakeManifest make_manifest(void) {
  return (CakeManifest){
      .version = CAKE_MANIFEST_VERSION,
      .kernel = "scale",
      .target = "sm_90a",
      .args = args,
      .n_args = 2,
      .sizes = sizes,
      .n_sizes = 2,
      .maps = maps,
      .n_maps = 1,
      .items = {item_steps,  3},
      .guard = {guard_steps, 3},
      .guard_text = "N ge 1",
      .persistent = true,
      .threads = 384,
      .shared_bytes = 4096
  };
}

static CakeManifest manifest;
static CakeRuntimeError error;
static const float scale = 2.0f;
static CakeArgument values[2];
static int64_t given[2];
static CakeCall call;

static void setup(void) {
  memset(&driver, 0, sizeof driver);
  driver.context = &manifest;
  driver.context_id = 1;
  manifest = make_manifest();
  values[0] = (CakeArgument){.address = (void *)0x1000};
  values[1] = (CakeArgument){.scalar = &scale};
  given[0] = 1000;
  given[1] = 7;
  call = (CakeCall){.args = values, .sizes = given, .stream = &given};
  ck_assert(cake_driver_open(NULL, &error));
}

static CakeKernel *make_kernel(const char *image) {
  static CakeImage images[1];
  CakeKernel *kernel;
  images[0] = (CakeImage){image, strlen(image) + 1};
  ck_assert(cake_kernel_create(&manifest, images, 1, &kernel, &error));
  return kernel;
}

static void expect_refusal(const char *text) {
  CakeLaunchShape shape;
  error.text[0] = '\0';
  ck_assert(!cake_launch_check(&manifest, &call, &shape, &error));
  ck_assert_msg(strstr(error.text, text) != NULL, "found: %s", error.text);
  ck_assert(!cake_launch_check(&manifest, &call, &shape, NULL));
}

// ---- Formulas --------------------------------------------------------------------------------------------------------

static bool eval2(CakeFormulaOp op, int64_t a, int64_t b, int64_t *out) {
  CakeFormulaStep steps[] = {
      {CAKE_FORMULA_CONST, a},
      {CAKE_FORMULA_CONST, b},
      {op,                 0}
  };
  return cake_formula_eval(&(CakeFormula){steps, 3}, NULL, 0, out);
}

START_TEST(formulas_have_values) {
  static const struct {
    CakeFormulaOp op;
    int64_t a, b, value;
  } rows[] = {
      {CAKE_FORMULA_ADD,      3,         -5,            -2 },
      {CAKE_FORMULA_SUB,      3,         5,             -2 },
      {CAKE_FORMULA_MUL,      -3,        5,             -15},
      {CAKE_FORMULA_FLOORDIV, -7,        2,             -4 },
      {CAKE_FORMULA_CEILDIV,  -7,        2,             -3 },
      {CAKE_FORMULA_CEILDIV,  7,         2,             4  },
      {CAKE_FORMULA_MOD,      -7,        2,             1  },
      {CAKE_FORMULA_MIN,      3,         5,             3  },
      {CAKE_FORMULA_MAX,      3,         5,             5  },
      {CAKE_FORMULA_EQ,       3,         3,             1  },
      {CAKE_FORMULA_NE,       3,         3,             0  },
      {CAKE_FORMULA_LT,       3,         4,             1  },
      {CAKE_FORMULA_LE,       4,         4,             1  },
      {CAKE_FORMULA_GT,       3,         4,             0  },
      {CAKE_FORMULA_GE,       4,         4,             1  },
      {CAKE_FORMULA_AND,      1,         0,             0  },
      {CAKE_FORMULA_AND,      1,         1,             1  },
      {CAKE_FORMULA_SUB,      INT64_MIN, INT64_MIN + 1, -1 },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t value = -99;
    ck_assert_msg(eval2(rows[i].op, rows[i].a, rows[i].b, &value) && value == rows[i].value, "row %zu: %lld", i,
                  (long long)value);
  }
}
END_TEST

START_TEST(formulas_without_a_value_say_so) {
  int64_t value, unknown = -1;
  CakeFormulaStep size =
                      {
                          CAKE_FORMULA_SIZE, 0
  },
                  many[CAKE_FORMULA_MAX_DEPTH + 1] = {{CAKE_FORMULA_CONST, 1}};
  ck_assert(!eval2(CAKE_FORMULA_ADD, INT64_MAX, 1, &value));
  ck_assert(!eval2(CAKE_FORMULA_ADD, INT64_MIN, -1, &value));
  ck_assert(!eval2(CAKE_FORMULA_SUB, INT64_MIN, 1, &value));
  ck_assert(!eval2(CAKE_FORMULA_SUB, 0, INT64_MIN, &value));
  ck_assert(!eval2(CAKE_FORMULA_MUL, INT64_MAX, 2, &value));
  ck_assert(!eval2(CAKE_FORMULA_MUL, INT64_MIN, -1, &value));
  ck_assert(!eval2(CAKE_FORMULA_MUL, -1, INT64_MIN, &value));
  ck_assert(!eval2(CAKE_FORMULA_FLOORDIV, 1, 0, &value));
  ck_assert(!eval2(CAKE_FORMULA_MOD, INT64_MIN, -1, &value));
  ck_assert(!eval2((CakeFormulaOp)99, 1, 1, &value));
  ck_assert(!cake_formula_eval(&(CakeFormula){&size, 1}, &unknown, 1, &value));
  ck_assert(!cake_formula_eval(&(CakeFormula){&size, 1}, NULL, 0, &value));
  ck_assert(!cake_formula_eval(&(CakeFormula){NULL, 0}, NULL, 0, &value));
  ck_assert(!cake_formula_eval(&(CakeFormula){many, 2}, NULL, 0, &value)); // leaves two values
  ck_assert(!cake_formula_eval(&(CakeFormula){many, CAKE_FORMULA_MAX_DEPTH + 1}, NULL, 0, &value));
  ck_assert(!cake_formula_eval(&(CakeFormula){&item_steps[1], 2}, NULL, 0, &value)); // takes more than there is
}
END_TEST

// ---- Refusals --------------------------------------------------------------------------------------------------------

START_TEST(sizes_are_checked) {
  int64_t shape[] = {999, 128};
  given[1] = 0;
  expect_refusal("the kernel's guard N ge 1 does not hold for M = 1000, N = 0");
  given[1] = -1;
  expect_refusal("size 'N' is not known");
  given[1] = -2;
  expect_refusal("size 'N' is -2 in the call");
  given[1] = INT64_C(1) << 31;
  expect_refusal("sizes are from 0 to 2147418110");
  given[1] = 1;
  values[0].shape = shape;
  expect_refusal("size 'M' is 999 in dimension 0 of 'x', but 1000 before");
  given[0] = -1;
  shape[1] = 127;
  expect_refusal("argument 'x' must have the shape (999, 128); dimension 1 is 127");
}
END_TEST

START_TEST(addresses_are_checked) {
  values[0].address = (void *)0x1008;
  expect_refusal("argument 'x' is at 0x1008; its address must be a multiple of 16");
  manifest.n_maps = 0;
  CakeLaunchShape shape;
  ck_assert(cake_launch_check(&manifest, &call, &shape, &error)); // without a tensor map 2 bytes are enough
  values[0].address = NULL;
  expect_refusal("argument 'x' has no address");
  given[0] = 0; // an empty array need not be anywhere
  ck_assert(cake_launch_check(&manifest, &call, &shape, &error));
  ck_assert_int_eq(shape.items, 0);
  values[1].scalar = NULL;
  expect_refusal("argument 'a' has no value");
}
END_TEST

// A second array behind x: read only, or both, or neither. M = 1000: 256000 bytes.
START_TEST(what_is_read_only_shares_no_memory) {
  static CakeManifestArgument two[2];
  CakeLaunchShape shape;
  two[0] = two[1] = args[0];
  two[1].name = "y";
  two[1].is_readonly = true;
  manifest.args = two;
  values[0] = (CakeArgument){.address = (void *)0x10000};
  values[1] = (CakeArgument){.address = (void *)(0x10000 + 256000)};
  ck_assert_msg(cake_launch_check(&manifest, &call, &shape, &error), "%s", error.text);
  values[1].address = (void *)(0x10000 + 256000 - 16);
  expect_refusal("argument 'y' is read only, but shares memory with 'x', which may be written");
  values[0].address = (void *)(0x10000 + 256000);
  values[1].address = (void *)0x10010;
  expect_refusal("argument 'y' is read only, but shares memory with 'x', which may be written");
  two[0].is_readonly = true; // then nobody writes
  ck_assert(cake_launch_check(&manifest, &call, &shape, &error));
  two[0].is_readonly = two[1].is_readonly = false; // nothing was promised
  ck_assert(cake_launch_check(&manifest, &call, &shape, &error));
  two[1].is_readonly = true;
  given[0] = 0; // empty arrays share nothing
  ck_assert(cake_launch_check(&manifest, &call, &shape, &error));
}
END_TEST

START_TEST(arrays_beyond_memory_are_refused) {
  CakeFormula huge[3] = {dims[0], dims[0], dims[0]};
  CakeManifestArgument array = args[0], list[2] = {array, args[1]};
  list[0].rank = 3;
  list[0].dims = huge;
  manifest.args = list;
  manifest.n_maps = 0;
  given[0] = 2147418110;
  expect_refusal("argument 'x' is larger than memory can be");
  huge[2] = dims[1];
  given[0] = 1 << 20; // 2^47 elements: what only 64-bit offsets reach is allowed
  CakeLaunchShape shape;
  ck_assert(cake_launch_check(&manifest, &call, &shape, &error));
}
END_TEST

START_TEST(tensor_maps_are_checked_without_a_device) {
  CakeManifestMap map = maps[0];
  manifest.maps = &map;
  map.box[1] = 257;
  expect_refusal("has a box of 257 elements in dimension 1");
  map.box[1] = 64;
  map.rank = 2;
  expect_refusal("argument 'x' has no tensor map with a box of 2 dimensions");
  map.rank = 3;
  map.box[0] = 128;
  expect_refusal("rows of 256 bytes");
  CakeFormulaStep odd = {CAKE_FORMULA_CONST, 100};
  CakeFormula odd_dims[] = {
      dims[0], {&odd, 1}
  };
  CakeManifestArgument list[2] = {args[0], args[1]};
  list[0].dims = odd_dims;
  manifest.args = list;
  manifest.maps = maps;
  expect_refusal("has a stride of 200 bytes in dimension 1");
}
END_TEST

START_TEST(malformed_manifests_are_refused) {
  manifest.version = 1;
  expect_refusal("the manifest is of version 1");
  manifest = make_manifest();
  manifest.n_sizes = CAKE_MANIFEST_MAX_PARAMS;
  expect_refusal("has more than 127 parameters");
  manifest = make_manifest();
  manifest.n_maps = CAKE_MANIFEST_MAX_MAPS + 1;
  expect_refusal("has more than 16 tensor maps");
  CakeManifestMap map = {.argument = 9};
  manifest = make_manifest();
  manifest.maps = &map;
  expect_refusal("has a malformed tensor map");
  manifest = make_manifest();
  manifest.items.count = 0;
  expect_refusal("number of items has no value");
}
END_TEST

START_TEST(tensors_are_checked) {
  int64_t shape[] = {500, 128}, strides[] = {128, 1};
  CakeDlTensor tensor = {.data = (void *)0x2000,
                         .device_type = 2,
                         .ndim = 2,
                         .type_code = 4,
                         .type_bits = 16,
                         .type_lanes = 1,
                         .shape = shape,
                         .strides = strides,
                         .byte_offset = 32};
  CakeLaunchShape found;
  given[0] = -1;
  values[0] = (CakeArgument){.tensor = &tensor};
  ck_assert_msg(cake_launch_check(&manifest, &call, &found, &error), "%s", error.text);
  ck_assert(found.addresses[0] == 0x2020 && found.sizes[0] == 500 && found.items == 8);
  strides[0] = 129;
  expect_refusal("argument 'x' is not dense");
  tensor.strides = NULL;
  ck_assert(cake_launch_check(&manifest, &call, &found, &error));
  tensor.type_bits = 32;
  expect_refusal("argument 'x' has elements of DLPack's type (4, 32 bits, 1 lanes); it must be (4, 16, 1)");
  tensor.type_bits = 16;
  tensor.device_type = 1;
  expect_refusal("must be CUDA memory");
  tensor.ndim = 1;
  expect_refusal("argument 'x' has 2 dimensions; the tensor has 1");
}
END_TEST

START_TEST(targets_run_where_they_can) {
  ck_assert(cake_target_runs("sm_80", 90) && cake_target_runs("sm_90a", 90) && cake_target_runs("sm_100f", 103));
  ck_assert(!cake_target_runs("sm_90a", 100) && !cake_target_runs("sm_100f", 90) && !cake_target_runs("sm_100f", 120));
  ck_assert(!cake_target_runs("sm_90", 80) && !cake_target_runs("gfx90", 90) && !cake_target_runs("sm_", 90));
}
END_TEST

// ---- Launches --------------------------------------------------------------------------------------------------------

START_TEST(parameters_reach_the_driver) {
  CakeKernel *kernel = make_kernel("good");
  ck_assert_msg(cake_kernel_launch(kernel, &call, &error), "%s", error.text);
  ck_assert(driver.launches == 1 && driver.grid == 16 && driver.threads == 384 && driver.shared_bytes == 4096);
  ck_assert(driver.stream == (void *)&given && driver.address == 0x1000 && driver.scale == scale);
  ck_assert(driver.sizes[0] == 1000 && driver.sizes[1] == 7);
  ck_assert(driver.map.opaque[0] == 0x1000 && driver.map.opaque[1] == 1000);
  given[0] = 100000; // more items than CTAs that fit
  ck_assert(cake_kernel_launch(kernel, &call, &error));
  ck_assert_uint_eq(driver.grid, 132);
  ck_assert_int_eq(driver.loads, 1);
  cake_kernel_destroy(kernel);
  ck_assert_int_eq(driver.unloads, 1);
}
END_TEST

START_TEST(tensor_maps_are_cached) {
  CakeKernel *kernel = make_kernel("good");
  for (int i = 0; i < 3; i++)
    ck_assert(cake_kernel_launch(kernel, &call, &error));
  ck_assert_int_eq(driver.encodes, 1);
  given[0] = 999; // another shape at the same address
  ck_assert(cake_kernel_launch(kernel, &call, &error));
  ck_assert(driver.encodes == 2 && driver.map.opaque[1] == 999);
  for (uintptr_t at = 1; at < 500; at++) { // more addresses than the cache has places
    values[0].address = (void *)(at * 4096);
    ck_assert(cake_kernel_launch(kernel, &call, &error));
    ck_assert_uint_eq(driver.map.opaque[0], at * 4096);
  }
  driver.failing = "cuTensorMapEncodeTiled";
  values[0].address = (void *)0x7770000;
  ck_assert(!cake_kernel_launch(kernel, &call, &error));
  ck_assert_str_eq(error.text, "cannot encode a tensor map: CUDA_ERROR_INVALID_VALUE (1)");
  driver.failing = NULL;
  ck_assert(cake_kernel_launch(kernel, &call, &error)); // the failed one was not kept
  cake_kernel_destroy(kernel);
}
END_TEST

START_TEST(each_context_loads_its_own) {
  CakeKernel *kernel = make_kernel("good");
  ck_assert(cake_kernel_load(kernel, &error) && cake_kernel_load(kernel, &error));
  ck_assert_int_eq(driver.loads, 1);
  driver.context_id = 2; // a new context at the same address
  ck_assert(cake_kernel_launch(kernel, &call, &error));
  ck_assert_int_eq(driver.loads, 2);
  cake_kernel_destroy(kernel);
  ck_assert_int_eq(driver.unloads, 1); // the other went with its context
}
END_TEST

START_TEST(clusters_are_launched) {
  manifest.cluster[0] = 2;
  manifest.cluster[1] = manifest.cluster[2] = 1;
  CakeKernel *kernel = make_kernel("good");
  given[0] = 65; // two items
  ck_assert_msg(cake_kernel_launch(kernel, &call, &error), "%s", error.text);
  ck_assert(driver.launches_ex == 1 && driver.grid == 2 && driver.n_attributes == 1 && driver.cluster == 2);
  given[0] = 1; // one item still needs a whole cluster
  ck_assert(cake_kernel_launch(kernel, &call, &error));
  ck_assert_uint_eq(driver.grid, 2);
  given[0] = 100000;
  ck_assert(cake_kernel_launch(kernel, &call, &error));
  ck_assert_uint_eq(driver.grid, 120);
  manifest.persistent = false;
  given[0] = 1;
  ck_assert(!cake_kernel_launch(kernel, &call, &error));
  ck_assert_str_eq(error.text, "a grid of 1 CTAs does not divide into clusters of 2");
  manifest.programmatic = true;
  given[0] = 65;
  ck_assert(cake_kernel_launch(kernel, &call, &error));
  ck_assert_uint_eq(driver.n_attributes, 2);
  cake_kernel_destroy(kernel);
}
END_TEST

START_TEST(nothing_is_started_for_no_items) {
  CakeKernel *kernel = make_kernel("good");
  given[0] = 0;
  values[0].address = NULL;
  ck_assert_msg(cake_kernel_launch(kernel, &call, &error), "%s", error.text);
  ck_assert(driver.launches == 0 && driver.loads == 0);
  cake_kernel_destroy(kernel);
}
END_TEST

START_TEST(every_failing_call_is_told) {
  static const char *const symbols[] = {"cuCtxGetCurrent",
                                        "cuCtxGetDevice",
                                        "cuDeviceGetAttribute",
                                        "cuModuleLoadDataEx",
                                        "cuModuleGetFunction",
                                        "cuFuncSetAttribute",
                                        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                                        "cuTensorMapEncodeTiled",
                                        "cuLaunchKernel"};
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    CakeKernel *kernel = make_kernel("good");
    driver.failing = symbols[i];
    error.text[0] = '\0';
    ck_assert_msg(!cake_kernel_launch(kernel, &call, &error), "%s", symbols[i]);
    ck_assert_msg(strstr(error.text, "CUDA_ERROR_INVALID_VALUE") != NULL, "%s: %s", symbols[i], error.text);
    driver.failing = NULL;
    ck_assert(cake_kernel_launch(kernel, &call, &error)); // and it recovers
    cake_kernel_destroy(kernel);
  }
}
END_TEST

START_TEST(devices_that_do_not_fit_are_refused) {
  CakeKernel *kernel = make_kernel("bad");
  ck_assert(!cake_kernel_launch(kernel, &call, &error));
  ck_assert_str_eq(error.text, "cannot load kernel 'scale': CUDA_ERROR_INVALID_VALUE (1) line 1: syntax error");
  manifest.target = "sm_100a";
  ck_assert(!cake_kernel_launch(kernel, &call, &error));
  ck_assert_str_eq(error.text, "kernel 'scale' was compiled for sm_100a, which does not run on this device (sm_90)");
  cake_kernel_destroy(kernel);
  manifest.target = "sm_90a";
  kernel = make_kernel("good");
  driver.failing = "occupancy";
  ck_assert(!cake_kernel_launch(kernel, &call, &error));
  ck_assert_str_eq(error.text, "no CTA of 'scale' fits on this device (384 threads, 4096 bytes of shared memory)");
  driver.failing = NULL;
  driver.context = NULL;
  ck_assert(!cake_kernel_launch(kernel, &call, &error));
  ck_assert(strstr(error.text, "no CUDA context is current") != NULL);
  cake_kernel_destroy(kernel);
  cake_kernel_destroy(NULL);
}
END_TEST

// ---- Watchdogs -------------------------------------------------------------------------------------------------------

START_TEST(reports_are_told_in_words) {
  static const CakeManifestRole roles[] = {
      {"assign", 0, 4, 2, 232},
      {"load",   8, 1, 1, 40 }
  };
  static const CakeManifestBarriers barriers[] = {
      {"points", 1000, 1},
      {"ring",   1016, 3}
  };
  static CakeWatchdogReport report;
  CakeBuf text = {0};
  manifest.roles = roles;
  manifest.n_roles = 2;
  manifest.barriers = barriers;
  manifest.n_barriers = 2;
  ck_assert(!cake_watchdog_describe(&manifest, &report, &text));
  ck_assert_uint_eq(text.len, 0);
  report.entries[0] = (CakeWatchdogEntry){1016 + 8 * (3 + 2), 1, 7, 8}; // empty, stage 2
  report.entries[1] = (CakeWatchdogEntry){1016 + 8, 0, 7, 0};           // full, stage 1, two warps of replica 0
  report.entries[2] = (CakeWatchdogEntry){1016 + 8, 0, 7, 3};
  report.entries[3] = (CakeWatchdogEntry){1016 + 8, 0, 7, 4}; // replica 1
  report.entries[4] = (CakeWatchdogEntry){1016 + 8, 0, 9, 0};
  report.entries[5] = (CakeWatchdogEntry){1000, 0, 7, 12}; // no role has that warp
  report.entries[6] = (CakeWatchdogEntry){2000, 0, 7, 8};  // no pipeline has that barrier
  report.count = 7;
  ck_assert(cake_watchdog_describe(&manifest, &report, &text));
  ck_assert_str_eq(text.data, "@load waits for an empty slot of @ring (stage 2, parity 1) in CTA 7\n"
                              "@assign (replica 0) waits for a full slot of @ring (stage 1, parity 0) in 2 CTAs: 7, 9\n"
                              "@assign (replica 1) waits for a full slot of @ring (stage 1, parity 0) in CTA 7\n"
                              "warp 12 waits for a full slot of @points (stage 0, parity 0) in CTA 7\n"
                              "@load waits for the mbarrier at byte 2000 of shared memory (parity 0) in CTA 7\n");
  cake_buf_clear(&text);
  for (uint32_t i = 0; i < CAKE_WATCHDOG_ENTRIES; i++)
    report.entries[i] = (CakeWatchdogEntry){1000, 0, i / 2, 0};
  report.count = 300;
  ck_assert(cake_watchdog_describe(&manifest, &report, &text));
  ck_assert_str_eq(text.data,
                   "@assign (replica 0) waits for a full slot of @points (stage 0, parity 0) in 128 CTAs: 0, "
                   "1, 2, 3, 4, 5, 6, 7, …\n45 more waits were not written down\n");
  cake_buf_fini(&text);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("launch");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, setup, NULL);
  tcase_add_test(all, formulas_have_values);
  tcase_add_test(all, formulas_without_a_value_say_so);
  tcase_add_test(all, sizes_are_checked);
  tcase_add_test(all, addresses_are_checked);
  tcase_add_test(all, what_is_read_only_shares_no_memory);
  tcase_add_test(all, arrays_beyond_memory_are_refused);
  tcase_add_test(all, tensor_maps_are_checked_without_a_device);
  tcase_add_test(all, malformed_manifests_are_refused);
  tcase_add_test(all, tensors_are_checked);
  tcase_add_test(all, targets_run_where_they_can);
  tcase_add_test(all, parameters_reach_the_driver);
  tcase_add_test(all, tensor_maps_are_cached);
  tcase_add_test(all, each_context_loads_its_own);
  tcase_add_test(all, clusters_are_launched);
  tcase_add_test(all, nothing_is_started_for_no_items);
  tcase_add_test(all, every_failing_call_is_told);
  tcase_add_test(all, devices_that_do_not_fit_are_refused);
  tcase_add_test(all, reports_are_told_in_words);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
