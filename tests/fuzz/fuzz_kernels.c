// Kernels from text to the thread level: parsed, verified, instantiated, run on the simulator at both levels, without a crash,
// without an endless loop, and never refused without a reason. What the rules refuse is run, too, as `cake-run --no-rules` does.
// A module of the thread level is run as it is.
//
// The first line of an input says what to run: `// PARAMETERS;SIZES` or `// PARAMETERS;SIZES;KERNEL`. Mutations keep most of the
// grammar: they take statements and words from one place to another, so that much of what they make gets past the parser.
#include "cake/text.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/gpu/gpu_accessors.h"
#include "targets/nvptx/runtime/launch.h"
#include "tools/run.h"
#include "tools/verifiers.h"
#include "verifier/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

enum { STEPS_OF_ROLES = 2000, STEPS_OF_THREADS = 100000, MOST_ELEMENTS = 1 << 20, GRID = 2 };
enum { LARGEST_SIZE = 1024, USUAL_SIZE = 64 }; // of an array's dimensions: given, and not given

// ---- Running -------------------------------------------------------------------------------------------------------

typedef struct Input {
  CakeStr params, sizes, kernel, text;
} Input;

// Cuts `*rest` behind the separator; what stands before it.
static CakeStr cut(CakeStr *rest, char separator) {
  const char *found = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
  CakeStr before = {rest->ptr, found ? (size_t)(found - rest->ptr) : rest->len};
  size_t used = before.len + (found != NULL);
  *rest = (CakeStr){rest->ptr + used, rest->len - used};
  return before;
}

static Input read_input(CakeStr text) {
  Input input = {.text = text};
  CakeStr line = cut(&text, '\n');
  if (!cake_str_starts_with(line, "// ")) return input;
  line = (CakeStr){line.ptr + 3, line.len - 3};
  input.params = cut(&line, ';');
  input.sizes = cut(&line, ';');
  input.kernel = line;
  return input;
}

// A program on its way down.
typedef struct Run {
  CakeTool tool;
  size_t n_errors; // that were reported up to the last step
} Run;

// A step that failed without reporting why is a fault.
static bool explained(Run *run, bool is_fine, const char *what) {
  size_t before = run->n_errors;
  run->n_errors = cake_context_error_count(run->tool.context);
  if (is_fine || run->n_errors > before) return is_fine;
  fprintf(stderr, "%s failed without a reason\n", what);
  abort();
}

static bool set_sizes(CakeRunArgs *args, CakeStr sizes) {
  CakeBuf error = {0};
  bool is_fine = true;
  while (is_fine && sizes.len) {
    int64_t value;
    CakeStr text = cut(&sizes, ','), name = cut(&text, '=');
    is_fine = cake_tool_int(text, &value) && value <= LARGEST_SIZE && cake_run_set_size(args, name, value, &error);
  }
  for (size_t i = 0; is_fine && i < args->sizes.len; i++)
    if (args->sizes.data[i] < 0) args->sizes.data[i] = USUAL_SIZE;
  for (size_t i = 0; is_fine && i < args->arrays.len; i++) {
    cake_run_set_fill(args, i, CAKE_RUN_RANDOM);
    if (args->arrays.data[i].rank == 0) is_fine = cake_run_set_scalar(args, i, CAKE_STR("1"), &error);
  }
  cake_buf_fini(&error);
  return is_fine;
}

// Whether the arrays are small enough to be made.
static bool is_small(const CakeRunArgs *args) {
  CakeArgument values[CAKE_MANIFEST_MAX_PARAMS];
  CakeLaunchShape shape;
  CakeRuntimeError error;
  CakeCall call = cake_run_call(args, values);
  if (!cake_launch_bind(&args->facts->manifest, &call, &shape, &error)) return false;
  int64_t count = 0;
  for (size_t i = 0; i < args->arrays.len; i++) {
    int64_t elements = 1;
    for (size_t d = 0; elements && d < args->arrays.data[i].rank; d++)
      elements *= shape.dims[i][d] > MOST_ELEMENTS / elements ? 0 : shape.dims[i][d] > 0 ? shape.dims[i][d] : 1;
    if (!elements) return false;
    count += elements;
  }
  return count <= MOST_ELEMENTS;
}

