// arith: the dialect's tables, constraints, format directives, inference and verification. Folders: arith_fold.c, arith_fold_ops.c.
#include "dialects/arith/arith_ops.h"

#include "cake/asm.h"
#include "dialects/arith/arith_hooks.h"

// ---- Constraints ---------------------------------------------------------------------------------------------------

static bool is_fixed_integer(CakeType type) {
  CakeType element = cake_type_element(type);
  return cake_is_integer_like.test(type) && !cake_type_is_index(element);
}

static bool is_bits(CakeType type) {
  return is_fixed_integer(type) || cake_is_float_like.test(type);
}

static const CakeTypeConstraint arith_is_fixed_integer_like = {"signless-fixed-width-integer-like", is_fixed_integer};
static const CakeTypeConstraint arith_is_bits_like = {"signless-integer-or-float-like of fixed width", is_bits};

static bool attr_is_fastmath(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_arith_fastmath);
}

static bool attr_is_overflow(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_arith_overflow);
}

static bool is_number(CakeAttr attr, uint32_t width, int64_t end) {
  if (!cake_attr_is(attr, &cake_attr_def_integer) || !cake_type_is_integer(cake_attr_value_type(attr), width))
    return false;
  return cake_attr_int_value(attr) >= 0 && cake_attr_int_value(attr) < end;
}

static bool attr_is_integer_predicate(CakeAttr attr) {
  return is_number(attr, 64, CAKE_CMPI_COUNT);
}

static bool attr_is_float_predicate(CakeAttr attr) {
  return is_number(attr, 64, CAKE_CMPF_COUNT);
}

static bool attr_is_rounding(CakeAttr attr) {
  return is_number(attr, 32, 5);
}

