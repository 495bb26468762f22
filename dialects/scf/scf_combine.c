// scf: two scf.if that become one, and a negated condition.
#include "cake/constants.h"
#include "dialects/scf/scf_hooks.h"
#include "dialects/scf/scf_ops.h"

typedef CAKE_VEC(CakeValue *) ValueVec;

static bool is_if(const CakeOp *op) {
  return op && op->info->def && op->info->def->dialect == &cake_dialect_scf && op->info->def->ordinal == cake_op_scf_if;
}

static CakeBlock *block_of(const CakeOp *op, uint32_t region) {
  return cake_region_entry(cake_op_region(op, region));
}

static CakeOp *yield_of(const CakeOp *op, uint32_t region) {
  CakeBlock *block = block_of(op, region);
  return block ? cake_block_terminator(block) : NULL;
}

// What the value is the negation of; NULL: it is none.
static CakeValue *negated(const CakeValue *value) {
  CakeOp *op = cake_value_def(value);
  CakeAttr one = op && cake_op_is(op, "arith.xori") ? cake_value_constant(cake_op_operand(op, 1)) : NULL;
  return one && cake_attr_is(one, &cake_attr_def_integer) && cake_attr_int_value(one) ? cake_op_operand(op, 0) : NULL;
}

// An op in front of `op` with that condition and empty regions; with the results of `op` behind those of `first`, if there is one.
static CakeOp *make_if(CakeOp *op, CakeRewriter *rewriter, CakeValue *condition, const CakeOp *first) {
  CAKE_VEC(CakeType) types = {0};
  for (uint32_t i = 0; first && i < first->n_results; i++)
    CAKE_PUSH(&types, first->results[i].type);
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&types, op->results[i].type);
  CakeOpState state = {.loc = op->loc,
                       .info = op->info,
                       .operands = &condition,
                       .n_operands = 1,
                       .result_types = types.data,
                       .n_results = types.len,
                       .attrs = first ? NULL : op->attrs,
                       .n_regions = 2};
  cake_rewriter_set_before(rewriter, op);
  CakeOp *made = cake_rewriter_create(rewriter, &state);
  CAKE_VEC_FINI(&types);
  return made;
}

// Its results are those of `made` from `first` on.
static void replace(CakeRewriter *rewriter, CakeOp *op, CakeOp *made, uint32_t first) {
  ValueVec values = {0};
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&values, &made->results[first + i]);
  cake_rewriter_replace(rewriter, op, values.data);
  CAKE_VEC_FINI(&values);
}

// ---- One behind the other ------------------------------------------------------------------------------------------

// Which region of `op` runs when the first region of `previous` does; -1: that is not known.
static int matching_region(const CakeOp *previous, const CakeOp *op) {
  const CakeValue *a = cake_op_operand(previous, 0), *b = cake_op_operand(op, 0);
  if (a == b) return 0;
  return negated(b) == a || negated(a) == b ? 1 : -1;
}

// In the regions of `op`, the results of `previous` are what its matching region yields.
static void use_yielded(CakeOp *previous, CakeOp *op, CakeRewriter *rewriter, int match) {
  for (uint32_t i = 0; i < previous->n_results; i++) {
    for (CakeUse *use = previous->results[i].first_use, *next; use; use = next) {
      next = use->next;
      int region = scf_region_around(op, use->owner);
      if (region < 0) continue;
      CakeValue *yielded = cake_op_operand(yield_of(previous, region == match ? 0 : 1), i);
      cake_rewriter_set_operand(rewriter, use->owner, cake_use_index(use), yielded);
    }
  }
}

