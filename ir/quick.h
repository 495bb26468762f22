// Ops that are read without tokens: what quick_form.c makes of an assembly format and quick_read.c reads by it.
//
// A quick form says what stands in the text of an op that has nothing unusual about it: values that are defined already, types that were
// read before, attributes without escapes, all on one line with single spaces. Whatever else stands there is left to the parser,
// which begins the op anew and also reports what is wrong: nothing is made before the whole op was read.
//
// Of an op with regions that is its header, up to the brace that opens the first one. Then the op is made, its regions are parsed where they
// are, and what stands between and behind them is read from characters or, where it is unusual, by the nodes of the assembly format that are
// left. A hand-written form has its header read by the `quick` hook.
#ifndef CAKE_IR_QUICK_H
#define CAKE_IR_QUICK_H

#include "asm.h"
#include "lexer.h"
#include "names.h"

enum {
  CAKE_QUICK_STEPS = 24,   // of a form
  CAKE_QUICK_VALUES = CAKE_QUICK_TYPES_MOST, // operands, results, or arguments of regions, of an op
  CAKE_QUICK_ROWS = 8,     // operand groups, results, or inherent attributes of a row
  CAKE_QUICK_BLOCKS = 2,   // successors
  CAKE_QUICK_TEXT = 8,     // bytes of a literal
};

typedef enum CakeQuickKind {
  CAKE_QUICK_LITERAL,    // nothing but the text that may stand behind every step
  CAKE_QUICK_UNLESS,     // what begins with `absent` is most likely not there
  CAKE_QUICK_VALUE,      // %a
  CAKE_QUICK_LIST,       // %a, %b
  CAKE_QUICK_IF_LIST,    // without a value, the next `skip` steps are left out
  CAKE_QUICK_TYPES,      // the type of each operand of a group
  CAKE_QUICK_RESULT,     // the type of a result
  CAKE_QUICK_FUNCTIONAL, // (types) -> types
  CAKE_QUICK_SYMBOL,     // @name as a reference
  CAKE_QUICK_ATTR,       // any other attribute
  CAKE_QUICK_KEYWORD,    // a word as a string attribute
  CAKE_QUICK_CUSTOM,     // what a directive reads
  CAKE_QUICK_TARGET,     // ^block(%a : type)
  CAKE_QUICK_NAME,       // @name as a string attribute
  CAKE_QUICK_ARGS,       // (%a, %b): arguments of a region, of type index
  CAKE_QUICK_ITER,       // iter(%x = %init, …), if it is there
  CAKE_QUICK_IF_WORD,    // behind a region: without the text, the next `skip` steps are left out
  CAKE_QUICK_REGION,     // { … }
} CakeQuickKind;

typedef struct CakeQuickStep {
  CakeQuickKind kind;
  uint8_t row, skip;
  char absent;
  bool has_space;  // is printed behind a space
  bool may_be_left_out; // REGION: a declaration has none
  bool is_printable, is_readable; // UNLESS, of a group: a word and a directive, with a `quick` hook
  uint32_t node;   // what was compiled to this step: where the parser takes over behind a region; ITER, UNLESS: the node
  uint32_t anchor; // UNLESS, of a group: the node that decides whether it is printed; 0: of a dictionary
  // The literal behind it, and as it is printed, with the space in front.
  uint8_t len;
  bool is_word; // no further letter follows
  char text[CAKE_QUICK_TEXT];
  uint8_t n_printed;
  char printed[2 * CAKE_QUICK_TEXT];
} CakeQuickStep;

typedef struct CakeQuickSteps {
  uint32_t count;
  CakeQuickStep *steps;
} CakeQuickSteps;

