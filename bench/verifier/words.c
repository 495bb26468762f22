// Words of a line of text, and edits that the operators make.
#include "bench/verifier/mutations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Words -----------------------------------------------------------------------------------------------------------

static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The end of the word that starts at `at`. `4x8xf32` is cut at every x behind a number: dimensions are words.
static size_t word_end(CakeStr line, size_t at) {
  size_t end = at + 1;
  if (is_digit(line.ptr[at])) {
    while (end < line.len &&
           (is_digit(line.ptr[end]) || (line.ptr[end] == '.' && end + 1 < line.len && is_digit(line.ptr[end + 1]))))
      end++;
    return end;
  }
  if (line.ptr[at] == '"') {
    while (end < line.len && line.ptr[end] != '"')
      end++;
    return end < line.len ? end + 1 : end;
  }
  bool has_sign = line.ptr[at] == '%' || line.ptr[at] == '@' || line.ptr[at] == '^';
  if (!has_sign && !is_name_char(line.ptr[at])) return end;
  if (line.ptr[at] == 'x' && at > 0 && (is_digit(line.ptr[at - 1]) || line.ptr[at - 1] == ']')) return end;
  while (end < line.len && is_name_char(line.ptr[end]))
    end++;
  return end;
}

Words words_of(CakeStr line) {
  Words words = {.line = line};
  for (size_t at = 0; at < line.len;) {
    if (line.ptr[at] == ' ') {
      at++;
      continue;
    }
    size_t end = word_end(line, at);
    CAKE_PUSH(&words.list, (Word){at, end - at});
    at = end;
  }
  return words;
}

void words_fini(Words *words) {
  CAKE_VEC_FINI(&words->list);
}

CakeStr word_text(const Words *words, size_t index) {
  Word word = words->list.data[index];
  return (CakeStr){words->line.ptr + word.start, word.len};
}

bool word_is(const Words *words, size_t index, const char *text) {
  return index < words->list.len && cake_str_is(word_text(words, index), text);
}

bool word_is_number(const Words *words, size_t index) {
  return index < words->list.len && is_digit(words->line.ptr[words->list.data[index].start]);
}

size_t word_find(const Words *words, size_t from, const char *text) {
  for (size_t i = from; i < words->list.len; i++)
    if (word_is(words, i, text)) return i;
  return SIZE_MAX;
}

size_t word_close(const Words *words, size_t open) {
  int depth = 0;
  for (size_t i = open; i < words->list.len; i++) {
    char c = words->line.ptr[words->list.data[i].start];
    if (words->list.data[i].len != 1) continue;
    if (strchr("([{<", c)) depth++;
    if (strchr(")]}>", c) && --depth == 0) return i;
  }
  return words->list.len;
}

bool words_have_op(const Words *words, const char *const *ops) {
  size_t at = 0, equal = word_find(words, 0, "=");
  bool has_results = words->list.len && words->line.ptr[words->list.data[0].start] == '%' && equal != SIZE_MAX;
  if (has_results) at = equal + 1;
  for (; *ops; ops++)
    if (word_is(words, at, *ops)) return true;
  return false;
}

// ---- Edits -----------------------------------------------------------------------------------------------------------

void edit_drop(Mutants *mutants, MutationId id, size_t line) {
  mutants_add(mutants, (Mutant){.id = id, .line = line, .to = line});
}

void edit_line(Mutants *mutants, MutationId id, size_t line, CakeStr text) {
  if (cake_str_equal(text, mutants->source->lines.data[line])) return;
  mutants_add(mutants, (Mutant){.id = id, .line = line, .to = line, .text = text});
}

void edit_words(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t first, size_t last,
                const char *text) {
  size_t start = words->list.data[first].start;
  size_t end = last >= first && last != SIZE_MAX ? words->list.data[last].start + words->list.data[last].len : start;
  edit_line(mutants, id, line,
            cake_arena_printf(mutants->source->arena, "%.*s%s%.*s", (int)start, words->line.ptr, text,
                              (int)(words->line.len - end), words->line.ptr + end));
}

void edit_number(Mutants *mutants, MutationId id, size_t line, const Words *words, size_t index, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)value);
  edit_words(mutants, id, line, words, index, index, text);
}

void edit_copy(Mutants *mutants, MutationId id, size_t line, size_t to, CakeStr text) {
  mutants_add(mutants, (Mutant){.id = id, .line = line, .to = to, .text = text, .is_copy = true});
}

// A line that begins or ends a region: nothing moves over it.
static bool is_edge(CakeStr line) {
  return line.len == 0 || line.ptr[line.len - 1] == '{' || memchr(line.ptr, '}', line.len);
}

void edit_moves(Mutants *mutants, MutationId id, size_t line, size_t distance) {
  const MutantSource *source = mutants->source;
  CakeStr text = source->lines.data[line];
  for (size_t d = 1; d <= distance && d <= line && !is_edge(source->lines.data[line - d]); d++)
    mutants_add(mutants, (Mutant){.id = id, .line = line, .to = line - d, .text = text});
  for (size_t d = 1; d <= distance && line + d < source->lines.len && !is_edge(source->lines.data[line + d]); d++)
    mutants_add(mutants, (Mutant){.id = id, .line = line, .to = line + d + 1, .text = text});
}