// Runs the kernel if its sizes can be bound. Whether it works is not asked: it must fail in words.
static void simulate(Run *run, CakeOp *kernel, const CakeFacts *facts, CakeStr sizes, const CakeSimOptions *options) {
  CakeRunArgs args;
  CakeBuf error = {0};
  CakeSimReport report;
  if (cake_run_args_init(&args, facts, &error)) {
    if (set_sizes(&args, sizes) && is_small(&args) && cake_run_bind(&args, &error))
      explained(run, cake_run_cpu(kernel, &args, options, &report), "the simulator");
    cake_run_args_fini(&args);
  }
  cake_buf_fini(&error);
}

static void simulate_roles(Run *run, CakeOp *kernel, CakeStr sizes) {
  CakeSimOptions options = {.grid = GRID, .cta_count = 1, .max_steps = STEPS_OF_ROLES};
  CakeFacts facts;
  if (!explained(run, cake_facts_of_kernel(kernel, &facts), "the manifest")) return;
  simulate(run, kernel, &facts, sizes, &options);
  cake_facts_fini(&facts);
}

static void simulate_threads(Run *run, CakeOp *func, CakeStr sizes) {
  CakeSimOptions options = {.grid = GRID, .cta_count = 1, .max_steps = STEPS_OF_THREADS, .protocol = true};
  CakeFacts facts;
  if (!explained(run, cake_facts_of_func(func, NULL, &facts), "the manifest")) return;
  simulate(run, func, &facts, sizes, &options);
  cake_facts_fini(&facts);
}

static CakeOp *find_kernel(CakeTool *tool, CakeStr name) {
  CakeOp *found = NULL;
  for (CakeOp *op = cake_module_body(tool->module)->first; op && !found; op = op->next) {
    CakeAttr symbol = cake_is_cake_op(op, cake_op_cake_kernel) ? cake_op_attr_text(op, "sym_name") : NULL;
    if (symbol && (!name.len || cake_str_equal(cake_attr_string_value(symbol), name))) found = op;
  }
  if (found) cake_tool_keep(tool, found);
  return found;
}

static void simulate_module(Run *run, CakeOp *module, CakeStr sizes) {
  CakeBlock *body = cake_region_entry(cake_op_region(module, 0));
  for (CakeOp *func = body ? body->first : NULL; func; func = func->next)
    if (cake_is_gpu_op(func, cake_op_gpu_func)) simulate_threads(run, func, sizes);
}

static void lower_and_run(Run *run, const Input *input) {
  CakeOp *module = cake_tool_lower(&run->tool, CAKE_STR(""));
  if (explained(run, module != NULL, "lowering")) simulate_module(run, module, input->sizes);
}

// Parses and verifies. False: a rule alone refused it.
static bool open_program(Run *run, const Input *input, CakeOp **out_kernel) {
  CakeTool *tool = &run->tool;
  *out_kernel = NULL;
  tool->module = cake_parse_module(tool->context, CAKE_STR("input"), input->text);
  if (!explained(run, tool->module != NULL, "parsing")) return true;
  if (!explained(run, cake_verify(tool->module), "the verifier")) return true;
  if (!tool->skip_rules && !explained(run, cake_tool_verify(tool->module), "a rule")) return false;
  *out_kernel = find_kernel(tool, input->kernel);
  return true;
}

static void run_kernel(Run *run, const Input *input, CakeOp *kernel) {
  CakeTool *tool = &run->tool;
  CakeToolPairs pairs = {0};
  CakeBuf params = {0}, wanted = {0};
  cake_buf_str(&wanted, input->params);
  bool has_params =
      (!wanted.len || cake_tool_pairs(tool, "params", wanted.data, &pairs)) && cake_tool_params(tool, &pairs, &params);
  if (has_params && explained(run, cake_tool_instantiate(tool, kernel, cake_buf_view(&params)), "instantiation")) {
    simulate_roles(run, kernel, input->sizes);
    lower_and_run(run, input);
  }
  CAKE_VEC_FINI(&pairs);
  cake_buf_fini(&params);
  cake_buf_fini(&wanted);
}

