// Rule linear-values: tokens are used up exactly once on every path, at the level where they are defined, and carried
// only by loops and branches. Views are carried by nothing.
#include "cake/edit.h"
#include "verifier/paths.h"
#include "verifier/rules.h"
#include "verifier/uses.h"

// ---- Messages ------------------------------------------------------------------------------------------------------

static CakeOp *definition_scope(const CakeValue *value) {
  return value->is_argument ? cake_block_parent(cake_arg_owner(value)) : cake_result_owner(value);
}

// The last op of the block of a value's op that works on one of its results, directly or somewhere inside; the op itself
// when none does.
static CakeOp *last_user(CakeOp *op) {
  CakeOp *last = op;
  for (uint32_t i = 0; i < op->n_results; i++)
    for (const CakeUse *use = op->results[i].first_use; use; use = use->next) {
      CakeOp *user = use->owner;
      while (user && user->block != op->block)
        user = cake_op_parent(user);
      if (user && cake_op_is_before(last, user)) last = user;
    }
  return last;
}

// A slot of a role's own block is given up behind the last op on its views.
static void add_slot_edit(CakeDiagnostic *d, const CakeValue *slot, const char *name) {
  CakeOp *op = cake_value_def(slot);
  bool is_open = slot->type->params[1].i == CAKE_SLOT_OPEN;
  if (op)
    cake_diag_insert(d, CAKE_EDIT_INSERT_BEHIND, last_user(op), "cake.%s %s", is_open ? "commit" : "release", name);
}

static void add_fix(CakeDiagnostic *d, const CakeValue *value) {
  CakeType type = value->type;
  CakeContext *context = type->context;
  const char *name = cake_value_text(value);
  if (cake_type_is(type, &cake_type_def_pending))
    cake_diag_fix(context, d, "`cake.await %s` behind its last use", name);
  else if (cake_type_is(type, &cake_type_def_turn))
    cake_diag_fix(context, d, "`cake.pass %s` behind what needs the turn", name);
  else if (cake_type_is(type, &cake_type_def_slot))
    cake_diag_fix(context, d,
                  type->params[1].i == CAKE_SLOT_OPEN ? "`cake.commit %s` once its parts are filled"
                                                      : "`cake.release %s` behind the last read of its views",
                  name);
  if (cake_type_is(type, &cake_type_def_slot)) add_slot_edit(d, value, name);
}

static bool report_never(const CakeValue *value) {
  CakeOp *scope = definition_scope(value);
  CakeContext *context = value->type->context;
  const char *what = value->is_argument ? "carries" : "gives";
  CakeDiagnostic *d = cake_diag_begin(
      context, CAKE_ERROR, cake_value_loc(value), CAKE_CODE_TOKEN_NOT_USED,
      "'%.*s' op %s %s %s that %s does not use up", CAKE_STR_ARG(cake_op_name(scope)), what,
      cake_type_is(value->type, &cake_type_def_slot) && value->type->params[1].i == CAKE_SLOT_OPEN ? "an" : "a",
      cake_linear_text(value->type), cake_where(scope));
  add_fix(d, value);
  return cake_diag_emit(context, d);
}

static bool report_twice(const CakeValue *value, CakePath path) {
  CakeDiagnostic *d = cake_error_begin(path.second, CAKE_CODE_TOKEN_USED_TWICE, "uses up %s (%s) in %s a second time",
                                       cake_value_text(value), cake_linear_text(value->type), cake_where(path.second));
  cake_diag_note(value->type->context, d, path.first->loc, "it is used up here");
  cake_diag_fix(value->type->context, d, "delete one of the two");
  if (!path.second->n_results) cake_diag_delete(d, path.second);
  return cake_diag_emit(value->type->context, d);
}

static bool report_level(const CakeValue *value, CakePath path) {
  bool is_loop = path.kind == CAKE_PATH_LOOP;
  CakeDiagnostic *d =
      cake_error_begin(path.first, CAKE_CODE_TOKEN_LEVEL, "uses up %s (%s) of %s %s", cake_value_text(value),
                       cake_linear_text(value->type), cake_where(path.first),
                       is_loop ? "inside of a loop that may run any number of times" : "in only some branches");
  cake_diag_note(value->type->context, d, path.at->loc, is_loop ? "the loop is here" : "the branches are here");
  cake_diag_note(value->type->context, d, cake_value_loc(value), "it is defined here");
  cake_diag_fix(value->type->context, d,
                is_loop ? "use it up behind the loop, or carry it with `iter`"
                        : "use it up in every branch, or behind them");
  return cake_diag_emit(value->type->context, d);
}

