// Who is certain of which accesses to shared memory, in one execution of a gpu.func (vector clocks: Fidge, Mattern).
//
// A clock has a component for each thread, for the cp.async and for the bulk stores of each thread, for the matrix instructions of each warp,
// and for the bulk loads of each mbarrier. A warp has one: what one of its lanes has waited for counts for all of them, but what another lane of
// it did is certain behind a synchronisation of the warp only.
//
// The simulator does the same for all that a launch does, thread by thread (simulator/gpu_race.c); this is for what a rule can
// afford: numbers of one launch, and no data.
#ifndef CAKE_VERIFIER_SHARED_CLOCKS_H
#define CAKE_VERIFIER_SHARED_CLOCKS_H

#include "cake/op.h"

// Who accesses.
typedef enum CakeAgent {
  CAKE_AGENT_THREAD,
  CAKE_AGENT_COPY,   // cp.async
  CAKE_AGENT_STORE,  // bulk stores
  CAKE_AGENT_MATRIX, // wgmma of a warp, tcgen05 of its threads
  CAKE_AGENT_LOAD,   // bulk loads that count at an mbarrier
} CakeAgent;

typedef struct CakeSharedAccess {
  CakeOp *op;
  CakeAgent agent;
  bool is_write;
  int32_t who; // the warp, of loads the mbarrier
  uint32_t lane;
  uint32_t time; // of the agent
  int64_t address, bytes;
} CakeSharedAccess;

typedef struct CakeSharedClocks CakeSharedClocks;

enum { CAKE_MAX_MBARRIERS = 64, CAKE_NAMED_BARRIERS = 16 };

CakeSharedClocks *cake_shared_clocks_create(CakeArena *arena, int32_t warps, int64_t shared_bytes);
void cake_shared_clocks_destroy(CakeSharedClocks *clocks);

// The moment that a warp is at; each op of a warp that counts is a moment of its own.
uint32_t cake_shared_now(const CakeSharedClocks *clocks, int32_t warp);
void cake_shared_tick(CakeSharedClocks *clocks, int32_t warp);

// Notes an access. Returns the op of an earlier one that touches the same bytes, one of the two a write, and that `warp` is not certain
// of; NULL: there is none.
typedef struct CakeSharedConflict {
  CakeOp *op; // NULL: none
  CakeAgent agent;
  bool is_write;
  int32_t who;
  int64_t address;
} CakeSharedConflict;
CakeSharedConflict cake_shared_access(CakeSharedClocks *clocks, int32_t warp, const CakeSharedAccess *access);

// The lanes of a warp meet.
void cake_shared_meet(CakeSharedClocks *clocks, int32_t warp, uint32_t lanes);
// Some lanes arrive at an object: named barriers, then mbarriers. `copies`: once their cp.async have landed.
void cake_shared_arrive(CakeSharedClocks *clocks, int32_t object, int32_t warp, uint32_t lanes, bool copies);
// What arrived at an object has an agent's accesses up to a time with it.
void cake_shared_land(CakeSharedClocks *clocks, int32_t object, CakeAgent agent, int32_t who, uint32_t time);
// Its phase is complete.
void cake_shared_complete(CakeSharedClocks *clocks, int32_t object);
void cake_shared_wait(CakeSharedClocks *clocks, int32_t object, int32_t warp);
// A warp becomes certain of an agent's accesses up to a time; whether it is.
void cake_shared_learn(CakeSharedClocks *clocks, int32_t warp, CakeAgent agent, int32_t who, uint32_t lane,
                       uint32_t time);
bool cake_shared_knows(const CakeSharedClocks *clocks, int32_t warp, CakeAgent agent, int32_t who, uint32_t lane,
                       uint32_t time);

#endif
