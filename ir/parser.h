// What the files that read the text format share: the lexer's and the parser's state.
//
// lexer.c → parser.c (tokens, errors) → parser_types.c, parser_attrs.c, parser_numbers.c, parser_locs.c, parser_names.c (SSA names and
// labels), parser_ops.c (operations and regions), parser_file.c (aliases, top level), asm_*.c (custom forms: asm.h), quick_*.c (ops with
// nothing unusual about them, without tokens: quick.h).
#ifndef CAKE_IR_PARSER_H
#define CAKE_IR_PARSER_H

#include "cake/asm.h"
#include "cake/float.h"
#include "cake/recorder.h"
#include "core.h"

#include <string.h>

enum {
  CAKE_RELEASE_STEP = 1 << 20,  // bytes of a mapped text between two places at which what was read is given back,
  CAKE_CHECK_STEP = 32 << 10,   // between two at which more of it is checked to be UTF-8,
  CAKE_CHECKED_AHEAD = 8 << 10, // and behind such a place that were checked before: more than most ops have
};

// ---- Lexer ---------------------------------------------------------------------------------------------------------

// A token: a piece of the source, and its line.
typedef struct CakeLexeme {
  CakeToken kind;
  uint32_t line;
  const char *ptr;
  const char *line_start;
  size_t len;
} CakeLexeme;

typedef struct CakeLexer {
  const char *begin, *end;
  const char *error; // what is wrong with a CAKE_TOK_ERROR token
  const char *hash;  // the last `#` inside of a CAKE_TOK_PERCENT token (`%name#1`)
  // The string literal that was passed over last: its quote and its end (NULL: not terminated). Long ones are read again.
  const char *string, *string_end;
  bool string_has_escapes;
} CakeLexer;

// Lexes the token at or behind `from`, which lies in line `line` that starts at `line_start`.
void cake_lex(CakeLexer *lexer, const char *from, uint32_t line, const char *line_start, CakeLexeme *out);
// Whether the text could stand behind a sigil (%, ^) / is a bare identifier.
bool cake_text_is_suffix_id(CakeStr text);
bool cake_text_is_bare_id(CakeStr text);
// The end of the string literal that begins at `quote`; NULL when it is not terminated in its line.
const char *cake_lex_string_end(CakeLexer *lexer, const char *quote);
// The first byte that is not UTF-8; NULL when all is well.
const char *cake_utf8_find_invalid(CakeStr text);

// ---- Parser --------------------------------------------------------------------------------------------------------

typedef struct CakeNameKey {
  uint64_t word; // the name, when it fits, else its hash
  const char *ptr;
  uint32_t len, hash;
} CakeNameKey;

// One definition of a %name. Entries form a stack; each is the head of its hash bucket when it is pushed, so popping is
// unlinking the head.
typedef struct CakeNameEntry {
  CakeNameKey key;
  uint32_t next;  // older entry of the bucket, plus one
  uint32_t count; // values: results of one op are contiguous
  CakeValue *first;
  CakeLoc loc;
} CakeNameEntry;

// A use before the definition: an argument of no block stands in until it comes.
typedef struct CakeForward {
  struct CakeForward *next;          // hash chain
  struct CakeForward *older, *newer; // all that are open
  CakeNameKey key;
  uint32_t number, level;
  CakeBlockArg stand_in; // of no block
} CakeForward;

// A block label; the entries of a region are those above its base.
typedef struct CakeLabel {
  CakeNameKey key;
  uint32_t next;
  bool is_defined;
  CakeBlock *block;
  CakeLoc loc; // of the definition, else of the first use
} CakeLabel;

// What only rewrites as text have among ops. All of them are there.
typedef struct CakeParserHooks {
  void *user;
  // Where an op may stand. `out_taken`: something else stood there, and was read.
  bool (*statement)(void *user, CakeParser *parser, bool *out_taken);
  // At a `^name...` that stands for all blocks of a region: `block` is in their place, and has the arguments that the op declares.
  bool (*region)(void *user, CakeParser *parser, CakeBlock *block);
  // The end of a region, before its names and labels from these on are forgotten.
  bool (*leave)(void *user, CakeParser *parser, const CakeRegion *region, size_t first_name, size_t first_label);
} CakeParserHooks;

// A stack of entries with a hash index over it.
typedef struct CakeNameIndex {
  uint32_t *buckets;
  size_t n_buckets;
} CakeNameIndex;