// False: a rule alone refused it.
static bool run_program(const Input *input, bool skips_rules) {
  Run run = {0};
  CakeOp *kernel;
  cake_tool_open(&run.tool, "fuzz_kernels");
  cake_context_set_handler(run.tool.context, NULL, NULL, NULL, NULL);
  run.tool.file = "input";
  run.tool.skip_rules = skips_rules;
  bool is_clean = open_program(&run, input, &kernel);
  if (kernel)
    run_kernel(&run, input, kernel);
  else if (is_clean && !run.n_errors && cake_tool_gpu_module(&run.tool))
    simulate_module(&run, cake_tool_gpu_module(&run.tool), input->sizes);
  cake_tool_close(&run.tool);
  return is_clean;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input input = read_input((CakeStr){(const char *)data, size});
  if (!run_program(&input, false)) run_program(&input, true);
  return 0;
}

// ---- Mutating ------------------------------------------------------------------------------------------------------

typedef struct Mutator {
  CakeStr text;
  uint64_t state;
} Mutator;

typedef struct Span {
  size_t start, end;
} Span;

static size_t choose(Mutator *mutator, size_t count) {
  mutator->state = mutator->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); // Knuth's MMIX
  return count ? (size_t)(mutator->state >> 33) % count : 0;
}

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

// What words may stand for one another: by what they begin with.
static int kind_of(CakeStr text, Span word) {
  char c = text.ptr[word.start];
  return c >= '0' && c <= '9' ? '0' : is_word(c) ? 'a' : c;
}

// The next word from there, with the sign in front of it; false at the end.
static bool next_word(CakeStr text, size_t at, Span *out) {
  while (at < text.len && !is_word(text.ptr[at]))
    at++;
  *out = (Span){at, at};
  while (out->end < text.len && is_word(text.ptr[out->end]))
    out->end++;
  if (out->start < text.len && at > 0 && strchr("%@!#^", text.ptr[at - 1]) && text.ptr[at - 1]) out->start--;
  return out->end > out->start;
}

static size_t line_end(CakeStr text, size_t at) {
  const char *newline = at < text.len ? memchr(text.ptr + at, '\n', text.len - at) : NULL;
  return newline ? (size_t)(newline - text.ptr) + 1 : text.len;
}

// Any word, or any of the kind of another one. In the first line there are only numbers.
static bool any_word(Mutator *mutator, int kind, Span *out) {
  CAKE_VEC(Span) words = {0};
  Span word;
  size_t start = kind == '0' ? 0 : line_end(mutator->text, 0);
  for (size_t at = start; next_word(mutator->text, at, &word); at = word.end)
    if (!kind || kind_of(mutator->text, word) == kind) CAKE_PUSH(&words, word);
  size_t count = words.len;
  if (count) *out = words.data[choose(mutator, count)];
  CAKE_VEC_FINI(&words);
  return count > 0;
}

// The lines from `at` on up to where all brackets are closed again; false where one is closed that was open before.
static bool statement_at(CakeStr text, size_t at, Span *out) {
  long depth = 0;
  *out = (Span){at, at};
  do {
    size_t end = line_end(text, out->end);
    for (size_t i = out->end; i < end; i++) {
      depth += strchr("([{", text.ptr[i]) && text.ptr[i] ? 1 : strchr(")]}", text.ptr[i]) && text.ptr[i] ? -1 : 0;
      if (depth < 0) return false;
    }
    out->end = end;
  } while (depth > 0 && out->end < text.len);
  return out->end > at;
}

static bool any_statement(Mutator *mutator, Span *out) {
  CAKE_VEC(Span) statements = {0};
  Span statement;
  for (size_t at = line_end(mutator->text, 0); at < mutator->text.len; at = line_end(mutator->text, at))
    if (statement_at(mutator->text, at, &statement)) CAKE_PUSH(&statements, statement);
  size_t count = statements.len;
  if (count) *out = statements.data[choose(mutator, count)];
  CAKE_VEC_FINI(&statements);
  return count > 0;
}

static CakeStr part(CakeStr text, size_t start, size_t end) {
  return (CakeStr){text.ptr + start, end - start};
}

static CakeStr view(CakeStr text, Span span) {
  return part(text, span.start, span.end);
}

// The text with something else in the place of a part of it.
static void replace(CakeStr text, Span span, CakeStr by, CakeBuf *out) {
  cake_buf_str(out, part(text, 0, span.start));
  cake_buf_str(out, by);
  cake_buf_str(out, part(text, span.end, text.len));
}

