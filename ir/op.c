// Operations, values, blocks and regions: making, linking, destroying, and reading.
#include "core.h"

#include <assert.h>
#include <string.h>

// A block finds its arena even when it is in no region.
typedef struct BlockStorage {
  CakeBlock block; // first: a CakeBlock * is a BlockStorage *
  CakeContext *context;
} BlockStorage;

static CakeContext *context_of(const CakeBlock *block) {
  return ((const BlockStorage *)block)->context;
}

// ---- Uses ----------------------------------------------------------------------------------------------------------

static void unlink_use(CakeUse *use) {
  if (!use->value) return;
  *use->previous = use->next;
  if (use->next) use->next->previous = use->previous;
}

static void link_use(CakeUse *use, CakeValue *value) {
  use->value = value;
  if (!value) return;
  use->next = value->first_use;
  if (use->next) use->next->previous = &use->next;
  use->previous = &value->first_use;
  value->first_use = use;
}

void cake_use_set(CakeUse *use, CakeValue *value) {
  unlink_use(use);
  link_use(use, value);
}

void cake_successor_set(CakeSuccessor *successor, CakeBlock *block) {
  if (successor->block) {
    *successor->previous = successor->next;
    if (successor->next) successor->next->previous = successor->previous;
  }
  successor->block = block;
  if (!block) return;
  successor->next = block->first_use;
  if (successor->next) successor->next->previous = &successor->next;
  successor->previous = &block->first_use;
  block->first_use = successor;
}

uint32_t cake_use_index(const CakeUse *use) {
  return (uint32_t)(use - use->owner->operands);
}

// Leaves no use that points at memory which is about to go.
static void drop_uses(CakeValue *value) {
  while (value->first_use)
    cake_use_set(value->first_use, NULL);
}

// ---- Making operations ---------------------------------------------------------------------------------------------

static size_t size_of(const CakeOpState *state) {
  return sizeof(CakeOp) + state->n_results * sizeof(CakeValue) + state->info->n_props * sizeof(CakeAttr) +
         state->n_successors * sizeof(CakeSuccessor) + state->n_regions * sizeof(CakeRegion) +
         state->n_operands * sizeof(CakeUse);
}

static_assert(sizeof(CakeOp) % 8 == 0 && sizeof(CakeUse) % 8 == 0 && sizeof(CakeValue) % 8 == 0,
              "the parts behind an op's header are aligned");

// Where the operands lie that an op was made with: behind all other parts.
static CakeUse *first_operands(const CakeOp *op) {
  return (CakeUse *)(cake_op_regions(op) + op->n_regions);
}

static void fill(CakeOp *op, const CakeOpState *state) {
  for (uint32_t i = 0; i < op->n_results; i++) {
    op->results[i].type = state->result_types[i];
    op->results[i].index = i;
  }
  for (uint32_t i = 0; i < op->n_operands; i++) {
    op->operands[i].owner = op;
    link_use(&op->operands[i], state->operands[i]);
  }
  if (state->props) memcpy(cake_op_props(op), state->props, op->info->n_props * sizeof(CakeAttr));
  for (uint32_t i = 0; i < op->n_successors; i++) {
    cake_op_successor_at(op, i)->owner = op;
    cake_successor_set(cake_op_successor_at(op, i), state->successors[i]);
  }
  for (uint32_t i = 0; i < op->n_regions; i++)
    cake_op_region(op, i)->parent = op;
}

CakeOp *cake_op_create(CakeContext *context, const CakeOpState *state) {
  ((CakeOpInfoStorage *)state->info)->is_used = true;
  size_t size = size_of(state);
  if (size > UINT32_MAX) cake_out_of_memory(size);
  CakeOp *op = cake_arena_alloc(context->ir, size);
  op->context = context;
  op->info = state->info;
  op->loc = state->loc;
  op->attrs = state->attrs;
  op->n_results = (uint32_t)state->n_results;
  op->n_operands = (uint32_t)state->n_operands;
  op->n_successors = (uint32_t)state->n_successors;
  op->n_regions = (uint32_t)state->n_regions;
  op->operands = first_operands(op);
  fill(op, state);
  return op;
}

// Operands of an op that got another number of them than it was made with.
typedef struct OwnOperands {
  uint32_t n_made_with, capacity;
  CakeUse uses[];
} OwnOperands;

// NULL: it has as many as it was made with, where it was made.
static OwnOperands *own_operands(const CakeOp *op) {
  if (op->operands == first_operands(op)) return NULL;
  return (OwnOperands *)(void *)((char *)op->operands - offsetof(OwnOperands, uses));
}