const CakeAttrConstraint cake_attr_is_fastmath = {"floating-point fast-math flags", attr_is_fastmath};
static const CakeAttrConstraint arith_attr_is_overflow = {"integer overflow arith flags", attr_is_overflow};
static const CakeAttrConstraint arith_attr_is_integer_predicate = {
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9", attr_is_integer_predicate};
static const CakeAttrConstraint arith_attr_is_float_predicate = {
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    attr_is_float_predicate};
static const CakeAttrConstraint arith_attr_is_rounding = {"allowed 32-bit signless integer cases: 0, 1, 2, 3, 4",
                                                          attr_is_rounding};

// ---- Format directives ---------------------------------------------------------------------------------------------

static CakeAttr directive_attr(const CakeOp *op, const CakeAsmRef *refs) {
  return cake_op_prop(op, refs[0].row);
}

static const CakeAttrDef *flags_def(const CakeAttrRow *row) {
  return row->constraint == &cake_attr_is_fastmath ? &cake_attr_def_arith_fastmath : &cake_attr_def_arith_overflow;
}

// `<nsw, nuw>` behind `overflow`, `<fast>` behind `fastmath`: the attribute's text without its name.
static bool parse_flags(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  const CakeAttrRow *row = &cake_asm_def(parser)->attrs[refs[0].row];
  CakeAttr attr;
  if (!flags_def(row)->parse(cake_asm_stream(parser), &attr)) return false;
  cake_asm_set_attr(parser, refs[0].row, row->default_text && cake_attr_arith_flags(attr) == 0 ? NULL : attr);
  return true;
}

static bool read_flags(CakeQuick *quick, const CakeAsmRef *refs, size_t count) {
  (void)count;
  const CakeAttrRow *row = &cake_quick_def(quick)->attrs[refs[0].row];
  CakeAttr attr;
  if (!cake_quick_arith_flags(quick, flags_def(row), &attr)) return false;
  if (!row->default_text || cake_attr_arith_flags(attr)) cake_quick_set_attr(quick, refs[0].row, attr);
  return true;
}

static void print_flags(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeAttr attr = directive_attr(op, refs);
  if (attr && attr->def->print) attr->def->print(cake_asm_out(printer), attr);
}

static bool has_flags(const CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeAttr attr = directive_attr(op, refs);
  bool has_default = op->info->def->attrs[refs[0].row].default_text != NULL;
  return attr && (!has_default || cake_attr_arith_flags(attr) != 0);
}

const CakeAsmDirective cake_arith_flags_directive = {"flags", parse_flags, print_flags, has_flags, read_flags};

static const char *const integer_predicates[CAKE_CMPI_COUNT] = {"eq",  "ne",  "slt", "sle", "sgt",
                                                                "sge", "ult", "ule", "ugt", "uge"};
static const char *const float_predicates[CAKE_CMPF_COUNT] = {
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"};
static const char *const rounding_modes[5] = {"to_nearest_even", "downward", "upward", "toward_zero",
                                              "to_nearest_away"};

static int find_word(CakeParser *stream, const char *const *words, int count) {
  bool is_string = cake_parser_token(stream) == CAKE_TOK_STRING, is_word = cake_parser_token(stream) == CAKE_TOK_BARE;
  CakeStr word = cake_parser_spelling(stream);
  if (is_string) word = (CakeStr){word.ptr + 1, word.len - 2};
  for (int i = 0; (is_word || is_string) && i < count; i++)
    if (cake_str_is(word, words[i])) return i;
  for (int i = 0; !is_word && i < count; i++)
    cake_parser_offer(stream, words[i]);
  return -1;
}

static bool parse_predicate(CakeAsmParser *parser, const CakeAsmRef *refs, const char *const *words, int n_words) {
  CakeParser *stream = cake_asm_stream(parser);
  int found = find_word(stream, words, n_words);
  if (found < 0) {
    CakeBuf list = {0};
    for (int i = 0; i < n_words; i++)
      cake_buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
    cake_parser_error(
        stream, CAKE_CODE_PARSE_SYNTAX,
        "expected string or keyword containing one of the following enum values for attribute 'predicate' [%.*s]",
        CAKE_STR_ARG(cake_buf_view(&list)));
    cake_buf_fini(&list);
    return false;
  }
  cake_parser_next(stream);
  cake_asm_set_attr(parser, refs[0].row, cake_attr_i64(cake_parser_context(stream), found));
  return true;
}

static bool read_predicate(CakeQuick *quick, const CakeAsmRef *refs, const char *const *words, int n_words) {
  CakeStr word;
  if (!cake_quick_bare(quick, &word)) return false;
  int i = 0;
  while (i < n_words && !cake_str_is(word, words[i]))
    i++;
  cake_quick_set_attr(quick, refs[0].row, cake_attr_i64(cake_quick_context(quick), i));
  return i < n_words;
}

static void print_word(CakeAsmPrinter *printer, const CakeOp *op, const CakeAsmRef *refs, const char *const *words,
                       int64_t n_words) {
  CakeAttr attr = directive_attr(op, refs);
  int64_t number = cake_attr_is(attr, &cake_attr_def_integer) ? cake_attr_int_value(attr) : -1;
  if (number >= 0 && number < n_words)
    cake_buf_text(cake_asm_buf(printer), words[number]);
  else
    cake_buf_printf(cake_asm_buf(printer), "<<bad number %lld>>", (long long)number);
}

static bool parse_integer_predicate(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return parse_predicate(parser, refs, integer_predicates, CAKE_CMPI_COUNT);
}

static bool read_integer_predicate(CakeQuick *quick, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return read_predicate(quick, refs, integer_predicates, CAKE_CMPI_COUNT);
}

static void print_integer_predicate(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  print_word(printer, op, refs, integer_predicates, CAKE_CMPI_COUNT);
}

static bool parse_float_predicate(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return parse_predicate(parser, refs, float_predicates, CAKE_CMPF_COUNT);
}

static bool read_float_predicate(CakeQuick *quick, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return read_predicate(quick, refs, float_predicates, CAKE_CMPF_COUNT);
}

static void print_float_predicate(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  print_word(printer, op, refs, float_predicates, CAKE_CMPF_COUNT);
}

// The rounding mode of truncf: an optional keyword.
static bool parse_rounding(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeParser *stream = cake_asm_stream(parser);
  int found = find_word(stream, rounding_modes, 5);
  if (found < 0) return true;
  CakeContext *context = cake_parser_context(stream);
  cake_parser_next(stream);
  cake_asm_set_attr(parser, refs[0].row, cake_attr_integer(cake_type_i32(context), found));
  return true;
}

static void print_rounding(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  print_word(printer, op, refs, rounding_modes, 5);
}

static bool has_rounding(const CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return directive_attr(op, refs) != NULL;
}

// `: T`, or `: vector<4xi1>, T` when the condition is not a lone i1.
static bool parse_select_types(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeParser *stream = cake_asm_stream(parser);
  CakeType condition = cake_type_i1(cake_parser_context(stream)), type;
  if (!cake_parser_expect(stream, CAKE_TOK_COLON) || !cake_parser_type(stream, &type)) return false;
  if (cake_parser_accept(stream, CAKE_TOK_COMMA)) {
    condition = type;
    if (!cake_parser_type(stream, &type)) return false;
  }
  cake_asm_set_operand_type(parser, refs[0].row, 0, condition);
  cake_asm_set_operand_type(parser, refs[1].row, 0, type);
  cake_asm_set_operand_type(parser, refs[2].row, 0, type);
  cake_asm_add_result_type(parser, type);
  return true;
}

static void print_select_types(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)refs;
  (void)count;
  cake_buf_text(cake_asm_buf(printer), ": ");
  CakeType condition = cake_op_operand(op, 0)->type;
  if (!cake_type_is_integer(condition, 1)) {
    cake_printer_type(cake_asm_out(printer), condition);
    cake_buf_text(cake_asm_buf(printer), ", ");
  }
  cake_printer_type(cake_asm_out(printer), op->results[0].type);
}

// ---- Inference and verification ------------------------------------------------------------------------------------

static bool arith_constant_infer(CakeInference *inference) {
  CakeAttr value = inference->props[CAKE_ATTR_ROW(arith, constant, value)];
  CakeType type = cake_attr_value_type(value);
  if (!type)
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_ATTRIBUTES,
                         "'arith.constant' op value must have a type");
  inference->types[0] = type;
  inference->n_types = 1;
  return true;
}

