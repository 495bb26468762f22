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

static bool is_symbol(const CakeOp *op) {
  return cake_op_has_trait(op, CAKE_TRAIT_SYMBOL) && cake_symbol_name(op);
}

static bool has_visibility(const CakeOp *op, const char *visibility) {
  return cake_str_is(cake_attr_string_value(cake_op_attr_text(op, "sym_visibility")), visibility);
}

// Whether no one outside of the root can name what is in a table: there is nobody, or a table around has no name or a private one.
static bool is_hidden(const SymbolDce *dce, const CakeOp *table) {
  for (; table; table = table == dce->root ? NULL : cake_op_parent(table)) {
    if (table == dce->root && !cake_op_parent(table)) return true;
    if (cake_op_has_trait(table, CAKE_TRAIT_SYMBOL_TABLE) && (!is_symbol(table) || has_visibility(table, "private")))
      return true;
  }
  return false;
}

// Whether the symbol goes when nothing in the root refers to it.
static bool may_go(const SymbolDce *dce, const CakeOp *op) {
  if (!is_symbol(op)) return false;
  return has_visibility(op, "private") || (has_visibility(op, "nested") && is_hidden(dce, cake_op_parent(op)));
}

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
    bool skip = op != root && may_go(dce, op);
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
    bool is_dead = may_go(&dce, op) && !cake_map_get(&dce.live, op, &is_live);
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
