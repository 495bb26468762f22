// scf: the dialect's table and verification.
#include "dialects/scf/scf_ops.h"

#include "cake/text.h"
#include "dialects/scf/scf_hooks.h"

static bool attr_is_i64_array(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_dense_array) && cake_type_is_integer(attr->params[0].type, 64);
}

static const CakeAttrConstraint scf_attr_is_i64_array = {"i64 dense array attribute", attr_is_i64_array};

// What names a processor is of dialects that are not here.
static bool attr_is_mapping(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_array) && cake_attr_count(attr) == 0;
}

static const CakeAttrConstraint scf_attr_is_mapping = {"Device Mapping array attribute", attr_is_mapping};

static bool is_ranked_tensor(CakeType type) {
  return cake_type_is(type, &cake_type_def_tensor);
}

static const CakeTypeConstraint scf_is_ranked_tensor = {"ranked tensor of any type values", is_ranked_tensor};

static bool is_scf(const CakeOp *op, int ordinal) {
  return op && op->info->dialect == &cake_dialect_scf && op->info->def->ordinal == (uint32_t)ordinal;
}

// The terminator of a region's block when it is of this kind; reports otherwise.
static CakeOp *terminator_of(CakeOp *op, uint32_t region, int ordinal) {
  CakeBlock *block = cake_region_entry(cake_op_region(op, region));
  CakeOp *terminator = block ? cake_block_terminator(block) : NULL;
  if (is_scf(terminator, ordinal)) return terminator;
  cake_error(op, CAKE_CODE_IR_REGIONS, "expects region #%u to end with 'scf.%s'", region,
             cake_dialect_scf.ops[ordinal].name);
  return NULL;
}

// What a terminator hands on must fit what is taken: `what` names the taker.
static bool verify_edge(CakeOp *op, CakeOp *terminator, uint32_t first, const CakeType *taken, size_t n_taken,
                        const char *what) {
  uint32_t count = terminator->n_operands - first;
  if (count != n_taken)
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "along control flow edge from Operation %.*s to %s: region branch point has %u operands, but "
                      "region successor needs %zu inputs",
                      CAKE_STR_ARG(cake_op_name(terminator)), what, count, n_taken);
  for (uint32_t i = 0; i < count; i++) {
    CakeType handed = cake_op_operand(terminator, first + i)->type;
    if (handed == taken[i]) continue;
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "along control flow edge from Operation %.*s to %s: successor operand type #%u '%s' should match "
                      "successor input type #%u '%s'",
                      CAKE_STR_ARG(cake_op_name(terminator)), what, i, cake_type_text(handed), i,
                      cake_type_text(taken[i]));
  }
  return true;
}

typedef CAKE_VEC(CakeType) TypeVec;

static bool verify_edge_to_results(CakeOp *op, CakeOp *terminator, uint32_t first) {
  TypeVec types = {0};
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&types, op->results[i].type);
  bool is_fine = verify_edge(op, terminator, first, types.data, types.len, "parent");
  CAKE_VEC_FINI(&types);
  return is_fine;
}

static bool verify_edge_to_block(CakeOp *op, CakeOp *terminator, uint32_t first, const CakeBlock *block,
                                 const char *what) {
  TypeVec types = {0};
  for (uint32_t i = 0; i < block->n_args; i++)
    CAKE_PUSH(&types, block->args[i]->type);
  bool is_fine = verify_edge(op, terminator, first, types.data, types.len, what);
  CAKE_VEC_FINI(&types);
  return is_fine;
}

static bool verify_carried(CakeOp *op, CakeOperandRange inits, const CakeBlock *body, const CakeOp *yield) {
  if (inits.count != op->n_results)
    return cake_error(op, CAKE_CODE_IR_RESULTS,
                      "mismatch in number of loop-carried values and defined values: %u != %u", inits.count,
                      op->n_results);
  if (body->n_args != inits.count + 1)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "different number of inits and region iter_args: %u != %u", inits.count,
                      body->n_args - 1);
  if (yield->n_operands != inits.count)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "different number of region iter_args and yielded values: %u != %u",
                      inits.count, yield->n_operands);
  for (uint32_t i = 0; i < inits.count; i++) {
    CakeType init = inits.first[i].value->type, arg = body->args[i + 1]->type,
             yielded = cake_op_operand(yield, i)->type;
    if (init != arg)
      return cake_error(op, CAKE_CODE_IR_REGIONS,
                        "%u-th init and %u-th region iter_arg have different type: '%s' != '%s'", i, i,
                        cake_type_text(init), cake_type_text(arg));
    if (arg != yielded)
      return cake_error(op, CAKE_CODE_IR_REGIONS,
                        "%u-th region iter_arg and %u-th yielded value have different type: '%s' != '%s'", i, i,
                        cake_type_text(arg), cake_type_text(yielded));
    if (arg != op->results[i].type)
      return cake_error(op, CAKE_CODE_IR_RESULTS,
                        "%u-th region iter_arg and %u-th result have different type: '%s' != '%s'", i, i,
                        cake_type_text(arg), cake_type_text(op->results[i].type));
  }
  return true;
}

