// Rule part-values: what has one value a row and lane is only handed to ops that commute with merging the lanes.
//
// A part of a sum is the row's sum spread over lanes: adding parts and multiplying one by a number of its row give parts again, adding a
// number to it would add it once a lane. So too for the other reductions, of which only their own op commutes.
#include "verifier/rules.h"

#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/reduce.h"

static bool is_part(CakeType type, CakeFragment *out) {
  return cake_fragment_of(type, out) && out->part == CAKE_FORM_PARTIAL;
}

static bool is_spread(const CakeValue *value) {
  const CakeOp *def = cake_value_def(value);
  return def && cake_is_cake_op(def, cake_op_cake_spread);
}

// ---- Fills ---------------------------------------------------------------------------------------------------------

static double number_of(CakeAttr number) {
  return cake_attr_is(number, &cake_attr_def_float) ? cake_attr_float_value(number)
                                                    : (double)cake_attr_int_value(number);
}

// Every lane holds the number, so merging must not change it.
static bool is_neutral(const CakeFragment *part, CakeAttr fill) {
  double number = number_of(fill);
  switch (part->reduce) {
  case CAKE_REDUCE_MUL: return number == 1;
  case CAKE_REDUCE_MAX:
  case CAKE_REDUCE_MIN: return true; // of equal numbers each is the largest
  case CAKE_REDUCE_AND:
  case CAKE_REDUCE_OR: return true;
  default: return number == 0;
  }
}

static bool check_fill(CakeOp *op, const CakeFragment *part) {
  CakeAttr value = cake_cake_fill_value(op);
  if (is_neutral(part, value)) return true;
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_FORM_MISMATCH,
                       "puts %s into every lane of a part: merging would take it once a lane", cake_attr_text(value));
  cake_diag_fix(op->context, d, "start with %s, and add what else there is behind `cake.merge`",
                part->reduce == CAKE_REDUCE_MUL ? "1" : "0");
  return cake_diag_emit(op->context, d);
}

// ---- Uses ----------------------------------------------------------------------------------------------------------

static bool is_own_op(CakeReduceKind kind, const CakeOp *op) {
  static const char *const names[CAKE_REDUCE_COUNT][3] = {
      [CAKE_REDUCE_ADD] = {"arith.addf", "arith.addi"},
      [CAKE_REDUCE_MAX] = {"arith.maxnumf", "arith.maximumf", "arith.maxsi"},
      [CAKE_REDUCE_MIN] = {"arith.minnumf", "arith.minimumf", "arith.minsi"},
      [CAKE_REDUCE_MUL] = {"arith.mulf", "arith.muli"},
      [CAKE_REDUCE_AND] = {"arith.andi"},
      [CAKE_REDUCE_OR] = {"arith.ori"},
      [CAKE_REDUCE_XOR] = {"arith.xori"},
  };
  for (size_t i = 0; i < CAKE_COUNT(names[kind]); i++)
    if (names[kind][i] && cake_op_is(op, names[kind][i])) return true;
  return false;
}

// A sum's part times a number of its row. A number of the row alone is no part: it may be nothing else than such a factor.
static bool is_scaling(const CakeFragment *part, const CakeOp *op) {
  bool is_product = cake_op_is(op, "arith.mulf") || cake_op_is(op, "arith.muli");
  return part->reduce == CAKE_REDUCE_ADD && is_product && op->n_operands == 2 &&
         is_spread(cake_op_operand(op, 0)) != is_spread(cake_op_operand(op, 1));
}

static bool carries(const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  return cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR) || (def && def->flow.kind == CAKE_FLOW_LOOP) ||
         (def && def->flow.kind == CAKE_FLOW_WHILE);
}

static bool takes(const CakeFragment *part, const CakeValue *value, const CakeOp *op) {
  if (is_scaling(part, op)) return true;
  if (is_spread(value)) return false;
  if (is_own_op(part->reduce, op)) {
    for (uint32_t i = 0; i < op->n_operands; i++)
      if (is_spread(cake_op_operand(op, i))) return false;
    return true;
  }
  return cake_is_cake_op(op, cake_op_cake_reduce) || cake_is_cake_op(op, cake_op_cake_merge) ||
         cake_is_cake_op(op, cake_op_cake_spread) || cake_is_cake_op(op, cake_op_cake_call) || carries(op);
}

static bool check_value(const CakeValue *value) {
  CakeFragment part;
  bool ok = true;
  if (!is_part(value->type, &part)) return true;
  cake_context_site(value->type->context);
  CakeOp *def = cake_value_def(value);
  if (def && cake_is_cake_op(def, cake_op_cake_fill)) ok = check_fill(def, &part);
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    if (takes(&part, value, use->owner)) continue;
    CakeDiagnostic *d =
        cake_error_begin(use->owner, CAKE_CODE_FORM_MISMATCH, "may not take %s ('%s'), whose lanes are not merged",
                         cake_value_text(value), cake_type_text(value->type));
    cake_diag_note(use->owner->context, d, cake_value_loc(value),
                   is_spread(value) ? "a number of its row, spread, may only be multiplied with a part of a sum"
                                    : "it is made here");
    cake_diag_fix(use->owner->context, d, "merge it first: `cake.merge`");
    ok = cake_diag_emit(use->owner->context, d);
  }
  return ok;
}

bool cake_rule_part_values(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      ok &= check_value(&op->results[i]);
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
        for (uint32_t i = 0; i < block->n_args; i++)
          ok &= check_value(block->args[i]);
  }
  return ok;
}
