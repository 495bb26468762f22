// What schedule-fuse-epilogue fuses: the producer's store, the epilogue's load of the same tile, and which sizes and indices are the same.
#include "passes/schedule_fuse.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/tiles.h"

// ---- What is fused -------------------------------------------------------------------------------------------------

static CakeOp *only_use(const CakeValue *value) {
  return value->first_use && !value->first_use->next ? value->first_use->owner : NULL;
}

// The producer's store of its result: the array's only use, named by the option or the only array that it stores to.
static bool find_store(CakeFusion *f) {
  CakeStr name = cake_pass_option_str(f->schedule->pass->pass, "result");
  CakeOp *kernel = f->schedule->kernel, *found = NULL;
  for (CakeOp *op = cake_schedule_next(kernel, NULL, cake_op_cake_store); op;
       op = cake_schedule_next(kernel, op, cake_op_cake_store)) {
    bool is_named = cake_str_equal(name, cake_schedule_arg_name(f->schedule, cake_cake_store_global(op)));
    if (name.len && !is_named) continue;
    if (found)
      return cake_schedule_missed(f->schedule, op, "is a second store; `result` names the array that is read on");
    found = op;
  }
  if (!found) return cake_schedule_missed(f->schedule, kernel, "stores no fragment to such an array");
  if (only_use(cake_cake_store_global(found)) != found)
    return cake_schedule_missed(f->schedule, found, "the array is used elsewhere, too");
  f->store = found;
  return true;
}

static bool is_epilogue_op(const CakeOp *op) {
  static const int kinds[] = {cake_op_cake_fill, cake_op_cake_spread, cake_op_cake_mask,  cake_op_cake_index,
                              cake_op_cake_load, cake_op_cake_store,  cake_op_cake_yield, cake_op_cake_end};
  for (size_t i = 0; i < CAKE_COUNT(kinds); i++)
    if (cake_is_cake_op(op, kinds[i])) return true;
  return cake_op_has_trait(op, CAKE_TRAIT_ELEMENTWISE) || cake_op_has_trait(op, CAKE_TRAIT_CONSTANT);
}

static bool check_block(CakeFusion *f, CakeBlock *block) {
  for (CakeOp *op = block->first; op; op = op->next)
    if (!is_epilogue_op(op) && !cake_is_cake_op(op, cake_op_cake_items))
      return cake_schedule_missed(f->schedule, op, "'%.*s' does not work element by element",
                                  CAKE_STR_ARG(cake_op_name(op)));
  return true;
}

// The epilogue's loop over items: one role, and in it one loop that carries nothing.
static CakeOp *find_items(CakeFusion *f) {
  CakeOp *kernel = f->schedule->other, *role = cake_schedule_next(kernel, NULL, cake_op_cake_role);
  CakeOp *items = cake_schedule_next(kernel, NULL, cake_op_cake_items);
  bool is_simple = role && !cake_schedule_next(kernel, role, cake_op_cake_role) && items && !items->n_operands &&
                   !cake_schedule_next(kernel, items, cake_op_cake_items) && cake_op_parent(items) == role;
  if (!is_simple) {
    cake_schedule_missed(f->schedule, kernel, "an epilogue is one role with one loop over items");
    return NULL;
  }
  return check_block(f, cake_schedule_body(role)) && check_block(f, cake_schedule_body(items)) ? items : NULL;
}

// The array that the epilogue reads on: named by the option, or its first argument that is loaded as the producer stores.
static bool find_load(CakeFusion *f) {
  CakeStr name = cake_pass_option_str(f->schedule->pass->pass, "operand");
  CakeOp *kernel = f->schedule->other;
  CakeAttr names = cake_cake_kernel_arg_names(kernel);
  for (CakeOp *op = cake_schedule_next(kernel, NULL, cake_op_cake_load); op && !f->load;
       op = cake_schedule_next(kernel, op, cake_op_cake_load)) {
    CakeStr arg = cake_attr_string_value(cake_attr_element(names, cake_cake_load_global(op)->index));
    bool is_wanted =
        name.len ? cake_str_equal(arg, name) : op->results[0].type == cake_cake_store_value(f->store)->type;
    if (is_wanted) f->load = op;
  }
  if (!f->load)
    return cake_schedule_missed(f->schedule, kernel, "loads no '%s', which the producer stores",
                                cake_type_text(cake_cake_store_value(f->store)->type));
  if (f->load->results[0].type != cake_cake_store_value(f->store)->type)
    return cake_schedule_missed(f->schedule, f->load, "loads '%s', but the producer stores '%s'",
                                cake_type_text(f->load->results[0].type),
                                cake_type_text(cake_cake_store_value(f->store)->type));
  if (only_use(cake_cake_load_global(f->load)) != f->load)
    return cake_schedule_missed(f->schedule, f->load, "the array is used elsewhere in the epilogue, too");
  return true;
}

// ---- Sizes and indices ---------------------------------------------------------------------------------------------

static CakeAttr rename_size(void *user, CakeAttr attr) {
  const CakeFusion *f = user;
  uintptr_t found;
  bool is_name = attr->def == &cake_attr_def_expr && cake_expr_kind(attr) == CAKE_EXPR_NAME;
  return is_name && cake_map_get(&f->sizes, cake_expr_name_of(attr), &found) ? (CakeAttr)found : attr;
}

