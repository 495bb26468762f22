// Mutation operators of the class protocol: how data is handed over, resources, and forms.
#include "bench/verifier/mutations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const char *const Ops[];

static Ops syncs = {"cake.commit", "cake.release", "cake.pass",  "cake.arrive",
                    "cake.meet",   "cake.sync",    "cake.fence", NULL};
static Ops repeatable_syncs = {"cake.commit", "cake.release", "cake.pass", "cake.arrive",
                               "cake.meet",   "cake.fence",   NULL};
static Ops token_users = {"cake.commit", "cake.release", "cake.pass", NULL};
static Ops slots = {"cake.acquire", "cake.wait", "cake.take", NULL};
static Ops waits = {"cake.acquire", "cake.wait", "cake.take", "cake.await", NULL};
static Ops fills = {"cake.copy", "cake.put", NULL};
static Ops moves = {"cake.copy", "cake.put", "cake.get", NULL};
static Ops view_users = {"cake.copy", "cake.put", "cake.get", "cake.mma", NULL};

#define CURRENT_LINE (mutants->source->lines.data[line])

static bool line_has(const Mutants *mutants, size_t line, const char *const *ops) {
  Words words = words_of(CURRENT_LINE);
  bool has = words_have_op(&words, ops);
  words_fini(&words);
  return has;
}

// ---- Order and number of handovers -----------------------------------------------------------------------------------

void mutate_drop_sync(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, syncs)) edit_drop(mutants, MUTATION_drop_sync, line);
}

void mutate_repeat_sync(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, repeatable_syncs)) edit_copy(mutants, MUTATION_repeat_sync, line, line + 1, CURRENT_LINE);
}

void mutate_move_sync(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, token_users)) edit_moves(mutants, MUTATION_move_sync, line, 8);
}

// Every result gets another name.
void mutate_repeat_slot(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  CakeBuf text = {0};
  size_t equal = word_find(&words, 0, "=");
  if (words_have_op(&words, slots) && equal != SIZE_MAX) {
    for (size_t i = 0; i < equal; i++) {
      CakeStr word = word_text(&words, i);
      cake_buf_printf(&text, word.ptr[0] == '%' ? "%.*s_again" : "%.*s ", CAKE_STR_ARG(word));
    }
    size_t start = words.list.data[equal].start;
    cake_buf_printf(&text, " %.*s", (int)(words.line.len - start), words.line.ptr + start);
    edit_copy(mutants, MUTATION_repeat_slot, line, line, cake_arena_str(mutants->source->arena, cake_buf_view(&text)));
  }
  cake_buf_fini(&text);
  words_fini(&words);
}

void mutate_move_slot(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, waits)) edit_moves(mutants, MUTATION_move_slot, line, 6);
}

void mutate_drop_fill(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, fills)) edit_drop(mutants, MUTATION_drop_fill, line);
}

void mutate_repeat_fill(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, fills)) edit_copy(mutants, MUTATION_repeat_fill, line, line, CURRENT_LINE);
}

void mutate_move_fill(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, moves)) edit_moves(mutants, MUTATION_move_fill, line, 6);
}

// ---- Names -----------------------------------------------------------------------------------------------------------

// What an acquire, wait or take makes: its token (the first result), or its views (the others).
static void collect_results(const Mutants *mutants, size_t line, bool tokens, CakeBuf *out) {
  Words words = words_of(CURRENT_LINE);
  if (words_have_op(&words, slots)) {
    for (size_t i = 0, result = 0; i < words.list.len && !word_is(&words, i, "="); i++) {
      CakeStr word = word_text(&words, i);
      if (word.ptr[0] != '%') continue;
      if (tokens == (result++ == 0)) cake_buf_printf(out, "%.*s ", CAKE_STR_ARG(word));
    }
  }
  words_fini(&words);
}

// Replaces word `index` by every other name in a list with spaces.
static void edit_names(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t index,
                       const CakeBuf *names) {
  for (char *at = names->data; at && *at;) {
    size_t len = strcspn(at, " ");
    CakeStr name = cake_arena_str(mutants->source->arena, (CakeStr){at, len});
    if (!cake_str_equal(name, word_text(words, index))) edit_words(mutants, id, line, words, index, index, name.ptr);
    at += len + (at[len] == ' ');
  }
}

