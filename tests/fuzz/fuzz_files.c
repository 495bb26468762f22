// The other files that `cake-run` reads, on any bytes: manifests (XML, or the comments of a .ptx), arrays (.npy) and contracts.
// Reading never crashes and never refuses without a reason; a manifest that was read is the same one when it is written and
// read again, and a call of it is checked without a fault; a contract without large numbers is held against a small kernel.
#include "cake/text.h"
#include "dialects/cake/ops/kernel.h"
#include "targets/nvptx/runtime/launch.h"
#include "tools/run_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  abort();
}

// ---- Manifests -----------------------------------------------------------------------------------------------------

static void write_manifest(const CakeFacts *facts, CakeBuf *out) {
  cake_manifest_write(&facts->manifest, out);
}

static void check_round_trip(const CakeFacts *facts) {
  CakeFacts again;
  CakeBuf once = {0}, twice = {0}, error = {0};
  write_manifest(facts, &once);
  if (!cake_facts_of_manifest(cake_buf_view(&once), "written", &again, &error)) fail(error.data);
  write_manifest(&again, &twice);
  if (!cake_str_equal(cake_buf_view(&once), cake_buf_view(&twice))) fail("a manifest reads back as something else");
  cake_facts_fini(&again);
  cake_buf_fini(&once);
  cake_buf_fini(&twice);
  cake_buf_fini(&error);
}

// What a launch computes before it needs a device, with that number for each size.
static void check_call(const CakeManifest *manifest, int64_t size) {
  CakeArgument values[CAKE_MANIFEST_MAX_PARAMS] = {0};
  int64_t sizes[CAKE_MANIFEST_MAX_PARAMS], zero = 0;
  CakeLaunchShape shape;
  CakeLaunchMap map;
  CakeRuntimeError error;
  unsigned grid;
  if (manifest->n_args + manifest->n_sizes > CAKE_MANIFEST_MAX_PARAMS) return;
  for (uint32_t i = 0; i < manifest->n_sizes; i++)
    sizes[i] = size;
  for (uint32_t i = 0; i < manifest->n_args; i++)
    values[i] = (CakeArgument){.address = (void *)4096, .scalar = manifest->args[i].is_array ? NULL : &zero};
  CakeCall call = {.args = values, .sizes = sizes};
  if (!cake_launch_check(manifest, &call, &shape, &error)) {
    if (!error.text[0]) fail("a call is refused without a reason");
    return;
  }
  for (uint32_t i = 0; i < manifest->n_maps; i++)
    (void)cake_launch_map(manifest, i, &shape, &map, &error);
  if (shape.items > 0) (void)cake_launch_grid(manifest, shape.items, 132, INT32_MAX, &grid, &error);
}

static void read_manifest(CakeStr text) {
  CakeFacts facts;
  CakeBuf error = {0};
  bool is_fine = cake_facts_of_manifest(text, "input", &facts, &error);
  if (!is_fine && !error.len) fail("a manifest is refused without a reason");
  if (is_fine) {
    check_round_trip(&facts);
    check_call(&facts.manifest, 0);
    check_call(&facts.manifest, 200);
    check_call(&facts.manifest, CAKE_RUNTIME_MAX_SIZE);
    cake_facts_fini(&facts);
  }
  cake_buf_fini(&error);
}

// ---- Arrays --------------------------------------------------------------------------------------------------------

static void read_array(CakeStr bytes) {
  CakeNpy array;
  CakeBuf error = {0};
  bool is_fine = cake_npy_parse(bytes, "input", &array, &error);
  if (!is_fine && !error.len) fail("an array is refused without a reason");
  for (size_t i = 0; is_fine && i < array.count; i++)
    (void)cake_npy_get(&array, i);
  if (is_fine) cake_npy_fini(&array);
  cake_buf_fini(&error);
}

// ---- Contracts -----------------------------------------------------------------------------------------------------

static const char kernel_text[] =
    "cake.kernel @gemm(%a: !cake.global<[M]x[K]xf32>, %b: !cake.global<[N]x[K]xf32>, %c: !cake.global<[M]x[N]xf32>)\n"
    "    target(\"sm_80\") {\n"
    "}\n";

static bool run_nothing(void *user, CakeRunArgs *args, uint64_t seed) {
  (void)user, (void)args, (void)seed;
  return true;
}

// Whether no number has more than two digits, so that evaluating takes little time.
static bool is_small(CakeStr text) {
  size_t digits = 0;
  for (size_t i = 0; i < text.len && digits <= 2; i++)
    digits = text.ptr[i] >= '0' && text.ptr[i] <= '9' ? digits + 1 : 0;
  return digits <= 2;
}

static void evaluate(CakeContext *context, CakeContract *contract) {
  CakeOp *module = cake_parse_module(context, CAKE_STR("kernel"), cake_str(kernel_text));
  CakeFacts facts;
  CakeContractReport report = {0};
  if (!module || !cake_facts_of_signature(cake_module_body(module)->first, &facts)) fail("the kernel cannot be read");
  if (!cake_contract_check(contract, &facts, 0, run_nothing, NULL, &report) && !cake_context_error_count(context))
    fail("a contract is broken without a reason");
  cake_buf_fini(&report.candidates);
  cake_facts_fini(&facts);
}

static void read_contract(CakeStr text) {
  CakeTool tool;
  cake_tool_open(&tool, "fuzz_files");
  cake_context_set_handler(tool.context, NULL, NULL, NULL, NULL);
  CakeContract *contract = cake_contract_read(tool.context, text, "input");
  if (!contract && !cake_context_error_count(tool.context)) fail("a contract is refused without a reason");
  if (contract && is_small(text)) evaluate(tool.context, contract);
  if (contract) cake_contract_destroy(contract);
  cake_tool_close(&tool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeStr text = {(const char *)data, size};
  if (cake_str_starts_with(text, "\x93NUMPY"))
    read_array(text);
  else if (cake_str_starts_with(text, "<") || cake_str_starts_with(text, "// <"))
    read_manifest(text);
  else
    read_contract(text);
  return 0;
}
