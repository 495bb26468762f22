// convert-scf-to-cf: structured control flow becomes blocks and branches.
//
// The outermost ops go first, and of those in one block the last, so that little is moved when a block is cut in two behind
// an op. Its regions move between the halves, and their ends become branches: nothing is copied, and what is in them is
// converted where it stands then.
#include "analysis/flow.h"
#include "dialects/arith/arith.h"
#include "dialects/cf/cf.h"
#include "dialects/scf/scf_ops.h"
#include "passes/passes.h"

typedef struct Lowering {
  CakePassContext *pass;
  CakeRewriter *rewriter;
  CAKE_VEC(CakeOp *) ops; // to be converted: the last one first, which is around, or behind, those before it
} Lowering;

typedef struct Target {
  CakeBlock *block;
  CakeOperandRange values;
} Target;

static bool is_scf(const CakeOp *op, int ordinal) {
  return op->info->def && op->info->def->dialect == &cake_dialect_scf && op->info->def->ordinal == (uint32_t)ordinal;
}

static CakeBlock *entry_of(const CakeOp *op, uint32_t region) {
  return cake_region_entry(cake_op_region(op, region));
}

static CakeOperandRange operands_from(const CakeOp *op, uint32_t first) {
  return (CakeOperandRange){op->operands + first, op->n_operands - first, first};
}

// ---- Branches ------------------------------------------------------------------------------------------------------

static void add_values(CakeValueVec *out, CakeOperandRange values) {
  for (uint32_t i = 0; i < values.count; i++)
    CAKE_PUSH(out, values.first[i].value);
}

static CakeOp *branch(Lowering *lowering, CakeBlock *block, const CakeValueVec *values) {
  return cake_rewriter_build(lowering->rewriter, &(CakeBuild){.name = "cf.br",
                                                              .operands = values->data,
                                                              .n_operands = values->len,
                                                              .successors = &block,
                                                              .n_successors = 1});
}

// A branch in the place of a terminator, with its values.
static CakeOp *end_with_branch(Lowering *lowering, CakeOp *end, CakeBlock *block) {
  CakeValueVec values = {0};
  add_values(&values, operands_from(end, 0));
  cake_rewriter_set_before(lowering->rewriter, end);
  CakeOp *made = branch(lowering, block, &values);
  cake_rewriter_erase(lowering->rewriter, end);
  CAKE_VEC_FINI(&values);
  return made;
}

static CakeOp *branch_if(Lowering *lowering, CakeValue *condition, Target yes, Target no) {
  CakeValueVec values = {0};
  CAKE_PUSH(&values, condition);
  add_values(&values, yes.values);
  add_values(&values, no.values);
  CakeBlock *blocks[] = {yes.block, no.block};
  int32_t segments[] = {1, (int32_t)yes.values.count, (int32_t)no.values.count};
  CakeOp *made = cake_rewriter_build(lowering->rewriter, &(CakeBuild){.name = "cf.cond_br",
                                                                      .operands = values.data,
                                                                      .n_operands = values.len,
                                                                      .segments = segments,
                                                                      .n_segments = CAKE_COUNT(segments),
                                                                      .successors = blocks,
                                                                      .n_successors = CAKE_COUNT(blocks)});
  CAKE_VEC_FINI(&values);
  return made;
}

// What stands behind the op, as a block; its arguments take the place of the op's results when `has_args`.
static CakeBlock *split_behind(Lowering *lowering, CakeOp *op, bool has_args) {
  CakeBlock *rest = cake_rewriter_split_block(lowering->rewriter, op->next);
  for (uint32_t i = 0; has_args && i < op->n_results; i++) {
    CakeValue *arg = cake_rewriter_add_arg(lowering->rewriter, rest, op->results[i].type, op->loc);
    cake_rewriter_replace_uses(lowering->rewriter, &op->results[i], arg);
  }
  return rest;
}

