// Runs of a program: arguments for a case, the simulator at either level, comparison with what the unmutated kernel makes, and the contract.
#include <math.h>
#include <string.h>

#include "bench/verifier/judge_parts.h"
#include "dialects/gpu/gpu_accessors.h"

enum { STEPS_OF_A_CTA = 400000, STEPS_OF_THREADS = 20000000, GRID = 3 }; // a correct run of the corpus takes a fraction
enum { CTAS_FOR_A_SCHEDULE = 15 };                                       // that many on average are enough

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

// Whether the kernel writes it; what it adds to has first values, like an input.
bool is_output(CakeOp *kernel, size_t index) {
  const CakeBlock *body = cake_op_region(kernel, 0)->first;
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false)) {
    bool writes = cake_op_is(op, "cake.store") || cake_op_is(op, "cake.commit") || cake_op_is(op, "cake.atomic");
    for (uint32_t i = 0; writes && !cake_op_attr_text(op, "reduce") && i < op->n_operands; i++)
      if (cake_op_operand(op, i) == body->args[index]) return true;
  }
  return false;
}

static bool set_scalar(CakeRunArgs *args, const Subject *subject, size_t index, CakeBuf *error) {
  CakeStr text = cake_contract_scalar(subject->contract, cake_str(args->facts->manifest.args[index].name));
  return cake_run_set_scalar(args, index, text.len ? text : CAKE_STR("1"), error);
}

// Shapes from the case's sizes, scalars from the contract; all arrays are poisoned.
static bool bind_args(CakeRunArgs *args, const Subject *subject, const Case *of, CakeBuf *error) {
  CakeTool tool = {.name = "cake-bench-mutate"};
  CakeToolPairs pairs = {0};
  bool is_fine = cake_tool_pairs(&tool, "case", of->sizes.ptr, &pairs);
  for (size_t i = 0; is_fine && i < pairs.len; i++) {
    int64_t value;
    is_fine = cake_tool_int(pairs.data[i].value, &value) && cake_run_set_size(args, pairs.data[i].name, value, error);
  }
  for (size_t i = 0; is_fine && i < args->arrays.len; i++) {
    args->arrays.data[i].is_output = true; // so that bind makes it
    if (args->arrays.data[i].rank == 0) is_fine = set_scalar(args, subject, i, error);
  }
  CAKE_VEC_FINI(&pairs);
  return is_fine && cake_run_bind(args, error);
}

static bool make_args(CakeRunArgs *args, const Subject *subject, const Case *of, CakeBuf *error) {
  if (!bind_args(args, subject, of, error)) return false;
  for (size_t i = 0; i < args->arrays.len && i < of->inputs.len; i++) {
    size_t bytes = args->arrays.data[i].count * args->arrays.data[i].element->bytes;
    const CakeBuf *input = &of->inputs.data[i];
    if (input->len && input->len == bytes) memcpy(args->arrays.data[i].data, input->data, bytes);
  }
  return true;
}

// ---- Runs ----------------------------------------------------------------------------------------------------------------

typedef struct Comparison {
  const Case *of;
  const CakeRunArgs *args;
  Level level;
  bool differs;
} Comparison;

static bool compare(void *user, uint64_t seed) {
  Comparison *comparison = user;
  (void)seed;
  for (size_t i = 0; i < comparison->args->arrays.len; i++) {
    const CakeRunArray *array = &comparison->args->arrays.data[i];
    const CakeBuf *wanted = &comparison->of->results[comparison->level].data[i];
    size_t bytes = array->count * array->element->bytes;
    if (bytes != wanted->len || (bytes && memcmp(array->data, wanted->data, bytes) != 0)) comparison->differs = true;
  }
  return !comparison->differs;
}

static void keep_results(Case *of, Level level, const CakeRunArgs *args) {
  for (size_t i = 0; i < args->arrays.len; i++) {
    CakeBuf bytes = {0};
    cake_buf_append(&bytes, args->arrays.data[i].data,
                    args->arrays.data[i].count * args->arrays.data[i].element->bytes);
    CAKE_PUSH(&of->results[level], bytes);
  }
}

static bool is_func(const Program *program) {
  return cake_is_gpu_op(program->kernel, cake_op_gpu_func);
}

static Level level_of(const Program *program) {
  return is_func(program) ? LEVEL_THREADS : LEVEL_SCHEDULE;
}

CakeSimOptions run_limits(const Program *program, CakeSimOptions options) {
  options.max_steps = is_func(program) ? STEPS_OF_THREADS : STEPS_OF_A_CTA;
  options.grid = GRID;
  return options;
}

bool facts_of(Program *program, CakeFacts *out) {
  return is_func(program) ? cake_facts_of_func(program->kernel, NULL, out) : cake_facts_of_kernel(program->kernel, out);
}