static void free_own_operands(CakeOp *op, OwnOperands *own) {
  cake_arena_free(op->context->ir, own, sizeof *own + own->capacity * sizeof *own->uses);
}

// Room for this many.
static void reserve_operands(CakeOp *op, size_t count) {
  OwnOperands *old = own_operands(op);
  if (old ? count <= old->capacity : count == op->n_operands) return;
  OwnOperands *own = cake_arena_alloc(op->context->ir, sizeof *own + count * sizeof *own->uses);
  own->n_made_with = old ? old->n_made_with : op->n_operands;
  own->capacity = (uint32_t)count;
  if (old) free_own_operands(op, old);
  op->operands = own->uses;
}

void cake_op_set_operands(CakeOp *op, CakeValue *const *values, size_t count) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    cake_use_set(&op->operands[i], NULL);
  reserve_operands(op, count);
  op->n_operands = (uint32_t)count;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    op->operands[i] = (CakeUse){.owner = op};
    link_use(&op->operands[i], values[i]);
  }
}

// ---- Destroying ----------------------------------------------------------------------------------------------------

static void drop_own_references(CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    cake_use_set(&op->operands[i], NULL);
  for (uint32_t i = 0; i < op->n_successors; i++)
    cake_successor_set(cake_op_successor_at(op, i), NULL);
}

void cake_op_drop_references(CakeOp *root) {
  drop_own_references(root);
  if (!root->n_regions) return;
  for (CakeOp *op = cake_op_walk_next(root, root, false); op; op = cake_op_walk_next(root, op, false))
    drop_own_references(op);
}

static void free_op(CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    drop_uses(&op->results[i]);
  OwnOperands *own = own_operands(op);
  size_t n_made_with = own ? own->n_made_with : op->n_operands;
  if (own) free_own_operands(op, own);
  const char *end = (const char *)(first_operands(op) + n_made_with);
  cake_arena_free(op->context->ir, op, (size_t)(end - (const char *)op));
}

// The block has no ops any more.
static void free_block(CakeBlock *block) {
  CakeContext *context = context_of(block);
  while (block->first_use)
    cake_successor_set(block->first_use, NULL);
  for (uint32_t i = 0; i < block->n_args; i++) {
    drop_uses(block->args[i]);
    cake_arena_free(context->blocks, block->args[i], sizeof(CakeBlockArg));
  }
  cake_arena_free(context->blocks, block->args, block->args_capacity * sizeof *block->args);
  cake_arena_free(context->blocks, block, sizeof(BlockStorage));
}

// Frees an op's innermost last block by block, without recursion: what is freed is cut off from its parent first. The order
// of an op, which is of no use any more, counts its regions that are left. `keeps`: but the op itself.
static void free_tree(CakeOp *root, bool keeps) {
  if (!root->n_regions && keeps) return;
  root->order = root->n_regions;
  for (CakeOp *op = root; op;) {
    CakeRegion *region = op->order ? cake_op_region(op, op->order - 1) : NULL;
    CakeBlock *block = region ? region->first : NULL;
    if (block && block->first) { // into its first op; `block` still leads back
      CakeOp *inner = block->first;
      block->first = inner->next;
      inner->order = inner->n_regions;
      op = inner;
    } else if (block) {
      region->first = block->next;
      free_block(block);
    } else if (region) {
      op->order--;
    } else {
      CakeOp *around = op == root ? NULL : op->block->region->parent;
      if (op != root || !keeps) free_op(op);
      op = around;
    }
  }
}

void cake_op_destroy(CakeOp *op) {
  assert(!op->block);
  if (op->n_regions) op->context->symbol_version++; // a symbol table may go
  cake_op_drop_references(op);
  free_tree(op, false);
}

void cake_op_bury(CakeOp *op, CakeGraves *graves) {
  assert(!op->block);
  if (op->n_regions) op->context->symbol_version++;
  cake_op_drop_references(op);
  free_tree(op, true);
  CAKE_PUSH(&graves->ops, op);
  op->context = NULL;
}

void cake_graves_clear(CakeGraves *graves, CakeContext *context) {
  for (size_t i = 0; i < graves->ops.len; i++) {
    graves->ops.data[i]->context = context;
    free_op(graves->ops.data[i]);
  }
  graves->ops.len = 0;
}

void cake_block_destroy(CakeBlock *block) {
  assert(!block->region);
  for (CakeOp *op = block->first; op; op = op->next)
    cake_op_drop_references(op);
  while (block->first) {
    CakeOp *op = block->first;
    cake_op_unlink(op);
    cake_op_destroy(op);
  }
  free_block(block);
}