static bool scf_for_verify(CakeOp *op) {
  CakeType type = cake_op_operand(op, 0)->type;
  if (cake_op_operand(op, 1)->type != type || cake_op_operand(op, 2)->type != type)
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "failed to verify that all of {lowerBound, upperBound, step} have same type");
  CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  if (!body || body->n_args == 0 || body->args[0]->type != type)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "expected induction variable to be same type as bounds");
  CakeOp *yield = terminator_of(op, 0, cake_op_scf_yield);
  return yield && verify_carried(op, cake_op_operand_group(op, CAKE_GROUP(scf, for, initArgs)), body, yield);
}

// A region without arguments whose yield gives the results.
static bool verify_branch(CakeOp *op, uint32_t region) {
  if (cake_region_entry(cake_op_region(op, region))->n_args != 0)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "region #%u should have no arguments", region);
  CakeOp *yield = terminator_of(op, region, cake_op_scf_yield);
  return yield && verify_edge_to_results(op, yield, 0);
}

static bool scf_if_verify(CakeOp *op) {
  bool has_else = cake_region_entry(cake_op_region(op, 1)) != NULL;
  if (op->n_results && !has_else)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "must have an else block if defining values");
  return verify_branch(op, 0) && (!has_else || verify_branch(op, 1));
}

static bool scf_while_verify(CakeOp *op) {
  CakeBlock *before = cake_region_entry(cake_op_region(op, 0)), *after = cake_region_entry(cake_op_region(op, 1));
  if (!is_scf(cake_block_terminator(before), cake_op_scf_condition))
    return cake_error(op, CAKE_CODE_IR_REGIONS, "expects the 'before' region to terminate with 'scf.condition'");
  if (!is_scf(cake_block_terminator(after), cake_op_scf_yield))
    return cake_error(op, CAKE_CODE_IR_REGIONS, "expects the 'after' region to terminate with 'scf.yield'");
  if (before->n_args != op->n_operands)
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "along control flow edge from parent to Region #0: region branch point has %u operands, but "
                      "region successor needs %u inputs",
                      op->n_operands, before->n_args);
  for (uint32_t i = 0; i < before->n_args; i++) {
    if (before->args[i]->type == cake_op_operand(op, i)->type) continue;
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "along control flow edge from parent to Region #0: successor operand type #%u '%s' should match "
                      "successor input type #%u '%s'",
                      i, cake_type_text(cake_op_operand(op, i)->type), i, cake_type_text(before->args[i]->type));
  }
  CakeOp *condition = cake_block_terminator(before);
  return verify_edge_to_results(op, condition, 1) && verify_edge_to_block(op, condition, 1, after, "Region #1") &&
         verify_edge_to_block(op, cake_block_terminator(after), 0, before, "Region #0");
}

// The first value of an array that stands in it before.
static bool find_duplicate(CakeAttr array, int64_t *out) {
  CakeMap seen = {0};
  bool has_zero = false, is_found = false;
  for (size_t i = 0; !is_found && i < cake_attr_count(array); i++) {
    *out = cake_attr_dense_array_value(array, i);
    const void *key = (const void *)(uintptr_t)*out; // 0 is no key
    is_found = key ? cake_map_get(&seen, key, NULL) : has_zero;
    has_zero |= !key;
    if (key) cake_map_set(&seen, key, 1);
  }
  cake_map_fini(&seen);
  return is_found;
}

static bool scf_index_switch_verify(CakeOp *op) {
  CakeAttr cases = cake_op_prop(op, CAKE_ATTR_ROW(scf, index_switch, cases));
  size_t n_cases = cake_attr_count(cases);
  if (n_cases != op->n_regions - 1)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "has %u case regions but %zu case values", op->n_regions - 1, n_cases);
  int64_t twice;
  if (find_duplicate(cases, &twice))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "has duplicate case value: %lld", (long long)twice);
  for (uint32_t i = 0; i < op->n_regions; i++)
    if (!verify_branch(op, i)) return false;
  return true;
}

#define CAKE_ROWS "dialects/scf/scf.def"
#define CAKE_DIALECT scf
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

const CakeDialectDef cake_dialect_scf = {
    .name = "scf",
    .summary = "Structured control flow.",
    .ops = cake_ops_scf,
    .n_ops = CAKE_COUNT(cake_ops_scf),
};
