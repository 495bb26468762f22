// The cuts of test-case reduction: what can be taken out of a module, largest parts first.
//
// A value that was cut and is still used becomes a placeholder: a zero constant, or a cast of nothing. Placeholders are no
// sites of any cut, so a reduction ends.
#include "tools/reduce.h"

#define CAST "builtin.unrealized_conversion_cast"

// ---- Placeholders ------------------------------------------------------------------------------------------------------

static bool is_placeholder(const CakeOp *op) {
  return (cake_op_is(op, CAST) && op->n_operands == 0) || cake_op_has_trait(op, CAKE_TRAIT_CONSTANT);
}

static CakeValue *placeholder(CakeRewriter *rewriter, CakeType type) {
  CakeAttr zero = NULL;
  bool is_small = cake_type_is_integer(type, cake_type_width(type)) && cake_type_width(type) <= 64;
  if (is_small || cake_type_is_index(type)) zero = cake_attr_integer(type, 0);
  if (cake_type_is_any_float(type)) zero = cake_attr_float(type, 0.0);
  return zero ? cake_build_constant(rewriter, zero) : cake_build1(rewriter, CAST, type, NULL, 0);
}

// Erases an op; results that are used become placeholders in front of it.
static void erase(CakeRewriter *rewriter, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++) {
    CakeValue *result = cake_op_result(op, i);
    if (!result->first_use) continue;
    cake_rewriter_set_before(rewriter, op);
    cake_rewriter_replace_uses(rewriter, result, placeholder(rewriter, result->type));
  }
  cake_rewriter_erase(rewriter, op);
}

// ---- Sites that are ops --------------------------------------------------------------------------------------------------

typedef bool (*IsSite)(CakeOp *module, CakeOp *op);
typedef void (*CutOp)(CakeRewriter *rewriter, CakeOp *op);

static size_t count_ops(CakeOp *module, IsSite is_site) {
  size_t count = 0;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    count += is_site(module, op);
  return count;
}

static bool is_inside_any(CakeOp *const *ops, size_t count, const CakeOp *op) {
  return count > 0 && cake_op_is_ancestor(ops[count - 1], op); // pre-order: only the one before can be around it
}

// Cuts the sites of a range, the last first; one that stands in another goes with it.
static bool cut_ops(CakeRewriter *rewriter, CakeOp *module, size_t first, size_t count, IsSite is_site, CutOp cut) {
  CAKE_VEC(CakeOp *) ops = {0};
  size_t at = 0;
  for (CakeOp *op = module; op && at < first + count; op = cake_op_walk_next(module, op, false)) {
    if (!is_site(module, op)) continue;
    if (at++ >= first && !is_inside_any(ops.data, ops.len, op)) CAKE_PUSH(&ops, op);
  }
  bool changed = ops.len > 0;
  while (ops.len)
    cut(rewriter, ops.data[--ops.len]);
  CAKE_VEC_FINI(&ops);
  return changed;
}

#define CUT_OF_OPS(name, is_site, cut)                                                                                 \
  static size_t name##_count(CakeOp *module) {                                                                         \
    return count_ops(module, is_site);                                                                                 \
  }                                                                                                                    \
  static bool name##_apply(CakeRewriter *rewriter, CakeOp *module, size_t first, size_t count) {                       \
    return cut_ops(rewriter, module, first, count, is_site, cut);                                                      \
  }

// ---- erase: whole ops ----------------------------------------------------------------------------------------------------

static bool is_last_of_block(const CakeOp *op) {
  return op->block && op->block->last == op && (op->n_successors > 0 || cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR));
}

static bool is_erasable(CakeOp *module, CakeOp *op) {
  return op != module && !is_placeholder(op) && !is_last_of_block(op);
}
CUT_OF_OPS(erase, is_erasable, erase)

// ---- bypass: an op by an operand of its result's type ----------------------------------------------------------------------

static CakeValue *bypass_of(CakeOp *op) {
  if (op->n_results != 1) return NULL;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (cake_op_operand(op, i)->type == cake_op_result(op, 0)->type && cake_value_def(cake_op_operand(op, i)) != op)
      return cake_op_operand(op, i);
  return NULL;
}

static bool is_bypassable(CakeOp *module, CakeOp *op) {
  return is_erasable(module, op) && op->n_regions == 0 && cake_op_result(op, 0) && bypass_of(op) != NULL;
}

static void bypass(CakeRewriter *rewriter, CakeOp *op) {
  CakeValue *value = bypass_of(op);
  cake_rewriter_replace(rewriter, op, &value);
}
CUT_OF_OPS(bypass, is_bypassable, bypass)

// ---- hoist: an op by what its region holds --------------------------------------------------------------------------------

static CakeBlock *hoisted_block(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions; i++) {
    CakeBlock *block = cake_op_region(op, i)->first;
    if (block && block == cake_op_region(op, i)->last && block->first) return block;
  }
  return NULL;
}

