// What the files about races share: clocks, and tables of accesses.
//
//   gpu_race.c         order: what threads come to know at barriers, fences and waits
//   gpu_race_cells.c   accesses: each is held to those before it in its cells
#ifndef CAKE_SIMULATOR_GPU_RACE_H
#define CAKE_SIMULATOR_GPU_RACE_H

#include "simulator/gpu.h"

enum { CAKE_GPU_CELL_BYTES = 16, CAKE_GPU_MAX_MBARRIERS = 256 };

typedef enum CakeGpuAgent {
  CAKE_GPU_AGENT_THREAD,
  CAKE_GPU_AGENT_COPY,    // a lane's cp.async
  CAKE_GPU_AGENT_STORE,   // a lane's bulk stores: what they read
  CAKE_GPU_AGENT_WRITTEN, // what they write, which no wait that is modelled tells of
  CAKE_GPU_AGENT_MATRIX,  // a warp's wgmmas or tcgen05s
  CAKE_GPU_AGENT_BULK,    // a bulk copy, which counts at an mbarrier
} CakeGpuAgent;

typedef struct CakeGpuRecord {
  uint32_t next; // number + 1; 0: the last
  uint32_t clock, instr, lanes;
  uint32_t run;             // of the CTAs that ran
  uint16_t warp, who, mask; // that issued it; warp, of a bulk copy the mbarrier; bytes of the cell
  uint8_t agent, kind;      // CakeGpuAgent, CakeGpuAccessKind
} CakeGpuRecord;

// A memory: lists of the accesses that no later one covers and follows.
typedef struct CakeGpuCells {
  size_t count;
  uint32_t *first; // of each cell, number + 1; NULL: nobody has accessed it
  CAKE_VEC(CakeGpuRecord) records;
  uint32_t free;
} CakeGpuCells;

// What arrived at a barrier so far, and what those who pass it come to know.
typedef struct CakeGpuSync {
  uint32_t *open, *done;
} CakeGpuSync;

struct CakeGpuRaces {
  size_t threads, n; // components of a clock
  size_t copies_at, stores_at, matrices_at, mbarriers_at;
  uint32_t *clocks; // of each thread: what it has seen, then what the async proxy may see
  uint32_t *now;    // of each warp: the component of its threads
  uint32_t *copies; // of each thread: the component of its cp.async
  CakeGpuSync barriers[CAKE_GPU_CLUSTER_BARRIER + 1], mbarriers[CAKE_GPU_MAX_MBARRIERS];
  CakeGpuCells shared, tensor;
  CakeGpuCells *arrays; // of each argument; they outlive a CTA
  uint64_t seed;        // of the schedule that they are of
  CAKE_VEC(int64_t) runs; // of that schedule: the first CTA of each
};

static inline uint32_t *cake_gpu_clock_of(const CakeGpuRaces *races, size_t thread) {
  return races->clocks + 2 * races->n * thread;
}

void cake_gpu_cells_init(CakeGpuCta *cta);
void cake_gpu_cells_fini(CakeGpuCta *cta);
// A CTA begins: what was accessed in its memory is forgotten, and when a schedule begins, in arrays.
void cake_gpu_cells_start(CakeGpuCta *cta);

#endif
