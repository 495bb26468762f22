// scf: the custom forms of loops and branches.
//
//   %r = scf.for %i = %a to %b step %s iter_args(%x = %init) -> (f32) : i32 { … }
//   %r = scf.if %c -> (f32) { … } else { … }
//   %r = scf.while (%x = %init) : (f32) -> f32 { … } do { ^bb0(%y: f32): … }
//   %r = scf.index_switch %i -> f32 case 2 { … } default { … }
#include "dialects/scf/scf_hooks.h"
#include "dialects/scf/scf_ops.h"

typedef struct Args {
  CAKE_VEC(CakeId) names;
  CAKE_VEC(CakeLoc) locs;
  CAKE_VEC(CakeType) types;
} Args;

static void args_fini(Args *args) {
  CAKE_VEC_FINI(&args->names);
  CAKE_VEC_FINI(&args->locs);
  CAKE_VEC_FINI(&args->types);
}

static bool parse_name(CakeAsmParser *parser, Args *args) {
  CakeId name;
  CakeLoc loc;
  if (!cake_asm_argument(parser, &name, &loc)) return false;
  CAKE_PUSH(&args->names, name);
  CAKE_PUSH(&args->locs, loc);
  return true;
}

// `(%x = %init, …)` behind the opening parenthesis, to the closing one.
static bool parse_assignments(CakeAsmParser *parser, uint32_t group, Args *args) {
  CakeParser *stream = cake_asm_stream(parser);
  if (cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do {
    if (!parse_name(parser, args) || !cake_parser_expect(stream, CAKE_TOK_EQUAL) || !cake_asm_operand(parser, group))
      return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

static void add_region_args(CakeAsmParser *parser, uint32_t region, const Args *args) {
  for (size_t i = 0; i < args->names.len; i++)
    cake_asm_add_region_arg(parser, region, args->names.data[i], args->locs.data[i], args->types.data[i]);
}

static void print_assignments(CakeAsmPrinter *printer, CakeValue *const *args, CakeOperandRange inits) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, '(');
  for (uint32_t i = 0; i < inits.count; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_asm_print_value(printer, args[i]);
    cake_buf_text(out, " = ");
    cake_asm_print_value(printer, inits.first[i].value);
  }
  cake_buf_char(out, ')');
}

// `type` or `(type, …)`.
static bool parse_types(CakeParser *stream, Args *types) {
  CakeType type;
  if (!cake_parser_accept(stream, CAKE_TOK_LPAREN)) {
    if (!cake_parser_type(stream, &type)) return false;
    CAKE_PUSH(&types->types, type);
    return true;
  }
  if (cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do {
    if (!cake_parser_type(stream, &type)) return false;
    CAKE_PUSH(&types->types, type);
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

// `-> types`, if it is there.
static bool parse_result_types(CakeAsmParser *parser, Args *types) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_parser_accept(stream, CAKE_TOK_ARROW)) return true;
  if (!parse_types(stream, types)) return false;
  for (size_t i = 0; i < types->types.len; i++)
    cake_asm_add_result_type(parser, types->types.data[i]);
  return true;
}

static void print_result_types(CakeAsmPrinter *printer, const CakeOp *op, bool parentheses) {
  CakeBuf *out = cake_asm_buf(printer);
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (i) cake_buf_text(out, ", ");
    if (i == 0 && parentheses) cake_buf_char(out, '(');
    cake_printer_type(cake_asm_out(printer), op->results[i].type);
  }
  if (op->n_results && parentheses) cake_buf_char(out, ')');
}

// ---- scf.for -------------------------------------------------------------------------------------------------------

static bool parse_for_header(CakeAsmParser *parser, Args *args, Args *results) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeContext *context = cake_parser_context(stream);
  if (cake_parser_accept_keyword(stream, "unsigned")) cake_asm_set_attr(parser, CAKE_ATTR_ROW(scf, for, unsignedCmp), cake_attr_unit(context));
  if (!parse_name(parser, args) || !cake_parser_expect(stream, CAKE_TOK_EQUAL) || !cake_asm_operand(parser, CAKE_GROUP(scf, for, lowerBound)) ||
      !cake_parser_expect_keyword(stream, "to") || !cake_asm_operand(parser, CAKE_GROUP(scf, for, upperBound)) ||
      !cake_parser_expect_keyword(stream, "step") || !cake_asm_operand(parser, CAKE_GROUP(scf, for, step)))
    return false;
  if (cake_parser_accept_keyword(stream, "iter_args")) {
    if (!cake_parser_expect(stream, CAKE_TOK_LPAREN) || !parse_assignments(parser, CAKE_GROUP(scf, for, initArgs), args))
      return false;
    if (cake_parser_token(stream) != CAKE_TOK_ARROW) return cake_parser_expect(stream, CAKE_TOK_ARROW);
    if (!parse_result_types(parser, results)) return false;
  }
  CakeType type = cake_type_index(context);
  if (cake_parser_accept(stream, CAKE_TOK_COLON) && !cake_parser_type(stream, &type)) return false;
  if (results->types.len != args->names.len - 1)
    return cake_parser_error(stream, CAKE_CODE_PARSE_TYPE,
                             "mismatch in number of loop-carried values and defined values: %zu and %zu",
                             args->names.len - 1, results->types.len);
  CAKE_PUSH(&args->types, type);
  for (size_t i = 0; i < results->types.len; i++)
    CAKE_PUSH(&args->types, results->types.data[i]);
  add_region_args(parser, CAKE_REGION_ROW(scf, for, region), args);
  for (uint32_t group = 0; group < 3; group++)
    cake_asm_set_operand_type(parser, group, 0, type);
  for (uint32_t i = 0; i < results->types.len; i++) cake_asm_set_operand_type(parser, CAKE_GROUP(scf, for, initArgs), i, results->types.data[i]);
  return true;
}

