// The contract of a subject: its cases are made once, with their references, and every mutant runs on them.
#include "bench/verifier/judge_parts.h"

bool read_contract(Subject *subject) {
  CakeContext *context = subject->original.tool.context;
  if (!facts_of(&subject->original, &subject->facts)) return false;
  subject->contract = cake_contract_read(context, cake_buf_view(&subject->contract_text), "contract");
  return subject->contract != NULL;
}

bool prepare_contract(Subject *subject) {
  CakeContractReport report = {0};
  subject->cases_of_contract = cake_contract_prepare(subject->contract, &subject->facts, 0, &report);
  cake_buf_fini(&report.candidates);
  return subject->cases_of_contract != NULL;
}

void forget_contract(Subject *subject) {
  if (subject->cases_of_contract) cake_contract_cases_destroy(subject->cases_of_contract);
  if (subject->contract) cake_contract_destroy(subject->contract);
  if (subject->facts.arena) cake_facts_fini(&subject->facts);
}

static bool run_case(void *user, CakeRunArgs *args, uint64_t seed) {
  const Program *program = user;
  CakeSimOptions options = run_limits(program, (CakeSimOptions){.seed = seed});
  return cake_run_cpu(program->kernel, args, &options, NULL);
}

// The signature and the guard, as text.
static void write_signature(const CakeFacts *facts, CakeBuf *out) {
  CakeManifest signature = facts->manifest;
  signature.n_roles = signature.n_barriers = signature.n_maps = 0;
  signature.threads = signature.shared_bytes = 0;
  cake_manifest_write(&signature, out);
}

// Alike, so that arguments of the one are arguments of the other.
static bool is_alike(const CakeFacts *a, const CakeFacts *b) {
  CakeBuf texts[2] = {{0}};
  write_signature(a, &texts[0]);
  write_signature(b, &texts[1]);
  bool result = cake_str_equal(cake_buf_view(&texts[0]), cake_buf_view(&texts[1]));
  cake_buf_fini(&texts[0]);
  cake_buf_fini(&texts[1]);
  return result;
}

static bool run_afresh(Program *program, const Subject *subject, const CakeFacts *facts, CakeContractReport *report) {
  CakeContract *contract =
      cake_contract_read(program->tool.context, cake_buf_view(&subject->contract_text), "contract");
  bool holds = contract && cake_contract_check(contract, facts, 0, run_case, program, report);
  if (contract) cake_contract_destroy(contract);
  return holds;
}

bool run_contract(Program *program, const Subject *subject) {
  CakeFacts facts;
  CakeContractReport report = {0};
  CakeContext *context = subject->original.tool.context;
  if (!facts_of(program, &facts)) return false;
  bool holds;
  if (is_alike(&facts, &subject->facts)) {
    program_listen(program, context);
    holds = cake_contract_run(subject->cases_of_contract, run_case, program, &report);
    cake_context_set_handler(context, NULL, NULL, NULL, NULL);
  } else {
    holds = run_afresh(program, subject, &facts, &report);
  }
  cake_buf_fini(&report.candidates);
  cake_facts_fini(&facts);
  return holds;
}
