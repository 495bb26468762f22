// The cake dialect: its constraints, and the structure around an op (role, kernel, pipeline, iterator).
#include "dialects/cake/cake_private.h"

#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/turns.h"

#include "cake/symbol.h"

#include <math.h>

// ---- Constraints ---------------------------------------------------------------------------------------------------

static bool is_global(CakeType type) {
  return cake_type_is(type, &cake_type_def_global);
}
static bool is_shared(CakeType type) {
  return cake_type_is(type, &cake_type_def_shared);
}
static bool is_tmem(CakeType type) {
  return cake_type_is(type, &cake_type_def_tmem);
}
static bool is_memory(CakeType type) {
  return is_shared(type) || is_tmem(type);
}
static bool is_slot(CakeType type) {
  return cake_type_is(type, &cake_type_def_slot);
}
static bool is_turn(CakeType type) {
  return cake_type_is(type, &cake_type_def_turn);
}
static bool is_pending(CakeType type) {
  return cake_type_is(type, &cake_type_def_pending);
}
static bool is_best(CakeType type) {
  return cake_type_is(type, &cake_type_def_best);
}

static bool is_fragment(CakeType type) {
  CakeFragment fragment;
  return cake_fragment_of(type, &fragment);
}

static bool is_accumulator(CakeType type) {
  CakeFragment fragment;
  if (is_pending(type)) return true;
  return cake_fragment_of(type, &fragment) && fragment.part == CAKE_FORM_WHOLE &&
         (fragment.kind == CAKE_FORM_MMA_ACC || fragment.kind == CAKE_FORM_WGMMA_ACC);
}

static bool is_mma_operand(CakeType type) {
  return is_shared(type) || is_fragment(type);
}

const CakeTypeConstraint cake_is_global = {"array in global memory (!cake.global)", is_global};
const CakeTypeConstraint cake_is_memory = {"view of shared or tensor memory (!cake.shared, !cake.tmem)", is_memory};
const CakeTypeConstraint cake_is_tmem = {"view of tensor memory (!cake.tmem)", is_tmem};
const CakeTypeConstraint cake_is_shared = {"view of shared memory (!cake.shared)", is_shared};
const CakeTypeConstraint cake_is_slot = {"slot of a pipeline (!cake.slot)", is_slot};
const CakeTypeConstraint cake_is_turn = {"turn of an order (!cake.turn)", is_turn};
const CakeTypeConstraint cake_is_pending = {"pending accumulator (!cake.pending)", is_pending};
const CakeTypeConstraint cake_is_best = {"running best (!cake.best)", is_best};
const CakeTypeConstraint cake_is_fragment = {"fragment (a tensor with a form, up to 2^24 elements a side)", is_fragment};
const CakeTypeConstraint cake_is_accumulator = {
    "accumulator (!cake.pending, or a fragment of form mma.acc or wgmma.acc)", is_accumulator};
const CakeTypeConstraint cake_is_mma_operand = {"fragment or view of shared memory", is_mma_operand};

bool cake_type_is_scalar_argument(CakeType type) {
  return cake_is_scalar.test(type);
}

#define ATTR_TEST(name)                                                                                                \
  static bool attr_is_##name(CakeAttr attr) {                                                                          \
    return cake_attr_is(attr, &cake_attr_def_##name);                                                                  \
  }
ATTR_TEST(expr)
ATTR_TEST(at)
ATTR_TEST(pred)
ATTR_TEST(axes)
ATTR_TEST(schedule)
ATTR_TEST(lets)
ATTR_TEST(parts)
ATTR_TEST(choices)
ATTR_TEST(via)
ATTR_TEST(form)

static bool attr_is_i64_array(CakeAttr attr) {
  if (!cake_attr_is(attr, &cake_attr_def_dense_array)) return false;
  return cake_type_is_integer(attr->params[0].type, 64);
}

static bool attr_is_number(CakeAttr attr) {
  if (cake_attr_is(attr, &cake_attr_def_integer)) return true;
  if (!cake_attr_is(attr, &cake_attr_def_float)) return false;
  return !isnan(cake_attr_float_value(attr)) || attr == cake_attr_float(cake_attr_value_type(attr), (double)NAN);
}

const CakeAttrConstraint cake_attr_is_expr = {"expression (#cake.expr)", attr_is_expr};
const CakeAttrConstraint cake_attr_is_at = {"coordinates (#cake.at)", attr_is_at};
const CakeAttrConstraint cake_attr_is_pred = {"predicate (#cake.pred)", attr_is_pred};
const CakeAttrConstraint cake_attr_is_axes = {"extents by name (#cake.axes)", attr_is_axes};
const CakeAttrConstraint cake_attr_is_schedule = {"schedule (#cake.schedule)", attr_is_schedule};
const CakeAttrConstraint cake_attr_is_lets = {"names of an item (#cake.lets)", attr_is_lets};
const CakeAttrConstraint cake_attr_is_parts = {"parts of a slot (#cake.parts)", attr_is_parts};
const CakeAttrConstraint cake_attr_is_choices = {"choices (#cake.choices)", attr_is_choices};
const CakeAttrConstraint cake_attr_is_via = {"way to copy (#cake.via)", attr_is_via};
const CakeAttrConstraint cake_attr_is_form = {"matrix instruction (#cake.form)", attr_is_form};
const CakeAttrConstraint cake_attr_is_i64_array = {"array of i64 (array<i64: …>)", attr_is_i64_array};
const CakeAttrConstraint cake_attr_is_float_or_integer = {"number (a NaN only without payload)", attr_is_number};

