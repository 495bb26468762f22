// scf.forall and scf.forall.in_parallel: verification and the custom form.
//
//   %r = scf.forall (%i, %j) in (%n, 4) shared_outs(%o = %t) -> (tensor<4xf32>) { …  scf.forall.in_parallel { } } {attributes}
//   scf.forall (%i) = (0) to (%n) step (2) { … }
//
// Bounds and steps are values or numbers: an array of numbers each, with CAKE_DYNAMIC where a value stands.
#include "cake/text.h"
#include "dialects/scf/scf_hooks.h"
#include "dialects/scf/scf_ops.h"

// A list of bounds or steps: the operands and the attribute that it is made of.
typedef struct Mixed {
  const char *name;
  uint32_t group, row;
} Mixed;

enum { LOWER, UPPER, STEP, LISTS };
static const Mixed lists[LISTS] = {
    {"lower bound", CAKE_GROUP(scf, forall, dynamicLowerBound), CAKE_ATTR_ROW(scf, forall, staticLowerBound)},
    {"upper bound", CAKE_GROUP(scf, forall, dynamicUpperBound), CAKE_ATTR_ROW(scf, forall, staticUpperBound)},
    {"step",        CAKE_GROUP(scf, forall, dynamicStep),       CAKE_ATTR_ROW(scf, forall, staticStep)      },
};

// Ops are printed before they were verified, too: what is no array counts as empty.
static size_t count_of(const CakeOp *op, const Mixed *list) {
  CakeAttr numbers = cake_op_prop(op, list->row);
  return numbers && cake_attr_is(numbers, &cake_attr_def_dense_array) ? cake_attr_count(numbers) : 0;
}

static int64_t number_of(const CakeOp *op, const Mixed *list, size_t index) {
  return cake_attr_dense_array_value(cake_op_prop(op, list->row), index);
}

// ---- Verification --------------------------------------------------------------------------------------------------

static bool verify_list(CakeOp *op, const Mixed *list, size_t n_loops) {
  size_t count = count_of(op, list), n_dynamic = 0;
  if (count != n_loops)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "expected %zu %s values, got %zu", n_loops, list->name, count);
  for (size_t i = 0; i < count; i++)
    n_dynamic += number_of(op, list, i) == CAKE_DYNAMIC;
  if (n_dynamic == cake_op_operand_group(op, list->group).count) return true;
  return cake_error(op, CAKE_CODE_IR_OPERANDS, "expected %zu dynamic %s values", n_dynamic, list->name);
}

static bool verify_arguments(CakeOp *op, const CakeBlock *body, size_t n_loops, CakeOperandRange outputs) {
  if (body->n_args != n_loops + outputs.count)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "region expects %zu arguments", n_loops + outputs.count);
  for (size_t i = 0; i < n_loops; i++)
    if (!cake_type_is_index(body->args[i]->type))
      return cake_error(op, CAKE_CODE_IR_REGIONS, "expects %zu-th block argument to be an index", i);
  for (uint32_t i = 0; i < outputs.count; i++)
    if (body->args[n_loops + i]->type != outputs.first[i].value->type)
      return cake_error(op, CAKE_CODE_IR_REGIONS, "type mismatch between %u-th output and corresponding block argument",
                        i);
  return true;
}

bool scf_forall_verify(CakeOp *op) {
  size_t n_loops = count_of(op, &lists[LOWER]);
  CakeOperandRange outputs = cake_op_operand_group(op, CAKE_GROUP(scf, forall, outputs));
  if (op->n_results != outputs.count)
    return cake_error(op, CAKE_CODE_IR_RESULTS, "produces %u results, but has %u outputs", op->n_results,
                      outputs.count);
  const CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  if (!verify_arguments(op, body, n_loops, outputs)) return false;
  for (uint32_t i = 0; i < outputs.count; i++)
    if (op->results[i].type != outputs.first[i].value->type)
      return cake_error(op, CAKE_CODE_IR_RESULTS, "type mismatch between %u-th output and corresponding result", i);
  for (int i = 0; i < LISTS; i++)
    if (!verify_list(op, &lists[i], n_loops)) return false;
  const CakeOp *end = cake_block_terminator(body);
  if (end && cake_op_is(end, "scf.forall.in_parallel")) return true;
  return cake_error(op, CAKE_CODE_IR_REGIONS, "expects body to terminate with 'scf.forall.in_parallel'");
}

// What may stand in it puts slices of tensors together, and is of a dialect that is not here.
bool scf_forall_in_parallel_verify(CakeOp *op) {
  const CakeBlock *block = cake_region_entry(cake_op_region(op, 0));
  if (block->n_args) return cake_error(op, CAKE_CODE_IR_REGIONS, "region may not have arguments");
  return !block->first || cake_error(op, CAKE_CODE_IR_REGIONS, "expected only ParallelCombiningOpInterface ops");
}

