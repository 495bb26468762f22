// cf.switch: verification and custom form.
//
//   cf.switch %flag : i32, [
//     default: ^bb1(%a : i32),
//     42: ^bb2
//   ]
#include "cake/constants.h"
#include "dialects/cf/cf.h"
#include "dialects/cf/cf_hooks.h"

typedef CAKE_VEC(int64_t) Numbers;

static bool parse_value(CakeAsmParser *parser, Numbers *values) {
  CakeParser *stream = cake_asm_stream(parser);
  int64_t value;
  if (cake_parser_token(stream) != CAKE_TOK_INT && cake_parser_token(stream) != CAKE_TOK_MINUS)
    return cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX, "expected integer value");
  if (!cake_parser_int(stream, &value)) return false;
  CAKE_PUSH(values, value);
  return true;
}

// Behind `default: ^block`: the cases, each with how many operands it hands on.
static bool parse_cases(CakeAsmParser *parser, Numbers *values, Numbers *segments) {
  CakeParser *stream = cake_asm_stream(parser);
  uint32_t group = CAKE_GROUP(cf, switch, caseOperands);
  while (cake_parser_accept(stream, CAKE_TOK_COMMA)) {
    uint32_t before = cake_asm_group_count(parser, group);
    if (!parse_value(parser, values) || !cake_parser_expect(stream, CAKE_TOK_COLON) || !cake_asm_target(parser, group))
      return false;
    CAKE_PUSH(segments, cake_asm_group_count(parser, group) - before);
  }
  return cake_parser_expect(stream, CAKE_TOK_RSQUARE);
}

static CakeAttr values_attr(CakeType flag, const Numbers *values) {
  int64_t count[] = {(int64_t)values->len};
  CAKE_VEC(CakeAttr) attrs = {0};
  for (size_t i = 0; i < values->len; i++)
    CAKE_PUSH(&attrs, cake_attr_integer(flag, values->data[i]));
  CakeAttr attr = cake_attr_dense_of(cake_type_vector(flag->context, count, 1, flag, NULL), attrs.data, attrs.len);
  CAKE_VEC_FINI(&attrs);
  return attr;
}

static bool parse_flag(CakeAsmParser *parser, CakeType *out) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_asm_operand(parser, CAKE_GROUP(cf, switch, flag)) || !cake_parser_expect(stream, CAKE_TOK_COLON))
    return false;
  CakeLoc loc = cake_parser_loc(stream);
  if (!cake_parser_type(stream, out)) return false;
  if (!cake_type_is_integer(*out, 0) || cake_type_width(*out) > 64 || cake_type_width(*out) == 0)
    return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_TYPE,
                                "the flag must be an integer of 1 to 64 bits, not '%s'", cake_type_text(*out));
  cake_asm_set_operand_type(parser, CAKE_GROUP(cf, switch, flag), 0, *out);
  return true;
}

static bool parse_switch(CakeAsmParser *parser, Numbers *values, Numbers *segments) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeType flag;
  if (!parse_flag(parser, &flag) || !cake_parser_expect(stream, CAKE_TOK_COMMA) ||
      !cake_parser_expect(stream, CAKE_TOK_LSQUARE))
    return false;
  if (!cake_parser_accept_keyword(stream, "default"))
    return cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX, "expected 'default'");
  if (!cake_parser_expect(stream, CAKE_TOK_COLON) ||
      !cake_asm_target(parser, CAKE_GROUP(cf, switch, defaultOperands)) || !parse_cases(parser, values, segments))
    return false;
  if (values->len) cake_asm_set_attr(parser, CAKE_ATTR_ROW(cf, switch, case_values), values_attr(flag, values));
  cake_asm_set_attr(parser, CAKE_ATTR_ROW(cf, switch, case_operand_segments),
                    cake_attr_dense_array(cake_type_i32(cake_parser_context(stream)), segments->data, segments->len));
  return cake_asm_attr_dict(parser, false);
}

bool cf_switch_parse(CakeAsmParser *parser) {
  Numbers values = {0}, segments = {0};
  bool is_fine = parse_switch(parser, &values, &segments);
  CAKE_VEC_FINI(&values);
  CAKE_VEC_FINI(&segments);
  return is_fine;
}

// ---- Reading it ----------------------------------------------------------------------------------------------------

static uint32_t n_cases(const CakeOp *op) {
  CakeAttr values = cake_op_prop(op, CAKE_ATTR_ROW(cf, switch, case_values));
  return values ? (uint32_t)cake_type_count(cake_attr_value_type(values)) : 0;
}

