// Rule launch-order: a kernel that may begin before the grid in front of it has ended waits before it touches its data.
//
// PTX ISA, griddepcontrol: without griddepcontrol.wait nothing says that the memory operations of the grid before are done
// and visible. Arrays that are `readonly` are promised not to be written by anybody, so they may be fetched earlier.
#include "verifier/rules.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/role.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/tiles.h"

static bool is_wait(const CakeOp *op) {
  if (cake_is_gpu_op(op, cake_op_gpu_griddepcontrol))
    return cake_str_is(cake_attr_string_value(cake_gpu_griddepcontrol_action(op)), "wait");
  return cake_is_cake_op(op, cake_op_cake_depend) &&
         cake_str_is(cake_attr_string_value(cake_cake_depend_what(op)), "wait");
}

// A wait in front of `op`, in a block around it.
static bool has_waited(CakeOp *op) {
  for (CakeOp *at = op; at && !cake_is_cake_op(at, cake_op_cake_role) && !cake_is_gpu_op(at, cake_op_gpu_func);
       at = cake_op_parent(at))
    for (const CakeOp *before = at->prev; before; before = before->prev)
      if (is_wait(before)) return true;
  return false;
}

static bool check_op(CakeOp *op, const CakeOp *wait) {
  CakeTile tile;
  if (!cake_tile_of(op, &tile) || cake_global_flags(tile.global) & CAKE_GLOBAL_READONLY) return true;
  cake_context_site(op->context);
  if (has_waited(op)) return true;
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_LAUNCH_ORDER,
                       "touches %s in %s before the role has waited for the grid in front, which may still write it",
                       cake_value_text(tile.array), cake_where(op));
  cake_diag_note(op->context, d, wait->loc, "the kernel begins early, and waits here");
  cake_diag_fix(op->context, d, "put `cake.depend wait` in front of it, or say that the array is `readonly`");
  return cake_diag_emit(op->context, d);
}

// ---- The thread level ----------------------------------------------------------------------------------------------------

// Whether a pointer or tensor map is of an array that nobody writes while the kernel runs.
static bool is_readonly(const CakeOp *func, const CakeValue *value) {
  for (const CakeOp *op = cake_value_def(value); op && cake_is_gpu_op(op, cake_op_gpu_ptr_add);
       op = cake_value_def(value))
    value = cake_op_operand(op, 0);
  CakeAttr name = NULL, names = cake_gpu_func_arg_names(func), maps = cake_gpu_func_tensor_maps(func);
  if (!value->is_argument) return false;
  size_t first_map = maps ? cake_arg_owner(value)->n_args - cake_attr_count(maps) : SIZE_MAX;
  if (value->index < cake_attr_count(names)) name = cake_attr_element(names, value->index);
  CakeAttr entry = value->index >= first_map ? cake_attr_element(maps, value->index - first_map) : NULL;
  if (cake_attr_is(entry, &cake_attr_def_dictionary)) name = cake_attr_lookup_text(entry, "arg");
  for (size_t i = 0; name && i < cake_attr_count(names); i++) {
    CakeAttr type = cake_attr_element(cake_gpu_func_arg_types(func), i);
    if (cake_attr_element(names, i) != name || !cake_attr_is(type, &cake_attr_def_type)) continue;
    CakeType array = cake_attr_value_type(type);
    return cake_type_is(array, &cake_type_def_global) && cake_global_flags(array) & CAKE_GLOBAL_READONLY;
  }
  return false;
}

// What an op reads or writes of global memory; NULL: nothing.
static const CakeValue *global_of(const CakeOp *op) {
  if (op->info->dialect != &cake_dialect_gpu || cake_is_gpu_op(op, cake_op_gpu_ptr_add) ||
      cake_is_gpu_op(op, cake_op_gpu_prefetch))
    return NULL;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeType type = cake_op_operand(op, i)->type;
    if (gpu_is_global_ptr.test(type) || gpu_is_tensor_map.test(type)) return cake_op_operand(op, i);
  }
  return NULL;
}

static bool check_gpu_op(CakeOp *func, CakeOp *op, const CakeOp *wait) {
  const CakeValue *global = global_of(op);
  if (!global || is_readonly(func, global)) return true;
  cake_context_site(op->context);
  if (has_waited(op)) return true;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_LAUNCH_ORDER,
                                       "touches global memory before its threads have waited for the grid in front, "
                                       "which may still write it");
  cake_diag_note(op->context, d, wait->loc, "the kernel begins early, and waits here");
  cake_diag_fix(op->context, d, "put a 'gpu.griddepcontrol wait' in front of it, or say that the array is `readonly`");
  return cake_diag_emit(op->context, d);
}

static bool check_func(CakeOp *func) {
  CakeOp *wait = NULL;
  bool ok = true;
  for (CakeOp *op = func; op && !wait; op = cake_op_walk_next(func, op, false))
    if (is_wait(op)) wait = op;
  for (CakeOp *op = wait ? func : NULL; op; op = cake_op_walk_next(func, op, false))
    ok &= check_gpu_op(func, op, wait);
  return ok;
}

bool cake_rule_launch_order(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok &= check_func(op);
  for (CakeOp *kernel = NULL; (kernel = cake_next_cake_op(module, kernel, cake_op_cake_kernel));) {
    CakeOp *wait = NULL;
    for (CakeOp *op = kernel; op && !wait; op = cake_op_walk_next(kernel, op, false))
      if (is_wait(op)) wait = op;
    for (CakeOp *op = wait ? kernel : NULL; op; op = cake_op_walk_next(kernel, op, false))
      ok &= check_op(op, wait);
  }
  return ok;
}
