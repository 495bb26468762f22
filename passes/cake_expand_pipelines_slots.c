// What one op on a pipeline becomes: waits and arrivals at mbarriers, pointers into the slot, and the step to the next
// one.
#include "dialects/gpu/gpu_accessors.h"

#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "passes/cake_expand_pipelines.h"

enum { BARRIER = 8, WARP = 32 }; // bytes of an mbarrier, threads of a warp

typedef CAKE_VEC(CakeValue *) Values;
typedef CAKE_VEC(CakeOp *) Ops;

// ---- Small builders -------------------------------------------------------------------------------------------------

void cake_pipelines_build(ExpandPipelines *e, const char *name, CakeValue *const *operands, size_t count) {
  cake_rewriter_build(e->rewriter, &(CakeBuild){.name = name, .operands = operands, .n_operands = count});
}

void cake_pipelines_build_counted(ExpandPipelines *e, const char *name, CakeValue *barrier, const char *attr,
                                  int64_t value) {
  CakeNamedAttr named = {cake_id_text(e->rewriter->context, attr), cake_attr_i64(e->rewriter->context, value)};
  cake_rewriter_build(e->rewriter,
                      &(CakeBuild){.name = name, .operands = &barrier, .n_operands = 1, .attrs = &named, .n_attrs = 1});
}

// base + stage * stride in shared memory.
static CakeValue *shared_at(ExpandPipelines *e, int64_t base, CakeValue *stage, int64_t stride) {
  CakeValue *offset = cake_lower_add_const(e->rewriter, cake_lower_mul_const(e->rewriter, stage, stride), base);
  return cake_lower_ptr_add(e->rewriter, e->shared, offset);
}

static CakeValue *full_barrier(ExpandPipelines *e, const Ring *ring, CakeValue *stage) {
  return cake_lower_name(shared_at(e, ring->barriers, stage, BARRIER), "full");
}

static CakeValue *empty_barrier(ExpandPipelines *e, const Ring *ring, CakeValue *stage) {
  return cake_lower_name(shared_at(e, ring->barriers + BARRIER * ring->stages, stage, BARRIER), "empty");
}

CakeValue *cake_pipelines_cta_warp(ExpandPipelines *e) {
  CakeBlock *entry = cake_region_entry(cake_op_region(e->func, 0));
  for (CakeOp *op = entry->first; op; op = op->next)
    if (cake_is_gpu_op(op, cake_op_gpu_warp_id)) return cake_op_result(op, 0);
  CakeLowerPoint point = cake_lower_save(e->rewriter);
  cake_rewriter_set_start(e->rewriter, entry);
  CakeValue *warp = cake_build1(e->rewriter, "gpu.warp_id", cake_type_index(e->rewriter->context), NULL, 0);
  cake_lower_restore(e->rewriter, point);
  return warp;
}

// The number of the replica that a warp of the role belongs to.
static CakeValue *instance_of(ExpandPipelines *e, const CakeLowerRole *role) {
  if (role->replicas == 1) return cake_lower_index(e->rewriter, 0);
  CakeValue *relative = cake_lower_add_const(e->rewriter, cake_pipelines_cta_warp(e), -role->first_warp);
  return cake_lower_divui(e->rewriter, relative, cake_lower_index(e->rewriter, role->warps));
}

// Enters a branch of one thread of each replica, always the same one: bulk groups belong to the thread that made them.
static void enter_leader(ExpandPipelines *e, const CakeLowerRole *role) {
  CakeRewriter *rewriter = e->rewriter;
  if (role->warps > 1) {
    CakeValue *relative = cake_lower_add_const(rewriter, cake_pipelines_cta_warp(e), -role->first_warp);
    CakeValue *number = cake_lower_remui(rewriter, relative, cake_lower_index(rewriter, role->warps));
    CakeValue *is_first = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, number, cake_lower_index(rewriter, 0));
    cake_lower_enter(rewriter, cake_op_region(cake_lower_if(rewriter, is_first, false), 0));
  }
  CakeValue *elected = cake_build1(rewriter, "gpu.elect", cake_type_i1(rewriter->context), NULL, 0);
  cake_lower_enter(rewriter, cake_op_region(cake_lower_if(rewriter, elected, false), 0));
}