bool scf_for_parse(CakeAsmParser *parser) {
  Args args = {0}, results = {0};
  bool is_fine = parse_for_header(parser, &args, &results);
  args_fini(&args);
  args_fini(&results);
  return is_fine;
}

// ` iter_args(%x = %init, …) -> types`, if it is there: the arguments behind the induction variable.
static bool read_iter_args(CakeQuick *quick) {
  CakeQuickTypes results = {0};
  uint32_t first = CAKE_GROUP(scf, for, initArgs);
  if (!cake_quick_literal(quick, "iter_args")) return true;
  if (!cake_quick_literal(quick, "(") || !cake_quick_assignments(quick, CAKE_REGION_ROW(scf, for, region), first) ||
      !cake_quick_literal(quick, "->") || !cake_quick_type_list(quick, &results))
    return false;
  if (results.count != cake_quick_n_arguments(quick) - 1) return false;
  for (uint32_t i = 0; i < results.count; i++) {
    if (cake_quick_operand_type(quick, first + i) != results.types[i]) return false;
    cake_quick_set_argument_type(quick, 1 + i, results.types[i]);
  }
  cake_quick_set_results(quick, &results);
  return true;
}

bool scf_for_quick(CakeQuick *quick) {
  CakeType type = cake_type_index(cake_quick_context(quick));
  if (!cake_quick_argument(quick, CAKE_REGION_ROW(scf, for, region)) || !cake_quick_literal(quick, "=") ||
      !cake_quick_operand(quick, CAKE_GROUP(scf, for, lowerBound)) || !cake_quick_literal(quick, "to") ||
      !cake_quick_operand(quick, CAKE_GROUP(scf, for, upperBound)) || !cake_quick_literal(quick, "step") ||
      !cake_quick_operand(quick, CAKE_GROUP(scf, for, step)) || !read_iter_args(quick))
    return false;
  if (cake_quick_literal(quick, ":") && !cake_quick_type(quick, &type)) return false;
  cake_quick_set_argument_type(quick, 0, type);
  for (uint32_t i = 0; i < CAKE_GROUP(scf, for, initArgs); i++)
    if (cake_quick_operand_type(quick, i) != type) return false;
  return true;
}

