// Debug counters: parsing their bounds, and counting.
#include "core.h"

#include "cake/action.h"
#include "cake/counters.h"

#include <string.h>

typedef struct Counter {
  CakeId name;
  int64_t n_seen, skip, count; // count -1: no bound
} Counter;

struct CakeCounters {
  CakeContext *context;
  CakeActionObserver observer;
  CAKE_VEC(Counter) list;
  CakeMap places; // CakeId → place in `list` + 1
  bool counts_all;
};

static Counter *counter_of(CakeCounters *counters, CakeId name) {
  uintptr_t place;
  if (!cake_map_get(&counters->places, name, &place)) {
    CAKE_PUSH(&counters->list, (Counter){.name = name, .count = -1});
    place = counters->list.len;
    cake_map_set(&counters->places, name, place);
  }
  return &counters->list.data[place - 1];
}

static bool parse_number(CakeStr text, int64_t *out) {
  *out = 0;
  for (size_t i = 0; i < text.len; i++) {
    if (text.ptr[i] < '0' || text.ptr[i] > '9' || *out > INT64_MAX / 10 - 9) return false;
    *out = *out * 10 + (text.ptr[i] - '0');
  }
  return text.len > 0;
}

// "NAME" of "NAME-skip".
static bool cut_suffix(CakeStr *name, CakeStr suffix) {
  if (name->len <= suffix.len) return false;
  CakeStr end = {name->ptr + name->len - suffix.len, suffix.len};
  if (!cake_str_equal(end, suffix)) return false;
  name->len -= suffix.len;
  return true;
}

static bool parse_entry(CakeContext *context, CakeStr entry, CakeBuf *error) {
  const char *equal = entry.len ? memchr(entry.ptr, '=', entry.len) : NULL;
  CakeStr name = {entry.ptr, equal ? (size_t)(equal - entry.ptr) : 0};
  CakeStr value = {equal ? equal + 1 : entry.ptr, equal ? entry.len - name.len - 1 : 0};
  bool is_skip = cut_suffix(&name, CAKE_STR("-skip"));
  int64_t number;
  if ((!is_skip && !cut_suffix(&name, CAKE_STR("-count"))) || !parse_number(value, &number)) {
    cake_buf_printf(error, "expected NAME-skip=N or NAME-count=N, not '%.*s'", CAKE_STR_ARG(entry));
    return false;
  }
  Counter *counter = counter_of(context->counters, cake_id(context, name));
  *(is_skip ? &counter->skip : &counter->count) = number;
  return true;
}

// Counts one more.
static bool allows(void *user, const CakeAction *action) {
  CakeCounters *counters = user;
  uintptr_t ignored;
  bool is_pattern = strcmp(action->kind, "pattern") == 0;
  CakeId name = cake_id_text(counters->context, is_pattern ? action->name : action->kind);
  if (!counters->counts_all && !cake_map_get(&counters->places, name, &ignored)) return true;
  Counter *counter = counter_of(counters, name);
  int64_t number = counter->n_seen++;
  return number >= counter->skip && (counter->count < 0 || number - counter->skip < counter->count);
}

static void create(CakeContext *context) {
  CakeCounters *counters = cake_mem_zeroed(sizeof *counters);
  counters->context = context;
  counters->observer = (CakeActionObserver){.user = counters, .allows = allows};
  context->counters = counters;
  cake_context_observe(context, &counters->observer);
}

bool cake_context_set_counters(CakeContext *context, CakeStr text, bool counts_all, CakeBuf *error) {
  if (!context->counters) create(context);
  context->counters->counts_all = counts_all;
  while (text.len) {
    const char *comma = memchr(text.ptr, ',', text.len);
    size_t len = comma ? (size_t)(comma - text.ptr) : text.len;
    if (!parse_entry(context, (CakeStr){text.ptr, len}, error)) return false;
    len += comma != NULL;
    text = (CakeStr){text.ptr + len, text.len - len};
  }
  return true;
}

void cake_counters_print(const CakeContext *context, CakeBuf *out) {
  const CakeCounters *counters = context->counters;
  cake_buf_text(out, "DebugCounter counters:\n"); // as mlir-opt's
  for (size_t i = 0; counters && i < counters->list.len; i++) {
    const Counter *counter = &counters->list.data[i];
    cake_buf_printf(out, "%-32s: {%lld,%lld,%lld}\n", counter->name->text, (long long)counter->n_seen,
                    (long long)counter->skip, (long long)counter->count);
  }
}

void cake_counters_fini(CakeContext *context) {
  if (!context->counters) return;
  CAKE_VEC_FINI(&context->counters->list);
  cake_map_fini(&context->counters->places);
  cake_mem_free(context->counters);
}
