// What the files of the judge share: a mutant as a program, and its runs.
#ifndef CAKE_BENCH_VERIFIER_JUDGE_PARTS_H
#define CAKE_BENCH_VERIFIER_JUDGE_PARTS_H

#include "bench/verifier/judge.h"

CAKE_BEGIN_C

// ---- A program (judge_program.c) -----------------------------------------------------------------------------------------

typedef struct Program {
  CakeTool tool;
  CakeOp *kernel; // a cake.kernel, or the gpu.func that it became
  CakeCode code;  // of the first error; CAKE_CODE_COUNT: none
  CakeBuf message;
} Program;

// All need fini, whatever they return.
// Parsed, not verified. False: it has an error.
CAKE_NODISCARD bool program_parse(Program *program, const CorpusRow *row, CakeStr text);
// Every stage that may refuse it before it runs; lowered behind that. False: refused.
CAKE_NODISCARD bool program_verify(Program *program, const CorpusRow *row);
// Parsed, verified by the core alone, and instantiated: what the simulator needs.
CAKE_NODISCARD bool program_open(Program *program, const CorpusRow *row, CakeStr text);
// The same, and lowered without asking any rule.
CAKE_NODISCARD bool program_open_func(Program *program, const CorpusRow *row, CakeStr text);
void program_fini(Program *program);

// ---- Runs (judge_run.c) --------------------------------------------------------------------------------------------------

// Keeps what the arrays hold behind a run of the unmutated kernel as the results of the case.
CAKE_NODISCARD bool run_and_keep(Program *program, const Subject *subject, Case *of);
// Runs a case under one schedule, or `options.schedules` random ones, and compares the results. SIGHT_NOTHING, SIGHT_BITS or SIGHT_FAILS. Without numbers
// (`options.protocol`) each CTA has an order of events of its own, so that the more CTAs there are, the fewer runs suffice.
Sight run_and_compare(Program *program, const Subject *subject, const Case *of, CakeSimOptions options);
// Whether the contract holds.
CAKE_NODISCARD bool run_contract(Program *program, const Subject *subject);

// Whether some op of the kernel writes that argument.
bool is_output(CakeOp *kernel, size_t index);

CAKE_END_C
#endif
