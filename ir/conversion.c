// Dialect conversion: which ops a target takes, and patterns that are tried, checked and undone until it takes all.
#include "conversion.h"
#include "cake/action.h"
#include "cake/text.h"

#include <string.h>

enum { MAX_DEPTH = 32 };

// ---- The target ----------------------------------------------------------------------------------------------------

static const CakeLegalityRow *find_row(const CakeConversion *conversion, CakeStr name) {
  const char *dot = memchr(name.ptr, '.', name.len);
  CakeStr dialect = {name.ptr, dot ? (size_t)(dot - name.ptr) : 0};
  const CakeLegalityRow *found = NULL;
  for (const CakeLegalityRow *row = conversion->options->target->rows; row->name; row++) {
    bool is_exact = cake_str_is(name, row->name);
    if (is_exact || (!found && cake_str_is(dialect, row->name))) found = row;
    if (is_exact) break;
  }
  return found;
}

static CakeLegality legality_of(CakeConversion *conversion, const CakeOp *op) {
  uintptr_t known;
  if (!cake_map_get(&conversion->rows, op->info, &known)) {
    known = (uintptr_t)find_row(conversion, cake_op_name(op)) | 1; // rows are aligned: 1 is none
    cake_map_set(&conversion->rows, op->info, known);
  }
  const CakeLegalityRow *found = (const CakeLegalityRow *)(known & ~(uintptr_t)1);
  if (!found) return CAKE_UNKNOWN;
  if (found->is_legal) return found->is_legal(op) ? CAKE_LEGAL : CAKE_ILLEGAL;
  return found->legality;
}

// ---- What patterns do ----------------------------------------------------------------------------------------------

// A pattern may do what it likes with what it has made itself.
static bool is_own(const CakeConversion *conversion, const void *op_or_block) {
  uintptr_t place;
  return cake_map_get(&conversion->made, op_or_block, &place) && place >= conversion->attempt;
}

static void on_insert(void *user, CakeOp *op) {
  CakeConversion *conversion = user;
  cake_map_set(&conversion->made, op, conversion->log.len);
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_MADE, .op = op}));
}

static void on_insert_block(void *user, CakeBlock *block) {
  CakeConversion *conversion = user;
  cake_map_set(&conversion->made, block, conversion->log.len);
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_MADE_BLOCK, .block = block}));
}

static void on_move(void *user, CakeOp *op, CakeBlock *from, CakeOp *next) {
  CakeConversion *conversion = user;
  CAKE_PUSH(&conversion->log, ((LogEntry){.kind = LOG_MOVED, .op = op, .block = from, .next = next}));
}

static void on_move_block(void *user, CakeBlock *block, CakeRegion *from, CakeBlock *next) {
  CakeConversion *conversion = user;
  LogEntry entry = {.kind = LOG_MOVED_BLOCK, .block = block, .from = from, .next_block = next, .count = block->n_args};
  CAKE_PUSH(&conversion->log, entry);
}

static void touch(CakeConversion *conversion, CakeOp *op) {
  if (!conversion->is_internal && !conversion->touched) conversion->touched = op;
}

static void on_change(void *user, CakeOp *op) {
  CakeConversion *conversion = user;
  if (!is_own(conversion, op)) touch(conversion, op);
}

// What is erased is forgotten where it was made. NULL: it was there before the pattern ran.
static LogEntry *forget(CakeConversion *conversion, const void *op_or_block) {
  uintptr_t place;
  bool is_mine = conversion->is_internal || is_own(conversion, op_or_block);
  if (!is_mine || !cake_map_get(&conversion->made, op_or_block, &place)) return NULL;
  cake_map_remove(&conversion->made, op_or_block);
  return &conversion->log.data[place];
}

static void on_erase(void *user, CakeOp *op) {
  CakeConversion *conversion = user;
  LogEntry *entry = forget(conversion, op);
  if (entry) entry->op = NULL;
  if (!entry) touch(conversion, op);
}

