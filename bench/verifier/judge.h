// Judges one text of a kernel: refused before it runs, or run on the simulator and compared with the unmutated kernel.
#ifndef CAKE_BENCH_VERIFIER_JUDGE_H
#define CAKE_BENCH_VERIFIER_JUDGE_H

#include "tools/run_contract.h"

CAKE_BEGIN_C

typedef enum Verdict {
  VERDICT_NO_PROGRAM, // the edit broke names or grammar: not a program, not counted
  VERDICT_STATIC,     // refused by the verifier, by instantiation or by lowering
  VERDICT_RUN,        // not refused; failed in the simulator: a race, a hang, an access outside, an undefined value
  VERDICT_DIFFERS,    // not refused; other results than the unmutated kernel
  VERDICT_EQUIVALENT, // not refused; the same results in every run
  VERDICT_CRASH,      // the tools crashed or took too long: a fault of ours
  VERDICT_COUNT
} Verdict;

typedef struct Judgement {
  Verdict verdict;
  CakeCode code;        // of the first error
  bool seen_to_fail;    // with STATIC: the simulator, asked all the same, saw it fail or differ
  bool was_run;         // with STATIC: the simulator could be asked
  bool breaks_contract; // with DIFFERS
  char message[192];
} Judgement;

// One assignment of sizes with the numbers in the arrays, and what the unmutated kernel makes of them.
typedef struct Case {
  CakeStr sizes;
  uint64_t seed;
  int64_t magnitude;         // 0: small integers (ties); otherwise normal numbers times 2^±magnitude
  CAKE_VEC(CakeBuf) results; // the bytes of every argument behind a run
} Case;

typedef struct Subject {
  CakeArena *arena;
  const char *file, *kernel, *params; // of corpus.def
  CakeBuf text;                       // canonical, with the names of the source
  CakeBuf contract;                   // its text
  CAKE_VEC(Case) cases;
  CAKE_VEC(bool) outputs; // by argument: the kernel writes it
  int64_t schedules;      // random ones, besides round robin and late
} Subject;

// Reads a kernel and its contract (a file of that name in `contracts`), and runs its cases. False: reported on standard error. Needs fini either way.
CAKE_NODISCARD bool subject_init(Subject *subject, const char *folder, const char *file, const char *kernel,
                                 const char *params, const char *cases, const char *contracts, const char *contract,
                                 int64_t schedules);
void subject_fini(Subject *subject);
// In this process: call it in a child, since a mutant may crash or loop.
void subject_judge(const Subject *subject, CakeStr text, Judgement *out);

CAKE_END_C
#endif
