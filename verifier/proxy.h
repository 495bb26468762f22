// The async-proxy analysis: which generic accesses of shared memory meet one of the async proxy, and in what state.
//
// PTX ISA, "Memory consistency model", "Proxies": accesses of the generic and the async proxy to the same place are ordered
// only through a proxy fence. So each thread that wrote, or that read what is overwritten, executes fence.proxy.async behind
// its access, and then something that orders it before the issuing thread: a barrier or an mbarrier that both take part in.
// On an H200, loads that were still on their way read what a copy wrote behind them, where only an mbarrier stood in between.
//
// async_proxy.c walks a function as all its threads would in lockstep; this is what it keeps for each access. In the names
// below a write stands for either.
#ifndef CAKE_VERIFIER_PROXY_H
#define CAKE_VERIFIER_PROXY_H

#include "verifier/lane_ranges.h"
#include "verifier/threads.h"

enum { CAKE_PROXY_BARRIERS = 16 };

// Bytes of shared memory that an op touches, by the warp that executes it.
typedef struct CakeExtent {
  CakeLaneRange bytes[CAKE_MAX_WARPS];
} CakeExtent;

typedef struct CakeProxySite {
  CakeOp *op;
  bool is_mbarrier; // an mbarrier is set up; its fence is mbarrier_init_fence
  bool is_read;     // only writes of the async proxy meet it
  CakeExtent extent;
} CakeProxySite;

// What became of the writes of one site.
typedef struct CakeProxyState {
  uint32_t written[CAKE_MAX_WARPS];     // lanes that wrote
  uint32_t dirty[CAKE_MAX_WARPS];       // of these, without a fence since
  uint32_t alone[CAKE_MAX_WARPS];       // fenced, but no other thread was told since
  uint32_t seen[CAKE_MAX_WARPS];        // warps for which all others of this warp's writes are in order
  uint32_t sent;                        // warps whose writes an arrival at an mbarrier has released
  uint32_t posted[CAKE_PROXY_BARRIERS]; // the same at that named barrier
  CakeOp *rendezvous;                   // the first behind the write, if there was no fence yet
  CakeOp *late_fence;                   // the first fence behind it
} CakeProxyState;

void cake_proxy_write(CakeProxyState *state, const CakeThreads *threads);
void cake_proxy_fence(CakeProxyState *state, const CakeThreads *threads, CakeOp *fence);
// Some warps meet at a named barrier (barrier < 0: at another one). `is_all`: nobody else comes there.
void cake_proxy_meet(CakeProxyState *state, uint32_t warps, int32_t barrier, bool is_all, CakeOp *op);
// Arrivals at an mbarrier (barrier < 0) or a named barrier; nobody waits here.
void cake_proxy_arrive(CakeProxyState *state, const CakeThreads *threads, int32_t barrier, CakeOp *op);
// Some warps wait for an mbarrier.
void cake_proxy_wait(CakeProxyState *state, uint32_t warps);
// What other threads arrive at meanwhile, as `other` has it.
void cake_proxy_expect(CakeProxyState *state, const CakeProxyState *other);
// What may have happened on either of two paths. True: `into` changed.
bool cake_proxy_join(CakeProxyState *into, const CakeProxyState *other);

typedef enum CakeProxyFault {
  CAKE_PROXY_FINE,
  CAKE_PROXY_NO_FENCE,      // a writer has not executed a fence
  CAKE_PROXY_FENCE_LATE,    // it has, but behind the rendezvous
  CAKE_PROXY_NO_RENDEZVOUS, // nothing orders a writer's fence before the issuing thread
} CakeProxyFault;

// Whether the writes of warp `writer` are in order before an access of the async proxy by `issuers` in warp `warp`.
CakeProxyFault cake_proxy_judge(const CakeProxyState *state, int32_t writer, int32_t warp, uint32_t issuers);

#endif
