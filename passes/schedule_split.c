// schedule-split: a role that fills its own pipelines gives the filling to a role of its own.
//
// The new role has the loops around the acquires, without what they carry, and in them the acquires, copies and commits with the index arithmetic
// they need. All of it goes from the old role.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "passes/lower.h"

typedef struct Split {
  CakeSchedule *schedule;
  CakeOp *consumer, *producer;
  CakeMap map; // values of the consumer to those of the producer
} Split;

// ---- What moves ----------------------------------------------------------------------------------------------------

static bool is_self(const CakeOp *pipeline, const CakeOp *role) {
  return pipeline && cake_schedule_fills(pipeline, role) && cake_schedule_empties(pipeline, role);
}

// The pipeline that a filling op works for; NULL: it is none.
static CakeOp *filled_pipeline(CakeOp *op) {
  bool is_taker = cake_is_cake_op(op, cake_op_cake_acquire), is_commit = cake_is_cake_op(op, cake_op_cake_commit);
  if (is_taker || is_commit) return cake_op_pipeline(op);
  if (!cake_is_cake_op(op, cake_op_cake_copy)) return NULL;
  CakeOp *acquire = cake_value_def(cake_cake_copy_view(op));
  return acquire ? cake_op_pipeline(acquire) : NULL;
}

static bool moves(const Split *split, CakeOp *op) {
  return is_self(filled_pipeline(op), split->consumer);
}

static bool has_moving(const Split *split, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    if (moves(split, op)) return true;
  return false;
}

// What the filling needs must be index arithmetic on loop indices, arguments and the like.
static bool check(Split *split, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (!has_moving(split, op)) continue;
    bool is_frame = op == split->consumer || cake_schedule_is_loop(op);
    if (op->n_regions && !is_frame)
      return cake_schedule_missed(split->schedule, op,
                                  "fills a slot under a condition that another role does not know");
    for (uint32_t i = 0; moves(split, op) && i < op->n_operands; i++) {
      CakeOp *def = cake_value_def(cake_op_operand(op, i));
      bool is_known = !def || cake_is_cake_op(def, cake_op_cake_acquire) || cake_op_has_trait(def, CAKE_TRAIT_PURE);
      if (!is_known)
        return cake_schedule_missed(split->schedule, op, "needs %s, which the role computes from data", "a coordinate");
    }
  }
  return true;
}

// ---- The new role --------------------------------------------------------------------------------------------------

static void set_expr(Split *split, CakeOp *role, const char *name, int64_t value) {
  if (value > 0)
    cake_rewriter_set_attr_text(&split->schedule->rewriter, role, name, cake_expr_const(role->context, value));
}

static CakeOp *make_role(Split *split) {
  CakeSchedule *schedule = split->schedule;
  CakeContext *context = schedule->pass->context;
  CakeId name = cake_schedule_name(schedule, "load");
  CakeAttr warps = cake_expr_const(context, cake_pass_option_int(schedule->pass->pass, "producer-warps"));
  CakeNamedAttr attrs[] = {cake_schedule_attr(schedule, "sym_name", cake_attr_string_id(context, name)),
                           cake_schedule_attr(schedule, "warps", warps)};
  CakeBuild build = {.name = "cake.role", .attrs = attrs, .n_attrs = 2, .n_regions = 1};
  cake_rewriter_set_before(&schedule->rewriter, split->consumer);
  CakeOp *role = cake_rewriter_build(&schedule->rewriter, &build);
  cake_rewriter_add_block(&schedule->rewriter, cake_op_region(role, 0), NULL, 0, role->loc);
  set_expr(split, role, "regs", cake_pass_option_int(schedule->pass->pass, "producer-regs"));
  return role;
}

static void terminate(Split *split, CakeBlock *block, const char *name) {
  cake_rewriter_set_end(&split->schedule->rewriter, block);
  CakeBuild build = {.name = name};
  cake_rewriter_build(&split->schedule->rewriter, &build);
}

// The same loop without carried values; its body is empty.
static CakeOp *copy_loop(Split *split, CakeOp *loop) {
  CakeRewriter *rewriter = &split->schedule->rewriter;
  CakeOpState state = {.loc = loop->loc, .info = loop->info, .props = cake_op_props(loop), .n_regions = 1};
  CakeOp *copy = cake_rewriter_create(rewriter, &state);
  CakeBlock *from = cake_schedule_body(loop);
  uint32_t count = from->n_args - loop->n_operands;
  CakeBlock *to = cake_rewriter_add_block(rewriter, cake_op_region(copy, 0), NULL, 0, loop->loc);
  for (uint32_t i = 0; i < count; i++) {
    CakeValue *arg = cake_rewriter_add_arg(rewriter, to, from->args[i]->type, cake_value_loc(from->args[i]));
    arg->name = from->args[i]->name;
    cake_map_set(&split->map, from->args[i], (uintptr_t)arg);
  }
  return copy;
}

