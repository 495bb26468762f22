// Holding a kernel to its contract: shapes, kinds of inputs, poisoned outputs, repeated runs, trivial candidates.
#include "tools/run_contract.h"

#include <math.h>

#include "tools/run_contract_parts.h"

typedef struct Check {
  CakeContract *contract;
  const CakeFacts *facts;
  CakeContractRun run;
  void *user;
  CakeContractReport *report;
  uint64_t seed;
  const ContractShape *shape;
  ContractInputs inputs;
  CakeRunArgs args;
  ContractTables tables;
  CakeBuf sizes;              // "M = 130, N = 72"
  CAKE_VEC(bool) can_fail;    // a definition: a reference larger than its tolerance was seen
  CAKE_VEC(uint64_t) refused; // a definition: a bit a trivial candidate that was refused
} Check;

static CakeLoc shape_loc(const Check *check) {
  return check->shape->loc;
}

// "CONTEXT: for the shape and the inputs": what every message ends with.
static void note_case(const Check *check, CakeDiagnostic *d) {
  cake_diag_note(check->contract->context, d, shape_loc(check), "with %s, %s inputs, seed %llu", check->sizes.data,
                 contract_inputs_name(check->inputs), (unsigned long long)check->seed);
}

static bool report_at(const Check *check, CakeLoc loc, CakeCode code, const char *text) {
  CakeDiagnostic *d = cake_diag_begin(check->contract->context, CAKE_ERROR, loc, code, "%s", text);
  note_case(check, d);
  return cake_diag_emit(check->contract->context, d);
}

// ---- Arguments -------------------------------------------------------------------------------------------------------

static const ContractDefinition *definition_of(const Check *check, size_t argument) {
  for (size_t i = 0; i < check->contract->definitions.len; i++) {
    const ContractDefinition *definition = &check->contract->definitions.data[i];
    if (definition->role != CONTRACT_LET && definition->argument == argument) return definition;
  }
  return NULL;
}

static bool is_output(const Check *check, size_t argument) {
  const ContractDefinition *definition = definition_of(check, argument);
  return definition && definition->role == CONTRACT_OUTPUT;
}

static bool fail_form(const Check *check, CakeLoc loc, CakeBuf *error) {
  bool result = cake_error_at(check->contract->context, loc, CAKE_CODE_CONTRACT_FORM, "%s", error->data);
  cake_buf_fini(error);
  return result;
}

static bool set_sizes(Check *check, uint64_t *state) {
  CakeBuf error = {0};
  cake_buf_clear(&check->sizes);
  for (size_t i = 0; i < check->shape->n_sizes; i++) {
    const ContractSize *size = &check->shape->sizes[i];
    uint64_t choices = (uint64_t)((size->high - size->low) / size->step) + 1;
    int64_t value = size->low + (int64_t)(contract_random(state) % choices) * size->step;
    cake_buf_printf(&check->sizes, "%s%.*s = %lld", i ? ", " : "", CAKE_STR_ARG(size->name), (long long)value);
    if (!cake_run_set_size(&check->args, size->name, value, &error)) return fail_form(check, shape_loc(check), &error);
  }
  return true;
}

static bool set_scalars(Check *check) {
  CakeBuf error = {0};
  for (size_t i = 0; i < check->contract->scalars.len; i++) {
    const ContractScalar *scalar = &check->contract->scalars.data[i];
    if (!cake_run_set_scalar(&check->args, cake_facts_find(check->facts, scalar->name), scalar->text, &error))
      return fail_form(check, scalar->loc, &error);
  }
  for (size_t i = 0; i < check->args.arrays.len; i++) {
    CakeRunArray *array = &check->args.arrays.data[i];
    if (array->rank) array->is_output = true; // so that inputs are read back as well
  }
  return true;
}

static bool bind_case(Check *check, uint64_t *state) {
  CakeBuf error = {0};
  if (!set_sizes(check, state) || !set_scalars(check)) return false;
  if (!cake_run_bind(&check->args, &error)) return fail_form(check, shape_loc(check), &error);
  return contract_bind_shape(check->contract, &check->args);
}

