// promote-buffers: what was written last to a memory at each point, forwards, and whether what is in it may still be read,
// backwards.
#include "analysis/dense.h"
#include "passes/promote_buffers.h"

// Calls `fn` for the ops of all blocks under the root to which something leads.
static void visit_all(CakeDense *dense, CakeOp *root, void (*fn)(void *user, CakeOp *op, const void *state)) {
  for (CakeOp *op = root; op;
       op = cake_op_walk_next(root, op, op != root && cake_op_has_trait(op, CAKE_TRAIT_ISOLATED)))
    for (uint32_t i = 0; i < op->n_regions; i++)
      for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
        cake_dense_visit(dense, block, fn);
}

// ---- Forwards: a word a memory, the value that was written last, or VARIES --------------------------------------------

#define VARIES 1u

typedef struct LastWrites {
  CakeMemories *memories;
  CakeKnownReads *reads;
} LastWrites;

static bool join_values(void *user, void *into, const void *from) {
  const LastWrites *last = user;
  uintptr_t *state = into;
  const uintptr_t *other = from;
  bool is_changed = false;
  for (uint32_t i = 0; i < last->memories->count; i++) {
    if (state[i] == other[i] || state[i] == VARIES) continue;
    state[i] = VARIES;
    is_changed = true;
  }
  return is_changed;
}

static void all_vary(void *user, CakeOp *around, void *out) {
  const LastWrites *last = user;
  uintptr_t *state = out;
  (void)around;
  for (uint32_t i = 0; i < last->memories->count; i++)
    state[i] = VARIES;
}

static void write_values(void *user, CakeOp *op, void *inout) {
  const CakeMemories *memories = ((const LastWrites *)user)->memories;
  uintptr_t *state = inout;
  const CakeMemoryAccess *access = cake_memory_first_access(memories, op);
  for (; access; access = cake_memory_next_access(memories, access)) {
    if (access->stored)
      state[access->memory] = (uintptr_t)access->stored;
    else if (access->writes)
      state[access->memory] = VARIES;
  }
}

static void note_read(void *user, CakeOp *op, const void *now) {
  const LastWrites *last = user;
  const uintptr_t *state = now;
  const CakeMemoryAccess *access = cake_memory_first_access(last->memories, op);
  CakeValue *memory, *value;
  if (!access || !cake_effect_is_load(op, &memory, &value) || state[access->memory] == VARIES) return;
  CAKE_PUSH(last->reads, (CakeKnownRead){op, (CakeValue *)state[access->memory]});
}

void cake_memories_find_known_reads(CakeMemories *memories, CakeKnownReads *out) {
  static const CakeDenseDef def = {
      .name = "last writes", .join = join_values, .boundary = all_vary, .transfer = write_values};
  LastWrites last = {memories, out};
  CakeDense *dense = cake_dense_create(&def, memories->count * sizeof(uintptr_t), &last, memories->root);
  visit_all(dense, memories->root, note_read);
  cake_dense_destroy(dense);
}

// ---- Backwards: a bit a memory, set where what is in it may be read ----------------------------------------------------

typedef struct LiveMemories {
  CakeMemories *memories;
  CakeDeadWrites *writes;
} LiveMemories;

static bool join_bits(void *user, void *into, const void *from) {
  uint64_t *state = into, before = *state;
  (void)user;
  *state |= *(const uint64_t *)from;
  return *state != before;
}

// Nobody knows the memory behind the root, nor where control goes somehow.
static void nothing_is_read(void *user, CakeOp *around, void *out) {
  (void)user, (void)around;
  *(uint64_t *)out = 0;
}

static void read_bits(void *user, CakeOp *op, void *inout) {
  const CakeMemories *memories = ((const LiveMemories *)user)->memories;
  uint64_t *state = inout;
  const CakeMemoryAccess *access = cake_memory_first_access(memories, op);
  for (; access; access = cake_memory_next_access(memories, access)) {
    if (access->reads)
      *state |= UINT64_C(1) << access->memory;
    else if (access->stored)
      *state &= ~(UINT64_C(1) << access->memory);
  }
}

static void note_write(void *user, CakeOp *op, const void *now) {
  const LiveMemories *live = user;
  const CakeMemoryAccess *access = cake_memory_first_access(live->memories, op);
  if (access && access->stored && !(*(const uint64_t *)now >> access->memory & 1)) CAKE_PUSH(live->writes, op);
}

void cake_memories_find_dead_writes(CakeMemories *memories, CakeDeadWrites *out) {
  static const CakeDenseDef def = {.name = "live memories",
                                   .is_backward = true,
                                   .join = join_bits,
                                   .boundary = nothing_is_read,
                                   .transfer = read_bits};
  LiveMemories live = {memories, out};
  CakeDense *dense = cake_dense_create(&def, sizeof(uint64_t), &live, memories->root);
  visit_all(dense, memories->root, note_write);
  cake_dense_destroy(dense);
}
