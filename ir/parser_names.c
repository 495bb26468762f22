// SSA names and block labels while parsing.
//
// Definitions are a stack with a hash index over it: leaving a region pops its part, and since an entry is the head of
// its bucket when it is pushed, popping in reverse order only unlinks heads. An isolated region hides everything below
// its base. Uses before the definition get a value that stands in; it lives until its isolated scope ends, as in MLIR.
#include "names.h"

#include "cake/symbol.h"

#include <string.h>

#define CHAR(c) [c] = (c) * 0x9e3779b1u | 16
#define CHARS4(c) CHAR(c), CHAR((c) + 1), CHAR((c) + 2), CHAR((c) + 3)
#define CHARS26(c)                                                                                                     \
  CHARS4(c), CHARS4((c) + 4), CHARS4((c) + 8), CHARS4((c) + 12), CHARS4((c) + 16), CHARS4((c) + 20), CHAR((c) + 24),   \
      CHAR((c) + 25)
const uint32_t cake_name_chars[256] = {
    ['0'] = 1,    2,         3,         4,         5,         6, 7, 8, 9, CAKE_NAME_DIGIT, CHARS26('a'),
    CHARS26('A'), CHAR('_'), CHAR('$'), CHAR('.'), CHAR('-'),
};
#undef CHAR
#undef CHARS4
#undef CHARS26

// Short names are compared by their bytes in a word, without going to the text.
CakeNameKey cake_parser_name_key(const CakeParser *parser, const char *ptr, size_t len) {
  CakeNameKey key = {.ptr = ptr, .len = (uint32_t)len};
  if (len <= sizeof key.word) {
    key.word = cake_parser_word(parser, ptr, len);
    for (size_t i = 0; i < len; i++)
      key.hash = key.hash * 10 + cake_name_chars[(uint8_t)ptr[i]];
    return key;
  }
  key.word = cake_hash_bytes(ptr, len, 0);
  key.hash = (uint32_t)(key.word >> 32);
  return key;
}

static void resize_index(CakeNameIndex *index, size_t n_buckets) {
  cake_mem_free(index->buckets);
  index->buckets = cake_mem_zeroed(n_buckets * sizeof *index->buckets);
  index->n_buckets = n_buckets;
}

void cake_parser_names_fini(CakeParser *parser) {
  CAKE_VEC_FINI(&parser->names);
  CAKE_VEC_FINI(&parser->labels);
  cake_mem_free(parser->names_index.buckets);
  cake_mem_free(parser->labels_index.buckets);
  cake_mem_free(parser->forward_buckets);
}

// ---- Uses ----------------------------------------------------------------------------------------------------------

bool cake_parser_use_name(CakeParser *parser, CakeUseName *out) {
  if (parser->token.kind != CAKE_TOK_PERCENT) return cake_parser_expect(parser, CAKE_TOK_PERCENT);
  CakeStr text = {parser->token.ptr + 1, parser->token.len - 1};
  const char *hash = parser->lexer.hash;
  if (hash && (hash < text.ptr || hash >= text.ptr + text.len)) hash = NULL;
  *out = (CakeUseName){text.ptr, (uint32_t)(hash ? (size_t)(hash - text.ptr) : text.len), 0,
                       cake_lexeme_loc(parser, &parser->token)};
  for (const char *p = hash ? hash + 1 : NULL; p && p < text.ptr + text.len; p++) {
    if (out->number > UINT32_MAX / 10 - 1)
      return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "invalid SSA value result number");
    out->number = out->number * 10 + (uint32_t)(*p - '0');
  }
  cake_parser_next(parser);
  return true;
}

bool cake_parser_new_name(CakeParser *parser, CakeUseName *out, const char *where) {
  size_t len = parser->token.len;
  if (!cake_parser_use_name(parser, out)) return false;
  return len == (size_t)out->len + 1 ||
         cake_parser_error_at(parser, out->loc, CAKE_CODE_PARSE_NAME, "result number not allowed in %s", where);
}

static CakeForward *find_forward(CakeParser *parser, const CakeNameKey *key, uint32_t number) {
  if (!parser->n_forward_buckets) return NULL;
  CakeForward *forward = parser->forward_buckets[key->hash & (parser->n_forward_buckets - 1)];
  for (; forward; forward = forward->next)
    if (forward->level == parser->level && forward->number == number && cake_name_keys_are_equal(&forward->key, key))
      return forward;
  return NULL;
}

