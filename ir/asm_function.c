// The custom form of functions, of any dialect.
//
//   func.func private @f(%a: i32 {d.x}, %b: f32) -> (i32 {d.y}, f32) attributes {…} { … }
//   func.func private @f(i32, f32) -> i32
#include "cake/callable.h"
#include "quick.h"

enum { BODY = 0 }; // the region

// Dictionaries are kept from the first one on that is not empty; those in front are NULL.
typedef struct Types {
  CAKE_VEC(CakeType) types;
  CAKE_VEC(CakeAttr) attrs;
} Types;

typedef struct Signature {
  const CakeCallableRows *rows;
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
  if (is_named) cake_asm_add_region_arg(parser, BODY, name, loc, type);
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
static bool set_dictionaries(CakeAsmParser *parser, int row, Types *types) {
  CakeContext *context = cake_parser_context(cake_asm_stream(parser));
  if (!types->attrs.len) return true;
  if (row < 0)
    return cake_parser_error_at(parser->stream, parser->loc, CAKE_CODE_PARSE_SYNTAX,
                                "'%s' has no attributes of arguments or results", parser->info->name->text);
  CakeAttr none = cake_attr_dictionary(context, NULL, 0);
  while (types->attrs.len < types->types.len)
    CAKE_PUSH(&types->attrs, none);
  for (size_t i = 0; i < types->attrs.len; i++)
    if (!types->attrs.data[i]) types->attrs.data[i] = none;
  cake_asm_set_attr(parser, (uint32_t)row, cake_attr_array(context, types->attrs.data, types->attrs.len));
  return true;
}

static bool set_signature(CakeAsmParser *parser, Signature *signature) {
  CakeContext *context = cake_parser_context(cake_asm_stream(parser));
  const Types *inputs = &signature->inputs, *results = &signature->results;
  CakeType type =
      cake_type_function(context, inputs->types.data, inputs->types.len, results->types.data, results->types.len);
  cake_asm_set_attr(parser, (uint32_t)signature->rows->type, cake_attr_type(type));
  return set_dictionaries(parser, signature->rows->arg_attrs, &signature->inputs) &&
         set_dictionaries(parser, signature->rows->result_attrs, &signature->results);
}

static const char *const visibilities[] = {"private", "nested", "public"};

static void parse_visibility(CakeAsmParser *parser, int row) {
  CakeParser *stream = cake_asm_stream(parser);
  for (size_t i = 0; row >= 0 && i < CAKE_COUNT(visibilities); i++) {
    if (!cake_parser_accept_keyword(stream, visibilities[i])) continue;
    cake_asm_set_attr(parser, (uint32_t)row, cake_attr_string(cake_parser_context(stream), cake_str(visibilities[i])));
    return;
  }
}

static bool parse_body(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  if (cake_parser_token(stream) != CAKE_TOK_LBRACE) return true;
  // Without names, the label of the entry block declares the arguments; the verifier compares them.
  CakeLoc loc = cake_parser_loc(stream);
  if (!cake_asm_region_with_args(parser, BODY)) return false;
  if (!cake_asm_region_is_empty(parser, BODY)) return true;
  return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_SYNTAX, "expected non-empty function body");
}