static void build_bulk_wait(ExpandPipelines *e, const CakeLowerRole *role, int64_t pending) {
  CakeLowerPoint point = cake_lower_save(e->rewriter);
  enter_leader(e, role);
  CakeNamedAttr attr = {cake_id_text(e->rewriter->context, "pending"), cake_attr_i64(e->rewriter->context, pending)};
  cake_rewriter_build(e->rewriter, &(CakeBuild){.name = "gpu.bulk_wait_read", .attrs = &attr, .n_attrs = 1});
  cake_lower_restore(e->rewriter, point);
}

// Enters a branch of one lane of the warp; of a role of several warps, if `first_warp`, only of its first one.
static CakeOp *enter_elected(ExpandPipelines *e, const CakeLowerRole *role, bool first_warp) {
  CakeRewriter *rewriter = e->rewriter;
  CakeType index = cake_type_index(rewriter->context);
  CakeValue *elected =
      cake_lower_name(cake_build1(rewriter, "gpu.elect", cake_type_i1(rewriter->context), NULL, 0), "elected");
  if (first_warp && role->warps > 1) {
    CakeValue *warp = cake_build1(rewriter, "gpu.warp_id", index, NULL, 0);
    CakeValue *is_first = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, warp, cake_lower_index(rewriter, role->first_warp));
    elected = cake_build_binary(rewriter, "arith.andi", is_first, elected);
  }
  CakeOp *branch = cake_lower_if(rewriter, elected, false);
  cake_lower_enter(rewriter, cake_op_region(branch, 0));
  return branch;
}

// ---- Set-up ---------------------------------------------------------------------------------------------------------

// Without cp.async only the first warp of a loader arrives for the bytes. The others would be lapped if they were slow to
// see that the slot was empty, so each warp arrives once more at the commit; and so does each that writes itself.
static bool arrives_by_warp(const Ring *ring) {
  return !ring->has_cp_async && (ring->from.warps > 1 || ring->put);
}

// Arrivals that fill a slot: one with the bytes of bulk copies, and one of each thread that issues cp.async, or of each
// warp.
static int64_t full_count(const Ring *ring) {
  if (ring->has_tensor) return 1; // the commit of the matrix instructions
  int64_t commits = ring->has_cp_async ? WARP * ring->from.warps : arrives_by_warp(ring) ? ring->from.warps : 0;
  return (ring->has_bytes ? 1 : 0) + commits;
}

static int64_t empty_count(const Ring *ring) {
  return ring->to.warps * ring->to.replicas * cake_pipelines_sharers(ring); // one a warp
}

static void initialise(ExpandPipelines *e, const Ring *ring) {
  CakeRewriter *rewriter = e->rewriter;
  CakeLowerPoint point = cake_lower_save(rewriter);
  CakeValue *stage = cake_lower_i32(rewriter, 0);
  if (ring->stages > 1) {
    CakeOp *loop = cake_lower_for(rewriter, cake_lower_index(rewriter, 0), cake_lower_index(rewriter, ring->stages),
                                  cake_lower_index(rewriter, 1), NULL, 0);
    CakeBlock *block = cake_region_entry(cake_op_region(loop, 0));
    rewriter->block = block;
    rewriter->before = NULL;
    rewriter->before = cake_rewriter_build(rewriter, &(CakeBuild){.name = "scf.yield"});
    stage = cake_lower_name(cake_lower_cast(rewriter, block->args[0], cake_type_i32(rewriter->context)), "stage");
  }
  cake_pipelines_build_counted(e, "gpu.mbarrier_init", full_barrier(e, ring, stage), "count", full_count(ring));
  cake_pipelines_build_counted(e, "gpu.mbarrier_init", empty_barrier(e, ring, stage), "count", empty_count(ring));
  cake_lower_restore(rewriter, point);
}

