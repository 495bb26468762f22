// Judging a mutant: every stage that can refuse it, then the simulator under several schedules.
#include "bench/verifier/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cake/text.h"
#include "dialects/cake/cake.h"
#include "passes/cake_pipelines.h"
#include "tools/verifiers.h"

#define STEPS_OF_A_CTA 400000 // a correct run of the corpus takes a fraction

// ---- A program ---------------------------------------------------------------------------------------------------------

typedef struct Program {
  CakeTool tool;
  CakeOp *kernel;
  CakeCode code; // of the first error; CAKE_CODE_COUNT: none
  CakeBuf message;
} Program;

static void keep_first(void *user, const CakeDiagnostic *diagnostic) {
  Program *program = user;
  if (diagnostic->severity != CAKE_ERROR || program->code != CAKE_CODE_COUNT) return;
  program->code = diagnostic->code;
  cake_buf_str(&program->message, diagnostic->message);
}

// Parsed, not verified. False: it has an error.
static bool program_parse(Program *program, const char *kernel, CakeStr text) {
  *program = (Program){.code = CAKE_CODE_COUNT};
  cake_tool_open(&program->tool, "cake-bench-mutate");
  cake_context_set_handler(program->tool.context, keep_first, program, NULL, NULL);
  program->tool.file = "mutant";
  program->tool.module = cake_parse_module(program->tool.context, CAKE_STR("mutant"), text);
  if (!program->tool.module) return false;
  program->kernel = cake_tool_kernel(&program->tool, kernel);
  return program->kernel != NULL;
}

static void program_fini(Program *program) {
  cake_tool_close(&program->tool);
  cake_buf_fini(&program->message);
}

// Every stage that may refuse it before it runs. Consumes the program's IR.
static bool program_passes(Program *program, const char *params) {
  if (!cake_tool_verify(program->tool.module)) return false;
  if (!cake_tool_instantiate(&program->tool, program->kernel, cake_str(params))) return false;
  return cake_tool_lower(&program->tool, CAKE_STR("")) != NULL;
}

// Template parameters get their values, and no rule is asked.
static bool instantiate_unchecked(Program *program, const char *params) {
  CakeTool tool = {.name = "cake-bench-mutate"};
  CakeToolPairs pairs = {0};
  CAKE_VEC(CakeParamValue) values = {0};
  CakeRewriter rewriter = cake_rewriter(program->tool.context, NULL);
  bool is_fine = !*params || cake_tool_pairs(&tool, "params", params, &pairs);
  for (size_t i = 0; is_fine && i < pairs.len; i++) {
    CakeParamValue value = {pairs.data[i].name, 0};
    is_fine = cake_tool_int(pairs.data[i].value, &value.value);
    CAKE_PUSH(&values, value);
  }
  is_fine = is_fine && cake_kernel_instantiate(&rewriter, program->kernel, values.data, values.len);
  CAKE_VEC_FINI(&values);
  CAKE_VEC_FINI(&pairs);
  return is_fine;
}

// ---- Arguments -----------------------------------------------------------------------------------------------------------

static uint64_t next_random(uint64_t *state) { // SplitMix64 (Steele, Lea, Flood)
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double next_number(uint64_t *state, int64_t magnitude) {
  double u = ((double)(next_random(state) >> 11) + 0.5) * 0x1p-53, v = (double)(next_random(state) >> 11) * 0x1p-53;
  if (magnitude == 0) return floor(v * 5) - 2;
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v) *
         ldexp(1, (int)(next_random(state) % (uint64_t)(2 * magnitude)) - (int)magnitude);
}

static void fill_array(CakeRunArray *array, const Case *of, size_t index) {
  uint64_t state = of->seed + index * 1000003;
  for (size_t i = 0; i < array->count; i++) {
    double number = next_number(&state, of->magnitude);
    char *at = (char *)array->data + i * array->element->bytes;
    if (array->element->narrow) {
      uint32_t bits = cake_format_encode(array->element->narrow, number, CAKE_OVERFLOW_INFINITE);
      memcpy(at, &bits, array->element->bytes);
    } else if (array->element->npy == CAKE_NPY_F4) {
      memcpy(at, &(float){(float)number}, sizeof(float));
    } else {
      int64_t whole = (int64_t)number;
      memcpy(at, &whole, array->element->bytes);
    }
  }
}

