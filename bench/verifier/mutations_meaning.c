// Mutation operators of the class meaning: the kernel hands everything over as it should, and computes something else.
#include "bench/verifier/mutations.h"

#include <stdlib.h>
#include <string.h>

typedef const char *const Ops[];

#define CURRENT_LINE (mutants->source->lines.data[line])

// Every number in words first … last: one more, one less, twice, none.
static void edit_numbers(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t first, size_t last) {
  for (size_t i = first; i <= last && i < words->list.len; i++) {
    if (!word_is_number(words, i)) continue;
    int64_t value = strtoll(word_text(words, i).ptr, NULL, 10);
    const int64_t others[] = {value + 1, value - 1, value * 2, value / 2, 0};
    for (size_t j = 0; j < CAKE_COUNT(others); j++)
      if (others[j] != value && others[j] >= 0) edit_number(mutants, id, line, words, i, others[j]);
  }
}

// Each word that is `from[i]` becomes `to[i]`.
static void edit_pairs(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t first, size_t last,
                       const char *const (*pairs)[2], size_t count) {
  for (size_t i = first; i <= last && i < words->list.len; i++)
    for (size_t j = 0; j < count; j++)
      if (word_is(words, i, pairs[j][0])) edit_words(mutants, id, line, words, i, i, pairs[j][1]);
}

void mutate_bound(Mutants *mutants, size_t line) {
  static const char *const pairs[][2] = {
      {"ceildiv",  "min"  },
      {"floordiv", "*"    },
      {"N",        "K"    },
      {"K",        "N"    },
      {"M",        "N"    },
      {"N",        "N - 1"},
      {"K",        "K + 1"},
  };
  Words words = words_of(CURRENT_LINE);
  if (word_is(&words, 0, "cake.tiles")) {
    edit_pairs(mutants, MUTATION_bound, line, &words, 2, words.list.len, pairs, CAKE_COUNT(pairs));
    edit_numbers(mutants, MUTATION_bound, line, &words, 2, words.list.len);
  }
  words_fini(&words);
}

// The brackets behind a global argument, `%x[…]`: the number of the opening one; SIZE_MAX when there is none.
static size_t find_place(const Words *words) {
  static Ops ops = {"cake.copy",   "cake.load", "cake.store",  "cake.get", "cake.put",
                    "cake.commit", "cake.mma",  "cake.atomic", NULL};
  return words_have_op(words, ops) ? word_find(words, 0, "[") : SIZE_MAX;
}

void mutate_index_number(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  for (size_t open = find_place(&words); open != SIZE_MAX; open = word_find(&words, open + 1, "["))
    edit_numbers(mutants, MUTATION_index_number, line, &words, open + 1, word_close(&words, open) - 1);
  words_fini(&words);
}

// Each index operand becomes each other one of the line.
static void edit_operands(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t first, size_t last) {
  for (size_t i = first; i <= last && i < words->list.len; i++) {
    for (size_t j = first; j <= last && j < words->list.len; j++) {
      CakeStr a = word_text(words, i), b = word_text(words, j);
      if (a.ptr[0] != '%' || b.ptr[0] != '%' || cake_str_equal(a, b)) continue;
      edit_words(mutants, id, line, words, i, i, cake_arena_str(mutants->source->arena, b).ptr);
    }
  }
}

void mutate_index_operand(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  size_t open = find_place(&words);
  if (open != SIZE_MAX)
    edit_operands(mutants, MUTATION_index_operand, line, &words, open + 1, word_close(&words, open) - 1);
  words_fini(&words);
}

void mutate_drop_instance(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  for (size_t i = word_find(&words, 0, "instance"); i != SIZE_MAX; i = word_find(&words, i + 1, "instance")) {
    edit_words(mutants, MUTATION_drop_instance, line, &words, i, i, "0");
    edit_words(mutants, MUTATION_drop_instance, line, &words, i, i, "(1 - instance)");
  }
  words_fini(&words);
}

void mutate_predicate(Mutants *mutants, size_t line) {
  static const char *const pairs[][2] = {
      {"lt",  "le" },
      {"lt",  "ge" },
      {"le",  "lt" },
      {"ge",  "gt" },
      {"ge",  "le" },
      {"gt",  "ge" },
      {"row", "col"},
      {"col", "row"},
  };
  Words words = words_of(CURRENT_LINE);
  size_t keep = word_find(&words, 0, "keep");
  if (keep != SIZE_MAX) {
    size_t last = word_close(&words, keep + 1);
    edit_pairs(mutants, MUTATION_predicate, line, &words, keep, last, pairs, CAKE_COUNT(pairs));
    edit_numbers(mutants, MUTATION_predicate, line, &words, keep, last);
    edit_operands(mutants, MUTATION_predicate, line, &words, keep, last);
  }
  words_fini(&words);
}

void mutate_drop_keep(Mutants *mutants, size_t line) {
  static Ops masks = {"cake.mask", NULL};
  Words words = words_of(CURRENT_LINE);
  size_t keep = word_find(&words, 0, "keep");
  if (keep != SIZE_MAX && words_have_op(&words, masks))
    edit_words(mutants, MUTATION_drop_keep, line, &words, keep + 2, word_close(&words, keep + 1) - 1, "0 eq 0");
  else if (keep != SIZE_MAX)
    edit_words(mutants, MUTATION_drop_keep, line, &words, keep, word_close(&words, keep + 1), "");
  words_fini(&words);
}

