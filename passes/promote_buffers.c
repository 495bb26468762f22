// promote-buffers: what is written to memory of its own and read back as it is becomes a value.
//
// For any dialect whose rows say which ops allocate (EFFECT ALLOC) and which move all of a memory (MOVE). Memory is
// private when everything that is done with it is an access of an op whose row names it. A read is replaced by the value
// that was written last (by its `cake.convert`, where that has the same registers in the form that is read), if that is one
// value on all paths, and in sight. Then writes go that nothing reads, and memory that is only written.
#include "passes/promote_buffers.h"

#include "analysis/flow.h"
#include "dialects/cake/cake.h"
#include "passes/passes.h"

typedef struct Promotion {
  CakePassContext *pass;
  CakeDominance *dominance;
  CakeMemories memories;
  bool is_read[CAKE_PROMOTED_MEMORIES];      // there was a read at first
  bool is_forwarded[CAKE_PROMOTED_MEMORIES]; // one was replaced
  CakeMap replaced;                          // results of reads that are gone → what took their place
} Promotion;

// ---- Accesses ------------------------------------------------------------------------------------------------------

// What an op does with the memory that an operand names; false: something that no row tells of.
static bool find_access(CakeOp *op, const CakeValue *memory, CakeMemoryAccess *out) {
  CakeEffectVec effects = {0};
  CakeValue *target, *value;
  bool is_access = false;
  *out = (CakeMemoryAccess){0};
  cake_effects_of_op(op, &effects);
  for (size_t i = 0; i < effects.len; i++) {
    if (effects.data[i].memory != memory) continue;
    is_access = effects.data[i].effect->kind == CAKE_EFFECT_READ || effects.data[i].effect->kind == CAKE_EFFECT_WRITE;
    out->reads |= cake_effect_may_read(&effects.data[i]);
    out->writes |= cake_effect_may_write(&effects.data[i]);
  }
  CAKE_VEC_FINI(&effects);
  if (cake_effect_is_store(op, &target, &value) && target == memory) out->stored = value;
  bool is_view = op->info->def && op->info->def->lies_in; // its results may be used for anything
  return is_access && !is_view;
}

// False: nobody knows when the op runs, since it is in a body, or in an op through which control goes somehow. *out_once: the
// outermost op around it that runs once, as roles do, side by side.
static bool runs_in_place(const CakeOp *op, const CakeOp *root, const CakeOp **out_once) {
  *out_once = NULL;
  for (CakeOp *around = cake_op_parent(op); around && around != root; around = cake_op_parent(around)) {
    if (cake_flow_kind(around) == CAKE_FLOW_NONE) return false;
    if (cake_flow_kind(around) == CAKE_FLOW_ONCE) *out_once = around;
  }
  return true;
}

// Whether all uses are accesses of their ops, and not of several roles.
static bool is_private(const CakeValue *memory, const CakeOp *root) {
  const CakeOp *role = NULL, *once;
  CakeMemoryAccess access;
  for (const CakeUse *use = memory->first_use; use; use = use->next) {
    if (!find_access(use->owner, memory, &access) || !runs_in_place(use->owner, root, &once)) return false;
    if (role && once && once != role) return false;
    if (once) role = once;
  }
  return true;
}

// What an op does to a memory in several ways is one access.
static void add_access(CakeMemories *memories, const CakeOp *op, CakeMemoryAccess access) {
  uintptr_t first = 0;
  cake_map_get(&memories->of_op, op, &first);
  for (size_t i = first; i; i = memories->accesses.data[i - 1].next) {
    CakeMemoryAccess *known = &memories->accesses.data[i - 1];
    if (known->memory != access.memory) continue;
    known->reads |= access.reads;
    known->writes |= access.writes;
    return;
  }
  access.next = (uint32_t)first;
  CAKE_PUSH(&memories->accesses, access);
  cake_map_set(&memories->of_op, op, memories->accesses.len);
}

static void add_memory(Promotion *promotion, CakeOp *allocation) {
  CakeMemories *memories = &promotion->memories;
  uint32_t number = memories->count++;
  CakeMemoryAccess access = {.memory = number, .writes = true};
  memories->values[number] = &allocation->results[0];
  promotion->is_read[number] = promotion->is_forwarded[number] = false;
  add_access(memories, allocation, access);
  for (const CakeUse *use = allocation->results[0].first_use; use; use = use->next) {
    find_access(use->owner, use->value, &access);
    access.memory = number;
    promotion->is_read[number] |= access.reads;
    add_access(memories, use->owner, access);
  }
}

// ---- Reads ---------------------------------------------------------------------------------------------------------