// Moves the blocks of a region in front of `rest`; its ends, which have no successors, hand their values to `target`.
static void move_region(Lowering *lowering, CakeRegion *region, CakeBlock *rest, CakeBlock *target) {
  for (CakeBlock *block = region->first; block; block = block->next)
    if (!block->last->n_successors) end_with_branch(lowering, block->last, target);
  cake_rewriter_take_region_before(lowering->rewriter, rest->region, rest, region);
}

// ---- Loops ---------------------------------------------------------------------------------------------------------

// Attributes of LLVM's dialect are about the branch that goes back.
static void keep_llvm_attrs(Lowering *lowering, const CakeOp *loop, CakeOp *made) {
  for (size_t i = 0; loop->attrs && i < cake_attr_count(loop->attrs); i++) {
    CakeNamedAttr attr = cake_attr_entry(loop->attrs, i);
    if (cake_str_starts_with(cake_id_str(attr.name), "llvm."))
      cake_rewriter_set_attr(lowering->rewriter, made, attr.name, attr.value);
  }
}

// Whether the counter has not reached the end, at the end of the block of the test.
static CakeValue *test_counter(Lowering *lowering, const CakeOp *loop, CakeValue *counter) {
  CakeRewriter *rewriter = lowering->rewriter;
  CakeContext *context = rewriter->context;
  bool is_unsigned = cake_op_prop(loop, CAKE_ATTR_ROW(scf, for, unsignedCmp)) != NULL;
  CakeNamedAttr predicate = {cake_id_text(context, "predicate"),
                             cake_attr_i64(context, is_unsigned ? CAKE_CMPI_ULT : CAKE_CMPI_SLT)};
  CakeValue *compared[] = {counter, cake_op_operand(loop, 1)};
  CakeType bit = cake_type_i1(context);
  CakeOp *made = cake_rewriter_build(rewriter, &(CakeBuild){.name = "arith.cmpi",
                                                            .operands = compared,
                                                            .n_operands = CAKE_COUNT(compared),
                                                            .result_types = &bit,
                                                            .n_results = 1,
                                                            .attrs = &predicate,
                                                            .n_attrs = 1});
  return &made->results[0];
}

// A branch to the test with that counter, and the carried values.
static CakeOp *branch_to_test(Lowering *lowering, CakeBlock *test, CakeValue *counter, CakeOperandRange carried) {
  CakeValueVec values = {0};
  CAKE_PUSH(&values, counter);
  add_values(&values, carried);
  CakeOp *made = branch(lowering, test, &values);
  CAKE_VEC_FINI(&values);
  return made;
}

// The block of the test gets the counter and the carried values; the body follows in a block of its own.
static void convert_for(Lowering *lowering, CakeOp *op) {
  CakeRewriter *rewriter = lowering->rewriter;
  CakeBlock *test = entry_of(op, 0), *rest = split_behind(lowering, op, false);
  CakeBlock *body = cake_rewriter_split_block(rewriter, test->first);
  CakeOp *yield = body->last;
  CakeValue *counter = test->args[0], *step = cake_op_operand(op, 2);
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_rewriter_replace_uses(rewriter, &op->results[i], test->args[1 + i]);
  cake_rewriter_take_region_before(rewriter, rest->region, rest, cake_op_region(op, 0));
  cake_rewriter_set_before(rewriter, op);
  branch_to_test(lowering, test, cake_op_operand(op, 0), operands_from(op, 3));
  cake_rewriter_set_end(rewriter, test);
  CakeValue *goes_on = test_counter(lowering, op, counter);
  branch_if(lowering, goes_on, (Target){.block = body}, (Target){.block = rest});
  cake_rewriter_set_before(rewriter, yield);
  CakeValue *next = cake_build_binary(rewriter, "arith.addi", counter, step);
  keep_llvm_attrs(lowering, op, branch_to_test(lowering, test, next, operands_from(yield, 0)));
  cake_rewriter_erase(rewriter, yield);
  cake_rewriter_erase(rewriter, op);
}

