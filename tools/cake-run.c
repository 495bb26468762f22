// cake-run: runs one kernel on NumPy arrays, on the simulator or on a GPU.
#include <stdio.h>
#include <string.h>

#include "cake/text.h"
#include "dialects/gpu/gpu_accessors.h"
#include "tools/run.h"
#include "tools/run_args.h"
#include "tools/run_contract.h"

typedef struct Run {
  CakeTool tool;
  RunOptions options;
  CakeBuf params; // "D=64,S=3"
  CakeOp *kernel; // of a .cake file
  CakeFacts facts;
  CakeRunArgs args;
  CakeSimReport report;
  CakeGpu gpu;
  CakeRunGpu loaded;
  CakeRunTimes times;
  CakeContract *contract; // NULL: none
  CakeBuf contract_text;
  bool has_facts, has_args, has_gpu, has_loaded;
} Run;

// A failed step whose reason is in `error`, or was reported already.
static bool fail(const Run *run, CakeBuf *error) {
  if (error->len) (void)cake_tool_fail(&run->tool, "%s", error->data);
  cake_buf_fini(error);
  return false;
}

static bool is_ptx(const char *file) {
  size_t len = strlen(file);
  return len > 4 && strcmp(file + len - 4, ".ptx") == 0;
}

// ---- Arguments -------------------------------------------------------------------------------------------------------

static bool find_argument(const Run *run, const char *option, CakeStr name, size_t *out) {
  *out = cake_facts_find(&run->facts, name);
  if (*out != SIZE_MAX) return true;
  CakeBuf names = {0};
  for (size_t i = 0; i < run->facts.manifest.n_args; i++)
    cake_buf_printf(&names, "%s%s", i ? ", " : "", run->facts.manifest.args[i].name);
  (void)cake_tool_fail(&run->tool, "%s: '@%s' has no argument '%.*s'; it has %s", option, run->facts.manifest.kernel,
                       CAKE_STR_ARG(name), names.len ? names.data : "none");
  cake_buf_fini(&names);
  return false;
}

// A pair's value points into argv and reaches to its end, so that it is a C string.
static bool read_input(Run *run, const CakeToolPair *pair) {
  size_t index;
  CakeBuf error = {0};
  CakeNpy npy = {0};
  if (!find_argument(run, "--in", pair->name, &index)) return false;
  if (run->args.arrays.data[index].rank == 0)
    return cake_run_set_scalar(&run->args, index, pair->value, &error) || fail(run, &error);
  CakeRunFill fill = cake_run_fill_find(pair->value);
  if (fill != CAKE_RUN_NOTHING) {
    cake_run_set_fill(&run->args, index, fill);
    return true;
  }
  if (!cake_npy_read(pair->value.ptr, &npy, &error)) return fail(run, &error);
  bool is_fine = cake_run_set_npy(&run->args, index, &npy, &error);
  cake_npy_fini(&npy);
  if (is_fine) return true;
  CakeBuf text = {0};
  cake_buf_printf(&text, "%s: %s", pair->value.ptr, error.data);
  cake_buf_fini(&error);
  return fail(run, &text);
}

static bool mark_output(Run *run, const char *option, const CakeToolPair *pair) {
  size_t index;
  if (!find_argument(run, option, pair->name, &index)) return false;
  if (run->args.arrays.data[index].rank == 0)
    return cake_tool_fail(&run->tool, "%s: '%.*s' is a scalar", option, CAKE_STR_ARG(pair->name));
  run->args.arrays.data[index].is_output = true;
  return true;
}

static bool set_sizes(Run *run) {
  for (size_t i = 0; i < run->options.sizes.len; i++) {
    CakeToolPair pair = run->options.sizes.data[i];
    CakeBuf error = {0};
    int64_t value;
    if (!cake_tool_int(pair.value, &value))
      return cake_tool_fail(&run->tool, "--size: '%.*s' must be a whole number, found '%.*s'", CAKE_STR_ARG(pair.name),
                            CAKE_STR_ARG(pair.value));
    if (!cake_run_set_size(&run->args, pair.name, value, &error)) return fail(run, &error);
  }
  return true;
}

// What a kernel adds to begins with what outputs are filled with where nobody gives it a value.
static void note_additions(const Run *run) {
  for (size_t i = 0; i < run->args.arrays.len && !run->options.protocol; i++) {
    const CakeRunArray *array = &run->args.arrays.data[i];
    const CakeManifestArgument *arg = &run->facts.manifest.args[i];
    if (arg->is_added && !array->is_set && !array->fill)
      cake_tool_note(&run->tool, "the kernel adds to %s, which begins as NaN (or -1): give it values, --in %s=zeros",
                     arg->name, arg->name);
  }
}

