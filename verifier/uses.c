// What an op does with a linear value or a view that it is given.
#include "verifier/uses.h"

#include <string.h>

const CakeOperandDef *cake_use_row(const CakeUse *use) {
  const CakeOp *op = use->owner;
  const CakeOpDef *def = op->info->def;
  if (!def) return NULL;
  uint32_t index = cake_use_index(use);
  for (uint32_t group = 0; group < def->n_operands; group++) {
    CakeOperandRange range = cake_op_operand_group(op, group);
    if (index >= range.start && index < range.start + range.count) return &def->operands[group];
  }
  return NULL;
}

bool cake_use_is_first(const CakeUse *use) {
  for (const CakeUse *other = use->owner->operands; other < use; other++)
    if (other->value == use->value) return false;
  return true;
}

static bool ends_carrying_region(const CakeOp *op) {
  const CakeOp *parent = cake_op_parent(op);
  if (!cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR) || !parent || !parent->info->def) return false;
  CakeFlowKind flow = parent->info->def->flow.kind;
  return flow == CAKE_FLOW_LOOP || flow == CAKE_FLOW_BRANCH || flow == CAKE_FLOW_WHILE;
}

CakeUseKind cake_use_kind(const CakeUse *use) {
  const CakeOperandDef *row = cake_use_row(use);
  if (!row) return CAKE_USE_REFUSED;
  bool is_linear = cake_type_is_linear(use->value->type);
  if (row->linear == CAKE_LINEAR_BORROWS) return CAKE_USE_BORROWS;
  if (is_linear && ends_carrying_region(use->owner)) return CAKE_USE_UP;
  const char *iter = use->owner->info->def->flow.iter;
  if (is_linear && iter && strcmp(iter, row->name) == 0) return CAKE_USE_UP;
  // A row that takes anything does not say that it takes tokens; neither does one of a dialect in text.
  bool (*test)(CakeType type) = row->constraint->test;
  return is_linear && row->constraint != &cake_any_type && test && test(use->value->type) ? CAKE_USE_UP
                                                                                          : CAKE_USE_REFUSED;
}

static bool has_effect(const CakeUse *use, CakeEffectKind kind) {
  const CakeOperandDef *row = cake_use_row(use);
  const CakeOpDef *def = use->owner->info->def;
  for (uint32_t i = 0; row && i < def->n_effects; i++) {
    const CakeEffect *effect = &def->effects[i];
    if (effect->kind == kind && effect->operand && strcmp(effect->operand, row->name) == 0) return true;
  }
  return false;
}

bool cake_use_reads(const CakeUse *use) {
  return has_effect(use, CAKE_EFFECT_READ);
}

bool cake_use_writes(const CakeUse *use) {
  return has_effect(use, CAKE_EFFECT_WRITE);
}

size_t cake_value_ends(const CakeValue *value, CakeOp **out, size_t capacity) {
  size_t count = 0;
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    if (cake_use_kind(use) != CAKE_USE_UP) continue;
    if (count < capacity) out[count] = use->owner;
    count++;
  }
  return count;
}