void cake_pipelines_set_up(ExpandPipelines *e) {
  CakeRewriter *rewriter = e->rewriter;
  CakeContext *context = rewriter->context;
  CakeType index = cake_type_index(context);
  CakeNamedAttr x = {cake_id_text(context, "dimension"), cake_attr_string(context, CAKE_STR("x"))};
  e->shared = cake_lower_name(
      cake_build1(rewriter, "gpu.shared_memory", cake_gpu_ptr(context, CAKE_GPU_SHARED), NULL, 0), "shared");
  bool has_barriers = false;
  for (size_t i = 0; i < e->n_rings; i++)
    has_barriers |= e->rings[i].is_used && !e->rings[i].is_store;
  if (!has_barriers) return;
  CakeOp *thread = cake_rewriter_build(
      rewriter,
      &(CakeBuild){.name = "gpu.thread_id", .result_types = &index, .n_results = 1, .attrs = &x, .n_attrs = 1});
  CakeValue *is_first = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, cake_lower_name(cake_op_result(thread, 0), "thread"),
                                        cake_lower_index(rewriter, 0));
  CakeLowerPoint point = cake_lower_save(rewriter);
  CakeOp *branch = cake_lower_if(rewriter, is_first, false);
  cake_lower_enter(rewriter, cake_op_region(branch, 0));
  for (size_t i = 0; i < e->n_rings; i++)
    if (e->rings[i].is_used && !e->rings[i].is_store) initialise(e, &e->rings[i]);
  cake_pipelines_build(e, "gpu.mbarrier_init_fence", NULL, 0);
  cake_lower_restore(rewriter, point);
  cake_pipelines_allocate_tensor(e);
  cake_pipelines_meet(e);
  cake_pipelines_find_tensor(e);
}

// ---- Opening a slot -------------------------------------------------------------------------------------------------

Cursor *cake_pipelines_copy_cursors(ExpandPipelines *e, const Cursor *cursors) {
  Cursor *copy = CAKE_ARENA_ARRAY(e->scratch, Cursor, 2 * e->n_rings);
  for (size_t i = 0; cursors && i < 2 * e->n_rings; i++)
    copy[i] = cursors[i];
  return copy;
}

// Stage and phase of the slot behind this one.
static void advance(ExpandPipelines *e, const Ring *ring, Cursor *cursor) {
  CakeRewriter *rewriter = e->rewriter;
  if (ring->stages == 1) {
    if (ring->is_store) return;
    cursor->phase = cake_build_binary(rewriter, "arith.xori", cursor->phase, cake_lower_i32(rewriter, 1));
    return;
  }
  CakeValue *next = cake_lower_add_const(rewriter, cursor->stage, 1);
  CakeValue *wraps = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, next, cake_lower_i32(rewriter, ring->stages));
  CakeValue *flip = cake_build_unary(rewriter, "arith.extui", cake_type_i32(rewriter->context), wraps);
  cursor->stage = cake_lower_select(rewriter, wraps, cake_lower_i32(rewriter, 0), next);
  if (!ring->is_store) cursor->phase = cake_build_binary(rewriter, "arith.xori", cursor->phase, flip);
}

// Copies into the slot whose bytes its mbarrier counts.
static Ops counted_copies(CakeOp *acquire, int64_t *out_bytes) {
  Ops copies = {0};
  *out_bytes = 0;
  for (uint32_t i = 1; i < acquire->n_results; i++)
    for (CakeUse *use = acquire->results[i].first_use; use; use = use->next) {
      bool is_counted = cake_is_cake_op(use->owner, cake_op_cake_copy) &&
                        cake_via_of(cake_cake_copy_via(use->owner)) != CAKE_VIA_CP_ASYNC;
      if (!is_counted) continue;
      CAKE_PUSH(&copies, use->owner);
      *out_bytes += cake_shared_bytes(acquire->results[i].type);
    }
  return copies;
}

