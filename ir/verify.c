// The verifier: every op under a root, without recursion, and the uses of each isolated op when it is left.
//
// As in MLIR, an op's own hook runs only when its rows and traits hold, its region hook only when everything inside is
// fine, and uses are checked once the structure is, for each isolated op alone. Of most it is seen at once that they are
// fine: while the op is in the cache, and without a dominator tree.
#include "core.h"

// ---- Regions -------------------------------------------------------------------------------------------------------

static bool verify_region_count(CakeOp *op, const CakeOpDef *def) {
  uint32_t least = 0;
  bool is_open = false;
  for (uint32_t i = 0; i < def->n_regions; i++) {
    least += def->regions[i].arity == CAKE_SINGLE;
    is_open |= def->regions[i].arity == CAKE_VARIADIC;
  }
  if (op->n_regions == least || (is_open && op->n_regions > least)) return true;
  if (op->n_regions == least + 1 && def->n_regions > least) return true; // an optional one
  if (is_open)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "expected %u or more regions, but found %u", least, op->n_regions);
  if (least == 0) return cake_error(op, CAKE_CODE_IR_REGIONS, "requires zero regions, but found %u", op->n_regions);
  if (least == 1) return cake_error(op, CAKE_CODE_IR_REGIONS, "requires one region, but found %u", op->n_regions);
  return cake_error(op, CAKE_CODE_IR_REGIONS, "expected %u regions, but found %u", least, op->n_regions);
}

// The row of a region: the last row counts for all behind it.
static const CakeRegionDef *region_row(const CakeOpDef *def, uint32_t index) {
  if (!def || def->n_regions == 0) return NULL;
  return &def->regions[index < def->n_regions ? index : def->n_regions - 1U];
}

static bool verify_region_shape(CakeOp *op, uint32_t index) {
  const CakeRegion *region = cake_op_region(op, index);
  const CakeRegionDef *row = region_row(op->info->def, index);
  if (row && row->single_block && region->first != region->last) {
    return cake_error(op, CAKE_CODE_IR_REGIONS, "expects region #%u to have 0 or 1 blocks", index);
  }
  if (row && row->single_block && !row->may_be_empty && !region->first) {
    return cake_error(op, CAKE_CODE_IR_REGIONS, "region #%u ('%s') failed to verify constraint: region with 1 blocks",
                      index, row->name);
  }
  if (region->first && region->first->first_use) {
    return cake_error_at(op->context, op->loc, CAKE_CODE_IR_REGIONS, "entry block of region may not have predecessors");
  }
  return true;
}

// Whether a block of this op may end without a terminator.
static bool may_lack_terminator(const CakeOp *op, const CakeRegion *region) {
  if (op->info->def) return (op->info->def->traits & CAKE_TRAIT_NO_TERMINATOR) != 0;
  return region->first == region->last;
}

static bool verify_block_end(CakeOp *op, const CakeRegion *region, const CakeBlock *block) {
  const CakeOp *last = block->last;
  if (may_lack_terminator(op, region)) return true;
  if (!last) {
    return cake_error_at(op->context, op->loc, CAKE_CODE_IR_REGIONS, "empty block: expect at least a terminator");
  }
  if (last->info->def && !(last->info->def->traits & CAKE_TRAIT_TERMINATOR)) {
    return cake_error_at(op->context, last->loc, CAKE_CODE_IR_REGIONS, "block with no terminator, has '%.*s'",
                         CAKE_STR_ARG(cake_op_name(last)));
  }
  return true;
}

bool cake_verify_regions_of(CakeOp *op) {
  bool ok = !op->info->def || verify_region_count(op, op->info->def);
  for (uint32_t i = 0; i < op->n_regions; i++) {
    const CakeRegion *region = cake_op_region(op, i);
    ok &= verify_region_shape(op, i);
    for (const CakeBlock *block = region->first; block; block = block->next)
      ok &= verify_block_end(op, region, block);
  }
  return ok;
}

// With an implicit terminator every block ends with it. Looked at when all inside is fine: a terminator in the wrong place
// has been reported by then.
static bool verify_implicit_end(CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  if (!(def->traits & CAKE_TRAIT_IMPLICIT_END) || !def->end) return true;
  bool ok = true;
  for (uint32_t i = 0; i < op->n_regions; i++) {
    for (const CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next) {
      if (!block->last || cake_op_is(block->last, def->end)) continue;
      CakeDiagnostic *diagnostic =
          cake_error_begin(op, CAKE_CODE_IR_REGIONS, "expects regions to end with '%s', found '%.*s'", def->end,
                           CAKE_STR_ARG(cake_op_name(block->last)));
      cake_diag_note(op->context, diagnostic, block->last->loc,
                     "in custom textual format, the absence of terminator implies '%s'", def->end);
      ok = cake_diag_emit(op->context, diagnostic);
    }
  }
  return ok;
}

// ---- The walk ------------------------------------------------------------------------------------------------------

// An op that was entered and not yet left.
typedef struct Entered {
  CakeOp *op;
  bool is_fine;           // everything so far, what is inside included
  size_t n_unclear;       // ops in front of it whose uses take a closer look
  const CakeBlock *entry; // Verifier.entry around it
} Entered;

