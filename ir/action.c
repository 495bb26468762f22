// Actions and who observes them.
#include "core.h"

#include "cake/action.h"

void cake_context_observe(CakeContext *context, const CakeActionObserver *observer) {
  CAKE_PUSH(&context->observers, observer);
}

void cake_context_unobserve(CakeContext *context, const CakeActionObserver *observer) {
  size_t kept = 0;
  for (size_t i = 0; i < context->observers.len; i++)
    if (context->observers.data[i] != observer) context->observers.data[kept++] = context->observers.data[i];
  context->observers.len = kept;
}

bool cake_action_begin(CakeContext *context, const CakeAction *action) {
  bool is_allowed = true;
  for (size_t i = 0; i < context->observers.len; i++) { // all are asked: each counts for itself
    const CakeActionObserver *observer = context->observers.data[i];
    if (observer->allows && !observer->allows(observer->user, action)) is_allowed = false;
  }
  for (size_t i = 0; i < context->observers.len; i++) {
    const CakeActionObserver *observer = context->observers.data[i];
    if (observer->begins) observer->begins(observer->user, action, !is_allowed);
  }
  return is_allowed;
}

void cake_action_end(CakeContext *context, const CakeAction *action, CakeActionResult result, CakeStr reason) {
  for (size_t i = context->observers.len; i-- > 0;) {
    const CakeActionObserver *observer = context->observers.data[i];
    if (observer->ends) observer->ends(observer->user, action, result, reason);
  }
}
