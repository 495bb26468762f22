// schedule-fuse-epilogue: a kernel that works element by element on what another one stores becomes the end of that other kernel.
//
// Both must cut the array alike: equal axes, equal tiles, equal forms. The epilogue's ops then stand where the producer stored its tile, and read
// the tile from registers; its other arrays become arguments of the producer, whose own result is stored no more. What the producer rounded for
// the array stays rounded, so the results are the same.
#include "passes/schedule_fuse.h"
#include "passes/passes.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/tiles.h"

// ---- The fused kernel ----------------------------------------------------------------------------------------------

static void set_names(CakeFusion *f, CakeAttr *names, size_t count) {
  CakeContext *context = f->schedule->pass->context;
  cake_rewriter_set_attr_text(&f->schedule->rewriter, f->schedule->kernel, "arg_names",
                              cake_attr_array(context, names, count));
}

static bool has_name(CakeAttr *names, size_t count, CakeAttr name) {
  for (size_t i = 0; i < count; i++)
    if (names[i] == name) return true;
  return false;
}

// The epilogue's arguments but its operand stand behind the producer's; one of a name that is taken gets a number.
static void add_arguments(CakeFusion *f) {
  CakeContext *context = f->schedule->pass->context;
  CakeBlock *body = cake_schedule_body(f->schedule->kernel), *theirs = cake_schedule_body(f->schedule->other);
  CakeAttr ours = cake_cake_kernel_arg_names(f->schedule->kernel);
  CakeAttr *names = CAKE_ARENA_ARRAY(f->schedule->pass->scratch, CakeAttr, body->n_args + theirs->n_args + 1);
  size_t count = 0;
  for (uint32_t i = 0; i < body->n_args; i++)
    names[count++] = cake_attr_element(ours, i);
  for (uint32_t i = 0; i < theirs->n_args; i++) {
    CakeValue *arg = theirs->args[i];
    if (arg == cake_cake_load_global(f->load)) continue;
    CakeAttr name = cake_attr_element(cake_cake_kernel_arg_names(f->schedule->other), i), free_name = name;
    for (int n = 2; has_name(names, count, free_name); n++)
      free_name = cake_attr_string(context, cake_arena_printf(f->schedule->pass->scratch, "%.*s%d",
                                                              CAKE_STR_ARG(cake_attr_string_value(name)), n));
    CakeType type = cake_type_substitute(arg->type, &f->renaming);
    CakeValue *made = cake_rewriter_add_arg(&f->schedule->rewriter, body, type, cake_value_loc(arg));
    cake_value_set_name(made, cake_attr_string_value(free_name));
    cake_map_set(&f->values, arg, (uintptr_t)made);
    names[count++] = free_name;
  }
  set_names(f, names, count);
}

static void drop_result(CakeFusion *f) {
  CakeValue *result = cake_cake_store_global(f->store);
  CakeBlock *body = cake_schedule_body(f->schedule->kernel);
  CakeAttr old = cake_cake_kernel_arg_names(f->schedule->kernel);
  CakeAttr *names = CAKE_ARENA_ARRAY(f->schedule->pass->scratch, CakeAttr, body->n_args + 1);
  size_t count = 0;
  for (uint32_t i = 0; i < body->n_args; i++)
    if (i != result->index) names[count++] = cake_attr_element(old, i);
  cake_rewriter_erase(&f->schedule->rewriter, f->store);
  cake_rewriter_remove_arg(&f->schedule->rewriter, body, result->index);
  set_names(f, names, count);
}

static void clone_block(CakeFusion *f, CakeBlock *block) {
  CakeRewriter *rewriter = &f->schedule->rewriter;
  for (CakeOp *op = block->first; op != block->last; op = op->next) {
    if (op == f->load || cake_is_cake_op(op, cake_op_cake_items)) continue;
    CakeOp *copy = cake_rewriter_clone(rewriter, op, &f->values);
    for (uint32_t i = 0; op->info->def && i < op->info->def->n_attrs; i++)
      if (cake_op_prop(op, i))
        cake_rewriter_set_attr_text(rewriter, copy, op->info->def->attrs[i].name,
                                    cake_attr_substitute(cake_op_prop(op, i), &f->renaming));
  }
}