void scf_for_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  CakeOperandRange inits = cake_op_operand_group(op, CAKE_GROUP(scf, for, initArgs));
  if (cake_op_prop(op, CAKE_ATTR_ROW(scf, for, unsignedCmp))) cake_buf_text(out, " unsigned");
  cake_buf_char(out, ' ');
  cake_asm_print_value(printer, body->args[0]);
  static const char *const between[] = {" = ", " to ", " step "};
  for (uint32_t i = 0; i < 3; i++) {
    cake_buf_text(out, between[i]);
    cake_asm_print_value(printer, cake_op_operand(op, i));
  }
  if (inits.count) {
    cake_buf_text(out, " iter_args");
    print_assignments(printer, body->args + 1, inits);
    cake_buf_text(out, " -> ");
    print_result_types(printer, op, true);
  }
  if (!cake_type_is_index(body->args[0]->type)) {
    cake_buf_text(out, inits.count ? " : " : "  : "); // two blanks, as MLIR has it
    cake_printer_type(cake_asm_out(printer), body->args[0]->type);
  }
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, inits.count > 0);
  cake_asm_print_attr_dict(printer, op, UINT64_C(1) << CAKE_ATTR_ROW(scf, for, unsignedCmp), false);
}

// ---- scf.if --------------------------------------------------------------------------------------------------------

bool scf_if_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  Args results = {0};
  bool is_fine = cake_asm_operand(parser, CAKE_GROUP(scf, if, condition));
  if (is_fine)
    cake_asm_set_operand_type(parser, CAKE_GROUP(scf, if, condition), 0, cake_type_i1(cake_parser_context(stream)));
  is_fine = is_fine && parse_result_types(parser, &results);
  args_fini(&results);
  return is_fine;
}

// ` -> types`, if it is there.
static bool read_result_types(CakeQuick *quick) {
  CakeQuickTypes results;
  if (!cake_quick_literal(quick, "->")) return true;
  if (!cake_quick_type_list(quick, &results)) return false;
  cake_quick_set_results(quick, &results);
  return true;
}

bool scf_if_quick(CakeQuick *quick) {
  return cake_quick_operand(quick, CAKE_GROUP(scf, if, condition)) && read_result_types(quick);
}

void scf_if_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, ' ');
  cake_asm_print_value(printer, cake_op_operand(op, 0));
  if (op->n_results) {
    cake_buf_text(out, " -> ");
    print_result_types(printer, op, true);
  }
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, op->n_results > 0);
  if (cake_region_entry(cake_op_region(op, 1))) {
    cake_buf_text(out, " else ");
    cake_asm_print_region(printer, cake_op_region(op, 1), false, op->n_results > 0);
  }
  cake_asm_print_attr_dict(printer, op, 0, false);
}

// ---- scf.while -----------------------------------------------------------------------------------------------------

static bool parse_while_types(CakeAsmParser *parser, Args *args, Args *results) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_parser_expect(stream, CAKE_TOK_COLON) || !parse_types(stream, args)) return false;
  if (cake_parser_token(stream) != CAKE_TOK_ARROW) return cake_parser_expect(stream, CAKE_TOK_ARROW);
  if (args->types.len != args->names.len)
    return cake_parser_error(stream, CAKE_CODE_PARSE_TYPE,
                             "expected as many input types as operands (expected %zu got %zu)", args->names.len,
                             args->types.len);
  for (uint32_t i = 0; i < args->types.len; i++)
    cake_asm_set_operand_type(parser, CAKE_GROUP(scf, while, inits), i, args->types.data[i]);
  return parse_result_types(parser, results);
}

bool scf_while_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  Args args = {0}, results = {0};
  bool is_fine =
      !cake_parser_accept(stream, CAKE_TOK_LPAREN) || parse_assignments(parser, CAKE_GROUP(scf, while, inits), &args);
  is_fine = is_fine && parse_while_types(parser, &args, &results);
  if (is_fine) add_region_args(parser, CAKE_REGION_ROW(scf, while, before), &args);
  args_fini(&args);
  args_fini(&results);
  return is_fine;
}

