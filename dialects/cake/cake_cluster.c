// Clusters: CTAs that run together and take each item together, and tiles that they fetch for one another.
//
// PTX ISA, "Cluster of cooperative thread arrays", and ".multicast::cluster" of cp.async.bulk.tensor. A multicast is an op of all CTAs of
// its mask: they name one tile, each fetches its share of the rows and sends it to the slots of all. So the CTAs of a mask must have the
// same mask and the same coordinates.
#include "dialects/cake/cake_verify.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"

// ---- Sizes ---------------------------------------------------------------------------------------------------------

// Of a cake.kernel: the product of expressions. Of a gpu.func: numbers along x, y, z.
static int64_t cluster_of(const CakeOp *top) {
  CakeAttr cluster = cake_op_attr_text(top, "cluster");
  int64_t total = 1, extent;
  if (cake_attr_is(cluster, &cake_attr_def_at))
    for (size_t i = 0; i < cake_at_count(cluster); i++) {
      if (!cake_expr_is_const(cake_at_expr(cluster, i), &extent) || extent < 1 || extent > CAKE_MAX_CLUSTER) return 0;
      total *= extent;
    }
  if (cake_attr_is(cluster, &cake_attr_def_array))
    for (size_t i = 0; i < cake_attr_count(cluster); i++) {
      CakeAttr entry = cake_attr_element(cluster, i);
      extent = cake_attr_is(entry, &cake_attr_def_integer) ? cake_attr_int_value(entry) : 0;
      if (extent < 1 || extent > CAKE_MAX_CLUSTER) return 0;
      total *= extent;
    }
  return total <= CAKE_MAX_CLUSTER ? total : 0;
}

int64_t cake_op_cluster(const CakeOp *op) {
  const CakeOp *top = op;
  while (top && !cake_is_cake_op(top, cake_op_cake_kernel) && !cake_op_is(top, "gpu.func"))
    top = top->block ? cake_op_parent(top) : NULL;
  return top ? cluster_of(top) : 1;
}

bool cake_verify_cluster(CakeOp *kernel) {
  CakeAttr cluster = cake_cake_kernel_cluster(kernel);
  int64_t total = 1, extent;
  if (!cluster) return true;
  if (cake_at_count(cluster) < 1 || cake_at_count(cluster) > 2)
    return cake_error(kernel, CAKE_CODE_IR_ATTRIBUTES, "has a cluster of %zu dimensions; 1 or 2 are possible",
                      cake_at_count(cluster));
  if (!cake_verify_expr(kernel, "cluster", cluster, 0)) return false;
  for (size_t i = 0; i < cake_at_count(cluster); i++) {
    if (!cake_expr_is_const(cake_at_expr(cluster, i), &extent)) return true; // checked in the instance
    if (extent < 1 || extent > CAKE_MAX_CLUSTER) total = 0;
    total *= extent;
  }
  if (total >= 1 && total <= CAKE_MAX_CLUSTER) return true;
  CakeDiagnostic *d = cake_error_begin(kernel, CAKE_CODE_CLUSTER, "has clusters of %s CTAs; 1 to %d are portable",
                                       cake_body_text(cluster), (int)CAKE_MAX_CLUSTER);
  cake_diag_fix(kernel->context, d, "write cluster(2), cluster(4) or cluster(8)");
  return cake_diag_emit(kernel->context, d);
}

// ---- Masks ---------------------------------------------------------------------------------------------------------

int64_t cake_multicast_count(uint32_t mask) {
  int64_t count = 0;
  for (; mask; mask &= mask - 1)
    count++;
  return count;
}

int64_t cake_multicast_index(uint32_t mask, int64_t rank) {
  return cake_multicast_count(mask & ((UINT32_C(1) << rank) - 1));
}

CakeAttr cake_expr_at_rank(CakeAttr expr, int64_t rank) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind == CAKE_EXPR_RANK) return cake_expr_const(expr->context, rank);
  if (kind < CAKE_EXPR_ADD) return expr;
  return cake_expr_binary(expr->context, kind, cake_expr_at_rank(cake_expr_lhs(expr), rank),
                          cake_expr_at_rank(cake_expr_rhs(expr), rank));
}

