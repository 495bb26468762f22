// scf.parallel, scf.reduce and scf.execute_region: verification and custom forms.
//
//   %r = scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%s, %t) init (%x) -> f32 { …  scf.reduce(%y : f32) { ^bb0(%l: f32, %m: f32): … } }
//   scf.reduce(%x, %y : f32, i32) { … }, { … }
//   %r = scf.execute_region -> f32 no_inline { … }
#include "cake/text.h"
#include "dialects/scf/scf_hooks.h"
#include "dialects/scf/scf_ops.h"

// ---- Verification --------------------------------------------------------------------------------------------------

static bool is_scf(const CakeOp *op, int ordinal) {
  return op && op->info->dialect == &cake_dialect_scf && op->info->def->ordinal == (uint32_t)ordinal;
}

static bool verify_reductions(CakeOp *op, CakeOp *reduce, uint32_t n_inits) {
  if (op->n_results != reduce->n_operands)
    return cake_error(op, CAKE_CODE_IR_RESULTS,
                      "expects number of results: %u to be the same as number of reductions: %u", op->n_results,
                      reduce->n_operands);
  if (op->n_results != n_inits)
    return cake_error(op, CAKE_CODE_IR_RESULTS,
                      "expects number of results: %u to be the same as number of initial values: %u", op->n_results,
                      n_inits);
  for (uint32_t i = 0; i < op->n_results; i++) {
    CakeType reduced = cake_op_operand(reduce, i)->type;
    if (reduced == op->results[i].type) continue;
    return cake_error(reduce, CAKE_CODE_IR_OPERANDS,
                      "expects type of %u-th reduction operand: '%s' to be the same as the %u-th result type: '%s'", i,
                      cake_type_text(reduced), i, cake_type_text(op->results[i].type));
  }
  return true;
}

static bool verify_steps(CakeOp *op) {
  CakeOperandRange steps = cake_op_operand_group(op, CAKE_GROUP(scf, parallel, step));
  for (uint32_t i = 0; i < steps.count; i++) {
    const CakeValue *step = steps.first[i].value;
    const CakeOp *constant = step->is_argument ? NULL : cake_result_owner(step);
    if (!constant || !cake_op_has_trait(constant, CAKE_TRAIT_CONSTANT) || !constant->info->n_props) continue;
    CakeAttr value = cake_op_prop(constant, 0);
    if (cake_attr_is(value, &cake_attr_def_integer) && cake_attr_int_value(value) <= 0)
      return cake_error(op, CAKE_CODE_IR_OPERANDS, "constant step operand must be positive");
  }
  return true;
}

bool scf_parallel_verify(CakeOp *op) {
  uint32_t n = cake_op_operand_group(op, CAKE_GROUP(scf, parallel, step)).count;
  uint32_t n_lower = cake_op_operand_group(op, CAKE_GROUP(scf, parallel, lowerBound)).count,
           n_upper = cake_op_operand_group(op, CAKE_GROUP(scf, parallel, upperBound)).count;
  if (n == 0)
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "needs at least one tuple element for lowerBound, upperBound and step");
  if (n_lower != n || n_upper != n)
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "expects as many lower bounds (%u) and upper bounds (%u) as steps (%u)", n_lower, n_upper, n);
  if (!verify_steps(op)) return false;
  CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  if (body->n_args != n)
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "expects the same number of induction variables: %u as bound and step values: %u", body->n_args,
                      n);
  for (uint32_t i = 0; i < n; i++)
    if (!cake_type_is_index(body->args[i]->type))
      return cake_error(op, CAKE_CODE_IR_REGIONS, "expects arguments for the induction variable to be of index type");
  if (!is_scf(cake_block_terminator(body), cake_op_scf_reduce))
    return cake_error(op, CAKE_CODE_IR_REGIONS, "expects body to terminate with 'scf.reduce'");
  return true;
}

