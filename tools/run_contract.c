// Holding a kernel to its contract: which cases are tried, at once or prepared for many kernels.
#include "tools/run_contract.h"

#include "tools/run_contract_parts.h"

static ContractCheck begin(CakeContract *contract, const CakeFacts *facts, uint64_t seed, CakeContractReport *report) {
  ContractCheck check = {.contract = contract, .facts = facts, .report = report, .seed = seed};
  for (size_t i = 0; i < contract->definitions.len; i++) {
    CAKE_PUSH(&check.can_fail, false);
    CAKE_PUSH(&check.refused, 0);
  }
  return check;
}

static void end(ContractCheck *check) {
  CAKE_VEC_FINI(&check->can_fail);
  CAKE_VEC_FINI(&check->refused);
}

// ---- Can the contract tell work from no work? ------------------------------------------------------------------------

static void try_case(ContractCheck *check) {
  for (size_t i = 0; i < check->contract->definitions.len; i++)
    if (check->contract->definitions.data[i].role == CONTRACT_OUTPUT) contract_try_candidates(check, i);
}

static bool judge_trials(ContractCheck *check) {
  for (size_t i = 0; i < check->contract->definitions.len; i++)
    if (!contract_can_fail(check, i)) return false;
  return true;
}

static bool try_cases(ContractCheck *check) {
  for (size_t s = 0; s < check->contract->shapes.len; s++) {
    if (!contract_make_case(check, s, CONTRACT_NORMAL)) return false;
    try_case(check);
    contract_case_fini(&check->now);
  }
  return judge_trials(check);
}

// ---- Cases -----------------------------------------------------------------------------------------------------------

static bool has_case(const CakeContract *contract, size_t shape, unsigned kind) {
  unsigned inputs = contract->shapes.data[shape].inputs;
  return (inputs ? inputs : contract->inputs) >> kind & 1;
}

static bool make_and_run(ContractCheck *check, size_t shape, ContractInputs kind) {
  if (!contract_make_case(check, shape, kind)) return false;
  bool is_fine = contract_run_case(check);
  contract_case_fini(&check->now);
  return is_fine;
}

static bool run_cases(ContractCheck *check) {
  for (size_t s = 0; s < check->contract->shapes.len; s++)
    for (unsigned kind = 0; kind < CONTRACT_INPUTS_COUNT; kind++)
      if (has_case(check->contract, s, kind) && !make_and_run(check, s, (ContractInputs)kind)) return false;
  return true;
}

bool cake_contract_check(CakeContract *contract, const CakeFacts *facts, uint64_t seed, CakeContractRun run, void *user,
                         CakeContractReport *out) {
  if (!contract_bind(contract, facts)) return false;
  ContractCheck check = begin(contract, facts, seed, out);
  check.run = run;
  check.user = user;
  bool is_fine = try_cases(&check) && run_cases(&check);
  end(&check);
  return is_fine;
}

// ---- Arguments -------------------------------------------------------------------------------------------------------

CakeStr cake_contract_scalar(const CakeContract *contract, CakeStr name) {
  for (size_t i = 0; i < contract->scalars.len; i++)
    if (cake_str_equal(contract->scalars.data[i].name, name)) return contract->scalars.data[i].text;
  return CAKE_STR("");
}

bool cake_contract_fill_inputs(CakeContract *contract, const CakeFacts *facts, CakeRunArgs *args) {
  ContractTables tables = {.contract = contract, .args = args};
  size_t count = 0;
  if (!contract_bind(contract, facts) || !contract_bind_shape(contract, args)) return false;
  for (size_t i = 0; i < contract->definitions.len; i++)
    if (contract->definitions.data[i].role == CONTRACT_INPUT) count = i + 1;
  for (size_t i = 0; i < count; i++) {
    const ContractDefinition *definition = &contract->definitions.data[i];
    contract_fill_table(&tables, i);
    if (definition->role == CONTRACT_INPUT) contract_fill_output(&tables, i, &args->arrays.data[definition->argument]);
  }
  contract_tables_fini(&tables);
  return true;
}

// ---- Prepared --------------------------------------------------------------------------------------------------------

struct CakeContractCases {
  CakeContract *contract;
  const CakeFacts *facts;
  uint64_t seed;
  CAKE_VEC(ContractCase) list;
};

void cake_contract_cases_destroy(CakeContractCases *cases) {
  for (size_t i = 0; i < cases->list.len; i++)
    contract_case_fini(&cases->list.data[i]);
  CAKE_VEC_FINI(&cases->list);
}

// A case with normal inputs is tried first, and kept like the others where the contract has it.
static bool prepare_case(CakeContractCases *cases, ContractCheck *check, size_t shape, unsigned kind) {
  bool is_kept = has_case(cases->contract, shape, kind);
  if (!is_kept && kind != CONTRACT_NORMAL) return true;
  if (!contract_make_case(check, shape, (ContractInputs)kind)) return false;
  if (kind == CONTRACT_NORMAL) try_case(check);
  if (is_kept)
    CAKE_PUSH(&cases->list, check->now);
  else
    contract_case_fini(&check->now);
  return true;
}

CakeContractCases *cake_contract_prepare(CakeContract *contract, const CakeFacts *facts, uint64_t seed,
                                         CakeContractReport *out) {
  if (!contract_bind(contract, facts)) return NULL;
  CakeContractCases *cases = CAKE_ARENA_NEW(contract->arena, CakeContractCases);
  *cases = (CakeContractCases){.contract = contract, .facts = facts, .seed = seed};
  ContractCheck check = begin(contract, facts, seed, out);
  bool is_fine = true;
  for (size_t s = 0; is_fine && s < contract->shapes.len; s++)
    for (unsigned kind = 0; is_fine && kind < CONTRACT_INPUTS_COUNT; kind++)
      is_fine = prepare_case(cases, &check, s, kind);
  is_fine = is_fine && judge_trials(&check);
  end(&check);
  if (is_fine) return cases;
  cake_contract_cases_destroy(cases);
  return NULL;
}

bool cake_contract_run(CakeContractCases *cases, CakeContractRun run, void *user, CakeContractReport *out) {
  ContractCheck check = {.contract = cases->contract, .facts = cases->facts, .report = out, .seed = cases->seed};
  check.run = run;
  check.user = user;
  for (size_t i = 0; i < cases->list.len; i++) {
    check.now = cases->list.data[i];
    check.now.tables.args = &check.now.args;
    if (!contract_bind_shape(cases->contract, &check.now.args) || !contract_run_case(&check)) return false;
  }
  return true;
}