// The block of `from` goes behind the ops of `into`, and yields behind what that yields.
static void append_block(CakeRewriter *rewriter, CakeBlock *into, CakeBlock *from) {
  CakeOp *end = cake_block_terminator(into), *behind = cake_block_terminator(from);
  ValueVec yielded = {0};
  for (uint32_t i = 0; i < end->n_operands; i++)
    CAKE_PUSH(&yielded, cake_op_operand(end, i));
  for (uint32_t i = 0; i < behind->n_operands; i++)
    CAKE_PUSH(&yielded, cake_op_operand(behind, i));
  cake_rewriter_inline_block(rewriter, from, end, NULL, 0);
  cake_rewriter_erase(rewriter, behind);
  cake_rewriter_set_operands(rewriter, end, yielded.data, yielded.len, NULL, 0);
  CAKE_VEC_FINI(&yielded);
}

bool scf_if_combine(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *previous = op->prev;
  int match = is_if(previous) ? matching_region(previous, op) : -1;
  if (match < 0) return false;
  use_yielded(previous, op, rewriter, match);
  CakeOp *made = make_if(op, rewriter, cake_op_operand(previous, 0), previous);
  for (uint32_t i = 0; i < 2; i++) {
    CakeRegion *into = cake_op_region(made, i), *from = cake_op_region(op, i ? 1 - (uint32_t)match : (uint32_t)match);
    cake_rewriter_take_region(rewriter, into, cake_op_region(previous, i));
    if (into->first && from->first)
      append_block(rewriter, into->first, from->first);
    else if (from->first)
      cake_rewriter_take_region(rewriter, into, from);
  }
  replace(rewriter, op, made, previous->n_results);
  replace(rewriter, previous, made, 0);
  return true;
}

bool scf_if_swap(CakeOp *op, CakeRewriter *rewriter) {
  CakeValue *condition = block_of(op, 1) ? negated(cake_op_operand(op, 0)) : NULL;
  if (!condition) return false;
  CakeOp *made = make_if(op, rewriter, condition, NULL);
  for (uint32_t i = 0; i < 2; i++)
    cake_rewriter_take_region(rewriter, cake_op_region(made, i), cake_op_region(op, 1 - i));
  replace(rewriter, op, made, 0);
  return true;
}

// ---- One inside of the other ---------------------------------------------------------------------------------------

// The only op in the first region, when other ways through both yield and do nothing else.
static CakeOp *inner_if(const CakeOp *op) {
  CakeOp *inner = block_of(op, 0)->first;
  if (!is_if(inner) || !inner->next || inner->next->next) return NULL;
  bool is_plain = (!block_of(op, 1) || block_of(op, 1)->first == yield_of(op, 1)) &&
                  (!block_of(inner, 1) || block_of(inner, 1)->first == yield_of(inner, 1));
  return is_plain ? inner : NULL;
}

// Whether each result is one of the inner op's, and the same where only the inner condition does not hold. (What is known in front of both is no
// result any more.)
static bool yields_inner(const CakeOp *op, const CakeOp *inner) {
  for (uint32_t i = 0; i < op->n_results; i++) {
    const CakeValue *value = cake_op_operand(yield_of(op, 0), i);
    if (cake_value_def(value) != inner) return false;
    if (cake_op_operand(yield_of(inner, 1), value->index) != cake_op_operand(yield_of(op, 1), i)) return false;
  }
  return true;
}

bool scf_if_merge_inner(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *inner = inner_if(op);
  if (!inner || !yields_inner(op, inner)) return false;
  CakeOp *yield = yield_of(op, 0), *end = yield_of(inner, 0);
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_rewriter_set_operand(rewriter, yield, i, cake_op_operand(end, cake_op_operand(yield, i)->index));
  cake_rewriter_set_before(rewriter, op);
  CakeValue *both = cake_build_binary(rewriter, "arith.andi", cake_op_operand(op, 0), cake_op_operand(inner, 0));
  CakeOp *made = make_if(op, rewriter, both, NULL);
  cake_rewriter_inline_block(rewriter, block_of(inner, 0), inner, NULL, 0);
  cake_rewriter_erase(rewriter, end);
  cake_rewriter_erase(rewriter, inner);
  for (uint32_t i = 0; i < 2; i++)
    cake_rewriter_take_region(rewriter, cake_op_region(made, i), cake_op_region(op, i));
  replace(rewriter, op, made, 0);
  return true;
}
