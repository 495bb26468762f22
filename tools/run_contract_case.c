// One case of a contract: a shape with a kind of inputs. Its arguments, two runs on poisoned outputs (or on the same first values, of what is
// updated), and what they are compared with.
#include <math.h>

#include "tools/run_contract_parts.h"

static CakeLoc shape_loc(const ContractCheck *check) {
  return check->now.shape->loc;
}

// "CONTEXT: for the shape and the inputs": what every message ends with.
static void note_case(const ContractCheck *check, CakeDiagnostic *d) {
  cake_diag_note(check->contract->context, d, shape_loc(check), "with %s, %s inputs, seed %llu", check->now.sizes.data,
                 contract_inputs_name(check->now.inputs), (unsigned long long)check->seed);
}

static bool report_at(const ContractCheck *check, CakeLoc loc, CakeCode code, const char *text) {
  CakeDiagnostic *d = cake_diag_begin(check->contract->context, CAKE_ERROR, loc, code, "%s", text);
  note_case(check, d);
  return cake_diag_emit(check->contract->context, d);
}

// ---- Arguments -------------------------------------------------------------------------------------------------------

static const ContractDefinition *definition_of(const ContractCheck *check, size_t argument) {
  for (size_t i = 0; i < check->contract->definitions.len; i++) {
    const ContractDefinition *definition = &check->contract->definitions.data[i];
    if (definition->role != CONTRACT_LET && definition->argument == argument) return definition;
  }
  return NULL;
}

bool contract_is_output(const ContractCheck *check, size_t argument) {
  const ContractDefinition *definition = definition_of(check, argument);
  return definition && definition->role == CONTRACT_OUTPUT;
}

bool contract_is_update(const ContractCheck *check, size_t argument) {
  const ContractDefinition *definition = definition_of(check, argument);
  return definition && definition->parts;
}

static bool fail_form(const ContractCheck *check, CakeLoc loc, CakeBuf *error) {
  bool result = cake_error_at(check->contract->context, loc, CAKE_CODE_CONTRACT_FORM, "%s", error->data);
  cake_buf_fini(error);
  return result;
}

static bool set_sizes(ContractCheck *check, uint64_t *state) {
  CakeBuf error = {0};
  for (size_t i = 0; i < check->now.shape->n_sizes; i++) {
    const ContractSize *size = &check->now.shape->sizes[i];
    uint64_t choices = (uint64_t)((size->high - size->low) / size->step) + 1;
    int64_t value = size->low + (int64_t)(contract_random(state) % choices) * size->step;
    cake_buf_printf(&check->now.sizes, "%s%.*s = %lld", i ? ", " : "", CAKE_STR_ARG(size->name), (long long)value);
    if (!cake_run_set_size(&check->now.args, size->name, value, &error))
      return fail_form(check, shape_loc(check), &error);
  }
  return true;
}

static bool set_scalars(ContractCheck *check) {
  CakeBuf error = {0};
  for (size_t i = 0; i < check->contract->scalars.len; i++) {
    const ContractScalar *scalar = &check->contract->scalars.data[i];
    if (!cake_run_set_scalar(&check->now.args, cake_facts_find(check->facts, scalar->name), scalar->text, &error))
      return fail_form(check, scalar->loc, &error);
  }
  for (size_t i = 0; i < check->now.args.arrays.len; i++) {
    CakeRunArray *array = &check->now.args.arrays.data[i];
    if (array->rank) array->is_output = true; // so that inputs are read back as well
  }
  return true;
}

size_t contract_bytes(const CakeRunArray *array) {
  return array->count * array->element->bytes;
}

static bool bind_case(ContractCheck *check, uint64_t *state) {
  CakeBuf error = {0};
  if (!set_sizes(check, state) || !set_scalars(check)) return false;
  if (!cake_run_bind(&check->now.args, &error)) return fail_form(check, shape_loc(check), &error);
  return contract_bind_shape(check->contract, &check->now.args);
}

// Inputs that follow from others come behind them, in the order of the contract.
static void fill_inputs(ContractCheck *check, uint64_t *state) {
  for (size_t i = 0; i < check->now.args.arrays.len; i++) {
    CakeRunArray *array = &check->now.args.arrays.data[i];
    CakeBuf first = {0};
    if (array->rank && (!definition_of(check, i) || contract_is_update(check, i)))
      contract_fill_input(array, check->now.inputs, state);
    if (contract_is_update(check, i)) cake_buf_append(&first, array->data, contract_bytes(array));
    CAKE_PUSH(&check->now.first, first);
  }
  for (size_t i = 0; i < check->contract->definitions.len; i++) {
    const ContractDefinition *definition = &check->contract->definitions.data[i];
    contract_fill_table(&check->now.tables, i);
    if (definition->role != CONTRACT_INPUT) continue;
    CakeRunArray *array = &check->now.args.arrays.data[definition->argument];
    contract_fill_output(&check->now.tables, i, array);
  }
}

// ---- Outputs ---------------------------------------------------------------------------------------------------------

