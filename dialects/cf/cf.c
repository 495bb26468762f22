// cf: the dialect's table and verification.
#include "dialects/cf/cf.h"

#include "cake/text.h"
#include "dialects/cf/cf_hooks.h"

bool cf_verify_successor(CakeOp *op, uint32_t successor, CakeOperandRange operands) {
  CakeBlock *block = cake_op_successor(op, successor);
  if (operands.count != block->n_args)
    return cake_error(op, CAKE_CODE_IR_SUCCESSORS, "branch has %u operands for successor #%u, but target block has %u",
                      operands.count, successor, block->n_args);
  for (uint32_t i = 0; i < operands.count; i++) {
    if (operands.first[i].value->type == block->args[i]->type) continue;
    return cake_error(op, CAKE_CODE_IR_SUCCESSORS,
                      "type mismatch for bb argument #%u of successor #%u: '%s' is handed, '%s' is taken", i, successor,
                      cake_type_text(operands.first[i].value->type), cake_type_text(block->args[i]->type));
  }
  return true;
}

CakeOperandRange cf_br_successor_operands(const CakeOp *op, uint32_t index) {
  (void)index;
  return cake_op_operand_group(op, CAKE_GROUP(cf, br, destOperands));
}

CakeOperandRange cf_cond_br_successor_operands(const CakeOp *op, uint32_t index) {
  uint32_t group = index ? CAKE_GROUP(cf, cond_br, falseDestOperands) : CAKE_GROUP(cf, cond_br, trueDestOperands);
  return cake_op_operand_group(op, group);
}

int cf_cond_br_chosen(const CakeOp *op, const CakeAttr *operands) {
  (void)op;
  if (!operands[0]) return -1;
  return cake_attr_int_value(operands[0]) ? 0 : 1;
}

static bool cf_br_verify(CakeOp *op) {
  return cf_verify_successor(op, 0, cf_br_successor_operands(op, 0));
}

static bool cf_cond_br_verify(CakeOp *op) {
  CakeAttr weights = cake_op_prop(op, CAKE_ATTR_ROW(cf, cond_br, branch_weights));
  if (weights && cake_attr_count(weights) != 2)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES,
                      "expects number of branch weights to match number of successors: %zu vs 2",
                      cake_attr_count(weights));
  if (weights && !cake_attr_dense_array_value(weights, 0) && !cake_attr_dense_array_value(weights, 1))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "branch weights cannot all be zero");
  return cf_verify_successor(op, 0, cf_cond_br_successor_operands(op, 0)) &&
         cf_verify_successor(op, 1, cf_cond_br_successor_operands(op, 1));
}

static bool attr_is_elements(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_dense_elements);
}

static const CakeAttrConstraint cf_attr_is_elements = {"integer elements attribute", attr_is_elements};

#define CAKE_ROWS "dialects/cf/cf.def"
#define CAKE_DIALECT cf
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

static const CakeAsmDirective cf_directives[] = {
    {"weights", cf_parse_weights, cf_print_weights, cf_has_weights, NULL},
};

const CakeDialectDef cake_dialect_cf = {
    .name = "cf",
    .summary = "Branches between blocks.",
    .ops = cake_ops_cf,
    .n_ops = CAKE_COUNT(cake_ops_cf),
    .directives = cf_directives,
    .n_directives = CAKE_COUNT(cf_directives),
};