// ---- Blocks and regions --------------------------------------------------------------------------------------------

CakeBlock *cake_block_create(CakeContext *context) {
  BlockStorage *storage = CAKE_ARENA_NEW(context->blocks, BlockStorage);
  storage->context = context;
  storage->block.ops_ordered = true;
  return &storage->block;
}

CakeValue *cake_block_add_arg(CakeBlock *block, CakeType type, CakeLoc loc) {
  CakeArena *arena = context_of(block)->blocks;
  if (block->n_args == block->args_capacity) {
    uint32_t capacity = block->args_capacity ? 2 * block->args_capacity : 2;
    CakeValue **args = CAKE_ARENA_ARRAY(arena, CakeValue *, capacity);
    if (block->n_args) memcpy(args, block->args, block->n_args * sizeof(CakeValue *));
    cake_arena_free(arena, block->args, block->args_capacity * sizeof(CakeValue *));
    block->args = args;
    block->args_capacity = capacity;
  }
  CakeBlockArg *arg = CAKE_ARENA_NEW(arena, CakeBlockArg);
  *arg = (CakeBlockArg){
      {.type = type, .index = block->n_args, .is_argument = true},
      block, loc
  };
  block->args[block->n_args++] = &arg->value;
  return &arg->value;
}

void cake_block_remove_arg(CakeBlock *block, uint32_t index) {
  CakeValue *arg = block->args[index];
  drop_uses(arg);
  cake_arena_free(context_of(block)->blocks, arg, sizeof(CakeBlockArg));
  for (uint32_t i = index + 1; i < block->n_args; i++) {
    block->args[i - 1] = block->args[i];
    block->args[i - 1]->index = i - 1;
  }
  block->n_args--;
}

// Positions are spread, so that most insertions find a free number between their neighbours.
enum { ORDER_STEP = 64 };

static void give_order(CakeOp *op) {
  CakeBlock *block = op->block;
  if (!block->ops_ordered) return;
  uint32_t low = op->prev ? op->prev->order : 0;
  if (!op->next) {
    op->order = low + ORDER_STEP;
    block->ops_ordered = op->order > low;
  } else {
    op->order = low + (op->next->order - low) / 2;
    block->ops_ordered = op->order > low && op->order < op->next->order;
  }
}

static void order_ops(CakeBlock *block) {
  uint32_t order = 0, step = ORDER_STEP;
  size_t count = 0;
  for (CakeOp *op = block->first; op; op = op->next)
    count++;
  while (step > 1 && count > UINT32_MAX / step)
    step /= 2;
  for (CakeOp *op = block->first; op; op = op->next)
    op->order = order += step;
  block->ops_ordered = true;
}

bool cake_op_is_before(CakeOp *a, CakeOp *b) {
  assert(a->block && a->block == b->block);
  if (!a->block->ops_ordered) order_ops(a->block);
  return a->order < b->order;
}

void cake_block_append(CakeBlock *block, CakeOp *op) {
  cake_block_insert(block, NULL, op);
}

void cake_block_insert(CakeBlock *block, CakeOp *before, CakeOp *op) {
  assert(!op->block && (!before || before->block == block));
  op->block = block;
  op->next = before;
  op->prev = before ? before->prev : block->last;
  *(op->prev ? &op->prev->next : &block->first) = op;
  *(before ? &before->prev : &block->last) = op;
  give_order(op);
  cake_symbols_changed(op);
}

void cake_op_unlink(CakeOp *op) {
  CakeBlock *block = op->block;
  if (!block) return;
  cake_symbols_changed(op);
  *(op->prev ? &op->prev->next : &block->first) = op->next;
  *(op->next ? &op->next->prev : &block->last) = op->prev;
  op->next = op->prev = NULL;
  op->block = NULL;
}

// Blocks hold symbols only in symbol tables, and in ops of which nothing is known.
static bool may_hold_symbols(const CakeRegion *region) {
  const CakeOpDef *def = region->parent ? region->parent->info->def : NULL;
  return !def || (def->traits & CAKE_TRAIT_SYMBOL_TABLE);
}

void cake_region_append(CakeRegion *region, CakeBlock *block) {
  cake_region_insert(region, NULL, block);
}

void cake_region_insert(CakeRegion *region, CakeBlock *before, CakeBlock *block) {
  assert(!block->region && (!before || before->region == region));
  block->region = region;
  block->next = before;
  block->prev = before ? before->prev : region->last;
  *(block->prev ? &block->prev->next : &region->first) = block;
  *(before ? &before->prev : &region->last) = block;
  if (may_hold_symbols(region)) context_of(block)->symbol_version++;
}

