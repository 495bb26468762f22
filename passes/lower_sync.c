// Rendezvous of a role instance at the thread level, and who owns which of the CTA's 16 barriers.
//
// Barrier 0 is that of the whole CTA (set-up). Behind it each replica of each role of several warps has one, in the
// order of the roles; a role that is the whole CTA needs none of its own.
#include "lower.h"

#include "dialects/gpu/gpu.h"

enum { WARP = 32, MOST_BARRIERS = 16 };

static int64_t threads_of(const CakeOp *func) {
  CakeAttr block = cake_op_attr_text(func, "block");
  return cake_attr_is(block, &cake_attr_def_integer) ? cake_attr_int_value(block) : 0;
}

static bool is_whole_cta(const CakeOp *func, const CakeLowerRole *role) {
  return role->replicas == 1 && role->warps * WARP == threads_of(func);
}

static int64_t barriers_of(const CakeOp *func, const CakeLowerRole *role) {
  return role->warps == 1 || is_whole_cta(func, role) ? 0 : role->replicas;
}

// The first barrier behind those of the roles in front of `role`; of all roles for NULL.
static int64_t barriers_before(const CakeOp *func, CakeId role) {
  int64_t next = 1;
  CakeLowerRole other;
  for (size_t i = 0; i < cake_lower_role_count(func); i++) {
    if (!cake_lower_role_at(func, i, &other)) continue;
    if (other.name == role) return next;
    next += barriers_of(func, &other);
  }
  return next;
}

int64_t cake_lower_role_barrier(const CakeOp *func, CakeId role) {
  return barriers_before(func, role);
}

int64_t cake_lower_free_barrier(const CakeOp *func) {
  CakeAttr given = cake_op_attr_text(func, "named_barriers");
  return barriers_before(func, NULL) + (given ? cake_attr_int_value(given) : 0);
}

bool cake_lower_take_barriers(CakeRewriter *rewriter, CakeOp *func, CakeOp *op, int64_t count, int64_t *out_first) {
  int64_t first = cake_lower_free_barrier(func), given = first + count - barriers_before(func, NULL);
  *out_first = first;
  if (first + count > MOST_BARRIERS)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "needs barriers %lld to %lld of the CTA, which has %d",
                      (long long)first, (long long)(first + count - 1), MOST_BARRIERS);
  cake_rewriter_set_attr_text(rewriter, func, "named_barriers", cake_attr_i64(rewriter->context, given));
  return true;
}

static void build_barrier(CakeRewriter *rewriter, CakeValue *id, int64_t threads) {
  CakeNamedAttr attr = {cake_id_text(rewriter->context, "threads"), cake_attr_i64(rewriter->context, threads)};
  cake_rewriter_build(
      rewriter,
      &(CakeBuild){.name = "gpu.named_barrier", .operands = &id, .n_operands = 1, .attrs = &attr, .n_attrs = 1});
}

bool cake_lower_rendezvous(CakeRewriter *rewriter, CakeOp *op, CakeValue *warp) {
  const CakeOp *func = cake_op_parent_named(op, "gpu.func");
  CakeLowerRole role;
  bool has_role = func && cake_lower_role_of(op, &role);
  if (!has_role || is_whole_cta(func, &role)) {
    bool is_warp = func && threads_of(func) == WARP;
    cake_rewriter_build(rewriter, &(CakeBuild){.name = is_warp ? "gpu.warp_sync" : "gpu.barrier"});
    return true;
  }
  if (role.warps == 1) {
    cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.warp_sync"});
    return true;
  }
  int64_t first = cake_lower_role_barrier(func, role.name);
  if (first + role.replicas > MOST_BARRIERS)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "needs barrier %lld of the CTA, which has %d: fewer roles or replicas of several warps",
                      (long long)(first + role.replicas - 1), MOST_BARRIERS);
  CakeValue *id = cake_lower_index(rewriter, first);
  if (role.replicas > 1) {
    CakeValue *relative = cake_lower_add_const(rewriter, warp, -role.first_warp);
    CakeValue *instance = cake_lower_divui(rewriter, relative, cake_lower_index(rewriter, role.warps));
    id = cake_lower_add_const(rewriter, instance, first);
  }
  build_barrier(rewriter, cake_lower_cast(rewriter, id, cake_type_i32(rewriter->context)), role.warps * WARP);
  return true;
}