// Gives a copy its last operand, the mbarrier.
static void set_barrier(ExpandPipelines *e, CakeOp *copy, CakeValue *barrier) {
  const CakeOpDef *def = cake_op_def(copy);
  int32_t sizes[8] = {0};
  Values operands = {0};
  for (uint32_t group = 0; group < def->n_operands; group++) {
    CakeOperandRange range = cake_op_operand_group(copy, group);
    for (uint32_t i = 0; i < range.count; i++)
      CAKE_PUSH(&operands, range.first[i].value);
    sizes[group] = (int32_t)range.count;
  }
  CAKE_PUSH(&operands, barrier);
  sizes[CAKE_GROUP(cake, copy, barrier)] = 1;
  cake_rewriter_set_operands(e->rewriter, copy, operands.data, operands.len, sizes, def->n_operands);
  CAKE_VEC_FINI(&operands);
}

// The arrival that announces the slot's bytes, right behind the wait for the empty slot.
static void expect_bytes(ExpandPipelines *e, const Ring *ring, CakeOp *acquire, CakeValue *stage) {
  int64_t bytes;
  Ops copies = counted_copies(acquire, &bytes);
  CakeValue *full = full_barrier(e, ring, stage);
  CakeLowerPoint point = cake_lower_save(e->rewriter);
  enter_elected(e, &ring->from, true);
  if (bytes)
    cake_pipelines_build_counted(e, "gpu.mbarrier_arrive_expect_tx", full, "bytes", bytes);
  else
    cake_pipelines_build(e, "gpu.mbarrier_arrive", &full, 1);
  cake_lower_restore(e->rewriter, point);
  for (size_t i = 0; i < copies.len; i++)
    set_barrier(e, copies.data[i], full);
  CAKE_VEC_FINI(&copies);
}

// A part of a slot as a view.
static CakeValue *part_view(ExpandPipelines *e, const Ring *ring, uint32_t part, CakeValue *stage, CakeType type) {
  int64_t offset = cake_attr_dense_array_value(ring->offsets, part),
          stride = cake_attr_dense_array_value(ring->strides, part);
  if (ring->has_tensor) return cake_pipelines_tensor_view(e, stage, offset, stride, type);
  CakeValue *ptr = shared_at(e, offset, stage, stride);
  if (ring->is_each && ring->from.replicas > 1) {
    CakeValue *bytes = cake_lower_mul_const(e->rewriter, instance_of(e, &ring->from), ring->stages * stride);
    ptr =
        cake_lower_ptr_add(e->rewriter, ptr, cake_lower_cast(e->rewriter, bytes, cake_type_i32(e->rewriter->context)));
  }
  return cake_lower_view(e->rewriter, ptr, type);
}

// Pointers to the parts of the slot in place of its views.
static void replace_slot(ExpandPipelines *e, const Ring *ring, CakeOp *op, CakeValue *stage) {
  Values values = {0};
  CAKE_PUSH(&values, stage);
  for (uint32_t i = 1; i < op->n_results; i++) {
    CakeValue *view = part_view(e, ring, i - 1, stage, op->results[i].type);
    view->name = op->results[i].name;
    CAKE_PUSH(&values, view);
  }
  cake_rewriter_replace(e->rewriter, op, values.data);
  CAKE_VEC_FINI(&values);
}

