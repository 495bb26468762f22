// cake-run's command line.
#include "tools/run_args.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CTAS 1000000

void run_options_fini(RunOptions *options) {
  CAKE_VEC_FINI(&options->sizes);
  CAKE_VEC_FINI(&options->params);
  CAKE_VEC_FINI(&options->inputs);
  CAKE_VEC_FINI(&options->outputs);
  CAKE_VEC_FINI(&options->checks);
  CAKE_VEC_FINI(&options->ctas);
}

void run_print_help(CakeBuf *out) {
  cake_buf_text(
      out,
      "Usage: cake-run FILE.cake|FILE.ptx|- [OPTION…]\n"
      "Runs a kernel on NumPy arrays, on the simulator or on a GPU.\n"
      "\n"
      "  --kernel @NAME        the kernel; needed when the file has several\n"
      "  --device cpu|gpu      the simulator (the default) or a GPU\n"
      "  --in NAME=FILE.npy    an argument's value (for a scalar: a number). float32 is rounded to bf16, f16, … where\n"
      "                        the argument is one, to the nearest, ties to even. NAME=random: numbers close to the\n"
      "                        standard normal distribution (small integers), the same ones in every run; NAME=zeros;\n"
      "                        with --size\n"
      "  --out NAME=FILE.npy   an argument to be written to a file afterwards; made from the sizes unless --in gives "
      "it\n"
      "  --size N=1024,K=16    sizes that no input has; those that one has must agree\n"
      "  --param D=64          template parameters of a .cake file\n"
      "  --check NAME=FILE.npy compare an output with this file: exit 1 when an element differs\n"
      "  --contract FILE       hold the kernel to a contract: its shapes, inputs of many kinds, bounds of f32 "
      "arithmetic\n"
      "  --target sm_90a       the target to lower for; without it the one that suits the GPU best\n"
      "  --time                on a GPU: print the cold median and the sustained time of a launch\n"
      "  --ctas 0..7,100       simulate these CTAs of the grid alone\n"
      "  --level cake|gpu      simulate the kernel as it is written (the default) or its lowered form, thread by "
      "thread\n"
      "  --schedule KIND       the simulator's order of events: random (the default), round-robin, late (copies land "
      "when\n"
      "                        nobody else can go on)\n"
      "  --seed N              of a random order (default 0)\n"
      "  --schedules N         simulate N times, with seeds that count up from --seed\n"
      "  --protocol            at --level gpu: no numbers, for many schedules: barriers, copies and matrix "
      "instructions alone;\n"
      "                        nothing is written, so that outputs are neither checked nor kept\n"
      "  --no-rules            run what the verifier's rules refuse, to watch it fail (on a GPU: with a --timeout)\n"
      "  --replay              follow the schedule by which the protocol checker refutes the kernel, on the simulator\n"
      "  --races               at --level gpu: report accesses to one place that nothing orders, whether or not this\n"
      "                        order of events shows it, and missing fences of the async proxy\n"
      "  --gpu N               the number of the GPU (default 0)\n"
      "  --watchdog SECONDS    on a GPU: a wait that takes longer is reported with its role, pipeline, stage, phase "
      "and CTA\n"
      "  --unguarded           on a GPU: arrays are as they are allocated, without guards at their ends, and outputs "
      "are not\n"
      "                        filled beforehand: for compute-sanitizer\n"
      "  --timeout SECONDS     after which a kernel on a GPU is given up (default 60)\n"
      "  --verbose             print the kernel's shape before it runs, and what was done\n"
      "  --help, --version\n");
}

