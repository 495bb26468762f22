// Text: parsing and printing modules, types and attributes (MLIR's syntax).
#ifndef CAKE_TEXT_H
#define CAKE_TEXT_H

#include "cake/dialect.h"

CAKE_BEGIN_C

// Parses a file's text, or bytecode (cake/bytecode.h), into a new `builtin.module` (a single top-level module is that module). `text` must outlive the context's
// diagnostics (it is registered as the source of `file`). NULL: reported.
CakeOp *cake_parse_module(CakeContext *context, CakeStr file, CakeStr text);
// The same of `part`, which lies in the file's whole `text`; its first line has that number.
CakeOp *cake_parse_module_part(CakeContext *context, CakeStr file, CakeStr text, CakeStr part, uint32_t line);
// The same of a text that is a mapped file (`cake_file_open_text`), which the context must not outlive: long elements in hexadecimal stay there
// until somebody asks for their values. Memory of what else was read is given back on the way.
CakeOp *cake_parse_mapped_module(CakeContext *context, CakeStr file, CakeStr text);
// A type or attribute alone, as in text; NULL: reported.
CakeType cake_parse_type_text(CakeContext *context, CakeStr text);
CakeAttr cake_parse_attr_text(CakeContext *context, CakeStr text);

typedef struct CakePrintOptions {
  bool generic;     // generic form for all ops
  bool locations;   // loc(…) behind every op
  bool use_names;   // keep the names of values that the text had (off: %0, %1, … as in MLIR)
  bool loc_names;   // values are called as their name locations say; names win over those that the text had
  bool local_scope; // no aliases
  bool skip_regions; // `{...}` for what is in them: for people alone, as all that is left out
  // For people, too, and values have numbers then: behind an op, and in front of a block's first, comments say which ops use its results (arguments); no
  // two values have one number, though they are in different regions; locations are written without loc(…) and quotes.
  bool value_users, unique_numbers, pretty_locations;
  // Lists of so many elements and more are printed in hexadecimal, or left out (`dense_resource<__elided__>`); resources of so many characters
  // and more are left out. 0: from 101 on; never; never.
  int64_t hex_from, elide_from, elide_resources_from;
  // Called between ops, and inside of long elements, when `flush_at` bytes or more are in the buffer: takes them and empties the buffer. NULL: all
  // stays in the buffer.
  void (*flush)(void *user, CakeBuf *out);
  size_t flush_at;
  void *flush_user;
  // Called for long elements that stand in memory as they are printed, behind a call of `flush`. NULL: they go through the buffer.
  void (*put)(void *flush_user, CakeStr text);
  // Called where an op's name begins, `at` in the buffer (with `flush`: in what is there). NULL: nobody asks.
  void (*begins)(void *user, const CakeOp *op, size_t at);
  void *begins_user;
} CakePrintOptions;

// Prints an op with everything in it, and a line end. Never fails, whatever the IR looks like. `options` may be NULL.
void cake_print_op(const CakeOp *op, const CakePrintOptions *options, CakeBuf *out);
void cake_print_type(CakeType type, CakeBuf *out);
void cake_print_attr(CakeAttr attr, CakeBuf *out);
void cake_print_loc(const CakeContext *context, CakeLoc loc, CakeBuf *out); // file:line:col, without loc(…)
// Into the context's scratch ring, for messages: valid until 16 further calls.
const char *cake_type_text(CakeType type);
const char *cake_attr_text(CakeAttr attr);
// "%name" or "result #0 of 'op'": what a message calls a value.
const char *cake_value_text(const CakeValue *value);

// ---- For the parse/print hooks of types and attributes ----------------------------------------------------------------------

typedef enum CakeToken {
  CAKE_TOK_EOF, CAKE_TOK_ERROR,
  CAKE_TOK_BARE,      // keyword or dotted name: foo, wgmma.acc, x (see cake_parser_dimension for 4x8xf32)
  CAKE_TOK_INT,       // 12, 0x1F (no sign)
  CAKE_TOK_FLOAT,     // 1.0, 1.5e-3 (no sign)
  CAKE_TOK_STRING,    // "…" with escapes
  CAKE_TOK_PERCENT,   // %name, %0, %0#1
  CAKE_TOK_CARET,     // ^bb0
  CAKE_TOK_AT,        // @name, @"name"
  CAKE_TOK_EXCLAIM,   // !name
  CAKE_TOK_HASH,      // #name
  CAKE_TOK_LPAREN, CAKE_TOK_RPAREN, CAKE_TOK_LBRACE, CAKE_TOK_RBRACE, CAKE_TOK_LSQUARE, CAKE_TOK_RSQUARE, CAKE_TOK_LESS, CAKE_TOK_GREATER,
  CAKE_TOK_COMMA, CAKE_TOK_COLON, CAKE_TOK_COLON_COLON, CAKE_TOK_EQUAL, CAKE_TOK_ARROW, CAKE_TOK_PLUS, CAKE_TOK_MINUS, CAKE_TOK_STAR, CAKE_TOK_QUESTION,
  CAKE_TOK_ELLIPSIS, CAKE_TOK_DOT_DOT, CAKE_TOK_SLASH, CAKE_TOK_VERTICAL_BAR, CAKE_TOK_FILE_METADATA_BEGIN, CAKE_TOK_FILE_METADATA_END,
} CakeToken;

