// symbol-dce: erases symbols that nobody outside can see and no op refers to, directly or through other symbols that stay.
#include "cake/symbol.h"
#include "passes/passes.h"

typedef struct SymbolDce {
  CakePassContext *pass;
  CakeOp *root;
  CakeMap live;            // ops
  CAKE_VEC(CakeOp *) work; // live symbols whose insides were not looked at
  CAKE_VEC(CakeAttr) attrs;
} SymbolDce;

static void mark(SymbolDce *dce, CakeOp *op) {
  uintptr_t is_live;
  if (!op || cake_map_get(&dce->live, op, &is_live)) return;
  cake_map_set(&dce->live, op, 1);
  CAKE_PUSH(&dce->work, op);
}

// Marks what an attribute, or one inside it, refers to from `op`.
static void mark_attr(SymbolDce *dce, CakeOp *op, CakeAttr attr) {
  if (!attr) return;
  CAKE_PUSH(&dce->attrs, attr);
  while (dce->attrs.len) {
    CakeAttr next = dce->attrs.data[--dce->attrs.len];
    if (cake_attr_is(next, &cake_attr_def_symbol_ref)) {
      mark(dce, cake_symbol_lookup_name(op, cake_attr_symbol_root(next))); // the outermost one keeps what is inside
      mark(dce, cake_symbol_lookup(op, next));
    }
    for (uint32_t i = 0; i < next->count; i++)
      if (next->params[i].kind == CAKE_PARAM_ATTR && next->params[i].attr) CAKE_PUSH(&dce->attrs, next->params[i].attr);
  }
}

static void mark_references(SymbolDce *dce, CakeOp *op) {
  mark_attr(dce, op, op->attrs);
  for (uint32_t i = 0; i < op->info->n_props; i++)
    mark_attr(dce, op, cake_op_prop(op, i));
}

// Looks at everything in a live op, but not into symbols that may go, which must be reached by name.
static void mark_inside(SymbolDce *dce, CakeOp *root) {
  for (CakeOp *op = root; op;) {
    bool skip = op != root && cake_symbol_is_hidden(op, dce->root);
    if (!skip) mark_references(dce, op);
    op = cake_op_walk_next(root, op, skip);
  }
}

CakePassResult cake_pass_symbol_dce(CakePassContext *pass, CakeOp *root) {
  SymbolDce dce = {.pass = pass, .root = root};
  bool is_changed = false;
  uintptr_t is_live;
  mark(&dce, root);
  while (dce.work.len)
    mark_inside(&dce, dce.work.data[--dce.work.len]);
  for (CakeOp *op = cake_op_walk_next(root, root, false), *next; op; op = next) {
    bool is_dead = cake_symbol_is_hidden(op, root) && !cake_map_get(&dce.live, op, &is_live);
    next = cake_op_walk_next(root, op, is_dead);
    if (!is_dead) continue;
    cake_rewriter_erase(&pass->rewriter, op);
    cake_pass_count(pass, "symbols erased", 1);
    is_changed = true;
  }
  cake_map_fini(&dce.live);
  CAKE_VEC_FINI(&dce.work);
  CAKE_VEC_FINI(&dce.attrs);
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