// Whether some op of the kernel writes that argument.
static bool is_output(CakeOp *kernel, size_t index) {
  const CakeBlock *body = cake_op_region(kernel, 0)->first;
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false)) {
    bool writes = cake_op_is(op, "cake.store") || cake_op_is(op, "cake.commit") || cake_op_is(op, "cake.atomic");
    for (uint32_t i = 0; writes && i < op->n_operands; i++)
      if (cake_op_operand(op, i) == body->args[index]) return true;
  }
  return false;
}

// Shapes from the case's sizes; numbers in all arrays but the outputs, which are poisoned.
static bool make_args(CakeRunArgs *args, const Subject *subject, const Case *of, CakeBuf *error) {
  CakeTool tool = {.name = "cake-bench-mutate"};
  CakeToolPairs pairs = {0};
  bool is_fine = cake_tool_pairs(&tool, "case", of->sizes.ptr, &pairs);
  for (size_t i = 0; is_fine && i < pairs.len; i++) {
    int64_t value;
    is_fine = cake_tool_int(pairs.data[i].value, &value) && cake_run_set_size(args, pairs.data[i].name, value, error);
  }
  for (size_t i = 0; is_fine && i < args->arrays.len; i++) {
    args->arrays.data[i].is_output = true; // so that bind makes it
    if (args->arrays.data[i].rank == 0) is_fine = cake_run_set_scalar(args, i, CAKE_STR("1"), error);
  }
  is_fine = is_fine && cake_run_bind(args, error);
  for (size_t i = 0; is_fine && i < args->arrays.len; i++)
    if (!subject->outputs.data[i] && args->arrays.data[i].rank > 0) fill_array(&args->arrays.data[i], of, i);
  CAKE_VEC_FINI(&pairs);
  return is_fine;
}

// ---- Runs ----------------------------------------------------------------------------------------------------------------

// What sees the arrays behind each schedule; false: no more of them.
typedef struct Observer {
  bool (*each)(void *user, const CakeRunArgs *args);
  void *user;
  const CakeRunArgs *args;
} Observer;

static bool observe(void *user, uint64_t seed) {
  const Observer *observer = user;
  (void)seed;
  return observer->each(observer->user, observer->args);
}

// Runs a kernel under one schedule, or so many random ones. False: it could not be started, or failed.
static bool run_case(Program *program, const Subject *subject, const Case *of, CakeSimOptions options,
                     Observer observer) {
  CakeFacts facts;
  CakeRunArgs args;
  CakeBuf error = {0};
  options.max_steps = STEPS_OF_A_CTA;
  options.grid = 3;
  options.after = observe;
  options.after_user = &observer;
  observer.args = &args;
  if (!cake_facts_of_kernel(program->kernel, &facts)) return false;
  bool is_fine = cake_run_args_init(&args, &facts, &error);
  if (is_fine) {
    is_fine = make_args(&args, subject, of, &error) && cake_run_cpu(program->kernel, &args, &options, NULL);
    cake_run_args_fini(&args);
  }
  if (error.len && program->code == CAKE_CODE_COUNT) {
    program->code = CAKE_CODE_RUN_ARGUMENT;
    cake_buf_str(&program->message, cake_buf_view(&error));
  }
  cake_buf_fini(&error);
  cake_facts_fini(&facts);
  return is_fine;
}

typedef struct Comparison {
  const Case *of;
  bool differs;
} Comparison;

static bool compare(void *user, const CakeRunArgs *args) {
  Comparison *comparison = user;
  for (size_t i = 0; i < args->arrays.len; i++) {
    const CakeRunArray *array = &args->arrays.data[i];
    const CakeBuf *wanted = &comparison->of->results.data[i];
    size_t bytes = array->count * array->element->bytes;
    if (bytes != wanted->len || (bytes && memcmp(array->data, wanted->data, bytes) != 0)) comparison->differs = true;
  }
  return !comparison->differs;
}

static bool keep_results(void *user, const CakeRunArgs *args) {
  Case *of = user;
  for (size_t i = 0; i < args->arrays.len; i++) {
    CakeBuf bytes = {0};
    cake_buf_append(&bytes, args->arrays.data[i].data,
                    args->arrays.data[i].count * args->arrays.data[i].element->bytes);
    CAKE_PUSH(&of->results, bytes);
  }
  return true;
}

