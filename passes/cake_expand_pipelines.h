// What the files of cake-expand-pipelines share: the pipelines of a function and the counters of their ends.
#ifndef CAKE_PASSES_CAKE_EXPAND_PIPELINES_H
#define CAKE_PASSES_CAKE_EXPAND_PIPELINES_H

#include "dialects/cake/cake.h"
#include "passes/lower.h"
#include "passes/passes.h"

// A pipeline: its place in shared memory and who works on it.
typedef struct Ring {
  CakeOp *op;
  CakeId name;
  int64_t stages;
  CakeAttr offsets, strides; // bytes, one a part
  int64_t barriers;          // offset of full[stages], empty[stages]
  CakeLowerRole from, to;
  bool is_used;
  bool has_bytes;    // a part is filled by copies that count bytes at the mbarrier (tma, bulk)
  bool has_cp_async; // a part is filled by cp.async
} Ring;

// How far an end of a pipeline has come: the next slot's stage and the parity of its use. i32.
typedef struct Cursor {
  CakeValue *stage, *phase;
} Cursor;

enum { CAKE_END_FROM, CAKE_END_TO }; // ends of ring r have the numbers 2 r + CAKE_END_…

typedef struct ExpandPipelines {
  CakeRewriter *rewriter;
  CakeArena *scratch;
  CakeOp *func;
  CakeValue *shared; // first byte of shared memory
  Ring *rings;
  size_t n_rings;
  CakeMap ring_of; // op of a pipeline → number of the ring + 1
} ExpandPipelines;

// Reads and checks the pipelines and every op on them (cake_expand_pipelines_read.c).
bool cake_pipelines_read(ExpandPipelines *e);
size_t cake_pipelines_ring_index(const ExpandPipelines *e, const CakeOp *op);
// Initialises the mbarriers at the insertion point (cake_expand_pipelines_slots.c).
void cake_pipelines_set_up(ExpandPipelines *e);
// cake.acquire and cake.wait; moves the cursor.
bool cake_pipelines_open(ExpandPipelines *e, CakeOp *op, Cursor *cursor);
bool cake_pipelines_closes(const CakeOp *op); // cake.commit or cake.release
void cake_pipelines_close(ExpandPipelines *e, CakeOp *op);
Cursor *cake_pipelines_copy_cursors(ExpandPipelines *e, const Cursor *cursors);

#endif