// Whether the second region does nothing but hand its values on.
static bool only_hands_on(const CakeBlock *body) {
  const CakeOp *yield = body->first;
  if (yield != body->last || yield->n_operands != body->n_args) return false;
  for (uint32_t i = 0; i < body->n_args; i++)
    if (cake_op_operand(yield, i) != body->args[i]) return false;
  return true;
}

static void convert_while(Lowering *lowering, CakeOp *op) {
  CakeRewriter *rewriter = lowering->rewriter;
  CakeBlock *before = entry_of(op, 0), *after = entry_of(op, 1), *rest = split_behind(lowering, op, false);
  CakeOp *condition = before->last;
  bool has_body = !only_hands_on(after);
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_rewriter_replace_uses(rewriter, &op->results[i], cake_op_operand(condition, 1 + i));
  CakeValueVec values = {0};
  add_values(&values, operands_from(op, 0));
  cake_rewriter_set_before(rewriter, op);
  branch(lowering, before, &values);
  cake_rewriter_take_region_before(rewriter, rest->region, rest, cake_op_region(op, 0));
  if (has_body) move_region(lowering, cake_op_region(op, 1), rest, before);
  cake_rewriter_set_before(rewriter, condition);
  Target round = {has_body ? after : before, operands_from(condition, 1)};
  CakeOp *made = branch_if(lowering, cake_op_operand(condition, 0), round, (Target){.block = rest});
  keep_llvm_attrs(lowering, op, has_body ? after->last : made);
  cake_rewriter_erase(rewriter, condition);
  cake_rewriter_erase(rewriter, op);
  CAKE_VEC_FINI(&values);
}

// ---- Parallel loops ------------------------------------------------------------------------------------------------

// A nest of scf.for while it is made: the counters so far, and what the innermost loop carries.
typedef struct Nest {
  CakeOp *outer, *yield; // the innermost end
  CakeValueVec counters, carried;
} Nest;

// A loop at the insertion point, which goes to the start of its body, in front of a yield of what the body gets.
static CakeOp *add_loop(Lowering *lowering, CakeOp *parallel, uint32_t dimension, Nest *nest) {
  CakeRewriter *rewriter = lowering->rewriter;
  CakeValueVec operands = {0};
  CAKE_VEC(CakeType) types = {0};
  for (uint32_t group = 0; group < 3; group++)
    CAKE_PUSH(&operands, cake_op_operand_group(parallel, group).first[dimension].value);
  CAKE_PUSH(&types, cake_type_index(parallel->context));
  for (uint32_t i = 0; i < parallel->n_results; i++) {
    CAKE_PUSH(&operands, nest->carried.data[i]);
    CAKE_PUSH(&types, parallel->results[i].type);
  }
  CakeOp *loop = cake_rewriter_build(rewriter, &(CakeBuild){.name = "scf.for",
                                                            .operands = operands.data,
                                                            .n_operands = operands.len,
                                                            .result_types = types.data + 1,
                                                            .n_results = parallel->n_results,
                                                            .n_regions = 1});
  CakeBlock *body = cake_rewriter_add_block(rewriter, cake_op_region(loop, 0), types.data, types.len, parallel->loc);
  CAKE_PUSH(&nest->counters, body->args[0]);
  for (uint32_t i = 0; i < parallel->n_results; i++)
    nest->carried.data[i] = body->args[1 + i];
  cake_rewriter_set_end(rewriter, body);
  nest->yield = cake_rewriter_build(
      rewriter, &(CakeBuild){.name = "scf.yield", .operands = nest->carried.data, .n_operands = nest->carried.len});
  cake_rewriter_set_before(rewriter, nest->yield);
  CAKE_VEC_FINI(&operands);
  CAKE_VEC_FINI(&types);
  return loop;
}

