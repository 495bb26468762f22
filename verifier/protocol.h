// The protocol checker: whether the roles (or warps) of a kernel can hang, lap a barrier or leave data behind.
//
// Each role instance (at the schedule level) or group of equal warps (at the gpu level) becomes a process: a small
// program of synchronising actions, jumps and the few values that barriers' addresses and parities depend on. What the
// program does not decide (how often a loop runs, which way a condition goes) is read from a tape that all processes
// share: the first that comes to an entry chooses it, the others read the same. So trip counts are any, and equal in
// every role. protocol_search.c says how the product of the processes is explored.
#ifndef CAKE_VERIFIER_PROTOCOL_H
#define CAKE_VERIFIER_PROTOCOL_H

#include "cake/dialect.h"

CAKE_BEGIN_C

typedef enum CakeVerdict {
  CAKE_PROVED,  // no execution breaks the protocol
  CAKE_REFUTED, // one does; it was reported
  CAKE_BOUNDED, // none was found, but something is not modelled or the budget of states ran out
} CakeVerdict;

typedef struct CakeProtocolReport {
  CakeVerdict verdict;
  size_t processes, objects; // objects: pipelines, orders and barriers
  size_t actions;            // synchronising ops in the programs
  size_t states, moves;
  CakeOp *limit_op;  // BOUNDED: the op that is not modelled; may be NULL
  const char *limit; // BOUNDED: why, in words
} CakeProtocolReport;

enum { CAKE_PROTOCOL_BUDGET = 40000 }; // states

// Whether the checker applies: a kernel with roles whose parameters have values, or a gpu.func with barriers.
bool cake_protocol_applies(const CakeOp *op);
// Explores at most `budget` states; reports what it finds when `reports` is set.
CakeVerdict cake_protocol_check(CakeOp *op, size_t budget, bool reports, CakeProtocolReport *out);
const char *cake_verdict_name(CakeVerdict verdict); // "proved"

// A refutation as moves, in the order in which they are made; with each, the warps of a gpu.func or the replica of a role that makes it. The last
// is what goes wrong then, unless nobody can go on.
typedef struct CakeProtocolMove {
  uint32_t warps;     // a bit each
  const CakeOp *role; // of a cake.kernel
  uint32_t instance;
  bool is_meeting; // the wait of those who arrived at the same op
  CakeOp *op;
} CakeProtocolMove;

typedef struct CakeProtocolTrace {
  CAKE_VEC(CakeProtocolMove) moves;
  CAKE_VEC(CakeOp *) actions; // all ops that are moves; some more than once
} CakeProtocolTrace;

// False: not refuted within so many states. To be given back either way.
bool cake_protocol_trace(CakeOp *op, size_t budget, CakeProtocolTrace *out);
void cake_protocol_trace_fini(CakeProtocolTrace *trace);

CAKE_END_C
#endif