static int64_t case_value(const CakeOp *op, uint32_t index) {
  CakeAttr values = cake_op_prop(op, CAKE_ATTR_ROW(cf, switch, case_values));
  CakeType flag = cake_type_element(cake_attr_value_type(values));
  CakeStr bytes = cake_attr_string_value(values);
  size_t size = (cake_type_width(flag) + 7) / 8, at = cake_attr_is_splat(values) ? 0 : index * size;
  uint64_t word = 0;
  for (size_t i = 0; i < size && at + i < bytes.len; i++)
    word |= (uint64_t)(uint8_t)bytes.ptr[at + i] << (8 * i);
  return cake_attr_int_value(cake_attr_integer(flag, (int64_t)word));
}

// The operands of case `index`.
static CakeOperandRange case_operands(const CakeOp *op, uint32_t index) {
  CakeOperandRange all = cake_op_operand_group(op, CAKE_GROUP(cf, switch, caseOperands));
  CakeAttr segments = cake_op_prop(op, CAKE_ATTR_ROW(cf, switch, case_operand_segments));
  uint32_t before = (uint32_t)cake_attr_dense_array_sum(segments, index);
  all.first += before;
  all.start += before;
  all.count = (uint32_t)cake_attr_dense_array_value(segments, index);
  return all;
}

CakeOperandRange cf_switch_successor_operands(const CakeOp *op, uint32_t index) {
  return index ? case_operands(op, index - 1) : cake_op_operand_group(op, CAKE_GROUP(cf, switch, defaultOperands));
}

int cf_switch_chosen(const CakeOp *op, const CakeAttr *operands) {
  if (!operands[0]) return -1;
  int64_t flag = cake_attr_int_value(operands[0]);
  for (uint32_t i = 0; i < n_cases(op); i++)
    if (case_value(op, i) == flag) return (int)i + 1;
  return 0;
}

static bool verify_segments(CakeOp *op) {
  CakeAttr segments = cake_op_prop(op, CAKE_ATTR_ROW(cf, switch, case_operand_segments));
  uint32_t n_operands = cake_op_operand_group(op, CAKE_GROUP(cf, switch, caseOperands)).count;
  int64_t total = 0;
  for (size_t i = 0; i < cake_attr_count(segments); i++) {
    int64_t count = cake_attr_dense_array_value(segments, i);
    if (count < 0) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'case_operand_segments' must not be negative");
    total += count;
  }
  if (total == n_operands) return true;
  return cake_error(op, CAKE_CODE_IR_ATTRIBUTES,
                    "'case_operand_segments' add up to %lld, but there are %u case operands", (long long)total,
                    n_operands);
}

bool cf_switch_verify(CakeOp *op) {
  CakeType flag = cake_op_operand(op, 0)->type;
  CakeAttr values = cake_op_prop(op, CAKE_ATTR_ROW(cf, switch, case_values));
  uint32_t count = n_cases(op);
  if (values && cake_type_element(cake_attr_value_type(values)) != flag)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'flag' type ('%s') should match case value type ('%s')",
                      cake_type_text(flag), cake_type_text(cake_type_element(cake_attr_value_type(values))));
  if (op->n_successors != count + 1)
    return cake_error(op, CAKE_CODE_IR_SUCCESSORS,
                      "number of case values (%u) should match number of case destinations (%u)", count,
                      op->n_successors ? op->n_successors - 1 : 0);
  if (cake_attr_count(cake_op_prop(op, CAKE_ATTR_ROW(cf, switch, case_operand_segments))) != count)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'case_operand_segments' must have a number for each case");
  if (!verify_segments(op)) return false;
  for (uint32_t i = 0; i <= count; i++)
    if (!cf_verify_successor(op, i, cf_switch_successor_operands(op, i))) return false;
  return true;
}

void cf_switch_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, ' ');
  cake_asm_print_value(printer, cake_op_operand(op, 0));
  cake_buf_text(out, " : ");
  cake_printer_type(cake_asm_out(printer), cake_op_operand(op, 0)->type);
  cake_buf_text(out, ", [");
  cake_asm_newline(printer);
  cake_buf_text(out, "  default: ");
  cake_asm_print_target(printer, cake_op_successor(op, 0),
                        cake_op_operand_group(op, CAKE_GROUP(cf, switch, defaultOperands)));
  for (uint32_t i = 0; i < n_cases(op) && i + 1 < op->n_successors; i++) {
    cake_buf_char(out, ',');
    cake_asm_newline(printer);
    cake_buf_printf(out, "  %lld: ", (long long)case_value(op, i));
    cake_asm_print_target(printer, cake_op_successor(op, i + 1), case_operands(op, i));
  }
  cake_asm_newline(printer);
  cake_buf_char(out, ']');
  uint64_t printed = UINT64_C(1) << CAKE_ATTR_ROW(cf, switch, case_values) |
                     UINT64_C(1) << CAKE_ATTR_ROW(cf, switch, case_operand_segments);
  cake_asm_print_attr_dict(printer, op, printed, false);
}

