// Rule private-buffers: a buffer is one role's (one replica's), and buffers that share bytes are not in use at once.
#include "verifier/paths.h"

#include "dialects/cake/ops/views.h"
#include "verifier/rules.h"

static const char *role_name(const CakeOp *role) {
  CakeId name = cake_symbol_name(role);
  return name ? name->text : "?";
}

static bool report_second(CakeOp *buffer, CakeOp *user, const CakeOp *first) {
  CakeDiagnostic *d = cake_error_begin(
      user, CAKE_CODE_ROLE_CAPTURE, "in role '@%s' uses buffer %s, on which role '@%s' works",
      role_name(cake_op_role(user)), cake_value_text(&buffer->results[0]), role_name(cake_op_role(first)));
  cake_diag_note(user->context, d, first->loc, "it is used here");
  cake_diag_fix(user->context, d, "hand the data over in a slot of a pipeline, or give each role a buffer of its own");
  return cake_diag_emit(user->context, d);
}

static bool report_replicas(CakeOp *buffer, CakeOp *user, int64_t replicas) {
  CakeDiagnostic *d =
      cake_error_begin(user, CAKE_CODE_ROLE_CAPTURE, "uses buffer %s in %lld replicas of role '@%s' at once",
                       cake_value_text(&buffer->results[0]), (long long)replicas, role_name(cake_op_role(user)));
  cake_diag_note(user->context, d, buffer->loc, "the buffer is here");
  cake_diag_fix(user->context, d, "declare it with `each`");
  return cake_diag_emit(user->context, d);
}

// The use in the role that stands first, so that the message is at a later one.
static CakeOp *first_user(const CakeOp *buffer) {
  CakeOp *first = NULL;
  for (const CakeUse *use = buffer->results[0].first_use; use; use = use->next) {
    CakeOp *role = cake_op_role(use->owner);
    if (role && (!first || cake_op_is_before(role, cake_op_role(first)))) first = use->owner;
  }
  return first;
}

static bool check_owner(CakeOp *buffer) {
  CakeOp *first = first_user(buffer);
  CakeRoleShape shape;
  if (!first) return true;
  if (!cake_cake_buffer_each(buffer) && cake_role_shape(cake_op_role(first), &shape) && shape.replicas > 1)
    return report_replicas(buffer, first, shape.replicas);
  for (const CakeUse *use = buffer->results[0].first_use; use; use = use->next) {
    CakeOp *role = cake_op_role(use->owner);
    if (role && cake_op_role(first) != role) return report_second(buffer, use->owner, first);
  }
  return true;
}

// All uses of the one come before all uses of the other.
static bool check_alias(CakeOp *buffer) {
  const CakeValue *alias = cake_cake_buffer_alias(buffer);
  CakePathOrder seen = CAKE_PATH_SAME;
  for (const CakeUse *a = buffer->results[0].first_use; alias && a; a = a->next)
    for (const CakeUse *b = alias->first_use; b; b = b->next) {
      if (!cake_op_role(a->owner) || !cake_op_role(b->owner) || cake_op_role(a->owner) != cake_op_role(b->owner))
        continue;
      CakePathOrder order = cake_path_order(a->owner, b->owner);
      bool is_order = order == CAKE_PATH_BEFORE || order == CAKE_PATH_AFTER;
      if (is_order && (seen == CAKE_PATH_SAME || seen == order)) {
        seen = order;
        continue;
      }
      if (order == CAKE_PATH_APART) continue;
      CakeDiagnostic *d =
          cake_error_begin(a->owner, CAKE_CODE_PIPE_LOAN, "uses buffer %s while %s, whose bytes it takes, is in use",
                           cake_value_text(&buffer->results[0]), cake_value_text(alias));
      cake_diag_note(buffer->context, d, b->owner->loc, "the other is used here");
      cake_diag_fix(buffer->context, d, "use one behind the other, or drop `alias`");
      return cake_diag_emit(buffer->context, d);
    }
  return true;
}

bool cake_rule_private_buffers(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    if (cake_is_cake_op(op, cake_op_cake_buffer)) {
      cake_context_site(op->context);
      ok = check_owner(op) && check_alias(op) && ok;
    }
  return ok;
}
