// cse: merges pure ops that compute the same value, in the scopes of dominance.
//
// One hash table of the ops seen. Regions are entered without recursion; leaving one takes its ops out again. Blocks of a region
// are visited in reverse post-order, so that a dominator comes before what it dominates. An op that is isolated from above hides
// everything outside of it.
#include "passes/passes.h"

typedef struct Entry {
  CakeOp *op;
  uint64_t hash;
  size_t next; // of the same bucket, + 1
} Entry;

typedef CAKE_VEC(CakeBlock *) BlockVec;

// A region that is being visited.
typedef struct Frame {
  BlockVec blocks; // in reverse post-order
  size_t block;    // the current one
  CakeOp *op;      // the op to visit next; NULL: the block is done
  uint32_t region; // of the op around: the next one to enter
  CakeOp *around;
  size_t entries; // how many there were when the region was entered
  size_t outer_base;
} Frame;

typedef struct Cse {
  CakePassContext *pass;
  CakeDominance *dominance;
  CAKE_VEC(Entry) entries;
  size_t *buckets; // index + 1
  size_t n_buckets;
  size_t base; // entries before this one are hidden by an isolated op
  CAKE_VEC(Frame) frames;
} Cse;

// ---- The table -----------------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uintptr_t word) {
  hash ^= (uint64_t)word;
  hash *= UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

