// Judging a mutant: every stage that can refuse it, then the simulator at both levels under several schedules, and the contract.
#include <stdio.h>
#include <string.h>

#include "bench/verifier/judge_parts.h"

// ---- What running shows ----------------------------------------------------------------------------------------------------

// All cases under one kind of schedule; the worst that was seen.
static Sight run_cases(Program *program, const Subject *subject, CakeSimOptions options) {
  Sight worst = SIGHT_NOTHING;
  for (size_t i = 0; i < subject->cases.len && worst != SIGHT_FAILS; i++) {
    Sight sight = run_and_compare(program, subject, &subject->cases.data[i], options);
    if (sight > worst) worst = sight;
  }
  return worst;
}

// The schedule level, with numbers; the most telling schedules first. One that differs is not run on.
static Sight run_roles(Program *program, const Subject *subject) {
  Sight sight = run_cases(program, subject, (CakeSimOptions){.schedule = CAKE_SIM_LATE});
  if (sight == SIGHT_NOTHING) sight = run_cases(program, subject, (CakeSimOptions){.schedule = CAKE_SIM_ROUND_ROBIN});
  if (sight == SIGHT_NOTHING && subject->effort.numbers)
    sight = run_cases(program, subject, (CakeSimOptions){.seed = 2, .schedules = subject->effort.numbers});
  return sight;
}

// The thread level: watched for races with numbers, and many schedules without. Of one that differs already, a tenth of them.
static Sight run_threads(Program *program, const Subject *subject, bool differs) {
  int64_t count = subject->effort.schedules / (differs ? 10 : 1), cases = (int64_t)subject->cases.len;
  CakeSimOptions many = {.seed = 3, .schedules = (count + cases - 1) / cases, .protocol = true};
  Sight sight = run_cases(program, subject, (CakeSimOptions){.schedule = CAKE_SIM_LATE, .races = true});
  if (sight != SIGHT_FAILS && !differs) sight = run_cases(program, subject, (CakeSimOptions){.seed = 4, .races = true});
  if (sight != SIGHT_FAILS && many.schedules && run_cases(program, subject, many) == SIGHT_FAILS) sight = SIGHT_FAILS;
  return sight;
}

// Keeps the worst sight with what was reported of it.
static void note(const Program *program, Sight sight, Judgement *out) {
  if (sight <= out->sight) return;
  out->sight = sight;
  out->seen = program->code;
  snprintf(out->message, sizeof out->message, "%.*s", (int)program->message.len,
           program->message.data ? program->message.data : "");
}

// A run that fails under the contract alone fails.
static Sight at_contract(Program *program, const Subject *subject) {
  if (run_contract(program, subject)) return SIGHT_NOTHING;
  bool is_failure = program->code != CAKE_CODE_COUNT && strncmp(cake_code_name(program->code), "SIM_", 4) == 0;
  return is_failure ? SIGHT_FAILS : SIGHT_BROKEN;
}

// With numbers; of a mutant that has other bits already, the contract is asked at once.
static void run_schedule_level(const Subject *subject, CakeStr text, Judgement *out) {
  Program program;
  if (program_open(&program, subject->row, text)) {
    note(&program, run_roles(&program, subject), out);
    if (out->sight == SIGHT_BITS) note(&program, at_contract(&program, subject), out);
  }
  program_fini(&program);
}

static void run_thread_level(const Subject *subject, CakeStr text, Judgement *out) {
  Program program;
  if (program_open_func(&program, subject->row, text))
    note(&program, run_threads(&program, subject, out->sight != SIGHT_NOTHING), out);
  program_fini(&program);
}

static void run_rest_of_contract(const Subject *subject, CakeStr text, Judgement *out) {
  Program program;
  if (program_open(&program, subject->row, text)) note(&program, at_contract(&program, subject), out);
  program_fini(&program);
}

// Of a mutant that is refused, the first proof that it is wrong is enough; of one that passes, the worst is looked for.
static void run_all(const Subject *subject, CakeStr text, bool is_refused, Judgement *out) {
  run_schedule_level(subject, text, out);
  if (out->sight == SIGHT_FAILS || out->sight == SIGHT_NOT_RUN || (is_refused && out->sight == SIGHT_BROKEN)) return;
  bool has_bits = out->sight != SIGHT_NOTHING;
  run_thread_level(subject, text, out);
  if (out->sight != SIGHT_FAILS && !has_bits) run_rest_of_contract(subject, text, out);
}

// ---- The verdict -------------------------------------------------------------------------------------------------------------

static bool is_program(CakeCode code) {
  return code != CAKE_CODE_PARSE_SYNTAX && code != CAKE_CODE_PARSE_NAME && code != CAKE_CODE_IR_DOMINANCE &&
         code != CAKE_CODE_PARSE_NUMBER;
}

void subject_judge(const Subject *subject, CakeStr text, Judgement *out) {
  static const Verdict verdicts[SIGHT_COUNT] = {VERDICT_FAILS, VERDICT_EQUIVALENT, VERDICT_DIFFERS, VERDICT_DIFFERS,
                                                VERDICT_FAILS};
  Program program;
  bool is_parsed = program_parse(&program, subject->row, text),
       passes = is_parsed && program_verify(&program, subject->row);
  *out = (Judgement){.code = program.code, .seen = CAKE_CODE_COUNT};
  program_fini(&program);
  if (!passes) out->verdict = is_program(out->code) ? VERDICT_REFUSED : VERDICT_NO_PROGRAM;
  if (passes || (is_parsed && out->verdict == VERDICT_REFUSED)) run_all(subject, text, !passes, out);
  if (passes) out->verdict = verdicts[out->sight];
}
