// func: the custom form of func.func.
//
//   func.func private @f(%a: i32 {d.x}, %b: f32) -> (i32 {d.y}, f32) attributes {…} { … }
//   func.func private @f(i32, f32) -> i32
#include "dialects/func/func_asm.h"

#include "dialects/func/func.h"

// Dictionaries are kept from the first one on that is not empty; those in front are NULL.
typedef struct Types {
  CAKE_VEC(CakeType) types;
  CAKE_VEC(CakeAttr) attrs;
} Types;

typedef struct Signature {
  Types inputs, results;
  bool is_named;
} Signature;

static void types_fini(Types *types) {
  CAKE_VEC_FINI(&types->types);
  CAKE_VEC_FINI(&types->attrs);
}

// ---- Parsing -------------------------------------------------------------------------------------------------------

// `{…}` behind a type, if it is there.
static bool parse_dictionary(CakeParser *stream, CakeAttr *out) {
  *out = NULL;
  return cake_parser_token(stream) != CAKE_TOK_LBRACE || cake_parser_attr(stream, NULL, out);
}

static void add_type(Types *types, CakeType type, CakeAttr attrs) {
  CAKE_PUSH(&types->types, type);
  if (!attrs || cake_attr_count(attrs) == 0) return;
  while (types->attrs.len + 1 < types->types.len)
    CAKE_PUSH(&types->attrs, NULL);
  CAKE_PUSH(&types->attrs, attrs);
}

// `%name:` in front of an argument's type; it becomes an argument of the body.
static bool parse_name(CakeAsmParser *parser, CakeId *out, CakeLoc *out_loc) {
  return cake_asm_argument(parser, out, out_loc) && cake_parser_expect(cake_asm_stream(parser), CAKE_TOK_COLON);
}

static bool parse_argument(CakeAsmParser *parser, Signature *signature) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeType type;
  CakeAttr attrs, loc_attr;
  CakeId name = NULL;
  CakeLoc loc = cake_parser_loc(stream);
  bool is_named = cake_parser_token(stream) == CAKE_TOK_PERCENT;
  if (signature->inputs.types.len && is_named != signature->is_named)
    return cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX,
                             is_named ? "expected type instead of SSA identifier" : "expected SSA identifier");
  signature->is_named = is_named;
  if (is_named && !parse_name(parser, &name, &loc)) return false;
  if (!cake_parser_type(stream, &type) || !parse_dictionary(stream, &attrs)) return false;
  if (cake_parser_is_keyword(stream, "loc")) {
    if (!cake_parser_attr(stream, NULL, &loc_attr)) return false;
    loc = cake_loc_from_attr(loc_attr);
  }
  add_type(&signature->inputs, type, attrs);
  if (is_named) cake_asm_add_region_arg(parser, CAKE_REGION_ROW(func, func, body), name, loc, type);
  return true;
}

