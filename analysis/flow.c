// Control flow, for analyses: edges between blocks, through branches and through the regions of ops.
#include "analysis/flow.h"

CakeFlowKind cake_flow_kind(const CakeOp *op) {
  return op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
}

static bool is_loop(const CakeOp *op) {
  return cake_flow_kind(op) == CAKE_FLOW_LOOP || cake_flow_kind(op) == CAKE_FLOW_WHILE;
}

CakeOperandRange cake_flow_inits(const CakeOp *loop) {
  const CakeFlow *flow = loop->info->def ? &loop->info->def->flow : NULL;
  int row = flow && flow->iter ? cake_op_def_operand(loop->info->def, flow->iter) : -1;
  return row < 0 ? (CakeOperandRange){0} : cake_op_operand_group(loop, (uint32_t)row);
}

// ---- Blocks --------------------------------------------------------------------------------------------------------

static void add_ends(const CakeOp *op, uint32_t region, CakeBlockVec *out) {
  if (region >= op->n_regions) return;
  for (CakeBlock *block = cake_op_region(op, region)->first; block; block = block->next)
    if (!block->last || !block->last->n_successors) CAKE_PUSH(out, block);
}

bool cake_flow_predecessors(const CakeBlock *block, CakeBlockVec *out) {
  for (const CakeSuccessor *use = block->first_use; use; use = use->next)
    if (use->owner->block) CAKE_PUSH(out, use->owner->block);
  const CakeOp *op = block->region ? block->region->parent : NULL;
  if (!op || block != block->region->first) return false;
  uint32_t region = (uint32_t)(block->region - cake_op_region(op, 0));
  switch (cake_flow_kind(op)) {
  case CAKE_FLOW_WHILE: add_ends(op, region ? 0 : 1, out); return region == 0;
  case CAKE_FLOW_LOOP: add_ends(op, 0, out); break;
  case CAKE_FLOW_NONE: // nothing is known: from any region
    for (uint32_t i = 0; i < op->n_regions && !cake_op_has_trait(op, CAKE_TRAIT_CALLABLE); i++)
      add_ends(op, i, out);
    break;
  case CAKE_FLOW_ONCE:
  case CAKE_FLOW_BRANCH: break;
  }
  return true;
}

bool cake_flow_exits(const CakeOp *op, CakeBlockVec *out) {
  if (cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) return true;
  CakeFlowKind kind = cake_flow_kind(op);
  bool is_skipped = kind == CAKE_FLOW_LOOP || kind == CAKE_FLOW_NONE;
  for (uint32_t i = 0; i < op->n_regions && (kind != CAKE_FLOW_WHILE || i == 0); i++) {
    is_skipped |= kind == CAKE_FLOW_BRANCH && !cake_op_region(op, i)->first;
    add_ends(op, i, out);
  }
  return is_skipped;
}

static void add_entry(const CakeOp *op, uint32_t region, CakeBlockVec *out) {
  CakeBlock *entry = region < op->n_regions ? cake_op_region(op, region)->first : NULL;
  if (entry) CAKE_PUSH(out, entry);
}

static void add_entries(const CakeOp *op, CakeBlockVec *out) {
  for (uint32_t i = 0; i < op->n_regions; i++)
    add_entry(op, i, out);
}

bool cake_flow_successors(const CakeBlock *block, CakeBlockVec *out) {
  const CakeOp *last = block->last, *op = block->region ? block->region->parent : NULL;
  for (uint32_t i = 0; last && i < last->n_successors; i++)
    if (cake_op_successor(last, i)) CAKE_PUSH(out, cake_op_successor(last, i));
  if (!op || (last && last->n_successors)) return false;
  uint32_t region = (uint32_t)(block->region - cake_op_region(op, 0));
  CakeFlowKind kind = cake_flow_kind(op);
  if (kind == CAKE_FLOW_WHILE) {
    add_entry(op, region ? 0 : 1, out);
    return region == 0;
  }
  if (kind == CAKE_FLOW_LOOP) add_entry(op, 0, out);
  if (kind == CAKE_FLOW_NONE && !cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) add_entries(op, out);
  return true;
}

bool cake_flow_entries(const CakeOp *op, CakeBlockVec *out) {
  if (cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) return true;
  CakeFlowKind kind = cake_flow_kind(op);
  size_t before = out->len;
  if (kind == CAKE_FLOW_WHILE || kind == CAKE_FLOW_LOOP)
    add_entry(op, 0, out);
  else
    add_entries(op, out);
  bool has_empty = out->len - before < op->n_regions;
  return kind == CAKE_FLOW_LOOP || kind == CAKE_FLOW_NONE || (kind == CAKE_FLOW_BRANCH && has_empty) ||
         out->len == before;
}