static bool delete_statement(Mutator *mutator, CakeBuf *out) {
  Span statement;
  if (!any_statement(mutator, &statement)) return false;
  replace(mutator->text, statement, CAKE_STR(""), out);
  return true;
}

// To its own place, or to any other.
static bool copy_statement(Mutator *mutator, CakeBuf *out) {
  Span from, to;
  if (!any_statement(mutator, &from) || !any_statement(mutator, &to)) return false;
  if (choose(mutator, 2)) to = from;
  replace(mutator->text, (Span){to.start, to.start}, view(mutator->text, from), out);
  return true;
}

static bool swap_statements(Mutator *mutator, CakeBuf *out) {
  Span first, second;
  CakeBuf swapped = {0};
  if (!any_statement(mutator, &first) || !statement_at(mutator->text, first.end, &second)) return false;
  cake_buf_str(&swapped, view(mutator->text, second));
  cake_buf_str(&swapped, view(mutator->text, first));
  replace(mutator->text, (Span){first.start, second.end}, cake_buf_view(&swapped), out);
  cake_buf_fini(&swapped);
  return true;
}

// Of a short word: that of the digits that it begins with. No NUL stands behind an input.
static int64_t number_of(CakeStr word) {
  int64_t number = 0;
  for (size_t i = 0; i < word.len && word.len < 10 && word.ptr[i] >= '0' && word.ptr[i] <= '9'; i++)
    number = number * 10 + (word.ptr[i] - '0');
  return number;
}

static bool change_number(Mutator *mutator, CakeBuf *out) {
  static const int64_t special[] = {0,  1,  2,   3,   4,   7,    8,  16,        31,       32,
                                    64, 65, 127, 128, 256, 1000, -1, INT32_MAX, INT64_MAX};
  CakeBuf number = {0};
  Span word;
  if (!any_word(mutator, '0', &word)) return false;
  int64_t old = number_of(view(mutator->text, word)), value;
  switch (choose(mutator, 5)) {
  case 0: value = old + 1; break;
  case 1: value = old - 1; break;
  case 2: value = old * 2; break;
  case 3: value = old / 2; break;
  default: value = special[choose(mutator, CAKE_COUNT(special))]; break;
  }
  cake_buf_printf(&number, "%lld", (long long)value);
  replace(mutator->text, word, cake_buf_view(&number), out);
  cake_buf_fini(&number);
  return true;
}

// Takes the place of a word of its kind.
static bool replace_word(Mutator *mutator, CakeBuf *out) {
  Span word, other;
  if (!any_word(mutator, 0, &word) || !any_word(mutator, kind_of(mutator->text, word), &other)) return false;
  replace(mutator->text, word, view(mutator->text, other), out);
  return true;
}

// The same of values alone: what an op works on.
static bool replace_operand(Mutator *mutator, CakeBuf *out) {
  Span word, other;
  if (!any_word(mutator, '%', &word) || !any_word(mutator, '%', &other)) return false;
  replace(mutator->text, word, view(mutator->text, other), out);
  return true;
}

static bool delete_word(Mutator *mutator, CakeBuf *out) {
  Span word;
  if (!any_word(mutator, 0, &word)) return false;
  replace(mutator->text, word, CAKE_STR(""), out);
  return true;
}

static size_t put(CakeBuf *made, uint8_t *out, size_t max_size) {
  size_t size = made->len < max_size ? made->len : max_size;
  if (size) memcpy(out, made->data, size);
  cake_buf_fini(made);
  return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  static bool (*const mutations[])(Mutator *, CakeBuf *) = {delete_statement, copy_statement,  swap_statements,
                                                            change_number,    change_number,   replace_word,
                                                            replace_operand,  replace_operand, delete_word};
  Mutator mutator = {
      {(const char *)data, size},
      seed
  };
  CakeBuf made = {0};
  mutations[choose(&mutator, CAKE_COUNT(mutations))](&mutator, &made);
  return made.len ? put(&made, data, max_size) : size;
}

// A statement of the other kernel.
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed) {
  Mutator to =
              {
                  {(const char *)data, size},
                  seed
  },
          from = {{(const char *)other, other_size}, seed + 1};
  CakeBuf made = {0};
  Span place, statement;
  if (any_statement(&to, &place) && any_statement(&from, &statement))
    replace(to.text, (Span){place.start, place.start}, view(from.text, statement), &made);
  return put(&made, out, max_size);
}
