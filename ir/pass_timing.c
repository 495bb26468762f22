// Times of passes and phases: rows in order of first use, as a table with shares of the total or as JSON.
#include <time.h>

#include "cake/pass.h"

typedef struct TimingRow {
  CakeStr name;
  unsigned depth;
  int64_t count;
  double seconds;
} TimingRow;

struct CakeTiming {
  CakeArena *arena;
  CAKE_VEC(TimingRow) rows;
};

CakeTiming *cake_timing_create(void) {
  CakeArena *arena = cake_arena_create();
  CakeTiming *timing = CAKE_ARENA_NEW(arena, CakeTiming);
  timing->arena = arena;
  return timing;
}

void cake_timing_destroy(CakeTiming *timing) {
  if (!timing) return;
  CAKE_VEC_FINI(&timing->rows);
  cake_arena_destroy(timing->arena);
}

double cake_timing_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cake_timing_add(CakeTiming *timing, CakeStr name, unsigned depth, double seconds) {
  for (size_t i = 0; i < timing->rows.len; i++) {
    TimingRow *row = &timing->rows.data[i];
    if (row->depth != depth || !cake_str_equal(row->name, name)) continue;
    row->seconds += seconds;
    row->count++;
    return;
  }
  cake_timing_add_row(timing, name, depth, 1, seconds);
}

void cake_timing_add_row(CakeTiming *timing, CakeStr name, unsigned depth, int64_t count, double seconds) {
  CAKE_PUSH(&timing->rows, (TimingRow){cake_arena_str(timing->arena, name), depth, count, seconds});
}

static double total(const CakeTiming *timing) {
  double seconds = 0;
  for (size_t i = 0; i < timing->rows.len; i++)
    seconds += timing->rows.data[i].depth == 0 ? timing->rows.data[i].seconds : 0;
  if (seconds > 0) return seconds;
  for (size_t i = 0; i < timing->rows.len; i++)
    seconds += timing->rows.data[i].seconds;
  return seconds;
}

static void print_json(const CakeTiming *timing, CakeBuf *out) {
  CakeJson json = cake_json(out);
  cake_json_begin_array(&json);
  for (size_t i = 0; i < timing->rows.len; i++) {
    const TimingRow *row = &timing->rows.data[i];
    cake_json_begin_object(&json);
    cake_json_key(&json, "name");
    cake_json_str(&json, row->name);
    cake_json_key(&json, "depth");
    cake_json_int(&json, row->depth);
    cake_json_key(&json, "count");
    cake_json_int(&json, row->count);
    cake_json_key(&json, "seconds");
    cake_json_double(&json, row->seconds);
    cake_json_end_object(&json);
  }
  cake_json_end_array(&json);
  cake_buf_char(out, '\n');
}

void cake_timing_print(const CakeTiming *timing, bool json, CakeBuf *out) {
  if (json) {
    print_json(timing, out);
    return;
  }
  double all = total(timing);
  cake_buf_printf(out, "===- Execution time report -===\n  Total: %.6f seconds\n  Seconds   (share)    Runs  Name\n",
                  all);
  for (size_t i = 0; i < timing->rows.len; i++) {
    const TimingRow *row = &timing->rows.data[i];
    cake_buf_printf(out, "  %.6f  (%5.1f%%)  %6lld  %*s%.*s\n", row->seconds, all > 0 ? 100 * row->seconds / all : 0.0,
                    (long long)row->count, (int)(2 * row->depth), "", CAKE_STR_ARG(row->name));
  }
}
