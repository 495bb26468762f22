// cake-opt: reads a module, verifies it, runs passes, and prints it. At home for users of mlir-opt.
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "cake/bytecode.h"
#include "cake/counters.h"
#include "tools/explain.h"
#include "tools/opt.h"
#include "verifier/coverage.h"

typedef struct Tool {
  OptOptions options;
  Extensions extensions;
  CakeTiming *timing;
  CakeBuf output, errors; // errors: what goes to standard error beside diagnostics
  CakeFileWriter *writer; // where a module goes while it is printed; NULL: it stays in `output`
  CakeBuf write_errors;
  CakeBuf pipeline;   // out of the input, with --run-reproducer
  CakeBuf reproducer; // what repeats the run
  OptTree tree;
  OptActions actions;
  regex_t remarks;
} Tool;

typedef struct Reporter {
  CakeContext *const *context;
  const bool *json;
  const regex_t *remarks; // those that are shown; NULL: all
  const OptOptions *options;
} Reporter;

static void write_error(CakeBuf *text) {
  fwrite(text->data ? text->data : "", 1, text->len, stderr);
  cake_buf_clear(text);
}

static void report(void *user, const CakeDiagnostic *diagnostic) {
  const Reporter *reporter = user;
  CakeBuf text = {0};
  CakeDiagnostic shown = *diagnostic;
  if (diagnostic->severity > reporter->options->least) return;
  if (reporter->options->hides_notes) shown.first_note = NULL;
  if (reporter->remarks && diagnostic->severity == CAKE_REMARK) {
    cake_buf_str(&text, diagnostic->message);
    bool is_shown = regexec(reporter->remarks, text.len ? text.data : "", 0, NULL, 0) == 0;
    cake_buf_fini(&text);
    if (!is_shown) return;
  }
  if (*reporter->json) {
    CakeJson json = cake_json(&text);
    cake_diag_json(*reporter->context, &shown, &json);
    cake_buf_char(&text, '\n');
  } else {
    cake_diag_print(*reporter->context, &shown, &text);
  }
  write_error(&text);
  cake_buf_fini(&text);
}

// A fault of the call or of a file, in the form that was asked for.
static void complain(const Tool *tool, CakeCode code, const CakeBuf *text) {
  if (!text->len) return;
  if (!tool->options.json) {
    fprintf(stderr, "cake-opt: %s [%s]\n", text->data, cake_code_name(code));
    return;
  }
  CakeContext *context = cake_context_create();
  Reporter reporter = {&context, &tool->options.json, NULL, &tool->options};
  cake_context_set_handler(context, report, &reporter, NULL, NULL);
  cake_error_at(context, cake_loc_unknown(), code, "%s", text->data);
  cake_context_destroy(context);
}

static double lap(Tool *tool, const char *name, double start) {
  double now = cake_timing_now();
  if (tool->timing) cake_timing_add(tool->timing, cake_str(name), 0, now - start);
  return now;
}

static CakePipeline *make_pipeline(Tool *tool, CakeContext *context, const CakePassRegistry *registry) {
  const OptOptions *options = &tool->options;
  if (options->run_reproducer) return cake_pipeline_parse(context, registry, cake_buf_view(&tool->pipeline));
  if (options->pass_pipeline) return cake_pipeline_parse(context, registry, cake_str(options->pass_pipeline));
  CakePipeline *pipeline = cake_pipeline_create(context, registry);
  for (size_t i = 0; i < options->passes.len; i++) {
    if (cake_pipeline_add(pipeline, options->passes.data[i].name, options->passes.data[i].options)) continue;
    cake_pipeline_destroy(pipeline);
    return NULL;
  }
  return pipeline;
}

static void set_run_options(Tool *tool, CakePipelineOptions *run) {
  *run = tool->options.run;
  run->verify_each = run->verify_each && !tool->options.no_verify;
  run->timing = tool->timing;
  run->print = &tool->options.print;
  run->dump = &tool->errors;
  run->extra_verifiers = tool->extensions.verifiers.data;
  run->n_extra_verifiers = tool->extensions.verifiers.len;
  tool->tree.dir = tool->options.tree_dir;
  run->print_file = tool->tree.dir ? opt_tree_print : NULL;
  run->print_file_user = &tool->tree;
  if (tool->options.crash_reproducer || tool->options.reproducer) run->reproducer = &tool->reproducer;
  if (!tool->options.crash_reproducer) run->local_reproducer = false;
}

static void write_reproducer(Tool *tool, const char *path) {
  if (cake_file_write(path, cake_buf_view(&tool->reproducer), &tool->write_errors))
    cake_buf_printf(&tool->errors, "cake-opt: note: what repeats this run is in '%s'; try --run-reproducer\n", path);
}