static bool report_path(const CakeValue *value, CakePath path) {
  switch (path.kind) {
  case CAKE_PATH_ONCE: return true;
  case CAKE_PATH_NEVER: return report_never(value);
  case CAKE_PATH_TWICE: return report_twice(value, path);
  case CAKE_PATH_BRANCH:
  case CAKE_PATH_LOOP: return report_level(value, path);
  default:
    return cake_error(path.first, CAKE_CODE_TOKEN_CARRIER,
                      "uses up %s (%s) inside of '%.*s', whose control flow is not structured", cake_value_text(value),
                      cake_linear_text(value->type), CAKE_STR_ARG(cake_op_name(path.at)));
  }
}

// ---- One value -----------------------------------------------------------------------------------------------------

static bool check_carriers(const CakeValue *value) {
  bool ok = true;
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    if (cake_use_kind(use) != CAKE_USE_REFUSED) continue;
    bool is_view = cake_type_is_view(value->type);
    // Lowering names the memory behind a view by a cast.
    if (is_view && cake_op_is(use->owner, "builtin.unrealized_conversion_cast")) continue;
    ok = cake_error(use->owner, CAKE_CODE_TOKEN_CARRIER, "may not carry %s (%s)%s", cake_value_text(value),
                    is_view ? cake_type_text(value->type) : cake_linear_text(value->type),
                    is_view ? ": a view lives where its slot was taken" : "");
  }
  return ok;
}

static bool check_value(const CakeValue *value) {
  bool ok = true;
  if (cake_type_is_view(value->type)) {
    ok = check_carriers(value);
    if (value->is_argument)
      ok = cake_error(definition_scope(value), CAKE_CODE_TOKEN_CARRIER, "carries a view ('%s') as argument of a block",
                      cake_type_text(value->type));
    return ok;
  }
  if (!cake_type_is_linear(value->type)) return true;
  cake_context_site(value->type->context);
  CakeOp *ends[CAKE_MAX_ENDS];
  size_t count = cake_value_ends(value, ends, CAKE_MAX_ENDS);
  if (count > CAKE_MAX_ENDS)
    return cake_error(definition_scope(value), CAKE_CODE_TOKEN_USED_TWICE, "defines %s, which is used up in %zu places",
                      cake_value_text(value), count);
  ok = check_carriers(value);
  // A refused use is an end that was reported; without it the value would be reported twice.
  if (!ok && count == 0) return false;
  return report_path(value, cake_path_count(cake_value_block(value), ends, count)) && ok;
}

// ---- Loops and branches hand on one type -----------------------------------------------------------------------------

static bool report_type(CakeOp *op, CakeType a, CakeType b) {
  return cake_error(op, CAKE_CODE_TOKEN_LOOP_TYPE, "turns '%s' into '%s'", cake_type_text(a), cake_type_text(b));
}

// The values that a region's terminator hands on end with those of the results.
static bool check_yield(CakeOp *op, const CakeBlock *block) {
  CakeOp *end = block ? block->last : NULL;
  if (!end || end->n_operands < op->n_results) return true;
  uint32_t skip = end->n_operands - op->n_results;
  for (uint32_t i = 0; i < op->n_results; i++) {
    CakeType from = cake_op_operand(end, skip + i)->type, to = op->results[i].type;
    if (from != to && (cake_type_is_linear(from) || cake_type_is_linear(to))) return report_type(end, from, to);
  }
  return true;
}

static bool check_iter(CakeOp *op) {
  int row = op->info->def->flow.iter ? cake_op_def_operand(op->info->def, op->info->def->flow.iter) : -1;
  const CakeBlock *body = op->n_regions ? cake_op_region(op, 0)->first : NULL;
  if (row < 0 || !body) return true;
  CakeOperandRange iter = cake_op_operand_group(op, (uint32_t)row);
  if (body->n_args < iter.count) return true;
  for (uint32_t i = 0; i < iter.count; i++) {
    CakeType from = iter.first[i].value->type, in = body->args[body->n_args - iter.count + i]->type;
    if (from != in && (cake_type_is_linear(from) || cake_type_is_linear(in))) return report_type(op, from, in);
  }
  return true;
}

static bool check_flow(CakeOp *op) {
  if (!op->info->def) return true;
  CakeFlowKind flow = op->info->def->flow.kind;
  if (flow == CAKE_FLOW_NONE || flow == CAKE_FLOW_ONCE) return true;
  bool ok = check_iter(op);
  for (uint32_t i = 0; i < op->n_regions; i++)
    ok &= check_yield(op, cake_op_region(op, i)->first);
  return ok;
}

static bool check_op(CakeOp *op) {
  bool ok = check_flow(op);
  for (uint32_t i = 0; i < op->n_results; i++)
    ok &= check_value(&op->results[i]);
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      for (uint32_t i = 0; i < block->n_args; i++)
        ok &= check_value(block->args[i]);
  return ok;
}

bool cake_rule_linear_values(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    ok &= check_op(op);
  return ok;
}