static bool arith_constant_verify(CakeOp *op) {
  CakeAttr value = cake_op_prop(op, CAKE_ATTR_ROW(arith, constant, value));
  if (!cake_attr_is(value, &cake_attr_def_integer) && !cake_attr_is(value, &cake_attr_def_float) &&
      !cake_attr_is(value, &cake_attr_def_wide_integer) && !cake_attr_is_elements(value))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "value must be an integer, float, or elements attribute");
  CakeType type = op->results[0].type; // elements may have signs
  if (cake_type_is(type, &cake_type_def_integer) && cake_type_sign(type) != CAKE_SIGNLESS)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "integer return type must be signless");
  bool scalable = false;
  for (int64_t i = 0;
       cake_type_is(op->results[0].type, &cake_type_def_vector) && i < cake_type_rank(op->results[0].type); i++)
    scalable |= cake_type_is_scalable(op->results[0].type, (size_t)i);
  if (scalable && !cake_attr_is_splat(value))
    return cake_error(
        op, CAKE_CODE_IR_SEMANTICS,
        "initializing scalable vectors with elements attribute is not supported unless it's a vector splat");
  return true;
}

static bool arith_addui_extended_verify(CakeOp *op) {
  CakeType sum = op->results[0].type, wanted = cake_type_with_element(sum, cake_type_i1(op->context));
  if (sum != cake_op_operand(op, 0)->type)
    return cake_error(op, CAKE_CODE_IR_RESULTS, "the sum must have the operands' type '%s', not '%s'",
                      cake_type_text(cake_op_operand(op, 0)->type), cake_type_text(sum));
  if (op->results[1].type == wanted) return true;
  return cake_error(op, CAKE_CODE_IR_RESULTS, "the overflow must have type '%s', not '%s'", cake_type_text(wanted),
                    cake_type_text(op->results[1].type));
}