static bool is_hoistable(CakeOp *module, CakeOp *op) {
  return is_erasable(module, op) && hoisted_block(op) != NULL && !cake_op_has_trait(op, CAKE_TRAIT_SYMBOL);
}

// A carried value of a loop enters with its operand where the types tell which; all else is a placeholder.
static CakeValue *value_for_arg(CakeRewriter *rewriter, CakeOp *op, const CakeBlock *block, uint32_t index) {
  CakeType type = block->args[index]->type;
  uint32_t behind = block->n_args - index;
  if (behind <= op->n_operands && cake_op_operand(op, op->n_operands - behind)->type == type)
    return cake_op_operand(op, op->n_operands - behind);
  return placeholder(rewriter, type);
}

static void replace_args(CakeRewriter *rewriter, CakeOp *op, CakeBlock *block) {
  cake_rewriter_set_before(rewriter, op);
  for (uint32_t i = 0; i < block->n_args; i++)
    if (block->args[i]->first_use)
      cake_rewriter_replace_uses(rewriter, block->args[i], value_for_arg(rewriter, op, block, i));
}

// Results are what the region's terminator hands out, as far as types agree.
static void replace_results(CakeRewriter *rewriter, CakeOp *op, const CakeOp *terminator) {
  for (uint32_t i = 0; terminator && i < op->n_results && i < terminator->n_operands; i++)
    if (cake_op_operand(terminator, i)->type == cake_op_result(op, i)->type)
      cake_rewriter_replace_uses(rewriter, cake_op_result(op, i), cake_op_operand(terminator, i));
}

static void hoist(CakeRewriter *rewriter, CakeOp *op) {
  CakeBlock *block = hoisted_block(op);
  CakeOp *last = block->last, *terminator = is_last_of_block(last) ? last : NULL;
  replace_args(rewriter, op, block);
  for (CakeOp *inner = block->first, *next; inner; inner = next) {
    next = inner->next;
    if (inner != terminator) cake_rewriter_move_before(rewriter, inner, op);
  }
  replace_results(rewriter, op, terminator);
  erase(rewriter, op);
}
CUT_OF_OPS(hoist, is_hoistable, hoist)

// ---- declare: a function's body ---------------------------------------------------------------------------------------------

static bool is_definition(CakeOp *module, CakeOp *op) {
  (void)module;
  return cake_op_is(op, "func.func") && cake_op_region(op, 0)->first != NULL;
}

static void declare(CakeRewriter *rewriter, CakeOp *op) {
  CakeOpState state = {
      .loc = op->loc, .info = op->info, .props = cake_op_props(op), .attrs = op->attrs, .n_regions = 1};
  cake_rewriter_set_before(rewriter, op);
  CakeOp *declaration = cake_rewriter_create(rewriter, &state);
  cake_rewriter_set_attr_text(rewriter, declaration, "sym_visibility",
                              cake_attr_string(rewriter->context, CAKE_STR("private")));
  cake_rewriter_erase(rewriter, op);
}
CUT_OF_OPS(declare, is_definition, declare)

// ---- slice: an op with everything that uses what it makes -----------------------------------------------------------------

typedef CAKE_VEC(CakeOp *) Ops;

// Adds the users of an op's results to the set, and theirs; terminators get placeholders instead.
static void add_users(CakeMap *set, Ops *work, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++) {
    for (CakeUse *use = cake_op_result(op, i)->first_use; use; use = use->next) {
      uintptr_t is_there;
      if (is_last_of_block(use->owner) || cake_map_get(set, use->owner, &is_there)) continue;
      cake_map_set(set, use->owner, 1);
      CAKE_PUSH(work, use->owner);
    }
  }
}

// The top of the IR that an op stands in.
static CakeOp *root_of(CakeOp *op) {
  for (CakeOp *parent = cake_op_parent(op); parent; parent = cake_op_parent(op))
    op = parent;
  return op;
}

// Erases the ops of `work` and all their users; `work` is given back.
static void erase_slice(CakeRewriter *rewriter, CakeOp *root, Ops *work) {
  CakeMap set = {0};
  Ops all = {0};
  uintptr_t is_there;
  for (size_t i = 0; i < work->len; i++)
    cake_map_set(&set, work->data[i], 1);
  for (size_t i = 0; i < work->len; i++)
    add_users(&set, work, work->data[i]);
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    if (cake_map_get(&set, op, &is_there) && !is_inside_any(all.data, all.len, op)) CAKE_PUSH(&all, op);
  while (all.len)
    erase(rewriter, all.data[--all.len]);
  CAKE_VEC_FINI(&all);
  CAKE_VEC_FINI(work);
  cake_map_fini(&set);
}

static bool has_users(CakeOp *module, CakeOp *op) {
  bool has_use = false;
  for (uint32_t i = 0; i < op->n_results; i++)
    has_use = has_use || cake_op_result(op, i)->first_use;
  return has_use && is_erasable(module, op);
}

