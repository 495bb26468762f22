// print-alias: of the values of a function or kernel that name memory, which may name the same.
#include "analysis/alias.h"
#include "analysis/effects.h"
#include "analysis/flow.h"
#include "cake/text.h"
#include "passes/passes.h"

enum { MOST_VALUES = 256 }; // of a function that are compared with one another

static bool names_memory(const CakeValue *value) {
  const CakeOp *op = cake_value_def(value);
  bool is_place = op && op->info->def && op->info->def->lies_in;
  return cake_alias_space(value->type) != CAKE_SPACE_ANY || cake_type_is(value->type, &cake_type_def_memref) ||
         cake_effect_allocates(value) || (is_place && !cake_type_is_linear(value->type));
}

static void take(CakeValueVec *values, CakeValue *value) {
  if (names_memory(value)) CAKE_PUSH(values, value);
}

static void collect(CakeOp *root, CakeValueVec *out) {
  for (CakeOp *op = root; op;) {
    bool is_other = op != root && cake_op_has_trait(op, CAKE_TRAIT_ISOLATED);
    for (uint32_t i = 0; op != root && i < op->n_results; i++)
      take(out, &op->results[i]);
    for (uint32_t r = 0; r < op->n_regions && !is_other; r++)
      for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
        for (uint32_t i = 0; i < block->n_args; i++)
          take(out, block->args[i]);
    op = cake_op_walk_next(root, op, is_other);
  }
}

static void tell(CakePassContext *pass, const CakeValue *value, const CakeValueVec *before, size_t count) {
  CakeBuf text = {0};
  cake_buf_printf(&text, "%s:", cake_value_text(value));
  for (size_t i = 0; i < count; i++)
    cake_buf_printf(&text, "%s %s %s", i ? "," : "", cake_alias_name(cake_alias(before->data[i], value)),
                    cake_value_text(before->data[i]));
  cake_pass_remark_at(pass, cake_value_loc(value), cake_buf_view(&text));
  cake_buf_fini(&text);
}

static void tell_all(CakePassContext *pass, CakeOp *root) {
  CakeValueVec values = {0};
  collect(root, &values);
  for (size_t i = 1; i < values.len && i < MOST_VALUES; i++)
    tell(pass, values.data[i], &values, i);
  if (values.len > MOST_VALUES)
    cake_pass_remark(pass, root, "only the first %d of %zu values are compared", MOST_VALUES, values.len);
  CAKE_VEC_FINI(&values);
}

CakePassResult cake_pass_print_alias(CakePassContext *pass, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    if (cake_op_has_trait(op, CAKE_TRAIT_ISOLATED)) tell_all(pass, op);
  return CAKE_PASS_UNCHANGED;
}
