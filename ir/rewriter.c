// The rewriter: every change to IR, told to its listener.
//
// Moving an op tells `op_inserted` again, as in MLIR, where nobody wants to know that it is a move.
#include "core.h"

#include <assert.h>

// ---- What a pass may change ----------------------------------------------------------------------------------------

// What is in no block yet may be worked on as well.
static bool is_in_scope(const CakeOp *scope, const CakeOp *op) {
  const CakeOp *top = op;
  for (const CakeOp *at = op; at; at = cake_op_parent(at)) {
    if (at == scope) return true;
    top = at;
  }
  for (const CakeOp *at = scope; at; at = cake_op_parent(at))
    if (at == top) return false;
  return true;
}

static void watch(CakeRewriter *rewriter, const CakeOp *op) {
  if (!rewriter->scope || rewriter->trespass || !rewriter->scope->block || is_in_scope(rewriter->scope, op)) return;
  rewriter->trespass = op->info;
}

static bool refuse(CakeRewriter *rewriter, const char *fault) {
  if (!rewriter->fault) rewriter->fault = fault;
  return true;
}

// Where nobody watches, an op whose results are used must not be erased.
static bool has_to_stay(CakeRewriter *rewriter, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (op->results[i].first_use && rewriter->scope) return refuse(rewriter, "erased an op whose results are used");
    assert(!op->results[i].first_use);
  }
  if (!rewriter->scope || (op->n_regions == 0 && is_in_scope(rewriter->scope, op))) return false;
  if (cake_op_is_ancestor(op, rewriter->scope) || (rewriter->kept && cake_op_is_ancestor(op, rewriter->kept)))
    return refuse(rewriter, "erased the op that it runs on, or one around it");
  watch(rewriter, op);
  return rewriter->trespass == op->info && !is_in_scope(rewriter->scope, op);
}

// ---- Telling -------------------------------------------------------------------------------------------------------

static void inserted(CakeRewriter *rewriter, CakeOp *op) {
  rewriter->changes++;
  watch(rewriter, op);
  const CakeListener *listener = rewriter->listener;
  if (listener && listener->op_inserted) listener->op_inserted(listener->user, op);
}

static void modified(CakeRewriter *rewriter, CakeOp *op) {
  rewriter->changes++;
  if (op) watch(rewriter, op);
  const CakeListener *listener = rewriter->listener;
  if (op && listener && listener->op_modified) listener->op_modified(listener->user, op);
}

static void block_inserted(CakeRewriter *rewriter, CakeBlock *block) {
  rewriter->changes++;
  const CakeListener *listener = rewriter->listener;
  if (listener && listener->block_inserted) listener->block_inserted(listener->user, block);
}

static void block_erased(CakeRewriter *rewriter, CakeBlock *block) {
  rewriter->changes++;
  const CakeListener *listener = rewriter->listener;
  if (listener && listener->block_erased) listener->block_erased(listener->user, block);
}

static CakeWalkResult tell_erased(void *user, CakeOp *op) {
  CakeRewriter *rewriter = user;
  const CakeListener *listener = rewriter->listener;
  rewriter->has_erased_regions |= op->n_regions > 0;
  for (uint32_t i = 0; i < op->n_regions; i++) {
    for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
      block_erased(rewriter, block);
  }
  rewriter->changes++;
  if (listener && listener->op_erased) listener->op_erased(listener->user, op);
  return CAKE_WALK_ADVANCE;
}

// ---- Erased ops ----------------------------------------------------------------------------------------------------
//
// A rewrite that goes on working with an op that it has erased is told apart where a driver keeps what is erased: the call
// does nothing and is noted.

static bool is_gone(CakeRewriter *rewriter, const CakeOp *op, const char *what) {
  if (!op || !cake_op_is_buried(op)) return false;
  if (!rewriter->misuse) rewriter->misuse = what;
  return true;
}

static bool is_value_gone(CakeRewriter *rewriter, const CakeValue *value, const char *what) {
  return value && is_gone(rewriter, cake_value_def(value), what);
}

bool cake_rewriter_decline(CakeRewriter *rewriter, const char *format, ...) {
  if (!rewriter->reason) return false;
  va_list args;
  va_start(args, format);
  cake_buf_clear(rewriter->reason);
  cake_buf_vprintf(rewriter->reason, format, args);
  va_end(args);
  return false;
}

// ---- Insertion point -----------------------------------------------------------------------------------------------