static void grow_forwards(CakeParser *parser) {
  size_t n_buckets = parser->n_forward_buckets ? 2 * parser->n_forward_buckets : 64;
  cake_mem_free(parser->forward_buckets);
  parser->forward_buckets = cake_mem_zeroed(n_buckets * sizeof *parser->forward_buckets);
  parser->n_forward_buckets = n_buckets;
  for (CakeForward *f = parser->newest_forward; f; f = f->older) {
    CakeForward **bucket = &parser->forward_buckets[f->key.hash & (n_buckets - 1)];
    f->next = *bucket;
    *bucket = f;
  }
}

static CakeForward *add_forward(CakeParser *parser, const CakeUseName *name, const CakeNameKey *key, CakeType type) {
  if (parser->n_forwards >= parser->n_forward_buckets) grow_forwards(parser);
  CakeForward *f = CAKE_ARENA_NEW(parser->scratch, CakeForward);
  CakeForward **bucket = &parser->forward_buckets[key->hash & (parser->n_forward_buckets - 1)];
  *f = (CakeForward){
      .next = *bucket,
      .older = parser->newest_forward,
      .key = *key,
      .number = name->number,
      .level = parser->level,
      .stand_in = {.value = {.type = type, .is_argument = true}, .loc = name->loc}
  };
  *bucket = f;
  if (f->older) f->older->newer = f;
  parser->newest_forward = f;
  parser->n_forwards++;
  return f;
}

static void remove_forward(CakeParser *parser, CakeForward *f) {
  CakeForward **link = &parser->forward_buckets[f->key.hash & (parser->n_forward_buckets - 1)];
  while (*link != f)
    link = &(*link)->next;
  *link = f->next;
  if (f->older) f->older->newer = f->newer;
  if (f->newer)
    f->newer->older = f->older;
  else
    parser->newest_forward = f->older;
  parser->n_forwards--;
}

static bool error_with_note(CakeParser *parser, CakeLoc loc, CakeCode code, CakeLoc note_loc, const char *note,
                            CakeStr text) {
  if (parser->failed) return false;
  parser->failed = true;
  CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, loc, code, "%.*s", CAKE_STR_ARG(text));
  cake_diag_note(parser->context, d, note_loc, "%s", note);
  return cake_diag_emit(parser->context, d);
}

static CakeValue *error_type(CakeParser *parser, const CakeUseName *name, CakeType wanted, CakeType found,
                             CakeLoc note_loc) {
  CakeBuf text = {0};
  cake_buf_printf(&text, "use of value '%%%.*s' expects different type than prior uses: '", (int)name->len, name->ptr);
  cake_print_type(wanted, &text);
  cake_buf_text(&text, "' vs '");
  cake_print_type(found, &text);
  cake_buf_char(&text, '\'');
  if (!parser->failed) {
    parser->failed = true;
    CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, name->loc, CAKE_CODE_PARSE_TYPE, "%s", text.data);
    cake_diag_note(parser->context, d, note_loc, "prior use here");
    if (found->def->fix) cake_diag_fix(parser->context, d, "%s", found->def->fix);
    cake_diag_emit(parser->context, d);
  }
  cake_buf_fini(&text);
  return NULL;
}

static CakeValue *value_of(CakeParser *parser, CakeNameEntry *entry, const CakeUseName *name) {
  if (name->number < entry->count) return entry->first + name->number;
  cake_parser_error_at(parser, name->loc, CAKE_CODE_PARSE_NAME, "reference to invalid result number: '%%%.*s' has %u",
                       (int)name->len, name->ptr, entry->count);
  return NULL;
}

CakeValue *cake_parser_find_value(CakeParser *parser, const CakeUseName *name) {
  CakeNameKey key = cake_parser_name_key(parser, name->ptr, name->len);
  CakeNameEntry *entry = cake_parser_find_name(parser, &key, 0);
  if (entry && parser->recorder) cake_parser_record_use(parser, name->loc, entry->loc, NULL);
  return entry ? value_of(parser, entry, name) : NULL;
}

