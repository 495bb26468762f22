// Orders: turns become named barriers (PTX ISA, "bar, barrier").
//
// Each instance of the role has one, at which its own threads wait and those of the instance before it arrive. So that the first turn of
// instance 0 needs no pass, the last instance arrives once before its program; and instance 0 waits once more behind its own, for the last
// pass, so that nothing is left at a barrier when the CTA ends.
#include "passes/cake_expand_roles.h"

#include "dialects/cake/ops/turns.h"

enum { WARP = 32 };

static const ExpandRole *role_of(const ExpandKernel *k, const CakeOp *op) {
  for (size_t i = 0; i < k->roles.len; i++)
    if (k->roles.data[i].op == op) return &k->roles.data[i];
  return NULL;
}

bool cake_expand_orders(ExpandKernel *k) {
  for (CakeOp *op = cake_region_entry(cake_op_region(k->kernel, 0))->first; op; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_order)) continue;
    ExpandOrder order = {.op = op, .role = cake_symbol_lookup(op, cake_cake_order_over(op))};
    const ExpandRole *role = role_of(k, order.role);
    if (!role || role->shape.replicas < 2)
      return cake_error(op, CAKE_CODE_PASS_FAILED, "is over a role without replicas");
    if (!cake_lower_take_barriers(k->rewriter, k->func, op, role->shape.replicas, &order.first_barrier)) return false;
    CAKE_PUSH(&k->orders, order);
  }
  return true;
}

// The instance waits at its barrier, or arrives at one.
static void build_barrier(ExpandKernel *k, const ExpandRole *role, const char *name, CakeValue *id) {
  CakeContext *context = k->rewriter->context;
  CakeNamedAttr threads = {cake_id_text(context, "threads"), cake_attr_i64(context, 2 * role->shape.warps * WARP)};
  id = cake_lower_cast(k->rewriter, id, cake_type_i32(context));
  cake_rewriter_build(k->rewriter,
                      &(CakeBuild){.name = name, .operands = &id, .n_operands = 1, .attrs = &threads, .n_attrs = 1});
}

// The barrier of the next instance.
static CakeValue *next_barrier(ExpandKernel *k, const ExpandRole *role, const ExpandOrder *order) {
  CakeRewriter *rewriter = k->rewriter;
  CakeValue *last = cake_lower_index(rewriter, role->shape.replicas - 1);
  CakeValue *is_last = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, role->instance, last);
  CakeValue *next = cake_lower_add_const(rewriter, role->instance, order->first_barrier + 1);
  return cake_lower_select(rewriter, is_last, cake_lower_index(rewriter, order->first_barrier), next);
}

// By name: the declaration stays in the kernel when the program leaves it.
static const ExpandOrder *order_of(const ExpandKernel *k, const ExpandRole *role, const CakeOp *op) {
  CakeId name = cake_is_cake_op(op, cake_op_cake_take) ? cake_attr_symbol_root(cake_cake_take_order(op))
                                                       : cake_cake_pass_turn(op)->type->params[0].id;
  for (size_t i = 0; i < k->orders.len; i++) {
    const ExpandOrder *order = &k->orders.data[i];
    if (cake_symbol_name(order->op) == name && order->role == role->op) return order;
  }
  return NULL;
}

bool cake_expand_turn(ExpandKernel *k, const ExpandRole *role, CakeOp *op) {
  bool is_take = cake_is_cake_op(op, cake_op_cake_take);
  const ExpandOrder *order = order_of(k, role, op);
  if (!order) return cake_error(op, CAKE_CODE_PASS_FAILED, "names an order that is not over its role");
  cake_rewriter_set_before(k->rewriter, op);
  if (is_take) {
    CakeUse *use = op->results[0].first_use;
    if (!use || use->next || !cake_is_cake_op(use->owner, cake_op_cake_pass))
      return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "gives a turn that is not passed on where it was taken");
    build_barrier(k, role, "gpu.named_barrier",
                  cake_lower_add_const(k->rewriter, role->instance, order->first_barrier));
    return true; // goes with the pass
  }
  CakeOp *take = cake_value_def(cake_cake_pass_turn(op));
  build_barrier(k, role, "gpu.named_barrier_arrive", next_barrier(k, role, order));
  cake_rewriter_erase(k->rewriter, op);
  if (take) cake_rewriter_erase(k->rewriter, take);
  return true;
}

// One barrier operation of one instance.
static void build_at(ExpandKernel *k, const ExpandRole *role, int64_t instance, const char *name, int64_t barrier) {
  CakeRewriter *rewriter = k->rewriter;
  CakeLowerPoint point = cake_lower_save(rewriter);
  CakeValue *is_it = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, role->instance, cake_lower_index(rewriter, instance));
  CakeOp *branch = cake_lower_if(rewriter, is_it, false);
  cake_lower_enter(rewriter, cake_op_region(branch, 0));
  build_barrier(k, role, name, cake_lower_index(rewriter, barrier));
  cake_lower_restore(rewriter, point);
}

void cake_expand_first_turns(ExpandKernel *k, const ExpandRole *role) {
  for (size_t i = 0; i < k->orders.len; i++) {
    const ExpandOrder *order = &k->orders.data[i];
    if (order->role == role->op)
      build_at(k, role, role->shape.replicas - 1, "gpu.named_barrier_arrive", order->first_barrier);
  }
}

void cake_expand_last_turns(ExpandKernel *k, const ExpandRole *role) {
  for (size_t i = 0; i < k->orders.len; i++) {
    const ExpandOrder *order = &k->orders.data[i];
    if (order->role == role->op) build_at(k, role, 0, "gpu.named_barrier", order->first_barrier);
  }
}