static bool is_listed(const CakeBuf *names, CakeStr name) {
  for (const char *at = names->data; at && *at;) {
    size_t len = strcspn(at, " ");
    if (len == name.len && memcmp(at, name.ptr, len) == 0) return true;
    at += len + (at[len] == ' ');
  }
  return false;
}

// Every word that is one of the names above the line becomes each of the others.
static void edit_all_names(Mutants *mutants, MutationId id, size_t line, bool tokens) {
  CakeBuf names = {0};
  Words words = words_of(CURRENT_LINE);
  for (size_t i = 0; i < line; i++)
    collect_results(mutants, i, tokens, &names);
  for (size_t i = 0; i < words.list.len; i++)
    if (is_listed(&names, word_text(&words, i))) edit_names(mutants, id, line, &words, i, &names);
  words_fini(&words);
  cake_buf_fini(&names);
}

void mutate_wrong_slot(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, token_users)) edit_all_names(mutants, MUTATION_wrong_slot, line, true);
}

void mutate_wrong_view(Mutants *mutants, size_t line) {
  if (line_has(mutants, line, view_users)) edit_all_names(mutants, MUTATION_wrong_view, line, false);
}

// Names of all ops of that kind: "@points @ring ".
static void collect_symbols(const Mutants *mutants, const char *op, CakeBuf *out) {
  for (size_t i = 0; i < mutants->source->lines.len; i++) {
    Words words = words_of(mutants->source->lines.data[i]);
    if (word_is(&words, 0, op) && words.list.len > 1) cake_buf_printf(out, "%.*s ", CAKE_STR_ARG(word_text(&words, 1)));
    words_fini(&words);
  }
}

void mutate_wrong_pipeline(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  CakeBuf names = {0};
  if (words_have_op(&words, slots)) {
    collect_symbols(mutants, "cake.pipeline", &names);
    edit_names(mutants, MUTATION_wrong_pipeline, line, &words, words.list.len - 1, &names);
  }
  cake_buf_fini(&names);
  words_fini(&words);
}

void mutate_wrong_owner(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  CakeBuf names = {0};
  collect_symbols(mutants, "cake.role", &names);
  for (size_t i = 2; word_is(&words, 0, "cake.pipeline") && i < words.list.len; i++)
    if (word_text(&words, i).ptr[0] == '@') edit_names(mutants, MUTATION_wrong_owner, line, &words, i, &names);
  cake_buf_fini(&names);
  words_fini(&words);
}

// ---- Resources -------------------------------------------------------------------------------------------------------

// The clause `name(VALUE)` becomes name(text).
static void edit_clause(Mutants *mutants, MutationId id, size_t line, const Words *words, const char *name,
                        const char *text) {
  size_t at = word_find(words, 0, name);
  if (at == SIZE_MAX || !word_is(words, at + 1, "(")) return;
  size_t close = word_close(words, at + 1);
  if (close < words->list.len) edit_words(mutants, id, line, words, at + 2, close - 1, text);
}

static void edit_clause_sums(Mutants *mutants, MutationId id, size_t line, const Words *words, const char *name,
                             const int64_t *deltas, size_t count) {
  size_t at = word_find(words, 0, name);
  if (at == SIZE_MAX || !word_is(words, at + 1, "(")) return;
  size_t close = word_close(words, at + 1);
  if (close >= words->list.len) return;
  size_t start = words->list.data[at + 2].start;
  for (size_t i = 0; i < count; i++) {
    char text[96];
    snprintf(text, sizeof text, "%.*s %c %lld", (int)(words->list.data[close].start - start), words->line.ptr + start,
             deltas[i] < 0 ? '-' : '+', llabs((long long)deltas[i]));
    edit_words(mutants, id, line, words, at + 2, close - 1, text);
  }
}