static bool set_arguments(Run *run) {
  CakeBuf error = {0};
  if (!cake_run_args_init(&run->args, &run->facts, &error)) return fail(run, &error);
  run->has_args = true;
  for (size_t i = 0; i < run->options.outputs.len; i++)
    if (!mark_output(run, "--out", &run->options.outputs.data[i])) return false;
  for (size_t i = 0; i < run->options.checks.len; i++)
    if (!mark_output(run, "--check", &run->options.checks.data[i])) return false;
  if (!set_sizes(run)) return false;
  for (size_t i = 0; i < run->options.inputs.len; i++)
    if (!read_input(run, &run->options.inputs.data[i])) return false;
  for (size_t i = 0; run->options.protocol && i < run->args.arrays.len; i++) // sizes are enough
    run->args.arrays.data[i].is_output |= run->args.arrays.data[i].rank > 0 && !run->args.arrays.data[i].is_set;
  if (!cake_run_bind(&run->args, &error)) return fail(run, &error);
  if (run->args.rounded.len)
    cake_tool_note(&run->tool,
                   "float32 values of %s were rounded to the argument's type (to the nearest, ties to even)",
                   run->args.rounded.data);
  note_additions(run);
  return true;
}

// ---- A sample of the grid --------------------------------------------------------------------------------------------

// Elements that no CTA of the sample wrote are known by a value that nobody else would write: 32 bits of a hash of their
// place. Outputs of a sample are filled with it beforehand.
static uint32_t mark_at(size_t array, size_t element) {
  uint64_t place[2] = {array, element};
  return (uint32_t)cake_hash_bytes(place, sizeof place, UINT64_C(0x9e3779b97f4a7c15));
}

static bool mark_samples(Run *run) {
  for (size_t i = 0; i < run->args.arrays.len; i++) {
    CakeRunArray *array = &run->args.arrays.data[i];
    if (!array->is_output || array->is_set) continue;
    if (array->element->bytes < 4)
      return cake_tool_fail(&run->tool, "--ctas: the output '%s' must have elements of 4 bytes or more",
                            run->facts.manifest.args[i].name);
    for (size_t j = 0; j < array->count; j++) {
      uint32_t mark = mark_at(i, j);
      memcpy((char *)array->data + j * array->element->bytes, &mark, sizeof mark);
    }
  }
  return true;
}

// Whether each element of an output was not written; those become 0xff bytes. NULL when the whole grid ran.
static bool *unmark_sample(Run *run, size_t index, CakeBuf *storage) {
  CakeRunArray *array = &run->args.arrays.data[index];
  if (!run->options.has_ctas || array->is_set) return NULL;
  cake_buf_fill(storage, '\0', array->count + 1);
  bool *unwritten = (bool *)storage->data;
  for (size_t j = 0; j < array->count; j++) {
    char *element = (char *)array->data + j * array->element->bytes;
    uint32_t mark = mark_at(index, j);
    unwritten[j] = memcmp(element, &mark, sizeof mark) == 0;
    if (unwritten[j]) memset(element, 0xff, array->element->bytes);
  }
  return unwritten;
}

// ---- Results ---------------------------------------------------------------------------------------------------------

static bool write_output(Run *run, const CakeToolPair *pair) {
  CakeNpy npy = {0};
  CakeBuf error = {0};
  cake_run_to_npy(&run->args.arrays.data[cake_facts_find(&run->facts, pair->name)], &npy);
  bool is_fine = cake_npy_write(pair->value.ptr, &npy, &error);
  cake_npy_fini(&npy);
  return is_fine || fail(run, &error);
}

static bool check_output(Run *run, const CakeToolPair *pair, const bool *unwritten) {
  CakeNpy expected = {0};
  CakeBuf error = {0};
  size_t index = cake_facts_find(&run->facts, pair->name), compared = 0;
  if (!cake_npy_read(pair->value.ptr, &expected, &error)) return fail(run, &error);
  bool is_fine = cake_run_compare(&run->args, index, &expected, unwritten, &compared, &error);
  cake_npy_fini(&expected);
  if (!is_fine) {
    (void)cake_tool_fail(&run->tool, "'%.*s' %s", CAKE_STR_ARG(pair->name), error.data);
    cake_buf_fini(&error);
    return false;
  }
  if (unwritten && compared == 0)
    return cake_tool_fail(&run->tool, "'%.*s': the CTAs of the sample wrote no element", CAKE_STR_ARG(pair->name));
  printf("%.*s: %zu of %zu elements compared, all as expected\n", CAKE_STR_ARG(pair->name), compared,
         run->args.arrays.data[index].count);
  return true;
}

