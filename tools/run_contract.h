// Contracts: what a kernel computes, written as formulas, and how a kernel is held to it.
//
//   kernel @gemm                                             // whose contract it is; may be left out
//   param  D = 64                                            // template parameters, unless the command line gives them
//   shape  M = 130, N = 72, K = 40                           // sizes to run; any number of shapes
//   shape  M in 1..200, N in 8..160 step 8, K in 8..64 step 8  // drawn from the seed
//   shape  M around 128, N around 256 step 8                 // four: one step, a step more than tiles, a tile, a step less than two
//   shape  M = 4000, N = 72, K = 40 with normal              // with these kinds of inputs alone
//   inputs normal, ties, wide, large, small, denormal, zeros, nonfinite
//   scalar scale = 0.5                                       // the value of a scalar argument
//   input  c2[b, k] = sum(d: c[b, k, d] * c[b, k, d])        // an argument that follows from others
//   let    s[m, n] = sum(k: a[m, k] * b[n, k])
//   output c[m, n] = s[m, n] * scale                         // and each output of the kernel
//   output y[r, c] = … within abs 1e-3 rel 1e-3              // an own tolerance, in place of the model's
//   update c[m, n] += sum(k: a[m, k] * b[n, k]) in 16 parts  // what a kernel adds to what was there, in any order
//
// An index runs over the dimension that it subscripts. Formulas have + - * /, numbers, arguments, sizes, indices, functions
// (contract_functions.def) and sum, mean, max, min, maxnum, minnum, argmin, argmax over an index. They are evaluated in fp64, each value
// with a bound for how far a computation in f32, in any order of its sums, may be from it: the tolerance follows from the inputs.
#ifndef CAKE_TOOLS_RUN_CONTRACT_H
#define CAKE_TOOLS_RUN_CONTRACT_H

#include "tools/run.h"

CAKE_BEGIN_C

typedef struct CakeContract CakeContract;

// Reads a contract; `file` stands for it in diagnostics, whose source `text` must outlive. NULL: reported (CONTRACT_FORM).
CakeContract *cake_contract_read(CakeContext *context, CakeStr text, const char *file);
void cake_contract_destroy(CakeContract *contract);
// Its template parameters: "D=64,S=3"; empty when it names none. Its kernel: "gemm"; "" when it names none.
CakeStr cake_contract_params(const CakeContract *contract);
CakeStr cake_contract_kernel(const CakeContract *contract);

// The value of a scalar argument; "" when the contract gives it none.
CakeStr cake_contract_scalar(const CakeContract *contract, CakeStr name);
// Fills the inputs that follow from others, of bound arguments whose others are filled. False: reported.
CAKE_NODISCARD bool cake_contract_fill_inputs(CakeContract *contract, const CakeFacts *facts, CakeRunArgs *args);

// Runs the kernel once on bound arguments. `seed` chooses an order of events where there is a choice. False: reported.
typedef bool (*CakeContractRun)(void *user, CakeRunArgs *args, uint64_t seed);

typedef struct CakeContractReport {
  size_t cases, runs;         // a case is a shape with one kind of inputs
  size_t compared, undecided; // elements; undecided: any result is within what f32 may give
  double worst;               // the largest distance from the reference, as a part of what was allowed
  CakeBuf candidates;         // the trivial outputs that were refused: "zeros, a copy of a, the mean"
} CakeContractReport;

// Holds a kernel of those facts to the contract: every shape with every kind of inputs, twice, with poisoned outputs, and the same first values in
// what it updates. False: reported, as
// CONTRACT_BROKEN (the kernel), CONTRACT_VACUOUS (an output without work passes) or CONTRACT_FORM (it does not fit the kernel).
CAKE_NODISCARD bool cake_contract_check(CakeContract *contract, const CakeFacts *facts, uint64_t seed,
                                        CakeContractRun run, void *user, CakeContractReport *out);

// The same in two steps, for many kernels of one signature: arguments and references of all cases once, held in memory, then a kernel at a time. A case
// whose kernel changed its inputs stays changed.
typedef struct CakeContractCases CakeContractCases;
// NULL: reported. `facts` must outlive the cases, and so must the contract.
CakeContractCases *cake_contract_prepare(CakeContract *contract, const CakeFacts *facts, uint64_t seed,
                                         CakeContractReport *out);
void cake_contract_cases_destroy(CakeContractCases *cases);
CAKE_NODISCARD bool cake_contract_run(CakeContractCases *cases, CakeContractRun run, void *user,
                                      CakeContractReport *out);

CAKE_END_C
#endif