typedef struct CakeQuickForm {
  bool is_printable;       // the steps say where spaces go, whatever op it is
  bool has_one_type;       // of all operands and the one result; there are no segments
  uint32_t n_targets;
  uint64_t dictionary_rows; // attributes that a dictionary would hold
  CakeQuickSteps read, printed, full; // `full`: with all that may be there, for reading and printing
  uint32_t n_header_steps, n_full_header_steps; // that are read in front of the first region
  CakeAttr props[CAKE_QUICK_ROWS];        // the defaults of attributes
  CakeType number_types[CAKE_QUICK_ROWS]; // by attribute row: the fixed type of a number, or NULL
  // The sizes of operand groups that were met last, and the attribute that says so.
  int32_t sizes[CAKE_QUICK_ROWS];
  CakeAttr segments;
} CakeQuickForm;

// NULL: the format has something that cannot be read in this way.
CakeQuickForm *cake_quick_form(CakeContext *context, const CakeOpDef *def, const CakeAsmFormat *format);

typedef enum CakeQuickResult {
  CAKE_QUICK_NOT,    // not read: the parser is where it was
  CAKE_QUICK_DONE,   // the op is there
  CAKE_QUICK_HEADER, // the op is there, and the parser is behind the brace that opens its first region
  CAKE_QUICK_FAILED, // reported
} CakeQuickResult;

// `%a` in a header or behind a label.
typedef struct CakeQuickArgument {
  CakeNameKey name;
  uint32_t region;
  CakeLoc loc;
  CakeType type;
} CakeQuickArgument;

typedef struct CakeQuickArguments {
  uint32_t count;
  CakeQuickArgument args[CAKE_QUICK_VALUES];
} CakeQuickArguments;

// What was read of an op so far. Only what the counts say is filled in.
struct CakeQuick {
  CakeParser *parser;
  const char *p; // goes on here
  CakeOpInfo *info;
  CakeQuickForm *form;   // NULL: generic
  const CakeAsmFormat *format; // of a registered op
  CakeLoc loc;
  uint32_t n_values, n_types, n_blocks, n_weighed;
  uint32_t depth; // of attributes
  bool is_functional; // types are those of all results
  bool has_body;      // behind the brace that opens the first region
  CakeValue *values[CAKE_QUICK_VALUES];
  CakeType given[CAKE_QUICK_VALUES]; // types of values by the text, or NULL
  uint8_t groups[CAKE_QUICK_VALUES];
  CakeType types[CAKE_QUICK_VALUES]; // functional: of the results; else by result row, NULL: not given
  CakeBlock *blocks[CAKE_QUICK_BLOCKS];
  CakeAttr props[CAKE_QUICK_ROWS];
  CakeAttr attrs;
  CakeQuickArguments arguments;
};

// An op whose regions are parsed.
typedef struct CakeQuickHeader {
  CakeOp *op;
  const CakeAsmFormat *format;
  CakeNameKey name; // of its results; empty: they have none
  CakeLoc name_loc;
  size_t region_args; // where the arguments of its regions begin
} CakeQuickHeader;

// ---- Characters ----------------------------------------------------------------------------------------------------

// Behind one space, if there is one.
static inline const char *cake_quick_start(const CakeQuick *quick) {
  return quick->p + (*quick->p == ' ');
}

static inline bool cake_quick_char(CakeQuick *quick, char c) {
  const char *p = cake_quick_start(quick);
  if (*p != c) return false;
  quick->p = p + 1;
  return true;
}

// The first `c` from `p` on, or byte below `least`, which is at most 0x80 and above that of the line end: eight bytes at a time. The
// lowest top bit that is set in the sums is right; others may come from a borrow.
static inline const char *cake_quick_find(const char *p, char c, unsigned least) {
  const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
  for (; CAKE_LITTLE_ENDIAN; p += sizeof(uint64_t)) {
    uint64_t word, other;
    memcpy(&word, p, sizeof word);
    other = word ^ ones * (uint8_t)c;
    uint64_t found = (((word - ones * least) & ~word) | ((other - ones) & ~other)) & tops;
    if (found) return p + __builtin_ctzll(found) / 8;
  }
  while (*p != c && (uint8_t)*p >= least)
    p++;
  return p;
}

