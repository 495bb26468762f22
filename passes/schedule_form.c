// schedule-form: a product by mma.sync becomes one by wgmma.
//
// Its columns become the instruction's, and its rows 64: tiles of the iterator grow with them. The right operand is read from shared memory, so
// it must have been staged by TMA; the left one too when it is read in the same block, else it stays in registers. Accumulators become
// pending: one that a loop carries on stays in flight from step to step, any other is awaited at once. Slots that the instruction reads are
// given back when it has read them.
#include "passes/passes.h"
#include "passes/schedule_tile.h"

#include "analysis/affine.h"
#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/views.h"

#include <math.h>

typedef struct Product {
  CakeSchedule *schedule;
  CakeOp *mma, *role;
  CakeAttr form;
  CakeMmaForm numbers;
  CakeOp *loop; // that carries the accumulator on; NULL: it starts with 0 each time
  uint32_t carried;
} Product;

// ---- What is there -------------------------------------------------------------------------------------------------

static bool find_product(CakeSchedule *schedule, Product *out) {
  CakeOp *mma = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_mma);
  if (!mma) return cake_schedule_missed(schedule, schedule->kernel, "has no product");
  if (cake_schedule_next(schedule->kernel, mma, cake_op_cake_mma))
    return cake_schedule_missed(schedule, mma, "is one of several products; they would share the role's registers");
  out->mma = mma;
  out->role = cake_op_role(mma);
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(mma));
  if (form.family != CAKE_MMA_MMA)
    return cake_schedule_missed(schedule, mma, "has form %s already", cake_body_text(cake_cake_mma_form(mma)));
  if (form.a != out->numbers.a || form.b != out->numbers.b)
    return cake_schedule_missed(schedule, mma, "its operands are stored as %c%c, but %s reads %c%c", form.a, form.b,
                                cake_body_text(out->form), out->numbers.a, out->numbers.b);
  return true;
}

static bool check_role(const Product *p) {
  CakeRoleShape shape;
  CakeFragment acc;
  cake_fragment_of(p->mma->results[0].type, &acc);
  if (!cake_role_shape(p->role, &shape) || shape.warps != 4 || shape.replicas != 1)
    return cake_schedule_missed(p->schedule, p->role,
                                "wgmma is executed by one warpgroup, but the role has %lld x %lld warps",
                                (long long)shape.replicas, (long long)shape.warps);
  if (acc.warp_rows != 4 || acc.warp_cols != 1)
    return cake_schedule_missed(p->schedule, p->mma,
                                "its rows must be spread over the four warps, as mma.acc<4x1> does");
  return true;
}

// The get that an operand comes from, out of a slot that TMA fills; NULL: remarked.
static CakeOp *operand_get(const Product *p, CakeValue *operand, const char *name) {
  CakeOp *get = cake_value_def(operand), *wait = NULL, *copy = NULL;
  if (get && cake_is_cake_op(get, cake_op_cake_get)) wait = cake_value_def(cake_cake_get_view(get));
  if (!wait || !cake_is_cake_op(wait, cake_op_cake_wait) || !cake_value_has_one_use(operand) ||
      cake_cake_get_off(get)) {
    cake_schedule_missed(p->schedule, p->mma, "operand %s is no whole part of a slot; schedule-stage makes it one",
                         name);
    return NULL;
  }
  for (copy = cake_schedule_next(p->schedule->kernel, NULL, cake_op_cake_copy); copy;
       copy = cake_schedule_next(p->schedule->kernel, copy, cake_op_cake_copy))
    if (cake_op_pipeline(cake_value_def(cake_cake_copy_view(copy))) == cake_op_pipeline(wait) &&
        cake_via_of(cake_cake_copy_via(copy)) == CAKE_VIA_CP_ASYNC &&
        cake_cake_copy_view(copy)->index == cake_cake_get_view(get)->index) {
      cake_schedule_missed(p->schedule, copy, "wgmma reads only what TMA has written; operand %s comes by cp_async",
                           name);
      return NULL;
    }
  return get;
}

// What is in flight behind the loop is the product of its last step, so there must be one: the guard says so.
static bool has_steps(const Product *p) {
  CakeAttr extent = cake_axes_extent(cake_cake_tiles_steps(cake_op_tiles(p->loop)), 0);
  CakeAttr from = cake_cake_steps_from(p->loop);
  if (!from && cake_expr_least(p->loop, extent) >= 1) return true;
  return cake_schedule_missed(p->schedule, p->loop, "the loop may have no step; a guard such as `K ge 1` promises one");
}