static uint64_t hash_of(const CakeOp *op) {
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
  return hash;
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

static CakeOp *find(Cse *cse, CakeOp *op, uint64_t hash) {
  for (size_t at = cse->n_buckets ? cse->buckets[hash & (cse->n_buckets - 1)] : 0; at > cse->base;
       at = cse->entries.data[at - 1].next) {
    const Entry *entry = &cse->entries.data[at - 1];
    if (entry->hash == hash && is_same(entry->op, op) && dominates(cse, entry->op, op)) return entry->op;
  }
  return NULL;
}

static void grow(Cse *cse) {
  size_t *wider = NULL;
  size_t capacity = 0, wanted = cse->n_buckets ? cse->n_buckets * 4 : 64;
  while (capacity < wanted)
    wider = cake_vec_grow(wider, &capacity, sizeof *wider);
  while (wanted * 2 <= capacity)
    wanted *= 2; // a power of two
  for (size_t i = 0; i < wanted; i++)
    wider[i] = 0;
  for (size_t i = 0; i < cse->entries.len; i++) {
    size_t *bucket = &wider[cse->entries.data[i].hash & (wanted - 1)];
    cse->entries.data[i].next = *bucket;
    *bucket = i + 1;
  }
  cake_mem_free(cse->buckets);
  cse->buckets = wider;
  cse->n_buckets = wanted;
}

static void add(Cse *cse, CakeOp *op, uint64_t hash) {
  if (cse->entries.len >= cse->n_buckets) grow(cse);
  size_t *bucket = &cse->buckets[hash & (cse->n_buckets - 1)];
  CAKE_PUSH(&cse->entries, (Entry){op, hash, *bucket});
  *bucket = cse->entries.len;
}

static void remove_from(Cse *cse, size_t len) {
  while (cse->entries.len > len) {
    const Entry *entry = &cse->entries.data[--cse->entries.len];
    cse->buckets[entry->hash & (cse->n_buckets - 1)] = entry->next;
  }
}

// ---- Visiting ------------------------------------------------------------------------------------------------------

static void post_order(CakeRegion *region, BlockVec *out) {
  typedef struct Visit {
    CakeBlock *block;
    uint32_t next;
  } Visit;
  CAKE_VEC(Visit) stack = {0};
  CakeMap seen = {0};
  uintptr_t is_seen;
  CAKE_PUSH(&stack, (Visit){region->first, 0});
  cake_map_set(&seen, region->first, 1);
  while (stack.len) {
    Visit *visit = &stack.data[stack.len - 1];
    CakeOp *last = visit->block->last;
    if (!last || visit->next >= last->n_successors) {
      CAKE_PUSH(out, visit->block);
      stack.len--;
      continue;
    }
    CakeBlock *next = cake_op_successor(last, visit->next++);
    if (!next || next->region != region || cake_map_get(&seen, next, &is_seen)) continue;
    cake_map_set(&seen, next, 1);
    CAKE_PUSH(&stack, (Visit){next, 0});
  }
  CAKE_VEC_FINI(&stack);
  cake_map_fini(&seen);
}

// Blocks of a region that can be reached, dominators first.
static void order_blocks(CakeRegion *region, BlockVec *out) {
  if (region->first == region->last) {
    CAKE_PUSH(out, region->first);
    return;
  }
  post_order(region, out);
  for (size_t i = 0, j = out->len; i + 1 < j; i++) {
    CakeBlock *swap = out->data[i];
    out->data[i] = out->data[--j];
    out->data[j] = swap;
  }
}

// Enters the next region of `around` that has blocks, from number `region` on; false when there is none.
static bool enter(Cse *cse, CakeOp *around, uint32_t region) {
  while (region < around->n_regions && !cake_op_region(around, region)->first)
    region++;
  if (region >= around->n_regions) return false;
  Frame frame = {.around = around, .region = region, .entries = cse->entries.len, .outer_base = cse->base};
  order_blocks(cake_op_region(around, region), &frame.blocks);
  frame.op = frame.blocks.data[0]->first;
  if (cake_op_has_trait(around, CAKE_TRAIT_ISOLATED)) cse->base = cse->entries.len;
  CAKE_PUSH(&cse->frames, frame);
  return true;
}

// Order means nothing in graph regions: there, an equal op that stands earlier may use this one.
static bool is_in_graph(const CakeOp *op) {
  CakeOp *around = cake_block_parent(op->block);
  return around && cake_op_has_trait(around, CAKE_TRAIT_GRAPH);
}

// Merges one op with an equal one, or remembers it. True: it was erased.
static bool visit(Cse *cse, CakeOp *op) {
  if (op->n_results == 0 || op->n_regions || cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR) || !cake_op_is_pure(op) ||
      is_in_graph(op))
    return false;
  uint64_t hash = hash_of(op);
  CakeOp *earlier = find(cse, op, hash);
  if (!earlier) {
    add(cse, op, hash);
    return false;
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_rewriter_replace_uses(&cse->pass->rewriter, &op->results[i], &earlier->results[i]);
  cake_rewriter_erase(&cse->pass->rewriter, op);
  cake_pass_count(cse->pass, "ops merged", 1);
  return true;
}

static void leave(Cse *cse) {
  Frame frame = cse->frames.data[--cse->frames.len];
  remove_from(cse, frame.entries);
  cse->base = frame.outer_base;
  CAKE_VEC_FINI(&frame.blocks);
  enter(cse, frame.around, frame.region + 1);
}

static void run(Cse *cse, CakeOp *root) {
  enter(cse, root, 0);
  while (cse->frames.len) {
    Frame *frame = &cse->frames.data[cse->frames.len - 1];
    CakeOp *op = frame->op;
    if (op) {
      frame->op = op->next;
      if (!visit(cse, op)) enter(cse, op, 0);
    } else if (++frame->block < frame->blocks.len) {
      frame->op = frame->blocks.data[frame->block]->first;
    } else {
      leave(cse);
    }
  }
}

CakePassResult cake_pass_cse(CakePassContext *pass, CakeOp *op) {
  uint64_t before = pass->rewriter.changes;
  Cse cse = {.pass = pass, .dominance = cake_pass_analysis(pass, &cake_dominance_analysis, op)};
  run(&cse, op);
  cake_pass_preserve(pass, &cake_dominance_analysis); // blocks and branches stay
  CAKE_VEC_FINI(&cse.entries);
  CAKE_VEC_FINI(&cse.frames);
  cake_mem_free(cse.buckets);
  return pass->rewriter.changes != before ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