bool cake_copy_multicast(const CakeOp *copy, CakeMulticast *out) {
  CakeAttr expr = cake_cake_copy_multicast(copy);
  *out = (CakeMulticast){.cluster = cake_op_cluster(copy)};
  if (!expr || out->cluster < 1) return false;
  for (int64_t rank = 0; rank < out->cluster; rank++) {
    CakeExprEnv env = {.rank = rank};
    int64_t mask;
    if (!cake_expr_eval(expr, &env, &mask) || mask < 1 || mask >= INT64_C(1) << out->cluster) return false;
    out->masks[rank] = (uint32_t)mask;
  }
  return true;
}

// Adds the masks of the copies into one slot.
static bool add_copies(const CakeOp *acquire, CakeMulticast *total) {
  bool any = false;
  CakeMulticast own;
  for (uint32_t i = 1; i < acquire->n_results; i++)
    for (const CakeUse *use = acquire->results[i].first_use; use; use = use->next) {
      if (!cake_is_cake_op(use->owner, cake_op_cake_copy) || !cake_copy_multicast(use->owner, &own)) continue;
      for (int64_t rank = 0; rank < own.cluster; rank++)
        total->masks[rank] |= own.masks[rank];
      any = true;
    }
  return any;
}

bool cake_pipeline_multicast(const CakeOp *pipeline, CakeMulticast *out) {
  CakeOp *top = cake_op_parent(pipeline);
  bool any = false;
  *out = (CakeMulticast){.cluster = cake_op_cluster(pipeline)};
  if (out->cluster < 2) return false;
  for (CakeOp *op = top; op; op = cake_op_walk_next(top, op, false))
    if (cake_is_cake_op(op, cake_op_cake_acquire) && cake_op_pipeline(op) == pipeline) any |= add_copies(op, out);
  for (int64_t rank = 0; rank < out->cluster; rank++)
    out->masks[rank] |= UINT32_C(1) << rank;
  return any;
}

// ---- Verification --------------------------------------------------------------------------------------------------

// Whether a value is the same in all CTAs of a cluster: indices of items, steps and constant loops are, and what is computed from those.
static bool is_common(const CakeValue *value, int depth) {
  enum { MAX_DEPTH = 16 };
  if (depth > MAX_DEPTH) return false;
  if (value->is_argument) {
    const CakeOp *loop = cake_block_parent(cake_arg_owner(value));
    if (!loop) return false;
    if (cake_is_cake_op(loop, cake_op_cake_items))
      return value->index < cake_arg_owner(value)->n_args - loop->n_results;
    bool is_loop = cake_is_cake_op(loop, cake_op_cake_steps) || cake_is_cake_op(loop, cake_op_cake_unroll);
    return value->index == 0 && (is_loop || cake_op_is(loop, "scf.for"));
  }
  const CakeOp *op = cake_value_def(value);
  bool is_index = cake_is_cake_op(op, cake_op_cake_index);
  if (!is_index && !cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) return false;
  if (is_index && cake_expr_at_rank(cake_cake_index_expr(op), 0) != cake_expr_at_rank(cake_cake_index_expr(op), 1))
    return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!is_common(cake_op_operand(op, i), depth + 1)) return false;
  return true;
}

static bool verify_coordinates(CakeOp *copy, const CakeMulticast *m) {
  CakeAttr at = cake_cake_copy_at(copy);
  CakeOperandRange idx = cake_cake_copy_at_idx(copy);
  for (uint32_t i = 0; i < idx.count; i++)
    if (!is_common(idx.first[i].value, 0))
      return cake_error(copy, CAKE_CODE_CLUSTER,
                        "is a multicast at %s, which may differ between CTAs; only items, steps, constants and `rank` "
                        "written in place are known to agree",
                        cake_value_text(idx.first[i].value));
  for (int64_t r = 0; r < m->cluster; r++)
    for (int64_t s = 0; s < r; s++)
      for (size_t d = 0; (m->masks[r] >> s & 1) && d < cake_at_count(at); d++)
        if (cake_expr_at_rank(cake_at_expr(at, d), r) != cake_expr_at_rank(cake_at_expr(at, d), s))
          return cake_error(copy, CAKE_CODE_CLUSTER,
                            "is a multicast, but CTAs %lld and %lld of its mask name different tiles: %s", (long long)s,
                            (long long)r, cake_body_text(cake_at_expr(at, d)));
  return true;
}

