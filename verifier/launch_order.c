// Rule launch-order: a kernel that may begin before the grid in front of it has ended waits before it touches its data.
//
// PTX ISA, griddepcontrol: without griddepcontrol.wait nothing says that the memory operations of the grid before are done
// and visible. Arrays that are `readonly` are promised not to be written by anybody, so they may be fetched earlier.
#include "verifier/rules.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/role.h"
#include "verifier/tiles.h"

static bool is_wait(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_depend) &&
         cake_str_is(cake_attr_string_value(cake_cake_depend_what(op)), "wait");
}

// A wait in front of `op`, in a block around it.
static bool has_waited(CakeOp *op) {
  for (CakeOp *at = op; at && !cake_is_cake_op(at, cake_op_cake_role); at = cake_op_parent(at))
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

bool cake_rule_launch_order(CakeOp *module) {
  bool ok = true;
  for (CakeOp *kernel = NULL; (kernel = cake_next_cake_op(module, kernel, cake_op_cake_kernel));) {
    CakeOp *wait = NULL;
    for (CakeOp *op = kernel; op && !wait; op = cake_op_walk_next(kernel, op, false))
      if (is_wait(op)) wait = op;
    for (CakeOp *op = wait ? kernel : NULL; op; op = cake_op_walk_next(kernel, op, false))
      ok &= check_op(op, wait);
  }
  return ok;
}