// A location that named an alias before its definition.
typedef struct CakeDeferredLoc {
  CakeLoc *target;
  CakeId alias;
  CakeLoc loc;
} CakeDeferredLoc;

// %name or %name#1 in the text.
typedef struct CakeUseName {
  const char *ptr;
  uint32_t len;
  uint32_t number;
  CakeLoc loc;
} CakeUseName;

typedef struct CakeResultName {
  const char *ptr;
  uint32_t len;
  uint32_t count;
  CakeLoc loc;
} CakeResultName;

// An argument that a region gets from around it.
typedef struct CakeRegionArg {
  uint32_t region;
  CakeNameKey name; // of the text, or of an identifier
  CakeLoc loc;
  CakeType type;
} CakeRegionArg;

// An operand of a custom form while its type may not be known.
typedef struct CakeAsmOperand {
  uint32_t group;
  CakeUseName name;
  CakeType type;
  CakeValue *value;
} CakeAsmOperand;

typedef struct CakeAsmType {
  uint32_t group;
  CakeType type;
} CakeAsmType;

typedef struct CakeRegionBlocks {
  CakeBlock *first, *last;
} CakeRegionBlocks;

// A word that was a type: most types of a text are a few words.
typedef struct CakeTypeWord {
  uint64_t word; // its bytes
  CakeType type;
} CakeTypeWord;

// A piece of text by its ends, which are all of it when it is no longer than both.
typedef struct CakeWordKey {
  const char *ptr;
  size_t len;
  uint64_t first, last;
} CakeWordKey;

// A short piece of text that was a type with parameters, or one with a `!`.
typedef struct CakeSpelledType {
  CakeWordKey key;
  CakeType type;   // NULL: a free entry
  uint32_t weight; // types and attributes that it stands for
} CakeSpelledType;

// A short piece of text that was an attribute of a dialect, an alias of one, or an affine map.
typedef struct CakeSpelledAttr {
  CakeWordKey key;
  CakeAttr attr;   // NULL: a free entry
  uint32_t weight; // at most CAKE_SPELLED_WEIGHT
} CakeSpelledAttr;

// A text that was the name of an attribute or file.
typedef struct CakeIdWord {
  CakeWordKey key;
  CakeId id; // NULL: a free entry
} CakeIdWord;

// How many entries a table has that looks words up; the capacity is a power of two.
typedef struct CakeWordCount {
  uint32_t len, capacity;
} CakeWordCount;

// A word that was the name of an op.
typedef struct CakeOpWord {
  CakeWordKey key;
  const char *dialect; // that it is of although the word does not say so; NULL: the word is the whole name
  CakeOpInfo *info;
} CakeOpWord;

// A short dictionary that was read, and its text with the braces.
typedef struct CakeQuickAttrs {
  CakeAttr attrs;
  uint8_t len; // 0: a free entry
  char text[39]; // longer ones are seldom met again
} CakeQuickAttrs;

// What is met no more often than that is not worth a quick form, or a table of its kind. In debug builds all is, so that tests, which are short,
// have them.
#ifdef NDEBUG
enum { CAKE_FEW = 4 };
#else
enum { CAKE_FEW = 0 };
#endif

enum {
  CAKE_TYPE_WORDS = 32,
  CAKE_SPELLED_TYPES = 64,
  CAKE_SPELLED_ATTRS = 64,
  CAKE_ID_WORDS = 32,
  CAKE_OP_WORDS = 256,
  CAKE_QUICK_ATTRS = 128,
  CAKE_SPELLED_WEIGHT = 64, // of what is known by its text: it is added up without a look at its limit
};

struct CakeParser {
  CakeContext *context;
  CakeLexer lexer;
  CakeLexeme token;
  const char *last_end; // end of the token before, and where its line starts
  uint32_t last_line;
  const char *last_line_start;
  const char *default_dialect; // of custom forms without a dialect: that of the custom form around; NULL: none
  CakeId file;
  uint32_t file_number;         // in packed locations
  const char *step_at;          // of a mapped text: from here on it is time for one of these; NULL: not mapped
  const char *released;         // what stands in front was given back,
  const char *release_at;       // and from here on it is time to do so again
  const char *checked;          // in front of it all is UTF-8
  bool failed;                  // an error was reported: stay silent
  const CakeRecorder *recorder; // NULL: nobody listens
  bool has_told_sight;          // the recorder knows the values in sight of the end
  unsigned depth;               // of types and attributes
  unsigned region_depth;
  uint64_t weight; // types and attributes read so far, aliases expanded
  CakeArena *scratch;