// Inputs that follow from others come behind them, in the order of the contract.
static void fill_inputs(Check *check, uint64_t *state) {
  for (size_t i = 0; i < check->args.arrays.len; i++)
    if (check->args.arrays.data[i].rank && !definition_of(check, i))
      contract_fill_input(&check->args.arrays.data[i], check->inputs, state);
  for (size_t i = 0; i < check->contract->definitions.len; i++) {
    const ContractDefinition *definition = &check->contract->definitions.data[i];
    contract_fill_table(&check->tables, i);
    if (definition->role != CONTRACT_INPUT) continue;
    CakeRunArray *array = &check->args.arrays.data[definition->argument];
    contract_fill_output(&check->tables, i, array);
  }
}

// ---- Runs ------------------------------------------------------------------------------------------------------------

typedef CAKE_VEC(CakeBuf) Copies;

static void copies_fini(Copies *copies) {
  for (size_t i = 0; i < copies->len; i++)
    cake_buf_fini(&copies->data[i]);
  CAKE_VEC_FINI(copies);
}

static size_t bytes_of(const CakeRunArray *array) {
  return array->count * array->element->bytes;
}

static void copy_all(const Check *check, Copies *copies) {
  for (size_t i = 0; i < check->args.arrays.len; i++) {
    CakeBuf copy = {0};
    const CakeRunArray *array = &check->args.arrays.data[i];
    if (array->rank) cake_buf_append(&copy, array->data, bytes_of(array));
    CAKE_PUSH(copies, copy);
  }
}

static void poison(Check *check, int byte) {
  for (size_t i = 0; i < check->args.arrays.len; i++)
    if (is_output(check, i)) memset(check->args.arrays.data[i].data, byte, bytes_of(&check->args.arrays.data[i]));
}

static bool run_once(Check *check, int byte, uint64_t seed) {
  poison(check, byte);
  check->report->runs++;
  if (check->run(check->user, &check->args, seed)) return true;
  return report_at(check, check->contract->loc, CAKE_CODE_CONTRACT_BROKEN, "the kernel could not be run to its end");
}

// Bytes that were the poison both times were never written.
static bool differs(const Check *check, size_t argument, const CakeBuf *first) {
  const CakeRunArray *array = &check->args.arrays.data[argument];
  size_t width = array->element->bytes;
  const ContractDefinition *definition = definition_of(check, argument);
  for (size_t i = 0; i < array->count; i++) {
    const char *now = (const char *)array->data + i * width, *before = first->data + i * width;
    int64_t indices[CONTRACT_RANK];
    CakeBuf text = {0};
    if (memcmp(now, before, width) == 0) continue;
    bool is_unwritten = true;
    for (size_t b = 0; b < width; b++)
      is_unwritten &= (unsigned char)now[b] == 0xff && (unsigned char)before[b] == 0x5a;
    contract_place(definition, i, indices);
    cake_buf_printf(&text, "%.*s[", CAKE_STR_ARG(definition->name));
    for (size_t d = 0; d < definition->n_own; d++)
      cake_buf_printf(&text, "%s%lld", d ? ", " : "", (long long)indices[d]);
    cake_buf_text(&text, is_unwritten ? "] is never written" : "] differs from run to run");
    bool result = report_at(check, definition->loc, CAKE_CODE_CONTRACT_BROKEN, text.data);
    cake_buf_fini(&text);
    return !result;
  }
  return false;
}

static bool compare_runs(const Check *check, const Copies *inputs, const Copies *first) {
  for (size_t i = 0; i < check->args.arrays.len; i++) {
    const CakeRunArray *array = &check->args.arrays.data[i];
    if (!array->rank) continue;
    if (is_output(check, i)) {
      if (differs(check, i, &first->data[i])) return false;
    } else if (bytes_of(array) && memcmp(array->data, inputs->data[i].data, bytes_of(array)) != 0) {
      CakeBuf text = {0};
      cake_buf_printf(&text, "the kernel changed its input '%s'", check->facts->manifest.args[i].name);
      bool result = report_at(check, check->contract->loc, CAKE_CODE_CONTRACT_BROKEN, text.data);
      cake_buf_fini(&text);
      return result;
    }
  }
  return true;
}

