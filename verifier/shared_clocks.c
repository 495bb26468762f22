// Vector clocks over shared memory, and what was accessed there last.
#include "verifier/shared_clocks.h"

#include <string.h>

enum { LANES = 32, CELL_BYTES = 16, OBJECTS = CAKE_NAMED_BARRIERS + CAKE_MAX_MBARRIERS };

// Accesses of a cell by the lanes of a warp at one moment, or by an agent.
typedef struct Record {
  uint32_t next; // number + 1; 0: the last
  uint32_t time, lanes;
  CakeOp *op;
  uint16_t who, mask; // mask: bytes of the cell
  uint8_t agent;
  bool is_write;
} Record;

typedef struct Object {
  uint32_t *open, *done; // what arrived so far, and what those who wait come to know
} Object;

struct CakeSharedClocks {
  CakeArena *arena;
  size_t n, n_threads, n_cells; // n: components
  uint32_t *known;              // of each warp, n components
  uint32_t *now;                // of each warp
  Object objects[OBJECTS];
  uint32_t *cells; // number + 1 of the first record
  CAKE_VEC(Record) records;
  uint32_t free;
};

CakeSharedClocks *cake_shared_clocks_create(CakeArena *arena, int32_t warps, int64_t shared_bytes) {
  CakeSharedClocks *clocks = CAKE_ARENA_NEW(arena, CakeSharedClocks);
  clocks->arena = arena;
  clocks->n_threads = (size_t)warps * LANES;
  clocks->n = 3 * clocks->n_threads + (size_t)warps + CAKE_MAX_MBARRIERS;
  clocks->n_cells = (size_t)(shared_bytes / CELL_BYTES + 1);
  clocks->known = CAKE_ARENA_ARRAY(arena, uint32_t, clocks->n *(size_t)warps);
  clocks->now = CAKE_ARENA_ARRAY(arena, uint32_t, warps);
  clocks->cells = CAKE_ARENA_ARRAY(arena, uint32_t, clocks->n_cells);
  for (int32_t w = 0; w < warps; w++)
    clocks->now[w] = 1;
  return clocks;
}

void cake_shared_clocks_destroy(CakeSharedClocks *clocks) {
  CAKE_VEC_FINI(&clocks->records);
}

uint32_t cake_shared_now(const CakeSharedClocks *clocks, int32_t warp) {
  return clocks->now[warp];
}

void cake_shared_tick(CakeSharedClocks *clocks, int32_t warp) {
  clocks->now[warp]++;
}

// ---- Clocks --------------------------------------------------------------------------------------------------------------

static uint32_t *known_of(const CakeSharedClocks *clocks, int32_t warp) {
  return clocks->known + clocks->n * (size_t)warp;
}

static size_t component(const CakeSharedClocks *clocks, CakeAgent agent, int32_t who, uint32_t lane) {
  size_t thread = (size_t)who * LANES + lane;
  switch (agent) {
  case CAKE_AGENT_THREAD: return thread;
  case CAKE_AGENT_COPY: return clocks->n_threads + thread;
  case CAKE_AGENT_STORE: return 2 * clocks->n_threads + thread;
  case CAKE_AGENT_MATRIX: return 3 * clocks->n_threads + (size_t)who;
  default: return 3 * clocks->n_threads + clocks->n_threads / LANES + (size_t)who;
  }
}

static void raise(uint32_t *component, uint32_t time) {
  if (*component < time) *component = time;
}

static void join(const CakeSharedClocks *clocks, uint32_t *restrict into, const uint32_t *restrict from) {
  for (size_t i = 0; i < clocks->n; i++)
    into[i] = into[i] > from[i] ? into[i] : from[i];
}

static Object *object_of(CakeSharedClocks *clocks, int32_t object) {
  Object *out = &clocks->objects[object];
  if (out->open) return out;
  out->open = CAKE_ARENA_ARRAY(clocks->arena, uint32_t, clocks->n);
  out->done = CAKE_ARENA_ARRAY(clocks->arena, uint32_t, clocks->n);
  return out;
}

void cake_shared_learn(CakeSharedClocks *clocks, int32_t warp, CakeAgent agent, int32_t who, uint32_t lane,
                       uint32_t time) {
  raise(&known_of(clocks, warp)[component(clocks, agent, who, lane)], time);
}

bool cake_shared_knows(const CakeSharedClocks *clocks, int32_t warp, CakeAgent agent, int32_t who, uint32_t lane,
                       uint32_t time) {
  return known_of(clocks, warp)[component(clocks, agent, who, lane)] >= time;
}

void cake_shared_meet(CakeSharedClocks *clocks, int32_t warp, uint32_t lanes) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1) cake_shared_learn(clocks, warp, CAKE_AGENT_THREAD, warp, lane, clocks->now[warp]);
}