// Runs with a reproducer that is written when the run fails or crashes.
static bool run_watched(Tool *tool, CakePipeline *pipeline, CakeOp *module) {
  CakePipelineOptions run;
  const char *crash_path = tool->options.crash_reproducer;
  set_run_options(tool, &run);
  if (crash_path) opt_crash_watch(&tool->reproducer, crash_path);
  bool is_fine = cake_pipeline_run(pipeline, module, &run);
  if (crash_path) opt_crash_ignore();
  if (crash_path && !is_fine) write_reproducer(tool, crash_path);
  if (tool->options.reproducer) write_reproducer(tool, tool->options.reproducer);
  return is_fine;
}

static bool run_passes(Tool *tool, CakeContext *context, CakeOp *module) {
  const OptOptions *options = &tool->options;
  CakePassRegistry registry;
  if (!options->pass_pipeline && !options->passes.len && !options->run_reproducer) return true;
  if (!extensions_enter(&tool->extensions, context, &registry)) return false;
  CakePipeline *pipeline = make_pipeline(tool, context, &registry);
  if (!pipeline) return false;
  if (options->dump_pipeline) {
    cake_pipeline_print(pipeline, &tool->errors);
    cake_buf_char(&tool->errors, '\n');
  }
  bool is_fine = run_watched(tool, pipeline, module);
  cake_pipeline_destroy(pipeline);
  write_error(&tool->errors);
  return is_fine;
}

static void flush(void *user, CakeBuf *out) {
  Tool *tool = user;
  cake_file_append(tool->writer, cake_buf_view(out), &tool->write_errors);
  cake_buf_clear(out);
}

static void put(void *user, CakeStr text) {
  Tool *tool = user;
  cake_file_append(tool->writer, text, &tool->write_errors);
}

// Bytes that are written at a time. A file system's calls cost more than the memory of a large buffer, those of a pipe less.
enum { TO_FILE = 64 << 10, TO_OTHERS = 16 << 10 };

static void print_into(Tool *tool, CakeOp *module, const CakePrintOptions *options) {
  double start = cake_timing_now();
  if (tool->options.emit_bytecode)
    cake_bytecode_write(module, &tool->output);
  else
    cake_print_op(module, options, &tool->output);
  if (options->flush) flush(tool, &tool->output);
  lap(tool, "Output", start);
}

// From here on nothing can fail but writing. The row "Output" is printing and writing, as in mlir-opt: not opening, closing and renaming a file.
static bool print(Tool *tool, CakeOp *module) {
  CakePrintOptions options = tool->options.print;
  bool is_verified = !tool->options.no_verify && tool->options.run.verify_each;
  options.generic = options.generic || (!is_verified && !cake_verifies(module));
  if (!tool->writer) {
    print_into(tool, module, &options);
    return true;
  }
  bool is_open = cake_file_begin(tool->writer, tool->options.output, &tool->write_errors);
  options.flush = is_open ? flush : NULL;
  options.flush_at = tool->writer->target ? TO_FILE : TO_OTHERS;
  options.flush_user = tool;
  options.put = put;
  if (is_open) print_into(tool, module, &options);
  return cake_file_end(tool->writer, is_open, &tool->write_errors) && is_open;
}

// A file, or a part of it that is treated as a file.
typedef struct Chunk {
  CakeStr file, text, part;
  uint32_t line; // of the part's start
  bool is_mapped;
} Chunk;

static CakeOp *parse(CakeContext *context, const Chunk *chunk) {
  if (chunk->is_mapped) return cake_parse_mapped_module(context, chunk->file, chunk->text);
  return cake_parse_module_part(context, chunk->file, chunk->text, chunk->part, chunk->line);
}

// What the verifier's verdict about what is printed rests on, in the form that was asked for.
static void print_coverage(Tool *tool, CakeOp *module) {
  CakeCoverage coverage;
  if (!tool->options.coverage) return;
  cake_coverage_of(module, CAKE_PROTOCOL_BUDGET, &coverage);
  if (tool->options.json) {
    CakeJson json = cake_json(&tool->errors);
    cake_json_begin_object(&json);
    cake_json_key(&json, "coverage");
    cake_coverage_json(&coverage, &json);
    cake_json_end_object(&json);
    cake_buf_char(&tool->errors, '\n');
  } else {
    cake_coverage_print(&coverage, &tool->errors);
  }
  cake_coverage_fini(&coverage);
  write_error(&tool->errors);
}

