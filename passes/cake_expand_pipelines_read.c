// Reading the pipelines of a function: places, roles, how slots are filled, and what is refused.
#include "cake/symbol.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"
#include "dialects/gpu/gpu.h"
#include "passes/cake_expand_pipelines.h"

size_t cake_pipelines_ring_index(const ExpandPipelines *e, const CakeOp *op) {
  uintptr_t number = 0;
  (void)cake_map_get(&e->ring_of, op, &number);
  return (size_t)number - 1;
}

// ---- Declarations ---------------------------------------------------------------------------------------------------

static bool has_places(const CakeOp *op, size_t parts) {
  CakeAttr offsets = cake_cake_pipeline_offsets(op), strides = cake_cake_pipeline_strides(op);
  return offsets && strides && cake_cake_pipeline_barriers(op) && cake_attr_count(offsets) == parts &&
         cake_attr_count(strides) == parts;
}

static bool is_all_tensor(CakeAttr parts) {
  for (size_t i = 0; i < cake_parts_count(parts); i++)
    if (!cake_type_is(cake_parts_type(parts, i), &cake_type_def_tmem)) return false;
  return true;
}

static bool read_ring(ExpandPipelines *e, CakeOp *op, Ring *ring) {
  *ring = (Ring){.op = op, .name = cake_symbol_name(op)};
  if (!cake_expr_is_const(cake_cake_pipeline_stages(op), &ring->stages))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "has no constant number of stages; run cake-instantiate first");
  if (!has_places(op, cake_parts_count(cake_cake_pipeline_parts(op))))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "has no place in shared memory; run cake-assign-shared first");
  ring->offsets = cake_cake_pipeline_offsets(op);
  ring->strides = cake_cake_pipeline_strides(op);
  ring->barriers = cake_attr_int_value(cake_cake_pipeline_barriers(op));
  ring->is_store = cake_cake_pipeline_store(op) != NULL;
  ring->is_each = cake_cake_pipeline_each(op) != NULL;
  ring->has_tensor = cake_pipeline_has_tmem(op);
  CakeId from = cake_attr_symbol_root(cake_cake_pipeline_from(op));
  CakeId to = ring->is_store ? NULL : cake_attr_symbol_root(cake_cake_pipeline_to(op));
  if (!cake_lower_role_find(e->func, from, &ring->from) || (to && !cake_lower_role_find(e->func, to, &ring->to)))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "names a role that the function does not tell of");
  if (ring->has_tensor && !is_all_tensor(cake_cake_pipeline_parts(op)))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has parts of shared and of tensor memory");
  if (ring->has_tensor && (ring->from.warps != 1 || ring->from.replicas != 1))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "holds tensor memory that the several warps of '%s' fill",
                      from->text);
  if (ring->from.replicas > 1 && !ring->is_each)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "is filled by a replicated role, '%s'", from->text);
  return true;
}

static bool read_rings(ExpandPipelines *e) {
  CakeBlock *entry = cake_region_entry(cake_op_region(e->func, 0));
  for (CakeOp *op = entry->first; op; op = op->next)
    e->n_rings += cake_is_cake_op(op, cake_op_cake_pipeline);
  e->rings = CAKE_ARENA_ARRAY(e->scratch, Ring, e->n_rings);
  size_t i = 0;
  for (CakeOp *op = entry->first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_pipeline) && !read_ring(e, op, &e->rings[i++])) return false;
  return true;
}

// ---- Ops on pipelines -----------------------------------------------------------------------------------------------

// The pipeline that an op names, by symbol or by the type of its slot; NULL: it is on none.
static CakeId pipeline_name(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_acquire)) return cake_attr_symbol_root(cake_cake_acquire_pipeline(op));
  if (cake_is_cake_op(op, cake_op_cake_wait)) return cake_attr_symbol_root(cake_cake_wait_pipeline(op));
  if (cake_pipelines_closes(op) && cake_type_is(cake_op_operand(op, 0)->type, &cake_type_def_slot))
    return cake_op_operand(op, 0)->type->params[0].id;
  return NULL;
}

// Whether an op belongs to the `from` end.
static bool is_from(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_acquire) || cake_is_cake_op(op, cake_op_cake_commit);
}