void mutate_constant(Mutants *mutants, size_t line) {
  static Ops fills = {"cake.fill", NULL};
  static const char *const numbers[] = {"0.0", "1.0", "-1.0", "2.0", "inf", "-inf"};
  Words words = words_of(CURRENT_LINE);
  size_t at = SIZE_MAX, last = SIZE_MAX, clause;
  if (words_have_op(&words, fills)) {
    at = word_find(&words, 0, "cake.fill") + 1;
    last = word_find(&words, at, ":") - 1;
  } else if ((clause = word_find(&words, 0, "fill")) != SIZE_MAX ||
             (clause = word_find(&words, 0, "pad")) != SIZE_MAX) {
    at = clause + 2;
    last = word_close(&words, clause + 1) - 1;
  }
  for (size_t i = 0; at != SIZE_MAX && last < words.list.len && i < CAKE_COUNT(numbers); i++)
    edit_words(mutants, MUTATION_constant, line, &words, at, last, numbers[i]);
  words_fini(&words);
}

void mutate_best_kind(Mutants *mutants, size_t line) {
  static const char *const pairs[][2] = {
      {"min",   "max"  },
      {"max",   "min"  },
      {"low",   "high" },
      {"last",  "first"},
      {"last",  "never"},
      {"first", "last" },
  };
  Words words = words_of(CURRENT_LINE);
  size_t best = word_find(&words, 0, "cake.best.init");
  if (best != SIZE_MAX)
    edit_pairs(mutants, MUTATION_best_kind, line, &words, best, words.list.len, pairs, CAKE_COUNT(pairs));
  size_t at = word_find(&words, 0, "at");
  if (word_find(&words, 0, "cake.best") != SIZE_MAX && at != SIZE_MAX)
    edit_numbers(mutants, MUTATION_best_kind, line, &words, at, word_close(&words, at + 1));
  words_fini(&words);
}

void mutate_arith_op(Mutants *mutants, size_t line) {
  static const char *const pairs[][2] = {
      {"arith.addf",     "arith.subf"    },
      {"arith.subf",     "arith.addf"    },
      {"arith.mulf",     "arith.addf"    },
      {"arith.divf",     "arith.mulf"    },
      {"arith.maximumf", "arith.minimumf"},
      {"arith.minimumf", "arith.maximumf"},
      {"arith.maxnumf",  "arith.minnumf" },
      {"arith.minnumf",  "arith.maxnumf" },
      {"arith.addi",     "arith.subi"    },
      {"math.rsqrt",     "math.sqrt"     },
      {"math.exp2",      "math.exp"      },
      {"math.absf",      "math.sqrt"     },
      {"max",            "min"           },
      {"add",            "max"           },
  };
  static Ops ops = {"arith.addf",     "arith.subf",    "arith.mulf",    "arith.divf", "arith.maximumf",
                    "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.addi", "math.rsqrt",
                    "math.exp2",      "math.absf",     "cake.reduce",   NULL};
  Words words = words_of(CURRENT_LINE);
  if (words_have_op(&words, ops)) edit_pairs(mutants, MUTATION_arith_op, line, &words, 0, 4, pairs, CAKE_COUNT(pairs));
  words_fini(&words);
}

void mutate_arith_operand(Mutants *mutants, size_t line) {
  static Ops ops = {"arith.addf",     "arith.subf",     "arith.mulf", "arith.divf",
                    "arith.maximumf", "arith.minimumf", "math.fma",   NULL};
  Words words = words_of(CURRENT_LINE);
  size_t equal = word_find(&words, 0, "=");
  if (words_have_op(&words, ops) && equal != SIZE_MAX)
    edit_operands(mutants, MUTATION_arith_operand, line, &words, equal + 1, words.list.len);
  words_fini(&words);
}

void mutate_drop_store(Mutants *mutants, size_t line) {
  static Ops stores = {"cake.store", "cake.atomic", NULL};
  Words words = words_of(CURRENT_LINE);
  if (words_have_op(&words, stores)) edit_drop(mutants, MUTATION_drop_store, line);
  words_fini(&words);
}

// The argument in front of the place becomes each other argument of the kernel.
void mutate_wrong_array(Mutants *mutants, size_t line) {
  Words words = words_of(CURRENT_LINE);
  size_t open = find_place(&words);
  for (size_t i = 0; open != SIZE_MAX && open > 0 && i < mutants->source->lines.len; i++) {
    Words kernel = words_of(mutants->source->lines.data[i]);
    for (size_t j = 0; word_is(&kernel, 0, "cake.kernel") && j + 1 < kernel.list.len; j++) {
      CakeStr name = word_text(&kernel, j);
      if (name.ptr[0] == '%' && word_is(&kernel, j + 1, ":") && !cake_str_equal(name, word_text(&words, open - 1)))
        edit_words(mutants, MUTATION_wrong_array, line, &words, open - 1, open - 1,
                   cake_arena_str(mutants->source->arena, name).ptr);
    }
    words_fini(&kernel);
  }
  words_fini(&words);
}