// The bytes of a piece of up to 8 as a number; 0 when it is longer or empty.
static inline uint64_t cake_quick_word(const CakeQuick *quick, const char *p, size_t len) {
  uint64_t word;
  if (!CAKE_LITTLE_ENDIAN || len - 1 >= sizeof word) return cake_parser_word(quick->parser, p, len);
  memcpy(&word, p, sizeof word);
  return word & UINT64_MAX >> (64 - 8 * len);
}

CakeWordKey cake_word_key(const CakeParser *parser, CakeStr text); // quick_op.c
// The same in front of the last line end, behind which a word may be loaded.
static inline CakeWordKey cake_quick_word_key(const CakeQuick *quick, CakeStr text) {
  uint64_t first, last;
  if (!CAKE_LITTLE_ENDIAN || !text.len) return cake_word_key(quick->parser, text);
  size_t len = text.len < sizeof first ? text.len : sizeof first;
  uint64_t mask = UINT64_MAX >> (64 - 8 * len);
  memcpy(&first, text.ptr, sizeof first);
  memcpy(&last, text.ptr + text.len - len, sizeof last);
  return (CakeWordKey){text.ptr, text.len, first & mask, last & mask};
}

// A place for each of many keys. Only the top bits of a product are reached by all bits of its factors.
static inline size_t cake_word_place(const CakeWordKey *key) {
  return (size_t)((key->first + key->last * 31 + key->len) * 0x9e3779b97f4a7c15u >> 48);
}

static inline bool cake_word_is(const CakeWordKey *a, const CakeWordKey *b) {
  if (a->first != b->first || a->last != b->last || a->len != b->len) return false;
  return a->len <= 2 * sizeof a->first || memcmp(a->ptr, b->ptr, a->len) == 0;
}

// A name behind its sigil.
static inline bool cake_quick_key(CakeQuick *quick, CakeNameKey *out) {
  const char *begin = quick->p, *p = begin;
  uint32_t hash = 0, all = 0, value;
  for (; (value = cake_name_chars[(uint8_t)*p]) != 0; p++) {
    hash = hash * 10 + value;
    all |= value;
  }
  size_t len = (size_t)(p - begin);
  quick->p = p;
  if (!len || (all > 15 && is(*begin, DIGIT))) return false; // a name that begins with a digit is a number
  if (len > sizeof out->word)
    *out = cake_parser_name_key(quick->parser, begin, len);
  else
    *out = (CakeNameKey){cake_quick_word(quick, begin, len), begin, (uint32_t)len, hash};
  return true;
}

// Digits, few enough for a number of 32 bits.
static inline bool cake_quick_count(CakeQuick *quick, uint32_t *out) {
  enum { SAFE_DIGITS = 9 };
  const char *begin = quick->p, *p = begin;
  for (*out = 0; is(*p, DIGIT); p++)
    *out = *out * 10 + (uint32_t)(*p - '0');
  quick->p = p;
  return p > begin && p - begin <= SAFE_DIGITS && !is(*p, BARE);
}

// The first character of the next token, wherever it stands; NUL: there is none.
static inline char cake_quick_peek(const CakeQuick *quick) {
  const CakeParser *parser = quick->parser;
  const char *p = cake_quick_start(quick);
  CakeLexeme blanks = parser->token;
  if (is(*p, SPACE) || *p == '/') p = cake_lex_blanks(&parser->lexer, p, &blanks);
  return p == parser->lexer.end ? '\0' : *p;
}

// The characters of the step's literal. False: they do not stand there, and nothing was read.
static inline bool cake_quick_text(CakeQuick *quick, const CakeQuickStep *step) {
  const char *p = cake_quick_start(quick);
  for (size_t i = 0; i < step->len; i++)
    if (p[i] != step->text[i]) return false;
  p += step->len;
  if (step->is_word && is(*p, BARE)) return false;
  quick->p = p;
  return true;
}

