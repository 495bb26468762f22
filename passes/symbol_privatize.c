// symbol-privatize: symbols become private, but those that are named.
#include "cake/symbol.h"
#include "passes/passes.h"

static void make_private(CakePassContext *pass, CakeOp *op) {
  CakeAttr is_private = cake_attr_string(pass->context, CAKE_STR("private"));
  CakeId name = cake_op_has_trait(op, CAKE_TRAIT_SYMBOL) ? cake_symbol_name(op) : NULL;
  if (!name || cake_pass_option_lists(pass->pass, "exclude", name->text) ||
      cake_op_attr_text(op, "sym_visibility") == is_private)
    return;
  cake_rewriter_set_attr_text(&pass->rewriter, op, "sym_visibility", is_private);
  cake_pass_count(pass, "symbols made private", 1);
}

CakePassResult cake_pass_symbol_privatize(CakePassContext *pass, CakeOp *root) {
  for (uint32_t i = 0; i < root->n_regions; i++)
    for (CakeBlock *block = cake_op_region(root, i)->first; block; block = block->next)
      for (CakeOp *op = block->first; op; op = op->next)
        make_private(pass, op);
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