bool scf_parallel_verify_regions(CakeOp *op) {
  CakeOp *reduce = cake_block_terminator(cake_region_entry(cake_op_region(op, 0)));
  return verify_reductions(op, reduce, cake_op_operand_group(op, CAKE_GROUP(scf, parallel, initVals)).count);
}

bool scf_reduce_verify(CakeOp *op) {
  if (op->n_regions != op->n_operands)
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "expects number of reduction regions: %u to be the same as number of reduction operands: %u",
                      op->n_regions, op->n_operands);
  for (uint32_t i = 0; i < op->n_regions; i++) {
    CakeType type = cake_op_operand(op, i)->type;
    const CakeBlock *block = cake_region_entry(cake_op_region(op, i));
    if (block->n_args != 2 || block->args[0]->type != type || block->args[1]->type != type)
      return cake_error(op, CAKE_CODE_IR_REGIONS,
                        "expected two block arguments with type '%s' in the %u-th reduction region",
                        cake_type_text(type), i);
    if (!is_scf(cake_block_terminator(block), cake_op_scf_reduce_return))
      return cake_error(op, CAKE_CODE_IR_REGIONS, "reduction bodies must be terminated with an 'scf.reduce.return' op");
  }
  return true;
}

bool scf_reduce_return_verify(CakeOp *op) {
  const CakeBlock *block = op->block;
  CakeType type = block && block->n_args ? block->args[0]->type : NULL;
  if (!type || cake_op_operand(op, 0)->type == type) return true; // reported at scf.reduce
  return cake_error(op, CAKE_CODE_IR_OPERANDS, "must have type '%s' (the type of the reduction inputs)",
                    cake_type_text(type));
}

static bool verify_yield(CakeOp *op, const CakeOp *yield) {
  if (yield->n_operands != op->n_results)
    return cake_error(
        op, CAKE_CODE_IR_REGIONS,
        "along control flow edge from Operation scf.yield to parent: region branch point has %u operands, "
        "but region successor needs %u inputs",
        yield->n_operands, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++) {
    CakeType type = cake_op_operand(yield, i)->type;
    if (type == op->results[i].type) continue;
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "along control flow edge from Operation scf.yield to parent: successor operand type #%u '%s' "
                      "should match successor input type #%u '%s'",
                      i, cake_type_text(type), i, cake_type_text(op->results[i].type));
  }
  return true;
}

bool scf_execute_region_verify(CakeOp *op) {
  const CakeRegion *region = cake_op_region(op, 0);
  if (!region->first) return cake_error(op, CAKE_CODE_IR_REGIONS, "region needs to have at least one block");
  if (region->first->n_args) return cake_error(op, CAKE_CODE_IR_REGIONS, "region cannot have any arguments");
  for (const CakeBlock *block = region->first; block; block = block->next) {
    const CakeOp *last = cake_block_terminator(block);
    if (is_scf(last, cake_op_scf_yield) && !verify_yield(op, last)) return false;
  }
  return true;
}

// ---- scf.parallel --------------------------------------------------------------------------------------------------

typedef struct Variables {
  CAKE_VEC(CakeId) names;
  CAKE_VEC(CakeLoc) locs;
  CAKE_VEC(CakeType) types;
} Variables;

static bool parse_variable(CakeAsmParser *parser, void *user) {
  Variables *variables = user;
  CakeId name;
  CakeLoc loc;
  if (!cake_asm_argument(parser, &name, &loc)) return false;
  CAKE_PUSH(&variables->names, name);
  CAKE_PUSH(&variables->locs, loc);
  CAKE_PUSH(&variables->types, cake_type_index(cake_parser_context(cake_asm_stream(parser))));
  return true;
}

static bool parse_operand(CakeAsmParser *parser, void *user) {
  const uint32_t *group = user;
  return cake_asm_operand(parser, *group);
}