void cake_shared_arrive(CakeSharedClocks *clocks, int32_t object, int32_t warp, uint32_t lanes, bool copies) {
  uint32_t *open = object_of(clocks, object)->open;
  join(clocks, open, known_of(clocks, warp));
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    raise(&open[component(clocks, CAKE_AGENT_THREAD, warp, lane)], clocks->now[warp]);
    if (copies) raise(&open[component(clocks, CAKE_AGENT_COPY, warp, lane)], clocks->now[warp]);
  }
}

void cake_shared_land(CakeSharedClocks *clocks, int32_t object, CakeAgent agent, int32_t who, uint32_t time) {
  raise(&object_of(clocks, object)->open[component(clocks, agent, who, 0)], time);
}

void cake_shared_complete(CakeSharedClocks *clocks, int32_t object) {
  Object *of = object_of(clocks, object);
  memcpy(of->done, of->open, clocks->n * sizeof *of->done);
}

void cake_shared_wait(CakeSharedClocks *clocks, int32_t object, int32_t warp) {
  join(clocks, known_of(clocks, warp), object_of(clocks, object)->done);
}

// ---- Accesses ------------------------------------------------------------------------------------------------------------

// Matrix instructions are of a whole warp: what its lanes did before is in order with them.
static bool is_certain(const CakeSharedClocks *clocks, const Record *record, int32_t warp,
                       const CakeSharedAccess *access) {
  for (uint32_t lane = 0, lanes = record->lanes; lanes; lane++, lanes >>= 1) {
    if (!(lanes & 1)) continue;
    bool is_own = record->agent == CAKE_AGENT_THREAD && record->who == warp &&
                  (lane == access->lane || access->agent == CAKE_AGENT_MATRIX);
    if (!is_own && !cake_shared_knows(clocks, warp, (CakeAgent)record->agent, record->who, lane, record->time))
      return false;
  }
  return true;
}

static bool is_same(const Record *record, const Record *other) {
  return record->agent == other->agent && record->who == other->who && record->time == other->time &&
         record->mask == other->mask && record->is_write == other->is_write;
}

static void add_record(CakeSharedClocks *clocks, uint32_t *first, const Record *record) {
  uint32_t number = clocks->free;
  if (number) {
    clocks->free = clocks->records.data[number - 1].next;
    clocks->records.data[number - 1] = *record;
  } else {
    CAKE_PUSH(&clocks->records, *record);
    number = (uint32_t)clocks->records.len;
  }
  clocks->records.data[number - 1].next = *first;
  *first = number;
}

// One cell. Of the accesses before, those that the new one covers and follows are dropped: who is ordered behind it is behind them.
static CakeSharedConflict visit(CakeSharedClocks *clocks, size_t cell, Record *record, int32_t warp,
                                const CakeSharedAccess *access) {
  CakeSharedConflict found = {0};
  bool is_merged = false;
  for (uint32_t *link = &clocks->cells[cell]; *link;) {
    uint32_t number = *link;
    Record *other = &clocks->records.data[number - 1];
    bool is_covered = (other->mask & ~record->mask) == 0 && (record->is_write || !other->is_write);
    if (is_same(record, other) && !record->is_write) {
      other->lanes |= record->lanes;
      is_merged = true;
    } else if (other->mask & record->mask) {
      bool certain = is_certain(clocks, other, warp, access);
      if (!certain && !found.op && (other->is_write || access->is_write))
        found = (CakeSharedConflict){other->op, (CakeAgent)other->agent, other->is_write, other->who,
                                     (int64_t)cell * CELL_BYTES};
      if (certain && is_covered) {
        *link = other->next;
        other->next = clocks->free;
        clocks->free = number;
        continue;
      }
    }
    link = &clocks->records.data[number - 1].next;
  }
  if (!is_merged) add_record(clocks, &clocks->cells[cell], record);
  return found;
}

CakeSharedConflict cake_shared_access(CakeSharedClocks *clocks, int32_t warp, const CakeSharedAccess *access) {
  CakeSharedConflict found = {0};
  Record record = {.time = access->time,
                   .lanes = 1U << access->lane,
                   .op = access->op,
                   .who = (uint16_t)access->who,
                   .agent = (uint8_t)access->agent,
                   .is_write = access->is_write};
  int64_t end = access->address + access->bytes;
  if (access->address < 0 || end > (int64_t)clocks->n_cells * CELL_BYTES) return found;
  for (int64_t at = access->address; at < end;) {
    int64_t next = (at / CELL_BYTES + 1) * CELL_BYTES, stop = next < end ? next : end;
    record.mask = (uint16_t)(((1U << (stop - at)) - 1) << (at % CELL_BYTES));
    CakeSharedConflict one = visit(clocks, (size_t)(at / CELL_BYTES), &record, warp, access);
    if (!found.op) found = one;
    at = stop;
  }
  return found;
}