// quick_read.c; what hooks call stands in cake/asm.h
bool cake_quick_list(CakeQuick *quick, uint32_t group);  // values
bool cake_quick_functional(CakeQuick *quick);            // `(types) -> types`: of the operands in their order, and of the results
bool cake_quick_form_parts(CakeQuick *quick);            // all that the form says
// quick_read.c
bool cake_quick_symbol(CakeQuick *quick, CakeAttr *out); // `@name` as a reference
// quick_attr.c. The end of the brackets that open there, with nothing but words, numbers and signs inside, short; NULL: something else.
const char *cake_quick_brackets(const char *begin);
// What is read is what cake_parser_attr makes of it.
bool cake_quick_attr(CakeQuick *quick, CakeType type, CakeAttr *out);
bool cake_quick_entries(CakeQuick *quick); // behind the opening brace: named attributes onto parser->named; also when it is false
bool cake_quick_properties(CakeQuick *quick); // `<{…}>`
// `{…}` of an op, of which entries for inherent attributes are only those in `rows`.
bool cake_quick_dictionary(CakeQuick *quick, uint64_t rows);
typedef struct CakeQuickNumber {
  CakeStr text; // without the sign
  uint64_t value; // of an integer
  bool is_negative, is_float;
} CakeQuickNumber;
bool cake_quick_number(CakeQuick *quick, CakeQuickNumber *out); // where it stands
bool cake_quick_string(CakeQuick *quick, CakeStr *out); // where it stands: the text of a string without escapes
CakeId cake_quick_id(CakeQuick *quick, CakeStr text);   // of a text that most likely was met before
bool cake_quick_float(const CakeQuick *quick, const CakeQuickNumber *number, CakeType type, double *out);
// quick_dense.c
bool cake_quick_dense(CakeQuick *quick, CakeAttr *out); // behind `dense<`
bool cake_quick_array(CakeQuick *quick, CakeAttr *out); // behind `array<`
// quick_loc.c: `loc(…)` at the token; false: it is unusual, or none, and nothing was read
bool cake_quick_loc(CakeParser *parser, CakeLoc *target);
// quick_hook.c
bool cake_quick_argument_list(CakeQuick *quick, CakeQuickArguments *out); // `%a: type, …)` behind the opening parenthesis
// quick_generic.c: operands, attributes and types behind the name
bool cake_quick_generic(CakeQuick *quick);
// quick_op.c: room for one more in a table, which is made; when it is half full, a larger one of which nothing is known; one of `most` entries
// is emptied
void *cake_quick_room(CakeParser *parser, void *table, CakeWordCount *count, uint32_t most, size_t size);
// quick_settle.c: the types of operands and results, attributes that the parts decide
CakeQuickResult cake_quick_settle(CakeQuick *quick);
// quick_op.c
// The token behind what was read. Of a word or a value's name only the beginning is looked at, its length is 0 then: the op that begins
// with it is most likely read quickly, too, and else cake_quick_finish_token reads it.
void cake_quick_find_next(const CakeQuick *quick, CakeLexeme *out);
void cake_quick_finish_token(CakeParser *parser); // of which only the beginning may have been looked at
void cake_quick_go_on(CakeQuick *quick, const CakeLexeme *next); // the parser is at that token then
bool cake_quick_end_op(CakeParser *parser, CakeOp *op, const CakeNameKey *name, CakeLoc name_loc); // its location, and its results' name
void cake_quick_step(CakeQuick *quick); // the parser goes on behind what was read, in front of an op
void cake_quick_name(CakeValue *value, const CakeNameKey *name);
// quick_block.c: the label at the token; the block is in the region then, with its arguments
CakeQuickResult cake_quick_label(CakeParser *parser, CakeRegion *region, CakeBlock **out);
// quick_op.c
CakeQuickResult cake_quick_op(CakeParser *parser, CakeQuickHeader *header); // the header is filled in when that is the result
// quick_region.c
bool cake_quick_regions(CakeParser *parser, const CakeQuickHeader *header); // all that stands behind the header
// What stands behind a region, whose closing brace is the token, from step *at on: up to the brace that opens the next region, whose step *at is
// then, or to the end of the op (the number of steps). False: it is unusual, and nothing was read.
bool cake_quick_behind_region(CakeParser *parser, const CakeQuickForm *form, uint32_t *at);

#endif