static void slice(CakeRewriter *rewriter, CakeOp *op) {
  Ops work = {0};
  CAKE_PUSH(&work, op);
  erase_slice(rewriter, root_of(op), &work);
}

// ---- symbol: an op that declares a name, with everything that names it -------------------------------------------------------

static bool is_symbol(CakeOp *module, CakeOp *op) {
  return is_erasable(module, op) && cake_op_has_trait(op, CAKE_TRAIT_SYMBOL) && cake_op_attr_text(op, "sym_name");
}

static bool names(const CakeOp *op, CakeId symbol) {
  for (uint32_t i = 0; i < op->info->n_props; i++)
    if (cake_attr_is(cake_op_prop(op, i), &cake_attr_def_symbol_ref) &&
        cake_attr_symbol_root(cake_op_prop(op, i)) == symbol)
      return true;
  return false;
}

static void cut_symbol(CakeRewriter *rewriter, CakeOp *op) {
  CakeId symbol = cake_id(op->context, cake_attr_string_value(cake_op_attr_text(op, "sym_name")));
  CakeOp *scope = cake_op_parent(op);
  Ops work = {0};
  CAKE_PUSH(&work, op);
  for (CakeOp *user = scope; user; user = cake_op_walk_next(scope, user, false))
    if (user != op && user != scope && names(user, symbol) && !is_last_of_block(user)) CAKE_PUSH(&work, user);
  erase_slice(rewriter, scope, &work);
}

// Sites of these two overlap: one at a time is cut.
#define CUT_OF_ONE_OP(name, is_site, cut)                                                                              \
  static size_t name##_count(CakeOp *module) {                                                                         \
    return count_ops(module, is_site);                                                                                 \
  }                                                                                                                    \
  static bool name##_apply(CakeRewriter *rewriter, CakeOp *module, size_t first, size_t count) {                       \
    return count == 1 && cut_ops(rewriter, module, first, 1, is_site, cut);                                            \
  }
CUT_OF_ONE_OP(slice, has_users, slice)
CUT_OF_ONE_OP(symbol, is_symbol, cut_symbol)

// ---- attributes: discardable and optional ones --------------------------------------------------------------------------------

// Calls `each` for every attribute that may be left out; stops when it returns true.
typedef bool (*EachAttr)(void *user, CakeOp *op, CakeId name);

static bool each_attr_of(CakeOp *op, EachAttr each, void *user) {
  const CakeOpDef *def = cake_op_def(op);
  for (size_t i = 0; op->attrs && i < cake_attr_count(op->attrs); i++)
    if (each(user, op, cake_attr_entry(op->attrs, i).name)) return true;
  for (uint32_t i = 0; def && i < def->n_attrs; i++) {
    if (!def->attrs[i].optional || !cake_op_prop(op, i)) continue;
    if (each(user, op, cake_id(op->context, cake_str(def->attrs[i].name)))) return true;
  }
  return false;
}

static bool count_attr(void *user, CakeOp *op, CakeId name) {
  (void)op, (void)name;
  ++*(size_t *)user;
  return false;
}

static size_t attributes_count(CakeOp *module) {
  size_t count = 0;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    each_attr_of(op, count_attr, &count);
  return count;
}

typedef struct AttrSite {
  CakeOp *op;
  CakeId name;
} AttrSite;

typedef struct AttrSites {
  CAKE_VEC(AttrSite) sites;
  size_t at, first, end;
} AttrSites;

static bool collect_attr(void *user, CakeOp *op, CakeId name) {
  AttrSites *all = user;
  if (all->at >= all->first && all->at < all->end) CAKE_PUSH(&all->sites, (AttrSite){op, name});
  return ++all->at >= all->end;
}

static bool attributes_apply(CakeRewriter *rewriter, CakeOp *module, size_t first, size_t count) {
  AttrSites all = {.first = first, .end = first + count};
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    if (each_attr_of(op, collect_attr, &all)) break;
  for (size_t i = 0; i < all.sites.len; i++)
    cake_rewriter_set_attr(rewriter, all.sites.data[i].op, all.sites.data[i].name, NULL);
  bool changed = all.sites.len > 0;
  CAKE_VEC_FINI(&all.sites);
  return changed;
}

const ReduceCut reduce_cuts[] = {
    {"declare",    "a function's body, which leaves its declaration",          declare_count,    declare_apply   },
    {"symbol",     "a declaration with all ops that name it, and their users", symbol_count,     symbol_apply    },
    {"erase",      "an op with everything in it",                              erase_count,      erase_apply     },
    {"slice",      "an op with all ops that use its results",                  slice_count,      slice_apply     },
    {"hoist",      "an op around a region, which leaves the region's ops",     hoist_count,      hoist_apply     },
    {"bypass",     "an op, which leaves one of its operands in its place",     bypass_count,     bypass_apply    },
    {"attributes", "an attribute that may be left out",                        attributes_count, attributes_apply},
    {NULL,         NULL,                                                       NULL,             NULL            },
};