// How the accumulator starts: with 0 each time, or with what the loop carries on from 0.
static bool find_chain(Product *p) {
  CakeValue *acc = cake_cake_mma_acc(p->mma), *result = &p->mma->results[0];
  if (cake_schedule_is_zero(acc)) return true;
  CakeOp *loop = acc->is_argument ? cake_block_parent(cake_arg_owner(acc)) : NULL;
  CakeOp *yield = p->mma->block->last;
  bool is_carried = loop && cake_is_cake_op(loop, cake_op_cake_steps) && cake_arg_owner(acc) == p->mma->block;
  uint32_t i = is_carried ? acc->index - (cake_arg_owner(acc)->n_args - loop->n_operands) : 0;
  if (!is_carried || cake_op_operand(yield, i) != result || !cake_value_has_one_use(result) ||
      !cake_value_has_one_use(acc))
    return cake_schedule_missed(p->schedule, p->mma,
                                "its accumulator is neither 0 nor handed on by a loop that does nothing else with it");
  if (!cake_schedule_is_zero(cake_op_operand(loop, i)))
    return cake_schedule_missed(p->schedule, loop, "the accumulator does not start with 0");
  p->loop = loop;
  p->carried = i;
  return has_steps(p);
}

// ---- Types ---------------------------------------------------------------------------------------------------------

typedef struct Renaming {
  CakeAttr acc;  // #cake.wgmma.acc
  int64_t group; // of running bests; 0: as it is
} Renaming;

static CakeAttr rename_form(void *user, CakeAttr attr) {
  return attr->def == &cake_attr_def_mma_acc ? ((const Renaming *)user)->acc : attr;
}

static CakeType rename_best(void *user, CakeType type) {
  const Renaming *renaming = user;
  CakeParam params[8];
  if (!cake_type_is(type, &cake_type_def_best) || !renaming->group) return type;
  for (size_t i = 0; i < 8; i++)
    params[i] = type->params[i];
  params[6] = cake_param_int(renaming->group);
  return cake_type_get(type->context, type->def, params, 8);
}

static void rename_value(Product *p, const CakeSubstitution *substitution, CakeValue *value) {
  CakeType type = cake_type_substitute(value->type, substitution);
  if (type != value->type) cake_rewriter_set_type(&p->schedule->rewriter, value, type);
}