CakeValue *cake_parser_resolve(CakeParser *parser, const CakeUseName *name, CakeType type) {
  CakeNameKey key = cake_parser_name_key(parser, name->ptr, name->len);
  CakeNameEntry *entry = cake_parser_find_name(parser, &key, 0);
  if (entry) {
    if (parser->recorder) cake_parser_record_use(parser, name->loc, entry->loc, NULL);
    CakeValue *value = value_of(parser, entry, name);
    if (value && value->type != type) return error_type(parser, name, type, value->type, entry->loc);
    return value;
  }
  CakeForward *forward = find_forward(parser, &key, name->number);
  if (!forward) forward = add_forward(parser, name, &key, type);
  if (parser->recorder) cake_parser_record_use(parser, name->loc, cake_loc_unknown(), &forward->stand_in.value);
  if (forward->stand_in.value.type != type)
    return error_type(parser, name, type, forward->stand_in.value.type, forward->stand_in.loc);
  return &forward->stand_in.value;
}

// ---- Definitions ---------------------------------------------------------------------------------------------------

static bool settle_forward(CakeParser *parser, CakeForward *f, CakeLoc loc, CakeValue *first, uint32_t count) {
  remove_forward(parser, f);
  if (parser->recorder) cake_parser_record_settle(parser, &f->stand_in.value, loc);
  if (f->number >= count)
    return cake_parser_error_at(parser, f->stand_in.loc, CAKE_CODE_PARSE_NAME,
                                "reference to invalid result number: '%%%.*s' has %u", (int)f->key.len, f->key.ptr,
                                count);
  CakeValue *value = first + f->number;
  if (value->type != f->stand_in.value.type) {
    CakeBuf text = {0};
    cake_buf_printf(&text, "definition of SSA value '%%%.*s#%u' has type '", (int)f->key.len, f->key.ptr, f->number);
    cake_print_type(value->type, &text);
    cake_buf_text(&text, "', but it was used as '");
    cake_print_type(f->stand_in.value.type, &text);
    cake_buf_char(&text, '\'');
    error_with_note(parser, loc, CAKE_CODE_PARSE_TYPE, f->stand_in.loc, "previously used here", cake_buf_view(&text));
    cake_buf_fini(&text);
    return false;
  }
  while (f->stand_in.value.first_use)
    cake_use_set(f->stand_in.value.first_use, value);
  return true;
}

static bool settle_forwards(CakeParser *parser, const CakeNameEntry *entry) {
  CakeForward *next, *f = parser->forward_buckets[entry->key.hash & (parser->n_forward_buckets - 1)];
  for (; f; f = next) {
    next = f->next;
    if (f->level != parser->level || !cake_name_keys_are_equal(&f->key, &entry->key)) continue;
    if (!settle_forward(parser, f, entry->loc, entry->first, entry->count)) return false;
  }
  return true;
}

static void index_names(CakeParser *parser) {
  CakeNameIndex *index = &parser->names_index;
  resize_index(index, index->n_buckets ? 2 * index->n_buckets : 256);
  for (uint32_t i = 0; i < parser->names.len; i++) {
    CakeNameEntry *entry = &parser->names.data[i];
    uint32_t *bucket = &index->buckets[entry->key.hash & (index->n_buckets - 1)];
    entry->next = *bucket;
    *bucket = i + 1;
  }
}

static bool error_redefinition(CakeParser *parser, CakeStr name, CakeLoc loc, const CakeNameEntry *old) {
  CakeBuf text = {0};
  cake_buf_printf(&text, "redefinition of SSA value '%%%.*s'", CAKE_STR_ARG(name));
  error_with_note(parser, loc, CAKE_CODE_PARSE_NAME, old->loc, "previously defined here", cake_buf_view(&text));
  cake_buf_fini(&text);
  return false;
}

bool cake_parser_define_key(CakeParser *parser, const CakeNameKey *key, CakeLoc loc, CakeValue *first, uint32_t count) {
  CakeStr name = {key->ptr, key->len};
  CakeNameEntry *old = cake_parser_find_name(parser, key, parser->names_base);
  if (old) return error_redefinition(parser, name, loc, old);
  CakeNameEntry entry = {*key, 0, count, first, loc};
  if (parser->recorder) cake_parser_record_define(parser, loc, name, first, count);
  if (parser->n_forwards && !settle_forwards(parser, &entry)) return false;
  if (parser->names.len >= parser->names_index.n_buckets) index_names(parser);
  uint32_t *bucket = &parser->names_index.buckets[key->hash & (parser->names_index.n_buckets - 1)];
  entry.next = *bucket;
  CAKE_PUSH(&parser->names, entry);
  *bucket = (uint32_t)parser->names.len;
  return true;
}