static bool read_op(ExpandPipelines *e, CakeOp *op, CakeId name) {
  size_t i = 0;
  while (i < e->n_rings && e->rings[i].name != name)
    i++;
  if (i == e->n_rings)
    return cake_error(op, CAKE_CODE_PASS_FAILED, "works on pipeline '%s', which the function does not have",
                      name->text);
  Ring *ring = &e->rings[i];
  CakeLowerRole role;
  if (!cake_lower_role_of(op, &role) || role.name != (is_from(op) ? ring->from.name : ring->to.name))
    return cake_error(op, CAKE_CODE_PIPE_OWNER, "does not stand in role '%s'",
                      (is_from(op) ? ring->from.name : ring->to.name)->text);
  ring->is_used = true;
  cake_map_set(&e->ring_of, op, i + 1);
  return true;
}

// ---- How slots are filled -------------------------------------------------------------------------------------------

static bool is_zero_at(CakeAttr off) {
  int64_t value;
  for (size_t i = 0; off && i < cake_at_count(off); i++)
    if (!cake_expr_is_const(cake_at_expr(off, i), &value) || value != 0) return false;
  return true;
}

static bool read_copy(ExpandPipelines *e, CakeOp *copy) {
  CakeOp *acquire = cake_value_def(cake_cake_copy_view(copy));
  if (!acquire || !cake_is_cake_op(acquire, cake_op_cake_acquire))
    return cake_error(copy, CAKE_CODE_LOWER_UNSUPPORTED, "does not write into a view that cake.acquire gave");
  Ring *ring = &e->rings[cake_pipelines_ring_index(e, acquire)];
  if (cake_via_of(cake_cake_copy_via(copy)) == CAKE_VIA_CP_ASYNC) {
    ring->has_cp_async = true;
    return true;
  }
  ring->has_bytes = true;
  if (copy->block != acquire->block)
    return cake_error(
        copy, CAKE_CODE_LOWER_UNSUPPORTED,
        "stands in another region than the cake.acquire of its slot, so that the slot's bytes are not known");
  return is_zero_at(cake_cake_copy_off(copy)) ||
         cake_error(copy, CAKE_CODE_LOWER_UNSUPPORTED,
                    "fills a part of a view, so that the slot's bytes are not known");
}

static bool read_put(ExpandPipelines *e, CakeOp *put) {
  CakeOp *acquire = cake_value_def(cake_cake_put_view(put));
  if (acquire && cake_op_attr_text(acquire, CAKE_LOWER_BUFFER_MARK)) return true;
  if (!acquire || !cake_is_cake_op(acquire, cake_op_cake_acquire))
    return cake_error(put, CAKE_CODE_LOWER_UNSUPPORTED, "does not write into a view that cake.acquire gave");
  Ring *ring = &e->rings[cake_pipelines_ring_index(e, acquire)];
  if (!ring->is_store) ring->put = put;
  return true;
}

// The matrix instruction that reads a part of a full slot by the async proxy; NULL: none does.
static CakeOp *matrix_reader(CakeOp *wait, uint32_t part) {
  for (CakeUse *use = wait->results[part + 1].first_use; use; use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_mma) &&
        cake_form_of(cake_cake_mma_form(use->owner)).family != CAKE_MMA_MMA)
      return use->owner;
  return NULL;
}

bool cake_pipelines_threads_read(const CakeOp *wait, uint32_t part) {
  for (const CakeUse *use = wait->results[part + 1].first_use; use; use = use->next)
    if (!cake_lower_is_wgmma(use->owner)) return true;
  return false;
}

// tcgen05 alone reads a slot that it gives back.
static bool read_tcgen05(ExpandPipelines *e, CakeOp *mma) {
  CakeValue *views[] = {cake_cake_mma_a(mma), cake_cake_mma_b(mma)};
  if (cake_form_of(cake_cake_mma_form(mma)).family != CAKE_MMA_TCGEN05) return true;
  for (size_t i = 0; i < CAKE_COUNT(views); i++) {
    CakeOp *wait = cake_value_def(views[i]);
    if (!wait || !cake_is_cake_op(wait, cake_op_cake_wait))
      return cake_error(mma, CAKE_CODE_LOWER_UNSUPPORTED, "reads what is no slot that cake.wait gave");
    e->rings[cake_pipelines_ring_index(e, wait)].to_tcgen05 = true;
    for (const CakeUse *use = views[i]->first_use; use; use = use->next)
      if (!cake_is_cake_op(use->owner, cake_op_cake_mma))
        return cake_error(use->owner, CAKE_CODE_LOWER_UNSUPPORTED, "reads a slot that tcgen05 reads too");
  }
  return true;
}

