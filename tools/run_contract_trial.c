// Trivial candidates: an output that nobody computed must be refused in some case, or the contract cannot fail.
#include <math.h>

#include "tools/run_contract_parts.h"

// Whether an argument is an array that holds something before a run: an input, or what is updated.
static bool has_first(const ContractCheck *check, size_t argument) {
  return check->facts->manifest.args[argument].is_array &&
         (!contract_is_output(check, argument) || contract_is_update(check, argument));
}

// Candidate 0 is zeros, 1 the mean of the right output, the others copies of arguments. False: there is no such one.
static bool make_candidate(const ContractCheck *check, const CakeRunArray *right, size_t which, CakeRunArray *out) {
  size_t source = which - 2;
  double mean = 0, count = 0;
  CakeRunArray from = {0};
  if (which >= 2 && (!has_first(check, source) || !check->now.args.arrays.data[source].count)) return false;
  if (which >= 2) from = check->now.args.arrays.data[source];
  if (which >= 2 && check->now.first.data[source].len) from.data = check->now.first.data[source].data;
  for (size_t i = 0; which == 1 && i < right->count; i++) {
    double value = cake_run_fetch(right, i);
    if (!isfinite(value)) continue;
    mean += value;
    count++;
  }
  *out = *right;
  out->storage = (CakeBuf){0};
  cake_buf_fill(&out->storage, '\0', contract_bytes(right) + 1);
  out->data = out->storage.data;
  for (size_t i = 0; i < right->count; i++) {
    double value = which == 0 ? 0 : which == 1 ? mean / fmax(count, 1) : 0;
    if (which >= 2) value = cake_run_fetch(&from, i % from.count);
    cake_run_store(out, i, value);
  }
  return true;
}

void contract_try_candidates(ContractCheck *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  CakeRunArray *right = &check->now.args.arrays.data[definition->argument];
  contract_fill_output(&check->now.tables, which, right);
  ContractVerdict verdict = contract_compare(&check->now.tables, which, right);
  if (verdict.largest > verdict.smallest_tolerance) check->can_fail.data[which] = true;
  for (size_t i = 0; i < check->now.args.arrays.len + 2 && i < 64; i++) {
    CakeRunArray candidate;
    if (check->refused.data[which] >> i & 1 || !make_candidate(check, right, i, &candidate)) continue;
    if (contract_compare(&check->now.tables, which, &candidate).wrong) check->refused.data[which] |= UINT64_C(1) << i;
    cake_buf_fini(&candidate.storage);
  }
}

static void name_candidate(const ContractCheck *check, size_t which, CakeBuf *out) {
  if (which == 0) cake_buf_text(out, "zeros");
  if (which == 1) cake_buf_text(out, "the mean");
  if (which >= 2) cake_buf_printf(out, "a copy of %s", check->facts->manifest.args[which - 2].name);
}

// An output that nobody computed and that passes in every case is a test that cannot fail.
static bool judge_candidates(ContractCheck *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  CakeContext *context = check->contract->context;
  for (size_t i = 0; i < check->facts->manifest.n_args + 2 && i < 64; i++) {
    CakeBuf name = {0};
    bool exists = i < 2 || has_first(check, i - 2);
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

bool contract_can_fail(ContractCheck *check, size_t which) {
  const ContractDefinition *definition = &check->contract->definitions.data[which];
  if (definition->role != CONTRACT_OUTPUT) return true;
  if (check->can_fail.data[which]) return judge_candidates(check, which);
  return cake_error_at(check->contract->context, definition->loc, CAKE_CODE_CONTRACT_VACUOUS,
                       "the largest |%.*s| with normal inputs is no larger than the tolerance: the test cannot fail",
                       CAKE_STR_ARG(definition->name));
}