// ---- Simpler ones --------------------------------------------------------------------------------------------------

typedef CAKE_VEC(CakeValue *) ValueVec;

static void add_operands(ValueVec *out, CakeOperandRange range) {
  for (uint32_t i = 0; i < range.count; i++)
    CAKE_PUSH(out, range.first[i].value);
}

static void become_branch(CakeOp *op, CakeRewriter *rewriter, uint32_t successor) {
  ValueVec values = {0};
  CakeBlock *block = cake_op_successor(op, successor);
  add_operands(&values, cf_switch_successor_operands(op, successor));
  cake_rewriter_build(
      rewriter,
      &(CakeBuild){
          .name = "cf.br", .operands = values.data, .n_operands = values.len, .successors = &block, .n_successors = 1});
  cake_rewriter_erase(rewriter, op);
  CAKE_VEC_FINI(&values);
}

static bool is_like_default(const CakeOp *op, uint32_t index) {
  CakeOperandRange mine = case_operands(op, index), others = cf_switch_successor_operands(op, 0);
  if (cake_op_successor(op, index + 1) != cake_op_successor(op, 0) || mine.count != others.count) return false;
  for (uint32_t i = 0; i < mine.count; i++)
    if (mine.first[i].value != others.first[i].value) return false;
  return true;
}

// The switch with these cases alone; there is one at least.
static void keep_cases(CakeOp *op, CakeRewriter *rewriter, const uint32_t *cases, size_t count) {
  CakeContext *context = op->context;
  ValueVec operands = {0};
  Numbers values = {0}, sizes = {0};
  CAKE_VEC(CakeBlock *) blocks = {0};
  CakeOperandRange others = cf_switch_successor_operands(op, 0);
  CAKE_PUSH(&operands, cake_op_operand(op, 0));
  add_operands(&operands, others);
  CAKE_PUSH(&blocks, cake_op_successor(op, 0));
  for (size_t i = 0; i < count; i++) {
    CakeOperandRange range = case_operands(op, cases[i]);
    add_operands(&operands, range);
    CAKE_PUSH(&sizes, (int64_t)range.count);
    CAKE_PUSH(&values, case_value(op, cases[i]));
    CAKE_PUSH(&blocks, cake_op_successor(op, cases[i] + 1));
  }
  CakeNamedAttr attrs[] = {
      {cake_id_text(context, "case_values"),           values_attr(cake_op_operand(op, 0)->type,   &values)  },
      {cake_id_text(context, "case_operand_segments"),
       cake_attr_dense_array(cake_type_i32(context),                                   sizes.data, sizes.len)},
  };
  int32_t segments[] = {1, (int32_t)others.count, (int32_t)(operands.len - 1 - others.count)};
  CakeOp *made = cake_rewriter_build(rewriter, &(CakeBuild){.name = "cf.switch",
                                                            .operands = operands.data,
                                                            .n_operands = operands.len,
                                                            .attrs = attrs,
                                                            .n_attrs = CAKE_COUNT(attrs),
                                                            .segments = segments,
                                                            .n_segments = CAKE_COUNT(segments),
                                                            .successors = blocks.data,
                                                            .n_successors = blocks.len});
  for (size_t i = 0; op->attrs && i < cake_attr_count(op->attrs); i++)
    cake_rewriter_set_attr(rewriter, made, cake_attr_entry(op->attrs, i).name, cake_attr_entry(op->attrs, i).value);
  cake_rewriter_erase(rewriter, op);
  CAKE_VEC_FINI(&operands);
  CAKE_VEC_FINI(&values);
  CAKE_VEC_FINI(&sizes);
  CAKE_VEC_FINI(&blocks);
}

bool cf_switch_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeAttr flag = cake_value_constant(cake_op_operand(op, 0));
  if (cake_attr_is(flag, &cake_attr_def_integer)) {
    become_branch(op, rewriter, (uint32_t)cf_switch_chosen(op, &flag));
    return true;
  }
  CAKE_VEC(uint32_t) kept = {0};
  for (uint32_t i = 0; i < n_cases(op); i++)
    if (!is_like_default(op, i)) CAKE_PUSH(&kept, i);
  bool is_changed = !kept.len || kept.len < n_cases(op);
  if (!kept.len)
    become_branch(op, rewriter, 0);
  else if (is_changed)
    keep_cases(op, rewriter, kept.data, kept.len);
  CAKE_VEC_FINI(&kept);
  return is_changed;
}
