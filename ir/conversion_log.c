// What a conversion has done, how it is undone, and how it becomes final.
#include "conversion.h"

#include <assert.h>

// ---- Recording -----------------------------------------------------------------------------------------------------

CakeRewriter *cake_conversion_rewriter(CakeConversion *conversion) {
  return &conversion->rewriter;
}

const CakeTypeConverter *cake_conversion_types(const CakeConversion *conversion) {
  return conversion->options->types;
}

CakeType cake_conversion_type(const CakeConversion *conversion, CakeType type) {
  const CakeTypeConverter *types = conversion->options->types;
  return types ? types->convert(types, type) : type;
}

static void mark_gone(CakeConversion *conversion, CakeOp *op, LogKind kind) {
  cake_map_set(&conversion->gone, op, 1);
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = kind, .op = op}));
}

void cake_conversion_replace(CakeConversion *conversion, CakeOp *op, CakeValue *const *values) {
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_map_set(&conversion->mapping, &op->results[i], (uintptr_t)values[i]);
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
  if (!source->first) return;
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_REGION, .from = source, .to = target, .first = source->first}));
  cake_rewriter_take_region(&conversion->rewriter, target, source);
}

bool cake_conversion_convert_args(CakeConversion *conversion, CakeBlock *block) {
  uint32_t count = block->n_args;
  for (uint32_t i = 0; i < count; i++) {
    CakeValue *old = block->args[i];
    CakeType type = cake_conversion_type(conversion, old->type);
    if (!type) return false;
    CakeValue *new_arg = cake_block_add_arg(block, type, cake_value_loc(old));
    new_arg->name = old->name;
    cake_map_set(&conversion->mapping, old, (uintptr_t)new_arg);
    CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_ARG, .block = block, .old = old, .new_arg = new_arg}));
  }
  conversion->rewriter.changes += count;
  return true;
}

// ---- Asking --------------------------------------------------------------------------------------------------------

CakeValue *cake_conversion_lookup(const CakeConversion *conversion, CakeValue *value) {
  uintptr_t next;
  while (cake_map_get(&conversion->mapping, value, &next))
    value = (CakeValue *)next;
  return value;
}

bool cake_conversion_is_gone(const CakeConversion *conversion, const CakeOp *op) {
  uintptr_t known;
  for (; op && op != conversion->root; op = cake_op_parent(op))
    if (cake_map_get(&conversion->gone, op, &known)) return true;
  return false;
}

CakeValue *cake_conversion_cast(CakeConversion *conversion, CakeValue *value, CakeType to) {
  if (value->type == to) return value;
  const CakeTypeConverter *types = conversion->options->types;
  size_t first = conversion->log.len;
  CakeValue *cast = types && types->materialize ? types->materialize(&conversion->rewriter, value, to) : NULL;
  if (!cast) cast = cake_build_unary(&conversion->rewriter, "builtin.unrealized_conversion_cast", to, value);
  for (size_t i = first; i < conversion->log.len; i++)
    conversion->log.data[i].is_cast = true;
  return cast;
}

// ---- Undoing -------------------------------------------------------------------------------------------------------

static void destroy(CakeOp *op) {
  cake_op_unlink(op);
  cake_op_destroy(op);
}

static void move_back(const LogEntry *entry) {
  for (CakeBlock *block = entry->first, *next; block; block = next) {
    next = block->next;
    cake_block_unlink(block);
    cake_region_append(entry->from, block);
  }
}

static void undo_one(CakeConversion *conversion, const LogEntry *entry) {
  CakeOp *op = entry->op;
  switch (entry->kind) {
  case LOG_MADE:
    if (!op) break;
    cake_map_remove(&conversion->made, op);
    destroy(op);
    break;
  case LOG_REPLACED:
    for (uint32_t i = 0; i < op->n_results; i++)
      cake_map_remove(&conversion->mapping, &op->results[i]);
    cake_map_remove(&conversion->gone, op);
    break;
  case LOG_ERASED: cake_map_remove(&conversion->gone, op); break;
  case LOG_ATTR:
    conversion->is_internal = true;
    cake_rewriter_set_attr(&conversion->rewriter, op, entry->name, entry->attr);
    conversion->is_internal = false;
    break;
  case LOG_REGION: move_back(entry); break;
  case LOG_ARG:
    cake_map_remove(&conversion->mapping, entry->old);
    cake_block_remove_arg(entry->block, entry->new_arg->index);
    break;
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

// Ops that stay and still use an old value get what stands for it, as a value of the old type.
static void replace_value(CakeConversion *conversion, CakeValue *old) {
  CakeValue *value = cake_conversion_lookup(conversion, old), *cast = NULL;
  for (CakeUse *use = old->first_use, *next; use; use = next) {
    next = use->next;
    if (cake_conversion_is_gone(conversion, use->owner)) continue;
    if (!cast) {
      stand_behind(&conversion->rewriter, value);
      cast = cake_conversion_cast(conversion, value, old->type);
    }
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

static CakeOp *as_cast(CakeOp *op) {
  return op && cake_op_is(op, "builtin.unrealized_conversion_cast") && op->n_operands == 1 && op->n_results == 1 ? op
                                                                                                                 : NULL;
}

// A cast there and back is nothing, and one that nobody uses goes.
static void clean_casts(CakeConversion *conversion) {
  for (size_t i = conversion->log.len; i-- > 0;) {
    const LogEntry *entry = &conversion->log.data[i];
    CakeOp *cast = entry->kind == LOG_MADE && entry->is_cast ? as_cast(entry->op) : NULL;
    CakeOp *inner = cast ? as_cast(cake_value_def(cake_op_operand(cast, 0))) : NULL;
    if (inner && cake_op_operand(inner, 0)->type == cast->results[0].type)
      cake_rewriter_replace_uses(&conversion->rewriter, &cast->results[0], cake_op_operand(inner, 0));
  }
  for (size_t i = conversion->log.len; i-- > 0;) {
    const LogEntry *entry = &conversion->log.data[i];
    bool is_unused = entry->kind == LOG_MADE && entry->is_cast && entry->op && cake_op_is_pure(entry->op);
    for (uint32_t k = 0; is_unused && k < entry->op->n_results; k++)
      is_unused = !entry->op->results[k].first_use;
    if (is_unused) cake_rewriter_erase(&conversion->rewriter, entry->op);
  }
}

void cake_conversion_commit(CakeConversion *conversion) {
  conversion->is_internal = true;
  replace_values(conversion);
  // What is in an op that is gone goes with it.
  for (size_t i = 0; i < conversion->log.len; i++) {
    LogEntry *entry = &conversion->log.data[i];
    if (entry->kind == LOG_MADE && entry->op && cake_conversion_is_gone(conversion, entry->op)) entry->op = NULL;
    if (entry->kind == LOG_ARG && cake_conversion_is_gone(conversion, cake_block_parent(entry->block)))
      entry->block = NULL;
  }
  erase_gone(conversion);
  remove_old_args(conversion);
  clean_casts(conversion);
}