  // SSA names.
  CAKE_VEC(CakeNameEntry) names;
  CakeNameIndex names_index;
  uint32_t names_base; // entries below are of an isolated scope around, and may be shadowed
  uint32_t level;      // isolated scopes open
  CakeForward **forward_buckets;
  size_t n_forward_buckets, n_forwards;
  CakeForward *newest_forward;
  // Labels.
  CAKE_VEC(CakeLabel) labels;
  CakeNameIndex labels_index;
  uint32_t labels_base;

  // Aliases.
  CakeMap type_aliases, attr_aliases; // CakeId → CakeType, CakeAttr
  CakeMap alias_weights;              // CakeType, CakeAttr → types and attributes inside
  const char *alias_hint;             // behind the message about an alias that is not defined; NULL: nothing
  CAKE_VEC(CakeDeferredLoc) deferred_locs;
  CakeMap distinct; // number in the text (CakeId) → distinct attribute

  CakeTypeWord type_words[CAKE_TYPE_WORDS]; // by hash
  // Likewise, a fixed number of each; NULL: nothing is in it.
  CakeSpelledType *spelled_types;
  uint32_t n_spelled; // types that were not put there, because they are few
  CakeSpelledAttr *spelled_attrs;
  CakeIdWord *id_words;
  // Tables that forget when they are half full; NULL: nothing is in it.
  CakeOpWord *op_words;        // names of ops
  CakeQuickAttrs *quick_attrs; // dictionaries
  CakeWordCount op_count, attrs_count;
  uint64_t symbol_word; // the name of the symbol that was referred to last, when it fits (0: it does not),
  CakeAttr symbol;      // and the reference: calls of one function often follow one another
  const char *quick_end; // ops in front of it may be read quickly (quick.h); NULL: none
  const CakeParserHooks *hooks; // NULL: plain IR

  // Whose `parse` hook is called: for types and attributes of dialects in text.
  const CakeTypeDef *type_def;
  const CakeAttrDef *attr_def;

  // Where ops go.
  CakeBlock *block;

  // Stacks: each level of the grammar remembers where its part begins and gives it back.
  CAKE_VEC(CakeUseName) uses;
  CAKE_VEC(CakeResultName) results;
  CAKE_VEC(CakeValue *) values;
  CAKE_VEC(CakeBlock *) blocks;
  CAKE_VEC(CakeType) types;
  CAKE_VEC(CakeAttr) attrs;
  CAKE_VEC(CakeNamedAttr) named;
  CAKE_VEC(CakeRegionBlocks) regions;
  CAKE_VEC(CakeRegionArg) region_args;
  CAKE_VEC(CakeAsmOperand) asm_operands;
  CAKE_VEC(CakeAsmType) asm_results;
  CAKE_VEC(int64_t) numbers;
  CakeBuf text;     // unescaped strings, numbers
  CakeBuf elements; // of the literal that is being read
};

// A piece of the text of up to 8 bytes as a number; 0 when it is longer or empty.
static inline uint64_t cake_parser_word(const CakeParser *parser, const char *ptr, size_t len) {
  uint64_t word = 0;
  if (len - 1 >= sizeof word) return 0;
  if ((size_t)(parser->lexer.end - ptr) >= sizeof word && ptr >= parser->lexer.begin) {
    memcpy(&word, ptr, sizeof word);
    return CAKE_LITTLE_ENDIAN ? word & (UINT64_MAX >> (64 - 8 * len)) : word >> (64 - 8 * len) << (64 - 8 * len);
  }
  memcpy(&word, ptr, len);
  return word;
}

// The entry of that word, which may be another's.
static inline CakeTypeWord *cake_parser_type_word(CakeParser *parser, uint64_t word) {
  return &parser->type_words[(word * 0x9e3779b97f4a7c15u) >> 59];
}

static inline bool cake_parser_may_be_quick(const CakeParser *parser) {
  return parser->quick_end && parser->token.ptr < parser->quick_end;
}

