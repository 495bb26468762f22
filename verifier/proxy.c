// What the async-proxy analysis keeps for each write of shared memory.
#include "verifier/proxy.h"

#define EACH_WARP(w) for (int32_t w = 0; w < CAKE_MAX_WARPS; w++)

static uint32_t bit(int32_t warp) {
  return 1U << warp;
}

void cake_proxy_write(CakeProxyState *state, const CakeThreads *threads) {
  EACH_WARP(w) {
    uint32_t lanes = threads->lanes[w];
    if (!lanes) continue;
    state->written[w] |= lanes;
    state->dirty[w] |= lanes;
    state->alone[w] &= ~lanes;
    state->sent &= ~bit(w);
    for (int i = 0; i < CAKE_PROXY_BARRIERS; i++)
      state->posted[i] &= ~bit(w);
  }
  state->rendezvous = state->late_fence = NULL;
}

void cake_proxy_fence(CakeProxyState *state, const CakeThreads *threads, CakeOp *fence) {
  EACH_WARP(w) {
    uint32_t lanes = state->dirty[w] & threads->lanes[w];
    if (!lanes) continue;
    state->dirty[w] &= ~lanes;
    state->alone[w] |= lanes;
    if (state->rendezvous && !state->late_fence) state->late_fence = fence;
  }
}

// The writes of a warp are told to others, who are then `warps` for those that nobody knew of.
static void tell(CakeProxyState *state, int32_t writer, uint32_t warps, bool knows_alone) {
  uint32_t rest = state->written[writer] & ~state->dirty[writer] & ~state->alone[writer];
  if (rest && state->seen[writer] & warps) state->seen[writer] |= warps;
  if (!knows_alone || !state->alone[writer]) return;
  state->seen[writer] = rest ? state->seen[writer] & warps : warps;
  state->alone[writer] = 0;
}

void cake_proxy_meet(CakeProxyState *state, uint32_t warps, int32_t barrier, bool is_all, CakeOp *op) {
  EACH_WARP(w) {
    if (!state->rendezvous && state->dirty[w] && warps & bit(w)) state->rendezvous = op;
    if (!state->written[w]) continue;
    if (barrier >= 0 && state->posted[barrier] & bit(w)) tell(state, w, warps | bit(w), true);
    tell(state, w, warps, warps & bit(w));
    if (barrier >= 0 && !is_all && !state->alone[w] && state->seen[w] & warps) state->posted[barrier] |= bit(w);
  }
}

// Whether what an arrival releases has all fenced writes of a warp in it.
static bool releases(const CakeProxyState *state, int32_t writer, const CakeThreads *threads) {
  uint32_t rest = state->written[writer] & ~state->dirty[writer] & ~state->alone[writer];
  if (state->alone[writer] & ~threads->lanes[writer]) return false;
  if (!rest) return state->alone[writer];
  EACH_WARP(v) if (threads->lanes[v] && state->seen[writer] & bit(v)) return true;
  return false;
}

void cake_proxy_arrive(CakeProxyState *state, const CakeThreads *threads, int32_t barrier, CakeOp *op) {
  EACH_WARP(w) {
    if (!state->rendezvous && state->dirty[w] & threads->lanes[w]) state->rendezvous = op;
    if (!releases(state, w, threads)) continue;
    tell(state, w, bit(w), true);
    if (barrier < 0)
      state->sent |= bit(w);
    else
      state->posted[barrier] |= bit(w);
  }
}

void cake_proxy_wait(CakeProxyState *state, uint32_t warps) {
  EACH_WARP(w) if (state->sent & bit(w)) tell(state, w, warps | bit(w), true);
}

void cake_proxy_expect(CakeProxyState *state, const CakeProxyState *other) {
  state->sent |= other->sent;
  for (int i = 0; i < CAKE_PROXY_BARRIERS; i++)
    state->posted[i] |= other->posted[i];
}

// ---- Joining ---------------------------------------------------------------------------------------------------------

static bool grow(uint32_t *into, uint32_t more) {
  uint32_t old = *into;
  *into |= more;
  return *into != old;
}

static bool shrink(uint32_t *into, uint32_t mask) {
  uint32_t old = *into;
  *into &= mask;
  return *into != old;
}

// A warp that wrote on one of the paths alone is what it is there.
static bool take_warp(CakeProxyState *into, const CakeProxyState *other, int32_t w) {
  into->written[w] = other->written[w];
  into->dirty[w] = other->dirty[w];
  into->alone[w] = other->alone[w];
  into->seen[w] = other->seen[w];
  into->sent = (into->sent & ~bit(w)) | (other->sent & bit(w));
  for (int i = 0; i < CAKE_PROXY_BARRIERS; i++)
    into->posted[i] = (into->posted[i] & ~bit(w)) | (other->posted[i] & bit(w));
  return true;
}

static bool join_warp(CakeProxyState *into, const CakeProxyState *other, int32_t w) {
  if (!other->written[w]) return false;
  if (!into->written[w]) return take_warp(into, other, w);
  bool changed = grow(&into->written[w], other->written[w]);
  changed |= grow(&into->dirty[w], other->dirty[w]);
  changed |= grow(&into->alone[w], other->alone[w] & ~into->dirty[w]);
  into->alone[w] &= ~into->dirty[w];
  changed |= shrink(&into->seen[w], other->seen[w]);
  changed |= shrink(&into->sent, other->sent | ~bit(w));
  for (int i = 0; i < CAKE_PROXY_BARRIERS; i++)
    changed |= shrink(&into->posted[i], other->posted[i] | ~bit(w));
  return changed;
}

bool cake_proxy_join(CakeProxyState *into, const CakeProxyState *other) {
  bool changed = false;
  EACH_WARP(w) changed |= join_warp(into, other, w);
  if (!into->rendezvous) into->rendezvous = other->rendezvous;
  if (!into->late_fence) into->late_fence = other->late_fence;
  return changed;
}

CakeProxyFault cake_proxy_judge(const CakeProxyState *state, int32_t writer, int32_t warp, uint32_t issuers) {
  if (!state->written[writer]) return CAKE_PROXY_FINE;
  if (state->dirty[writer]) return CAKE_PROXY_NO_FENCE;
  uint32_t rest = state->written[writer] & ~state->alone[writer];
  // Who fenced its own writes and issues the access itself needs nobody.
  bool is_own = warp == writer && !(state->alone[writer] & ~issuers);
  if (state->alone[writer] && !is_own) return state->late_fence ? CAKE_PROXY_FENCE_LATE : CAKE_PROXY_NO_RENDEZVOUS;
  return rest && !(state->seen[writer] & bit(warp)) ? CAKE_PROXY_NO_RENDEZVOUS : CAKE_PROXY_FINE;
}
