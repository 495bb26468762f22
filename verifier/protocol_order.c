// Sets of facts and clocks: see protocol_order.h.
#include "verifier/protocol_order.h"

#include <string.h>

enum { WORD = 32, MAX_WORDS = 1 << 16, MAX_BARRIERS = 512 };

static size_t places_of(const CakeObject *object) {
  return object->kind == CAKE_OBJECT_ORDER ? 1 : object->kind == CAKE_OBJECT_BARRIER ? 2 : 2 * (size_t)object->stages;
}

static bool waits(const CakeProcess *process) {
  for (size_t i = 0; i < process->steps.len; i++)
    if (process->steps.data[i].kind == CAKE_STEP_PARITY) return true;
  return false;
}

bool cake_order_lay_out(CakeOrder *order, const CakeModel *model, CakeArena *arena, size_t at, size_t *out_words) {
  *order = (CakeOrder){.at = at, .n_places = model->processes.len, .n_processes = model->processes.len};
  order->place_at = CAKE_ARENA_ARRAY(arena, int32_t, model->objects.len + 1);
  order->barrier_of = CAKE_ARENA_ARRAY(arena, int32_t, model->objects.len + 1);
  order->waiter_of = CAKE_ARENA_ARRAY(arena, int32_t, model->processes.len + 1);
  for (size_t i = 0; i < model->objects.len; i++) {
    bool is_barrier = model->objects.data[i].kind == CAKE_OBJECT_BARRIER;
    order->place_at[i] = (int32_t)order->n_places;
    order->n_places += places_of(&model->objects.data[i]);
    order->barrier_of[i] = is_barrier ? (int32_t)order->n_barriers++ : -1;
  }
  size_t n_waiters = 0;
  for (size_t i = 0; i < model->processes.len; i++)
    order->waiter_of[i] = waits(&model->processes.data[i]) ? (int32_t)n_waiters++ : -1;
  order->is_kept = order->n_barriers > 0;
  order->reach_at = order->n_barriers * (2 + n_waiters);
  size_t reaches = model->cluster > 1 ? order->n_processes * (size_t)CAKE_MAX_RANKS * CAKE_REACH_KINDS : 0;
  order->n_words = order->is_kept ? (order->reach_at + reaches + WORD - 1) / WORD : 0;
  *out_words = order->n_words * order->n_places;
  return *out_words <= MAX_WORDS;
}

static int32_t *set_of(const CakeOrder *order, int32_t *words, size_t place) {
  return words + order->at + place * order->n_words;
}

static int32_t *clock_of(const CakeOrder *order, size_t place) {
  return order->clocks + place * order->n_processes;
}

void cake_order_join(const CakeOrder *order, int32_t *words, size_t into, size_t from) {
  if (!order->is_kept || into == from) return;
  int32_t *to = set_of(order, words, into), *more = set_of(order, words, from);
  for (size_t i = 0; i < order->n_words; i++)
    to[i] |= more[i];
  for (size_t i = 0; order->clocks && i < order->n_processes; i++)
    if (clock_of(order, into)[i] < clock_of(order, from)[i]) clock_of(order, into)[i] = clock_of(order, from)[i];
}

void cake_order_clear(const CakeOrder *order, int32_t *words, size_t place) {
  if (!order->is_kept) return;
  memset(set_of(order, words, place), 0, order->n_words * sizeof *words);
  if (order->clocks) memset(clock_of(order, place), 0, order->n_processes * sizeof *order->clocks);
}

static size_t fact_bit(const CakeOrder *order, CakeFact fact, int32_t barrier) {
  return (size_t)fact * order->n_barriers + (size_t)order->barrier_of[barrier];
}

static size_t look_bit(const CakeOrder *order, size_t process, int32_t barrier) {
  return (2 + (size_t)order->waiter_of[process]) * order->n_barriers + (size_t)order->barrier_of[barrier];
}

static bool has(const CakeOrder *order, const int32_t *words, size_t place, size_t bit) {
  return (uint32_t)words[order->at + place * order->n_words + bit / WORD] >> bit % WORD & 1;
}