// parser.c
// Takes the current token.
static inline void cake_parser_step(CakeParser *parser) {
  const CakeLexeme *token = &parser->token;
  parser->last_end = token->ptr + token->len;
  parser->last_line = token->line;
  parser->last_line_start = token->line_start;
  cake_lex(&parser->lexer, parser->last_end, token->line, token->line_start, &parser->token);
}
void cake_parser_init(CakeParser *parser, CakeContext *context, CakeId file, CakeStr text);
// Begins anew with another number for the text's first line.
void cake_parser_start_at(CakeParser *parser, uint32_t line);
void cake_parser_fini(CakeParser *parser);
CakeLoc cake_parser_large_loc(const CakeParser *parser, uint32_t line, size_t column); // of what cannot be packed
static inline CakeLoc cake_parser_place(const CakeParser *parser, uint32_t line, const char *line_start, const char *ptr) {
  size_t column = (size_t)(ptr - line_start) + 1;
  if (column <= UINT32_MAX && cake_loc_can_pack(parser->file_number, line, (uint32_t)column))
    return cake_loc_pack(parser->file_number, line, (uint32_t)column);
  return cake_parser_large_loc(parser, line, column);
}
static inline CakeLoc cake_lexeme_loc(const CakeParser *parser, const CakeLexeme *lexeme) {
  return cake_parser_place(parser, lexeme->line, lexeme->line_start, lexeme->ptr);
}
CakeLoc cake_parser_last_end(const CakeParser *parser); // behind the token before
CakeStr cake_lexeme_str(const CakeLexeme *lexeme);
// Goes on at `ptr`, which lies behind the start of the current token.
void cake_parser_reset(CakeParser *parser, const char *ptr);
// The end of the brackets that open at `ptr` (any of <([{), as MLIR counts them; NULL: reported. `operators`: `>=` and
// `<=` are no brackets.
const char *cake_parser_balanced(CakeParser *parser, const char *ptr, bool operators);
// Goes on behind balanced brackets that the current token opens.
bool cake_parser_skip_balanced(CakeParser *parser, bool operators);
bool cake_parser_check_to(CakeParser *parser, const char *to); // whether all in front of `to` is UTF-8; else reported
// Whether the text stays as long as the context, so that what refers to it need not copy it. A part that is referred to has to be kept.
static inline bool cake_parser_keeps_text(const CakeParser *parser) {
  return parser->step_at != NULL;
}
void cake_parser_keep(CakeParser *parser, CakeStr text);
// Takes some text behind what was checked for checked, too.
static inline void cake_parser_saw_ascii(CakeParser *parser, CakeStr text) {
  if (parser->checked >= text.ptr && parser->checked < text.ptr + text.len) parser->checked = text.ptr + text.len;
}
bool cake_parser_next_step(CakeParser *parser);
// Between ops. Of a mapped text, each page of which is mapped once: checks what comes next, while it stays in the cache, and gives back the
// memory of what was read.
static inline bool cake_parser_go_on(CakeParser *parser) {
  return !parser->step_at || parser->token.ptr < parser->step_at || cake_parser_next_step(parser);
}
// The unescaped text of the string token, in parser->text.
CakeStr cake_parser_unescape(CakeParser *parser, CakeStr literal);
bool cake_parser_enter(CakeParser *parser); // one deeper in types and attributes; false: too deep, reported
void cake_parser_leave(CakeParser *parser);
// Text from `begin` to the end of the token before the current one.
CakeStr cake_parser_text_since(CakeParser *parser, const char *begin);

// parser_record.c: what the recorder hears, if there is one.
void cake_parser_record_define(const CakeParser *parser, CakeLoc at, CakeStr name, const CakeValue *first,
                               uint32_t count);
void cake_parser_record_use(const CakeParser *parser, CakeLoc at, CakeLoc definition, const void *pending);
void cake_parser_record_settle(const CakeParser *parser, const void *pending, CakeLoc definition);
void cake_parser_record_label(const CakeParser *parser, CakeLoc at, const CakeBlock *block, bool is_definition);
void cake_parser_record_op(CakeParser *parser, const CakeOp *op, CakeLoc begin, CakeLoc name);
// The text ends here, and `want` could follow.
void cake_parser_record_want(CakeParser *parser, CakeWant want, CakeStr text);
static inline void cake_parser_want(CakeParser *parser, CakeWant want, CakeStr text) {
  if (parser->token.kind == CAKE_TOK_EOF && parser->recorder) cake_parser_record_want(parser, want, text);
}

// quick_read.c: remembers what the text from `begin` to the last token was, if it is a type's spelling that quick reading takes.
void cake_parser_remember_type(CakeParser *parser, const char *begin, CakeType type, uint64_t weight);
// quick_attr.c: the same of an attribute.
void cake_parser_remember_attr(CakeParser *parser, const char *begin, CakeAttr attr, uint64_t weight);