static bool finish_output(Run *run, size_t index, bool is_writing) {
  CakeStr name = cake_str(run->facts.manifest.args[index].name);
  CakeBuf storage = {0};
  const bool *unwritten = is_writing ? NULL : unmark_sample(run, index, &storage);
  const CakeToolPairs *pairs = is_writing ? &run->options.outputs : &run->options.checks;
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < pairs->len; i++) {
    const CakeToolPair *pair = &pairs->data[i];
    if (!cake_str_equal(pair->name, name)) continue;
    is_fine = is_writing ? write_output(run, pair) : check_output(run, pair, unwritten);
  }
  cake_buf_fini(&storage);
  return is_fine;
}

// A file is written although its check fails: it is complete, and somebody will want to look at it.
static bool finish_outputs(Run *run) {
  bool is_fine = true;
  for (size_t i = 0; i < run->args.arrays.len; i++)
    if (run->args.arrays.data[i].is_output) is_fine = finish_output(run, i, false) && is_fine;
  for (size_t i = 0; i < run->args.arrays.len; i++)
    if (run->args.arrays.data[i].is_output) is_fine = finish_output(run, i, true) && is_fine;
  return is_fine;
}

// ---- Devices ---------------------------------------------------------------------------------------------------------

static void print_shape(CakeBuf *text) {
  fwrite(text->data ? text->data : "", 1, text->len, stderr);
  cake_buf_fini(text);
}

// Standard input cannot be read twice.
static bool describe_for_cpu(const Run *run) {
  CakeBuf text = {0};
  const RunOptions *options = &run->options;
  if (options->verbose && cake_is_gpu_op(run->kernel, cake_op_gpu_func)) {
    CakeAttr targets = cake_op_attr_text(run->kernel, "target");
    CakeStr target = cake_str(options->target ? options->target : "");
    if (!options->target && cake_attr_count(targets)) target = cake_attr_string_value(cake_attr_element(targets, 0));
    cake_run_describe(&run->facts, target, NULL, &text);
    print_shape(&text);
    return true;
  }
  if (!options->verbose || strcmp(options->file, "-") == 0) return true;
  bool is_fine = cake_run_describe_file(run->tool.name, options->file, run->facts.manifest.kernel,
                                        cake_buf_view(&run->params), options->target, &text);
  print_shape(&text);
  return is_fine;
}

static void describe_for_gpu(const Run *run) {
  CakeBuf text = {0};
  if (!run->options.verbose) return;
  cake_run_describe(&run->facts, cake_str(run->facts.manifest.target), &run->loaded, &text);
  print_shape(&text);
}

// A kernel as it is written, or its lowered form; a function of the thread level is that already.
static bool load_kernel(Run *run) {
  run->kernel = run_choose_kernel(&run->tool, &run->options, 0);
  if (!run->kernel) return false;
  CakeStr target = cake_str(run->options.target ? run->options.target : "");
  if (target.len && !cake_kernel_check_target(run->kernel, target.ptr)) return false;
  if (run->options.level == RUN_LEVEL_GPU || cake_is_gpu_op(run->kernel, cake_op_gpu_func)) {
    CakeOp *module = cake_tool_lower(&run->tool, cake_buf_view(&run->params));
    run->kernel = module ? cake_tool_func(&run->tool, module) : NULL;
    run->has_facts = run->kernel && cake_facts_of_func(run->kernel, run->options.target, &run->facts);
    return run->has_facts;
  }
  if (!cake_tool_instantiate(&run->tool, run->kernel, cake_buf_view(&run->params))) return false;
  run->has_facts = cake_facts_of_kernel(run->kernel, &run->facts);
  return run->has_facts;
}

// What cake.print says.
static void print_line(void *user, CakeStr line) {
  (void)user;
  printf("%.*s\n", CAKE_STR_ARG(line));
}

static CakeSimOptions sim_options(const Run *run) {
  return (CakeSimOptions){.ctas = run->options.ctas.data,
                          .n_ctas = run->options.ctas.len,
                          .schedule = run->options.schedule,
                          .races = run->options.races,
                          .protocol = run->options.protocol,
                          .seed = (uint64_t)run->options.seed,
                          .schedules = run->options.schedules,
                          .print = print_line};
}

static bool open_cpu(Run *run) {
  if (is_ptx(run->options.file))
    return cake_tool_fail(&run->tool, "%s holds PTX; the simulator runs .cake files", run->options.file);
  return cake_tool_load(&run->tool, run->options.file) && load_kernel(run);
}

