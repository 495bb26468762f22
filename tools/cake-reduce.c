// cake-reduce: makes a module smaller while a command goes on answering the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/reduce.h"

static const char help_text[] =
    "Usage: cake-reduce FILE|- --test=COMMAND [-o OUT] [OPTION…]\n"
    "Makes a module smaller while COMMAND goes on answering the same.\n\n"
    "  --test COMMAND      a shell command; %s in it is the candidate's file, which is its last argument otherwise\n"
    "  --wanted 0          what makes a candidate interesting: an exit status, crash (a signal), or hang (--timeout "
    "passed)\n"
    "  --timeout 10        seconds after which a candidate's command is ended\n"
    "  --passes LIST       passes that are tried as cuts (default dce,symbol-dce,canonicalize; empty: none)\n"
    "  --allow-invalid     keep candidates that do not verify (for faults of the verifier, say)\n"
    "  --allow-unregistered-dialect, --print-op-generic    as in cake-opt\n" EXTENSIONS_HELP
    "  --trace             a line on standard error for every cut that was kept\n"
    "  -o OUT              where to write (default: standard output); holds the smallest module so far at any time\n"
    "  --help, --version\n";

typedef struct Args {
  ReduceOptions options;
  const char *input;
  ExtensionFiles files;
  bool help, version;
} Args;

static bool parse_wanted(const CakeTool *tool, const char *text, ReduceTest *test) {
  int64_t status;
  if (strcmp(text, "crash") == 0) return test->wanted = REDUCE_CRASHES, true;
  if (strcmp(text, "hang") == 0) return test->wanted = REDUCE_HANGS, true;
  if (!cake_tool_int(cake_str(text), &status) || status < 0 || status > 255)
    return cake_tool_fail(tool, "--wanted is an exit status from 0 to 255, crash or hang, found '%s'", text);
  test->wanted = REDUCE_EXITS;
  test->status = (int)status;
  return true;
}

static bool parse_timeout(const CakeTool *tool, const char *text, ReduceTest *test) {
  char *end;
  test->timeout_s = strtod(text, &end);
  if (end != text && *end == '\0' && test->timeout_s > 0 && test->timeout_s <= 86400) return true;
  return cake_tool_fail(tool, "--timeout is a number of seconds above 0, found '%s'", text);
}

static bool parse_flag(Args *args, const char *arg) {
  ReduceOptions *options = &args->options;
  const CakeToolFlag flags[] = {
      {"--help",                       &args->help                 },
      {"--version",                    &args->version              },
      {"--trace",                      &options->trace             },
      {"--allow-invalid",              &options->allow_invalid     },
      {"--print-op-generic",           &options->generic           },
      {"--allow-unregistered-dialect", &options->allow_unregistered},
  };
  return cake_tool_flag(flags, CAKE_COUNT(flags), arg);
}

static bool parse_arg(const CakeTool *tool, Args *args, int argc, char **argv, int *i) {
  ReduceOptions *options = &args->options;
  bool failed = false;
  const char *value;
#define OPTION(name) (value = cake_tool_option(tool, name, argc, argv, i, &failed))
  if (OPTION("--test")) return options->test.command = value, !failed;
  if (OPTION("--wanted")) return !failed && parse_wanted(tool, value, &options->test);
  if (OPTION("--timeout")) return !failed && parse_timeout(tool, value, &options->test);
  if (OPTION("--passes")) return options->passes = value, !failed;
  if (OPTION("-o")) return options->output = value, !failed;
#undef OPTION
  if (extensions_take_option(&args->files, tool, argc, argv, i, &failed)) return !failed;
  return parse_flag(args, argv[*i]) || cake_tool_input(tool, argv[*i], &args->input);
}

static bool parse_args(const CakeTool *tool, Args *args, int argc, char **argv) {
  args->options.passes = "dce,symbol-dce,canonicalize";
  args->options.test.timeout_s = 10;
  for (int i = 1; i < argc; i++)
    if (!parse_arg(tool, args, argc, argv, &i)) return false;
  if (args->help || args->version) return true;
  if (!args->input) return cake_tool_fail(tool, "which file? Try --help");
  if (!args->options.test.command || !*args->options.test.command)
    return cake_tool_fail(tool, "--test=COMMAND says what to keep; try --help");
  return true;
}

static bool reduce(Args *args, CakeStr text, ReduceResult *out, CakeBuf *error) {
  Extensions extensions;
  extensions_init(&extensions);
  extensions.allow_unregistered = args->options.allow_unregistered;
  args->options.extensions = &extensions;
  bool is_fine = extensions_load_files(&extensions, &args->files, error);
  if (!is_fine && !error->len) cake_buf_text(error, "a text that is to be loaded is wrong");
  is_fine = is_fine && reduce_run(&args->options, text, out, error);
  extensions_fini(&extensions);
  return is_fine;
}

static bool run(const CakeTool *tool, Args *args) {
  CakeBuf text = {0}, error = {0};
  ReduceResult result = {0};
  if (args->options.output && strcmp(args->options.output, "-") == 0) args->options.output = NULL;
  args->options.file = strcmp(args->input, "-") == 0 ? "<stdin>" : args->input;
  bool is_fine = cake_file_read(args->input, &text, &error);
  is_fine = is_fine && reduce(args, text.data ? cake_buf_view(&text) : CAKE_STR(""), &result, &error);
  if (is_fine && args->options.output && result.kept == 0) // nothing could be cut: the input is the answer
    is_fine = cake_file_write(args->options.output, cake_buf_view(&result.text), &error);
  if (is_fine && !args->options.output) is_fine = cake_file_write("-", cake_buf_view(&result.text), &error);
  if (is_fine)
    fprintf(stderr, "cake-reduce: %zu ops of %zu left, after %zu runs of the command\n", result.ops_after,
            result.ops_before, result.tests);
  else
    (void)cake_tool_fail(tool, "%s: %s", args->options.file, error.data);
  cake_buf_fini(&result.text);
  cake_buf_fini(&text);
  cake_buf_fini(&error);
  return is_fine;
}

int main(int argc, char **argv) {
  CakeTool tool = {.name = "cake-reduce"};
  Args args = {0};
  if (!parse_args(&tool, &args, argc, argv)) return 2;
  if (args.help || args.version) {
    fputs(args.help ? help_text : "cake-reduce " CAKE_VERSION "\n", stdout);
    return 0;
  }
  bool is_fine = run(&tool, &args);
  CAKE_VEC_FINI(&args.files);
  return is_fine ? 0 : 1;
}