void mutate_stages(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  if (word_is(&words, 0, "cake.pipeline")) {
    edit_clause(mutants, MUTATION_stages, line, &words, "stages", "0");
    edit_clause(mutants, MUTATION_stages, line, &words, "stages", "1");
    edit_clause(mutants, MUTATION_stages, line, &words, "stages", "64");
    edit_clause_sums(mutants, MUTATION_stages, line, &words, "stages", (const int64_t[]){-1, 1}, 2);
  }
  words_fini(&words);
}

void mutate_role_size(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  if (word_is(&words, 0, "cake.role")) {
    edit_clause_sums(mutants, MUTATION_role_size, line, &words, "warps", (const int64_t[]){-1, 1, 3, 32}, 4);
    edit_clause_sums(mutants, MUTATION_role_size, line, &words, "warpgroups", (const int64_t[]){-1, 1}, 2);
    edit_clause_sums(mutants, MUTATION_role_size, line, &words, "replicate", (const int64_t[]){-1, 1, 7}, 3);
  }
  words_fini(&words);
}

void mutate_registers(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  if (word_is(&words, 0, "cake.role")) {
    edit_clause_sums(mutants, MUTATION_registers, line, &words, "regs", (const int64_t[]){-8, 8, 4, 64, -300}, 5);
    edit_clause(mutants, MUTATION_registers, line, &words, "regs", "16");
    edit_clause(mutants, MUTATION_registers, line, &words, "regs", "256");
  }
  words_fini(&words);
}

// ---- Forms -----------------------------------------------------------------------------------------------------------

// Every word of the list becomes each of the others.
static void edit_choices(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t from,
                         const char *const *choices) {
  for (size_t i = from; i < words->list.len; i++) {
    size_t which = 0;
    while (choices[which] && !word_is(words, i, choices[which]))
      which++;
    for (size_t j = 0; choices[which] && choices[j]; j++)
      if (j != which) edit_words(mutants, id, line, words, i, i, choices[j]);
  }
}

void mutate_storage(Mutants *mutants, size_t line) {
  static Ops forms = {"sw128", "sw64", "sw32", "rows", "core", NULL};
  Words words = words_of(CURRENT_LINE);
  if (word_is(&words, 0, "cake.pipeline")) edit_choices(mutants, MUTATION_storage, line, &words, 1, forms);
  words_fini(&words);
}

void mutate_part_shape(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  size_t slot = word_is(&words, 0, "cake.pipeline") ? word_find(&words, 0, "slot") : SIZE_MAX;
  for (size_t i = slot == SIZE_MAX ? words.list.len : slot; i < words.list.len; i++) {
    if (!word_is_number(&words, i)) continue;
    int64_t value = strtoll(word_text(&words, i).ptr, NULL, 10);
    edit_number(mutants, MUTATION_part_shape, line, &words, i, value / 2);
    edit_number(mutants, MUTATION_part_shape, line, &words, i, value * 2);
    edit_number(mutants, MUTATION_part_shape, line, &words, i, value + 8);
    edit_number(mutants, MUTATION_part_shape, line, &words, i, value + 1);
  }
  words_fini(&words);
}

void mutate_copy_via(Mutants *mutants, size_t line) {
  static Ops ways = {"tma", "bulk", "cp_async", NULL};
  Words words = words_of(CURRENT_LINE);
  size_t via = word_find(&words, 0, "via");
  if (via != SIZE_MAX) edit_choices(mutants, MUTATION_copy_via, line, &words, via + 1, ways);
  words_fini(&words);
}

// Replaces a part of the word at `index`.
static void edit_part(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t index, const char *from,
                      const char *to) {
  CakeStr word = word_text(words, index);
  size_t len = strlen(from);
  for (size_t at = 0; at + len <= word.len; at++) {
    if (memcmp(word.ptr + at, from, len) != 0) continue;
    CakeStr text = cake_arena_printf(mutants->source->arena, "%.*s%s%.*s", (int)at, word.ptr, to,
                                     (int)(word.len - at - len), word.ptr + at + len);
    edit_words(mutants, id, line, words, index, index, text.ptr);
  }
}