// "0..7,100"
static bool parse_ctas(const CakeTool *tool, const char *text, RunOptions *out) {
  out->has_ctas = true;
  for (const char *at = text;; at++) {
    size_t len = strcspn(at, ",");
    const char *dots = strstr(at, "..");
    bool is_range = dots && dots < at + len;
    int64_t first, last;
    CakeStr low = {at, is_range ? (size_t)(dots - at) : len};
    bool is_fine = cake_tool_int(low, &first);
    last = first;
    if (is_range) is_fine = is_fine && cake_tool_int((CakeStr){dots + 2, (size_t)(at + len - dots - 2)}, &last);
    if (!is_fine || first < 0 || last < first)
      return cake_tool_fail(tool, "--ctas takes numbers and ranges such as 0..7,100, found '%.*s'", (int)len, at);
    if (last - first >= MAX_CTAS || out->ctas.len > MAX_CTAS)
      return cake_tool_fail(tool, "--ctas names more than %d CTAs", MAX_CTAS);
    for (int64_t i = first; i <= last; i++)
      CAKE_PUSH(&out->ctas, i);
    at += len;
    if (!*at) return true;
  }
}

static bool parse_number(const CakeTool *tool, const char *name, const char *text, int64_t high, int64_t *out) {
  if (cake_tool_int(cake_str(text), out) && *out >= 0 && *out <= high) return true;
  return cake_tool_fail(tool, "%s takes a number from 0 to %lld, found '%s'", name, (long long)high, text);
}

static bool parse_device(const CakeTool *tool, const char *text, RunDevice *out) {
  *out = strcmp(text, "gpu") == 0 ? RUN_GPU : RUN_CPU;
  return *out == RUN_GPU || strcmp(text, "cpu") == 0 ||
         cake_tool_fail(tool, "--device is cpu or gpu, found '%s'", text);
}

static bool parse_level(const CakeTool *tool, const char *text, RunLevel *out) {
  *out = strcmp(text, "gpu") == 0 ? RUN_LEVEL_GPU : RUN_LEVEL_CAKE;
  return *out == RUN_LEVEL_GPU || strcmp(text, "cake") == 0 ||
         cake_tool_fail(tool, "--level is cake or gpu, found '%s'", text);
}

static bool parse_schedule(const CakeTool *tool, const char *text, CakeSimSchedule *out) {
  static const char *const names[] = {
      [CAKE_SIM_RANDOM] = "random", [CAKE_SIM_ROUND_ROBIN] = "round-robin", [CAKE_SIM_LATE] = "late"};
  for (size_t i = 0; i < CAKE_COUNT(names); i++) {
    *out = (CakeSimSchedule)i;
    if (strcmp(text, names[i]) == 0) return true;
  }
  return cake_tool_fail(tool, "--schedule is random, round-robin or late, found '%s'", text);
}

static bool add_file(const CakeTool *tool, const char *option, const char *text, CakeToolPairs *out) {
  CakeToolPair pair;
  if (!cake_tool_pair(tool, option, text, &pair)) return false;
  for (size_t i = 0; i < out->len; i++)
    if (cake_str_equal(out->data[i].name, pair.name))
      return cake_tool_fail(tool, "%s names '%.*s' twice", option, CAKE_STR_ARG(pair.name));
  CAKE_PUSH(out, pair);
  return true;
}

// An option with a value; *out_known: whether argv[*i] was one.
static bool parse_valued(const CakeTool *tool, int argc, char **argv, int *i, RunOptions *out, bool *out_known) {
  bool failed = false;
  const char *value;
  *out_known = true;
#define OPTION(name) (value = cake_tool_option(tool, name, argc, argv, i, &failed))
  if (OPTION("--kernel")) return out->kernel = value, !failed;
  if (OPTION("--contract")) return out->contract = value, !failed;
  if (OPTION("--target")) return out->target = value, !failed;
  if (OPTION("--device")) return !failed && parse_device(tool, value, &out->device);
  if (OPTION("--level")) return !failed && parse_level(tool, value, &out->level);
  if (OPTION("--schedule")) return !failed && parse_schedule(tool, value, &out->schedule);
  if (OPTION("--size")) return !failed && cake_tool_pairs(tool, "--size", value, &out->sizes);
  if (OPTION("--param")) return !failed && cake_tool_pairs(tool, "--param", value, &out->params);
  if (OPTION("--in")) return !failed && add_file(tool, "--in", value, &out->inputs);
  if (OPTION("--out")) return !failed && add_file(tool, "--out", value, &out->outputs);
  if (OPTION("--check")) return !failed && add_file(tool, "--check", value, &out->checks);
  if (OPTION("--ctas")) return !failed && parse_ctas(tool, value, out);
  if (OPTION("--seed")) return !failed && parse_number(tool, "--seed", value, INT64_MAX, &out->seed);
  if (OPTION("--schedules")) return !failed && parse_number(tool, "--schedules", value, 1000000000, &out->schedules);
  if (OPTION("--gpu")) return !failed && parse_number(tool, "--gpu", value, 1023, &out->ordinal);
  if (OPTION("--watchdog")) return !failed && cake_tool_seconds(tool, "--watchdog", value, &out->watchdog_s);
  if (OPTION("--timeout")) return !failed && cake_tool_seconds(tool, "--timeout", value, &out->timeout_s);
#undef OPTION
  *out_known = false;
  return true;
}

