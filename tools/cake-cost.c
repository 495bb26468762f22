// cake-cost: what bounds the time of a kernel, and what each role and resource waits for.
#include <stdio.h>

#include <string.h>

#include "cost/cost.h"
#include "dialects/cake/ops/kernel.h"
#include "tools/tool.h"

enum { MOST_CYCLES = 1000000 }; // of a timeline

static const char help_text[] = "Usage: cake-cost FILE.cake|- [OPTION...]\n"
                                "Predicts the time of a kernel, and says what bounds it.\n\n"
                                "  --kernel @NAME        the kernel, or the family: the first of it that takes the "
                                "sizes; needed when the file has several\n"
                                "  --size N=1024,K=16    named sizes of the launch\n"
                                "  --param D=64          template parameters\n"
                                "  --array NAME=0,512    the elements of an array that items are computed from\n"
                                "  --machine h200|FILE   the machine: by name, or an XML file\n"
                                "  --json                one JSON object instead of text\n"
                                "  --timeline FILE.svg   a picture of what the roles and resources do\n"
                                "  --cycles 0..20000     what it shows\n"
                                "  --help, --version\n";

typedef struct Args {
  const char *file, *kernel, *machine, *timeline;
  int64_t first, last; // cycles of the timeline
  CakeToolPairs sizes, params, arrays;
  bool json, help, version;
} Args;

// ---- Arguments -----------------------------------------------------------------------------------------------------------------

static bool add_array(const CakeTool *tool, const char *text, CakeToolPairs *out) {
  CakeToolPair pair;
  if (!cake_tool_pair(tool, "--array", text, &pair)) return false;
  CAKE_PUSH(out, pair);
  return true;
}

static bool read_range(const CakeTool *tool, const char *text, Args *out) {
  const char *dots = strstr(text, "..");
  bool is_fine = dots && cake_tool_int((CakeStr){text, (size_t)(dots - text)}, &out->first) &&
                 cake_tool_int(cake_str(dots + 2), &out->last) && out->first >= 0 && out->last > out->first &&
                 out->last - out->first <= MOST_CYCLES;
  return is_fine || cake_tool_fail(tool, "--cycles takes a range such as 0..20000 of at most %d cycles, found '%s'",
                                   MOST_CYCLES, text);
}

static bool parse_arg(const CakeTool *tool, int argc, char **argv, int *i, Args *out) {
  const CakeToolFlag flags[] = {
      {"--json",    &out->json   },
      {"--help",    &out->help   },
      {"--version", &out->version}
  };
  bool failed = false;
  const char *value;
#define OPTION(name) (value = cake_tool_option(tool, name, argc, argv, i, &failed))
  if (OPTION("--kernel")) return out->kernel = value, !failed;
  if (OPTION("--machine")) return out->machine = value, !failed;
  if (OPTION("--timeline")) return out->timeline = value, !failed;
  if (OPTION("--cycles")) return !failed && read_range(tool, value, out);
  if (OPTION("--size")) return !failed && cake_tool_pairs(tool, "--size", value, &out->sizes);
  if (OPTION("--param")) return !failed && cake_tool_pairs(tool, "--param", value, &out->params);
  if (OPTION("--array")) return !failed && add_array(tool, value, &out->arrays);
#undef OPTION
  return cake_tool_flag(flags, CAKE_COUNT(flags), argv[*i]) || cake_tool_input(tool, argv[*i], &out->file);
}

static bool parse_args(const CakeTool *tool, int argc, char **argv, Args *out) {
  out->machine = "h200";
  out->last = 20000;
  for (int i = 1; i < argc; i++)
    if (!parse_arg(tool, argc, argv, &i, out)) return false;
  return out->help || out->version || out->file || cake_tool_fail(tool, "no file was given; try --help");
}

// ---- What the launch is given ------------------------------------------------------------------------------------------------

typedef CAKE_VEC(int64_t) Numbers;

static bool read_sizes(const CakeTool *tool, const CakeToolPairs *pairs, CakeCostSize *out) {
  for (size_t i = 0; i < pairs->len; i++) {
    out[i].name = pairs->data[i].name;
    if (!cake_tool_int(pairs->data[i].value, &out[i].value) || out[i].value < 0)
      return cake_tool_fail(tool, "--size: '%.*s' must be a whole number, found '%.*s'",
                            CAKE_STR_ARG(pairs->data[i].name), CAKE_STR_ARG(pairs->data[i].value));
  }
  return true;
}

static bool read_numbers(const CakeTool *tool, CakeStr text, Numbers *out) {
  for (size_t at = 0, end; at <= text.len; at = end + 1) {
    int64_t number;
    for (end = at; end < text.len && text.ptr[end] != ',';)
      end++;
    if (!cake_tool_int((CakeStr){text.ptr + at, end - at}, &number))
      return cake_tool_fail(tool, "--array takes whole numbers, found '%.*s'", (int)(end - at), text.ptr + at);
    CAKE_PUSH(out, number);
  }
  return true;
}

static bool write_timeline(const CakeTool *tool, const Args *args, const CakeBuf *svg) {
  CakeBuf error = {0};
  bool is_fine = !args->timeline || cake_file_write(args->timeline, cake_buf_view(svg), &error) ||
                 cake_tool_fail(tool, "%s", error.data);
  cake_buf_fini(&error);
  return is_fine;
}