// One module from text to text.
static bool process(Tool *tool, CakeContext *context, const Chunk *chunk) {
  double at = cake_timing_now();
  CakeOp *module = parse(context, chunk);
  at = lap(tool, "Parser", at);
  if (!module) return false;
  cake_buf_clear(&tool->pipeline);
  if (tool->options.run_reproducer && !cake_reproducer_pipeline(chunk->part, &tool->pipeline))
    return cake_error_at(context, cake_loc_unknown(), CAKE_CODE_PASS_PIPELINE,
                         "the input holds no reproducer: no 'mlir_reproducer' with a 'pipeline' among its resources");
  bool is_fine = tool->options.no_verify || extensions_verify(&tool->extensions, module);
  lap(tool, "(verifier)", at);
  is_fine = is_fine && (!tool->options.verify_roundtrip || opt_roundtrip(&tool->extensions, module));
  if (!is_fine || !run_passes(tool, context, module)) return false;
  print_coverage(tool, module);
  return print(tool, module); // the passes have rows of their own, too
}

static bool set_counters(const Tool *tool, CakeContext *context) {
  const OptOptions *options = &tool->options;
  CakeBuf error = {0};
  bool is_fine = (!options->counters && !options->print_counters) ||
                 cake_context_set_counters(context, cake_str(options->counters ? options->counters : ""),
                                           options->print_counters, &error);
  complain(tool, CAKE_CODE_TOOL_USAGE, &error);
  cake_buf_fini(&error);
  return is_fine;
}

// In a context of its own, with the diagnostics reported or compared.
static bool process_chunk(Tool *tool, const Chunk *chunk) {
  CakeContext *context = cake_context_create();
  Reporter reporter = {&context, &tool->options.json, tool->options.remarks_filter ? &tool->remarks : NULL,
                       &tool->options};
  cake_context_allow_unregistered(context, tool->options.allow_unregistered);
  bool is_fine;
  opt_actions_observe(&tool->actions, context);
  if (!extensions_register(&tool->extensions, context) || !set_counters(tool, context)) {
    is_fine = false; // as it was when it was loaded: that has been reported
  } else if (tool->options.verify_diagnostics) {
    OptExpected *expected =
        opt_expected_create(context, chunk->file, chunk->part, chunk->line, tool->options.expects_only);
    cake_context_set_handler(context, opt_expected_handle, expected, NULL, NULL);
    process(tool, context, chunk); // what it reported is compared, whatever came out
    is_fine = opt_expected_finish(expected, report, &reporter);
  } else {
    cake_context_set_handler(context, report, &reporter, NULL, NULL);
    cake_context_show_ops(context, tool->options.shows_ops);
    is_fine = process(tool, context, chunk);
  }
  if (tool->options.print_counters) cake_counters_print(context, &tool->errors);
  cake_context_destroy(context);
  return is_fine;
}