// Loops in one another; those inside are what the ones around them yield.
static void make_nest(Lowering *lowering, CakeOp *parallel, Nest *nest) {
  uint32_t n_loops = cake_op_operand_group(parallel, 0).count;
  size_t first = lowering->ops.len;
  for (uint32_t i = 0; i < n_loops; i++)
    CAKE_PUSH(&lowering->ops, NULL);
  add_values(&nest->carried, cake_op_operand_group(parallel, 3));
  cake_rewriter_set_before(lowering->rewriter, parallel);
  for (uint32_t i = 0; i < n_loops; i++) {
    CakeOp *around = nest->yield, *loop = add_loop(lowering, parallel, i, nest);
    for (uint32_t k = 0; around && k < loop->n_results; k++)
      cake_rewriter_set_operand(lowering->rewriter, around, k, &loop->results[k]);
    if (!i) nest->outer = loop;
    lowering->ops.data[first + n_loops - 1 - i] = loop; // the outermost last
  }
}

// A round's values are combined with what the loop carries, which it yields then.
static void reduce_in_order(Lowering *lowering, CakeOp *reduce, const Nest *nest) {
  for (uint32_t i = 0; i < reduce->n_regions; i++) {
    CakeBlock *combine = entry_of(reduce, i);
    CakeOp *end = combine->last;
    CakeValue *both[] = {nest->carried.data[i], cake_op_operand(reduce, i)};
    cake_rewriter_inline_block(lowering->rewriter, combine, reduce, both, CAKE_COUNT(both));
    cake_rewriter_set_operand(lowering->rewriter, nest->yield, i, cake_op_operand(end, 0));
    cake_rewriter_erase(lowering->rewriter, end);
  }
  cake_rewriter_erase(lowering->rewriter, reduce);
}

// The loops are converted in turn.
static void convert_parallel(Lowering *lowering, CakeOp *op) {
  Nest nest = {0};
  CakeBlock *body = entry_of(op, 0);
  CakeOp *reduce = body->last;
  make_nest(lowering, op, &nest);
  cake_rewriter_inline_block(lowering->rewriter, body, nest.yield, nest.counters.data, nest.counters.len);
  reduce_in_order(lowering, reduce, &nest);
  nest.carried.len = 0;
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&nest.carried, &nest.outer->results[i]);
  cake_rewriter_replace(lowering->rewriter, op, nest.carried.data);
  CAKE_VEC_FINI(&nest.counters);
  CAKE_VEC_FINI(&nest.carried);
}

// ---- Ways ----------------------------------------------------------------------------------------------------------

static void convert_if(Lowering *lowering, CakeOp *op) {
  CakeBlock *then_block = entry_of(op, 0), *else_block = entry_of(op, 1), *rest = split_behind(lowering, op, true);
  cake_rewriter_set_before(lowering->rewriter, op);
  branch_if(lowering, cake_op_operand(op, 0), (Target){.block = then_block},
            (Target){.block = else_block ? else_block : rest});
  move_region(lowering, cake_op_region(op, 0), rest, rest);
  move_region(lowering, cake_op_region(op, 1), rest, rest);
  cake_rewriter_erase(lowering->rewriter, op);
}

static void convert_execute_region(Lowering *lowering, CakeOp *op) {
  CakeValueVec none = {0};
  CakeBlock *entry = entry_of(op, 0), *rest = split_behind(lowering, op, true);
  cake_rewriter_set_before(lowering->rewriter, op);
  branch(lowering, entry ? entry : rest, &none);
  move_region(lowering, cake_op_region(op, 0), rest, rest);
  cake_rewriter_erase(lowering->rewriter, op);
}

// The cases as numbers of 32 bits, or of 64 where one does not fit.
static CakeAttr case_values(const CakeOp *op, CakeType *out_type) {
  CakeAttr cases = cake_op_prop(op, CAKE_ATTR_ROW(scf, index_switch, cases));
  int64_t count = (int64_t)cake_attr_count(cases);
  *out_type = cake_type_i32(op->context);
  for (int64_t i = 0; i < count; i++)
    if (cake_attr_dense_array_value(cases, (size_t)i) != (int32_t)cake_attr_dense_array_value(cases, (size_t)i))
      *out_type = cake_type_i64(op->context);
  CAKE_VEC(CakeAttr) values = {0};
  for (int64_t i = 0; i < count; i++)
    CAKE_PUSH(&values, cake_attr_integer(*out_type, cake_attr_dense_array_value(cases, (size_t)i)));
  CakeAttr dense =
      count ? cake_attr_dense_of(cake_type_vector(op->context, &count, 1, *out_type, NULL), values.data, values.len)
            : NULL;
  CAKE_VEC_FINI(&values);
  return dense;
}

