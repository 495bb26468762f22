// symbol-privatize: symbols become private, but those that are named.
#include "cake/symbol.h"
#include "passes/passes.h"

static bool is_listed(CakeStr list, CakeStr name) {
  while (list.len) {
    size_t end = 0;
    while (end < list.len && list.ptr[end] != ',')
      end++;
    if (cake_str_equal((CakeStr){list.ptr, end}, name)) return true;
    size_t next = end < list.len ? end + 1 : end;
    list = (CakeStr){list.ptr + next, list.len - next};
  }
  return false;
}

static void make_private(CakePassContext *pass, CakeOp *op, CakeStr exclude) {
  CakeAttr is_private = cake_attr_string(pass->context, CAKE_STR("private"));
  if (!cake_op_has_trait(op, CAKE_TRAIT_SYMBOL) || !cake_symbol_name(op) ||
      is_listed(exclude, cake_id_str(cake_symbol_name(op))) || cake_op_attr_text(op, "sym_visibility") == is_private)
    return;
  cake_rewriter_set_attr_text(&pass->rewriter, op, "sym_visibility", is_private);
  cake_pass_count(pass, "symbols made private", 1);
}

CakePassResult cake_pass_symbol_privatize(CakePassContext *pass, CakeOp *root) {
  CakeStr exclude = cake_pass_option_str(pass->pass, "exclude");
  for (uint32_t i = 0; i < root->n_regions; i++)
    for (CakeBlock *block = cake_op_region(root, i)->first; block; block = block->next)
      for (CakeOp *op = block->first; op; op = op->next)
        make_private(pass, op, exclude);
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
