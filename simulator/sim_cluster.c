// cake: pipelines whose slots CTAs of a cluster fill for one another.
//
// A slot is full when the CTA has committed it and everything has arrived, also what others sent; it may be filled again when it is empty in
// all CTAs that get it.
#include "simulator/build.h"

#include <string.h>

static CakeSimPipe *pipe_at(const CakeSimPipe *pipe, const CakeSimLaunch *launch, int64_t rank) {
  return launch->pipes + (size_t)rank * launch->n_pipes + pipe->index;
}

// The slot's use before that one is over, or the next has begun already.
static bool is_free(const CakeSimStage *stage, int64_t fill, int64_t before) {
  return stage->fill == fill || (stage->fill == before && stage->state == CAKE_SIM_EMPTY);
}

bool cake_sim_is_empty_for_all(const CakeSimLaunch *launch, const CakeSimPipe *pipe, uint32_t stage, int64_t fill) {
  int64_t before = fill < (int64_t)pipe->n_stages ? -1 : fill - (int64_t)pipe->n_stages;
  for (int64_t rank = 0; rank < pipe->multicast.cluster; rank++)
    if ((pipe->multicast.masks[pipe->rank] >> rank & 1) &&
        !is_free(&pipe_at(pipe, launch, rank)->stages[stage], fill, before))
      return false;
  return true;
}

bool cake_sim_has_arrived(const CakeSimPipe *pipe, const CakeSimStage *stage) {
  for (uint32_t p = 0; p < pipe->n_parts; p++)
    if (memchr(stage->filled[p], CAKE_SIM_UNWRITTEN, pipe->parts[p].count) ||
        memchr(stage->filled[p], CAKE_SIM_UNDER_WAY, pipe->parts[p].count))
      return false;
  return true;
}

void cake_sim_send(CakeSimMachine *machine, const CakeSimCopy *whole, uint32_t mask) {
  const CakeSimLaunch *launch = machine->cta->launch;
  CakeSimCopy share = *whole;
  share.rows = whole->rows / cake_multicast_count(mask);
  share.row = cake_multicast_index(mask, machine->rank) * share.rows;
  share.base[whole->row_dim] += share.row;
  for (int64_t rank = 0; rank < launch->cluster; rank++) {
    if (!(mask >> rank & 1)) continue;
    share.pipe = pipe_at(whole->pipe, launch, rank);
    share.stage = &share.pipe->stages[whole->stage - whole->pipe->stages];
    share.part = &share.pipe->parts[whole->part_index];
    cake_sim_mark_copy(&share, CAKE_SIM_UNDER_WAY);
    share.stage->under_way++;
    CAKE_PUSH(&machine->cta->copies, share);
  }
}