static void on_erase_block(void *user, CakeBlock *block) {
  CakeConversion *conversion = user;
  LogEntry *entry = forget(conversion, block);
  if (entry) entry->block = NULL;
  if (!entry) touch(conversion, cake_block_parent(block));
}

// ---- One op --------------------------------------------------------------------------------------------------------

typedef enum Outcome { OUTCOME_DECLINED, OUTCOME_DONE, OUTCOME_FAILED } Outcome;

static bool legalize(CakeConversion *conversion, CakeOp *op, CakeBuf *tried);

// The operands as the converter wants them, in the pass's scratch memory. NULL: a type cannot be converted.
static CakeValueList *converted_operands(CakeConversion *conversion, CakeOp *op, CakeBuf *tried) {
  CakeValueList *operands = CAKE_ARENA_ARRAY(conversion->pass->scratch, CakeValueList, op->n_operands + 1);
  CakeTypeVec types = {0};
  bool is_fine = true;
  for (uint32_t i = 0; is_fine && i < op->n_operands; i++) {
    CakeValue *old = cake_op_operand(op, i);
    types.len = 0;
    is_fine = cake_conversion_add_types(conversion, old->type, &types);
    if (!is_fine)
      cake_buf_printf(tried, "the type '%s' of operand #%u cannot be converted", cake_type_text(old->type), i);
    cake_rewriter_set_before(&conversion->rewriter, op);
    if (is_fine)
      operands[i] = cake_conversion_cast(conversion, cake_conversion_lookup(conversion, old), types.data, types.len);
  }
  cake_rewriter_set_before(&conversion->rewriter, op);
  CAKE_VEC_FINI(&types);
  return is_fine ? operands : NULL;
}

static bool call(CakeConversion *conversion, CakeOp *op, const CakeConversionPattern *pattern,
                 const CakeValueList *operands) {
  if (pattern->convert_many) return pattern->convert_many(conversion, op, operands);
  CakeValue **values = CAKE_ARENA_ARRAY(conversion->pass->scratch, CakeValue *, op->n_operands + 1);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (operands[i].count != 1)
      return cake_rewriter_decline(&conversion->rewriter, "operand #%u has become %zu values, and it takes one each", i,
                                   operands[i].count);
    values[i] = operands[i].values[0];
  }
  return pattern->convert(conversion, op, values);
}

// The op may be gone: a pattern has erased it.
static bool blame(CakeConversion *conversion, const CakeOp *op, const CakeConversionPattern *pattern,
                  const char *what) {
  return cake_error_at(conversion->pass->context, op->loc, CAKE_CODE_PASS_FAILED, "'%s' op conversion pattern '%s' %s",
                       op->info->name->text, pattern->name, what);
}

// Whether all that the pattern has made is legal, or can be made so.
static bool legalize_made(CakeConversion *conversion, size_t mark, CakeBuf *tried) {
  for (size_t i = mark; i < conversion->log.len; i++) {
    LogEntry entry = conversion->log.data[i]; // the log grows meanwhile
    if (entry.kind != LOG_MADE || entry.is_cast || !entry.op) continue;
    if (!cake_conversion_is_gone(conversion, entry.op) && !legalize(conversion, entry.op, tried)) return false;
  }
  return true;
}

