// What the operators share: words of a line, edits, and what names of the kernel there are.
#ifndef CAKE_BENCH_VERIFIER_MUTATIONS_H
#define CAKE_BENCH_VERIFIER_MUTATIONS_H

#include "bench/verifier/mutate.h"

CAKE_BEGIN_C

#define MUTATION(name, class, doc) void mutate_##name(Mutants *mutants, size_t line);
#include "bench/verifier/mutations.def"
#undef MUTATION

void mutants_add(Mutants *mutants, Mutant mutant); // mutate.c

// ---- Words (words.c) ---------------------------------------------------------------------------------------------------

// A word of a line: a name with its sign (%x, @p), a bare name (cake.wait, sw128), a number, or one other character.
typedef struct Word {
  size_t start, len;
} Word;

typedef struct Words {
  CakeStr line;
  CAKE_VEC(Word) list;
} Words;

Words words_of(CakeStr line);
void words_fini(Words *words);
CakeStr word_text(const Words *words, size_t index);
bool word_is(const Words *words, size_t index, const char *text); // false behind the end
bool word_is_number(const Words *words, size_t index);
// Number of the first word of that text at or behind `from`; SIZE_MAX when there is none.
size_t word_find(const Words *words, size_t from, const char *text);
// The bracket that closes the one at `open`; the number of words when there is none.
size_t word_close(const Words *words, size_t open);
// Whether the line's op is one of these, NULL at the end.
bool words_have_op(const Words *words, const char *const *ops);

// ---- Edits (words.c) ---------------------------------------------------------------------------------------------------

void edit_drop(Mutants *mutants, MutationId id, size_t line);
void edit_line(Mutants *mutants, MutationId id, size_t line, CakeStr text);
// Words first … last (inclusive) become `text`; an empty range (last < first) inserts in front of `first`.
void edit_words(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t first, size_t last,
                const char *text);
void edit_number(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t index, int64_t value);
// The line stands as well in front of line `to`.
void edit_copy(Mutants *mutants, MutationId id, size_t line, size_t to, CakeStr text);
// The line stands up to `distance` places earlier and later in its block.
void edit_moves(Mutants *mutants, MutationId id, size_t line, size_t distance);

CAKE_END_C
#endif