// `attributes {…}`, which must not say what stands elsewhere.
static bool parse_dictionary_of_op(CakeAsmParser *parser, const CakeCallableRows *rows) {
  const uint32_t inferred[] = {(uint32_t)rows->name, (uint32_t)rows->type, (uint32_t)rows->visibility};
  size_t n_inferred = rows->visibility < 0 ? 2 : 3;
  CakeParser *stream = cake_asm_stream(parser);
  CakeLoc loc = cake_parser_loc(stream);
  CakeAttr set[3];
  for (size_t i = 0; i < n_inferred; i++) {
    set[i] = cake_asm_attr(parser, inferred[i]);
    cake_asm_set_attr(parser, inferred[i], NULL);
  }
  if (!cake_asm_attr_dict(parser, true)) return false;
  for (size_t i = 0; i < n_inferred; i++) {
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
  parse_visibility(parser, signature->rows->visibility);
  if (!cake_parser_symbol(stream, &name)) return false;
  cake_asm_set_attr(parser, (uint32_t)signature->rows->name, cake_attr_string_id(cake_parser_context(stream), name));
  if (!parse_arguments(parser, signature) || !parse_results(stream, signature)) return false;
  return set_signature(parser, signature) && parse_dictionary_of_op(parser, signature->rows) && parse_body(parser);
}

bool cake_asm_parse_function(CakeAsmParser *parser) {
  Signature signature = {.rows = cake_callable_rows(parser->info)};
  bool is_fine = parse_function(parser, &signature);
  types_fini(&signature.inputs);
  types_fini(&signature.results);
  return is_fine;
}

// ---- Parsing from characters ---------------------------------------------------------------------------------------

static void read_visibility(CakeQuick *quick, int row) {
  for (size_t i = 0; row >= 0 && i < CAKE_COUNT(visibilities); i++) {
    if (!cake_quick_literal(quick, visibilities[i])) continue;
    cake_quick_set_attr(quick, (uint32_t)row, cake_attr_string(cake_quick_context(quick), cake_str(visibilities[i])));
    return;
  }
}

// `(%a: type, …)`, or, of a declaration, `(type, …)`.
static bool read_inputs(CakeQuick *quick, CakeQuickTypes *out) {
  if (!cake_quick_literal(quick, "(")) return false;
  if (cake_quick_next(quick) != '%') return cake_quick_types(quick, out);
  if (!cake_quick_arguments(quick, BODY)) return false;
  out->count = cake_quick_n_arguments(quick);
  for (uint32_t i = 0; i < out->count; i++)
    out->types[i] = cake_quick_argument_type(quick, i);
  return true;
}

bool cake_asm_quick_function(CakeQuick *quick) {
  const CakeCallableRows *rows = cake_callable_rows(quick->info);
  CakeQuickTypes inputs, results;
  read_visibility(quick, rows->visibility);
  if (!cake_quick_symbol_name(quick, (uint32_t)rows->name) || !read_inputs(quick, &inputs)) return false;
  results.count = 0;
  if (cake_quick_literal(quick, "->") && !cake_quick_type_list(quick, &results)) return false;
  if (!cake_quick_attributes(quick)) return false;
  CakeType type =
      cake_type_function(cake_quick_context(quick), inputs.types, inputs.count, results.types, results.count);
  cake_quick_set_attr(quick, (uint32_t)rows->type, cake_attr_type(type));
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

static uint64_t bit_of(int row) {
  return row < 0 || row >= 64 ? 0 : UINT64_C(1) << row;
}

void cake_asm_print_function(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  const CakeCallableRows *rows = cake_callable_rows(op->info);
  CakeType type = cake_attr_value_type(cake_callable_attr(op, rows->type));
  CakeAttr visibility = cake_callable_attr(op, rows->visibility);
  uint64_t printed = bit_of(rows->name) | bit_of(rows->type) | bit_of(rows->visibility) | bit_of(rows->arg_attrs) |
                     bit_of(rows->result_attrs);
  cake_buf_char(out, ' ');
  if (visibility) {
    cake_buf_str(out, cake_attr_string_value(visibility));
    cake_buf_char(out, ' ');
  }
  cake_printer_symbol(cake_asm_out(printer), cake_attr_string_value(cake_callable_attr(op, rows->name)));
  if (!cake_type_is(type, &cake_type_def_function)) {
    cake_buf_text(out, " <<no function type>>");
    return;
  }
  print_arguments(printer, op, type, cake_callable_attr(op, rows->arg_attrs));
  print_results(printer, type, cake_callable_attr(op, rows->result_attrs));
  cake_asm_print_attr_dict(printer, op, printed, true);
  if (!cake_region_entry(cake_op_region(op, 0))) return;
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, true);
}