static bool parse_arguments(CakeAsmParser *parser, Signature *signature) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN)) return false;
  if (cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do {
    if (!parse_argument(parser, signature)) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

static bool parse_result(CakeParser *stream, Signature *signature, bool with_attrs) {
  CakeType type;
  CakeAttr attrs = NULL;
  if (!cake_parser_type(stream, &type) || (with_attrs && !parse_dictionary(stream, &attrs))) return false;
  add_type(&signature->results, type, attrs);
  return true;
}

static bool parse_results(CakeParser *stream, Signature *signature) {
  if (!cake_parser_accept(stream, CAKE_TOK_ARROW)) return true;
  if (!cake_parser_accept(stream, CAKE_TOK_LPAREN)) return parse_result(stream, signature, false);
  if (cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do {
    if (!parse_result(stream, signature, true)) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

// An array of dictionaries, one a type, when any is not empty.
static void set_dictionaries(CakeAsmParser *parser, uint32_t row, Types *types) {
  CakeContext *context = cake_parser_context(cake_asm_stream(parser));
  if (!types->attrs.len) return;
  CakeAttr none = cake_attr_dictionary(context, NULL, 0);
  while (types->attrs.len < types->types.len)
    CAKE_PUSH(&types->attrs, none);
  for (size_t i = 0; i < types->attrs.len; i++)
    if (!types->attrs.data[i]) types->attrs.data[i] = none;
  cake_asm_set_attr(parser, row, cake_attr_array(context, types->attrs.data, types->attrs.len));
}

static void set_signature(CakeAsmParser *parser, Signature *signature) {
  CakeContext *context = cake_parser_context(cake_asm_stream(parser));
  const Types *inputs = &signature->inputs, *results = &signature->results;
  CakeType type =
      cake_type_function(context, inputs->types.data, inputs->types.len, results->types.data, results->types.len);
  cake_asm_set_attr(parser, CAKE_ATTR_ROW(func, func, function_type), cake_attr_type(type));
  set_dictionaries(parser, CAKE_ATTR_ROW(func, func, arg_attrs), &signature->inputs);
  set_dictionaries(parser, CAKE_ATTR_ROW(func, func, res_attrs), &signature->results);
}

static const char *const visibilities[] = {"private", "nested", "public"};

static void parse_visibility(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  for (size_t i = 0; i < CAKE_COUNT(visibilities); i++) {
    if (!cake_parser_accept_keyword(stream, visibilities[i])) continue;
    cake_asm_set_attr(parser, CAKE_ATTR_ROW(func, func, sym_visibility),
                      cake_attr_string(cake_parser_context(stream), cake_str(visibilities[i])));
    return;
  }
}

static bool parse_body(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  if (cake_parser_token(stream) != CAKE_TOK_LBRACE) return true;
  // Without names, the label of the entry block declares the arguments; the verifier compares them.
  CakeLoc loc = cake_parser_loc(stream);
  if (!cake_asm_region_with_args(parser, CAKE_REGION_ROW(func, func, body))) return false;
  if (!cake_asm_region_is_empty(parser, CAKE_REGION_ROW(func, func, body))) return true;
  return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_SYNTAX, "expected non-empty function body");
}

// `attributes {…}`, which must not say what stands elsewhere.
static bool parse_dictionary_of_op(CakeAsmParser *parser) {
  static const uint32_t inferred[] = {CAKE_ATTR_ROW(func, func, sym_name), CAKE_ATTR_ROW(func, func, function_type),
                                      CAKE_ATTR_ROW(func, func, sym_visibility)};
  CakeParser *stream = cake_asm_stream(parser);
  CakeLoc loc = cake_parser_loc(stream);
  CakeAttr set[CAKE_COUNT(inferred)];
  for (size_t i = 0; i < CAKE_COUNT(inferred); i++) {
    set[i] = cake_asm_attr(parser, inferred[i]);
    cake_asm_set_attr(parser, inferred[i], NULL);
  }
  if (!cake_asm_attr_dict(parser, true)) return false;
  for (size_t i = 0; i < CAKE_COUNT(inferred); i++) {
    if (cake_asm_attr(parser, inferred[i]))
      return cake_parser_error_at(
          stream, loc, CAKE_CODE_PARSE_NAME,
          "'%s' is an inferred attribute and should not be specified in the explicit attribute dictionary",
          cake_asm_def(parser)->attrs[inferred[i]].name);
    cake_asm_set_attr(parser, inferred[i], set[i]);
  }
  return true;
}

static bool parse_function(CakeAsmParser *parser, Signature *signature) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeId name;
  parse_visibility(parser);
  if (!cake_parser_symbol(stream, &name)) return false;
  cake_asm_set_attr(parser, CAKE_ATTR_ROW(func, func, sym_name),
                    cake_attr_string_id(cake_parser_context(stream), name));
  if (!parse_arguments(parser, signature) || !parse_results(stream, signature)) return false;
  set_signature(parser, signature);
  return parse_dictionary_of_op(parser) && parse_body(parser);
}

bool func_func_parse(CakeAsmParser *parser) {
  Signature signature = {0};
  bool is_fine = parse_function(parser, &signature);
  types_fini(&signature.inputs);
  types_fini(&signature.results);
  return is_fine;
}

// ---- Parsing from characters ---------------------------------------------------------------------------------------

static void read_visibility(CakeQuick *quick) {
  for (size_t i = 0; i < CAKE_COUNT(visibilities); i++) {
    if (!cake_quick_literal(quick, visibilities[i])) continue;
    cake_quick_set_attr(quick, CAKE_ATTR_ROW(func, func, sym_visibility),
                        cake_attr_string(cake_quick_context(quick), cake_str(visibilities[i])));
    return;
  }
}

// `(%a: type, …)`, or, of a declaration, `(type, …)`.
static bool read_inputs(CakeQuick *quick, CakeQuickTypes *out) {
  if (!cake_quick_literal(quick, "(")) return false;
  if (cake_quick_next(quick) != '%') return cake_quick_types(quick, out);
  if (!cake_quick_arguments(quick, CAKE_REGION_ROW(func, func, body))) return false;
  out->count = cake_quick_n_arguments(quick);
  for (uint32_t i = 0; i < out->count; i++)
    out->types[i] = cake_quick_argument_type(quick, i);
  return true;
}

// Behind it stand neither `attributes` nor what goes on in the next line.
bool func_func_quick(CakeQuick *quick) {
  CakeQuickTypes inputs, results;
  read_visibility(quick);
  if (!cake_quick_symbol_name(quick, CAKE_ATTR_ROW(func, func, sym_name)) || !read_inputs(quick, &inputs)) return false;
  results.count = 0;
  if (cake_quick_literal(quick, "->") && !cake_quick_type_list(quick, &results)) return false;
  if (cake_quick_next(quick) == 'a') return false;
  CakeType type =
      cake_type_function(cake_quick_context(quick), inputs.types, inputs.count, results.types, results.count);
  cake_quick_set_attr(quick, CAKE_ATTR_ROW(func, func, function_type), cake_attr_type(type));
  return true;
}

// ---- Printing ------------------------------------------------------------------------------------------------------

static void print_dictionary(CakeAsmPrinter *printer, CakeAttr dictionaries, size_t index) {
  CakeAttr attrs = cake_attr_element(dictionaries, index);
  if (!attrs || cake_attr_count(attrs) == 0) return;
  cake_buf_char(cake_asm_buf(printer), ' ');
  cake_printer_attr(cake_asm_out(printer), attrs);
}

static void print_arguments(CakeAsmPrinter *printer, const CakeOp *op, CakeType type, CakeAttr attrs) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeBlock *entry = cake_region_entry(cake_op_region(op, 0));
  size_t count = entry ? entry->n_args : cake_type_function_inputs(type);
  cake_buf_char(out, '(');
  for (size_t i = 0; i < count; i++) {
    if (i) cake_buf_text(out, ", ");
    if (entry) {
      cake_asm_print_value(printer, entry->args[i]);
      cake_buf_text(out, ": ");
    }
    cake_printer_type(cake_asm_out(printer), entry ? entry->args[i]->type : cake_type_function_input(type, i));
    print_dictionary(printer, attrs, i);
    if (entry) cake_asm_print_loc(printer, cake_value_loc(entry->args[i]));
  }
  cake_buf_char(out, ')');
}

static void print_results(CakeAsmPrinter *printer, CakeType type, CakeAttr attrs) {
  CakeBuf *out = cake_asm_buf(printer);
  size_t count = cake_type_function_results(type);
  if (count == 0) return;
  bool is_bare = count == 1 && !cake_type_is(cake_type_function_result(type, 0), &cake_type_def_function) &&
                 cake_attr_count(cake_attr_element(attrs, 0)) == 0;
  cake_buf_text(out, is_bare ? " -> " : " -> (");
  for (size_t i = 0; i < count; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_printer_type(cake_asm_out(printer), cake_type_function_result(type, i));
    print_dictionary(printer, attrs, i);
  }
  if (!is_bare) cake_buf_char(out, ')');
}

void func_func_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeType type = cake_attr_value_type(cake_op_prop(op, CAKE_ATTR_ROW(func, func, function_type)));
  CakeAttr visibility = cake_op_prop(op, CAKE_ATTR_ROW(func, func, sym_visibility));
  uint64_t printed = 1U << CAKE_ATTR_ROW(func, func, sym_name) | 1U << CAKE_ATTR_ROW(func, func, function_type) |
                     1U << CAKE_ATTR_ROW(func, func, sym_visibility) | 1U << CAKE_ATTR_ROW(func, func, arg_attrs) |
                     1U << CAKE_ATTR_ROW(func, func, res_attrs);
  cake_buf_char(out, ' ');
  if (visibility) {
    cake_buf_str(out, cake_attr_string_value(visibility));
    cake_buf_char(out, ' ');
  }
  cake_printer_symbol(cake_asm_out(printer),
                      cake_attr_string_value(cake_op_prop(op, CAKE_ATTR_ROW(func, func, sym_name))));
  if (!cake_type_is(type, &cake_type_def_function)) {
    cake_buf_text(out, " <<no function type>>");
    return;
  }
  print_arguments(printer, op, type, cake_op_prop(op, CAKE_ATTR_ROW(func, func, arg_attrs)));
  print_results(printer, type, cake_op_prop(op, CAKE_ATTR_ROW(func, func, res_attrs)));
  cake_asm_print_attr_dict(printer, op, printed, true);
  if (!cake_region_entry(cake_op_region(op, 0))) return;
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, true);
}

