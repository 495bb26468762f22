// Looking names of values up while parsing: what parser_names.c and the quick reader share.
#ifndef CAKE_IR_NAMES_H
#define CAKE_IR_NAMES_H

#include "parser.h"

// What a character of a name adds to its hash, which is 10 times what the characters in front give: names with numbers behind the same
// letters hash in order, since they are used near one another. 0: no character of names; at most CAKE_NAME_DIGIT: a digit.
enum { CAKE_NAME_DIGIT = 10 };
extern const uint32_t cake_name_chars[256];

static inline bool cake_name_keys_are_equal(const CakeNameKey *a, const CakeNameKey *b) {
  return a->word == b->word && a->len == b->len && (a->len <= sizeof a->word || memcmp(a->ptr, b->ptr, a->len) == 0);
}

// The newest definition of that name among the entries from `base` on.
static inline CakeNameEntry *cake_parser_find_name(CakeParser *parser, const CakeNameKey *key, uint32_t base) {
  const CakeNameIndex *index = &parser->names_index;
  if (!index->n_buckets) return NULL;
  for (uint32_t i = index->buckets[key->hash & (index->n_buckets - 1)]; i > base;) {
    CakeNameEntry *entry = &parser->names.data[i - 1];
    if (cake_name_keys_are_equal(&entry->key, key)) return entry;
    i = entry->next;
  }
  return NULL;
}

CakeNameKey cake_parser_name_key(const CakeParser *parser, const char *ptr, size_t len);
bool cake_parser_define_key(CakeParser *parser, const CakeNameKey *key, CakeLoc loc, CakeValue *first, uint32_t count);
CakeBlock *cake_parser_define_label_key(CakeParser *parser, const CakeNameKey *key, CakeLoc loc); // NULL: reported
CakeBlock *cake_parser_label(CakeParser *parser, const CakeNameKey *key, CakeLoc loc); // made when it is new

#endif
