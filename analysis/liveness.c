// Liveness by walking from the uses of each value to its definition.
#include "analysis/liveness.h"

// Numbers of values, ascending: values are followed one after the other.
typedef CAKE_VEC(uint32_t) Numbers;

typedef struct BlockSets {
  Numbers in, out;
} BlockSets;

struct CakeLiveness {
  CakeValueVec values; // by number
  CakeMap numbers;     // value → its number + 1
  CakeMap blocks;      // block → its place in `sets` + 1
  CAKE_VEC(BlockSets) sets;
  CakeBlockVec todo, before; // while it is made
};

// ---- Making --------------------------------------------------------------------------------------------------------

static BlockSets *sets_of(const CakeLiveness *liveness, const CakeBlock *block) {
  uintptr_t at;
  return cake_map_get(&liveness->blocks, block, &at) ? &liveness->sets.data[at - 1] : NULL;
}

static void number(CakeLiveness *liveness, CakeValue *value) {
  CAKE_PUSH(&liveness->values, value);
  cake_map_set(&liveness->numbers, value, liveness->values.len);
}

static void number_all(CakeLiveness *liveness, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    for (uint32_t i = 0; op != root && i < op->n_results; i++)
      number(liveness, &op->results[i]);
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next) {
        CAKE_PUSH(&liveness->sets, (BlockSets){0});
        cake_map_set(&liveness->blocks, block, liveness->sets.len);
        for (uint32_t i = 0; i < block->n_args; i++)
          number(liveness, block->args[i]);
      }
  }
}

// False: it is the last one already.
static bool add(Numbers *numbers, uint32_t value) {
  if (numbers->len && numbers->data[numbers->len - 1] == value) return false;
  CAKE_PUSH(numbers, value);
  return true;
}

// The value is live into `block`, unless it is defined there, and out of what comes before.
static void enter(CakeLiveness *liveness, uint32_t value, const CakeBlock *definition, CakeBlock *block) {
  BlockSets *sets = sets_of(liveness, block);
  if (!sets || block == definition || !add(&sets->in, value)) return;
  liveness->before.len = 0;
  bool from_op = cake_flow_predecessors(block, &liveness->before);
  for (size_t i = 0; i < liveness->before.len; i++) {
    CakeBlock *before = liveness->before.data[i];
    sets = sets_of(liveness, before);
    if (sets && add(&sets->out, value)) CAKE_PUSH(&liveness->todo, before);
  }
  CakeOp *around = from_op ? cake_block_parent(block) : NULL;
  if (around && around->block) CAKE_PUSH(&liveness->todo, around->block);
}

static void follow(CakeLiveness *liveness, uint32_t value) {
  const CakeBlock *definition = cake_value_block(liveness->values.data[value]);
  for (CakeUse *use = liveness->values.data[value]->first_use; use; use = use->next) {
    if (use->owner->block) CAKE_PUSH(&liveness->todo, use->owner->block);
    while (liveness->todo.len)
      enter(liveness, value, definition, liveness->todo.data[--liveness->todo.len]);
  }
}

CakeLiveness *cake_liveness_create(CakeOp *root) {
  size_t capacity = 0;
  CakeLiveness *liveness = cake_vec_grow(NULL, &capacity, sizeof *liveness);
  *liveness = (CakeLiveness){0};
  number_all(liveness, root);
  for (uint32_t i = 0; i < liveness->values.len; i++)
    follow(liveness, i);
  CAKE_VEC_FINI(&liveness->todo);
  CAKE_VEC_FINI(&liveness->before);
  return liveness;
}

void cake_liveness_destroy(CakeLiveness *liveness) {
  if (!liveness) return;
  for (size_t i = 0; i < liveness->sets.len; i++) {
    CAKE_VEC_FINI(&liveness->sets.data[i].in);
    CAKE_VEC_FINI(&liveness->sets.data[i].out);
  }
  CAKE_VEC_FINI(&liveness->sets);
  CAKE_VEC_FINI(&liveness->values);
  cake_map_fini(&liveness->numbers);
  cake_map_fini(&liveness->blocks);
  cake_mem_free(liveness);
}