// All of the role's accumulators, rows, columns and running bests become the warpgroup's.
static void rename_role(Product *p) {
  Renaming renaming = {cake_attr_get(p->role->context, &cake_attr_def_wgmma_acc, NULL, 0),
                       cake_pass_option_int(p->schedule->pass->pass, "group")};
  CakeSubstitution substitution = {.map_type = rename_best, .map_attr = rename_form, .user = &renaming};
  for (CakeOp *op = p->role; op; op = cake_op_walk_next(p->role, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      rename_value(p, &substitution, &op->results[i]);
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
        for (uint32_t i = 0; i < block->n_args; i++)
          rename_value(p, &substitution, block->args[i]);
  }
  cake_rewriter_set_attr_text(&p->schedule->rewriter, p->role, "warps", NULL);
  cake_rewriter_set_attr_text(&p->schedule->rewriter, p->role, "warpgroups", cake_expr_const(p->role->context, 1));
}

static CakeType pending_type(const Product *p, CakeType acc) {
  CakeContext *context = acc->context;
  CakeParam params[] = {cake_param_type(cake_type_element(acc)), cake_param_attr(cake_type_encoding(acc)),
                        cake_param_attr(cake_expr_const(context, 64)),
                        cake_param_attr(cake_expr_const(context, p->numbers.n))};
  return cake_type_get(context, &cake_type_def_pending, params, 4);
}

// ---- The new product -----------------------------------------------------------------------------------------------

// In the block of the product the slot is read in place; one that was read before stays in registers.
static CakeValue *left_operand(Product *p, CakeOp *get) {
  if (get->block == p->mma->block) return cake_cake_get_view(get);
  CakeFragment a;
  cake_fragment_of(get->results[0].type, &a);
  CakeAttr form = cake_attr_get(get->context, &cake_attr_def_wgmma_a, NULL, 0);
  cake_rewriter_set_type(&p->schedule->rewriter, &get->results[0],
                         cake_fragment_get(a.element, a.rows, a.cols, CAKE_FORM_WHOLE, form));
  return &get->results[0];
}

static void erase_unused(Product *p, CakeOp *op) {
  for (uint32_t i = 0; op && i < op->n_results; i++)
    if (op->results[i].first_use) return;
  if (op) cake_rewriter_erase(&p->schedule->rewriter, op);
}

// The slot goes back when the product has read it: in a chain behind the group of the next step, else behind the await.
static void place_release(Product *p, CakeOp *wait, CakeValue *pending) {
  CakeOp *release = cake_schedule_release_of(wait);
  if (!release) return; // carried on: the verifier says what it thinks
  if (p->loop && release->block == p->mma->block && !cake_cake_release_after(release)) {
    cake_rewriter_set_before(&p->schedule->rewriter, release);
    CakeValue *slot = cake_op_operand(release, 0);
    cake_rewriter_erase(&p->schedule->rewriter, release);
    cake_schedule_release(p->schedule, slot, pending);
    release = cake_schedule_release_of(wait);
  }
  cake_schedule_sink_release(p->schedule, release);
}

// Rows and columns are read where they are first needed: registers are short while the product runs.
static void sink_gets(Product *p) {
  for (CakeOp *op = p->mma->block->first, *next; op; op = next) {
    next = op->next;
    CakeOp *first = NULL;
    if (!cake_is_cake_op(op, cake_op_cake_get)) continue;
    for (const CakeUse *use = op->results[0].first_use; use; use = use->next) {
      CakeOp *user = cake_schedule_op_in(op->block, use->owner);
      if (!first || cake_op_is_before(user, first)) first = user;
    }
    if (first && first != op->next) cake_rewriter_move_before(&p->schedule->rewriter, op, first);
  }
}

static CakeValue *build_product(Product *p, CakeValue *a, CakeValue *b, CakeType pending) {
  CakeRewriter *rewriter = &p->schedule->rewriter;
  cake_rewriter_set_before(rewriter, p->mma);
  CakeValue *acc = p->loop ? cake_cake_mma_acc(p->mma) : cake_schedule_zero(p->schedule, pending);
  CakeOp *made = cake_schedule_mma(p->schedule, acc, a, b, p->form);
  CakeValue *result = &made->results[0];
  if (!p->loop) result = cake_schedule_await(p->schedule, result, p->mma->results[0].type);
  result->name = p->mma->results[0].name;
  cake_rewriter_replace(rewriter, p->mma, &result);
  p->mma = made;
  return &made->results[0];
}

// The loop carries the pending accumulator instead of its value, which is awaited behind it.
static void carry_pending(Product *p, CakeType acc, CakeType pending) {
  CakeRewriter *rewriter = &p->schedule->rewriter;
  CakeOp *loop = p->loop, *start = cake_value_def(cake_op_operand(loop, p->carried));
  CakeBlock *body = cake_schedule_body(loop);
  cake_rewriter_set_type(rewriter, body->args[body->n_args - loop->n_operands + p->carried], pending);
  cake_rewriter_set_before(rewriter, loop);
  cake_rewriter_set_operand(rewriter, loop, p->carried, cake_schedule_zero(p->schedule, pending));
  CakeValue *result = &loop->results[p->carried];
  cake_rewriter_set_after(rewriter, loop);
  CakeValue *await = cake_schedule_await(p->schedule, result, acc);
  await->name = result->name;
  cake_rewriter_replace_uses(rewriter, result, await);
  cake_rewriter_set_operand(rewriter, cake_value_def(await), 0, result);
  cake_rewriter_set_type(rewriter, result, pending);
  erase_unused(p, start);
}

// ---- Masks in front of a running best ------------------------------------------------------------------------------

// Whether the mask's number can win only where nothing else is left.
static bool is_last(const CakeOp *mask, const CakeOp *best) {
  CakeAttr fill = cake_cake_mask_fill(mask);
  double worst = cake_best_of(cake_cake_best_into(best)->type).is_max ? -HUGE_VAL : HUGE_VAL;
  return cake_attr_is(fill, &cake_attr_def_float) && cake_attr_float_value(fill) == worst;
}

static void keep_in_best(Product *p, CakeOp *best) {
  CakeOp *mask = cake_value_def(cake_cake_best_value(best));
  bool is_own = mask && cake_is_cake_op(mask, cake_op_cake_mask) && cake_value_has_one_use(&mask->results[0]);
  if (!is_own || cake_cake_best_keep(best) || !is_last(mask, best)) return;
  CakeOperandRange at = cake_cake_best_at_idx(best), keep = cake_cake_mask_keep_idx(mask);
  CakeValue **operands = CAKE_ARENA_ARRAY(p->schedule->pass->scratch, CakeValue *, at.count + keep.count + 2);
  size_t n = 0;
  operands[n++] = cake_cake_mask_value(mask);
  for (uint32_t i = 0; i < at.count; i++)
    operands[n++] = at.first[i].value;
  for (uint32_t i = 0; i < keep.count; i++)
    operands[n++] = keep.first[i].value;
  operands[n++] = cake_cake_best_into(best);
  const int32_t segments[] = {1, (int32_t)at.count, (int32_t)keep.count, 1};
  cake_rewriter_set_attr_text(&p->schedule->rewriter, best, "keep", cake_cake_mask_keep(mask));
  cake_rewriter_set_operands(&p->schedule->rewriter, best, operands, n, segments, 4);
  cake_rewriter_erase(&p->schedule->rewriter, mask);
}

static void keep_in_bests(Product *p) {
  if (!cake_pass_option_bool(p->schedule->pass->pass, "keep")) return;
  for (CakeOp *op = cake_schedule_next(p->role, NULL, cake_op_cake_best); op;
       op = cake_schedule_next(p->role, op, cake_op_cake_best))
    keep_in_best(p, op);
}

static bool change_form(Product *p) {
  CakeOp *get_a = operand_get(p, cake_cake_mma_a(p->mma), "a"), *get_b = NULL;
  if (get_a) get_b = operand_get(p, cake_cake_mma_b(p->mma), "b");
  if (!get_b) return false;
  CakeOp *wait_a = cake_value_def(cake_cake_get_view(get_a)), *wait_b = cake_value_def(cake_cake_get_view(get_b));
  CakeOp *zero = p->loop ? NULL : cake_value_def(cake_cake_mma_acc(p->mma));
  rename_role(p);
  CakeType acc = p->mma->results[0].type, pending = pending_type(p, acc);
  CakeValue *a = left_operand(p, get_a);
  if (p->loop) carry_pending(p, acc, pending);
  CakeValue *product = build_product(p, a, cake_cake_get_view(get_b), pending);
  erase_unused(p, zero);
  erase_unused(p, get_a);
  erase_unused(p, get_b);
  keep_in_bests(p);
  sink_gets(p);
  place_release(p, wait_b, product);
  if (wait_a != wait_b) place_release(p, wait_a, product);
  return cake_schedule_need(p->schedule, p->mma, CAKE_FEATURE_WGMMA);
}

static bool choose(CakeSchedule *schedule) {
  CakeStr text = cake_pass_option_str(schedule->pass->pass, "form");
  CakeStr attr = cake_arena_printf(schedule->pass->scratch, "#cake.form<%.*s>", CAKE_STR_ARG(text));
  Product p = {.schedule = schedule, .form = cake_parse_attr_text(schedule->pass->context, attr)};
  p.numbers = cake_form_of(p.form);
  return find_product(schedule, &p) && check_role(&p) && find_chain(&p) &&
         cake_tile_set_size(schedule, &p.mma->results[0], 0, p.numbers.m) &&
         cake_tile_set_size(schedule, &p.mma->results[0], 1, p.numbers.n) && change_form(&p);
}

CakePassResult cake_pass_schedule_form(CakePassContext *pass, CakeOp *module) {
  CakeStr text = cake_pass_option_str(pass->pass, "form");
  CakeStr body = cake_arena_printf(pass->scratch, "#cake.form<%.*s>", CAKE_STR_ARG(text));
  CakeAttr form = cake_parse_attr_text(pass->context, body);
  if (!form) return CAKE_PASS_FAILED;
  if (!cake_attr_is(form, &cake_attr_def_form) || cake_form_of(form).family != CAKE_MMA_WGMMA) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'form' must be a form of wgmma, but is '%.*s'",
                     CAKE_STR_ARG(text));
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, choose);
}