static bool run_twice(Check *check) {
  Copies inputs = {0}, first = {0};
  copy_all(check, &inputs);
  bool is_fine = run_once(check, 0x5a, check->seed + 1);
  if (is_fine) {
    copy_all(check, &first);
    is_fine = run_once(check, 0xff, check->seed + 2) && compare_runs(check, &inputs, &first);
  }
  copies_fini(&inputs);
  copies_fini(&first);
  return is_fine;
}

// ---- Outputs ---------------------------------------------------------------------------------------------------------

static bool judge_output(Check *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  const CakeRunArray *array = &check->args.arrays.data[definition->argument];
  ContractVerdict verdict = contract_compare(&check->tables, which, array);
  check->report->compared += verdict.compared;
  check->report->undecided += verdict.undecided;
  check->report->worst = fmax(check->report->worst, verdict.worst);
  if (!verdict.wrong) return true;
  CakeBuf text = {0};
  contract_describe(&check->tables, which, array, verdict.first_wrong, &text);
  cake_buf_printf(&text, "; %zu of %zu elements are wrong", verdict.wrong, verdict.compared);
  bool result = report_at(check, definition->loc, CAKE_CODE_CONTRACT_BROKEN, text.data);
  cake_buf_fini(&text);
  return result;
}

// ---- Trivial candidates ----------------------------------------------------------------------------------------------

// Candidate 0 is zeros, 1 the mean of the right output, the others copies of arguments. False: there is no such one.
static bool make_candidate(const Check *check, const CakeRunArray *right, size_t which, CakeRunArray *out) {
  size_t source = which - 2;
  double mean = 0, count = 0;
  if (which >= 2 &&
      (!check->args.arrays.data[source].rank || is_output(check, source) || !check->args.arrays.data[source].count))
    return false;
  for (size_t i = 0; which == 1 && i < right->count; i++) {
    double value = cake_run_fetch(right, i);
    if (!isfinite(value)) continue;
    mean += value;
    count++;
  }
  *out = *right;
  out->storage = (CakeBuf){0};
  cake_buf_fill(&out->storage, '\0', bytes_of(right) + 1);
  out->data = out->storage.data;
  for (size_t i = 0; i < right->count; i++) {
    double value = which == 0 ? 0 : which == 1 ? mean / fmax(count, 1) : 0;
    if (which >= 2) value = cake_run_fetch(&check->args.arrays.data[source], i % check->args.arrays.data[source].count);
    cake_run_store(out, i, value);
  }
  return true;
}

static void try_candidates(Check *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  CakeRunArray *right = &check->args.arrays.data[definition->argument];
  contract_fill_output(&check->tables, which, right);
  ContractVerdict verdict = contract_compare(&check->tables, which, right);
  if (verdict.largest > verdict.smallest_tolerance) check->can_fail.data[which] = true;
  for (size_t i = 0; i < check->args.arrays.len + 2 && i < 64; i++) {
    CakeRunArray candidate;
    if (check->refused.data[which] >> i & 1 || !make_candidate(check, right, i, &candidate)) continue;
    if (contract_compare(&check->tables, which, &candidate).wrong) check->refused.data[which] |= UINT64_C(1) << i;
    cake_buf_fini(&candidate.storage);
  }
}

static void name_candidate(const Check *check, size_t which, CakeBuf *out) {
  if (which == 0) cake_buf_text(out, "zeros");
  if (which == 1) cake_buf_text(out, "the mean");
  if (which >= 2) cake_buf_printf(out, "a copy of %s", check->facts->manifest.args[which - 2].name);
}

// An output that nobody computed and that passes in every case is a test that cannot fail.
static bool judge_candidates(Check *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  CakeContext *context = check->contract->context;
  for (size_t i = 0; i < check->facts->manifest.n_args + 2 && i < 64; i++) {
    CakeBuf name = {0};
    bool exists = i < 2 || (check->facts->manifest.args[i - 2].is_array && !is_output(check, i - 2));
    if (!exists) continue;
    name_candidate(check, i, &name);
    bool is_refused = check->refused.data[which] >> i & 1;
    if (is_refused)
      cake_buf_printf(&check->report->candidates, "%s%s", check->report->candidates.len ? ", " : "", name.data);
    if (!is_refused)
      (void)cake_error_at(context, definition->loc, CAKE_CODE_CONTRACT_VACUOUS,
                          "an output '%.*s' of %s passes with every normal input: the test cannot fail",
                          CAKE_STR_ARG(definition->name), name.data);
    cake_buf_fini(&name);
    if (!is_refused) return false;
  }
  return true;
}