bool scf_while_quick(CakeQuick *quick) {
  CakeQuickTypes types;
  bool has_inits = cake_quick_literal(quick, "(");
  if (has_inits && !cake_quick_assignments(quick, CAKE_REGION_ROW(scf, while, before), CAKE_GROUP(scf, while, inits)))
    return false;
  if (!cake_quick_literal(quick, ":") || !cake_quick_type_list(quick, &types)) return false;
  if (types.count != cake_quick_n_arguments(quick) || cake_quick_next(quick) != '-') return false;
  for (uint32_t i = 0; i < types.count; i++) {
    if (cake_quick_operand_type(quick, i) != types.types[i]) return false;
    cake_quick_set_argument_type(quick, i, types.types[i]);
  }
  return read_result_types(quick);
}

void scf_while_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeOperandRange inits = cake_op_operand_group(op, CAKE_GROUP(scf, while, inits));
  cake_buf_char(out, ' ');
  if (inits.count) {
    print_assignments(printer, cake_region_entry(cake_op_region(op, 0))->args, inits);
    cake_buf_char(out, ' ');
  }
  cake_buf_text(out, ": (");
  for (uint32_t i = 0; i < inits.count; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_printer_type(cake_asm_out(printer), inits.first[i].value->type);
  }
  cake_buf_text(out, op->n_results ? ") -> " : ") -> ()");
  print_result_types(printer, op, op->n_results != 1);
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, true);
  cake_buf_text(out, " do ");
  cake_asm_print_region(printer, cake_op_region(op, 1), true, true);
  cake_asm_print_attr_dict(printer, op, 0, true);
}

// ---- scf.index_switch ----------------------------------------------------------------------------------------------

bool scf_index_switch_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeContext *context = cake_parser_context(stream);
  Args results = {0};
  CAKE_VEC(int64_t) cases = {0};
  bool is_fine = cake_asm_operand(parser, CAKE_GROUP(scf, index_switch, arg));
  if (is_fine) cake_asm_set_operand_type(parser, CAKE_GROUP(scf, index_switch, arg), 0, cake_type_index(context));
  is_fine = is_fine && cake_asm_attr_dict(parser, false) && parse_result_types(parser, &results);
  args_fini(&results);
  while (is_fine && cake_parser_accept_keyword(stream, "case")) {
    int64_t value = 0;
    is_fine = cake_parser_int(stream, &value) && cake_asm_region(parser, 1 + (uint32_t)cases.len, NULL, NULL, NULL, 0);
    CAKE_PUSH(&cases, value);
  }
  is_fine = is_fine && cake_parser_expect_keyword(stream, "default") && cake_asm_region(parser, 0, NULL, NULL, NULL, 0);
  if (is_fine) {
    CakeType i64 = cake_type_i64(context);
    cake_asm_set_attr(parser, CAKE_ATTR_ROW(scf, index_switch, cases),
                      cake_attr_dense_array(i64, cases.data, cases.len));
  }
  CAKE_VEC_FINI(&cases);
  return is_fine;
}

void scf_index_switch_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeAttr cases = cake_op_prop(op, CAKE_ATTR_ROW(scf, index_switch, cases));
  cake_buf_char(out, ' ');
  cake_asm_print_value(printer, cake_op_operand(op, 0));
  cake_asm_print_attr_dict(printer, op, UINT64_C(1) << CAKE_ATTR_ROW(scf, index_switch, cases), false);
  if (op->n_results) {
    cake_buf_text(out, " -> ");
    print_result_types(printer, op, op->n_results != 1);
  }
  for (uint32_t i = 1; i < op->n_regions; i++) {
    cake_asm_newline(printer);
    cake_buf_printf(out, "case %lld ", (long long)cake_attr_dense_array_value(cases, i - 1));
    cake_asm_print_region(printer, cake_op_region(op, i), false, true);
  }
  cake_asm_newline(printer);
  cake_buf_text(out, "default ");
  cake_asm_print_region(printer, cake_op_region(op, 0), false, true);
}