bool cake_pipelines_open(ExpandPipelines *e, CakeOp *op, Cursor *cursor) {
  CakeRewriter *rewriter = e->rewriter;
  const Ring *ring = &e->rings[cake_pipelines_ring_index(e, op)];
  bool is_acquire = cake_is_cake_op(op, cake_op_cake_acquire);
  if (op->n_results != 1 + cake_attr_count(ring->offsets))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "has another number of views than the pipeline has parts");
  CakeValue *stage = cursor->stage;
  cake_rewriter_set_before(rewriter, op);
  if (ring->is_store) { // the slot was stored `stages` commits ago: younger stores may still read theirs
    build_bulk_wait(e, &ring->from, ring->stages - 1);
    if (!cake_lower_rendezvous(rewriter, op, cake_pipelines_cta_warp(e))) return false;
    advance(e, ring, cursor);
    replace_slot(e, ring, op, stage);
    return true;
  }
  CakeValue *barrier = is_acquire ? empty_barrier(e, ring, stage) : full_barrier(e, ring, stage);
  CakeValue *parity = cursor->phase;
  if (is_acquire) parity = cake_build_binary(rewriter, "arith.xori", parity, cake_lower_i32(rewriter, 1));
  CakeNamedAttr scope = {cake_id_text(rewriter->context, "cluster"), cake_attr_unit(rewriter->context)};
  cake_rewriter_build(rewriter, &(CakeBuild){
                                    .name = "gpu.mbarrier_wait",
                                    .operands = (CakeValue *[]){barrier, parity},
                                    .n_operands = 2,
                                    .attrs = &scope,
                                    .n_attrs = is_acquire && ring->is_multicast && ring->is_read
  });
  if (ring->has_tensor) cake_pipelines_tensor_fence(e, "after");
  if (is_acquire && ring->has_bytes) expect_bytes(e, ring, op, stage);
  advance(e, ring, cursor);
  replace_slot(e, ring, op, stage);
  return true;
}

// ---- Closing a slot -------------------------------------------------------------------------------------------------

bool cake_pipelines_closes(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_commit) || cake_is_cake_op(op, cake_op_cake_release);
}

void cake_pipelines_arrive_empty(ExpandPipelines *e, const Ring *ring, CakeValue *stage, CakeValue *condition) {
  CakeRewriter *rewriter = e->rewriter;
  CakeLowerPoint point = cake_lower_save(rewriter);
  CakeValue *empty = empty_barrier(e, ring, stage);
  CakeValue *elected = cake_build1(rewriter, "gpu.elect", cake_type_i1(rewriter->context), NULL, 0);
  cake_lower_name(elected, "elected");
  if (condition) elected = cake_build_binary(rewriter, "arith.andi", elected, condition);
  cake_lower_enter(rewriter, cake_op_region(cake_lower_if(rewriter, elected, false), 0));
  if (ring->is_multicast)
    cake_pipelines_arrive_remote(e, ring, empty);
  else
    cake_pipelines_build(e, "gpu.mbarrier_arrive", &empty, 1);
  cake_lower_restore(rewriter, point);
}

// The thread that issues the role's matrix instructions lets the barrier know of their end.
static void commit_matrix(ExpandPipelines *e, const CakeLowerRole *role, CakeValue *barrier) {
  CakeLowerPoint point = cake_lower_save(e->rewriter);
  enter_elected(e, role, false);
  cake_pipelines_build(e, "gpu.tcgen05_commit", &barrier, 1);
  cake_lower_restore(e->rewriter, point);
}

void cake_pipelines_end_reads(ExpandPipelines *e, const Ring *ring) {
  if (ring->fences_reads) cake_pipelines_build(e, "gpu.fence_proxy_async", NULL, 0);
  cake_pipelines_build(e, "gpu.warp_sync", NULL, 0);
}

static void close_full(ExpandPipelines *e, const Ring *ring, CakeOp *op) {
  uintptr_t deferral;
  CakeValue *after = cake_cake_release_after(op);
  if (cake_map_get(&e->deferred, op, &deferral)) {
    cake_pipelines_release_deferred(e, (const Deferral *)deferral);
    return;
  }
  if (ring->to_tcgen05) {
    commit_matrix(e, &ring->to, empty_barrier(e, ring, cake_op_operand(op, 0)));
    return;
  }
  if (ring->has_tensor) cake_pipelines_tensor_fence(e, "before");
  if (after) cake_pipelines_wait_groups(e, cake_lower_groups_behind(after, op));
  if (!after || ring->fences_reads) cake_pipelines_end_reads(e, ring);
  cake_pipelines_arrive_empty(e, ring, cake_op_operand(op, 0), NULL);
}

