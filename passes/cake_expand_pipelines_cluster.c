// Rings that the CTAs of a cluster fill for one another, by multicast.
//
// A CTA's copies write into the slots of others, so it may only begin when those are empty: the mbarrier `empty` of a stage counts the
// readers of all CTAs that it fills, and a reader arrives in each CTA that fills its slot (PTX ISA, "mapa", "mbarrier.arrive" on
// shared::cluster). Each CTA's `full` counts the bytes of its own slot, whoever fetched them. Nobody may use another's barriers before they
// are set up, nor a CTA's shared memory once it has ended: all threads of the cluster meet at the start and at the end.
#include "dialects/cake/ops/slots.h"
#include "dialects/gpu/gpu.h"
#include "passes/cake_expand_pipelines.h"

int64_t cake_pipelines_sharers(const Ring *ring) {
  return ring->is_multicast ? cake_multicast_count(ring->multicast.masks[0]) : 1;
}

bool cake_pipelines_has_multicast(const ExpandPipelines *e) {
  for (size_t i = 0; i < e->n_rings; i++)
    if (e->rings[i].is_used && e->rings[i].is_multicast) return true;
  return false;
}

// Where matrix instructions alone read the slots that an op waits for, they have completed when the slot is given back.
static void read_readers(ExpandPipelines *e, const CakeOp *wait) {
  for (uint32_t part = 0; part + 1 < wait->n_results; part++)
    if (cake_pipelines_threads_read(wait, part)) e->rings[cake_pipelines_ring_index(e, wait)].is_read = true;
}

bool cake_pipelines_read_multicast(ExpandPipelines *e) {
  for (size_t i = 0; i < e->n_rings; i++) {
    Ring *ring = &e->rings[i];
    ring->is_multicast = cake_pipeline_multicast(ring->op, &ring->multicast) && cake_op_cluster(e->func) > 1;
    for (int64_t rank = 1; ring->is_multicast && rank < ring->multicast.cluster; rank++)
      if (cake_multicast_count(ring->multicast.masks[rank]) != cake_pipelines_sharers(ring))
        return cake_error(ring->op, CAKE_CODE_LOWER_UNSUPPORTED,
                          "is shared by %lld CTAs in CTA 0 of the cluster, but by %lld in CTA %lld",
                          (long long)cake_pipelines_sharers(ring),
                          (long long)cake_multicast_count(ring->multicast.masks[rank]), (long long)rank);
    if (ring->is_multicast && ring->to_tcgen05)
      return cake_error(ring->op, CAKE_CODE_LOWER_UNSUPPORTED, "is filled by multicast, and tcgen05 reads it");
  }
  for (CakeOp *op = e->func; op; op = cake_op_walk_next(e->func, op, false))
    if (cake_is_cake_op(op, cake_op_cake_wait)) read_readers(e, op);
  return true;
}

void cake_pipelines_meet(ExpandPipelines *e) {
  cake_pipelines_build(e, cake_pipelines_has_multicast(e) ? "gpu.cluster_barrier" : "gpu.barrier", NULL, 0);
}

void cake_pipelines_meet_at_end(ExpandPipelines *e) {
  if (cake_pipelines_has_multicast(e)) cake_pipelines_build(e, "gpu.cluster_barrier", NULL, 0);
}

void cake_pipelines_arrive_remote(ExpandPipelines *e, const Ring *ring, CakeValue *empty) {
  CakeContext *context = e->rewriter->context;
  CakeNamedAttr relaxed = {cake_id_text(context, "relaxed"), cake_attr_unit(context)};
  const CakeMulticast *m = &ring->multicast;
  for (int64_t i = 0; i < cake_pipelines_sharers(ring); i++) {
    int64_t targets[CAKE_MAX_CLUSTER] = {0};
    for (int64_t rank = 0; rank < m->cluster; rank++)
      while (!(m->masks[rank] >> targets[rank] & 1) || cake_multicast_index(m->masks[rank], targets[rank]) != i)
        targets[rank]++;
    CakeValue *operands[] = {empty, cake_lower_by_rank(e->rewriter, targets, m->cluster)};
    cake_rewriter_build(e->rewriter, &(CakeBuild){.name = "gpu.mbarrier_arrive_remote",
                                                  .operands = operands,
                                                  .n_operands = 2,
                                                  .attrs = &relaxed,
                                                  .n_attrs = ring->is_read ? 0 : 1});
  }
}