bool cake_parser_define(CakeParser *parser, CakeStr name, CakeLoc loc, CakeValue *first, uint32_t count) {
  CakeNameKey key = cake_parser_name_key(parser, name.ptr, name.len);
  return cake_parser_define_key(parser, &key, loc, first, count);
}

CakeNameScope cake_parser_push_names(CakeParser *parser, bool isolated) {
  CakeNameScope scope = {(uint32_t)parser->names.len, parser->names_base, parser->level, isolated};
  if (isolated) {
    parser->names_base = scope.n_names;
    parser->level++;
  }
  return scope;
}

// A value of that name in a region that has ended: what a use outside of it probably meant. NULL: none.
static const CakeValue *find_elsewhere(const CakeParser *parser, CakeId name) {
  CakeOp *root = parser->block ? cake_block_parent(parser->block) : NULL;
  while (root && cake_op_parent(root))
    root = cake_op_parent(root);
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      if (cake_value_name(&op->results[i]) == name) return &op->results[i];
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
        for (uint32_t i = 0; i < block->n_args; i++)
          if (cake_value_name(block->args[i]) == name) return block->args[i];
  }
  return NULL;
}

// The nearest op around a value that has a name of its own, else the one directly around it.
static void note_elsewhere(CakeContext *context, CakeDiagnostic *d, const CakeValue *value) {
  CakeOp *around = cake_block_parent(cake_value_block(value)), *named = around;
  while (named && !cake_symbol_name(named))
    named = cake_op_parent(named);
  if (!around) return;
  CakeId name = named ? cake_symbol_name(named) : NULL;
  CakeStr op_name = cake_op_name(name ? named : around);
  cake_diag_note(context, d, cake_value_loc(value), "a value of that name is defined here, inside of '%.*s'%s%s",
                 CAKE_STR_ARG(op_name), name ? " @" : "", name ? name->text : "");
  cake_diag_fix(context, d, "a value does not exist outside of its region: define it around both, or hand it over");
}

bool cake_parser_undeclared(CakeParser *parser, CakeLoc loc, CakeStr name, uint32_t number, const char *more) {
  if (parser->failed) return false;
  CakeBuf text = {0};
  cake_buf_str(&text, name);
  const CakeValue *value = find_elsewhere(parser, cake_id(parser->context, name));
  if (number) cake_buf_printf(&text, "#%u", number);
  CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, loc, CAKE_CODE_PARSE_NAME,
                                      "use of undeclared SSA value name '%%%s'%s", text.data, more);
  if (value) note_elsewhere(parser->context, d, value);
  cake_buf_fini(&text);
  return cake_diag_emit(parser->context, d);
}

static CakeForward *first_undeclared(CakeParser *parser) {
  CakeForward *first = parser->newest_forward;
  while (first->older && first->older->level == parser->level)
    first = first->older;
  return first;
}

// Reports each name that was used and never defined, in the order of the text.
static bool check_forwards(CakeParser *parser) {
  if (!parser->n_forwards || parser->newest_forward->level != parser->level) return true;
  enum { MOST = 20 };
  unsigned n_reports = 0;
  for (CakeForward *f = first_undeclared(parser); f && !parser->failed && n_reports < MOST; f = f->newer, n_reports++)
    cake_parser_undeclared(parser, f->stand_in.loc, (CakeStr){f->key.ptr, f->key.len}, f->number, "");
  parser->failed = true;
  return false;
}

bool cake_parser_pop_names(CakeParser *parser, CakeNameScope scope) {
  bool ok = !scope.isolated || check_forwards(parser);
  while (parser->names.len > scope.n_names) {
    const CakeNameEntry *entry = &parser->names.data[--parser->names.len];
    parser->names_index.buckets[entry->key.hash & (parser->names_index.n_buckets - 1)] = entry->next;
  }
  parser->names_base = scope.names_base;
  parser->level = scope.level;
  return ok;
}

// ---- Labels --------------------------------------------------------------------------------------------------------