// `(%a, %b)`, each an index; `wanted`: how many.
static bool parse_operands(CakeAsmParser *parser, uint32_t group, size_t wanted) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeLoc loc = cake_parser_loc(stream);
  CakeType index = cake_type_index(cake_parser_context(stream));
  if (!cake_asm_list(parser, parse_operand, &group)) return false;
  for (uint32_t i = 0; i < wanted; i++)
    cake_asm_set_operand_type(parser, group, i, index);
  if (cake_asm_group_count(parser, group) == wanted) return true;
  return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_SYNTAX, "expected %zu operands", wanted);
}

static bool parse_bounds(CakeAsmParser *parser, size_t count) {
  CakeParser *stream = cake_asm_stream(parser);
  return cake_parser_expect(stream, CAKE_TOK_EQUAL) &&
         parse_operands(parser, CAKE_GROUP(scf, parallel, lowerBound), count) &&
         cake_parser_expect_keyword(stream, "to") &&
         parse_operands(parser, CAKE_GROUP(scf, parallel, upperBound), count) &&
         cake_parser_expect_keyword(stream, "step") && parse_operands(parser, CAKE_GROUP(scf, parallel, step), count);
}

// `type` or `(type, …)` behind an arrow, each a result's. *out_count: how many.
static bool parse_results(CakeAsmParser *parser, uint32_t *out_count, uint32_t group) {
  CakeParser *stream = cake_asm_stream(parser);
  *out_count = 0;
  if (!cake_parser_accept(stream, CAKE_TOK_ARROW)) return true;
  bool many = cake_parser_accept(stream, CAKE_TOK_LPAREN);
  if (many && cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do {
    CakeType type;
    if (!cake_parser_type(stream, &type)) return false;
    cake_asm_add_result_type(parser, type);
    if (group != UINT32_MAX && *out_count < cake_asm_group_count(parser, group))
      cake_asm_set_operand_type(parser, group, *out_count, type);
    ++*out_count;
  } while (many && cake_parser_accept(stream, CAKE_TOK_COMMA));
  return !many || cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

static bool parse_inits(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeLoc loc = cake_parser_loc(stream);
  uint32_t group = CAKE_GROUP(scf, parallel, initVals), n_results;
  if (cake_parser_accept_keyword(stream, "init")) {
    if (!cake_parser_expect(stream, CAKE_TOK_LPAREN)) return false;
    do {
      if (!cake_asm_operand(parser, group)) return false;
    } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
    if (!cake_parser_expect(stream, CAKE_TOK_RPAREN)) return false;
  }
  if (!parse_results(parser, &n_results, group)) return false;
  if (n_results == cake_asm_group_count(parser, group)) return true;
  return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_TYPE,
                              "expects number of results: %u to be the same as number of initial values: %u", n_results,
                              cake_asm_group_count(parser, group));
}

bool scf_parallel_parse(CakeAsmParser *parser) {
  Variables variables = {0};
  bool is_fine = cake_asm_list(parser, parse_variable, &variables) && parse_bounds(parser, variables.names.len) &&
                 parse_inits(parser) &&
                 cake_asm_region(parser, 0, variables.names.data, variables.locs.data, variables.types.data,
                                 (uint32_t)variables.names.len) &&
                 cake_asm_attr_dict(parser, false);
  CAKE_VEC_FINI(&variables.names);
  CAKE_VEC_FINI(&variables.locs);
  CAKE_VEC_FINI(&variables.types);
  return is_fine;
}

static void print_operands(CakeAsmPrinter *printer, CakeOperandRange operands) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, '(');
  for (uint32_t i = 0; i < operands.count; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_asm_print_value(printer, operands.first[i].value);
  }
  cake_buf_char(out, ')');
}

static void print_results(CakeAsmPrinter *printer, const CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  if (!op->n_results) return;
  cake_buf_text(out, op->n_results > 1 ? " -> (" : " -> ");
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_printer_type(cake_asm_out(printer), op->results[i].type);
  }
  if (op->n_results > 1) cake_buf_char(out, ')');
}

