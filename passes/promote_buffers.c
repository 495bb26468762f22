// promote-buffers: what is written to memory of its own and read back as it is becomes a value.
//
// For any dialect whose rows say which ops allocate (EFFECT ALLOC) and which move all of a memory (MOVE). Memory is
// private when everything that is done with it is an access of an op whose row names it. A read is replaced by the value
// that was written last (by its `cake.convert`, where that has the same registers in the form that is read), if the write
// stands before it in its block or in one around it, and nothing between them, nor a loop around the read, writes. Memory
// that nothing reads any more goes, with its writes.
#include "analysis/effects.h"
#include "dialects/cake/cake.h"
#include "passes/passes.h"

enum { MOST_STEPS = 4096 }; // ops that are looked at for one read

typedef struct Promotion {
  CakePassContext *pass;
  CakeValue *memory;
  CakeMap writing; // ops that write it, and those around them
} Promotion;

// What an op does with the memory that an operand names; false: something that no row tells of.
static bool find_access(CakeOp *op, const CakeValue *memory, bool *out_reads, bool *out_writes) {
  CakeEffectVec effects = {0};
  bool is_access = false;
  *out_reads = *out_writes = false;
  cake_effects_of_op(op, &effects);
  for (size_t i = 0; i < effects.len; i++) {
    if (effects.data[i].memory != memory) continue;
    is_access = effects.data[i].effect->kind == CAKE_EFFECT_READ || effects.data[i].effect->kind == CAKE_EFFECT_WRITE;
    *out_reads |= cake_effect_may_read(&effects.data[i]);
    *out_writes |= cake_effect_may_write(&effects.data[i]);
  }
  CAKE_VEC_FINI(&effects);
  bool is_view = op->info->def && op->info->def->lies_in; // its results may be used for anything
  return is_access && !is_view;
}

static void mark_writing(Promotion *promotion, CakeOp *op) {
  uintptr_t known;
  for (; op && !cake_map_get(&promotion->writing, op, &known); op = cake_op_parent(op))
    cake_map_set(&promotion->writing, op, 1);
}

// Whether all uses are accesses of their ops; fills the map of those that write.
static bool is_private(Promotion *promotion) {
  for (const CakeUse *use = promotion->memory->first_use; use; use = use->next) {
    bool reads, writes;
    if (!find_access(use->owner, promotion->memory, &reads, &writes)) return false;
    if (writes) mark_writing(promotion, use->owner);
  }
  return true;
}

static bool writes(const Promotion *promotion, const CakeOp *op) {
  uintptr_t ignored;
  return cake_map_get(&promotion->writing, op, &ignored);
}

// The op that stands before everything in the block of `op` and is run only once before it; NULL: there is none.
static CakeOp *leave_block(const Promotion *promotion, const CakeOp *op) {
  CakeOp *around = cake_op_parent(op);
  if (!around || !around->info->def || op->block != op->block->region->first || op->block->first_use) return NULL;
  switch (around->info->def->flow.kind) {
  case CAKE_FLOW_ONCE: return around->n_regions == 1 ? around : NULL;
  case CAKE_FLOW_BRANCH: return around;
  case CAKE_FLOW_LOOP: return writes(promotion, around) ? NULL : around;
  case CAKE_FLOW_WHILE:
  case CAKE_FLOW_NONE: break;
  }
  return NULL;
}

// The value that was written last before a read; NULL: not known.
static CakeValue *written_before(const Promotion *promotion, CakeOp *load) {
  CakeOp *op = load;
  for (int steps = 0; op && steps < MOST_STEPS; steps++) {
    CakeValue *memory, *value;
    if (!op->prev) {
      op = leave_block(promotion, op);
      continue;
    }
    op = op->prev;
    if (cake_effect_is_store(op, &memory, &value) && memory == promotion->memory) return value;
    if (writes(promotion, op)) return NULL;
  }
  return NULL;
}

// The value as what is read; NULL: there is no free way.
static CakeValue *as_read(const Promotion *promotion, CakeValue *value, CakeOp *load) {
  CakeRewriter *rewriter = &promotion->pass->rewriter;
  CakeType type = load->results[0].type;
  if (!value || value->type == type) return value;
  if (!cake_can_convert(value->type, type)) return NULL;
  cake_rewriter_set_before(rewriter, load);
  return cake_build_unary(rewriter, "cake.convert", type, value);
}

static bool forward(const Promotion *promotion) {
  bool is_changed = false;
  for (CakeUse *use = promotion->memory->first_use, *next; use; use = next) {
    CakeOp *load = use->owner;
    CakeValue *memory, *result;
    for (next = use->next; next && next->owner == load;)
      next = next->next;
    if (!cake_effect_is_load(load, &memory, &result)) continue;
    CakeValue *value = as_read(promotion, written_before(promotion, load), load);
    if (!value) continue;
    cake_rewriter_replace(&promotion->pass->rewriter, load, &value);
    cake_pass_count(promotion->pass, "reads replaced", 1);
    is_changed = true;
  }
  return is_changed;
}

static bool is_only_written(const CakeValue *memory) {
  for (const CakeUse *use = memory->first_use; use; use = use->next) {
    CakeValue *target, *value;
    if (!cake_effect_is_store(use->owner, &target, &value) || target != memory || value == memory) return false;
  }
  return true;
}

static void erase(const Promotion *promotion, CakeOp *allocation) {
  while (promotion->memory->first_use)
    cake_rewriter_erase(&promotion->pass->rewriter, promotion->memory->first_use->owner);
  cake_rewriter_erase(&promotion->pass->rewriter, allocation);
  cake_pass_count(promotion->pass, "allocations erased", 1);
}

static void promote(CakePassContext *pass, CakeOp *allocation) {
  Promotion promotion = {.pass = pass, .memory = &allocation->results[0]};
  bool is_changed = is_private(&promotion) && forward(&promotion);
  cake_map_fini(&promotion.writing);
  if (is_changed && is_only_written(promotion.memory)) erase(&promotion, allocation);
}

// Memory of its own: what takes the bytes of another allocation (`alias`) is none.
static bool is_allocation(const CakeOp *op) {
  const char *name = op->info->def ? op->info->def->lies_in : NULL;
  int row = name ? cake_op_def_operand(op->info->def, name) : -1;
  if (op->n_results != 1 || !cake_effect_allocates(&op->results[0])) return false;
  return row < 0 || !cake_op_operand_group(op, (uint32_t)row).count;
}

CakePassResult cake_pass_promote_buffers(CakePassContext *pass, CakeOp *root) {
  CAKE_VEC(CakeOp *) allocations = {0};
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    if (op != root && is_allocation(op)) CAKE_PUSH(&allocations, op);
  for (size_t i = 0; i < allocations.len; i++)
    promote(pass, allocations.data[i]);
  CAKE_VEC_FINI(&allocations);
  cake_pass_preserve(pass, &cake_dominance_analysis); // blocks and branches stay
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
