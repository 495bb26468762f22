// schedule-reuse: the left operand of a product that a loop does not change is read once, and stays in registers.
//
// Two shapes of it: a load in the loop whose place does not depend on the loop goes in front of it; and a part of a slot that is held around the
// loop, and that wgmma reads anew in each step, is read into a fragment first, so that the slot goes back before the loop.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"

// ---- A load in the loop --------------------------------------------------------------------------------------------

static bool is_inside(const CakeValue *value, CakeOp *loop) {
  CakeBlock *block = cake_value_block(value);
  return block && cake_op_is_ancestor(loop, cake_block_parent(block));
}

static bool is_invariant(const CakeOp *load, CakeOp *loop) {
  CakeOperandRange idx = cake_cake_load_at_idx(load);
  for (uint32_t i = 0; i < idx.count; i++)
    if (is_inside(idx.first[i].value, loop)) return false;
  return true;
}

static bool hoist_load(CakeSchedule *schedule, CakeOp *load, CakeOp *loop) {
  if (!is_invariant(load, loop))
    return cake_schedule_missed(schedule, load, "the left operand is another one in each step");
  cake_rewriter_move_before(&schedule->rewriter, load, loop);
  return true;
}

// ---- A slot around the loop ----------------------------------------------------------------------------------------

static CakeType registers_type(CakeType view) {
  CakeAttr form = cake_attr_get(view->context, &cake_attr_def_wgmma_a, NULL, 0);
  return cake_fragment_get(cake_shared_element(view), 64, cake_shared_size(view, 1), CAKE_FORM_WHOLE, form);
}

static bool check_view(CakeSchedule *schedule, CakeOp *mma, CakeOp *wait) {
  CakeValue *view = cake_cake_mma_a(mma);
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(mma));
  if (form.a != 'n' || cake_type_width(cake_shared_element(view->type)) != 16)
    return cake_schedule_missed(schedule, mma, "wgmma reads only 16-bit elements, stored by rows, from registers");
  CakeOp *release = cake_schedule_release_of(wait);
  if (!release || release->block != wait->block)
    return cake_schedule_missed(schedule, wait, "its slot is not given back in the block that waits for it");
  if (cake_cake_mma_a_off_idx(mma).count)
    return cake_schedule_missed(schedule, mma, "which part of the slot it reads depends on an index");
  return true;
}

// Reads the product's rows in front of the loop.
static bool read_first(CakeSchedule *schedule, CakeOp *mma, CakeOp *loop) {
  CakeRewriter *rewriter = &schedule->rewriter;
  CakeValue *view = cake_cake_mma_a(mma);
  CakeOp *wait = cake_value_def(view);
  if (!check_view(schedule, mma, wait)) return false;
  CakeAttr off = cake_cake_mma_a_off(mma);
  cake_rewriter_set_before(rewriter, loop);
  CakeValue *read = cake_schedule_get(schedule, view, registers_type(view->type));
  if (off) cake_rewriter_set_attr_text(rewriter, cake_value_def(read), "off", off);
  cake_rewriter_set_attr_text(rewriter, mma, "a_off", NULL);
  cake_rewriter_set_operand(rewriter, mma, 1, read);
  CakeOp *release = cake_schedule_release_of(wait);
  if (cake_cake_release_after(release)) {
    CakeValue *slot = cake_op_operand(release, 0);
    cake_rewriter_set_before(rewriter, release);
    cake_schedule_release(schedule, slot, NULL);
    cake_rewriter_erase(rewriter, release);
    release = cake_schedule_release_of(wait);
  }
  cake_schedule_sink_release(schedule, release);
  return true;
}

// ---- The pass ------------------------------------------------------------------------------------------------------

// True when it applied to this product; remarks otherwise.
static bool reuse_in(CakeSchedule *schedule, CakeOp *mma) {
  CakeOp *loop = cake_op_parent(mma), *def = cake_value_def(cake_cake_mma_a(mma));
  if (!cake_is_cake_op(loop, cake_op_cake_steps))
    return cake_schedule_missed(schedule, mma, "stands in no loop over steps");
  if (def && cake_is_cake_op(def, cake_op_cake_load) && def->block == mma->block)
    return hoist_load(schedule, def, loop);
  bool is_slot = def && cake_is_cake_op(def, cake_op_cake_wait);
  if (is_slot && def->block == loop->block) return read_first(schedule, mma, loop);
  if (is_slot) return cake_schedule_missed(schedule, mma, "the left operand comes in a new slot in each step");
  if (def && !is_inside(cake_cake_mma_a(mma), loop))
    return cake_schedule_missed(schedule, mma, "the left operand stays in registers already");
  return cake_schedule_missed(schedule, mma, "the left operand is computed in each step");
}

static bool reuse(CakeSchedule *schedule) {
  bool has_any = false;
  CakeOp *mma = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_mma);
  if (!mma) return cake_schedule_missed(schedule, schedule->kernel, "has no product");
  for (; mma; mma = cake_schedule_next(schedule->kernel, mma, cake_op_cake_mma))
    has_any |= reuse_in(schedule, mma);
  return has_any;
}

CakePassResult cake_pass_schedule_reuse(CakePassContext *pass, CakeOp *module) {
  return cake_schedule_run(pass, module, reuse);
}