typedef struct Verifier {
  CakeOp *root;
  CAKE_VEC(Entered) stack;
  CAKE_VEC(CakeOp *) unclear; // ops inside of those on the stack, with uses that are not seen to be fine at once
  bool are_uses_fine;         // those that were looked at
  const CakeBlock
      *entry; // the first block of the isolated op around, whose arguments everything inside sees; NULL: not known
} Verifier;

// Whether the op has the types and inherent attributes of the last one of its name that was fine. What its rows and
// traits demand of them then holds for it, too.
bool cake_op_is_known(const CakeOp *op) {
  const CakeOpInfoStorage *info = (const CakeOpInfoStorage *)op->info;
  const void *const *signature = info->signature;
  if (!info->info.def || op->n_operands != info->n_signed_operands || op->n_results != info->n_signed_results)
    return false;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (!op->operands[i].value || op->operands[i].value->type != *signature++) return false;
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (op->results[i].type != *signature++) return false;
  }
  for (uint32_t i = 0; i < op->info->n_props; i++) {
    if (cake_op_prop(op, i) != *signature++) return false;
  }
  return op->n_operands + op->n_results + op->info->n_props > 0;
}

static void learn(const CakeOp *op) {
  CakeOpInfoStorage *info = (CakeOpInfoStorage *)op->info;
  if (!info->info.def || (uint64_t)op->n_operands + op->n_results + op->info->n_props > CAKE_SIGNATURE) return;
  const void **signature = info->signature;
  for (uint32_t i = 0; i < op->n_operands; i++)
    *signature++ = op->operands[i].value->type;
  for (uint32_t i = 0; i < op->n_results; i++)
    *signature++ = op->results[i].type;
  for (uint32_t i = 0; i < op->info->n_props; i++)
    *signature++ = cake_op_prop(op, i);
  info->n_signed_operands = op->n_operands;
  info->n_signed_results = op->n_results;
}

static bool enter(CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  bool known = cake_op_is_known(op);
  bool ok = cake_verify_rows(op, known) && cake_verify_traits(op, known);
  if (ok && !known) learn(op);
  if (op->n_regions || (def && def->n_regions)) ok &= cake_verify_regions_of(op);
  if (ok && cake_op_has_trait(op, CAKE_TRAIT_SYMBOL_TABLE)) ok = cake_verify_symbol_table(op);
  return ok && def && def->verify ? def->verify(op) : ok;
}

// True when the structure of the op and of everything inside is fine.
static bool leave(Verifier *verifier) {
  Entered entered = verifier->stack.data[--verifier->stack.len];
  verifier->entry = entered.entry;
  const CakeOpDef *def = entered.op->info->def;
  if (entered.is_fine && def) entered.is_fine = verify_implicit_end(entered.op);
  if (entered.is_fine && def && def->verify_regions) entered.is_fine = def->verify_regions(entered.op);
  if (verifier->stack.len) verifier->stack.data[verifier->stack.len - 1].is_fine &= entered.is_fine;
  if (entered.op != verifier->root && !cake_op_has_trait(entered.op, CAKE_TRAIT_ISOLATED)) return entered.is_fine;
  size_t first = entered.n_unclear, count = verifier->unclear.len - first;
  if (entered.is_fine && count)
    verifier->are_uses_fine &= cake_verify_uses(entered.op, verifier->unclear.data + first, count);
  verifier->unclear.len = first;
  return entered.is_fine;
}

// Whether something is left to do behind the op's regions, even if it has none.
static bool has_region_checks(const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  return def && (def->verify_regions || (def->traits & CAKE_TRAIT_IMPLICIT_END));
}

static void enter_regions(Verifier *verifier, CakeOp *op, bool is_fine) {
  CAKE_PUSH(&verifier->stack, (Entered){op, is_fine, verifier->unclear.len, verifier->entry});
  if (cake_op_has_trait(op, CAKE_TRAIT_ISOLATED))
    verifier->entry = op->n_regions == 1 ? cake_op_region(op, 0)->first : NULL;
}

bool cake_verify(CakeOp *root) {
  Verifier verifier = {.root = root, .are_uses_fine = true};
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    while (verifier.stack.len && verifier.stack.data[verifier.stack.len - 1].op != cake_op_parent(op))
      leave(&verifier);
    bool is_fine = enter(op);
    if (op != root && op->n_operands && !cake_op_uses_are_clear(op, verifier.entry)) CAKE_PUSH(&verifier.unclear, op);
    if (op->n_regions || op == root || has_region_checks(op))
      enter_regions(&verifier, op, is_fine);
    else
      verifier.stack.data[verifier.stack.len - 1].is_fine &= is_fine;
  }
  bool is_root_fine = true;
  while (verifier.stack.len)
    is_root_fine = leave(&verifier);
  CAKE_VEC_FINI(&verifier.stack);
  CAKE_VEC_FINI(&verifier.unclear);
  return is_root_fine && verifier.are_uses_fine;
}

bool cake_verifies(const CakeOp *op) {
  CakeContext *context = op->context;
  CakeDiagnosticFn handler;
  void *user;
  size_t n_errors = context->n_errors;
  cake_context_set_handler(context, NULL, NULL, &handler, &user);
  bool is_fine = cake_verify((CakeOp *)(uintptr_t)op); // it is only read
  cake_context_set_handler(context, handler, user, NULL, NULL);
  context->n_errors = n_errors;
  return is_fine;
}