static void index_labels(CakeParser *parser) {
  CakeNameIndex *index = &parser->labels_index;
  resize_index(index, index->n_buckets ? 2 * index->n_buckets : 64);
  for (uint32_t i = 0; i < parser->labels.len; i++) {
    CakeLabel *label = &parser->labels.data[i];
    uint32_t *bucket = &index->buckets[label->key.hash & (index->n_buckets - 1)];
    label->next = *bucket;
    *bucket = i + 1;
  }
}

// The label of that name in the region that is being parsed, made when it is new.
static CakeLabel *get_label(CakeParser *parser, const CakeNameKey *key, CakeLoc loc) {
  if (parser->labels.len >= parser->labels_index.n_buckets) index_labels(parser);
  uint32_t *bucket = &parser->labels_index.buckets[key->hash & (parser->labels_index.n_buckets - 1)];
  for (uint32_t i = *bucket; i > parser->labels_base; i = parser->labels.data[i - 1].next) {
    CakeLabel *label = &parser->labels.data[i - 1];
    if (cake_name_keys_are_equal(&label->key, key)) return label;
  }
  CakeBlock *block = cake_block_create(parser->context);
  CakeLabel label = {*key, *bucket, false, block, loc};
  CAKE_PUSH(&parser->labels, label);
  *bucket = (uint32_t)parser->labels.len;
  return &parser->labels.data[parser->labels.len - 1];
}

CakeBlock *cake_parser_label(CakeParser *parser, const CakeNameKey *key, CakeLoc loc) {
  return get_label(parser, key, loc)->block;
}

CakeBlock *cake_parser_use_label(CakeParser *parser) {
  if (parser->token.kind != CAKE_TOK_CARET) {
    cake_parser_expect(parser, CAKE_TOK_CARET);
    return NULL;
  }
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  CakeNameKey key = cake_parser_name_key(parser, name.ptr, name.len);
  CakeBlock *block = cake_parser_label(parser, &key, cake_lexeme_loc(parser, &parser->token));
  if (parser->recorder) cake_parser_record_label(parser, cake_lexeme_loc(parser, &parser->token), block, false);
  cake_parser_next(parser);
  return block;
}

CakeBlock *cake_parser_define_label_key(CakeParser *parser, const CakeNameKey *key, CakeLoc loc) {
  CakeLabel *label = get_label(parser, key, loc);
  if (label->is_defined) {
    CakeStr name = {key->ptr, key->len};
    CakeBuf text = {0};
    cake_buf_printf(&text, "redefinition of block '^%.*s'", CAKE_STR_ARG(name));
    error_with_note(parser, loc, CAKE_CODE_PARSE_NAME, label->loc, "previously defined here", cake_buf_view(&text));
    cake_buf_fini(&text);
    return NULL;
  }
  if (parser->recorder) cake_parser_record_label(parser, loc, label->block, true);
  label->is_defined = true;
  label->loc = loc;
  return label->block;
}

CakeBlock *cake_parser_define_label(CakeParser *parser, CakeStr name, CakeLoc loc) {
  CakeNameKey key = cake_parser_name_key(parser, name.ptr, name.len);
  return cake_parser_define_label_key(parser, &key, loc);
}

CakeLabelScope cake_parser_push_labels(CakeParser *parser) {
  CakeLabelScope scope = {(uint32_t)parser->labels.len, parser->labels_base};
  parser->labels_base = scope.n_labels;
  return scope;
}

bool cake_parser_pop_labels(CakeParser *parser, CakeLabelScope scope) {
  bool ok = true;
  for (size_t i = scope.n_labels; i < parser->labels.len && !parser->failed; i++) {
    const CakeLabel *label = &parser->labels.data[i];
    if (label->is_defined) continue;
    ok = cake_parser_error_at(parser, label->loc, CAKE_CODE_PARSE_NAME, "reference to an undefined block '^%.*s'",
                              (int)label->key.len, label->key.ptr);
  }
  while (parser->labels.len > scope.n_labels) {
    const CakeLabel *label = &parser->labels.data[--parser->labels.len];
    parser->labels_index.buckets[label->key.hash & (parser->labels_index.n_buckets - 1)] = label->next;
  }
  parser->labels_base = scope.labels_base;
  return ok;
}