CakeRewriter cake_rewriter(CakeContext *context, const CakeListener *listener) {
  return (CakeRewriter){.context = context, .listener = listener};
}

void cake_rewriter_set_before(CakeRewriter *rewriter, CakeOp *op) {
  if (is_gone(rewriter, op, "took it as a place")) return;
  rewriter->block = op->block;
  rewriter->before = op;
  rewriter->loc = op->loc;
}

void cake_rewriter_set_after(CakeRewriter *rewriter, CakeOp *op) {
  if (is_gone(rewriter, op, "took it as a place")) return;
  rewriter->block = op->block;
  rewriter->before = op->next;
  rewriter->loc = op->loc;
}

void cake_rewriter_set_end(CakeRewriter *rewriter, CakeBlock *block) {
  rewriter->block = block;
  rewriter->before = NULL;
}

void cake_rewriter_set_start(CakeRewriter *rewriter, CakeBlock *block) {
  rewriter->block = block;
  rewriter->before = block->first;
}

// Moves the insertion point off an op that goes or moves away: behind it.
static void leave_op(CakeRewriter *rewriter, CakeOp *op) {
  if (rewriter->before == op) rewriter->before = op->next;
  CakeOp *around = op->n_regions && rewriter->block ? cake_block_parent(rewriter->block) : NULL;
  if (!around || !cake_op_is_ancestor(op, around)) return;
  rewriter->block = op->block;
  rewriter->before = op->next;
}

// ---- Making ops and blocks -----------------------------------------------------------------------------------------

CakeOp *cake_rewriter_create(CakeRewriter *rewriter, const CakeOpState *state) {
  for (size_t i = 0; rewriter->graves && i < state->n_operands; i++)
    is_value_gone(rewriter, state->operands[i], "used a result of it");
  CakeOp *op = cake_op_create(rewriter->context, state);
  if (rewriter->block) cake_block_insert(rewriter->block, rewriter->before, op);
  inserted(rewriter, op);
  return op;
}

CakeBlock *cake_rewriter_add_block(CakeRewriter *rewriter, CakeRegion *region, const CakeType *arg_types, size_t n_args,
                                   CakeLoc loc) {
  CakeBlock *block = cake_block_create(rewriter->context);
  block->loc = loc;
  for (size_t i = 0; i < n_args; i++)
    cake_block_add_arg(block, arg_types[i], loc);
  cake_region_append(region, block);
  block_inserted(rewriter, block);
  return block;
}

CakeValue *cake_rewriter_add_arg(CakeRewriter *rewriter, CakeBlock *block, CakeType type, CakeLoc loc) {
  modified(rewriter, cake_block_parent(block));
  return cake_block_add_arg(block, type, loc);
}

void cake_rewriter_remove_arg(CakeRewriter *rewriter, CakeBlock *block, uint32_t index) {
  assert(index < block->n_args && !block->args[index]->first_use);
  cake_block_remove_arg(block, index);
  modified(rewriter, cake_block_parent(block));
}

// ---- Erasing and replacing -----------------------------------------------------------------------------------------

void cake_rewriter_erase(CakeRewriter *rewriter, CakeOp *op) {
  if (is_gone(rewriter, op, "erased it") || has_to_stay(rewriter, op)) return;
  leave_op(rewriter, op);
  if (op->n_regions)
    cake_op_walk(op, CAKE_WALK_POST, tell_erased, rewriter);
  else
    tell_erased(rewriter, op);
  cake_op_unlink(op);
  if (rewriter->graves)
    cake_op_bury(op, rewriter->graves);
  else
    cake_op_destroy(op);
}

void cake_rewriter_tell_erased(CakeRewriter *rewriter, CakeBlock *block) {
  for (CakeOp *op = block->first; op; op = op->next)
    cake_op_walk(op, CAKE_WALK_POST, tell_erased, rewriter);
  block_erased(rewriter, block);
}

void cake_rewriter_tell_only_way(CakeRewriter *rewriter, const CakeBlock *block, const CakeOp *except) {
  CakeOp *only = NULL;
  for (const CakeSuccessor *use = block->first_use; use; use = use->next) {
    if (use->owner == except) continue;
    if (only) return;
    only = use->owner;
  }
  if (only) modified(rewriter, only);
}

void cake_rewriter_erase_block(CakeRewriter *rewriter, CakeBlock *block) {
  cake_rewriter_tell_erased(rewriter, block);
  cake_rewriter_drop_block(rewriter, block);
}

