// Rules about the views of a slot: they die with it (slot-views), every part is filled before the slot is handed on
// (slot-filled), and a slot is not given back under a matrix instruction (slot-loans).
#include "cake/edit.h"

#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "verifier/loans.h"
#include "verifier/paths.h"
#include "verifier/rules.h"
#include "verifier/uses.h"

// An op that gives a slot and its views, and where the slot ends.
typedef struct Slot {
  CakeOp *op;
  CakeOp *pipeline;
  CakeValue *token;
  bool is_open;
  CakeOp *ends[CAKE_MAX_ENDS];
  size_t n_ends;
} Slot;

static bool slot_of(CakeOp *op, Slot *out) {
  bool is_open = cake_is_cake_op(op, cake_op_cake_acquire);
  if (!is_open && !cake_is_cake_op(op, cake_op_cake_wait)) return false;
  *out = (Slot){.op = op, .pipeline = cake_op_pipeline(op), .token = &op->results[0], .is_open = is_open};
  out->n_ends = cake_value_ends(out->token, out->ends, CAKE_MAX_ENDS);
  if (out->n_ends > CAKE_MAX_ENDS) out->n_ends = 0; // reported by linear-values
  return out->pipeline != NULL;
}

static const char *part_name(const Slot *slot, uint32_t result) {
  CakeAttr parts = cake_cake_pipeline_parts(slot->pipeline);
  return result >= 1 && result - 1 < cake_parts_count(parts) ? cake_parts_name(parts, result - 1)->text : "?";
}

static const char *pipeline_name(const Slot *slot) {
  CakeId name = cake_symbol_name(slot->pipeline);
  return name ? name->text : "?";
}

// Runs a check on every slot of the module.
static bool each_slot(CakeOp *module, bool (*check)(const Slot *slot)) {
  bool ok = true;
  Slot slot;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    if (slot_of(op, &slot)) {
      cake_context_site(op->context);
      ok &= check(&slot);
    }
  return ok;
}

// ---- slot-views ----------------------------------------------------------------------------------------------------

// The end of the slot behind which `op` may run; NULL when it comes before all of them.
static CakeOp *end_before(const Slot *slot, CakeOp *op) {
  for (size_t i = 0; i < slot->n_ends; i++) {
    CakePathOrder order = cake_path_order(slot->ends[i], op);
    if (order == CAKE_PATH_BEFORE || order == CAKE_PATH_INSIDE || order == CAKE_PATH_SAME) return slot->ends[i];
  }
  return NULL;
}

static bool report_dead(const Slot *slot, const CakeValue *view, CakeOp *op, CakeOp *end) {
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_PIPE_VIEW_DEAD,
                                       "uses part '%s' of pipeline '@%s' in %s after its slot was given up",
                                       part_name(slot, view->index), pipeline_name(slot), cake_where(op));
  cake_diag_note(op->context, d, end->loc, "the slot is given up here");
  cake_diag_fix(op->context, d, "move '%.*s' behind this op", CAKE_STR_ARG(cake_op_name(end)));
  if (end->block == op->block) cake_diag_move(d, CAKE_EDIT_MOVE_BEHIND, end, op);
  return cake_diag_emit(op->context, d);
}

// A copy of this slot into the part, which may still be on its way.
static CakeOp *copy_into(const CakeValue *view, const CakeOp *reader) {
  for (const CakeUse *use = view->first_use; use; use = use->next)
    if (use->owner != reader && cake_use_writes(use)) return use->owner;
  return NULL;
}

static bool report_read_of_store(const Slot *slot, const CakeValue *view, CakeOp *op) {
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_PIPE_VIEW_ACCESS, "reads part '%s' of an open slot of pipeline '@%s' in %s",
                       part_name(slot, view->index), pipeline_name(slot), cake_where(op));
  cake_diag_note(op->context, d, slot->op->loc, "the slot is open: it may be written only");
  return cake_diag_emit(op->context, d);
}

