// sccp: values that are constants on every path that can be taken become constants. int-range-optimizations: the same, of
// values whose range has one number.
#include "analysis/constant_values.h"
#include "analysis/ranges.h"
#include "cake/constants.h"
#include "passes/passes.h"

typedef struct Sccp {
  CakePassContext *pass;
  CakeDataflow *values;
  CakeConstants constants;
} Sccp;

// Puts a constant in the place of the value; `before`: the op in front of which it may be made.
static void replace(Sccp *sccp, CakeValue *value, CakeOp *before) {
  CakeAttr attr = value->first_use ? cake_dataflow_constant(sccp->values, value) : NULL;
  if (!attr || !before) return;
  CakeValue *constant = cake_constants_get(&sccp->constants, before, attr, value->type);
  if (!constant || constant->type != value->type) return;
  cake_rewriter_replace_uses(&sccp->pass->rewriter, value, constant);
  cake_pass_count(sccp->pass, "values replaced", 1);
}

static bool is_dead(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    if (op->results[i].first_use) return false;
  return op->n_results && !cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR | CAKE_TRAIT_SYMBOL) && cake_op_is_pure(op);
}

// True: the op is gone.
static bool rewrite_op(Sccp *sccp, CakeOp *op) {
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT) && op->n_results == 1)
    return cake_constants_unify(&sccp->constants, op);
  if (!op->n_results) return false;
  bool had_uses = !is_dead(op);
  for (uint32_t i = 0; i < op->n_results; i++)
    replace(sccp, &op->results[i], op);
  if (!had_uses || !is_dead(op)) return false;
  cake_rewriter_erase(&sccp->pass->rewriter, op);
  cake_pass_count(sccp->pass, "ops erased", 1);
  return true;
}

static void rewrite_args(Sccp *sccp, CakeOp *op) {
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      for (uint32_t i = 0; i < block->n_args; i++)
        replace(sccp, block->args[i], block->first);
}

static CakePassResult run(CakePassContext *pass, CakeOp *root, const CakeDataflowDef *def) {
  Sccp sccp = {.pass = pass, .values = cake_dataflow_create(def, root), .constants.rewriter = &pass->rewriter};
  rewrite_args(&sccp, root);
  for (CakeOp *op = cake_op_walk_next(root, root, false), *next; op; op = next) {
    bool runs = cake_dataflow_runs(sccp.values, op->block);
    if (runs) rewrite_args(&sccp, op);
    CakeOp *inside = cake_op_walk_next(root, op, false), *behind = cake_op_walk_next(root, op, true);
    next = runs && rewrite_op(&sccp, op) ? behind : inside;
  }
  cake_dataflow_destroy(sccp.values);
  cake_constants_fini(&sccp.constants);
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}

CakePassResult cake_pass_sccp(CakePassContext *pass, CakeOp *root) {
  return run(pass, root, &cake_constant_values);
}

CakePassResult cake_pass_int_range_optimizations(CakePassContext *pass, CakeOp *root) {
  return run(pass, root, &cake_ranges);
}
