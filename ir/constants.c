// Constants as ops: reading them, and one op for each value in a callable.
#include "cake/constants.h"

#include "core.h"

CakeAttr cake_value_constant(const CakeValue *value) {
  return cake_constant_of(value);
}

void cake_constants_fini(CakeConstants *constants) {
  cake_map_fini(&constants->known);
}

void cake_constants_clear(CakeConstants *constants) {
  constants->callable = NULL;
  cake_map_empty(&constants->known);
}

CakeOp *cake_constants_callable(const CakeOp *op) {
  CakeOp *around = cake_op_parent(op);
  while (around && around->info->def && around->info->def->flow.kind != CAKE_FLOW_NONE)
    around = cake_op_parent(around);
  return around && cake_op_has_trait(around, CAKE_TRAIT_CALLABLE) ? around : NULL;
}

CakeOp *cake_constants_find(const CakeConstants *constants, const CakeOp *callable, CakeAttr value, CakeType type) {
  uintptr_t found;
  if (!callable || callable != constants->callable || !cake_map_get(&constants->known, value, &found)) return NULL;
  CakeOp *op = (CakeOp *)found;
  return op->results[0].type == type ? op : NULL;
}

void cake_constants_add(CakeConstants *constants, CakeOp *callable, CakeAttr value, CakeOp *op) {
  if (constants->callable != callable) cake_map_empty(&constants->known);
  constants->callable = callable;
  cake_map_set(&constants->known, value, (uintptr_t)op);
}

void cake_constants_remove(CakeConstants *constants, const CakeOp *op) {
  CakeAttr value = constants->known.len && op->n_results == 1 ? cake_value_constant(&op->results[0]) : NULL;
  if (value) cake_map_remove_pair(&constants->known, value, (uintptr_t)op);
}

bool cake_constants_unify(CakeConstants *constants, CakeOp *op) {
  CakeAttr value = cake_value_constant(&op->results[0]);
  CakeOp *callable = value ? cake_constants_callable(op) : NULL;
  if (!callable) return false;
  CakeOp *known = cake_constants_find(constants, callable, value, op->results[0].type);
  if (known == op) return false;
  if (known && known->info == op->info && known->attrs == op->attrs) {
    CakeValue *result = &known->results[0];
    cake_rewriter_replace(constants->rewriter, op, &result);
    return true;
  }
  if (known) return false;
  CakeOp *first = cake_op_region(callable, 0)->first->first, *before = op->block == first->block ? op->prev : NULL;
  bool is_at_start = first == op || (before && cake_op_has_trait(before, CAKE_TRAIT_CONSTANT) &&
                                     cake_constants_find(constants, callable, cake_value_constant(&before->results[0]),
                                                         before->results[0].type) == before);
  cake_constants_add(constants, callable, value, op);
  if (!is_at_start) cake_rewriter_move_before(constants->rewriter, op, first);
  return false;
}

CakeValue *cake_constants_get(CakeConstants *constants, CakeOp *op, CakeAttr value, CakeType type) {
  const CakeDialectDef *dialect = op->info->dialect;
  if (!dialect || !dialect->materialize) dialect = cake_context_find_dialect(op->context, CAKE_STR("arith"));
  if (!dialect || !dialect->materialize) return NULL;
  CakeOp *callable = cake_constants_callable(op);
  CakeOp *constant = cake_constants_find(constants, callable, value, type);
  if (constant) return &constant->results[0];
  CakeRewriter *rewriter = constants->rewriter;
  cake_rewriter_set_before(rewriter, op);
  if (callable) cake_rewriter_set_start(rewriter, cake_op_region(callable, 0)->first);
  constant = dialect->materialize(rewriter, value, type);
  cake_rewriter_set_before(rewriter, op);
  if (constant && callable) cake_constants_add(constants, callable, value, constant);
  return constant ? &constant->results[0] : NULL;
}