static void *create(CakeOp *op) {
  return cake_liveness_create(op);
}

static void destroy(void *analysis) {
  cake_liveness_destroy(analysis);
}

static bool are_same(const CakeLiveness *a, const CakeLiveness *b, const Numbers *of_a, const Numbers *of_b) {
  bool is_same = of_a->len == of_b->len;
  for (size_t i = 0; is_same && i < of_a->len; i++)
    is_same = a->values.data[of_a->data[i]] == b->values.data[of_b->data[i]];
  return is_same;
}

static bool is_same(CakeOp *op, void *kept, void *fresh) {
  const CakeLiveness *a = kept, *b = fresh;
  if (a->sets.len != b->sets.len) return false;
  for (CakeOp *at = op; at; at = cake_op_walk_next(op, at, false))
    for (uint32_t i = 0; i < at->n_regions; i++)
      for (CakeBlock *block = cake_op_region(at, i)->first; block; block = block->next) {
        const BlockSets *mine = sets_of(a, block), *its = sets_of(b, block);
        if (!mine || !its || !are_same(a, b, &mine->in, &its->in) || !are_same(a, b, &mine->out, &its->out))
          return false;
      }
  return true;
}

const CakeAnalysisDef cake_liveness_analysis = {"liveness", create, destroy, is_same};

// ---- Asking --------------------------------------------------------------------------------------------------------

static void list(const CakeLiveness *liveness, const Numbers *numbers, CakeValueVec *out) {
  for (size_t i = 0; i < numbers->len; i++)
    CAKE_PUSH(out, liveness->values.data[numbers->data[i]]);
}

void cake_liveness_in(const CakeLiveness *liveness, const CakeBlock *block, CakeValueVec *out) {
  const BlockSets *sets = sets_of(liveness, block);
  if (sets) list(liveness, &sets->in, out);
}

void cake_liveness_out(const CakeLiveness *liveness, const CakeBlock *block, CakeValueVec *out) {
  const BlockSets *sets = sets_of(liveness, block);
  if (sets) list(liveness, &sets->out, out);
}

static bool has(const CakeLiveness *liveness, const Numbers *numbers, const CakeValue *value) {
  uintptr_t wanted;
  if (!cake_map_get(&liveness->numbers, value, &wanted)) return false;
  size_t low = 0, high = numbers->len;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (numbers->data[middle] < wanted - 1)
      low = middle + 1;
    else
      high = middle;
  }
  return low < numbers->len && numbers->data[low] == wanted - 1;
}

bool cake_liveness_is_live_in(const CakeLiveness *liveness, const CakeValue *value, const CakeBlock *block) {
  const BlockSets *sets = sets_of(liveness, block);
  return sets && has(liveness, &sets->in, value);
}

bool cake_liveness_is_live_out(const CakeLiveness *liveness, const CakeValue *value, const CakeBlock *block) {
  const BlockSets *sets = sets_of(liveness, block);
  return sets && has(liveness, &sets->out, value);
}

// The op in `block` that holds (or is) the user; NULL: none does.
static CakeOp *in_block(CakeOp *user, const CakeBlock *block) {
  while (user && user->block != block)
    user = cake_op_parent(user);
  return user;
}

static bool is_used_behind(const CakeValue *value, CakeOp *op) {
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    CakeOp *user = in_block(use->owner, op->block);
    if (user && user != op && cake_op_is_before(op, user)) return true;
  }
  return false;
}

bool cake_liveness_is_live_after(const CakeLiveness *liveness, const CakeValue *value, CakeOp *op) {
  for (; op && op->block; op = cake_op_parent(op)) {
    if (cake_liveness_is_live_out(liveness, value, op->block) || is_used_behind(value, op)) return true;
    if (op->block == cake_value_block(value)) return false;
  }
  return false;
}