// All cases under all schedules, the most telling ones first.
static Verdict run_all(Program *program, const Subject *subject) {
  static const CakeSimSchedule kinds[] = {CAKE_SIM_LATE, CAKE_SIM_ROUND_ROBIN, CAKE_SIM_RANDOM};
  for (size_t k = 0; k < CAKE_COUNT(kinds); k++) {
    CakeSimOptions options = {.schedule = kinds[k], .seed = k};
    if (kinds[k] == CAKE_SIM_RANDOM) options.schedules = subject->schedules;
    for (size_t i = 0; i < subject->cases.len && (kinds[k] != CAKE_SIM_RANDOM || subject->schedules); i++) {
      Comparison comparison = {&subject->cases.data[i], false};
      if (!run_case(program, subject, comparison.of, options, (Observer){.each = compare, .user = &comparison}))
        return VERDICT_RUN;
      if (comparison.differs) return VERDICT_DIFFERS;
    }
  }
  return VERDICT_EQUIVALENT;
}

// Parsed, verified by the core alone, and instantiated: what the simulator needs.
static bool open_for_run(Program *program, const Subject *subject, CakeStr text) {
  return program_parse(program, subject->kernel, text) && cake_verify(program->tool.module) &&
         instantiate_unchecked(program, subject->params);
}

static void keep_message(Judgement *out, const Program *program) {
  out->code = program->code;
  snprintf(out->message, sizeof out->message, "%.*s", (int)program->message.len,
           program->message.data ? program->message.data : "");
}

static bool run_for_contract(void *user, CakeRunArgs *args, uint64_t seed) {
  const Program *program = user;
  CakeSimOptions options = {.seed = seed, .max_steps = STEPS_OF_A_CTA, .grid = 3};
  return cake_run_cpu(program->kernel, args, &options, NULL);
}

// Whether the contract tells it from the right kernel.
static bool breaks_contract(const Subject *subject, CakeStr text) {
  Program program;
  CakeFacts facts;
  CakeContractReport report = {0};
  bool holds = false;
  CakeContract *contract = NULL;
  if (open_for_run(&program, subject, text) && cake_facts_of_kernel(program.kernel, &facts)) {
    contract = cake_contract_read(program.tool.context, cake_buf_view(&subject->contract), "contract");
    holds = contract && cake_contract_check(contract, &facts, 0, run_for_contract, &program, &report);
    cake_buf_fini(&report.candidates);
    cake_facts_fini(&facts);
  }
  if (contract) cake_contract_destroy(contract);
  program_fini(&program);
  return !holds;
}

void subject_judge(const Subject *subject, CakeStr text, Judgement *out) {
  Program program;
  *out = (Judgement){.verdict = VERDICT_EQUIVALENT, .code = CAKE_CODE_COUNT};
  bool is_parsed = program_parse(&program, subject->kernel, text),
       passes = is_parsed && program_passes(&program, subject->params);
  keep_message(out, &program);
  program_fini(&program);
  if (!passes) {
    bool is_program = out->code != CAKE_CODE_PARSE_SYNTAX && out->code != CAKE_CODE_PARSE_NAME &&
                      out->code != CAKE_CODE_IR_DOMINANCE && out->code != CAKE_CODE_PARSE_NUMBER;
    out->verdict = is_program ? VERDICT_STATIC : VERDICT_NO_PROGRAM;
    if (!is_program || !is_parsed) return;
  }
  bool is_open = open_for_run(&program, subject, text);
  Verdict verdict = is_open ? run_all(&program, subject) : VERDICT_RUN;
  if (passes) {
    out->verdict = verdict;
    out->breaks_contract = verdict == VERDICT_DIFFERS && breaks_contract(subject, text);
    keep_message(out, &program);
  } else {
    out->was_run = is_open;
    out->seen_to_fail = is_open && verdict != VERDICT_EQUIVALENT;
  }
  program_fini(&program);
}

// ---- The unmutated kernel ---------------------------------------------------------------------------------------------------

