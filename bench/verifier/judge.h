// Judges one text of a kernel: refused before it runs, or run on the simulator and compared with the unmutated kernel.
#ifndef CAKE_BENCH_VERIFIER_JUDGE_H
#define CAKE_BENCH_VERIFIER_JUDGE_H

#include "tools/run_contract.h"

CAKE_BEGIN_C

typedef enum Verdict {
  VERDICT_NO_PROGRAM, // the edit broke names or grammar: not a program, not counted
  VERDICT_REFUSED,    // by the verifier, by instantiation or by lowering
  VERDICT_FAILS,      // not refused; failed in the simulator: a race, a hang, an access outside, an undefined value
  VERDICT_DIFFERS,    // not refused; other results than the unmutated kernel, or it breaks the contract
  VERDICT_EQUIVALENT, // not refused; the same results in every run
  VERDICT_CRASH,      // the tools crashed or took too long: a fault of ours
  VERDICT_COUNT
} Verdict;

// The worst that running it showed. Refused mutants run as well, with the rules off, as far as the core alone takes them.
typedef enum Sight {
  SIGHT_NOT_RUN,
  SIGHT_NOTHING, // equal to the last bit, no race, no hang, and the contract holds
  SIGHT_BITS,    // other bits, which the contract allows
  SIGHT_BROKEN,  // breaks the contract
  SIGHT_FAILS,
  SIGHT_COUNT
} Sight;

typedef struct Judgement {
  Verdict verdict;
  CakeCode code; // of the error that refused it; CAKE_CODE_COUNT: none
  Sight sight;
  CakeCode seen;     // of the first error when it was run; CAKE_CODE_COUNT: none
  char message[192]; // its text
} Judgement;

typedef struct Program {
  CakeTool tool;
  CakeOp *kernel; // a cake.kernel, or the gpu.func that it became
  CakeCode code;  // of the first error; CAKE_CODE_COUNT: none
  CakeBuf message;
} Program;

typedef enum Level { LEVEL_SCHEDULE, LEVEL_THREADS, LEVEL_COUNT } Level;

// One assignment of sizes with the numbers in the arrays, and what the unmutated kernel makes of them.
typedef struct Case {
  CakeStr sizes;
  uint64_t seed;
  int64_t magnitude;         // 0: small integers (ties); otherwise normal numbers times 2^±magnitude
  CAKE_VEC(CakeBuf) inputs;  // the bytes of every argument before a run; empty for outputs and scalars
  CAKE_VEC(CakeBuf) results[LEVEL_COUNT]; // the bytes of every argument behind a run; sums of lanes may differ in their order
  uint64_t cta_ops;          // operations of a CTA at the thread level without numbers
} Case;

typedef struct SubjectFiles {
  const char *kernels, *contracts; // folders
} SubjectFiles;

// A row of corpus.def.
typedef struct CorpusRow {
  const char *file, *kernel, *params, *cases, *contract;
} CorpusRow;

// How many random schedules a mutant runs under, besides two fixed ones a case.
typedef struct Effort {
  int64_t numbers;   // a case, with numbers
  int64_t schedules; // in all, of the thread level, without numbers
} Effort;

typedef struct Subject {
  CakeArena *arena;
  const CorpusRow *row;
  CakeBuf text;     // canonical, with the names of the source
  CakeBuf contract_text;
  Program original; // the unmutated kernel, instantiated
  CakeFacts facts;  // of its signature
  CakeContract *contract;
  CakeContractCases *cases_of_contract;
  CAKE_VEC(Case) cases;
  CAKE_VEC(bool) outputs; // by argument: the kernel writes it
  Effort effort;
} Subject;

// Reads a kernel. False: reported on standard error. Needs fini either way.
CAKE_NODISCARD bool subject_init(Subject *subject, const CorpusRow *row, SubjectFiles files, Effort effort);
// What judging needs: reads the contract, runs the kernel's cases and makes those of the contract. False: reported on standard error.
CAKE_NODISCARD bool subject_prepare(Subject *subject, SubjectFiles files);
void subject_fini(Subject *subject);
// In this process: call it in a child, since a mutant may crash or loop.
void subject_judge(const Subject *subject, CakeStr text, Judgement *out);

CAKE_END_C
#endif
