// What repeats is passed over: steps of an item, items of a CTA, CTAs of a place.
//
// Each loop is watched by its tracks: where everybody stands in it who runs it, and when he came there. When the rounds of the last track have
// the same durations again, with a period of a few, the next period is looked at as a whole. If everybody does as many rounds in it and keeps his
// distance to the last one of his CTA, then more of the same follow: counters are put forward to shortly before somebody's end, and the time and
// all that is counted are multiplied. CTAs do not wait for one another, so that distances between them may change. Loops whose rounds differ are
// not watched.
#include "cost/model.h"

#include <math.h>

enum { LONGEST = 8, KEPT = 3, HISTORY = 2 * LONGEST + 1 }; // rounds: of a period; that are run before the end
#define TOLERANCE 1e-6                                     // of a period

// Also of what was passed over: rounds of an outer loop are as long as they are.
static double time_of(const CakeCostSm *sm) {
  return sm->now + sm->skipped;
}

typedef struct Track Track;
struct Track {
  int64_t *counter; // NULL: outside of the loop
  int64_t left;     // rounds behind this one
  int64_t seen;
  double since;       // when it came to this round
  const Track *pacer; // the last of the CTA
};

typedef struct Mark {
  int64_t seen;
  double distance; // from when it came to its round to when its pacer did
} Mark;

// What was counted until a period began, in the order of each_counted.
typedef CAKE_VEC(double) Counted;

struct CakeCostPace {
  size_t n_tracks;
  Track *tracks; // the last one paces
  Mark *marks;
  double times[HISTORY];  // of the last rounds of the pacing track, the newest last
  size_t n_times, period; // period 0: none is looked at
  double begun;
  Counted counted;
};

static double distance_of(const Track *track) {
  return track->pacer->since - track->since;
}

// ---- Tracks ----------------------------------------------------------------------------------------------------------------------

static size_t machines_of(const CakeCostSm *sm) {
  size_t count = 0;
  for (size_t c = 0; c < sm->n_ctas; c++)
    count += sm->ctas[c].sim.n_machines;
  return count;
}

void cake_cost_steady_init(CakeCostSm *sm) {
  sm->paces = CAKE_ARENA_ARRAY(sm->arena, CakeCostPace, CAKE_COST_LOOPS);
  for (size_t l = 0; l < CAKE_COST_LOOPS; l++) {
    CakeCostPace *pace = &sm->paces[l];
    pace->n_tracks = l == CAKE_COST_CTAS ? sm->n_ctas : machines_of(sm);
    pace->tracks = CAKE_ARENA_ARRAY(sm->arena, Track, pace->n_tracks);
    pace->marks = CAKE_ARENA_ARRAY(sm->arena, Mark, pace->n_tracks);
  }
}

void cake_cost_steady_fini(CakeCostSm *sm) {
  for (size_t l = 0; sm->paces && l < CAKE_COST_LOOPS; l++)
    CAKE_VEC_FINI(&sm->paces[l].counted);
}

static int64_t rounds_left(const CakeCostCta *cta) {
  const CakeSimTiles *tiles = &cta->launch.tiles[0];
  int64_t clusters = cta->launch.grid / cta->launch.cluster;
  return (tiles->items - cta->number / cta->launch.cluster + clusters - 1) / clusters;
}

static void set_track(Track *track, double now, int64_t *counter, int64_t limit) {
  int64_t at = counter ? *counter : -1;
  if (counter != track->counter || at != track->seen) track->since = now;
  track->counter = counter;
  track->seen = at;
  track->left = limit - at;
}

static void set_tracks(CakeCostSm *sm, CakeCostLoop loop) {
  Track *track = sm->paces[loop].tracks;
  for (CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++) {
    if (loop == CAKE_COST_CTAS) {
      int64_t ctas = cta->step > 0 ? (cta->limit - 1 - cta->number) / cta->step : 0;
      track->pacer = track;
      set_track(track, time_of(sm), cta->is_idle ? NULL : &cta->n_run, cta->n_run + ctas);
      track++;
      continue;
    }
    for (size_t i = 0; i < cta->sim.n_machines; i++, track++) {
      CakeSimMachine *machine = &cta->sim.machines[i];
      track->pacer = track - i + cta->sim.n_machines - 1;
      if (cta->is_idle || cta->instances[i].activity == CAKE_COST_ENDED)
        set_track(track, time_of(sm), NULL, 0);
      else if (loop == CAKE_COST_STEPS)
        set_track(track, time_of(sm), machine->step_rounds, machine->item_steps);
      else
        set_track(track, time_of(sm), machine->item_rounds, rounds_left(cta));
    }
  }
}

static bool are_inside(const CakeCostPace *pace) {
  for (size_t i = 0; i < pace->n_tracks; i++)
    if (!pace->tracks[i].counter) return false;
  return true;
}

// ---- Periods ---------------------------------------------------------------------------------------------------------------------

static bool is_near(double a, double b, double scale) {
  return fabs(a - b) <= TOLERANCE * scale;
}