static bool fail(const Subject *subject, const Program *program) {
  fprintf(stderr, "cake-bench-mutate: error: %s: %.*s\n", subject->file, (int)program->message.len,
          program->message.data ? program->message.data : "");
  return false;
}

// Sizes "B=1,N=5;B=2,N=70": a case each, with small integers in the second, wide numbers in the third.
static void add_cases(Subject *subject, const char *cases) {
  static const int64_t magnitudes[] = {1, 0, 9};
  for (const char *at = cases; *at;) {
    size_t len = strcspn(at, ";"), index = subject->cases.len;
    CAKE_PUSH(&subject->cases, (Case){.sizes = cake_arena_str(subject->arena, (CakeStr){at, len}),
                                      .seed = 77 + index,
                                      .magnitude = magnitudes[index % CAKE_COUNT(magnitudes)]});
    at += len + (at[len] == ';');
  }
}

// The canonical text, so that every op has a line.
static bool read_text(Subject *subject, const char *folder, Program *program) {
  CakeBuf path = {0}, text = {0}, error = {0};
  cake_buf_printf(&path, "%s/%s.cake", folder, subject->file);
  bool is_fine = cake_file_read(path.data, &text, &error);
  if (!is_fine) fprintf(stderr, "cake-bench-mutate: error: %s\n", error.data);
  is_fine = is_fine && (program_parse(program, subject->kernel, cake_buf_view(&text)) || fail(subject, program));
  if (is_fine) cake_print_op(program->tool.module, &(CakePrintOptions){.use_names = true}, &subject->text);
  if (is_fine) program_fini(program);
  cake_buf_fini(&path);
  cake_buf_fini(&text);
  cake_buf_fini(&error);
  return is_fine;
}

// The unmutated kernel keeps it, so that what breaks it is a fault of a mutant.
static bool read_contract(Subject *subject, const char *folder, const char *name) {
  CakeBuf path = {0}, error = {0};
  cake_buf_printf(&path, "%s/%s.contract", folder, name);
  bool is_fine = cake_file_read(path.data, &subject->contract, &error);
  if (!is_fine) fprintf(stderr, "cake-bench-mutate: error: %s\n", error.data);
  if (is_fine && breaks_contract(subject, cake_buf_view(&subject->text))) {
    is_fine = false;
    fprintf(stderr, "cake-bench-mutate: error: %s breaks its contract\n", subject->file);
  }
  cake_buf_fini(&path);
  cake_buf_fini(&error);
  return is_fine;
}

bool subject_init(Subject *subject, const char *folder, const char *file, const char *kernel, const char *params,
                  const char *cases, const char *contracts, const char *contract, int64_t schedules) {
  Program program = {0};
  *subject =
      (Subject){.arena = cake_arena_create(), .file = file, .kernel = kernel, .params = params, .schedules = schedules};
  if (!read_text(subject, folder, &program)) return false;
  bool is_fine = open_for_run(&program, subject, cake_buf_view(&subject->text)) || fail(subject, &program);
  for (size_t i = 0; is_fine && i < cake_op_region(program.kernel, 0)->first->n_args; i++)
    CAKE_PUSH(&subject->outputs, is_output(program.kernel, i));
  add_cases(subject, cases);
  is_fine = is_fine && read_contract(subject, contracts, contract);
  for (size_t i = 0; is_fine && i < subject->cases.len; i++)
    is_fine = run_case(&program, subject, &subject->cases.data[i], (CakeSimOptions){.schedule = CAKE_SIM_ROUND_ROBIN},
                       (Observer){.each = keep_results, .user = &subject->cases.data[i]}) ||
              fail(subject, &program);
  program_fini(&program);
  return is_fine;
}

void subject_fini(Subject *subject) {
  for (size_t i = 0; i < subject->cases.len; i++) {
    for (size_t j = 0; j < subject->cases.data[i].results.len; j++)
      cake_buf_fini(&subject->cases.data[i].results.data[j]);
    CAKE_VEC_FINI(&subject->cases.data[i].results);
  }
  CAKE_VEC_FINI(&subject->cases);
  cake_buf_fini(&subject->contract);
  CAKE_VEC_FINI(&subject->outputs);
  cake_buf_fini(&subject->text);
  cake_arena_destroy(subject->arena);
}