// The value as what is read; NULL: there is no free way.
static CakeValue *as_read(const Promotion *promotion, CakeValue *value, CakeOp *load) {
  CakeRewriter *rewriter = &promotion->pass->rewriter;
  CakeType type = load->results[0].type;
  if (!cake_dominance_value(promotion->dominance, value, load)) return NULL;
  if (value->type == type) return value;
  if (!cake_can_convert(value->type, type)) return NULL;
  cake_rewriter_set_before(rewriter, load);
  return cake_build_unary(rewriter, "cake.convert", type, value);
}

// What was written may be what was read elsewhere, in whose place another value is by now.
static CakeValue *current(const Promotion *promotion, CakeValue *value) {
  uintptr_t other;
  while (cake_map_get(&promotion->replaced, value, &other))
    value = (CakeValue *)other;
  return value;
}

static void forward(Promotion *promotion) {
  CakeKnownReads reads = {0};
  cake_memories_find_known_reads(&promotion->memories, &reads);
  for (size_t i = 0; i < reads.len; i++) {
    CakeOp *load = reads.data[i].op;
    const CakeMemoryAccess *access = cake_memory_first_access(&promotion->memories, load);
    CakeValue *value = as_read(promotion, current(promotion, reads.data[i].written), load);
    if (!value) continue;
    promotion->is_forwarded[access->memory] = true;
    cake_map_set(&promotion->replaced, &load->results[0], (uintptr_t)value);
    cake_map_remove(&promotion->memories.of_op, load);
    cake_rewriter_replace(&promotion->pass->rewriter, load, &value);
    cake_pass_count(promotion->pass, "reads replaced", 1);
  }
  CAKE_VEC_FINI(&reads);
}

// ---- Writes --------------------------------------------------------------------------------------------------------

// Memory that nothing ever read stays as it is.
static void erase_dead_writes(Promotion *promotion) {
  CakeDeadWrites writes = {0};
  cake_memories_find_dead_writes(&promotion->memories, &writes);
  for (size_t i = 0; i < writes.len; i++) {
    if (!promotion->is_read[cake_memory_first_access(&promotion->memories, writes.data[i])->memory]) continue;
    cake_rewriter_erase(&promotion->pass->rewriter, writes.data[i]);
    cake_pass_count(promotion->pass, "writes erased", 1);
  }
  CAKE_VEC_FINI(&writes);
}

static void erase_unused(Promotion *promotion) {
  for (uint32_t i = 0; i < promotion->memories.count; i++) {
    if (!promotion->is_forwarded[i] || promotion->memories.values[i]->first_use) continue;
    cake_rewriter_erase(&promotion->pass->rewriter, cake_value_def(promotion->memories.values[i]));
    cake_pass_count(promotion->pass, "allocations erased", 1);
  }
}

// ---- The pass ------------------------------------------------------------------------------------------------------

static void promote(Promotion *promotion) {
  CakeMemories *memories = &promotion->memories;
  if (memories->count) {
    forward(promotion);
    erase_dead_writes(promotion);
    erase_unused(promotion);
  }
  memories->count = 0;
  memories->accesses.len = 0;
  cake_map_empty(&memories->of_op);
  cake_map_empty(&promotion->replaced);
}

// Memory of its own: what takes the bytes of another allocation (`alias`) is none.
static bool is_allocation(const CakeOp *op) {
  const char *name = op->info->def ? op->info->def->lies_in : NULL;
  int row = name ? cake_op_def_operand(op->info->def, name) : -1;
  if (op->n_results != 1 || !cake_effect_allocates(&op->results[0])) return false;
  return row < 0 || !cake_op_operand_group(op, (uint32_t)row).count;
}

// The memories of one isolated op, so many at a time.
static void promote_in(Promotion *promotion, CakeOp *root) {
  CAKE_VEC(CakeOp *) allocations = {0};
  for (CakeOp *op = cake_op_walk_next(root, root, false); op;) {
    if (is_allocation(op) && is_private(&op->results[0], root)) CAKE_PUSH(&allocations, op);
    op = cake_op_walk_next(root, op, cake_op_has_trait(op, CAKE_TRAIT_ISOLATED));
  }
  promotion->memories.root = root;
  for (size_t i = 0; i < allocations.len; i++) {
    add_memory(promotion, allocations.data[i]);
    if (promotion->memories.count == CAKE_PROMOTED_MEMORIES) promote(promotion);
  }
  promote(promotion);
  CAKE_VEC_FINI(&allocations);
}

CakePassResult cake_pass_promote_buffers(CakePassContext *pass, CakeOp *root) {
  Promotion promotion = {.pass = pass, .dominance = cake_pass_analysis(pass, &cake_dominance_analysis, root)};
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    if (op->n_regions && (op == root || cake_op_has_trait(op, CAKE_TRAIT_ISOLATED))) promote_in(&promotion, op);
  CAKE_VEC_FINI(&promotion.memories.accesses);
  cake_map_fini(&promotion.memories.of_op);
  cake_map_fini(&promotion.replaced);
  cake_pass_preserve(pass, &cake_dominance_analysis); // blocks and branches stay
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
