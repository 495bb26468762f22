// cse: merges pure ops that compute the same value, in the scopes of dominance.
//
// One hash table of the ops seen. Regions are entered without recursion; leaving one takes its ops out again. A block is visited
// behind one that leads to it: so what is visited lies on a path from the entry, and with it all dominators come before it. An op
// that is isolated from above hides everything outside of it.
#include "passes/passes.h"

typedef struct Entry {
  CakeOp *op;
  uint32_t hash;
  uint32_t next; // of the same bucket, + 1
} Entry;

// A region that is being visited.
typedef struct Frame {
  CAKE_VEC(CakeBlock *) waiting; // blocks that a visited one leads to
  CakeOp *op;                    // the op to visit next; NULL: the block is done
  CakeBlock *block;
  uint32_t visit;  // what marks its blocks that were seen; 0: it has but one
  uint32_t region; // of the op around
  CakeOp *around;
  size_t entries; // how many there were when the region was entered
  size_t outer_base;
  bool is_graph; // order means nothing: an equal op that stands earlier may use the later one
} Frame;

typedef struct Cse {
  CakePassContext *pass;
  CakeDominance *dominance;
  CAKE_VEC(Entry) entries;
  uint32_t *buckets; // index + 1
  size_t n_buckets;
  size_t base; // entries before this one are hidden by an isolated op
  int64_t n_merged;
  CAKE_VEC(Frame) frames;
} Cse;

// ---- The table -----------------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uintptr_t word) {
  hash ^= (uint64_t)word;
  hash *= UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

static uint32_t hash_of(const CakeOp *op) {
  uint64_t hash = mix(0, (uintptr_t)op->info);
  uint64_t operands = 0; // order does not matter in commutative ops
  bool is_commutative = cake_op_has_trait(op, CAKE_TRAIT_COMMUTATIVE);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    uintptr_t value = (uintptr_t)cake_op_operand(op, i);
    operands = is_commutative ? operands + mix(1, value) : mix(operands, value);
  }
  hash = mix(hash, (uintptr_t)operands);
  for (uint32_t i = 0; i < op->info->n_props; i++)
    hash = mix(hash, (uintptr_t)cake_op_prop(op, i));
  hash = mix(hash, (uintptr_t)op->attrs);
  for (uint32_t i = 0; i < op->n_results; i++)
    hash = mix(hash, (uintptr_t)op->results[i].type);
  return (uint32_t)(hash >> 16);
}

static bool same_operands(const CakeOp *a, const CakeOp *b) {
  bool swapped = a->n_operands == 2 && cake_op_has_trait(a, CAKE_TRAIT_COMMUTATIVE) &&
                 cake_op_operand(a, 0) == cake_op_operand(b, 1) && cake_op_operand(a, 1) == cake_op_operand(b, 0);
  for (uint32_t i = 0; !swapped && i < a->n_operands; i++)
    if (cake_op_operand(a, i) != cake_op_operand(b, i)) return false;
  return true;
}

static bool is_same(const CakeOp *a, const CakeOp *b) {
  if (a->info != b->info || a->attrs != b->attrs || a->n_operands != b->n_operands || a->n_results != b->n_results)
    return false;
  for (uint32_t i = 0; i < a->info->n_props; i++)
    if (cake_op_prop(a, i) != cake_op_prop(b, i)) return false;
  for (uint32_t i = 0; i < a->n_results; i++)
    if (a->results[i].type != b->results[i].type) return false;
  return same_operands(a, b);
}

// Whether `earlier`, which was visited before, dominates `op`.
static bool dominates(Cse *cse, CakeOp *earlier, CakeOp *op) {
  const CakeRegion *region = earlier->block->region;
  if (region->first == region->last) return true; // one block, and its region is still open
  return cake_dominance_value(cse->dominance, &earlier->results[0], op);
}

static CakeOp *find(Cse *cse, CakeOp *op, uint32_t hash) {
  for (size_t at = cse->n_buckets ? cse->buckets[hash & (cse->n_buckets - 1)] : 0; at > cse->base;
       at = cse->entries.data[at - 1].next) {
    const Entry *entry = &cse->entries.data[at - 1];
    if (entry->hash == hash && is_same(entry->op, op) && dominates(cse, entry->op, op)) return entry->op;
  }
  return NULL;
}

static void grow(Cse *cse) {
  uint32_t *wider = NULL;
  size_t capacity = 0, wanted = cse->n_buckets ? cse->n_buckets * 4 : 64;
  while (capacity < wanted)
    wider = cake_vec_grow(wider, &capacity, sizeof *wider);
  while (wanted * 2 <= capacity)
    wanted *= 2; // a power of two
  memset(wider, 0, wanted * sizeof *wider);
  for (size_t i = 0; i < cse->entries.len; i++) {
    uint32_t *bucket = &wider[cse->entries.data[i].hash & (wanted - 1)];
    cse->entries.data[i].next = *bucket;
    *bucket = (uint32_t)(i + 1);
  }
  cake_mem_free(cse->buckets);
  cse->buckets = wider;
  cse->n_buckets = wanted;
}