void mutate_mma_form(Mutants *mutants, size_t line) {
  static const char *const parts[][2] = {
      {"n64k",    "n128k"},
      {"n128k",   "n64k" },
      {"n128k",   "n136k"},
      {"n128k",   "n256k"},
      {"n256k",   "n128k"},
      {"n8k",     "n16k" },
      {"k16",     "k8"   },
      {"k16",     "k32"  },
      {"m64n",    "m128n"},
      {"m16n",    "m8n"  },
      {".nt",     ".nn"  },
      {".nt",     ".tn"  },
      {".nt",     ".tt"  },
      {".nn",     ".nt"  },
      {".tn",     ".nt"  },
      {"wgmma",   "mma"  },
      {"tcgen05", "wgmma"},
  };
  Words words = words_of(CURRENT_LINE);
  size_t form = word_find(&words, 0, "form");
  for (size_t i = 0; form != SIZE_MAX && i < CAKE_COUNT(parts); i++)
    if (form + 2 < words.list.len)
      edit_part(mutants, MUTATION_mma_form, line, &words, form + 2, parts[i][0], parts[i][1]);
  words_fini(&words);
}

// In a result type behind the last colon: numbers and forms.
void mutate_fragment_form(Mutants *mutants, size_t line) {
  static Ops forms = {"mma.acc", "mma.a", "mma.b", "wgmma.acc", "wgmma.a", "tmem.ld", NULL};
  static Ops parts = {"cake.row", "cake.col", NULL};
  Words words = words_of(CURRENT_LINE);
  size_t type = word_find(&words, 0, "tensor");
  if (type != SIZE_MAX) {
    edit_choices(mutants, MUTATION_fragment_form, line, &words, type, forms);
    edit_choices(mutants, MUTATION_fragment_form, line, &words, type, parts);
    for (size_t i = type; i < words.list.len; i++) {
      if (!word_is_number(&words, i)) continue;
      int64_t value = strtoll(word_text(&words, i).ptr, NULL, 10);
      edit_number(mutants, MUTATION_fragment_form, line, &words, i, value * 2);
      if (value > 1) edit_number(mutants, MUTATION_fragment_form, line, &words, i, value / 2);
    }
  }
  words_fini(&words);
}

void mutate_wrong_target(Mutants *mutants, size_t line) {
  static Ops targets = {"\"sm_80\"", "\"sm_89\"", "\"sm_90\"", "\"sm_90a\"", "\"sm_100a\"", "\"sm_120a\"", NULL};
  Words words = words_of(CURRENT_LINE);
  if (word_is(&words, 0, "cake.kernel")) edit_choices(mutants, MUTATION_wrong_target, line, &words, 0, targets);
  words_fini(&words);
}

void mutate_drop_pad(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  size_t pad = word_find(&words, 0, "pad"), clip = word_find(&words, 0, "clip");
  bool is_move = word_find(&words, 0, "cake.copy") == 0 || word_find(&words, 0, "cake.load") != SIZE_MAX;
  if (pad != SIZE_MAX && is_move)
    edit_words(mutants, MUTATION_drop_pad, line, &words, pad, word_close(&words, pad + 1), "");
  if (clip != SIZE_MAX) edit_words(mutants, MUTATION_drop_pad, line, &words, clip, clip, "");
  words_fini(&words);
}

void mutate_schedule(Mutants *mutants, size_t line) {
  static Ops words_of_schedule = {"grid", "persistent", NULL};
  Words words = words_of(CURRENT_LINE);
  size_t at = word_is(&words, 0, "cake.tiles") ? word_find(&words, 0, "schedule") : SIZE_MAX;
  if (at != SIZE_MAX) edit_choices(mutants, MUTATION_schedule, line, &words, at, words_of_schedule);
  words_fini(&words);
}

void mutate_drop_reduce(Mutants *mutants, size_t line) {
  static Ops commits = {"cake.commit", NULL};
  Words words = words_of(CURRENT_LINE);
  size_t reduce = words_have_op(&words, commits) ? word_find(&words, 0, "reduce") : SIZE_MAX;
  if (reduce != SIZE_MAX) edit_words(mutants, MUTATION_drop_reduce, line, &words, reduce, reduce + 1, "");
  words_fini(&words);
}
