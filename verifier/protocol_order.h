// What is ordered behind what in an execution of a protocol: which events each process is certain of.
//
// Each process, each slot, turn and phase of a barrier (a place) has a set of facts, a bit each:
//   set up   the mbarrier's set-up came before
//   phase    the end of the barrier's last phase came before (or its set-up)
//   looked   the last wait of a process for the phases of an mbarrier came before
//   reached  in a cluster: the last arrival of a process in another CTA came before, or its last copy to there has landed
// Who arrives, commits, releases or passes leaves its set there; who waits takes it along. A new event takes its bit
// from every set but that of who made it. The sets are part of a state, so loops end when they repeat.
//
// While a counterexample is worked out, each place has a clock beside its set: how many moves of each process came
// before (vector clocks: Fidge, Mattern).
#ifndef CAKE_VERIFIER_PROTOCOL_ORDER_H
#define CAKE_VERIFIER_PROTOCOL_ORDER_H

#include "verifier/protocol_model.h"

typedef struct CakeOrder {
  bool is_kept;             // nothing to know in a protocol without barriers
  size_t at;                // of the sets in the words of a state
  size_t n_places, n_words; // words of a set
  size_t n_barriers, reach_at; // bits of `reached` behind the others
  int32_t *place_at;   // of each object: its first place; those of processes are first
  int32_t *barrier_of; // of each object: its number among the barriers; -1
  int32_t *waiter_of;  // of each process: its number among those that wait for parities; -1
  int32_t *clocks;     // of each place, a number a process; NULL: not kept
  size_t n_processes;
} CakeOrder;

typedef enum CakeFact { CAKE_FACT_SET_UP, CAKE_FACT_PHASE } CakeFact;
typedef enum CakeReach { CAKE_REACH_ARRIVAL, CAKE_REACH_COPY, CAKE_REACH_KINDS } CakeReach;

// Says how many words the sets take. False: more than is modelled.
bool cake_order_lay_out(CakeOrder *order, const CakeModel *model, CakeArena *arena, size_t at, size_t *out_words);

// Places of an object. Slots have two: what its producer, and what its consumers left.
static inline size_t cake_order_turn(const CakeOrder *order, int32_t object) {
  return order->is_kept ? (size_t)order->place_at[object] : 0;
}
static inline size_t cake_order_full(const CakeOrder *order, int32_t object, int32_t slot) {
  return order->is_kept ? (size_t)order->place_at[object] + 2 * (size_t)slot : 0;
}
static inline size_t cake_order_empty(const CakeOrder *order, int32_t object, int32_t slot) {
  return cake_order_full(order, object, slot) + 1;
}
// The phase under way, and the last that ended.
// The sets of a state in which each barrier has become another (of each object, which): from the words before to those behind.
void cake_order_permute(const CakeOrder *order, const int32_t *before, int32_t *words, const int32_t *moved,
                        size_t n_objects);
static inline size_t cake_order_arrived(const CakeOrder *order, int32_t object) {
  return cake_order_full(order, object, 0);
}
static inline size_t cake_order_ended(const CakeOrder *order, int32_t object) {
  return cake_order_full(order, object, 0) + 1;
}

// A process moves: its clock, where one is kept.
static inline void cake_order_tick(const CakeOrder *order, size_t process) {
  if (order->clocks) order->clocks[process * order->n_processes + process]++;
}
// `into` knows what `from` knows, too.
void cake_order_join(const CakeOrder *order, int32_t *words, size_t into, size_t from);
void cake_order_clear(const CakeOrder *order, int32_t *words, size_t place);
bool cake_order_knows(const CakeOrder *order, const int32_t *words, size_t place, CakeFact fact, int32_t barrier);
bool cake_order_knows_look(const CakeOrder *order, const int32_t *words, size_t place, size_t process, int32_t barrier);
// A new event, known to `place` alone.
void cake_order_set(const CakeOrder *order, int32_t *words, size_t place, CakeFact fact, int32_t barrier);
void cake_order_set_look(const CakeOrder *order, int32_t *words, size_t process, int32_t barrier);
void cake_order_set_reach(const CakeOrder *order, int32_t *words, size_t place, size_t process, int32_t rank,
                          CakeReach kind);
bool cake_order_knows_reach(const CakeOrder *order, const int32_t *words, size_t place, size_t process, int32_t rank,
                            CakeReach kind);
// An event that others know, too, becomes known to `place`.
void cake_order_learn(const CakeOrder *order, int32_t *words, size_t place, CakeFact fact, int32_t barrier);

#endif