void cake_flow_ends(const CakeOp *op, CakeBlockVec *out) {
  for (uint32_t i = 0; i < op->n_regions; i++)
    add_ends(op, i, out);
}

bool cake_flow_may_have_blocks(const CakeOp *op) {
  const CakeOp *around = cake_op_parent(op);
  const CakeOpDef *def = around ? around->info->def : NULL;
  if (!def) return around != NULL;
  uint32_t index = (uint32_t)(op->block->region - cake_op_regions(around));
  return def->n_regions && !def->regions[index < def->n_regions ? index : def->n_regions - 1U].single_block;
}

// ---- Values --------------------------------------------------------------------------------------------------------

// The operand of each end of a region, counted from its last when `from_last`, else from `first` on. False: one has none.
static bool add_yields(const CakeOp *op, uint32_t region, uint32_t index, bool from_last, CakeValueVec *out) {
  CakeBlockVec ends = {0};
  bool is_fine = true;
  add_ends(op, region, &ends);
  for (size_t i = 0; i < ends.len; i++) {
    const CakeOp *end = ends.data[i]->last;
    uint32_t at = from_last && end ? end->n_operands - index : index; // wraps: too large
    if (!end || at >= end->n_operands)
      is_fine = false;
    else
      CAKE_PUSH(out, cake_op_operand(end, at));
  }
  CAKE_VEC_FINI(&ends);
  return is_fine;
}

// An argument of the first block of a loop's region: carried values are the last ones.
static bool add_carried(const CakeOp *loop, const CakeBlock *block, uint32_t index, CakeValueVec *out) {
  uint32_t region = (uint32_t)(block->region - cake_op_region(loop, 0));
  if (cake_flow_kind(loop) == CAKE_FLOW_WHILE && region == 1) return add_yields(loop, 0, index + 1, false, out);
  CakeOperandRange inits = cake_flow_inits(loop);
  uint32_t from_last = block->n_args - index;
  if (from_last > inits.count) return false;
  CAKE_PUSH(out, inits.first[inits.count - from_last].value);
  return add_yields(loop, cake_flow_kind(loop) == CAKE_FLOW_WHILE ? 1 : 0, from_last, true, out);
}

static bool add_of_argument(const CakeBlock *block, uint32_t index, CakeValueVec *out) {
  const CakeOp *around = block->region ? block->region->parent : NULL;
  if (around && block == block->region->first)
    return is_loop(around) && !block->first_use && add_carried(around, block, index, out);
  for (const CakeSuccessor *use = block->first_use; use; use = use->next) {
    const CakeOpDef *def = use->owner->info->def;
    if (!def || !def->successor_operands) return false;
    uint32_t which = (uint32_t)(use - cake_op_successors(use->owner));
    CakeOperandRange operands = def->successor_operands(use->owner, which);
    if (index >= operands.count) return false;
    CAKE_PUSH(out, operands.first[index].value);
  }
  return true;
}

static bool add_of_result(const CakeOp *op, uint32_t index, CakeValueVec *out) {
  bool is_fine = true;
  if (cake_flow_kind(op) == CAKE_FLOW_NONE || !op->n_regions) return false;
  if (cake_flow_kind(op) == CAKE_FLOW_WHILE) return add_yields(op, 0, index + 1, false, out);
  if (cake_flow_kind(op) == CAKE_FLOW_LOOP) {
    CakeOperandRange inits = cake_flow_inits(op);
    if (index >= inits.count) return false;
    CAKE_PUSH(out, inits.first[index].value);
  }
  for (uint32_t i = 0; i < op->n_regions; i++)
    is_fine = add_yields(op, i, index, false, out) && is_fine;
  return is_fine;
}

bool cake_flow_sources(const CakeValue *value, CakeValueVec *out) {
  size_t before = out->len;
  bool is_known = value->is_argument
                      ? cake_arg_owner(value) && add_of_argument(cake_arg_owner(value), value->index, out)
                      : add_of_result(cake_result_owner(value), value->index, out);
  for (size_t i = before; is_known && i < out->len; i++)
    is_known = out->data[i] != NULL;
  if (!is_known) out->len = before;
  return is_known && out->len > before;
}