// The token at or behind text.ptr[*at]; *at goes behind it. `text` is what the source says, without a context: a string's quotes are in it.
CakeToken cake_token_next(CakeStr text, size_t *at, CakeStr *out);

CakeContext *cake_parser_context(CakeParser *parser);
CakeToken cake_parser_token(CakeParser *parser);    // the current token
CakeStr cake_parser_spelling(CakeParser *parser);   // its text
CakeLoc cake_parser_loc(CakeParser *parser);        // its place
void cake_parser_next(CakeParser *parser);
// Reports at the current token and returns false.
bool cake_parser_error(CakeParser *parser, CakeCode code, const char *format, ...) CAKE_PRINTF(3, 4);
// The same for "expected …": something is missing, which is said behind the last token, where it should stand.
bool cake_parser_missing(CakeParser *parser, const char *format, ...) CAKE_PRINTF(2, 3);
bool cake_parser_error_at(CakeParser *parser, CakeLoc loc, CakeCode code, const char *format, ...) CAKE_PRINTF(4, 5);
// `accept_*` takes the token if it is there; `expect_*` reports when it is not ("expected '<'").
bool cake_parser_accept(CakeParser *parser, CakeToken token);
bool cake_parser_expect(CakeParser *parser, CakeToken token);
bool cake_parser_is_keyword(CakeParser *parser, const char *keyword);
bool cake_parser_accept_keyword(CakeParser *parser, const char *keyword);
bool cake_parser_expect_keyword(CakeParser *parser, const char *keyword);
bool cake_parser_keyword(CakeParser *parser, CakeId *out);    // any bare identifier
// A word that may stand here: where the text ends, editors offer it (cake/recorder.h).
void cake_parser_offer(CakeParser *parser, const char *word);
bool cake_parser_int(CakeParser *parser, int64_t *out);       // with optional sign
bool cake_parser_string(CakeParser *parser, CakeId *out);     // unescaped
bool cake_parser_symbol(CakeParser *parser, CakeId *out);     // @name
bool cake_parser_type(CakeParser *parser, CakeType *out);
// An attribute value; `type` (may be NULL) is the type that a number without one gets.
bool cake_parser_attr(CakeParser *parser, CakeType type, CakeAttr *out);
// `dialect.name<…>` of an attribute whose `#dialect.` is left out: the name is the current token ("mma.acc" of dialect "cake").
bool cake_parser_dialect_attr_body(CakeParser *parser, const CakeDialectDef *dialect, CakeAttr *out);
bool cake_parser_dialect_type_body(CakeParser *parser, const CakeDialectDef *dialect, CakeType *out);
// One dimension of a list `4x?x[N]xbf16`: takes `4`, `?` or an opening `[` (then *out_bracket = true and the caller parses up to `]`),
// and the `x` behind it is taken with cake_parser_x. The lexer splits `x4xf32` at the right places for these two calls.
bool cake_parser_dimension(CakeParser *parser, int64_t *out, bool *out_bracket);
bool cake_parser_at_dimension(CakeParser *parser); // the current token starts a dimension
bool cake_parser_x(CakeParser *parser);

CakeBuf *cake_printer_buf(CakePrinter *printer); // append plain text here
void cake_printer_type(CakePrinter *printer, CakeType type);
void cake_printer_attr(CakePrinter *printer, CakeAttr attr);
void cake_printer_attr_body(CakePrinter *printer, CakeAttr attr); // without `#dialect.`
void cake_printer_type_body(CakePrinter *printer, CakeType type);
void cake_printer_string(CakePrinter *printer, CakeStr text);      // quoted and escaped
void cake_printer_symbol(CakePrinter *printer, CakeStr name);      // @name or @"na me"

CAKE_END_C
#endif
