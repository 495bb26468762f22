// Lines of a kernel's text, mutants as edits of one line, and the driver over all operators.
#include "bench/verifier/mutations.h"

#include <string.h>

const MutationDef mutation_defs[MUTATION_COUNT] = {
#define MUTATION(name, class, doc) {#name, doc, MUTATION_##class},
#include "bench/verifier/mutations.def"
#undef MUTATION
};

static void (*const functions[MUTATION_COUNT])(Mutants *mutants, size_t line) = {
#define MUTATION(name, class, doc) mutate_##name,
#include "bench/verifier/mutations.def"
#undef MUTATION
};

void mutant_source_init(MutantSource *source, CakeStr text) {
  *source = (MutantSource){.arena = cake_arena_create()};
  for (size_t start = 0; start < text.len;) {
    const char *end = memchr(text.ptr + start, '\n', text.len - start);
    size_t stop = end ? (size_t)(end - text.ptr) : text.len;
    CAKE_PUSH(&source->lines, (CakeStr){text.ptr + start, stop - start});
    start = stop + 1;
  }
}

void mutant_source_fini(MutantSource *source) {
  CAKE_VEC_FINI(&source->lines);
  cake_arena_destroy(source->arena);
}

void mutants_fini(Mutants *mutants) {
  CAKE_VEC_FINI(&mutants->list);
}

static bool is_same(const Mutant *a, const Mutant *b) {
  return a->line == b->line && a->to == b->to && a->is_copy == b->is_copy && cake_str_equal(a->text, b->text);
}

// Adds an edit unless another operator made the same one.
void mutants_add(Mutants *mutants, Mutant mutant) {
  for (size_t i = mutants->list.len; i > 0 && mutants->list.data[i - 1].line == mutant.line; i--)
    if (is_same(&mutants->list.data[i - 1], &mutant)) return;
  CAKE_PUSH(&mutants->list, mutant);
}

void mutants_of(const MutantSource *source, Mutants *out) {
  *out = (Mutants){.source = source};
  for (size_t line = 0; line < source->lines.len; line++)
    for (size_t id = 0; id < MUTATION_COUNT; id++)
      functions[id](out, line);
}

static void append_line(CakeBuf *out, CakeStr line) {
  cake_buf_str(out, line);
  cake_buf_char(out, '\n');
}

void mutant_text(const MutantSource *source, const Mutant *mutant, CakeBuf *out) {
  for (size_t i = 0; i <= source->lines.len; i++) {
    if (i == mutant->to && mutant->text.len) append_line(out, mutant->text);
    if (i < source->lines.len && (i != mutant->line || mutant->is_copy)) append_line(out, source->lines.data[i]);
  }
}

static CakeStr trim(CakeStr text) {
  while (text.len && text.ptr[0] == ' ')
    text = (CakeStr){text.ptr + 1, text.len - 1};
  return text;
}

enum { CONTEXT = 32 }; // characters that are shown beside an edit

// The text of a line, without what lies far from the edit and is equal in the other.
static void put_edit(CakeBuf *out, CakeStr before, CakeStr after) {
  size_t shorter = before.len < after.len ? before.len : after.len, start = 0, end = 0;
  while (start < shorter && before.ptr[start] == after.ptr[start])
    start++;
  while (end < shorter - start && before.ptr[before.len - 1 - end] == after.ptr[after.len - 1 - end])
    end++;
  size_t skipped = start > 2 * CONTEXT ? start - CONTEXT : 0, cut = end > 2 * CONTEXT ? end - CONTEXT : 0;
  cake_buf_printf(out, "`%s%.*s%s`", skipped ? "… " : "", (int)(after.len - skipped - cut), after.ptr + skipped,
                  cut ? " …" : "");
}

void mutant_describe(const MutantSource *source, const Mutant *mutant, CakeBuf *out) {
  CakeStr before = trim(source->lines.data[mutant->line]), after = trim(mutant->text);
  if (!after.len)
    cake_buf_printf(out, "without `%.*s`", CAKE_STR_ARG(before));
  else if (mutant->to != mutant->line || mutant->is_copy)
    cake_buf_printf(out, "`%.*s` %s before line %zu", CAKE_STR_ARG(after), mutant->is_copy ? "also" : "stands",
                    mutant->to + 1);
  else
    put_edit(out, before, after);
}