static bool estimate(CakeTool *tool, CakeOp *kernel, const Args *args, CakeCostOptions *options, CakeBuf *out) {
  CakeMachine machine;
  CakeCostReport report;
  CakeBuf svg = {0};
  CakeCostTimeline timeline = {(double)args->first, (double)args->last, &svg};
  if (!cake_machine_read(tool->context, cake_str(args->machine), &machine)) return false;
  options->machine = &machine;
  if (args->timeline) options->timeline = &timeline;
  bool is_fine = cake_cost_estimate(kernel, options, &report) && write_timeline(tool, args, &svg);
  cake_buf_fini(&svg);
  if (is_fine && args->json) {
    CakeJson json = cake_json(out);
    cake_cost_json(kernel, &machine, &report, &json);
    cake_buf_char(out, '\n');
  } else if (is_fine) {
    cake_cost_print(kernel, &machine, &report, out);
  }
  return is_fine;
}

// ---- The kernel: of a family the first whose guard holds -----------------------------------------------------------------------

typedef struct Names {
  const Args *args;
  CakeOp *kernel;
} Names;

static bool find_pair(const CakeToolPairs *pairs, CakeId name, int64_t *out) {
  for (size_t i = 0; i < pairs->len; i++)
    if (cake_str_equal(pairs->data[i].name, cake_id_str(name))) return cake_tool_int(pairs->data[i].value, out);
  return false;
}

static bool find_name(void *user, CakeId name, int64_t *out) {
  const Names *names = user;
  if (find_pair(&names->args->sizes, name, out) || find_pair(&names->args->params, name, out)) return true;
  CakeOp *param = cake_tool_param(names->kernel, cake_id_str(name));
  if (param) *out = cake_attr_int_value(cake_cake_param_value(param));
  return param != NULL;
}

static bool takes_sizes(CakeOp *kernel, const Args *args) {
  Names names = {args, kernel};
  CakeExprEnv env = {.name = find_name, .user = &names};
  CakeAttr guard = cake_is_cake_op(kernel, cake_op_cake_kernel) ? cake_cake_kernel_guard(kernel) : NULL;
  bool holds = true;
  return !guard || (cake_pred_eval(guard, &env, &holds) && holds);
}

static CakeOp *choose_kernel(CakeTool *tool, const Args *args) {
  CakeToolKernels kernels;
  CakeOp *chosen = NULL;
  if (!cake_tool_load(tool, args->file) || !cake_tool_kernels(tool, args->kernel, &kernels)) return NULL;
  for (size_t i = 0; i < kernels.len && !chosen; i++)
    if (kernels.len == 1 ||
        (cake_tool_has_params(kernels.data[i], &args->params) && takes_sizes(kernels.data[i], args)))
      chosen = kernels.data[i];
  if (chosen)
    cake_tool_keep(tool, chosen);
  else
    (void)cake_tool_fail(tool, "no kernel of the family takes these sizes");
  CAKE_VEC_FINI(&kernels);
  return chosen;
}

static bool run_kernel(CakeTool *tool, const Args *args, CakeBuf *out) {
  CakeArena *arena = cake_context_arena(tool->context);
  CakeCostSize *sizes = CAKE_ARENA_ARRAY(arena, CakeCostSize, args->sizes.len + 1);
  CakeCostArray *arrays = CAKE_ARENA_ARRAY(arena, CakeCostArray, args->arrays.len + 1);
  Numbers *numbers = CAKE_ARENA_ARRAY(arena, Numbers, args->arrays.len + 1);
  CakeBuf params = {0};
  CakeOp *kernel = choose_kernel(tool, args);
  bool is_fine = kernel && cake_tool_params(tool, &args->params, &params) &&
                 cake_tool_instantiate(tool, kernel, cake_buf_view(&params)) && read_sizes(tool, &args->sizes, sizes);
  for (size_t i = 0; is_fine && i < args->arrays.len; i++) {
    is_fine = read_numbers(tool, args->arrays.data[i].value, &numbers[i]);
    arrays[i] = (CakeCostArray){args->arrays.data[i].name, numbers[i].data, numbers[i].len};
  }
  CakeCostOptions options = {
      .sizes = sizes, .n_sizes = args->sizes.len, .arrays = arrays, .n_arrays = args->arrays.len};
  is_fine = is_fine && estimate(tool, kernel, args, &options, out);
  for (size_t i = 0; i < args->arrays.len; i++)
    CAKE_VEC_FINI(&numbers[i]);
  cake_buf_fini(&params);
  return is_fine;
}

static bool run(const Args *args) {
  CakeTool tool;
  CakeBuf out = {0};
  cake_tool_open(&tool, "cake-cost");
  bool is_fine = run_kernel(&tool, args, &out);
  fwrite(out.data ? out.data : "", 1, out.len, stdout);
  cake_buf_fini(&out);
  cake_tool_close(&tool);
  return is_fine;
}

int main(int argc, char **argv) {
  CakeTool tool = {.name = "cake-cost"};
  Args args = {0};
  bool is_fine = parse_args(&tool, argc, argv, &args);
  if (is_fine && args.help)
    fputs(help_text, stdout);
  else if (is_fine && args.version)
    puts("cake-cost " CAKE_VERSION);
  else
    is_fine = is_fine && run(&args);
  CAKE_VEC_FINI(&args.sizes);
  CAKE_VEC_FINI(&args.params);
  CAKE_VEC_FINI(&args.arrays);
  return is_fine ? 0 : 1;
}