void scf_parallel_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  const CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  CakeOperandRange inits = cake_op_operand_group(op, CAKE_GROUP(scf, parallel, initVals));
  cake_buf_text(out, " (");
  for (uint32_t i = 0; i < body->n_args; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_asm_print_value(printer, body->args[i]);
  }
  cake_buf_text(out, ") = ");
  print_operands(printer, cake_op_operand_group(op, CAKE_GROUP(scf, parallel, lowerBound)));
  cake_buf_text(out, " to ");
  print_operands(printer, cake_op_operand_group(op, CAKE_GROUP(scf, parallel, upperBound)));
  cake_buf_text(out, " step ");
  print_operands(printer, cake_op_operand_group(op, CAKE_GROUP(scf, parallel, step)));
  if (inits.count) {
    cake_buf_text(out, " init ");
    print_operands(printer, inits);
  }
  print_results(printer, op);
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, true);
  cake_asm_print_attr_dict(printer, op, 0, false);
}

// ---- scf.reduce ----------------------------------------------------------------------------------------------------

static bool parse_reduced(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  uint32_t group = CAKE_GROUP(scf, reduce, operands);
  if (!cake_parser_accept(stream, CAKE_TOK_LPAREN)) return true;
  do {
    if (!cake_asm_operand(parser, group)) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  if (!cake_parser_expect(stream, CAKE_TOK_COLON)) return false;
  for (uint32_t i = 0; i < cake_asm_group_count(parser, group); i++) {
    CakeType type;
    if (i && !cake_parser_expect(stream, CAKE_TOK_COMMA)) return false;
    if (!cake_parser_type(stream, &type)) return false;
    cake_asm_set_operand_type(parser, group, i, type);
  }
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

bool scf_reduce_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!parse_reduced(parser)) return false;
  uint32_t n = 0;
  if (cake_parser_token(stream) == CAKE_TOK_LBRACE) {
    do {
      if (!cake_asm_region(parser, n++, NULL, NULL, NULL, 0)) return false;
    } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  }
  return cake_asm_attr_dict(parser, false);
}

void scf_reduce_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    cake_buf_text(out, i ? ", " : "(");
    cake_asm_print_value(printer, cake_op_operand(op, i));
  }
  for (uint32_t i = 0; i < op->n_operands; i++) {
    cake_buf_text(out, i ? ", " : " : ");
    cake_printer_type(cake_asm_out(printer), cake_op_operand(op, i)->type);
  }
  if (op->n_operands) cake_buf_char(out, ')');
  for (uint32_t i = 0; i < op->n_regions; i++) {
    cake_buf_text(out, i ? ", " : " ");
    cake_asm_print_region(printer, cake_op_region(op, i), true, true);
  }
  cake_asm_print_attr_dict(printer, op, 0, false);
}

// ---- scf.execute_region --------------------------------------------------------------------------------------------

bool scf_execute_region_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  uint32_t n_results;
  if (!parse_results(parser, &n_results, UINT32_MAX)) return false;
  if (cake_parser_accept_keyword(stream, "no_inline"))
    cake_asm_set_attr(parser, CAKE_ATTR_ROW(scf, execute_region, no_inline),
                      cake_attr_unit(cake_parser_context(stream)));
  return cake_asm_region(parser, 0, NULL, NULL, NULL, 0) && cake_asm_attr_dict(parser, false);
}

void scf_execute_region_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  print_results(printer, op);
  if (cake_op_prop(op, CAKE_ATTR_ROW(scf, execute_region, no_inline))) cake_buf_text(out, " no_inline");
  cake_buf_char(out, ' ');
  cake_asm_print_region(printer, cake_op_region(op, 0), false, true);
  cake_asm_print_attr_dict(printer, op, UINT64_C(1) << CAKE_ATTR_ROW(scf, execute_region, no_inline), false);
}