// ---- func.call_indirect --------------------------------------------------------------------------------------------

// The callee's type gives those of the arguments and results.
static bool take_callee_type(CakeAsmParser *parser, CakeLoc loc, CakeType type) {
  uint32_t group = CAKE_GROUP(func, call_indirect, callee_operands), count = cake_asm_group_count(parser, group);
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_type_is(type, &cake_type_def_function))
    return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_TYPE,
                                "the callee's type must be a function type, not '%s'", cake_type_text(type));
  if (cake_type_function_inputs(type) != count)
    return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_TYPE, "the callee takes %zu operands, but %u are given",
                                cake_type_function_inputs(type), count);
  cake_asm_set_operand_type(parser, CAKE_GROUP(func, call_indirect, callee), 0, type);
  for (uint32_t i = 0; i < count; i++)
    cake_asm_set_operand_type(parser, group, i, cake_type_function_input(type, i));
  for (size_t i = 0; i < cake_type_function_results(type); i++)
    cake_asm_add_result_type(parser, cake_type_function_result(type, i));
  return true;
}

bool func_call_indirect_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_asm_operand(parser, CAKE_GROUP(func, call_indirect, callee)) ||
      !cake_parser_expect(stream, CAKE_TOK_LPAREN))
    return false;
  if (!cake_parser_accept(stream, CAKE_TOK_RPAREN)) {
    do {
      if (!cake_asm_operand(parser, CAKE_GROUP(func, call_indirect, callee_operands))) return false;
    } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
    if (!cake_parser_expect(stream, CAKE_TOK_RPAREN)) return false;
  }
  if (!cake_asm_attr_dict(parser, false) || !cake_parser_expect(stream, CAKE_TOK_COLON)) return false;
  CakeLoc loc = cake_parser_loc(stream);
  CakeType type;
  return cake_parser_type(stream, &type) && take_callee_type(parser, loc, type);
}

void func_call_indirect_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, ' ');
  cake_asm_print_value(printer, cake_op_operand(op, 0));
  cake_buf_char(out, '(');
  for (uint32_t i = 1; i < op->n_operands; i++) {
    if (i > 1) cake_buf_text(out, ", ");
    cake_asm_print_value(printer, cake_op_operand(op, i));
  }
  cake_buf_char(out, ')');
  cake_asm_print_attr_dict(printer, op, 0, false);
  cake_buf_text(out, " : ");
  cake_printer_type(cake_asm_out(printer), cake_op_operand(op, 0)->type);
}