static bool is_known_in_producer(const Split *split, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *value = cake_op_operand(op, i);
    CakeBlock *block = cake_value_block(value);
    bool is_kernels = block && cake_block_parent(block) == split->schedule->kernel;
    if (!is_kernels && !cake_map_get(&split->map, value, NULL)) return false;
  }
  return true;
}

static bool gives_scalars(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!cake_type_is_index(op->results[i].type) && cake_type_rank(op->results[i].type) >= 0) return false;
  return op->n_results > 0;
}

// Loops are as deep as the text has them, which the parser limits.
static void copy_block(Split *split, CakeBlock *from, CakeBlock *to) {
  for (CakeOp *op = from->first; op != from->last; op = op->next) {
    cake_rewriter_set_end(&split->schedule->rewriter, to);
    bool is_arithmetic = cake_op_has_trait(op, CAKE_TRAIT_PURE) && !op->n_regions && gives_scalars(op);
    if (moves(split, op) || (is_arithmetic && is_known_in_producer(split, op))) {
      cake_rewriter_clone(&split->schedule->rewriter, op, &split->map);
    } else if (cake_schedule_is_loop(op) && has_moving(split, op)) {
      CakeOp *loop = copy_loop(split, op);
      copy_block(split, cake_schedule_body(op), cake_schedule_body(loop));
      terminate(split, cake_schedule_body(loop), "cake.yield");
    }
  }
}

static void erase_unused(CakeRewriter *rewriter, CakeBlock *block) {
  for (CakeOp *op = block->last, *previous; op; op = previous) {
    previous = op->prev;
    for (uint32_t r = 0; r < op->n_regions; r++)
      erase_unused(rewriter, cake_op_region(op, r)->first);
    bool is_used = !cake_op_has_trait(op, CAKE_TRAIT_PURE);
    for (uint32_t i = 0; i < op->n_results; i++)
      is_used |= op->results[i].first_use != NULL;
    if (!is_used) cake_rewriter_erase(rewriter, op);
  }
}

// ---- The old role --------------------------------------------------------------------------------------------------

static CakeOp *last_moving(const Split *split) {
  CakeOp *last = NULL;
  for (CakeOp *op = split->consumer; op; op = cake_op_walk_next(split->consumer, op, false))
    if (moves(split, op)) last = op;
  return last;
}

static void hand_over(Split *split) {
  CakeSchedule *schedule = split->schedule;
  for (CakeOp *op = last_moving(split); op; op = last_moving(split)) // commits and copies go before their acquire
    cake_rewriter_erase(&schedule->rewriter, op);
  CakeAttr producer = cake_schedule_symbol(schedule, cake_symbol_name(split->producer));
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_pipeline); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_pipeline))
    if (is_self(op, split->consumer)) cake_rewriter_set_attr_text(&schedule->rewriter, op, "from", producer);
}

static bool split_role(CakeSchedule *schedule, CakeOp *role) {
  Split split = {.schedule = schedule, .consumer = role};
  if (!check(&split, role)) return false;
  split.producer = make_role(&split);
  copy_block(&split, cake_schedule_body(role), cake_schedule_body(split.producer));
  terminate(&split, cake_schedule_body(split.producer), "cake.end");
  erase_unused(&schedule->rewriter, cake_schedule_body(split.producer));
  hand_over(&split);
  set_expr(&split, role, "regs", cake_pass_option_int(schedule->pass->pass, "consumer-regs"));
  cake_map_fini(&split.map);
  return true;
}

static bool split_roles(CakeSchedule *schedule) {
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_pipeline); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_pipeline)) {
    CakeAttr from = cake_cake_pipeline_from(op);
    CakeOp *role = cake_symbol_lookup(op, from);
    if (role && is_self(op, role)) return split_role(schedule, role);
  }
  return cake_schedule_missed(schedule, schedule->kernel,
                              "no role fills a pipeline that it empties; schedule-stage makes one");
}

CakePassResult cake_pass_schedule_split(CakePassContext *pass, CakeOp *module) {
  if (cake_pass_option_int(pass->pass, "producer-warps") < 1) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'producer-warps' must be at least 1");
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, split_roles);
}