// ---- Structure -----------------------------------------------------------------------------------------------------

CakeOp *cake_op_role(const CakeOp *op) {
  return cake_op_parent_named(op, "cake.role");
}
CakeOp *cake_op_kernel(const CakeOp *op) {
  return cake_op_parent_named(op, "cake.kernel");
}

static CakeOp *lookup(const CakeOp *op, CakeId name, int enumerator) {
  CakeOp *found = name ? cake_symbol_lookup_name(op, name) : NULL;
  return found && cake_is_cake_op(found, enumerator) ? found : NULL;
}

static CakeOp *lookup_ref(const CakeOp *op, CakeAttr reference, int enumerator) {
  if (!cake_attr_is(reference, &cake_attr_def_symbol_ref)) return NULL;
  return lookup(op, cake_attr_symbol_root(reference), enumerator);
}

CakeOp *cake_op_pipeline(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_acquire))
    return lookup_ref(op, cake_cake_acquire_pipeline(op), cake_op_cake_pipeline);
  if (cake_is_cake_op(op, cake_op_cake_wait)) return lookup_ref(op, cake_cake_wait_pipeline(op), cake_op_cake_pipeline);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeType type = cake_op_operand(op, i)->type;
    if (is_slot(type)) return lookup(op, type->params[0].id, cake_op_cake_pipeline);
  }
  return NULL;
}

CakeOp *cake_op_order(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_take)) return lookup_ref(op, cake_cake_take_order(op), cake_op_cake_order);
  if (!cake_is_cake_op(op, cake_op_cake_pass)) return NULL;
  return lookup(op, cake_cake_pass_turn(op)->type->params[0].id, cake_op_cake_order);
}

bool cake_pipeline_has_tmem(const CakeOp *pipeline) {
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  for (size_t i = 0; i < cake_parts_count(parts); i++)
    if (is_tmem(cake_parts_type(parts, i))) return true;
  return false;
}

CakeOp *cake_op_tiles(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_items)) return lookup_ref(op, cake_cake_items_tiles(op), cake_op_cake_tiles);
  if (cake_is_cake_op(op, cake_op_cake_steps)) return lookup_ref(op, cake_cake_steps_tiles(op), cake_op_cake_tiles);
  return NULL;
}

// ---- Shapes of roles -----------------------------------------------------------------------------------------------

// Everything but `first_warp`.
static bool own_shape(const CakeOp *role, CakeRoleShape *out) {
  *out = (CakeRoleShape){.replicas = 1};
  CakeAttr warps = cake_cake_role_warps(role), groups = cake_cake_role_warpgroups(role),
           replicate = cake_cake_role_replicate(role), regs = cake_cake_role_regs(role);
  out->is_warpgroup = groups != NULL;
  if (!cake_expr_is_const(groups ? groups : warps, &out->warps)) return false;
  if (groups) out->warps = 4;
  if (replicate && !cake_expr_is_const(replicate, &out->replicas)) return false;
  if (regs && !cake_expr_is_const(regs, &out->regs)) return false;
  bool is_sane = out->warps >= 1 && out->warps <= 64 && out->replicas >= 1 && out->replicas <= 64;
  return is_sane;
}

static CakeOp *next_role(CakeOp *op) {
  while (op && !cake_is_cake_op(op, cake_op_cake_role))
    op = op->next;
  return op;
}

static CakeOp *first_role(const CakeOp *kernel) {
  CakeBlock *body = kernel->n_regions ? cake_op_region(kernel, 0)->first : NULL;
  return body ? next_role(body->first) : NULL;
}

static bool has_budgets(const CakeOp *kernel) {
  for (CakeOp *role = first_role(kernel); role; role = next_role(role->next))
    if (cake_cake_role_regs(role)) return true;
  return false;
}

// Gives every role its first warp; the warps of the CTA, or -1. `wanted` (may be NULL) is the role whose first warp is
// asked for.
static int64_t place_roles(const CakeOp *kernel, const CakeOp *wanted, int64_t *out_first) {
  int64_t next = 0;
  bool is_aligned = has_budgets(kernel);
  for (int pass = 0; pass < 2; pass++) {
    for (CakeOp *role = first_role(kernel); role; role = next_role(role->next)) {
      CakeRoleShape shape;
      if (!own_shape(role, &shape)) return -1;
      if (shape.is_warpgroup != (pass == 0)) continue;
      if (is_aligned) next = (next + 3) / 4 * 4;
      if (role == wanted) *out_first = next;
      next += shape.warps * shape.replicas;
    }
  }
  return is_aligned ? (next + 3) / 4 * 4 : next;
}

bool cake_role_shape(const CakeOp *role, CakeRoleShape *out) {
  CakeOp *kernel = cake_op_kernel(role);
  return own_shape(role, out) && kernel && place_roles(kernel, role, &out->first_warp) >= 0;
}

int64_t cake_pipeline_rings(const CakeOp *pipeline) {
  CakeRoleShape shape;
  if (!cake_cake_pipeline_each(pipeline)) return 1;
  CakeOp *role = lookup_ref(pipeline, cake_cake_pipeline_from(pipeline), cake_op_cake_role);
  return role && own_shape(role, &shape) ? shape.replicas : -1;
}

int64_t cake_kernel_threads(const CakeOp *kernel) {
  int64_t first, warps = place_roles(kernel, NULL, &first);
  return warps < 0 ? -1 : warps * 32;
}