// All writes of the replica's threads are made visible to the engine; then one of them starts the store.
static bool store_slot(ExpandPipelines *e, const Ring *ring, CakeOp *commit) {
  CakeRewriter *rewriter = e->rewriter;
  CakeType part = cake_parts_type(cake_cake_pipeline_parts(ring->op), 0);
  CakeValue *view = part_view(e, ring, 0, cake_op_operand(commit, 0), part);
  cake_pipelines_build(e, "gpu.fence_proxy_async", NULL, 0);
  if (!cake_lower_rendezvous(rewriter, commit, cake_pipelines_cta_warp(e))) return false;
  enter_leader(e, &ring->from);
  CakeOperandRange idx = cake_cake_commit_at_idx(commit);
  Values operands = {0};
  CAKE_PUSH(&operands, view);
  CAKE_PUSH(&operands, cake_cake_commit_global(commit));
  for (uint32_t i = 0; i < idx.count; i++)
    CAKE_PUSH(&operands, idx.first[i].value);
  CakeAttr reduce = cake_cake_commit_reduce(commit);
  CakeNamedAttr attrs[] = {
      {cake_id_text(rewriter->context, "at"),     cake_cake_commit_at(commit)},
      {cake_id_text(rewriter->context, "reduce"), reduce                     }
  };
  int32_t segments[] = {1, 1, (int32_t)idx.count};
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "cake.store_view",
                                             .operands = operands.data,
                                             .n_operands = operands.len,
                                             .attrs = attrs,
                                             .n_attrs = reduce ? 2 : 1,
                                             .segments = segments,
                                             .n_segments = CAKE_COUNT(segments)});
  CAKE_VEC_FINI(&operands);
  cake_pipelines_build(e, "gpu.bulk_commit", NULL, 0);
  return true;
}

void cake_pipelines_drain(ExpandPipelines *e, CakeId role) {
  for (size_t i = 0; i < e->n_rings; i++) {
    const Ring *ring = &e->rings[i];
    if (!ring->is_store || !ring->is_used || ring->from.name != role) continue;
    build_bulk_wait(e, &ring->from, 0);
    return; // of all groups
  }
}

bool cake_pipelines_close(ExpandPipelines *e, CakeOp *op) {
  const Ring *ring = &e->rings[cake_pipelines_ring_index(e, op)];
  CakeValue *stage = cake_op_operand(op, 0);
  cake_rewriter_set_before(e->rewriter, op);
  if (cake_is_cake_op(op, cake_op_cake_release)) {
    close_full(e, ring, op);
  } else if (ring->is_store) {
    if (!store_slot(e, ring, op)) return false;
  } else if (ring->has_tensor) {
    cake_pipelines_build(e, "cake.commit_mma",
                         (CakeValue *[]){cake_cake_commit_after(op), full_barrier(e, ring, stage)}, 2);
  } else if (ring->has_cp_async) {
    CakeValue *full = full_barrier(e, ring, stage);
    cake_pipelines_build(e, "gpu.cp_async_mbarrier_arrive", &full, 1);
  } else if (arrives_by_warp(ring)) {
    if (ring->needs_fence) cake_pipelines_build(e, "gpu.fence_proxy_async", NULL, 0);
    if (ring->put) cake_pipelines_build(e, "gpu.warp_sync", NULL, 0); // one lane arrives for what all have written
    CakeValue *full = full_barrier(e, ring, stage);
    CakeLowerPoint point = cake_lower_save(e->rewriter);
    enter_elected(e, &ring->from, false);
    cake_pipelines_build(e, "gpu.mbarrier_arrive", &full, 1);
    cake_lower_restore(e->rewriter, point);
  }
  cake_rewriter_erase(e->rewriter, op);
  return true;
}