static void learn(const CakeOrder *order, int32_t *words, size_t place, size_t bit) {
  int32_t *word = set_of(order, words, place) + bit / WORD;
  *word = (int32_t)((uint32_t)*word | UINT32_C(1) << bit % WORD);
}

static void set(const CakeOrder *order, int32_t *words, size_t place, size_t bit) {
  int32_t *word = set_of(order, words, 0) + bit / WORD;
  for (size_t i = 0; i < order->n_places; i++, word += order->n_words)
    *word = (int32_t)((uint32_t)*word & ~(UINT32_C(1) << bit % WORD));
  learn(order, words, place, bit);
}

bool cake_order_knows(const CakeOrder *order, const int32_t *words, size_t place, CakeFact fact, int32_t barrier) {
  return has(order, words, place, fact_bit(order, fact, barrier));
}

bool cake_order_knows_look(const CakeOrder *order, const int32_t *words, size_t place, size_t process,
                           int32_t barrier) {
  return has(order, words, place, look_bit(order, process, barrier));
}

void cake_order_set(const CakeOrder *order, int32_t *words, size_t place, CakeFact fact, int32_t barrier) {
  set(order, words, place, fact_bit(order, fact, barrier));
}

void cake_order_set_look(const CakeOrder *order, int32_t *words, size_t process, int32_t barrier) {
  set(order, words, process, look_bit(order, process, barrier));
}

static size_t reach_bit(const CakeOrder *order, size_t process, int32_t rank, CakeReach kind) {
  return order->reach_at + (process * CAKE_MAX_RANKS + (size_t)rank) * CAKE_REACH_KINDS + kind;
}

void cake_order_set_reach(const CakeOrder *order, int32_t *words, size_t place, size_t process, int32_t rank,
                          CakeReach kind) {
  set(order, words, place, reach_bit(order, process, rank, kind));
}

bool cake_order_knows_reach(const CakeOrder *order, const int32_t *words, size_t place, size_t process, int32_t rank,
                            CakeReach kind) {
  return has(order, words, place, reach_bit(order, process, rank, kind));
}

void cake_order_learn(const CakeOrder *order, int32_t *words, size_t place, CakeFact fact, int32_t barrier) {
  learn(order, words, place, fact_bit(order, fact, barrier));
}

// Bits of facts and looks: a group a fact or waiter, a bit a barrier. Those of `reached` stay.
static void permute_set(const CakeOrder *order, const int32_t *from, int32_t *to, const int32_t *becomes) {
  memset(to, 0, order->n_words * sizeof *to);
  for (size_t word = 0; word < order->n_words; word++)
    for (uint32_t left = (uint32_t)from[word]; left; left &= left - 1) {
      size_t bit = word * WORD + (size_t)__builtin_ctz(left), barrier = bit % order->n_barriers;
      if (bit < order->reach_at) bit += (size_t)becomes[barrier] - barrier;
      to[bit / WORD] = (int32_t)((uint32_t)to[bit / WORD] | UINT32_C(1) << bit % WORD);
    }
}

void cake_order_permute(const CakeOrder *order, const int32_t *before, int32_t *words, const int32_t *moved,
                        size_t n_objects) {
  int32_t becomes[MAX_BARRIERS];
  if (!order->is_kept || order->n_barriers > MAX_BARRIERS) return;
  for (size_t i = 0; i < n_objects; i++)
    if (order->barrier_of[i] >= 0) becomes[order->barrier_of[i]] = order->barrier_of[moved[i]];
  for (size_t place = 0; place < order->n_processes; place++)
    permute_set(order, before + order->at + place * order->n_words, set_of(order, words, place), becomes);
  for (size_t i = 0; i < n_objects; i++)
    for (size_t k = 0; order->barrier_of[i] >= 0 && k < 2; k++)
      permute_set(order, before + order->at + ((size_t)order->place_at[i] + k) * order->n_words,
                  set_of(order, words, (size_t)order->place_at[moved[i]] + k), becomes);
}
