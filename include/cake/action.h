// Actions: what is done to IR, one inside of another: a pass on an op, a round of rewriting, a pattern, hook or fold on an op.
//
// Who is about to do something says so by `cake_action_begin`, and what came of it by `cake_action_end`. Observers of the context hear of
// both and may have an action left out: debug counters (cake/counters.h), the lines of --trace-rewrites, the log of --log-actions-to, and
// those of programs that embed Cake. Without an observer an action costs a comparison.
#ifndef CAKE_ACTION_H
#define CAKE_ACTION_H

#include "cake/op.h"

CAKE_BEGIN_C

typedef struct CakeAction {
  const char *kind; // "pass", "round", "pattern", "canonicalize", "fold", "erase"; a plugin may have others
  const char *name; // of the pass or pattern; NULL: there are no several of them
  int64_t number;   // of a pass in its run, of a round; 0: none
  CakeOp *op;       // that it is done to; at the end it may be gone
  const CakeOpInfo *info; // of that op
  CakeLoc loc;
} CakeAction;

typedef enum CakeActionResult { CAKE_ACTION_UNCHANGED, CAKE_ACTION_CHANGED, CAKE_ACTION_FAILED } CakeActionResult;

// All callbacks are optional.
typedef struct CakeActionObserver {
  void *user;
  bool (*allows)(void *user, const CakeAction *action);                     // false: it is to be left out
  void (*begins)(void *user, const CakeAction *action, bool is_left_out);  // what is left out does not end
  void (*ends)(void *user, const CakeAction *action, CakeActionResult result, CakeStr reason);
} CakeActionObserver;

// Borrowed until it is taken back, or the context is destroyed. Observers are asked in the order in which they came.
void cake_context_observe(CakeContext *context, const CakeActionObserver *observer);
void cake_context_unobserve(CakeContext *context, const CakeActionObserver *observer);

// An action on an op, to be begun.
static inline CakeAction cake_action(const char *kind, const char *name, CakeOp *op) {
  return (CakeAction){.kind = kind, .name = name, .op = op, .info = op->info, .loc = op->loc};
}
// False: it is to be left out, and not to be ended.
CAKE_NODISCARD bool cake_action_begin(CakeContext *context, const CakeAction *action);
// `reason`: why it failed or changed nothing, as far as it was said.
void cake_action_end(CakeContext *context, const CakeAction *action, CakeActionResult result, CakeStr reason);

// ---- As text -----------------------------------------------------------------------------------------------------------

// Writes a line for every action that begins and ends, indented by how deep it is in others. The lines have their newline.
typedef struct CakeActionLog {
  CakeContext *context;
  void (*write)(void *user, CakeStr line);
  void *user;
  unsigned depth; // 0 to begin with
} CakeActionLog;
CakeActionObserver cake_action_log(CakeActionLog *log);

// Writes a line for every attempt to rewrite an op, when it ended.
typedef struct CakeRewriteTrace {
  CakeContext *context;
  CakeBuf *out;
} CakeRewriteTrace;
CakeActionObserver cake_rewrite_trace(CakeRewriteTrace *trace);

CAKE_END_C
#endif