static bool judge_definition(Check *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  if (definition->role != CONTRACT_OUTPUT) return true;
  if (check->can_fail.data[which]) return judge_candidates(check, which);
  return cake_error_at(check->contract->context, definition->loc, CAKE_CODE_CONTRACT_VACUOUS,
                       "the largest |%.*s| with normal inputs is no larger than the tolerance: the test cannot fail",
                       CAKE_STR_ARG(definition->name));
}

// ---- Cases -----------------------------------------------------------------------------------------------------------

typedef bool (*CaseFn)(Check *check);

// Before any kernel runs: can the contract tell work from no work?
static bool try_case(Check *check) {
  for (size_t i = 0; i < check->contract->definitions.len; i++)
    if (check->contract->definitions.data[i].role == CONTRACT_OUTPUT) try_candidates(check, i);
  return true;
}

static bool run_case(Check *check) {
  check->report->cases++;
  bool is_fine = run_twice(check);
  for (size_t i = 0; is_fine && i < check->contract->definitions.len; i++)
    if (check->contract->definitions.data[i].role == CONTRACT_OUTPUT) is_fine = judge_output(check, i);
  return is_fine;
}

// Arguments for a shape and a kind of inputs; the same ones each time.
static bool with_case(Check *check, size_t shape, ContractInputs inputs, CaseFn fn) {
  uint64_t state = check->seed * UINT64_C(0x2545f4914f6cdd1d) + shape, values = state + 17 * ((uint64_t)inputs + 1);
  CakeBuf error = {0};
  check->shape = &check->contract->shapes.data[shape];
  check->inputs = inputs;
  if (!cake_run_args_init(&check->args, check->facts, &error)) return fail_form(check, check->contract->loc, &error);
  check->tables = (ContractTables){.contract = check->contract, .args = &check->args};
  bool is_fine = bind_case(check, &state);
  if (is_fine) {
    fill_inputs(check, &values);
    is_fine = fn(check);
  }
  contract_tables_fini(&check->tables);
  cake_run_args_fini(&check->args);
  return is_fine;
}

static bool try_cases(Check *check) {
  for (size_t s = 0; s < check->contract->shapes.len; s++)
    if (!with_case(check, s, CONTRACT_NORMAL, try_case)) return false;
  for (size_t i = 0; i < check->contract->definitions.len; i++)
    if (!judge_definition(check, i)) return false;
  return true;
}

static bool run_cases(Check *check) {
  for (size_t s = 0; s < check->contract->shapes.len; s++) {
    unsigned inputs = check->contract->shapes.data[s].inputs;
    if (!inputs) inputs = check->contract->inputs;
    for (unsigned kind = 0; kind < CONTRACT_INPUTS_COUNT; kind++)
      if (inputs >> kind & 1 && !with_case(check, s, (ContractInputs)kind, run_case)) return false;
  }
  return true;
}

bool cake_contract_check(CakeContract *contract, const CakeFacts *facts, uint64_t seed, CakeContractRun run, void *user,
                         CakeContractReport *out) {
  Check check = {.contract = contract, .facts = facts, .run = run, .user = user, .report = out, .seed = seed};
  if (!contract_bind(contract, facts)) return false;
  for (size_t i = 0; i < contract->definitions.len; i++) {
    CAKE_PUSH(&check.can_fail, false);
    CAKE_PUSH(&check.refused, 0);
  }
  bool is_fine = try_cases(&check) && run_cases(&check);
  cake_buf_fini(&check.sizes);
  CAKE_VEC_FINI(&check.can_fail);
  CAKE_VEC_FINI(&check.refused);
  return is_fine;
}