// The array's dimensions are the same under two names.
static bool bind_sizes(CakeFusion *f) {
  CakeType ours = cake_cake_store_global(f->store)->type, theirs = cake_cake_load_global(f->load)->type;
  bool ok = cake_global_rank(ours) == cake_global_rank(theirs);
  for (size_t i = 0; ok && i < cake_global_rank(ours); i++) {
    CakeAttr a = cake_global_dim(ours, i), b = cake_global_dim(theirs, i);
    uintptr_t known = (uintptr_t)a;
    if (cake_expr_kind(b) == CAKE_EXPR_NAME) {
      if (!cake_map_get(&f->sizes, cake_expr_name_of(b), &known)) cake_map_set(&f->sizes, cake_expr_name_of(b), known);
      ok = known == (uintptr_t)a;
    } else {
      ok = a == b;
    }
  }
  return ok || cake_schedule_missed(f->schedule, f->load, "reads '%s', but the producer writes '%s'",
                                    cake_type_text(theirs), cake_type_text(ours));
}

static bool has_size(const CakeOp *kernel, CakeId name) {
  const CakeBlock *body = cake_schedule_body(kernel);
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    for (size_t d = 0; cake_type_is(type, &cake_type_def_global) && d < cake_global_rank(type); d++) {
      CakeAttr dim = cake_global_dim(type, d);
      if (cake_expr_kind(dim) == CAKE_EXPR_NAME && cake_expr_name_of(dim) == name) return true;
    }
  }
  return false;
}

// A size that both kernels name, but not of the array between them, is another size in each: the epilogue's gets a new name.
static void rename_size_of(CakeFusion *f, CakeId name) {
  CakeContext *context = f->schedule->pass->context;
  CakeId fresh = name;
  if (cake_map_get(&f->sizes, name, NULL)) return;
  for (int n = 2; has_size(f->schedule->kernel, fresh) || (fresh != name && has_size(f->schedule->other, fresh)); n++)
    fresh = cake_id(context, cake_arena_printf(f->schedule->pass->scratch, "%s%d", name->text, n));
  cake_map_set(&f->sizes, name, (uintptr_t)cake_expr_name(context, fresh));
}

static void rename_sizes(CakeFusion *f) {
  CakeBlock *body = cake_schedule_body(f->schedule->other);
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    for (size_t d = 0; cake_type_is(type, &cake_type_def_global) && d < cake_global_rank(type); d++) {
      CakeAttr dim = cake_global_dim(type, d);
      if (cake_expr_kind(dim) == CAKE_EXPR_NAME) rename_size_of(f, cake_expr_name_of(dim));
    }
  }
}

// Both iterators have the same extents, so the indices of one are those of the other.
static bool bind_indices(CakeFusion *f, CakeOp *items) {
  CakeOp *outer = cake_op_parent(f->store);
  CakeOp *ours = cake_op_tiles(outer), *theirs = cake_op_tiles(items);
  if (!cake_is_cake_op(outer, cake_op_cake_items))
    return cake_schedule_missed(f->schedule, f->store, "the result is not stored once an item");
  CakeAttr a = cake_cake_tiles_axes(ours), b = cake_cake_tiles_axes(theirs);
  bool ok = cake_axes_count(a) == cake_axes_count(b);
  for (size_t i = 0; ok && i < cake_axes_count(a); i++) {
    ok = cake_axes_extent(a, i) == cake_attr_substitute(cake_axes_extent(b, i), &f->renaming);
    cake_map_set(&f->values, cake_schedule_body(items)->args[i], (uintptr_t)cake_schedule_body(outer)->args[i]);
  }
  return ok || cake_schedule_missed(f->schedule, theirs, "its items are %s, those of the producer %s",
                                    cake_body_text(b), cake_body_text(a));
}

static bool is_same_place(CakeFusion *f) {
  CakeOperandRange a = cake_cake_store_at_idx(f->store), b = cake_cake_load_at_idx(f->load);
  bool is_plain = !cake_cake_store_keep(f->store) && !cake_cake_load_keep(f->load) && !cake_cake_store_dims(f->store) &&
                  !cake_cake_load_dims(f->load);
  bool ok = is_plain && a.count == b.count &&
            cake_cake_store_at(f->store) == cake_attr_substitute(cake_cake_load_at(f->load), &f->renaming);
  for (uint32_t i = 0; ok && i < a.count; i++) {
    uintptr_t mapped;
    ok = cake_map_get(&f->values, b.first[i].value, &mapped) && (CakeValue *)mapped == a.first[i].value;
  }
  return ok || cake_schedule_missed(f->schedule, f->load, "reads another tile of the array than the producer stores");
}

CakeOp *cake_fusion_find(CakeFusion *f) {
  f->renaming = (CakeSubstitution){.map_attr = rename_size, .user = f};
  CakeOp *items = find_store(f) ? find_items(f) : NULL;
  if (!items || !find_load(f) || !bind_sizes(f)) return NULL;
  rename_sizes(f);
  return bind_indices(f, items) && is_same_place(f) ? items : NULL;
}

void cake_fusion_fini(CakeFusion *f) {
  cake_map_fini(&f->values);
  cake_map_fini(&f->sizes);
}