static bool judge_output(ContractCheck *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  const CakeRunArray *array = &check->now.args.arrays.data[definition->argument];
  ContractVerdict verdict = contract_compare(&check->now.tables, which, array);
  check->report->compared += verdict.compared;
  check->report->undecided += verdict.undecided;
  check->report->worst = fmax(check->report->worst, verdict.worst);
  if (!verdict.wrong) return true;
  CakeBuf text = {0};
  contract_describe(&check->now.tables, which, array, verdict.first_wrong, &text);
  cake_buf_printf(&text, "; %zu of %zu elements are wrong", verdict.wrong, verdict.compared);
  bool result = report_at(check, definition->loc, CAKE_CODE_CONTRACT_BROKEN, text.data);
  cake_buf_fini(&text);
  return result;
}

// Of the first of two runs updates alone: other outputs are the same behind the second, bit for bit.
static bool judge_outputs(ContractCheck *check, bool only_updates) {
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < check->contract->definitions.len; i++) {
    const ContractDefinition *definition = &check->contract->definitions.data[i];
    if (definition->role == CONTRACT_OUTPUT && (definition->parts || !only_updates)) is_fine = judge_output(check, i);
  }
  return is_fine;
}

// ---- Runs ------------------------------------------------------------------------------------------------------------

typedef CAKE_VEC(CakeBuf) Copies;

static void copies_fini(Copies *copies) {
  for (size_t i = 0; i < copies->len; i++)
    cake_buf_fini(&copies->data[i]);
  CAKE_VEC_FINI(copies);
}

static void copy_all(const ContractCheck *check, Copies *copies) {
  for (size_t i = 0; i < check->now.args.arrays.len; i++) {
    CakeBuf copy = {0};
    const CakeRunArray *array = &check->now.args.arrays.data[i];
    if (array->rank) cake_buf_append(&copy, array->data, contract_bytes(array));
    CAKE_PUSH(copies, copy);
  }
}

// Outputs are poisoned; what is updated holds its first values again.
static void prepare_outputs(ContractCheck *check, int byte) {
  for (size_t i = 0; i < check->now.args.arrays.len; i++) {
    CakeRunArray *array = &check->now.args.arrays.data[i];
    const CakeBuf *first = &check->now.first.data[i];
    if (first->len)
      memcpy(array->data, first->data, first->len);
    else if (contract_is_output(check, i))
      memset(array->data, byte, contract_bytes(array));
  }
}

static bool run_once(ContractCheck *check, int byte, uint64_t seed) {
  prepare_outputs(check, byte);
  check->report->runs++;
  if (check->run(check->user, &check->now.args, seed)) return true;
  return report_at(check, check->contract->loc, CAKE_CODE_CONTRACT_BROKEN, "the kernel could not be run to its end");
}

// Bytes that were the poison both times were never written.
static bool differs(const ContractCheck *check, size_t argument, const CakeBuf *first) {
  const CakeRunArray *array = &check->now.args.arrays.data[argument];
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

static bool compare_runs(const ContractCheck *check, const Copies *inputs, const Copies *first) {
  for (size_t i = 0; i < check->now.args.arrays.len; i++) {
    const CakeRunArray *array = &check->now.args.arrays.data[i];
    if (!array->rank) continue;
    if (contract_is_update(check, i)) continue; // in another order; both results are judged
    if (contract_is_output(check, i)) {
      if (differs(check, i, &first->data[i])) return false;
    } else if (contract_bytes(array) && memcmp(array->data, inputs->data[i].data, contract_bytes(array)) != 0) {
      CakeBuf text = {0};
      cake_buf_printf(&text, "the kernel changed its input '%s'", check->facts->manifest.args[i].name);
      bool result = report_at(check, check->contract->loc, CAKE_CODE_CONTRACT_BROKEN, text.data);
      cake_buf_fini(&text);
      return result;
    }
  }
  return true;
}

static bool run_twice(ContractCheck *check) {
  Copies inputs = {0}, first = {0};
  copy_all(check, &inputs);
  bool is_fine = run_once(check, 0x5a, check->seed + 1) && judge_outputs(check, true);
  if (is_fine) {
    copy_all(check, &first);
    is_fine = run_once(check, 0xff, check->seed + 2) && compare_runs(check, &inputs, &first);
  }
  copies_fini(&inputs);
  copies_fini(&first);
  return is_fine;
}

// ---- A case ----------------------------------------------------------------------------------------------------------

bool contract_make_case(ContractCheck *check, size_t shape, ContractInputs inputs) {
  uint64_t state = check->seed * UINT64_C(0x2545f4914f6cdd1d) + shape, values = state + 17 * ((uint64_t)inputs + 1);
  CakeBuf error = {0};
  check->now = (ContractCase){.shape = &check->contract->shapes.data[shape], .inputs = inputs};
  if (!cake_run_args_init(&check->now.args, check->facts, &error))
    return fail_form(check, check->contract->loc, &error);
  check->now.tables = (ContractTables){.contract = check->contract, .args = &check->now.args};
  if (bind_case(check, &state)) {
    fill_inputs(check, &values);
    return true;
  }
  contract_case_fini(&check->now);
  return false;
}

void contract_case_fini(ContractCase *of) {
  for (size_t i = 0; i < of->first.len; i++)
    cake_buf_fini(&of->first.data[i]);
  CAKE_VEC_FINI(&of->first);
  contract_tables_fini(&of->tables);
  cake_run_args_fini(&of->args);
  cake_buf_fini(&of->sizes);
}

bool contract_run_case(ContractCheck *check) {
  check->report->cases++;
  return run_twice(check) && judge_outputs(check, false);
}