static bool run_cpu(Run *run) {
  CakeSimOptions options = sim_options(run);
  if (!set_arguments(run) || !describe_for_cpu(run)) return false;
  if (run->options.has_ctas && !mark_samples(run)) return false;
  bool is_fine = run->options.replay ? cake_run_replay(&run->tool, run->kernel, &run->args, &options, &run->report)
                                     : cake_run_cpu(run->kernel, &run->args, &options, &run->report);
  if (!is_fine) {
    if (options.schedules > 1) cake_tool_note(&run->tool, "with --seed %llu", (unsigned long long)run->report.seed);
    return false;
  }
  if (run->options.verbose) {
    cake_tool_note(
        &run->tool,
        "simulated %lld of %lld CTAs: %llu operations, %llu copies of %llu bytes, %lld bytes of shared memory",
        (long long)run->report.ctas_run, (long long)run->report.grid, (unsigned long long)run->report.ops,
        (unsigned long long)run->report.copies, (unsigned long long)run->report.copied_bytes,
        (long long)run->report.shared_bytes);
  }
  return true;
}

static bool open_gpu(Run *run) {
  CakeBuf error = {0};
  run->has_gpu = cake_gpu_open(&run->gpu, (int)run->options.ordinal, &error);
  run->gpu.unguarded = run->options.unguarded;
  return run->has_gpu || fail(run, &error);
}

// The PTX of a .cake file for this device, and its facts.
static bool compile(Run *run, CakeBuf *ptx) {
  if (!cake_tool_load(&run->tool, run->options.file)) return false;
  if (!open_gpu(run)) return false;
  CakeOp *kernel = run_choose_kernel(&run->tool, &run->options, run->gpu.sm);
  if (!kernel) return false;
  if (run->options.target && !cake_kernel_check_target(kernel, run->options.target)) return false;
  CakeStr target = run->options.target ? cake_str(run->options.target) : cake_kernel_target_for(kernel, run->gpu.sm);
  if (!target.ptr || !cake_target_runs_on(target, run->gpu.sm)) {
    return cake_error(kernel, CAKE_CODE_FORM_TARGET, "does not run on %s (sm_%d) when lowered for %s", run->gpu.name,
                      run->gpu.sm, target.ptr ? target.ptr : cake_attr_text(cake_op_attr_text(kernel, "target")));
  }
  CakeOp *module = cake_tool_lower(&run->tool, cake_buf_view(&run->params));
  CakeOp *func = module ? cake_tool_func(&run->tool, module) : NULL;
  run->has_facts = func && cake_facts_of_func(func, target.ptr, &run->facts);
  return run->has_facts && cake_tool_emit_ptx(&run->tool, module, target.ptr, true, ptx);
}

static bool load_ptx(Run *run, CakeBuf *ptx) {
  CakeBuf error = {0};
  run->tool.file = run->options.file;
  if (run->options.no_rules)
    return cake_tool_fail(&run->tool, "--no-rules: %s was verified when it was written", run->options.file);
  if (run->options.params.len || run->options.target)
    return cake_tool_fail(&run->tool, "--param and --target were chosen when %s was written", run->options.file);
  if (run->options.watchdog_s > 0)
    return cake_tool_fail(&run->tool, "--watchdog changes the code, and %s has its own: give it to cake-translate",
                          run->options.file);
  if (!cake_file_read(run->options.file, ptx, &error)) return fail(run, &error);
  run->has_facts = cake_run_ptx_facts(&run->tool, cake_buf_view(ptx), run->options.kernel, &run->facts, &error);
  if (!run->has_facts) return fail(run, &error);
  if (!open_gpu(run)) return false;
  if (cake_target_runs(run->facts.manifest.target, run->gpu.sm)) return true;
  return cake_tool_fail(&run->tool, "%s was written for %s, which does not run on %s (sm_%d)", run->options.file,
                        run->facts.manifest.target, run->gpu.name, run->gpu.sm);
}

static void print_times(const Run *run) {
  const CakeGpuTime *cold = &run->times.cold;
  printf("cold median %.4f ms (%.4f to %.4f, %u launches), sustained %.4f ms\n", cold->median_ms, cold->lowest_ms,
         cold->highest_ms, cold->samples, run->times.sustained_ms);
}

static bool load_on_gpu(Run *run) {
  CakeBuf ptx = {0}, error = {0};
  bool is_fine = is_ptx(run->options.file) ? load_ptx(run, &ptx) : compile(run, &ptx);
  if (is_fine) {
    run->has_loaded = cake_run_gpu_load(&run->gpu, &run->facts, cake_buf_view(&ptx), &run->loaded, &error);
    is_fine = run->has_loaded || fail(run, &error);
  }
  cake_buf_fini(&ptx);
  return is_fine;
}

