// The table of rules, and running it.
#include "verifier/rules.h"

#include "dialects/cake/ops/role.h"

#include <stdio.h>

enum { RUN_LINEAR, RUN_KERNEL };
#define RULE(row, name, code, when, summary)                                                                           \
  {name, CAKE_CODE_##code, summary, RUN_##when == RUN_LINEAR, cake_rule_##row},
const CakeRule cake_rules[] = {
#include "verifier/rules.def"
    {0}};
#undef RULE

const CakeVerifyFn cake_extra_verifiers[] = {cake_verify_linear, cake_verify_rules, NULL};

// Every rule is about ops or types of the cake dialect: other modules are not walked.
static bool run(CakeOp *module, bool is_linear) {
  bool ok = true;
  if (!cake_context_uses_dialect(module->context, &cake_dialect_cake)) return true;
  for (const CakeRule *rule = cake_rules; rule->name; rule++)
    if (rule->is_linear == is_linear) ok &= rule->check(module);
  return ok;
}

bool cake_verify_linear(CakeOp *module) {
  return run(module, true);
}

bool cake_verify_rules(CakeOp *module) {
  return run(module, false);
}

// ---- Words ---------------------------------------------------------------------------------------------------------

// Interned, so that it lives as long as the context.
static const char *keep(CakeContext *context, const char *text) {
  return cake_id_text(context, text)->text;
}

const char *cake_where(const CakeOp *op) {
  CakeOp *role = cake_is_cake_op(op, cake_op_cake_role) ? (CakeOp *)(uintptr_t)op : cake_op_role(op),
         *kernel = cake_op_kernel(op);
  CakeOp *around = role ? role : kernel;
  CakeId name = around ? cake_symbol_name(around) : NULL;
  if (!name) return "the program";
  char text[160];
  snprintf(text, sizeof text, "%s '@%.100s'", role ? "role" : "kernel", name->text);
  return keep(op->context, text);
}

const char *cake_linear_text(CakeType type) {
  if (cake_type_is(type, &cake_type_def_pending)) return "pending accumulator";
  char text[160];
  if (cake_type_is(type, &cake_type_def_turn)) {
    snprintf(text, sizeof text, "turn of order '@%.100s'", type->params[0].id->text);
    return keep(type->context, text);
  }
  if (!cake_type_is(type, &cake_type_def_slot)) return cake_type_text(type);
  snprintf(text, sizeof text, "%s slot of pipeline '@%.100s'", type->params[1].i == CAKE_SLOT_OPEN ? "open" : "full",
           type->params[0].id->text);
  return keep(type->context, text);
}

CakeOp *cake_next_cake_op(CakeOp *module, CakeOp *op, int enumerator) {
  op = op ? cake_op_walk_next(module, op, false) : module;
  while (op && !cake_is_cake_op(op, enumerator))
    op = cake_op_walk_next(module, op, false);
  return op;
}