// The op by which threads, not the copy engine, fill a part of an open slot; NULL: none does.
static CakeOp *generic_writer(CakeOp *acquire, uint32_t part) {
  for (CakeUse *use = acquire->results[part + 1].first_use; use; use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_put) ||
        (cake_is_cake_op(use->owner, cake_op_cake_copy) &&
         cake_via_of(cake_cake_copy_via(use->owner)) == CAKE_VIA_CP_ASYNC))
      return use->owner;
  return NULL;
}

// Threads write by the generic proxy, wgmma reads by the async proxy: there must be a fence in between. Behind cake.put the
// writers have one before they hand the slot on; cp.async has none that comes behind its writes. And a copy of the async proxy that
// fills a slot again may overtake loads of threads that are still on their way: each of these fences before it gives the slot back
// (PTX ISA, "Proxies"). On an H200, ldmatrix behind which the slot was given back at once read what the next copy wrote.
static bool check_proxies(const ExpandPipelines *e, CakeOp *acquire, CakeOp *wait) {
  for (uint32_t part = 0; part + 1 < acquire->n_results && part + 1 < wait->n_results; part++) {
    CakeOp *writer = generic_writer(acquire, part), *reader = matrix_reader(wait, part);
    Ring *ring = &e->rings[cake_pipelines_ring_index(e, acquire)];
    if (!writer && ring->has_bytes && cake_pipelines_threads_read(wait, part)) ring->fences_reads = true;
    if (!writer || !reader) continue;
    if (cake_is_cake_op(writer, cake_op_cake_put)) {
      ring->needs_fence = true;
      continue;
    }
    CakeDiagnostic *fault =
        cake_error_begin(writer, CAKE_CODE_LOWER_UNSUPPORTED,
                         "needs a proxy fence before a wgmma may read what it writes; that is not supported yet");
    cake_diag_note(e->rewriter->context, fault, reader->loc, "read here");
    cake_diag_fix(e->rewriter->context, fault, "copy via(tma) or via(bulk)");
    return cake_diag_emit(e->rewriter->context, fault);
  }
  return true;
}

static bool check_pairs(const ExpandPipelines *e, CakeOp *acquire) {
  for (CakeOp *op = e->func; op; op = cake_op_walk_next(e->func, op, false)) {
    bool is_other_end = cake_is_cake_op(op, cake_op_cake_wait) &&
                        cake_pipelines_ring_index(e, op) == cake_pipelines_ring_index(e, acquire);
    if (is_other_end && !check_proxies(e, acquire, op)) return false;
  }
  return true;
}

static bool check_rings(const ExpandPipelines *e) {
  for (size_t i = 0; i < e->n_rings; i++) {
    const Ring *ring = &e->rings[i];
    if (ring->is_used && !ring->has_bytes && !ring->has_cp_async && !ring->put && !ring->is_store && !ring->has_tensor)
      return cake_error(ring->op, CAKE_CODE_LOWER_UNSUPPORTED, "has slots that nothing fills");
    if (ring->has_cp_async && ring->put)
      return cake_error(ring->put, CAKE_CODE_LOWER_UNSUPPORTED,
                        "fills a slot that cp_async fills too: its arrival does not publish what threads write");
    if (ring->is_store && (ring->has_bytes || ring->has_cp_async))
      return cake_error(ring->op, CAKE_CODE_LOWER_UNSUPPORTED,
                        "is emptied by the store engine, but a copy fills its slots; only cake.put may");
  }
  for (CakeOp *op = e->func; op; op = cake_op_walk_next(e->func, op, false))
    if (cake_is_cake_op(op, cake_op_cake_acquire) && !check_pairs(e, op)) return false;
  return true;
}

bool cake_pipelines_read(ExpandPipelines *e) {
  if (!read_rings(e)) return false;
  for (CakeOp *op = e->func; op; op = cake_op_walk_next(e->func, op, false)) {
    CakeId name = pipeline_name(op);
    if (name && !read_op(e, op, name)) return false;
  }
  for (CakeOp *op = e->func; op; op = cake_op_walk_next(e->func, op, false))
    if ((cake_is_cake_op(op, cake_op_cake_copy) && !read_copy(e, op)) ||
        (cake_is_cake_op(op, cake_op_cake_put) && !read_put(e, op)) ||
        (cake_is_cake_op(op, cake_op_cake_mma) && !read_tcgen05(e, op)))
      return false;
  return check_rings(e) && cake_pipelines_read_multicast(e);
}
