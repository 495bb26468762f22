// What a conversion has done, how it is undone, and how it becomes final.
#include "conversion.h"

#include <assert.h>

// ---- Recording -----------------------------------------------------------------------------------------------------

CakeRewriter *cake_conversion_rewriter(CakeConversion *conversion) {
  return &conversion->rewriter;
}

static void mark_gone(CakeConversion *conversion, CakeOp *op, LogKind kind) {
  cake_map_set(&conversion->gone, op, 1);
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = kind, .op = op}));
}

void cake_conversion_replace(CakeConversion *conversion, CakeOp *op, CakeValue *const *values) {
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_conversion_map(conversion, &op->results[i], (CakeValueList){&values[i], 1});
  mark_gone(conversion, op, LOG_REPLACED);
}

void cake_conversion_replace_many(CakeConversion *conversion, CakeOp *op, const CakeValueList *lists) {
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_conversion_map(conversion, &op->results[i], lists[i]);
  mark_gone(conversion, op, LOG_REPLACED);
}

void cake_conversion_erase(CakeConversion *conversion, CakeOp *op) {
  assert(op->n_results == 0);
  mark_gone(conversion, op, LOG_ERASED);
}

void cake_conversion_set_attr(CakeConversion *conversion, CakeOp *op, CakeId name, CakeAttr value) {
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_ATTR, .op = op, .name = name, .attr = cake_op_attr(op, name)}));
  conversion->is_internal = true;
  cake_rewriter_set_attr(&conversion->rewriter, op, name, value);
  conversion->is_internal = false;
}

void cake_conversion_take_region(CakeConversion *conversion, CakeRegion *target, CakeRegion *source) {
  cake_rewriter_take_region(&conversion->rewriter, target, source);
}

static bool is_mapped(const CakeConversion *conversion, const CakeValue *value) {
  uintptr_t known;
  return cake_map_get(&conversion->mapping, value, &known);
}

// New arguments of these types stand for an old one.
static void convert_arg(CakeConversion *conversion, CakeBlock *block, CakeValue *old, const CakeTypeVec *types) {
  uint32_t first = block->n_args;
  for (size_t i = 0; i < types->len; i++)
    cake_block_add_arg(block, types->data[i], cake_value_loc(old));
  if (types->len == 1) block->args[first]->name = old->name;
  cake_conversion_map(conversion, old, (CakeValueList){types->len ? &block->args[first] : NULL, types->len});
  LogEntry entry = {.kind = LOG_ARG, .block = block, .old = old, .count = (uint32_t)types->len};
  CAKE_PUSH(&conversion->log, entry);
  conversion->rewriter.changes++;
}

bool cake_conversion_convert_args(CakeConversion *conversion, CakeBlock *block) {
  CakeTypeVec types = {0};
  bool is_fine = true;
  for (uint32_t i = 0, count = block->n_args; is_fine && i < count; i++) {
    CakeValue *old = block->args[i];
    if (is_mapped(conversion, old)) continue;
    types.len = 0;
    is_fine = cake_conversion_add_types(conversion, old->type, &types);
    if (is_fine) convert_arg(conversion, block, old, &types);
  }
  CAKE_VEC_FINI(&types);
  return is_fine;
}

bool cake_conversion_convert_signature(CakeConversion *conversion, CakeOp *callable) {
  CakeAttr attr = cake_op_attr_text(callable, "function_type");
  CakeType old = cake_attr_is(attr, &cake_attr_def_type) ? cake_attr_value_type(attr) : NULL;
  if (!cake_type_is(old, &cake_type_def_function)) return false;
  CakeType made = cake_conversion_function_type(conversion, old);
  if (!made) return false;
  for (CakeBlock *block = callable->n_regions ? cake_op_region(callable, 0)->first : NULL; block; block = block->next)
    if (!cake_conversion_convert_args(conversion, block)) return false;
  cake_conversion_set_attr(conversion, callable, cake_id_text(callable->context, "function_type"),
                           cake_attr_type(made));
  return true;
}

