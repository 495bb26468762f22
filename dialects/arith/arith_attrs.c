// arith's attributes: #arith.fastmath<…> and #arith.overflow<…>, sets of flags as MLIR spells them.
#include "cake/asm.h"
#include "cake/text.h"
#include "dialects/arith/arith.h"

typedef struct FlagName {
  unsigned flag;
  const char *name;
} FlagName;

static const FlagName fastmath_names[] = {
    {CAKE_FASTMATH_REASSOC,  "reassoc" },
    {CAKE_FASTMATH_NNAN,     "nnan"    },
    {CAKE_FASTMATH_NINF,     "ninf"    },
    {CAKE_FASTMATH_NSZ,      "nsz"     },
    {CAKE_FASTMATH_ARCP,     "arcp"    },
    {CAKE_FASTMATH_CONTRACT, "contract"},
    {CAKE_FASTMATH_AFN,      "afn"     },
    {CAKE_FASTMATH_FAST,     "fast"    },
};
static const FlagName overflow_names[] = {
    {CAKE_OVERFLOW_NSW, "nsw"},
    {CAKE_OVERFLOW_NUW, "nuw"},
};

static CakeAttr flags_get(CakeContext *context, const CakeAttrDef *def, unsigned flags) {
  CakeParam param = cake_param_int((int64_t)flags);
  return cake_attr_get(context, def, &param, 1);
}

static bool parse_flag(CakeParser *parser, const FlagName *names, size_t n_names, unsigned *flags) {
  if (cake_parser_accept_keyword(parser, "none")) return true;
  for (size_t i = 0; i < n_names; i++) {
    if (!cake_parser_accept_keyword(parser, names[i].name)) continue;
    *flags |= names[i].flag;
    return true;
  }
  CakeBuf list = {0};
  for (size_t i = 0; i < n_names; i++)
    cake_buf_printf(&list, ", %s", names[i].name);
  cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected one of: none%.*s", CAKE_STR_ARG(cake_buf_view(&list)));
  cake_buf_fini(&list);
  return false;
}

static bool parse_flags(CakeParser *parser, const CakeAttrDef *def, const FlagName *names, size_t n_names,
                        CakeAttr *out) {
  unsigned flags = 0;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  do {
    if (!parse_flag(parser, names, n_names, &flags)) return false;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  if (!cake_parser_expect(parser, CAKE_TOK_GREATER)) return false;
  *out = flags_get(cake_parser_context(parser), def, flags);
  return true;
}

static void print_flags(CakePrinter *printer, CakeAttr attr, const FlagName *names, size_t n_names,
                        const char *separator) {
  CakeBuf *out = cake_printer_buf(printer);
  unsigned flags = cake_attr_arith_flags(attr);
  const char *between = "";
  cake_buf_char(out, '<');
  if (!flags) cake_buf_text(out, "none");
  for (size_t i = 0; i < n_names; i++) {
    if ((flags & names[i].flag) != names[i].flag) continue;
    cake_buf_printf(out, "%s%s", between, names[i].name);
    between = separator;
  }
  cake_buf_char(out, '>');
}

static bool fastmath_parse(CakeParser *parser, CakeAttr *out) {
  return parse_flags(parser, &cake_attr_def_arith_fastmath, fastmath_names, CAKE_COUNT(fastmath_names), out);
}

static void fastmath_print(CakePrinter *printer, CakeAttr attr) {
  if (cake_attr_arith_flags(attr) == CAKE_FASTMATH_FAST)
    cake_buf_text(cake_printer_buf(printer), "<fast>");
  else
    print_flags(printer, attr, fastmath_names, CAKE_COUNT(fastmath_names), ",");
}

static bool overflow_parse(CakeParser *parser, CakeAttr *out) {
  return parse_flags(parser, &cake_attr_def_arith_overflow, overflow_names, CAKE_COUNT(overflow_names), out);
}

static void overflow_print(CakePrinter *printer, CakeAttr attr) {
  print_flags(printer, attr, overflow_names, CAKE_COUNT(overflow_names), ", ");
}

static bool read_flag(CakeQuick *quick, const FlagName *names, size_t n_names, unsigned *flags) {
  CakeStr word;
  if (!cake_quick_bare(quick, &word)) return false;
  for (size_t i = 0; i < n_names; i++) {
    if (!cake_str_is(word, names[i].name)) continue;
    *flags |= names[i].flag;
    return true;
  }
  return cake_str_is(word, "none");
}

bool cake_quick_arith_flags(CakeQuick *quick, const CakeAttrDef *def, CakeAttr *out) {
  bool is_fastmath = def == &cake_attr_def_arith_fastmath;
  const FlagName *names = is_fastmath ? fastmath_names : overflow_names;
  size_t n_names = is_fastmath ? CAKE_COUNT(fastmath_names) : CAKE_COUNT(overflow_names);
  unsigned flags = 0;
  if (!cake_quick_literal(quick, "<")) return false;
  do
    if (!read_flag(quick, names, n_names, &flags)) return false;
  while (cake_quick_literal(quick, ","));
  *out = flags_get(cake_quick_context(quick), def, flags);
  return cake_quick_literal(quick, ">");
}

const CakeAttrDef cake_attr_def_arith_fastmath = {
    .name = "fastmath",
    .dialect = &cake_dialect_arith,
    .summary = "Liberties that the compiler may take with floats.",
    .description = "`reassoc` reorders, `nnan` and `ninf` assume that there is no NaN and no infinity, `nsz` ignores "
                   "the sign of zero, `arcp` multiplies "
                   "by reciprocals, `contract` fuses, `afn` approximates functions; `fast` is all of them.",
    .syntax = "`<` (`none` | flag (`,` flag)*) `>`",
    .parse = fastmath_parse,
    .print = fastmath_print,
};

const CakeAttrDef cake_attr_def_arith_overflow = {
    .name = "overflow",
    .dialect = &cake_dialect_arith,
    .summary = "Which overflow of an integer operation is poison.",
    .description = "`nsw`: signed overflow, `nuw`: unsigned overflow.",
    .syntax = "`<` (`none` | `nsw` | `nuw` | `nsw` `,` `nuw`) `>`",
    .parse = overflow_parse,
    .print = overflow_print,
};

CakeAttr cake_attr_arith_fastmath(CakeContext *context, unsigned flags) {
  return flags_get(context, &cake_attr_def_arith_fastmath, flags & CAKE_FASTMATH_FAST);
}

CakeAttr cake_attr_arith_overflow(CakeContext *context, unsigned flags) {
  return flags_get(context, &cake_attr_def_arith_overflow, flags & (CAKE_OVERFLOW_NSW | CAKE_OVERFLOW_NUW));
}

unsigned cake_attr_arith_flags(CakeAttr attr) {
  if (!cake_attr_is(attr, &cake_attr_def_arith_fastmath) && !cake_attr_is(attr, &cake_attr_def_arith_overflow))
    return 0;
  return (unsigned)attr->params[0].i;
}