// `out_known`: it is a number in each CTA. Parameters are checked in the instance.
static bool verify_mask(CakeOp *copy, int64_t cluster, int64_t *masks, bool *out_known) {
  int64_t all = (INT64_C(1) << cluster) - 1;
  for (int64_t rank = 0; rank < cluster; rank++) {
    CakeExprEnv env = {.rank = rank};
    *out_known = cake_expr_eval(cake_cake_copy_multicast(copy), &env, &masks[rank]);
    if (!*out_known) return true;
    if (masks[rank] < 1 || masks[rank] > all)
      return cake_error(copy, CAKE_CODE_CLUSTER,
                        "has the multicast mask %lld in CTA %lld; a cluster of %lld has masks 1 to %lld",
                        (long long)masks[rank], (long long)rank, (long long)cluster, (long long)all);
    if (!(masks[rank] >> rank & 1))
      return cake_error(copy, CAKE_CODE_CLUSTER, "has the multicast mask %lld in CTA %lld, which leaves that CTA out",
                        (long long)masks[rank], (long long)rank);
  }
  for (int64_t r = 0; r < cluster; r++)
    for (int64_t s = 0; s < cluster; s++)
      if ((masks[r] >> s & 1) && masks[s] != masks[r])
        return cake_error(copy, CAKE_CODE_CLUSTER,
                          "has the multicast mask %lld in CTA %lld, but %lld in CTA %lld of that mask: they must agree",
                          (long long)masks[r], (long long)r, (long long)masks[s], (long long)s);
  return true;
}

// What each CTA fetches: whole swizzle atoms (8 rows), and 128-byte aligned.
static bool verify_share(CakeOp *copy, int64_t count) {
  CakeType view = cake_cake_copy_view(copy)->type;
  int64_t rows, cols = 1;
  if (cake_shared_rank(view) != 2)
    return cake_error(copy, CAKE_CODE_CLUSTER, "is a multicast of a row; a tile has rows, which the CTAs share");
  if (!cake_expr_is_const(cake_shared_dim(view, 0), &rows) || !cake_expr_is_const(cake_shared_dim(view, 1), &cols))
    return true;
  bool is_swizzled = cake_shared_storage(view) != CAKE_STORAGE_ROWS;
  int64_t width = cake_type_width(cake_shared_element(view));
  bool fits = rows % count == 0 && (is_swizzled ? rows / count % 8 == 0 : rows / count * cols * width % 1024 == 0);
  if (fits) return true;
  return cake_error(copy, CAKE_CODE_CLUSTER, "is a multicast of %lld rows by %lld CTAs; each fetches %s",
                    (long long)rows, (long long)count,
                    is_swizzled ? "a multiple of 8 rows" : "a multiple of 128 bytes of rows");
}

bool cake_verify_multicast(CakeOp *copy) {
  CakeAttr mask = cake_cake_copy_multicast(copy);
  CakeOp *kernel = cake_op_kernel(copy), *acquire = cake_value_def(cake_cake_copy_view(copy));
  CakeOp *pipeline = acquire && cake_is_cake_op(acquire, cake_op_cake_acquire) ? cake_op_pipeline(acquire) : NULL;
  int64_t cluster = cake_op_cluster(copy), masks[CAKE_MAX_CLUSTER] = {0};
  bool is_known = false;
  CakeMulticast m;
  if (!mask || !kernel) return true;
  if (cake_via_of(cake_cake_copy_via(copy)) != CAKE_VIA_TMA)
    return cake_error(copy, CAKE_CODE_CLUSTER, "is a multicast, which only `via(tma)` can be");
  if (!cake_cake_kernel_cluster(kernel)) {
    CakeDiagnostic *d = cake_error_begin(copy, CAKE_CODE_CLUSTER, "is a multicast, but the kernel has no clusters");
    cake_diag_note(copy->context, d, kernel->loc, "the kernel is here");
    cake_diag_fix(copy->context, d, "give the kernel `cluster(2)`, or delete `multicast`");
    return cake_diag_emit(copy->context, d);
  }
  if (pipeline && cake_cake_pipeline_each(pipeline))
    return cake_error(copy, CAKE_CODE_CLUSTER, "is a multicast into a pipeline with a ring for each replica");
  if (!cake_verify_expr(copy, "multicast", mask, 0)) return false;
  if (cluster == 0 || !verify_mask(copy, cluster, masks, &is_known)) return cluster == 0;
  if (!is_known || !cake_copy_multicast(copy, &m)) return true;
  for (int64_t r = 0; r < cluster; r++)
    if (!verify_share(copy, cake_multicast_count(m.masks[r]))) return false;
  return verify_coordinates(copy, &m);
}