static Outcome convert(CakeConversion *conversion, CakeOp *op, const CakeConversionPattern *pattern, CakeBuf *tried) {
  size_t mark = conversion->log.len;
  CakeBuf reason = {0};
  CakeValueList *operands = converted_operands(conversion, op, tried);
  uint64_t before = conversion->rewriter.changes;
  size_t done = conversion->log.len, outer = conversion->attempt;
  conversion->rewriter.reason = &reason;
  conversion->attempt = mark;
  bool is_applied = operands && call(conversion, op, pattern, operands);
  conversion->attempt = outer;
  conversion->rewriter.reason = NULL;
  Outcome outcome = is_applied ? OUTCOME_DONE : OUTCOME_DECLINED;
  if (conversion->touched) {
    blame(conversion, op, pattern, "changed an op that is there already: such changes go through cake_conversion_…");
    outcome = OUTCOME_FAILED;
  } else if (conversion->rewriter.fault) {
    blame(conversion, op, pattern, conversion->rewriter.fault);
    outcome = OUTCOME_FAILED;
  } else if (is_applied && conversion->log.len == done && conversion->rewriter.changes == before) {
    blame(conversion, op, pattern, "says that it changed the IR, and changed nothing");
    outcome = OUTCOME_FAILED;
  } else if (is_applied && !legalize_made(conversion, mark, tried)) {
    outcome = OUTCOME_DECLINED;
  } else if (!is_applied && operands) {
    cake_buf_text(tried, reason.len ? reason.data : "does not apply");
  }
  if (outcome != OUTCOME_DONE && !conversion->touched) cake_conversion_undo(conversion, mark);
  cake_buf_fini(&reason);
  return outcome;
}

// The same as an action; what was tried is said in `tried`.
static Outcome attempt(CakeConversion *conversion, CakeOp *op, const CakeConversionPattern *pattern, CakeBuf *tried) {
  static const CakeActionResult results[] = {[OUTCOME_DONE] = CAKE_ACTION_CHANGED,
                                             [OUTCOME_DECLINED] = CAKE_ACTION_UNCHANGED,
                                             [OUTCOME_FAILED] = CAKE_ACTION_FAILED};
  CakeAction action = cake_action("pattern", pattern->name, op);
  if (!cake_action_begin(op->context, &action)) return OUTCOME_DECLINED;
  cake_buf_printf(tried, "%s'%s': ", tried->len ? "; " : "", pattern->name);
  size_t start = tried->len;
  Outcome outcome = convert(conversion, op, pattern, tried);
  CakeStr reason = {tried->data + start, outcome == OUTCOME_DONE ? 0 : tried->len - start};
  cake_action_end(conversion->pass->context, &action, results[outcome], reason);
  return outcome;
}

// Whether an op that a pattern has changed in place is legal now.
static bool is_settled(CakeConversion *conversion, CakeOp *op) {
  return cake_conversion_is_gone(conversion, op) || legality_of(conversion, op) != CAKE_ILLEGAL;
}

static Outcome try_patterns(CakeConversion *conversion, CakeOp *op, CakeBuf *tried) {
  for (size_t i = 0; i < conversion->patterns.len; i++) {
    const RankedPattern *ranked = &conversion->patterns.data[i];
    if (ranked->root && ranked->root != op->info) continue;
    size_t mark = conversion->log.len;
    Outcome outcome = attempt(conversion, op, ranked->pattern, tried);
    if (outcome == OUTCOME_DONE && !is_settled(conversion, op)) {
      cake_buf_printf(tried, "'%s' is still illegal", op->info->name->text);
      cake_conversion_undo(conversion, mark);
      continue;
    }
    if (outcome != OUTCOME_DECLINED) return outcome;
  }
  return OUTCOME_DECLINED;
}

// Makes the op legal. False: it must be and cannot. `tried` says why.
static bool legalize(CakeConversion *conversion, CakeOp *op, CakeBuf *tried) {
  CakeLegality legality = legality_of(conversion, op);
  if (legality == CAKE_LEGAL) return true;
  if (conversion->depth == MAX_DEPTH) {
    cake_buf_printf(tried, "patterns make one another's ops for ever, '%s' among them", op->info->name->text);
    return false;
  }
  conversion->depth++;
  Outcome outcome = try_patterns(conversion, op, tried);
  conversion->depth--;
  if (outcome == OUTCOME_DONE) return true;
  if (outcome == OUTCOME_DECLINED && legality == CAKE_UNKNOWN && !conversion->options->is_full) return true;
  if (conversion->depth) {
    bool is_first = tried->len && tried->data[tried->len - 1] == ' ';
    cake_buf_printf(tried, "%smakes '%s', which is not legal", is_first ? "" : ", ", op->info->name->text);
  }
  return false;
}

