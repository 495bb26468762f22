// Side effects, read from the rows of the ops.
#include "analysis/effects.h"

static CakeValue *group_value(CakeOp *op, const char *name) {
  int row = name ? cake_op_def_operand(op->info->def, name) : -1;
  return row < 0 ? NULL : cake_op_operand_single(op, (uint32_t)row);
}

static bool names_missing_operand(const CakeOp *op, const CakeEffect *effect) {
  int row = effect->operand ? cake_op_def_operand(op->info->def, effect->operand) : -1;
  return row >= 0 && !cake_op_operand_group(op, (uint32_t)row).count;
}

static void add_rows(CakeOp *op, CakeEffectVec *out) {
  const CakeOpDef *def = op->info->def;
  for (uint32_t i = 0; i < def->n_effects; i++) {
    const CakeEffect *effect = &def->effects[i];
    if (!cake_effect_holds(op, effect) || names_missing_operand(op, effect)) continue;
    bool is_own = effect->kind == CAKE_EFFECT_ALLOC && !effect->operand && op->n_results;
    CAKE_PUSH(out, (CakeEffectAt){op, effect, is_own ? &op->results[0] : group_value(op, effect->operand)});
  }
}

// Whether an op without rows is known to do nothing by itself.
static bool is_harmless(const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  if (!def) return false;
  if (def->traits & CAKE_TRAIT_PURE) return !def->is_pure || def->is_pure(op);
  bool only_declares = def->traits & (CAKE_TRAIT_SYMBOL | CAKE_TRAIT_CONSTANT | CAKE_TRAIT_SYMBOL_TABLE);
  return only_declares || (def->traits & CAKE_TRAIT_TERMINATOR) || def->flow.kind != CAKE_FLOW_NONE;
}

void cake_effects_of_op(CakeOp *op, CakeEffectVec *out) {
  if (op->info->def && op->info->def->n_effects)
    add_rows(op, out);
  else if (!is_harmless(op))
    CAKE_PUSH(out, (CakeEffectAt){.op = op});
}

void cake_effects_of(CakeOp *root, CakeEffectVec *out) {
  for (CakeOp *op = root; op;) {
    cake_effects_of_op(op, out);
    op = cake_op_walk_next(root, op, cake_op_has_trait(op, CAKE_TRAIT_CALLABLE));
  }
}

bool cake_effect_may_read(const CakeEffectAt *effect) {
  return !effect->effect || effect->effect->kind == CAKE_EFFECT_READ || effect->effect->kind == CAKE_EFFECT_SYNC;
}

bool cake_effect_may_write(const CakeEffectAt *effect) {
  return !effect->effect || (effect->effect->kind != CAKE_EFFECT_READ && effect->effect->kind != CAKE_EFFECT_ALLOC);
}

// The one effect of an op as it is; NULL: it has none, or several.
static const CakeEffect *only_effect(const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  const CakeEffect *only = NULL;
  for (uint32_t i = 0; def && i < def->n_effects; i++) {
    if (!cake_effect_holds(op, &def->effects[i])) continue;
    if (only) return NULL;
    only = &def->effects[i];
  }
  return only;
}

static bool is_move(CakeOp *op, CakeEffectKind kind, CakeValue **out_memory, CakeValue **out_value) {
  const CakeEffect *effect = only_effect(op);
  if (!effect || effect->kind != kind || !effect->value || op->n_regions) return false;
  if (effect->part && cake_op_attr_text(op, effect->part)) return false;
  int row = kind == CAKE_EFFECT_READ ? cake_op_def_result(op->info->def, effect->value) : -1;
  *out_memory = group_value(op, effect->operand);
  *out_value = row < 0 ? group_value(op, effect->value) : cake_op_result_group(op, (uint32_t)row).first;
  return *out_memory && *out_value && *out_memory != *out_value;
}

bool cake_effect_is_load(CakeOp *op, CakeValue **out_memory, CakeValue **out_value) {
  return op->n_results == 1 && is_move(op, CAKE_EFFECT_READ, out_memory, out_value);
}

bool cake_effect_is_store(CakeOp *op, CakeValue **out_memory, CakeValue **out_value) {
  return op->n_results == 0 && is_move(op, CAKE_EFFECT_WRITE, out_memory, out_value);
}

bool cake_effect_allocates(const CakeValue *memory) {
  CakeOp *op = cake_value_def(memory);
  const CakeOpDef *def = op ? op->info->def : NULL;
  for (uint32_t i = 0; def && i < def->n_effects; i++)
    if (def->effects[i].kind == CAKE_EFFECT_ALLOC && !def->effects[i].operand) return true;
  return false;
}