static bool report_read(const Slot *slot, const CakeValue *view, CakeOp *op) {
  CakeOp *copy = copy_into(view, op);
  CakeAttr role = cake_cake_pipeline_to(slot->pipeline);
  CakeId to = role ? cake_attr_symbol_root(role) : NULL;
  if (!to) return report_read_of_store(slot, view, op);
  CakeDiagnostic *d =
      copy ? cake_error_begin(op, CAKE_CODE_PIPE_NOT_ARRIVED,
                              "reads part '%s' of pipeline '@%s' in %s before the copy into it has arrived",
                              part_name(slot, view->index), pipeline_name(slot), cake_where(op))
           : cake_error_begin(op, CAKE_CODE_PIPE_VIEW_ACCESS, "reads part '%s' of an open slot of pipeline '@%s' in %s",
                              part_name(slot, view->index), pipeline_name(slot), cake_where(op));
  if (copy) cake_diag_note(op->context, d, copy->loc, "the copy is here");
  cake_diag_note(op->context, d, slot->op->loc, "the slot is open: it may be written only");
  cake_diag_fix(op->context, d, "commit the slot, and read it behind `cake.wait @%s` in role '@%s'",
                pipeline_name(slot), to->text);
  return cake_diag_emit(op->context, d);
}

static bool report_write(const Slot *slot, const CakeValue *view, CakeOp *op) {
  CakeId from = cake_attr_symbol_root(cake_cake_pipeline_from(slot->pipeline));
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_PIPE_VIEW_ACCESS, "writes part '%s' of a full slot of pipeline '@%s' in %s",
                       part_name(slot, view->index), pipeline_name(slot), cake_where(op));
  cake_diag_note(op->context, d, slot->op->loc, "the slot is full: it may be read only");
  cake_diag_fix(op->context, d, "fill it behind `cake.acquire @%s` in role '@%s'", pipeline_name(slot), from->text);
  return cake_diag_emit(op->context, d);
}

static bool check_view(const Slot *slot, const CakeValue *view) {
  bool ok = true;
  for (const CakeUse *use = view->first_use; use; use = use->next) {
    if (cake_use_kind(use) != CAKE_USE_BORROWS || !cake_use_is_first(use)) continue; // reported by linear-values
    CakeOp *end = end_before(slot, use->owner);
    if (end) ok = report_dead(slot, view, use->owner, end);
    if (slot->is_open && cake_use_reads(use)) ok = report_read(slot, view, use->owner);
    if (!slot->is_open && cake_use_writes(use)) ok = report_write(slot, view, use->owner);
  }
  return ok;
}

static bool check_views(const Slot *slot) {
  bool ok = true;
  for (uint32_t i = 1; i < slot->op->n_results; i++)
    ok &= check_view(slot, &slot->op->results[i]);
  return ok;
}

bool cake_rule_slot_views(CakeOp *module) {
  return each_slot(module, check_views);
}

// ---- slot-filled ---------------------------------------------------------------------------------------------------

static bool report_fill(const Slot *slot, uint32_t result, CakePath path) {
  const char *part = part_name(slot, result), *pipeline = pipeline_name(slot), *where = cake_where(slot->op);
  CakeContext *context = slot->op->context;
  CakeDiagnostic *d;
  if (path.kind == CAKE_PATH_NEVER) {
    CakeOp *end = slot->n_ends ? slot->ends[0] : slot->op;
    d = cake_error_begin(end, CAKE_CODE_PIPE_NOT_FILLED,
                         "hands on a slot of pipeline '@%s' in %s whose part '%s' was not filled", pipeline, where,
                         part);
    cake_diag_note(context, d, slot->op->loc, "the slot was taken here");
    cake_diag_fix(context, d, "`cake.copy … -> %s`", cake_value_text(&slot->op->results[result]));
    return cake_diag_emit(context, d);
  }
  if (path.kind == CAKE_PATH_TWICE) {
    d = cake_error_begin(path.second, CAKE_CODE_PIPE_NOT_FILLED,
                         "fills part '%s' of pipeline '@%s' in %s a second time", part, pipeline, where);
    cake_diag_note(context, d, path.first->loc, "it is filled here");
    cake_diag_fix(context, d, "delete one of the two");
    return cake_diag_emit(context, d);
  }
  d = cake_error_begin(path.first, CAKE_CODE_PIPE_NOT_FILLED, "fills part '%s' of pipeline '@%s' in %s %s", part,
                       pipeline, where, path.kind == CAKE_PATH_BRANCH ? "in only some branches" : "inside of a loop");
  cake_diag_note(context, d, slot->op->loc, "the slot was taken here");
  cake_diag_fix(context, d, "fill it once, at the level of the op that took the slot");
  return cake_diag_emit(context, d);
}