static bool run_gpu(Run *run) {
  CakeBuf error = {0};
  describe_for_gpu(run);
  if (!set_arguments(run)) return false;
  if (!cake_run_gpu_launch(&run->loaded, &run->args, run->options.timeout_s, run->options.time ? &run->times : NULL,
                           &error))
    return fail(run, &error);
  if (run->options.time) print_times(run);
  return true;
}

// ---- Contracts -------------------------------------------------------------------------------------------------------

// Its kernel and parameters count where the command line names none.
static bool read_contract(Run *run) {
  CakeBuf error = {0};
  const char *file = run->options.contract;
  if (!file) return true;
  if (!cake_file_read(file, &run->contract_text, &error)) return fail(run, &error);
  CakeStr text = run->contract_text.len ? cake_buf_view(&run->contract_text) : CAKE_STR("");
  run->contract = cake_contract_read(run->tool.context, text, file);
  if (!run->contract) return false;
  CakeStr kernel = cake_contract_kernel(run->contract);
  if (!run->options.kernel && kernel.len) run->options.kernel = kernel.ptr;
  if (!run->params.len && !is_ptx(run->options.file)) cake_buf_str(&run->params, cake_contract_params(run->contract));
  return true;
}

static bool run_for_contract(void *user, CakeRunArgs *args, uint64_t seed) {
  Run *run = user;
  CakeBuf error = {0};
  if (run->options.device == RUN_CPU) {
    CakeSimOptions options = sim_options(run);
    options.seed = seed;
    return cake_run_cpu(run->kernel, args, &options, &run->report);
  }
  bool is_fine = cake_run_gpu_launch(&run->loaded, args, run->options.timeout_s, NULL, &error);
  cake_run_gpu_release(&run->gpu, args);
  return is_fine || fail(run, &error);
}

static bool hold_to_contract(Run *run) {
  CakeContractReport report = {0};
  bool is_fine =
      cake_contract_check(run->contract, &run->facts, (uint64_t)run->options.seed, run_for_contract, run, &report);
  if (is_fine)
    printf(
        "contract held: %zu cases, %zu runs; %zu elements compared, %zu undecided; the largest error is %.2f of what "
        "f32 allows; refused: %s\n",
        report.cases, report.runs, report.compared, report.undecided, report.worst, report.candidates.data);
  cake_buf_fini(&report.candidates);
  return is_fine;
}

// ---- The program -----------------------------------------------------------------------------------------------------

static void fini(Run *run) {
  if (run->has_gpu && run->has_args) cake_run_gpu_release(&run->gpu, &run->args);
  if (run->has_loaded) cake_run_gpu_unload(&run->loaded);
  if (run->has_gpu) cake_gpu_close(&run->gpu);
  if (run->has_args) cake_run_args_fini(&run->args);
  if (run->has_facts) cake_facts_fini(&run->facts);
  if (run->contract) cake_contract_destroy(run->contract);
  cake_buf_fini(&run->contract_text);
  cake_buf_fini(&run->params);
  run_options_fini(&run->options);
  cake_tool_close(&run->tool);
}

static bool print_help(const Run *run) {
  CakeBuf text = {0};
  if (run->options.help)
    run_print_help(&text);
  else
    cake_buf_text(&text, "cake-run " CAKE_VERSION "\n");
  fwrite(text.data, 1, text.len, stdout);
  cake_buf_fini(&text);
  return true;
}

int main(int argc, char **argv) {
  Run run = {0};
  cake_tool_open(&run.tool, "cake-run");
  bool is_fine = run_parse_args(&run.tool, argc, argv, &run.options) &&
                 cake_tool_params(&run.tool, &run.options.params, &run.params);
  run.tool.skip_rules = run.options.no_rules;
  run.tool.watchdog_ns = (int64_t)(run.options.watchdog_s * 1e9);
  if (is_fine && (run.options.help || run.options.version)) {
    is_fine = print_help(&run);
  } else if (is_fine) {
    bool is_gpu = run.options.device == RUN_GPU;
    is_fine = read_contract(&run) && (is_gpu ? load_on_gpu(&run) : open_cpu(&run));
    if (is_fine && run.contract)
      is_fine = hold_to_contract(&run);
    else
      is_fine = is_fine && (is_gpu ? run_gpu(&run) : run_cpu(&run)) && finish_outputs(&run);
  }
  fini(&run);
  return is_fine ? 0 : 1;
}
