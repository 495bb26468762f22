// Rule fragment-loans: a fragment that a wgmma reads from registers is not replaced before its group has completed.
//
// PTX ISA, "wgmma.mma_async": the registers of A may not be changed before wgmma.wait_group says that the group is over.
// A loop that carries the fragment would put the next one into the same registers (ptxas then waits by itself: C7514).
#include "verifier/loans.h"

#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/mma.h"
#include "verifier/rules.h"
#include "verifier/uses.h"

// The carried value that a fragment is, or is cut out of.
static CakeValue *origin_of(CakeValue *value) {
  for (CakeOp *op = cake_value_def(value); op; op = cake_value_def(value)) {
    if (!cake_is_cake_op(op, cake_op_cake_slice) && !cake_is_cake_op(op, cake_op_cake_convert)) return NULL;
    value = cake_op_operand(op, 0);
  }
  return value;
}

// What the loop around a carried value puts in its place for the next round; NULL: no loop carries it.
static CakeValue *next_of(const CakeValue *carried, CakeOp **out_end) {
  CakeBlock *block = cake_arg_owner(carried);
  CakeOp *loop = cake_block_parent(block);
  bool is_loop = loop && loop->info->def && loop->info->def->flow.kind == CAKE_FLOW_LOOP;
  if (!is_loop || !block->last || block->n_args < loop->n_results) return NULL;
  uint32_t first = block->n_args - loop->n_results, operands = block->last->n_operands;
  if (carried->index < first || operands < loop->n_results) return NULL;
  *out_end = block->last;
  return cake_op_operand(block->last, operands - loop->n_results + (carried->index - first));
}

static bool report(CakeOp *mma, CakeOp *end, const CakeValue *fragment) {
  CakeDiagnostic *d =
      cake_error_begin(end, CAKE_CODE_PIPE_LOAN,
                       "puts another fragment in the place of %s in %s, which a matrix multiplication may still read",
                       cake_value_text(fragment), cake_where(end));
  cake_diag_note(end->context, d, mma->loc, "the multiplication that reads it from registers is here");
  cake_diag_fix(end->context, d, "`cake.await %s` in front of it", cake_value_text(&mma->results[0]));
  return cake_diag_emit(end->context, d);
}

static bool check_operand(CakeOp *mma, CakeValue *operand) {
  CakeOp *end = NULL;
  CakeValue *carried = cake_type_is(operand->type, &cake_type_def_tensor) ? origin_of(operand) : NULL;
  CakeValue *next = carried && carried->is_argument ? next_of(carried, &end) : NULL;
  if (!next || next == carried || cake_loan_is_returned(mma, end)) return true;
  return report(mma, end, carried);
}

bool cake_rule_fragment_loans(CakeOp *module) {
  bool ok = true;
  for (CakeOp *mma = NULL; (mma = cake_next_cake_op(module, mma, cake_op_cake_mma));) {
    if (!cake_type_is(mma->results[0].type, &cake_type_def_pending)) continue;
    for (uint32_t i = 0; i < mma->n_operands; i++)
      if (cake_use_is_first(&mma->operands[i])) {
        cake_context_site(mma->context);
        ok &= check_operand(mma, cake_op_operand(mma, i));
      }
  }
  return ok;
}