void cake_conversion_inline_block(CakeConversion *conversion, CakeBlock *source, CakeBlock *target, CakeOp *before,
                                  CakeValue *const *values) {
  CakeTypeVec types = {0};
  for (uint32_t i = 0; i < source->n_args; i++) {
    CakeValue *old = source->args[i];
    if (is_mapped(conversion, old)) continue;
    types.len = 0;
    if (!cake_conversion_add_types(conversion, old->type, &types)) CAKE_PUSH(&types, old->type);
    cake_conversion_map(conversion, old, (CakeValueList){values, types.len});
    values += types.len;
    CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_ARG, .old = old}));
  }
  CAKE_VEC_FINI(&types);
  while (source->first) {
    if (before)
      cake_rewriter_move_before(&conversion->rewriter, source->first, before);
    else
      cake_rewriter_move_to_end(&conversion->rewriter, source->first, target);
  }
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_ERASED_BLOCK, .block = source}));
}

// ---- Asking --------------------------------------------------------------------------------------------------------

bool cake_conversion_is_gone(const CakeConversion *conversion, const CakeOp *op) {
  uintptr_t known;
  for (; op && op != conversion->root; op = cake_op_parent(op))
    if (cake_map_get(&conversion->gone, op, &known)) return true;
  return false;
}

// ---- Undoing -------------------------------------------------------------------------------------------------------

static void destroy(CakeOp *op) {
  cake_op_unlink(op);
  cake_op_destroy(op);
}

static void move_op_back(const LogEntry *entry) {
  if (cake_op_is_buried(entry->op)) return;
  cake_op_unlink(entry->op);
  cake_block_insert(entry->block, entry->next, entry->op);
}

static void move_block_back(const LogEntry *entry) {
  CakeBlock *block = entry->block;
  while (block->n_args > entry->count) // added by a pattern, to a block that it had moved into an op of its own
    cake_block_remove_arg(block, block->n_args - 1);
  cake_block_unlink(block);
  cake_region_insert(entry->from, entry->next_block, block);
}

static void drop_args(CakeConversion *conversion, const LogEntry *entry) {
  cake_map_remove(&conversion->mapping, entry->old);
  for (uint32_t i = 0; i < entry->count; i++)
    cake_block_remove_arg(entry->block, entry->block->n_args - 1);
}

static void undo_one(CakeConversion *conversion, const LogEntry *entry) {
  CakeOp *op = entry->op;
  switch (entry->kind) {
  case LOG_MADE:
    if (!op) break;
    cake_map_remove(&conversion->made, op);
    destroy(op);
    break;
  case LOG_MADE_BLOCK:
    if (!entry->block) break;
    cake_map_remove(&conversion->made, entry->block);
    cake_block_unlink(entry->block);
    cake_block_destroy(entry->block);
    break;
  case LOG_REPLACED:
    for (uint32_t i = 0; i < op->n_results; i++)
      cake_map_remove(&conversion->mapping, &op->results[i]);
    cake_map_remove(&conversion->gone, op);
    break;
  case LOG_ERASED: cake_map_remove(&conversion->gone, op); break;
  case LOG_ERASED_BLOCK: break;
  case LOG_ATTR:
    conversion->is_internal = true;
    cake_rewriter_set_attr(&conversion->rewriter, op, entry->name, entry->attr);
    conversion->is_internal = false;
    break;
  case LOG_MOVED: move_op_back(entry); break;
  case LOG_MOVED_BLOCK: move_block_back(entry); break;
  case LOG_ARG: drop_args(conversion, entry); break;
  }
}

void cake_conversion_undo(CakeConversion *conversion, size_t mark) {
  while (conversion->log.len > mark) {
    LogEntry entry = conversion->log.data[--conversion->log.len];
    undo_one(conversion, &entry);
  }
}

// ---- Committing ----------------------------------------------------------------------------------------------------

// The rewriter goes behind the definition of a value.
static void stand_behind(CakeRewriter *rewriter, CakeValue *value) {
  if (value->is_argument)
    cake_rewriter_set_start(rewriter, cake_arg_owner(value));
  else
    cake_rewriter_set_after(rewriter, cake_result_owner(value));
}