// The start of the next line that is the marker, from `at` on; text.len when there is none. *out_end: behind it.
static size_t find_separator(CakeStr text, const char *marker, size_t at, size_t *out_end) {
  while (at < text.len) {
    const char *newline = memchr(text.ptr + at, '\n', text.len - at);
    size_t end = newline ? (size_t)(newline - text.ptr) : text.len;
    CakeStr line = {text.ptr + at, end - at};
    while (line.len && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\r'))
      line.len--;
    if (cake_str_is(line, marker)) {
      *out_end = end;
      return at;
    }
    at = end + 1;
  }
  *out_end = text.len;
  return text.len;
}

static bool process_split(Tool *tool, CakeStr file, CakeStr text) {
  bool is_fine = true;
  Chunk chunk = {.file = file, .text = text, .line = 1};
  for (size_t start = 0, end; start <= text.len; start = end) {
    size_t stop = find_separator(text, tool->options.split_marker, start, &end);
    chunk.part = (CakeStr){text.ptr + start, stop - start};
    if (start > 0) cake_buf_printf(&tool->output, "%s\n", tool->options.output_marker);
    is_fine = process_chunk(tool, &chunk) && is_fine;
    for (size_t i = start; i < end; i++)
      chunk.line += text.ptr[i] == '\n';
    if (stop == text.len) break;
  }
  return is_fine;
}

// The text with its fixes applied, which is written if it verifies; else what is wrong with it is reported.
static bool fix(Tool *tool, CakeStr file, CakeStr text, CakeBuf *error) {
  CakeBuf fixed = {0};
  size_t applied;
  bool is_fine = opt_apply_fixes(&tool->extensions, file, text, tool->options.allow_unregistered, &fixed, &applied);
  fprintf(stderr, "cake-opt: %zu fix(es) applied\n", applied);
  CakeStr result = fixed.len ? cake_buf_view(&fixed) : CAKE_STR("");
  Chunk chunk = {file, result, result, 1, false};
  is_fine = is_fine ? cake_file_write(tool->options.output, result, error) : process_chunk(tool, &chunk);
  cake_buf_fini(&fixed);
  return is_fine;
}

static bool run(Tool *tool) {
  CakeFileText input;
  CakeFileWriter writer;
  CakeBuf error = {0};
  const char *name = strcmp(tool->options.input, "-") == 0 ? "<stdin>" : tool->options.input;
  bool has_log = !tool->options.log_actions || opt_actions_open(&tool->actions, tool->options.log_actions, &error);
  bool is_open = has_log && cake_file_open_text(tool->options.input, &input, &error), is_fine = is_open;
  if (is_fine && tool->options.apply_fixes) {
    is_fine = fix(tool, cake_str(name), input.text, &error);
  } else if (is_fine && tool->options.split) {
    is_fine = process_split(tool, cake_str(name), input.text) &&
              cake_file_write(tool->options.output, cake_buf_view(&tool->output), &error);
  } else if (is_fine) {
    tool->writer = tool->options.verify_diagnostics ? NULL : &writer;
    Chunk chunk = {cake_str(name), input.text, input.text, 1, input.is_mapped};
    is_fine = process_chunk(tool, &chunk);
    if (is_fine && !tool->writer) is_fine = cake_file_write(tool->options.output, cake_buf_view(&tool->output), &error);
  }
  if (is_open) cake_file_close_text(&input);
  if (!opt_actions_close(&tool->actions, &tool->write_errors)) is_fine = false;
  complain(tool, CAKE_CODE_TOOL_IO, &error);
  complain(tool, CAKE_CODE_TOOL_IO, &tool->write_errors);
  complain(tool, CAKE_CODE_TOOL_IO, &tool->tree.errors);
  if (tool->timing) cake_timing_print(tool->timing, tool->options.timing_json, &tool->errors);
  write_error(&tool->errors);
  cake_buf_fini(&error);
  return is_fine && !tool->write_errors.len && !tool->tree.errors.len;
}

// --help and its like.
static bool tell(const Tool *tool) {
  CakeBuf text = {0}, error = {0};
  CakeContext *context = cake_context_create();
  bool is_fine = extensions_register(&tool->extensions, context);
  switch (tool->options.action) {
  case OPT_HELP: opt_print_help(&text); break;
  case OPT_VERSION: cake_buf_text(&text, "cake-opt " CAKE_VERSION "\n"); break;
  case OPT_LIST_PASSES: opt_list_passes(&tool->extensions.registry, &text); break;
  case OPT_LIST_OPS: opt_list_ops(context, &text); break;
  case OPT_LIST_DIALECTS: opt_list_dialects(context, &text); break;
  case OPT_EXPLAIN:
    if (!cake_explain(cake_str(tool->options.explain), &text)) {
      cake_buf_printf(&error, "there is no code '%.100s'", tool->options.explain);
      complain(tool, CAKE_CODE_TOOL_USAGE, &error);
      cake_buf_clear(&error);
      is_fine = false;
    }
    break;
  case OPT_RUN: break;
  }
  is_fine = is_fine && cake_file_write(tool->options.output, cake_buf_view(&text), &error);
  complain(tool, CAKE_CODE_TOOL_IO, &error);
  cake_context_destroy(context);
  cake_buf_fini(&text);
  cake_buf_fini(&error);
  return is_fine;
}

// The filter of remarks; false: it is no regular expression.
static bool compile_filter(Tool *tool, CakeBuf *error) {
  const char *filter = tool->options.remarks_filter;
  if (!filter || regcomp(&tool->remarks, filter, REG_EXTENDED | REG_NOSUB) == 0) return true;
  cake_buf_printf(error, "--remarks-filter: '%s' is no regular expression", filter);
  tool->options.remarks_filter = NULL;
  return false;
}

static void fini(Tool *tool) {
  cake_timing_destroy(tool->timing);
  if (tool->options.remarks_filter) regfree(&tool->remarks);
  cake_buf_fini(&tool->output);
  cake_buf_fini(&tool->errors);
  cake_buf_fini(&tool->write_errors);
  cake_buf_fini(&tool->pipeline);
  cake_buf_fini(&tool->reproducer);
  cake_buf_fini(&tool->tree.errors);
  opt_options_fini(&tool->options);
}

int main(int argc, char **argv) {
  Tool tool = {0};
  CakeBuf error = {0};
  Reporter reporter = {&tool.extensions.context, &tool.options.json, NULL, &tool.options};
  extensions_init(&tool.extensions);
  tool.extensions.report = report;
  tool.extensions.report_user = &reporter;
  bool is_fine = opt_parse_args(argc, argv, &tool.extensions, &tool.options, &error) && compile_filter(&tool, &error);
  if (!is_fine)
    complain(&tool, CAKE_CODE_TOOL_USAGE, &error);
  else if (tool.options.action != OPT_RUN)
    is_fine = tell(&tool);
  else {
    if (tool.options.timing) tool.timing = cake_timing_create();
    is_fine = run(&tool);
  }
  fini(&tool);
  cake_buf_fini(&error);
  extensions_fini(&tool.extensions);
  return is_fine ? 0 : 1;
}