// The arguments of a case. False: reported.
static bool open_args(Program *program, const Subject *subject, const Case *of, CakeFacts *facts, CakeRunArgs *args) {
  CakeBuf error = {0};
  if (!facts_of(program, facts)) return false;
  bool has_args = cake_run_args_init(args, facts, &error), is_fine = has_args && make_args(args, subject, of, &error);
  if (!is_fine && program->code == CAKE_CODE_COUNT) {
    program->code = CAKE_CODE_RUN_ARGUMENT;
    cake_buf_str(&program->message, cake_buf_view(&error));
  }
  cake_buf_fini(&error);
  if (is_fine) return true;
  if (has_args) cake_run_args_fini(args);
  cake_facts_fini(facts);
  return false;
}

static void close_args(CakeFacts *facts, CakeRunArgs *args) {
  cake_run_args_fini(args);
  cake_facts_fini(facts);
}

// Of a program that does more in a CTA than so many times what the unmutated kernel does, fewer CTAs are enough.
enum { MORE_OPS = 4 };

// How many CTAs ran without numbers, and how many are enough.
typedef struct Quota {
  int64_t done, wanted;
} Quota;

static void count_cta(void *user, int64_t done, int64_t total) {
  (void)done, (void)total;
  ((Quota *)user)->done++;
}

static bool wants_more(void *user, uint64_t seed) {
  const Quota *quota = user;
  (void)seed;
  return quota->done < quota->wanted;
}

bool keep_inputs(Subject *subject, Case *of) {
  CakeFacts facts;
  CakeRunArgs args;
  if (!open_args(&subject->original, subject, of, &facts, &args)) return false;
  for (size_t i = 0; i < args.arrays.len; i++) {
    CakeRunArray *array = &args.arrays.data[i];
    if (subject->outputs.data[i] || array->rank == 0) continue;
    // Zeros and two parts have one sum in either order.
    if (args.facts->manifest.args[i].is_added)
      memset(array->data, 0, array->count * array->element->bytes);
    else
      fill_array(array, of, i);
  }
  bool is_fine = cake_contract_fill_inputs(subject->contract, &facts, &args);
  for (size_t i = 0; is_fine && i < args.arrays.len; i++) {
    CakeBuf bytes = {0};
    const CakeRunArray *array = &args.arrays.data[i];
    if (!subject->outputs.data[i] && array->rank > 0)
      cake_buf_append(&bytes, array->data, array->count * array->element->bytes);
    CAKE_PUSH(&of->inputs, bytes);
  }
  close_args(&facts, &args);
  return is_fine;
}

bool run_and_keep(Program *program, const Subject *subject, Case *of) {
  CakeFacts facts;
  CakeRunArgs args;
  CakeSimOptions options = run_limits(program, (CakeSimOptions){.schedule = CAKE_SIM_ROUND_ROBIN});
  if (!open_args(program, subject, of, &facts, &args)) return false;
  bool is_fine = cake_run_cpu(program->kernel, &args, &options, NULL);
  if (is_fine) keep_results(of, level_of(program), &args);
  close_args(&facts, &args);
  return is_fine;
}

uint64_t run_and_count(Program *program, const Subject *subject, const Case *of) {
  CakeFacts facts;
  CakeRunArgs args;
  CakeSimReport report = {0};
  CakeSimOptions options = run_limits(program, (CakeSimOptions){.seed = 3, .protocol = true});
  if (!open_args(program, subject, of, &facts, &args)) return 0;
  bool is_fine = cake_run_cpu(program->kernel, &args, &options, &report);
  close_args(&facts, &args);
  return is_fine ? (uint64_t)report.ops / (uint64_t)(report.ctas_run > 0 ? report.ctas_run : 1) + 1 : 0;
}

static int64_t wanted_ctas(const Case *of, int64_t schedules, uint64_t cta_ops) {
  int64_t wanted = schedules * CTAS_FOR_A_SCHEDULE;
  if (of->cta_ops == 0 || cta_ops / MORE_OPS <= of->cta_ops) return wanted;
  return wanted * MORE_OPS * (int64_t)of->cta_ops / (int64_t)cta_ops + 1;
}

Sight run_and_compare(Program *program, const Subject *subject, const Case *of, CakeSimOptions options) {
  CakeFacts facts;
  CakeRunArgs args;
  Comparison comparison = {of, &args, level_of(program), false};
  Quota quota = {0};
  if (options.protocol) {
    uint64_t cta_ops = run_and_count(program, subject, of);
    if (cta_ops == 0) return SIGHT_FAILS;
    quota.wanted = wanted_ctas(of, options.schedules, cta_ops);
  }
  if (!open_args(program, subject, of, &facts, &args)) return SIGHT_FAILS;
  options = run_limits(program, options);
  options.after = options.protocol ? wants_more : compare;
  options.after_user = options.protocol ? (void *)&quota : (void *)&comparison;
  options.progress = options.protocol ? count_cta : NULL;
  options.progress_user = &quota;
  bool is_fine = cake_run_cpu(program->kernel, &args, &options, NULL);
  close_args(&facts, &args);
  return !is_fine ? SIGHT_FAILS : comparison.differs ? SIGHT_BITS : SIGHT_NOTHING;
}