// ---- All ops -------------------------------------------------------------------------------------------------------

static bool cannot_convert(CakeConversion *conversion, CakeOp *op, const CakeBuf *tried) {
  bool is_illegal = legality_of(conversion, op) == CAKE_ILLEGAL;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_PASS_FAILED, "cannot be converted, and the target %s",
                                       is_illegal ? "does not have it" : "is not known to have it");
  if (tried->len)
    cake_diag_fix(op->context, d, "tried: %s", tried->data);
  else
    cake_diag_fix(op->context, d, "no pattern is about it");
  return cake_diag_emit(op->context, d);
}

static bool convert_all(CakeConversion *conversion) {
  CAKE_VEC(CakeOp *) ops = {0};
  for (CakeOp *op = conversion->root; (op = cake_op_walk_next(conversion->root, op, false));)
    CAKE_PUSH(&ops, op);
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < ops.len; i++) {
    CakeOp *op = ops.data[i];
    CakeContext *context = op->context; // a pattern that breaks the rules may erase the op
    size_t errors = cake_context_error_count(context);
    CakeBuf tried = {0};
    is_fine = cake_conversion_is_gone(conversion, op) || legalize(conversion, op, &tried);
    if (!is_fine && cake_context_error_count(context) == errors) cannot_convert(conversion, op, &tried);
    cake_buf_fini(&tried);
  }
  CAKE_VEC_FINI(&ops);
  return is_fine;
}

// By benefit, then by place.
static void rank_patterns(CakeConversion *conversion) {
  CakeContext *context = conversion->pass->context;
  for (const CakeConversionPattern *const *p = conversion->options->patterns; *p; p++) {
    RankedPattern ranked = {*p, (*p)->root ? cake_op_info(context, cake_id_text(context, (*p)->root)) : NULL};
    CAKE_PUSH(&conversion->patterns, ranked);
    size_t at = conversion->patterns.len - 1;
    for (; at > 0 && conversion->patterns.data[at - 1].pattern->benefit < ranked.pattern->benefit; at--)
      conversion->patterns.data[at] = conversion->patterns.data[at - 1];
    conversion->patterns.data[at] = ranked;
  }
}

bool cake_convert(CakePassContext *pass, CakeOp *root, const CakeConversionOptions *options) {
  CakeConversion conversion = {.pass = pass, .options = options, .root = root};
  conversion.listener = (CakeListener){.user = &conversion,
                                       .op_inserted = on_insert,
                                       .op_modified = on_change,
                                       .op_erased = on_erase,
                                       .block_inserted = on_insert_block,
                                       .block_erased = on_erase_block,
                                       .op_moved = on_move,
                                       .block_moved = on_move_block};
  conversion.rewriter = cake_rewriter(pass->context, &conversion.listener);
  conversion.rewriter.graves = &conversion.graves;
  conversion.rewriter.scope = pass->rewriter.scope;
  rank_patterns(&conversion);
  bool is_fine = convert_all(&conversion);
  if (is_fine) {
    cake_conversion_commit(&conversion);
    pass->rewriter.changes += conversion.rewriter.changes;
    pass->rewriter.trespass = conversion.rewriter.trespass;
    pass->rewriter.has_erased_regions |= conversion.rewriter.has_erased_regions;
  } else if (!conversion.touched) {
    conversion.is_internal = true;
    cake_conversion_undo(&conversion, 0);
  }
  cake_graves_clear(&conversion.graves, pass->context);
  CAKE_VEC_FINI(&conversion.graves.ops);
  CAKE_VEC_FINI(&conversion.log);
  CAKE_VEC_FINI(&conversion.patterns);
  cake_map_fini(&conversion.rows);
  cake_map_fini(&conversion.made);
  cake_map_fini(&conversion.gone);
  cake_map_fini(&conversion.mapping);
  return is_fine;
}