// Whether what a name of a rewrite stands for is a range: `%rest...`, `!Ts...`, `^body...`.
static inline bool cake_name_is_range(CakeStr name) {
  return name.len > 3 && memcmp(name.ptr + name.len - 3, "...", 3) == 0;
}

// parser_types.c
bool cake_parser_type_list_no_parens(CakeParser *parser); // `type, …` onto parser->types
bool cake_parser_type_list(CakeParser *parser);           // `(type, …)` or one type, onto parser->types
bool cake_parser_type_list_parens(CakeParser *parser);    // `(type, …)`
bool cake_parser_at_type(CakeParser *parser);             // the current token starts a type
// The body of `!dialect.body` or `#dialect.body`, brackets included; the current token is the sigil's.
bool cake_parser_opaque_body(CakeParser *parser, CakeStr *out_dialect, CakeStr *out_body);
bool cake_parser_alias(CakeParser *parser, const CakeMap *aliases,
                       uintptr_t *out); // what the alias at the token stands for

// parser_attrs.c, parser_numbers.c, parser_locs.c
// `{…}`: entries onto parser->named from *out_base, names distinct; `op` is the op that has them, or empty
bool cake_parser_dictionary(CakeParser *parser, CakeStr op, size_t *out_base);
bool cake_parser_number(CakeParser *parser, CakeType type, CakeAttr *out);
// The value of a FLOAT token's text.
double cake_parser_decimal(CakeParser *parser, CakeStr text);
// The digits of an INT token as a 64-bit number; false when they need more.
bool cake_parser_digits(const CakeLexeme *token, uint64_t *out);
// Decimal text of an integer literal of a type of more than 64 bits; false when it does not fit (wide.c).
bool cake_wide_from_literal(CakeStr digits, bool negative, CakeType type, CakeBuf *out);
bool cake_parser_dense(CakeParser *parser, CakeAttr *out); // parser_dense.c
// parser_bulk.c. Takes decimal integers with a comma behind each, from the current token on as far as they fit the type; appends `size`
// bytes for each, little endian. Returns how many it took. It begins none with `most` bytes in the buffer, which is not grown when it has room for
// as many and CAKE_DRAFT_SLACK.
int64_t cake_parser_plain_integers(CakeParser *parser, CakeType type, size_t size, size_t most, CakeBuf *out);
// The bits of an integer of up to 18 digits that fits the type.
bool cake_parser_plain_bits(CakeType type, bool is_negative, uint64_t value, uint64_t *out);
// parser_dense.c. Bytes of an element that is a number of at most 64 bits; 0: it is none.
size_t cake_dense_size(CakeType element);
// Elements of `size` bytes that are all equal are kept once, as MLIR does; false: they are not.
bool cake_dense_fold(CakeBuf *bytes, size_t size);
bool cake_parser_sparse(CakeParser *parser, CakeAttr *out);
bool cake_parser_affine(CakeParser *parser, CakeAttr *out);  // parser_affine.c: a map or set, by its word
bool cake_parser_strided(CakeParser *parser, CakeAttr *out); // parser_carried.c
bool cake_parser_distinct(CakeParser *parser, CakeAttr *out);
bool cake_parser_dense_resource(CakeParser *parser, CakeAttr *out);
bool cake_parser_resource_key(CakeParser *parser, CakeId *out); // a keyword or string
bool cake_parser_metadata(CakeParser *parser);                  // parser_metadata.c: `{-# … #-}`
bool cake_parser_dense_array(CakeParser *parser, CakeAttr *out);
// The bits of the number at the token (with sign), checked against `type`; true/false for i1.
bool cake_parser_element_bits(CakeParser *parser, CakeType type, int64_t *out_bits, double *out_value);
// What is fused: as MLIR, without what says nothing or is there already.
typedef CAKE_VEC(CakeLoc) CakeLocs;
void cake_locs_add(CakeLocs *locs, CakeLoc loc, CakeAttr metadata);
CakeLoc cake_locs_fuse(CakeContext *context, const CakeLocs *locs, CakeAttr metadata);
bool cake_parser_loc_body(CakeParser *parser, CakeLoc *out);        // behind `loc(`, up to the `)`
bool cake_parser_optional_loc(CakeParser *parser, CakeLoc *target); // `loc(…)` behind something; may be filled in later
// `loc(#name)` with an alias that is not there yet: filled in at the end of the file. False: it is there, or is none.
bool cake_parser_defer_loc(CakeParser *parser, CakeStr name, CakeLoc at, CakeLoc *target);
bool cake_parser_resolve_locs(CakeParser *parser);