static bool check_filled(const Slot *slot) {
  bool ok = true;
  if (!slot->is_open) return true;
  for (uint32_t i = 1; i < slot->op->n_results; i++) {
    CakeOp *fills[CAKE_MAX_ENDS];
    size_t count = 0;
    for (const CakeUse *use = slot->op->results[i].first_use; use; use = use->next)
      if (cake_use_writes(use) && count < CAKE_MAX_ENDS) fills[count++] = use->owner;
    CakePath path = cake_path_count(slot->op->block, fills, count);
    // Tensor memory is filled by the accumulator that the commit waits for.
    if (count == 0 && cake_type_is(slot->op->results[i].type, &cake_type_def_tmem)) continue;
    if (path.kind != CAKE_PATH_ONCE) ok = report_fill(slot, i, path);
  }
  return ok;
}

bool cake_rule_slot_filled(CakeOp *module) {
  return each_slot(module, check_filled);
}

// ---- slot-loans ----------------------------------------------------------------------------------------------------

// Whether the slot is given back only once the group of this multiplication, or a later one, has completed. Commits of tcgen05 arrive in
// order, so that a release behind it always is.
static bool is_released_after(CakeOp *mma, CakeOp *end) {
  if (cake_form_of(cake_cake_mma_form(mma)).family == CAKE_MMA_TCGEN05)
    return cake_is_cake_op(end, cake_op_cake_release) && cake_path_order(mma, end) == CAKE_PATH_BEFORE;
  CakeValue *after = cake_is_cake_op(end, cake_op_cake_release) ? cake_cake_release_after(end) : NULL;
  CakeOp *group = after ? cake_value_def(after) : NULL;
  if (!group || !cake_is_cake_op(group, cake_op_cake_mma) || group->block != mma->block) return false;
  return group == mma || cake_op_is_before(mma, group);
}

static bool report_loan(const Slot *slot, CakeOp *mma, CakeOp *end) {
  CakeDiagnostic *d = cake_error_begin(
      end, CAKE_CODE_PIPE_LOAN, "gives up a slot of pipeline '@%s' in %s that a matrix multiplication may still read",
      pipeline_name(slot), cake_where(end));
  cake_diag_note(end->context, d, mma->loc, "the multiplication that reads it is here");
  cake_diag_fix(end->context, d, "`cake.await %s` before it, or release it `after(%s)`",
                cake_value_text(&mma->results[0]), cake_value_text(&mma->results[0]));
  return cake_diag_emit(end->context, d);
}

static bool check_loan(const Slot *slot, CakeOp *mma) {
  for (size_t i = 0; i < slot->n_ends; i++) {
    CakeOp *end = slot->ends[i];
    CakePathOrder order = cake_path_order(mma, end);
    if (order != CAKE_PATH_BEFORE || is_released_after(mma, end)) continue; // never both, or a dead view
    if (!cake_loan_is_returned(mma, end)) return report_loan(slot, mma, end);
  }
  return true;
}

static bool check_loans(const Slot *slot) {
  bool ok = true;
  for (uint32_t i = 1; i < slot->op->n_results; i++)
    for (const CakeUse *use = slot->op->results[i].first_use; use; use = use->next) {
      CakeOp *op = use->owner;
      if (cake_use_is_first(use) && cake_is_cake_op(op, cake_op_cake_mma) &&
          cake_type_is(op->results[0].type, &cake_type_def_pending))
        ok &= check_loan(slot, op);
    }
  return ok;
}

bool cake_rule_slot_loans(CakeOp *module) {
  return each_slot(module, check_loans);
}