uint32_t cake_region_number_blocks(const CakeRegion *region) {
  uint32_t count = 0;
  for (CakeBlock *block = region->first; block; block = block->next)
    block->order = count++;
  return count;
}

void cake_block_unlink(CakeBlock *block) {
  CakeRegion *region = block->region;
  if (!region) return;
  *(block->prev ? &block->prev->next : &region->first) = block->next;
  *(block->next ? &block->next->prev : &region->last) = block->prev;
  block->next = block->prev = NULL;
  block->region = NULL;
  if (may_hold_symbols(region)) context_of(block)->symbol_version++;
}

// ---- Reading -------------------------------------------------------------------------------------------------------

bool cake_op_is(const CakeOp *op, const char *name) {
  return cake_str_is(cake_op_name(op), name);
}

CakeOp *cake_op_parent_named(const CakeOp *op, const char *name) {
  CakeOp *around = cake_op_parent(op);
  while (around && !cake_op_is(around, name))
    around = cake_op_parent(around);
  return around;
}

bool cake_op_is_ancestor(const CakeOp *ancestor, const CakeOp *op) {
  while (op && op != ancestor)
    op = cake_op_parent(op);
  return op != NULL;
}

CakeAttr cake_op_attr(const CakeOp *op, CakeId name) {
  int row = cake_op_info_row(op->info, name);
  CakeAttr attr = row >= 0 && (uint32_t)row < op->info->n_props ? cake_op_prop(op, (size_t)row) : NULL;
  if (!attr && !op->info->def) attr = cake_attr_lookup(cake_op_prop(op, 0), name);
  return attr ? attr : cake_attr_lookup(op->attrs, name);
}

CakeAttr cake_op_attr_text(const CakeOp *op, const char *name) {
  return cake_op_attr(op, cake_id_text(op->context, name));
}

CakeLoc cake_value_loc(const CakeValue *value) {
  return value->is_argument ? cake_block_arg(value)->loc : cake_result_owner(value)->loc;
}

CakeId cake_value_name(const CakeValue *value) {
  return value->name ? cake_id(value->type->context, cake_value_name_text(value)) : NULL;
}

// Whether the name is the text at that place, behind which there is room for a word.
static bool is_name_at(const CakeBuf *names, uint32_t place, CakeStr name, uint64_t word) {
  if (!place || names->len - place <= name.len) return false;
  const char *at = names->data + place;
  if (at[name.len]) return false;
  if (!word) return memcmp(at, name.ptr, name.len) == 0;
  uint64_t its = 0;
  memcpy(&its, at, sizeof its);
  unsigned unused = 8 * (unsigned)(sizeof its - name.len);
  return CAKE_LITTLE_ENDIAN ? its << unused == word << unused : its >> unused == word >> unused;
}

static uint32_t add_name(CakeBuf *names, CakeStr name) {
  if (!names->len) cake_buf_char(names, '\0'); // place 0 stands for no name
  if (names->len > INT32_MAX) return 0;
  uint32_t place = (uint32_t)names->len;
  cake_buf_reserve(names, name.len + 2 * sizeof(uint64_t));
  cake_buf_append(names, name.ptr, name.len);
  cake_buf_char(names, '\0');
  return place;
}

// Names are kept as text one behind the other and not as identifiers: most of them are never asked for. Functions use
// the same ones again, so a few that came lately are looked at.
void cake_value_set_name_word(CakeValue *value, CakeStr name, uint64_t word) {
  CakeContext *context = value->type->context;
  uint64_t hash = word ? word * 0x9e3779b97f4a7c15u >> 32 : cake_hash_bytes(name.ptr, name.len, 0);
  uint32_t *recent = &context->recent_names[hash % CAKE_RECENT_NAMES];
  if (!is_name_at(&context->value_names, *recent, name, word)) *recent = add_name(&context->value_names, name);
  value->name = *recent & INT32_MAX;
}

void cake_value_set_name(CakeValue *value, CakeStr name) {
  uint64_t word = 0;
  value->name = 0;
  if (!name.len) return;
  if (name.len <= sizeof word) memcpy(&word, name.ptr, name.len);
  cake_value_set_name_word(value, name, word);
}

bool cake_value_has_one_use(const CakeValue *value) {
  return value->first_use && !value->first_use->next;
}

CakeOp *cake_block_terminator(const CakeBlock *block) {
  return block->last && cake_op_has_trait(block->last, CAKE_TRAIT_TERMINATOR) ? block->last : NULL;
}