// parser_names.c
void cake_parser_names_fini(CakeParser *parser);
bool cake_parser_use_name(CakeParser *parser, CakeUseName *out); // `%name` or `%name#1`
// `%name` that begins to be one there; `where`: "argument list".
bool cake_parser_new_name(CakeParser *parser, CakeUseName *out, const char *where);
// The value of that name and type; a forward reference when it is not defined yet. NULL: reported.
CakeValue *cake_parser_resolve(CakeParser *parser, const CakeUseName *name, CakeType type);
// The value when it is defined, else NULL; nothing is reported but a wrong number.
// Reports a name that nothing defines, with a note where another region does; `more` goes behind it. False.
bool cake_parser_undeclared(CakeParser *parser, CakeLoc loc, CakeStr name, uint32_t number, const char *more);
CakeValue *cake_parser_find_value(CakeParser *parser, const CakeUseName *name);
bool cake_parser_define(CakeParser *parser, CakeStr name, CakeLoc loc, CakeValue *first, uint32_t count);
typedef struct CakeNameScope {
  uint32_t n_names, names_base, level;
  bool isolated;
} CakeNameScope;
CakeNameScope cake_parser_push_names(CakeParser *parser, bool isolated);
bool cake_parser_pop_names(CakeParser *parser, CakeNameScope scope);
typedef struct CakeLabelScope {
  uint32_t n_labels, labels_base;
} CakeLabelScope;
CakeLabelScope cake_parser_push_labels(CakeParser *parser);
bool cake_parser_pop_labels(CakeParser *parser, CakeLabelScope scope);
CakeBlock *cake_parser_use_label(CakeParser *parser);                               // at `^name`
CakeBlock *cake_parser_define_label(CakeParser *parser, CakeStr name, CakeLoc loc); // NULL: reported

// parser_file.c
// Whether a file's text is UTF-8; reported.
bool cake_text_check_encoding(CakeContext *context, CakeId file, CakeStr text, uint32_t line);

// parser_ops.c
bool cake_parser_op(CakeParser *parser);
void cake_parser_want_op(CakeParser *parser); // an op could stand here
typedef struct CakeRegionRequest {
  uint32_t region; // its number: of parser->region_args[first_arg …), those with it are the entry block's
  size_t first_arg;
  bool is_open;    // the parser is behind the opening brace, and stays in front of the closing one
  bool isolated;
  bool has_entry;  // also when it is empty
  CakeOpInfo *end; // appended when the last block lacks a terminator; may be NULL
  CakeLoc end_loc; // its location: that of the op around it
} CakeRegionRequest;
bool cake_parser_region(CakeParser *parser, CakeRegion *region, const CakeRegionRequest *request);
// An argument of a block, with its name; NULL: reported.
CakeValue *cake_parser_add_argument(CakeParser *parser, CakeBlock *block, const CakeNameKey *name, CakeLoc loc, CakeType type);
bool cake_parser_properties(CakeParser *parser, CakeOpInfo *info, CakeAttr *props);
// Sorts the entries parser->named[base …) into rows and a discardable dictionary; gives them back.
bool cake_parser_sort_attrs(CakeParser *parser, CakeOpInfo *info, size_t base, CakeLoc loc, CakeAttr *props,
                            CakeAttr *out_attrs);
void cake_region_take_blocks(CakeRegion *region, CakeRegionBlocks blocks);
// Gives the names parser->results[base …) to the op's results.
bool cake_parser_bind_results(CakeParser *parser, CakeOp *op, size_t base, CakeLoc loc);
// quick_op.c
// The op of a name that was read lately, as a whole or without this dialect (may be NULL); NULL: not known.
CakeOpInfo *cake_parser_known_op(CakeParser *parser, CakeStr word, const char *dialect);
void cake_parser_remember_op(CakeParser *parser, CakeStr word, const char *dialect, CakeOpInfo *info);
// quick_generic.c: `attrs` is the dictionary of that text.
void cake_quick_remember_attrs(CakeParser *parser, CakeStr text, CakeAttr attrs);
// Whether a name is a number: such names are not kept.
bool cake_name_is_number(CakeStr name);

#endif