static bool arith_compare_infer(CakeInference *inference) {
  inference->types[0] = cake_type_with_element(inference->operands[0]->type, cake_type_i1(inference->context));
  inference->n_types = 1;
  return true;
}

static bool arith_select_verify(CakeOp *op) {
  CakeType condition = cake_op_operand(op, 0)->type, result = op->results[0].type;
  if (cake_op_operand(op, 1)->type != result || cake_op_operand(op, 2)->type != result)
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "failed to verify that all of {true_value, false_value, result} have same type");
  if (cake_type_is_integer(condition, 1)) return true;
  if (!cake_type_is_shaped(result))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "expected condition to be a signless i1, but got '%s'",
                      cake_type_text(condition));
  if (cake_type_with_element(result, cake_type_element(condition)) != condition)
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "expected condition type to have the same shape as the result type, expected '%s', but got '%s'",
                      cake_type_text(cake_type_with_element(result, cake_type_element(condition))),
                      cake_type_text(condition));
  return true;
}

static bool incompatible(CakeOp *op) {
  return cake_error(op, CAKE_CODE_IR_OPERANDS, "operand type '%s' and result type '%s' are cast incompatible",
                    cake_type_text(cake_op_operand(op, 0)->type), cake_type_text(op->results[0].type));
}

static uint32_t element_width(CakeType type) {
  return cake_type_width(cake_type_element(type));
}

static bool arith_widen_verify(CakeOp *op) {
  return element_width(cake_op_operand(op, 0)->type) < element_width(op->results[0].type) || incompatible(op);
}

static bool arith_narrow_verify(CakeOp *op) {
  return element_width(cake_op_operand(op, 0)->type) > element_width(op->results[0].type) || incompatible(op);
}

static bool arith_truncf_verify(CakeOp *op) {
  return arith_narrow_verify(op);
}

static bool arith_index_cast_verify(CakeOp *op) {
  CakeType from = cake_type_element(cake_op_operand(op, 0)->type), to = cake_type_element(op->results[0].type);
  return cake_type_is_index(from) != cake_type_is_index(to) || incompatible(op);
}

static bool arith_bitcast_verify(CakeOp *op) {
  return element_width(cake_op_operand(op, 0)->type) == element_width(op->results[0].type) || incompatible(op);
}

// ---- The dialect ---------------------------------------------------------------------------------------------------

#define CAKE_ROWS "dialects/arith/arith.def"
#define CAKE_DIALECT arith
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

static const CakeAttrDef *const arith_attrs[] = {&cake_attr_def_arith_fastmath, &cake_attr_def_arith_overflow};

static const CakeAsmDirective arith_directives[] = {
    {"flags",             parse_flags,             print_flags,             has_flags,    read_flags            },
    {"integer_predicate", parse_integer_predicate, print_integer_predicate, NULL,         read_integer_predicate},
    {"float_predicate",   parse_float_predicate,   print_float_predicate,   NULL,         read_float_predicate  },
    {"rounding",          parse_rounding,          print_rounding,          has_rounding, NULL                  },
    {"select_types",      parse_select_types,      print_select_types,      NULL,         NULL                  },
};

static CakeOp *arith_materialize(CakeRewriter *rewriter, CakeAttr value, CakeType type) {
  if (cake_attr_value_type(value) != type) return NULL;
  return cake_value_def(cake_build_constant(rewriter, value));
}

const CakeDialectDef cake_dialect_arith = {
    .name = "arith",
    .summary = "Scalar arithmetic, elementwise on vectors and tensors.",
    .ops = cake_ops_arith,
    .n_ops = CAKE_COUNT(cake_ops_arith),
    .attrs = arith_attrs,
    .n_attrs = CAKE_COUNT(arith_attrs),
    .directives = arith_directives,
    .n_directives = CAKE_COUNT(arith_directives),
    .materialize = arith_materialize,
};