void cake_rewriter_drop_block(CakeRewriter *rewriter, CakeBlock *block) {
  if (rewriter->block == block) rewriter->block = NULL, rewriter->before = NULL;
  cake_block_unlink(block);
  cake_block_destroy(block);
}

void cake_rewriter_replace_uses(CakeRewriter *rewriter, CakeValue *from, CakeValue *to) {
  if (is_value_gone(rewriter, from, "replaced a result of it") || is_value_gone(rewriter, to, "used a result of it"))
    return;
  if (from == to) return;
  while (from->first_use) {
    CakeUse *use = from->first_use;
    cake_use_set(use, to);
    modified(rewriter, use->owner);
  }
}

void cake_rewriter_replace(CakeRewriter *rewriter, CakeOp *op, CakeValue *const *values) {
  if (is_gone(rewriter, op, "replaced it")) return;
  const CakeListener *listener = rewriter->listener;
  if (listener && listener->op_replaced) listener->op_replaced(listener->user, op, values);
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_rewriter_replace_uses(rewriter, &op->results[i], values[i]);
  cake_rewriter_erase(rewriter, op);
}

// ---- Changing an op ------------------------------------------------------------------------------------------------

void cake_rewriter_set_operand(CakeRewriter *rewriter, CakeOp *op, uint32_t index, CakeValue *value) {
  if (is_gone(rewriter, op, "gave it an operand") || is_value_gone(rewriter, value, "used a result of it")) return;
  cake_use_set(&op->operands[index], value);
  modified(rewriter, op);
}

static CakeAttr segments_attr(CakeContext *context, const int32_t *segments, size_t count) {
  int64_t sizes[CAKE_MAX_GROUPS];
  assert(count <= CAKE_MAX_GROUPS);
  for (size_t i = 0; i < count; i++)
    sizes[i] = segments[i];
  return cake_attr_dense_array(context->i32, sizes, count);
}

void cake_rewriter_set_operands(CakeRewriter *rewriter, CakeOp *op, CakeValue *const *values, size_t count,
                                const int32_t *segments, size_t n_segments) {
  if (is_gone(rewriter, op, "gave it operands")) return;
  cake_op_set_operands(op, values, count);
  if (segments) {
    CakeAttr sizes = segments_attr(rewriter->context, segments, n_segments);
    cake_rewriter_set_attr(rewriter, op, rewriter->context->id_segments, sizes);
  } else {
    modified(rewriter, op);
  }
}

void cake_rewriter_set_attr(CakeRewriter *rewriter, CakeOp *op, CakeId name, CakeAttr value) {
  if (is_gone(rewriter, op, "gave it an attribute")) return;
  int row = cake_op_info_row(op->info, name);
  if (row >= 0) {
    cake_op_props(op)[row] = value;
  } else if (!op->info->def && cake_attr_lookup(cake_op_prop(op, 0), name)) {
    cake_op_props(op)[0] = cake_attr_dictionary_with(op->context, cake_op_prop(op, 0), name, value);
  } else {
    op->attrs = cake_attr_dictionary_with(op->context, op->attrs, name, value);
  }
  if (name == op->context->id_sym_name) op->context->symbol_version++;
  modified(rewriter, op);
}

void cake_rewriter_set_attr_text(CakeRewriter *rewriter, CakeOp *op, const char *name, CakeAttr value) {
  cake_rewriter_set_attr(rewriter, op, cake_id_text(rewriter->context, name), value);
}

void cake_rewriter_set_type(CakeRewriter *rewriter, CakeValue *value, CakeType type) {
  if (is_value_gone(rewriter, value, "gave it a type")) return;
  value->type = type;
  modified(rewriter, value->is_argument ? cake_block_parent(cake_arg_owner(value)) : cake_result_owner(value));
  for (CakeUse *use = value->first_use; use; use = use->next)
    modified(rewriter, use->owner);
}

void cake_rewriter_set_successor(CakeRewriter *rewriter, CakeOp *op, uint32_t index, CakeBlock *block) {
  if (is_gone(rewriter, op, "gave it a successor")) return;
  cake_successor_set(cake_op_successor_at(op, index), block);
  modified(rewriter, op);
}

// ---- Moving --------------------------------------------------------------------------------------------------------