static bool *find_flag(RunOptions *options, const char *arg) {
  if (strcmp(arg, "--races") == 0) return &options->races;
  if (strcmp(arg, "--no-rules") == 0) return &options->no_rules;
  if (strcmp(arg, "--protocol") == 0) return &options->protocol;
  if (strcmp(arg, "--replay") == 0) return &options->replay;
  if (strcmp(arg, "--time") == 0) return &options->time;
  if (strcmp(arg, "--unguarded") == 0) return &options->unguarded;
  if (strcmp(arg, "--verbose") == 0 || strcmp(arg, "-v") == 0) return &options->verbose;
  if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) return &options->help;
  return strcmp(arg, "--version") == 0 ? &options->version : NULL;
}

bool run_parse_args(const CakeTool *tool, int argc, char **argv, RunOptions *out) {
  *out = (RunOptions){.timeout_s = 60};
  for (int i = 1; i < argc; i++) {
    bool *flag = find_flag(out, argv[i]), is_known;
    if (flag) {
      *flag = true;
      continue;
    }
    if (!parse_valued(tool, argc, argv, &i, out, &is_known)) return false;
    if (is_known) continue;
    if (argv[i][0] == '-' && argv[i][1] != '\0')
      return cake_tool_fail(tool, "unknown option '%s'; try --help", argv[i]);
    if (out->file) return cake_tool_fail(tool, "more than one file: '%s' and '%s'", out->file, argv[i]);
    out->file = argv[i];
  }
  if (out->help || out->version) return true;
  if (!out->file) return cake_tool_fail(tool, "no file was given; try --help");
  if (out->device == RUN_GPU && out->has_ctas)
    return cake_tool_fail(tool, "--ctas is for the simulator; a GPU runs the whole grid");
  if (out->timeout_s < out->watchdog_s + 10) out->timeout_s = out->watchdog_s + 10; // its report comes first
  if (out->device == RUN_CPU && out->watchdog_s > 0)
    return cake_tool_fail(tool, "--watchdog is for a GPU; the simulator reports a hang by itself");
  if (out->protocol && (out->device == RUN_GPU || out->level == RUN_LEVEL_CAKE || out->checks.len || out->outputs.len))
    return cake_tool_fail(tool, "--protocol is for the simulator at --level gpu, and gives no outputs");
  if (out->contract && (out->protocol || out->has_ctas || out->time || out->schedules || out->inputs.len ||
                        out->sizes.len || out->checks.len || out->outputs.len))
    return cake_tool_fail(tool, "--contract brings its own shapes and inputs, and runs the whole grid");
  if (out->replay && out->device == RUN_GPU) return cake_tool_fail(tool, "--replay is for the simulator");
  out->no_rules |= out->replay; // they refuse what is to be watched
  if (out->races && (out->device == RUN_GPU || out->level == RUN_LEVEL_CAKE))
    return cake_tool_fail(tool, "--races is for the simulator at --level gpu");
  if (out->device == RUN_CPU && out->unguarded)
    return cake_tool_fail(tool, "--unguarded is for a GPU; the simulator knows where arrays end");
  if (out->device == RUN_CPU && out->time)
    return cake_tool_fail(tool, "--time is for a GPU; the simulator's time says nothing about a kernel");
  return true;
}