// The shortest period of which the last rounds are two; 0: none.
static size_t find_period(const CakeCostPace *pace) {
  for (size_t period = 1; period <= LONGEST && 2 * period < pace->n_times; period++) {
    const double *last = &pace->times[pace->n_times - 1];
    bool is_equal = true;
    double scale = last[0] - last[-(ptrdiff_t)period];
    for (size_t i = 0; is_equal && i < period; i++) {
      const double *a = last - i, *b = a - period;
      is_equal = is_near(a[0] - a[-1], b[0] - b[-1], scale);
    }
    if (is_equal && scale > 0) return period;
  }
  return 0;
}

static void add_time(CakeCostPace *pace, double now) {
  if (pace->n_times == HISTORY) {
    memmove(pace->times, pace->times + 1, sizeof pace->times - sizeof pace->times[0]);
    pace->n_times--;
  }
  pace->times[pace->n_times++] = now;
}

// ---- What is counted ---------------------------------------------------------------------------------------------------------------

// Adds `times` of what was counted since then to each number; with times 0 it is only kept.
static void count_again(double *number, Counted *counted, size_t *at, double times) {
  if (times == 0) {
    CAKE_PUSH(counted, *number);
    return;
  }
  *number += times * (*number - (*at < counted->len ? counted->data[*at] : 0));
  ++*at;
}

static void each_counted(CakeCostSm *sm, Counted *counted, double times) {
  size_t at = 0;
  for (size_t u = 0; u < sm->n_units; u++)
    for (size_t r = 0; r < CAKE_COST_RESOURCES; r++)
      count_again(&sm->units[u].busy[r], counted, &at, times);
  for (size_t i = 0; i < sm->n_arguments; i++)
    count_again(&sm->traffic[i].bytes, counted, &at, times);
  for (CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++)
    for (size_t i = 0; i < cta->sim.n_machines; i++) {
      count_again(&cta->instances[i].worked, counted, &at, times);
      for (size_t s = 0; s < CAKE_COST_MAX_WAITS; s++)
        count_again(&cta->instances[i].spent[s].cycles, counted, &at, times);
    }
}

// ---- Passing over ------------------------------------------------------------------------------------------------------------------

static void begin_period(CakeCostSm *sm, CakeCostPace *pace) {
  pace->period = find_period(pace);
  if (!pace->period) return;
  pace->begun = time_of(sm);
  for (size_t i = 0; i < pace->n_tracks; i++)
    pace->marks[i] = (Mark){pace->tracks[i].seen, distance_of(&pace->tracks[i])};
  pace->counted.len = 0;
  each_counted(sm, &pace->counted, 0);
}

static bool has_repeated(const CakeCostSm *sm, const CakeCostPace *pace) {
  double scale = time_of(sm) - pace->begun;
  for (size_t i = 0; i < pace->n_tracks; i++) {
    const Track *track = &pace->tracks[i];
    bool is_equal = track->seen - pace->marks[i].seen == (int64_t)pace->period &&
                    is_near(distance_of(track), pace->marks[i].distance, scale);
    if (!is_equal) return false;
  }
  return true;
}

// How many more periods everybody has before the end.
static int64_t periods_left(const CakeCostPace *pace) {
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < pace->n_tracks; i++) {
    int64_t periods = (pace->tracks[i].left - KEPT) / (int64_t)pace->period;
    least = periods < least ? periods : least;
  }
  return least;
}

static void pass_over(CakeCostSm *sm, CakeCostLoop loop, int64_t periods) {
  CakeCostPace *pace = &sm->paces[loop];
  for (size_t i = 0; i < pace->n_tracks; i++) {
    *pace->tracks[i].counter += periods * (int64_t)pace->period;
    pace->tracks[i].seen = *pace->tracks[i].counter;
    if (loop == CAKE_COST_CTAS) sm->ctas[i].number += periods * (int64_t)pace->period * sm->ctas[i].step;
  }
  sm->skipped += (double)periods * (time_of(sm) - pace->begun);
  each_counted(sm, &pace->counted, (double)periods);
}

static void watch(CakeCostSm *sm, CakeCostLoop loop) {
  CakeCostPace *pace = &sm->paces[loop];
  if (pace->n_tracks == 0) return;
  Track *last = &pace->tracks[pace->n_tracks - 1];
  int64_t before = last->seen;
  const int64_t *counter = last->counter;
  set_tracks(sm, loop);
  if (!are_inside(pace) || last->counter != counter || last->seen < before) pace->n_times = pace->period = 0;
  if (!are_inside(pace) || last->seen == before) return;
  add_time(pace, time_of(sm));
  if (!pace->period) {
    begin_period(sm, pace);
    return;
  }
  if (last->seen - pace->marks[pace->n_tracks - 1].seen < (int64_t)pace->period) return;
  int64_t periods = has_repeated(sm, pace) ? periods_left(pace) : 0;
  if (periods > 0) pass_over(sm, loop, periods);
  pace->n_times = pace->period = 0;
}

void cake_cost_steady(CakeCostSm *sm) {
  const CakeSimLaunch *launch = &sm->ctas[0].launch;
  if (cake_cost_tracks_need(sm)) return;
  bool is_persistent = launch->n_tiles && launch->tiles[0].schedule == CAKE_SCHEDULE_PERSISTENT;
  watch(sm, CAKE_COST_STEPS);
  if (sm->has_equal_items && launch->n_tiles) watch(sm, is_persistent ? CAKE_COST_ITEMS : CAKE_COST_CTAS);
}