static void add(Cse *cse, CakeOp *op, uint32_t hash) {
  if (cse->entries.len >= cse->n_buckets) grow(cse);
  uint32_t *bucket = &cse->buckets[hash & (cse->n_buckets - 1)];
  CAKE_PUSH(&cse->entries, (Entry){op, hash, *bucket});
  *bucket = (uint32_t)cse->entries.len;
}

static void remove_from(Cse *cse, size_t len) {
  while (cse->entries.len > len) {
    const Entry *entry = &cse->entries.data[--cse->entries.len];
    cse->buckets[entry->hash & (cse->n_buckets - 1)] = entry->next;
  }
}

// ---- Visiting ------------------------------------------------------------------------------------------------------

static void enter_block(Frame *frame, CakeBlock *block) {
  frame->block = block;
  frame->op = block->first;
}

// Enters the next region of `around` that has blocks, from number `region` on; false when there is none.
static bool enter(Cse *cse, CakeOp *around, uint32_t region) {
  while (region < around->n_regions && !cake_op_region(around, region)->first)
    region++;
  if (region >= around->n_regions) return false;
  Frame frame = {.around = around,
                 .region = region,
                 .entries = cse->entries.len,
                 .outer_base = cse->base,
                 .is_graph = cake_op_has_trait(around, CAKE_TRAIT_GRAPH)};
  CakeRegion *inside = cake_op_region(around, region);
  if (inside->first != inside->last) {
    frame.visit = cake_context_next_visit(around->context);
    cake_block_see(inside->first, frame.visit);
  }
  enter_block(&frame, inside->first);
  if (cake_op_has_trait(around, CAKE_TRAIT_ISOLATED)) cse->base = cse->entries.len;
  CAKE_PUSH(&cse->frames, frame);
  return true;
}

// Merges one op with an equal one, or remembers it. True: it was erased.
static bool visit(Cse *cse, const Frame *frame, CakeOp *op) {
  if (op->n_results == 0 || op->n_regions || frame->is_graph || cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR) ||
      !cake_op_is_pure(op))
    return false;
  uint32_t hash = hash_of(op);
  CakeOp *earlier = find(cse, op, hash);
  if (!earlier) {
    add(cse, op, hash);
    return false;
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_rewriter_replace_uses(&cse->pass->rewriter, &op->results[i], &earlier->results[i]);
  cake_rewriter_erase(&cse->pass->rewriter, op);
  cse->n_merged++;
  return true;
}

// The blocks that the current one leads to, so that the first is taken first.
static void push_successors(Frame *frame) {
  const CakeOp *last = frame->block->last;
  for (uint32_t i = last ? last->n_successors : 0; i-- > 0;) {
    CakeBlock *next = cake_op_successor(last, i);
    if (!next || cake_block_is_seen(next, frame->visit) || next->region != frame->block->region) continue;
    cake_block_see(next, frame->visit);
    CAKE_PUSH(&frame->waiting, next);
  }
}

// Goes on to a block that is waiting; false when none is.
static bool next_block(Frame *frame) {
  if (frame->visit) push_successors(frame);
  if (!frame->waiting.len) return false;
  enter_block(frame, frame->waiting.data[--frame->waiting.len]);
  return true;
}

static void leave(Cse *cse) {
  Frame frame = cse->frames.data[--cse->frames.len];
  remove_from(cse, frame.entries);
  cse->base = frame.outer_base;
  CAKE_VEC_FINI(&frame.waiting);
  enter(cse, frame.around, frame.region + 1);
}

static void run(Cse *cse, CakeOp *root) {
  enter(cse, root, 0);
  while (cse->frames.len) {
    Frame *frame = &cse->frames.data[cse->frames.len - 1];
    CakeOp *op = frame->op;
    if (op) {
      frame->op = op->next;
      if (!visit(cse, frame, op) && op->n_regions) enter(cse, op, 0);
    } else if (!next_block(frame)) {
      leave(cse);
    }
  }
}

CakePassResult cake_pass_cse(CakePassContext *pass, CakeOp *op) {
  uint64_t before = pass->rewriter.changes;
  Cse cse = {.pass = pass, .dominance = cake_pass_analysis(pass, &cake_dominance_analysis, op)};
  run(&cse, op);
  if (cse.n_merged) cake_pass_count(pass, "ops merged", cse.n_merged);
  cake_pass_preserve(pass, &cake_dominance_analysis); // blocks and branches stay
  CAKE_VEC_FINI(&cse.entries);
  CAKE_VEC_FINI(&cse.frames);
  cake_mem_free(cse.buckets);
  return pass->rewriter.changes != before ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