static void move(CakeRewriter *rewriter, CakeOp *op, CakeBlock *block, CakeOp *before) {
  if (is_gone(rewriter, op, "moved it") || is_gone(rewriter, before, "took it as a place")) return;
  if (op == before) return;
  if (rewriter->before == op) rewriter->before = op->next;
  const CakeListener *listener = rewriter->listener;
  CakeBlock *from = op->block;
  CakeOp *next = op->next;
  if (from) cake_op_unlink(op);
  cake_block_insert(block, before, op);
  if (!from || !listener || !listener->op_moved) {
    inserted(rewriter, op);
    return;
  }
  rewriter->changes++;
  watch(rewriter, op);
  listener->op_moved(listener->user, op, from, next);
}

void cake_rewriter_move_before(CakeRewriter *rewriter, CakeOp *op, CakeOp *before) {
  move(rewriter, op, before->block, before);
}

void cake_rewriter_move_to_end(CakeRewriter *rewriter, CakeOp *op, CakeBlock *block) {
  move(rewriter, op, block, NULL);
}

void cake_rewriter_inline_block(CakeRewriter *rewriter, CakeBlock *source, CakeOp *before, CakeValue *const *values,
                                size_t n_values) {
  if (is_gone(rewriter, before, "took it as a place")) return;
  assert(source != before->block && n_values == source->n_args);
  for (size_t i = 0; i < n_values; i++)
    cake_rewriter_replace_uses(rewriter, source->args[i], values[i]);
  while (source->first)
    move(rewriter, source->first, before->block, before);
  cake_rewriter_erase_block(rewriter, source);
}

static void move_block(CakeRewriter *rewriter, CakeBlock *block, CakeRegion *target, CakeBlock *before) {
  const CakeListener *listener = rewriter->listener;
  CakeRegion *from = block->region;
  CakeBlock *next = block->next;
  cake_block_unlink(block);
  cake_region_insert(target, before, block);
  if (!listener || !listener->block_moved) {
    block_inserted(rewriter, block);
    return;
  }
  rewriter->changes++;
  listener->block_moved(listener->user, block, from, next);
}

void cake_rewriter_take_region_before(CakeRewriter *rewriter, CakeRegion *target, CakeBlock *before,
                                      CakeRegion *source) {
  while (source->first)
    move_block(rewriter, source->first, target, before);
}

void cake_rewriter_take_region(CakeRewriter *rewriter, CakeRegion *target, CakeRegion *source) {
  cake_rewriter_take_region_before(rewriter, target, NULL, source);
}

CakeOp *cake_rewriter_keep_results(CakeRewriter *rewriter, CakeOp *op, CakeValue *const *operands, size_t n_operands,
                                   const bool *kept) {
  CAKE_VEC(CakeType) types = {0};
  for (uint32_t i = 0; i < op->n_results; i++)
    if (kept[i]) CAKE_PUSH(&types, op->results[i].type);
  CakeOpState state = {.loc = op->loc,
                       .info = op->info,
                       .operands = operands,
                       .n_operands = n_operands,
                       .result_types = types.data,
                       .n_results = types.len,
                       .props = cake_op_props(op),
                       .attrs = op->attrs,
                       .n_regions = op->n_regions};
  cake_rewriter_set_before(rewriter, op);
  CakeOp *made = cake_rewriter_create(rewriter, &state);
  for (uint32_t i = 0; i < op->n_regions; i++)
    cake_rewriter_take_region(rewriter, cake_op_region(made, i), cake_op_region(op, i));
  for (uint32_t i = 0, next = 0; i < op->n_results; i++) {
    if (!kept[i]) continue;
    made->results[next].name = op->results[i].name;
    cake_rewriter_replace_uses(rewriter, &op->results[i], &made->results[next++]);
  }
  cake_rewriter_erase(rewriter, op);
  CAKE_VEC_FINI(&types);
  return made;
}

CakeBlock *cake_rewriter_split_block(CakeRewriter *rewriter, CakeOp *first) {
  CakeBlock *block = first->block;
  CakeBlock *rest = cake_block_create(rewriter->context);
  rest->loc = block->loc;
  cake_region_insert(block->region, block->next, rest);
  block_inserted(rewriter, rest);
  bool point_moves = rewriter->block == block && rewriter->before && !cake_op_is_before(rewriter->before, first);
  CakeOp *point = rewriter->before;
  for (CakeOp *op = first, *next; op; op = next) {
    next = op->next;
    move(rewriter, op, rest, NULL);
  }
  if (point_moves) rewriter->block = rest, rewriter->before = point;
  return rest;
}