// ---- Reading -------------------------------------------------------------------------------------------------------

// The arguments of the body: induction variables, then outputs.
typedef struct Arguments {
  CAKE_VEC(CakeId) names;
  CAKE_VEC(CakeLoc) locs;
  CAKE_VEC(CakeType) types;
} Arguments;

static bool parse_argument(CakeAsmParser *parser, Arguments *arguments, CakeType type) {
  CakeId name;
  CakeLoc loc;
  if (!cake_asm_argument(parser, &name, &loc)) return false;
  CAKE_PUSH(&arguments->names, name);
  CAKE_PUSH(&arguments->locs, loc);
  CAKE_PUSH(&arguments->types, type);
  return true;
}

static bool parse_variables(CakeAsmParser *parser, Arguments *arguments) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeType index = cake_type_index(cake_parser_context(stream));
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN)) return false;
  if (cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do
    if (!parse_argument(parser, arguments, index)) return false;
  while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

static void set_numbers(CakeAsmParser *parser, const Mixed *list, const int64_t *numbers, size_t count) {
  CakeType i64 = cake_type_i64(cake_parser_context(cake_asm_stream(parser)));
  cake_asm_set_attr(parser, list->row, cake_attr_dense_array(i64, numbers, count));
}

static bool parse_entry(CakeAsmParser *parser, const Mixed *list, int64_t *out) {
  CakeParser *stream = cake_asm_stream(parser);
  *out = CAKE_DYNAMIC;
  if (cake_parser_token(stream) != CAKE_TOK_PERCENT) return cake_parser_int(stream, out);
  uint32_t number = cake_asm_group_count(parser, list->group);
  if (!cake_asm_operand(parser, list->group)) return false;
  cake_asm_set_operand_type(parser, list->group, number, cake_type_index(cake_parser_context(stream)));
  return true;
}

// `(%a, 4, …)`
static bool parse_list(CakeAsmParser *parser, const Mixed *list) {
  CakeParser *stream = cake_asm_stream(parser);
  CAKE_VEC(int64_t) numbers = {0};
  bool ok = cake_parser_expect(stream, CAKE_TOK_LPAREN);
  if (ok && !cake_parser_accept(stream, CAKE_TOK_RPAREN)) {
    do {
      int64_t number;
      ok = parse_entry(parser, list, &number);
      if (ok) CAKE_PUSH(&numbers, number);
    } while (ok && cake_parser_accept(stream, CAKE_TOK_COMMA));
    ok = ok && cake_parser_expect(stream, CAKE_TOK_RPAREN);
  }
  if (ok) set_numbers(parser, list, numbers.data, numbers.len);
  CAKE_VEC_FINI(&numbers);
  return ok;
}

// `in (…)`: from 0, by 1.
static bool parse_normal(CakeAsmParser *parser, size_t n_loops) {
  CAKE_VEC(int64_t) zeros = {0}, ones = {0};
  for (size_t i = 0; i < n_loops; i++) {
    CAKE_PUSH(&zeros, 0);
    CAKE_PUSH(&ones, 1);
  }
  set_numbers(parser, &lists[LOWER], zeros.data, n_loops);
  set_numbers(parser, &lists[STEP], ones.data, n_loops);
  CAKE_VEC_FINI(&zeros);
  CAKE_VEC_FINI(&ones);
  return parse_list(parser, &lists[UPPER]);
}

static bool parse_bounds(CakeAsmParser *parser, size_t n_loops) {
  CakeParser *stream = cake_asm_stream(parser);
  if (cake_parser_accept_keyword(stream, "in")) return parse_normal(parser, n_loops);
  return cake_parser_expect(stream, CAKE_TOK_EQUAL) && parse_list(parser, &lists[LOWER]) &&
         cake_parser_expect_keyword(stream, "to") && parse_list(parser, &lists[UPPER]) &&
         cake_parser_expect_keyword(stream, "step") && parse_list(parser, &lists[STEP]);
}

// `shared_outs(%o = %t, …)`; the types come behind the arrow.
static bool parse_outputs(CakeAsmParser *parser, Arguments *arguments) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_parser_accept_keyword(stream, "shared_outs")) return true;
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN)) return false;
  if (cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do {
    if (!parse_argument(parser, arguments, NULL) || !cake_parser_expect(stream, CAKE_TOK_EQUAL) ||
        !cake_asm_operand(parser, CAKE_GROUP(scf, forall, outputs)))
      return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

// `-> type` or `-> (type, …)`: of the outputs, their arguments and the results.
static bool parse_types(CakeAsmParser *parser, Arguments *arguments, size_t n_loops, CakeLoc loc) {
  CakeParser *stream = cake_asm_stream(parser);
  uint32_t group = CAKE_GROUP(scf, forall, outputs), wanted = cake_asm_group_count(parser, group), count = 0;
  bool has_arrow = cake_parser_accept(stream, CAKE_TOK_ARROW);
  bool many = has_arrow && cake_parser_accept(stream, CAKE_TOK_LPAREN);
  bool is_empty = !has_arrow || (many && cake_parser_accept(stream, CAKE_TOK_RPAREN));
  while (!is_empty) {
    CakeType type;
    if (!cake_parser_type(stream, &type)) return false;
    cake_asm_add_result_type(parser, type);
    if (count < wanted) {
      cake_asm_set_operand_type(parser, group, count, type);
      arguments->types.data[n_loops + count] = type;
    }
    count++;
    if (!many || !cake_parser_accept(stream, CAKE_TOK_COMMA)) break;
  }
  if (count != wanted)
    return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_TYPE,
                                "number of operands and types do not match: got %u operands and %u types", wanted,
                                count);
  return is_empty || !many || cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

static bool parse(CakeAsmParser *parser, Arguments *arguments) {
  if (!parse_variables(parser, arguments)) return false;
  size_t n_loops = arguments->names.len;
  if (!parse_bounds(parser, n_loops)) return false;
  CakeLoc loc = cake_parser_loc(cake_asm_stream(parser));
  return parse_outputs(parser, arguments) && parse_types(parser, arguments, n_loops, loc) &&
         cake_asm_region(parser, 0, arguments->names.data, arguments->locs.data, arguments->types.data,
                         (uint32_t)arguments->names.len) &&
         cake_asm_attr_dict(parser, false);
}

bool scf_forall_parse(CakeAsmParser *parser) {
  Arguments arguments = {0};
  bool ok = parse(parser, &arguments);
  CAKE_VEC_FINI(&arguments.names);
  CAKE_VEC_FINI(&arguments.locs);
  CAKE_VEC_FINI(&arguments.types);
  return ok;
}

// ---- Writing -------------------------------------------------------------------------------------------------------

static void print_list(CakeAsmPrinter *printer, const CakeOp *op, const Mixed *list) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeOperandRange values = cake_op_operand_group(op, list->group);
  uint32_t next = 0;
  cake_buf_char(out, '(');
  for (size_t i = 0; i < count_of(op, list); i++) {
    if (i) cake_buf_text(out, ", ");
    int64_t number = number_of(op, list, i);
    if (number == CAKE_DYNAMIC && next < values.count)
      cake_asm_print_value(printer, values.first[next++].value);
    else
      cake_buf_int(out, number);
  }
  cake_buf_char(out, ')');
}

static bool is_all(const CakeOp *op, const Mixed *list, int64_t wanted) {
  bool all = true;
  for (size_t i = 0; i < count_of(op, list); i++)
    all &= number_of(op, list, i) == wanted;
  return all;
}

static void print_bounds(CakeAsmPrinter *printer, const CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  bool is_normal = is_all(op, &lists[LOWER], 0) && is_all(op, &lists[STEP], 1);
  cake_buf_text(out, is_normal ? " in " : " = ");
  if (!is_normal) {
    print_list(printer, op, &lists[LOWER]);
    cake_buf_text(out, " to ");
  }
  print_list(printer, op, &lists[UPPER]);
  if (is_normal) return;
  cake_buf_text(out, " step ");
  print_list(printer, op, &lists[STEP]);
}

static void print_outputs(CakeAsmPrinter *printer, const CakeOp *op, const CakeBlock *body, size_t n_loops) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeOperandRange outputs = cake_op_operand_group(op, CAKE_GROUP(scf, forall, outputs));
  if (!outputs.count) return;
  cake_buf_text(out, " shared_outs(");
  for (uint32_t i = 0; i < outputs.count; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_asm_print_value(printer, body->args[n_loops + i]);
    cake_buf_text(out, " = ");
    cake_asm_print_value(printer, outputs.first[i].value);
  }
  cake_buf_text(out, ") -> (");
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_printer_type(cake_asm_out(printer), op->results[i].type);
  }
  cake_buf_char(out, ')');
}

// Whether the custom form can say it: printing comes before verification, too.
static bool has_form(const CakeOp *op, const CakeBlock *body, size_t n_loops) {
  return body && body->n_args == n_loops + cake_op_operand_group(op, CAKE_GROUP(scf, forall, outputs)).count;
}

void scf_forall_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  const CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  size_t n_loops = count_of(op, &lists[LOWER]);
  bool is_whole = has_form(op, body, n_loops);
  cake_buf_text(out, " (");
  for (size_t i = 0; is_whole && i < n_loops; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_asm_print_value(printer, body->args[i]);
  }
  cake_buf_char(out, ')');
  print_bounds(printer, op);
  if (is_whole) print_outputs(printer, op, body, n_loops);
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, op->n_results > 0);
  uint64_t printed = 0;
  for (int i = 0; i < LISTS; i++)
    printed |= UINT64_C(1) << lists[i].row;
  cake_asm_print_attr_dict(printer, op, printed, false);
}