// The old value anew for a user: what stands for it, as one value of its type.
static CakeValue *old_value_for(CakeConversion *conversion, const CakeValue *old, CakeValueList values, CakeOp *user) {
  if (values.count == 1)
    stand_behind(&conversion->rewriter, values.values[0]); // for all users
  else
    cake_rewriter_set_before(&conversion->rewriter, user);
  return cake_conversion_cast(conversion, values, &old->type, 1).values[0];
}

// Ops that stay and still use an old value get what stands for it, as a value of the old type.
static void replace_value(CakeConversion *conversion, CakeValue *old) {
  CakeValueList values = cake_conversion_lookup(conversion, old);
  CakeValue *cast = NULL;
  CakeOp *user = NULL; // that `cast` is made for
  for (CakeUse *use = old->first_use, *next; use; use = next) {
    next = use->next;
    if (cake_conversion_is_gone(conversion, use->owner)) continue;
    if (!cast || (values.count != 1 && user != use->owner)) cast = old_value_for(conversion, old, values, use->owner);
    user = use->owner;
    cake_rewriter_set_operand(&conversion->rewriter, use->owner, cake_use_index(use), cast);
  }
}

static void replace_values(CakeConversion *conversion) {
  for (size_t i = 0, count = conversion->log.len; i < count; i++) {
    LogEntry entry = conversion->log.data[i];
    if (entry.kind == LOG_ARG) replace_value(conversion, entry.old);
    for (uint32_t k = 0; entry.kind == LOG_REPLACED && k < entry.op->n_results; k++)
      replace_value(conversion, &entry.op->results[k]);
  }
}

static bool is_gone_entry(const LogEntry *entry) {
  return entry->kind == LOG_REPLACED || entry->kind == LOG_ERASED;
}

// The outermost of what is gone; what it holds goes with it.
static void erase_gone(CakeConversion *conversion) {
  CAKE_VEC(CakeOp *) ops = {0};
  for (size_t i = 0; i < conversion->log.len; i++) {
    CakeOp *op = is_gone_entry(&conversion->log.data[i]) ? conversion->log.data[i].op : NULL;
    if (op && !cake_conversion_is_gone(conversion, cake_op_parent(op))) CAKE_PUSH(&ops, op);
  }
  for (size_t i = 0; i < ops.len; i++)
    cake_op_drop_references(ops.data[i]);
  for (size_t i = ops.len; i-- > 0;)
    cake_rewriter_erase(&conversion->rewriter, ops.data[i]);
  CAKE_VEC_FINI(&ops);
}

static void remove_old_args(CakeConversion *conversion) {
  for (size_t i = 0; i < conversion->log.len; i++) {
    const LogEntry *entry = &conversion->log.data[i];
    if (entry->kind == LOG_ARG && entry->block)
      cake_rewriter_remove_arg(&conversion->rewriter, entry->block, entry->old->index);
  }
}

// Whether a block goes with an op that is gone.
static bool is_block_gone(const CakeConversion *conversion, const CakeBlock *block) {
  return cake_conversion_is_gone(conversion, cake_block_parent(block));
}

static void erase_blocks(CakeConversion *conversion) {
  for (size_t i = 0; i < conversion->log.len; i++) {
    const LogEntry *entry = &conversion->log.data[i];
    if (entry->kind == LOG_ERASED_BLOCK && entry->block) cake_rewriter_erase_block(&conversion->rewriter, entry->block);
  }
}

void cake_conversion_commit(CakeConversion *conversion) {
  conversion->is_internal = true;
  replace_values(conversion);
  // What is in an op that is gone goes with it.
  for (size_t i = 0; i < conversion->log.len; i++) {
    LogEntry *entry = &conversion->log.data[i];
    if (entry->kind == LOG_MADE && entry->op && cake_conversion_is_gone(conversion, entry->op)) entry->op = NULL;
    bool has_block = (entry->kind == LOG_ARG || entry->kind == LOG_ERASED_BLOCK) && entry->block;
    if (has_block && is_block_gone(conversion, entry->block)) entry->block = NULL;
  }
  erase_gone(conversion);
  remove_old_args(conversion);
  erase_blocks(conversion);
  cake_conversion_clean_casts(conversion);
}
