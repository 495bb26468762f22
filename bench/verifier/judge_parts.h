// What the files of the judge share: a mutant as a program, and its runs.
#ifndef CAKE_BENCH_VERIFIER_JUDGE_PARTS_H
#define CAKE_BENCH_VERIFIER_JUDGE_PARTS_H

#include "bench/verifier/judge.h"

CAKE_BEGIN_C

// ---- A program (judge_program.c) -----------------------------------------------------------------------------------------

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
// Errors of that context count as the program's, too.
void program_listen(Program *program, CakeContext *context);

// ---- Runs (judge_run.c) --------------------------------------------------------------------------------------------------

// Makes a case's inputs: numbers from its seed, and what the contract says follows from others. False: reported.
CAKE_NODISCARD bool keep_inputs(Subject *subject, Case *of);
// Keeps what the arrays hold behind a run of the unmutated kernel as the results of the case at its level.
CAKE_NODISCARD bool run_and_keep(Program *program, const Subject *subject, Case *of);
// Runs a case under one schedule, or `options.schedules` random ones, and compares the results. SIGHT_NOTHING, SIGHT_BITS or SIGHT_FAILS. Without numbers
// (`options.protocol`) each CTA has an order of events of its own, so that the more CTAs there are, the fewer runs suffice.
Sight run_and_compare(Program *program, const Subject *subject, const Case *of, CakeSimOptions options);
// Operations of one run of a case at the thread level without numbers, a CTA; 0: it failed.
uint64_t run_and_count(Program *program, const Subject *subject, const Case *of);
// Whether the contract holds. A program with the signature of the unmutated kernel runs on the cases that were prepared for that.
CAKE_NODISCARD bool run_contract(Program *program, const Subject *subject);
// Reads the contract of a subject whose unmutated kernel is open; prepares its cases. False: reported.
CAKE_NODISCARD bool read_contract(Subject *subject);
CAKE_NODISCARD bool prepare_contract(Subject *subject);
void forget_contract(Subject *subject);

// The judge's limits added to what is to be run; the facts that arguments are made by.
CakeSimOptions run_limits(const Program *program, CakeSimOptions options);
CAKE_NODISCARD bool facts_of(Program *program, CakeFacts *out);

// Whether some op of the kernel writes that argument.
bool is_output(CakeOp *kernel, size_t index);

CAKE_END_C
#endif