static void convert_index_switch(Lowering *lowering, CakeOp *op) {
  CakeRewriter *rewriter = lowering->rewriter;
  CakeContext *context = op->context;
  CakeBlock *rest = split_behind(lowering, op, true);
  CakeType type;
  CakeAttr cases = case_values(op, &type);
  CAKE_VEC(CakeBlock *) blocks = {0};
  CAKE_VEC(int64_t) none = {0};
  for (uint32_t i = 0; i < op->n_regions; i++) {
    CAKE_PUSH(&blocks, entry_of(op, i));
    CAKE_PUSH(&none, 0);
  }
  CakeNamedAttr attrs[] = {
      {cake_id_text(context, "case_operand_segments"),
       cake_attr_dense_array(cake_type_i32(context), none.data, none.len - 1)},
      {cake_id_text(context, "case_values"), cases},
  };
  cake_rewriter_set_before(rewriter, op);
  CakeValue *flag = cake_build_unary(rewriter, "arith.index_cast", type, cake_op_operand(op, 0));
  int32_t segments[] = {1, 0, 0};
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "cf.switch",
                                             .operands = &flag,
                                             .n_operands = 1,
                                             .segments = segments,
                                             .n_segments = CAKE_COUNT(segments),
                                             .attrs = attrs,
                                             .n_attrs = cases ? 2 : 1,
                                             .successors = blocks.data,
                                             .n_successors = blocks.len});
  for (uint32_t i = 1; i < op->n_regions; i++)
    move_region(lowering, cake_op_region(op, i), rest, rest);
  move_region(lowering, cake_op_region(op, 0), rest, rest);
  cake_rewriter_erase(rewriter, op);
  CAKE_VEC_FINI(&blocks);
  CAKE_VEC_FINI(&none);
}

// ---- The whole -----------------------------------------------------------------------------------------------------

static const struct {
  int ordinal;
  void (*convert)(Lowering *lowering, CakeOp *op);
} conversions[] = {
    {cake_op_scf_for,            convert_for           },
    {cake_op_scf_while,          convert_while         },
    {cake_op_scf_parallel,       convert_parallel      },
    {cake_op_scf_if,             convert_if            },
    {cake_op_scf_execute_region, convert_execute_region},
    {cake_op_scf_index_switch,   convert_index_switch  },
};

static size_t find(const CakeOp *op) {
  size_t i = 0;
  while (i < CAKE_COUNT(conversions) && !is_scf(op, conversions[i].ordinal))
    i++;
  return i;
}

static CakeWalkResult collect(void *user, CakeOp *op) {
  Lowering *lowering = user;
  if (op->block && find(op) < CAKE_COUNT(conversions)) CAKE_PUSH(&lowering->ops, op);
  return CAKE_WALK_ADVANCE;
}

static bool check(CakeOp *op) {
  if (op->next && cake_flow_may_have_blocks(op)) return true;
  return cake_error(op, CAKE_CODE_PASS_FAILED, "stands where there is room for one block only, in '%s'",
                    cake_op_parent(op)->info->name->text);
}

CakePassResult cake_pass_convert_scf_to_cf(CakePassContext *pass, CakeOp *root) {
  Lowering lowering = {.pass = pass, .rewriter = &pass->rewriter};
  bool is_fine = true;
  cake_op_walk(root, CAKE_WALK_POST, collect, &lowering);
  while (is_fine && lowering.ops.len) {
    CakeOp *op = lowering.ops.data[--lowering.ops.len];
    is_fine = check(op);
    if (is_fine) conversions[find(op)].convert(&lowering, op);
  }
  CAKE_VEC_FINI(&lowering.ops);
  if (!is_fine) return CAKE_PASS_FAILED;
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