// What both kernels ask of a launch.
static bool join_guards(CakeFusion *f) {
  CakeAttr a = cake_cake_kernel_guard(f->schedule->kernel), b = cake_cake_kernel_guard(f->schedule->other);
  size_t count = 0;
  if (!b) return true;
  CakePredTerm *terms =
      CAKE_ARENA_ARRAY(f->schedule->pass->scratch, CakePredTerm, (a ? cake_pred_count(a) : 0) + cake_pred_count(b));
  b = cake_attr_substitute(b, &f->renaming);
  for (size_t i = 0; a && i < cake_pred_count(a); i++)
    terms[count++] = cake_pred_term(a, i);
  for (size_t i = 0; i < cake_pred_count(b); i++) {
    CakePredTerm term = cake_pred_term(b, i);
    bool is_known = false;
    for (size_t j = 0; j < count; j++)
      is_known |= terms[j].compare == term.compare && terms[j].lhs == term.lhs && terms[j].rhs == term.rhs;
    if (!is_known) terms[count++] = term;
  }
  CakeAttr guard = cake_pred_get(f->schedule->pass->context, terms, count);
  if (cake_pred_count(guard) != count)
    return cake_schedule_missed(f->schedule, f->schedule->other, "both guards together are too long");
  cake_rewriter_set_attr_text(&f->schedule->rewriter, f->schedule->kernel, "guard", guard);
  return true;
}

static bool join_targets(CakeFusion *f) {
  CakeAttr a = cake_cake_kernel_target(f->schedule->kernel), b = cake_cake_kernel_target(f->schedule->other);
  CakeAttr *both = CAKE_ARENA_ARRAY(f->schedule->pass->scratch, CakeAttr, cake_attr_count(a) + 1);
  size_t count = 0;
  for (size_t i = 0; i < cake_attr_count(a); i++)
    for (size_t j = 0; j < cake_attr_count(b); j++)
      if (cake_attr_element(a, i) == cake_attr_element(b, j)) both[count++] = cake_attr_element(a, i);
  if (!count) return cake_schedule_missed(f->schedule, f->schedule->other, "has no target of the producer");
  cake_rewriter_set_attr_text(&f->schedule->rewriter, f->schedule->kernel, "target",
                              cake_attr_array(f->schedule->pass->context, both, count));
  return true;
}

static bool fuse_found(CakeFusion *f, CakeOp *items) {
  add_arguments(f);
  cake_map_set(&f->values, &f->load->results[0], (uintptr_t)cake_cake_store_value(f->store));
  cake_rewriter_set_before(&f->schedule->rewriter, f->store);
  clone_block(f, cake_schedule_body(cake_op_parent(items)));
  clone_block(f, cake_schedule_body(items));
  drop_result(f);
  return join_guards(f) && join_targets(f);
}

static bool fuse(CakeSchedule *schedule) {
  CakeFusion f = {.schedule = schedule};
  CakeOp *items = cake_fusion_find(&f);
  bool ok = items && fuse_found(&f, items);
  cake_fusion_fini(&f);
  return ok;
}

// ---- The pass ------------------------------------------------------------------------------------------------------

static CakeOp *find_kernel(CakePassContext *pass, CakeOp *module, const char *option) {
  CakeStr name = cake_pass_option_str(pass->pass, option);
  if (name.len && name.ptr[0] == '@') name = (CakeStr){name.ptr + 1, name.len - 1};
  CakeOp *kernel = name.len ? cake_symbol_lookup_in(module, cake_id(pass->context, name)) : NULL;
  if (kernel && cake_is_cake_op(kernel, cake_op_cake_kernel)) return kernel;
  (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'%s' must name a kernel of the module, but is '%.*s'", option,
                   CAKE_STR_ARG(name));
  return NULL;
}

CakePassResult cake_pass_schedule_fuse_epilogue(CakePassContext *pass, CakeOp *module) {
  CakeOp *producer = find_kernel(pass, module, "producer");
  CakeOp *epilogue = producer ? find_kernel(pass, module, "epilogue") : NULL;
  if (!epilogue) return CAKE_PASS_FAILED;
  if (epilogue == producer) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'producer' and 'epilogue' name one kernel");
    return CAKE_PASS_FAILED;
  }
  if (!cake_schedule_apply(pass, module, producer, epilogue, fuse)) return CAKE_PASS_UNCHANGED;
  cake_rewriter_erase(&pass->rewriter, epilogue);
  return CAKE_PASS_CHANGED;
}
