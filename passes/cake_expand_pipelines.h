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
  bool is_store; // the bulk-store engine empties it; `to` is not set
  bool is_each;  // each replica of `from` has a ring of its own
  bool is_used;
  bool has_bytes;    // a part is filled by copies that count bytes at the mbarrier (tma, bulk)
  bool has_cp_async; // a part is filled by cp.async
  bool has_tensor;   // its parts are tensor memory, which tcgen05 fills
  bool to_tcgen05;   // tcgen05 reads its slots, and arrives when it has
  CakeOp *put;       // one of the cake.put that fill a part, where a role empties it; NULL: none does
  bool needs_fence;  // a matrix instruction reads what a cake.put wrote
  bool is_multicast; // CTAs of the cluster fill one another's slots
  bool is_read;      // by threads, not by matrix instructions alone
  bool fences_reads; // threads read a part that the async proxy fills, and will fill again
  CakeMulticast multicast;
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
  CakeValue *tensor; // address of the CTA's tensor memory; NULL: it has none
  Ring *rings;
  size_t n_rings;
  CakeMap ring_of;  // op of a pipeline → number of the ring + 1
  CakeMap deferred; // cake.release that gives back the slot of the round before → Deferral *
} ExpandPipelines;

// A `release … after` whose matrix instructions stay in flight into the next round of the loop around it, behind those of
// which the slot is given back; that of the last round is given back behind the await.
typedef struct Deferral {
  CakeOp *release, *await;
  size_t ring;
  int64_t groups; // of one round
  CakeLoc loc;    // of the release
} Deferral;
typedef CAKE_VEC(Deferral *) Deferrals;

// Reads and checks the pipelines and every op on them (cake_expand_pipelines_read.c).
bool cake_pipelines_read(ExpandPipelines *e);
size_t cake_pipelines_ring_index(const ExpandPipelines *e, const CakeOp *op);
// Initialises the mbarriers at the insertion point (cake_expand_pipelines_slots.c).
void cake_pipelines_set_up(ExpandPipelines *e);
// cake.acquire and cake.wait; moves the cursor.
bool cake_pipelines_open(ExpandPipelines *e, CakeOp *op, Cursor *cursor);
bool cake_pipelines_closes(const CakeOp *op); // cake.commit or cake.release
bool cake_pipelines_close(ExpandPipelines *e, CakeOp *op);
Cursor *cake_pipelines_copy_cursors(ExpandPipelines *e, const Cursor *cursors);
// Slots of the pipelines `to(store)` that a role fills have been read when its program ends (at the insertion point).
void cake_pipelines_drain(ExpandPipelines *e, CakeId role);
// Releases of a loop's body that can be deferred by a round (cake_expand_pipelines_defer.c). They are put into
// `e->deferred` too.
Deferrals cake_pipelines_find_deferrals(ExpandPipelines *e, CakeOp *loop);
// The release itself; and, once the loop has become `made` and its counters are `cursors`, that of the last round.
void cake_pipelines_release_deferred(ExpandPipelines *e, const Deferral *deferral);
void cake_pipelines_release_last(ExpandPipelines *e, const Deferral *deferral, const CakeOp *made,
                                 const Cursor *cursors);
// Rings that CTAs of a cluster fill for one another (cake_expand_pipelines_cluster.c): whether there are any; whether they can be lowered; all
// threads of the cluster meet, or those of the CTA where there are none; and one lane arrives at the mbarrier of an empty stage in each CTA that
// fills it.
bool cake_pipelines_has_multicast(const ExpandPipelines *e);
bool cake_pipelines_read_multicast(ExpandPipelines *e);
void cake_pipelines_meet(ExpandPipelines *e);
void cake_pipelines_meet_at_end(ExpandPipelines *e);
void cake_pipelines_arrive_remote(ExpandPipelines *e, const Ring *ring, CakeValue *empty);
int64_t cake_pipelines_sharers(const Ring *ring); // CTAs that fill a slot; 1 without multicast
// Tensor memory (cake_expand_pipelines_tensor.c). In front of and behind a rendezvous of all threads: the CTA allocates it, all learn its
// address; and it is given back, at the insertion point, which all of them reach. Without any these do nothing.
void cake_pipelines_allocate_tensor(ExpandPipelines *e);
void cake_pipelines_find_tensor(ExpandPipelines *e);
void cake_pipelines_free_tensor(ExpandPipelines *e);
// `side` of a synchronisation: "before" or "after".
void cake_pipelines_tensor_fence(ExpandPipelines *e, const char *side);
// The columns of a stage, as a view of that type.
CakeValue *cake_pipelines_tensor_view(ExpandPipelines *e, CakeValue *stage, int64_t offset, int64_t stride,
                                      CakeType type);
// Ops at the insertion point, and with an integer attribute.
void cake_pipelines_build(ExpandPipelines *e, const char *name, CakeValue *const *operands, size_t count);
void cake_pipelines_build_counted(ExpandPipelines *e, const char *name, CakeValue *operand, const char *attr,
                                  int64_t value);
// The number of the warp in the CTA: the one by which roles are told apart, else a new one.
CakeValue *cake_pipelines_cta_warp(ExpandPipelines *e);
// wgmma.wait_group: at most `groups` may still run.
void cake_pipelines_wait_groups(ExpandPipelines *e, int64_t groups);
// Whether anything but wgmma reads a part of the slot that an op waits for.
bool cake_pipelines_threads_read(const CakeOp *wait, uint32_t part);
// A warp has read the slot, and what it read is ordered before the slot is filled again.
void cake_pipelines_end_reads(ExpandPipelines *e, const Ring *ring);
// One lane of each warp that empties `ring` arrives at the mbarrier of an empty stage, if `condition` (NULL: always).
void cake_pipelines_arrive_empty(ExpandPipelines *e, const Ring *ring, CakeValue *stage, CakeValue *condition);

#endif
