// Sets of the threads of a CTA.
#ifndef CAKE_VERIFIER_THREADS_H
#define CAKE_VERIFIER_THREADS_H

#include "cake/op.h"

enum { CAKE_MAX_WARPS = 32 };

// A word of lanes a warp.
typedef struct CakeThreads {
  uint32_t lanes[CAKE_MAX_WARPS];
} CakeThreads;

CakeThreads cake_threads_all(int32_t warps);
CakeThreads cake_threads_and(const CakeThreads *a, const CakeThreads *b);
CakeThreads cake_threads_or(const CakeThreads *a, const CakeThreads *b);
CakeThreads cake_threads_without(const CakeThreads *a, const CakeThreads *b);
uint32_t cake_threads_warps(const CakeThreads *threads); // a bit a warp that has one

// Threads for which a condition certainly holds, and those for which it may.
typedef struct CakeThreadsCondition {
  CakeThreads must, may;
} CakeThreadsCondition;

// What expressions over the number of the thread decide; what depends on more may go either way.
CakeThreadsCondition cake_threads_condition(const CakeValue *value, int32_t warps);

#endif
