// Verification of declarations and structure: kernels, parameters, pipelines, iterators, roles, loops, slots.
#include "dialects/cake/cake_verify.h"

#include "cake/edit.h"
#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/turns.h"
#include "dialects/cake/ops/views.h"

#include "cake/symbol.h"

#include <string.h>

// ---- Expressions ---------------------------------------------------------------------------------------------------

static bool verify_leaf(CakeOp *op, const char *name, CakeAttr expr, size_t n, bool may_use_coordinates) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind == CAKE_EXPR_OPERAND && (cake_expr_value(expr) < 0 || (uint64_t)cake_expr_value(expr) >= n))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' uses d%lld, but has %zu operand(s)", name,
                      (long long)cake_expr_value(expr), n);
  if ((kind == CAKE_EXPR_ROW || kind == CAKE_EXPR_COL) && !may_use_coordinates)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' uses an element's coordinates, which only `keep` can", name);
  if (kind == CAKE_EXPR_UNKNOWN) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' must not hold `?`", name);
  if (kind == CAKE_EXPR_RANK && !(cake_op_kernel(op) && cake_cake_kernel_cluster(cake_op_kernel(op))) &&
      cake_op_cluster(op) == 1)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' uses `rank`, but this kernel has no cluster", name);
  if (kind == CAKE_EXPR_INSTANCE && !cake_op_role(op))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' uses `instance` outside of a role", name);
  return true;
}

static bool verify_tree(CakeOp *op, const char *name, CakeAttr expr, size_t n, bool may_use_coordinates) {
  CakeExprKind kind = cake_expr_kind(expr);
  bool divides = kind == CAKE_EXPR_FLOORDIV || kind == CAKE_EXPR_CEILDIV || kind == CAKE_EXPR_MOD;
  int64_t divisor;
  if (kind < CAKE_EXPR_ADD) return verify_leaf(op, name, expr, n, may_use_coordinates);
  if (divides && cake_expr_is_const(cake_expr_rhs(expr), &divisor) && divisor == 0)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "'%s' divides by 0: %s", name, cake_body_text(expr));
  return verify_tree(op, name, cake_expr_lhs(expr), n, may_use_coordinates) &&
         verify_tree(op, name, cake_expr_rhs(expr), n, may_use_coordinates);
}

bool cake_verify_expr(CakeOp *op, const char *name, CakeAttr attr, size_t n) {
  if (!attr) return n == 0 || cake_error(op, CAKE_CODE_IR_OPERANDS, "has operands of '%s', but no '%s'", name, name);
  if (attr->def == &cake_attr_def_expr) return verify_tree(op, name, attr, n, false);
  if (attr->def == &cake_attr_def_at) {
    for (size_t i = 0; i < cake_at_count(attr); i++)
      if (!verify_tree(op, name, cake_at_expr(attr, i), n, false)) return false;
    return true;
  }
  bool is_keep = strcmp(name, "keep") == 0;
  for (size_t i = 0; i < cake_pred_count(attr); i++) {
    CakePredTerm term = cake_pred_term(attr, i);
    if (!verify_tree(op, name, term.lhs, n, is_keep) || !verify_tree(op, name, term.rhs, n, is_keep)) return false;
  }
  return true;
}

bool cake_verify_number(CakeOp *op, const char *name, CakeAttr expr, int64_t least, int64_t most, CakeCode code) {
  int64_t value;
  if (!expr) return true;
  if (!cake_verify_expr(op, name, expr, 0)) return false;
  if (!cake_expr_is_const(expr, &value) || (value >= least && value <= most)) return true;
  return cake_error(op, code, "%s must be from %lld to %lld, but is %lld", name, (long long)least, (long long)most,
                    (long long)value);
}

// ---- Kernels -------------------------------------------------------------------------------------------------------

static bool verify_arg_names(CakeOp *op, const CakeBlock *body) {
  CakeAttr names = cake_cake_kernel_arg_names(op);
  if (cake_attr_count(names) != body->n_args)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %u argument(s), but %zu name(s) in 'arg_names'", body->n_args,
                      cake_attr_count(names));
  for (size_t i = 0; i < body->n_args; i++)
    for (size_t j = 0; j < i; j++)
      if (cake_attr_element(names, i) == cake_attr_element(names, j))
        return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "two arguments are named '%.*s'",
                          CAKE_STR_ARG(cake_attr_string_value(cake_attr_element(names, i))));
  return true;
}

static bool verify_arg_types(CakeOp *op, const CakeBlock *body) {
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    if (!cake_type_is(type, &cake_type_def_global) && !cake_type_is_scalar_argument(type))
      return cake_error_at(op->context, cake_value_loc(body->args[i]), CAKE_CODE_IR_REGIONS,
                           "an argument of a kernel must be an array in global memory or a scalar, but this is '%s'",
                           cake_type_text(type));
  }
  return true;
}

bool cake_kernel_verify(CakeOp *op) {
  CakeBlock *body = cake_op_region(op, 0)->first;
  CakeAttr targets = cake_cake_kernel_target(op);
  if (!body) return cake_error(op, CAKE_CODE_IR_REGIONS, "has no body");
  if (cake_attr_count(targets) == 0) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "names no target");
  return verify_arg_names(op, body) && verify_arg_types(op, body) && cake_verify_cluster(op) &&
         cake_verify_family(op) && cake_verify_expr(op, "guard", cake_cake_kernel_guard(op), 0);
}

// A role is executed as a whole: ops of single threads, and barriers that count them, stand in a gpu.func.
static bool verify_level(CakeOp *kernel) {
  bool ok = true;
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    if (op->info->dialect && strcmp(op->info->dialect->name, "gpu") == 0)
      ok = cake_error(op, CAKE_CODE_ROLE_STRUCTURE,
                      "is of the thread level, which stands in a gpu.func: a role has no threads of its own");
  return ok;
}

// What stands in a kernel: declarations, then roles.
static bool verify_body(CakeOp *kernel) {
  CakeOp *role = NULL;
  bool ok = verify_level(kernel);
  for (CakeOp *op = cake_op_region(kernel, 0)->first->first; op; op = op->next) {
    if (op->info->dialect != &cake_dialect_cake || !op->info->def) {
      ok = cake_error(op, CAKE_CODE_ROLE_STRUCTURE,
                      "stands outside of a role: a kernel holds declarations and roles only");
      continue;
    }
    int kind = (int)op->info->def->ordinal;
    bool is_declaration = kind == cake_op_cake_param || kind == cake_op_cake_require || kind == cake_op_cake_pipeline ||
                          kind == cake_op_cake_tiles || kind == cake_op_cake_buffer || kind == cake_op_cake_barrier ||
                          kind == cake_op_cake_order;
    if (kind == cake_op_cake_role) {
      if (!role) role = op;
    } else if (is_declaration && role) {
      CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_ROLE_STRUCTURE, "declares something behind the first role");
      cake_diag_note(op->context, d, role->loc, "the first role is here");
      ok = cake_diag_emit(op->context, d);
    } else if (!is_declaration && kind != cake_op_cake_end) {
      ok = cake_error(op, CAKE_CODE_ROLE_STRUCTURE,
                      "stands outside of a role: a kernel holds declarations and roles only");
    }
  }
  return ok && (role || cake_error(kernel, CAKE_CODE_ROLE_STRUCTURE, "has no role"));
}

// Names that expressions may use: parameters, and sizes that an argument's type names alone (`[N]`).
typedef struct Names {
  CakeOp *kernel;
  CakeMap known;   // CakeId
  CakeMap checked; // types and attributes that use such names only
  bool ok;
} Names;

static void collect_names(Names *names) {
  const CakeBlock *body = cake_op_region(names->kernel, 0)->first;
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    for (size_t d = 0; cake_type_is(type, &cake_type_def_global) && d < cake_global_rank(type); d++) {
      CakeAttr dim = cake_global_dim(type, d);
      if (cake_expr_kind(dim) == CAKE_EXPR_NAME) cake_map_set(&names->known, cake_expr_name_of(dim), 1);
    }
  }
  CakeAttr sizes = cake_cake_kernel_sizes(names->kernel);
  for (size_t i = 0; sizes && i < cake_attr_count(sizes); i++)
    cake_map_set(&names->known, cake_id(names->kernel->context, cake_attr_string_value(cake_attr_element(sizes, i))),
                 1);
  for (CakeOp *op = body->first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_param) && cake_symbol_name(op))
      cake_map_set(&names->known, cake_symbol_name(op), 1);
}

// Names of an item: inside of its loop, and (with the axes) in the declaration.
static bool is_name_of_item(CakeOp *op, CakeId name) {
  CakeOp *items = cake_is_cake_op(op, cake_op_cake_items) ? op : cake_op_parent_named(op, "cake.items");
  CakeOp *tiles = cake_is_cake_op(op, cake_op_cake_tiles) ? op : items ? cake_op_tiles(items) : NULL;
  if (!tiles) return false;
  return cake_lets_have(cake_cake_tiles_let(tiles), name) ||
         (tiles == op && cake_axes_find(cake_cake_tiles_axes(tiles), name) >= 0);
}

// Whether all names are the kernel's, so that no other op need look again.
static bool check_params(Names *names, CakeOp *op, const void *key, const CakeAttrDef *def, const CakeParam *params,
                         size_t count) {
  uintptr_t ignored;
  bool is_global = true;
  if (cake_map_get(&names->checked, key, &ignored)) return true;
  if (def == &cake_attr_def_expr && params[0].i == CAKE_EXPR_NAME &&
      !cake_map_get(&names->known, params[1].id, &ignored)) {
    is_global = false;
    if (!is_name_of_item(op, params[1].id))
      names->ok = cake_error(op, CAKE_CODE_IR_SYMBOL,
                             "uses '%.*s', which is neither a parameter nor a size `[%.*s]` of an argument",
                             CAKE_STR_ARG(cake_id_str(params[1].id)), CAKE_STR_ARG(cake_id_str(params[1].id)));
  }
  for (size_t i = 0; i < count; i++) {
    if (params[i].kind == CAKE_PARAM_ATTR && params[i].attr)
      is_global &=
          check_params(names, op, params[i].attr, params[i].attr->def, params[i].attr->params, params[i].attr->count);
    if (params[i].kind == CAKE_PARAM_TYPE && params[i].type)
      is_global &= check_params(names, op, params[i].type, NULL, params[i].type->params, params[i].type->count);
  }
  if (is_global) cake_map_set(&names->checked, key, 1);
  return is_global;
}

static void check_op_names(Names *names, CakeOp *op) {
  for (uint32_t i = 0; i < op->info->n_props; i++)
    if (cake_op_prop(op, i))
      check_params(names, op, cake_op_prop(op, i), cake_op_prop(op, i)->def, cake_op_prop(op, i)->params,
                   cake_op_prop(op, i)->count);
  for (uint32_t i = 0; i < op->n_results; i++)
    check_params(names, op, op->results[i].type, NULL, op->results[i].type->params, op->results[i].type->count);
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (const CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      for (uint32_t i = 0; i < block->n_args; i++)
        check_params(names, op, block->args[i]->type, NULL, block->args[i]->type->params, block->args[i]->type->count);
}

static bool verify_names(CakeOp *kernel) {
  Names names = {.kernel = kernel, .ok = true};
  collect_names(&names);
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    check_op_names(&names, op);
  cake_map_fini(&names.known);
  cake_map_fini(&names.checked);
  return names.ok;
}

// ---- Capture: registers of one role do not exist in another. -----------

static const char *role_name(const CakeOp *role) {
  CakeId name = cake_symbol_name(role);
  return name ? name->text : "?";
}

static bool report_capture(CakeOp *op, const CakeValue *value, const CakeOp *role, const CakeOp *owner) {
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_ROLE_CAPTURE, "in role '@%s' uses %s, a value of role '@%s'",
                                       role_name(role), cake_value_text(value), role_name(owner));
  cake_diag_note(op->context, d, cake_value_loc(value), "it is defined here");
  cake_diag_fix(op->context, d, "hand the data over in a slot of a pipeline, or compute it in this role");
  return cake_diag_emit(op->context, d);
}

// The role that a value belongs to; NULL: the kernel's.
static const CakeOp *owner_of(const CakeValue *value) {
  CakeBlock *block = cake_value_block(value);
  CakeOp *around = block ? cake_block_parent(block) : NULL;
  if (!around || cake_is_cake_op(around, cake_op_cake_role)) return around;
  return cake_op_role(around);
}

static bool verify_captures(CakeOp *role) {
  bool ok = true;
  for (CakeOp *op = role; op; op = cake_op_walk_next(role, op, false)) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
      const CakeValue *value = cake_op_operand(op, i);
      const CakeOp *owner = value ? owner_of(value) : NULL;
      bool is_again = i > 0 && cake_op_operand(op, i - 1) == value;
      if (owner && owner != role && !is_again) ok = report_capture(op, value, role, owner);
    }
  }
  return ok;
}

bool cake_kernel_verify_regions(CakeOp *op) {
  bool ok = verify_body(op);
  for (CakeOp *role = cake_op_region(op, 0)->first->first; role; role = role->next)
    if (cake_is_cake_op(role, cake_op_cake_role)) ok &= verify_captures(role);
  return verify_names(op) && ok;
}

// ---- Declarations --------------------------------------------------------------------------------------------------

bool cake_param_verify(CakeOp *op) {
  CakeAttr choices = cake_cake_param_choices(op);
  int64_t value = cake_attr_int_value(cake_cake_param_value(op));
  if (cake_choices_contain(choices, value)) return true;
  return cake_error(op, CAKE_CODE_PARAM_CHOICE, "has the default %lld, which is not among its choices %s",
                    (long long)value, cake_body_text(choices));
}

bool cake_verify_shared(CakeOp *op, CakeType type, const char *what, CakeStr name) {
  CakeStorage storage = cake_shared_storage(type);
  int64_t width = cake_shared_panel(type);
  for (size_t i = 0; i < cake_shared_rank(type); i++)
    if (cake_shared_size(type, i) > CAKE_MAX_EXTENT)
      return cake_error(op, CAKE_CODE_SHARED_CAPACITY, "%s '%.*s' has %lld elements in dimension %zu; at most %d", what,
                        CAKE_STR_ARG(name), (long long)cake_shared_size(type, i), i, CAKE_MAX_EXTENT);
  if (!width) return true;
  if (cake_shared_rank(type) != 2)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "%s '%.*s' is stored as %s, which needs two dimensions", what,
                      CAKE_STR_ARG(name), cake_storage_name(storage));
  int64_t rows = cake_shared_size(type, 0), cols = cake_shared_size(type, 1),
          size = cake_type_width(cake_shared_element(type)) / 8;
  if (rows >= 0 && (rows == 0 || rows % 8 != 0))
    return cake_error(op, CAKE_CODE_ALIGNMENT, "%s '%.*s' has %lld rows; %s needs a multiple of 8", what,
                      CAKE_STR_ARG(name), (long long)rows, cake_storage_name(storage));
  if (cols < 0 || (cols > 0 && cols * size % width == 0)) return true;
  return cake_error(op, CAKE_CODE_ALIGNMENT, "%s '%.*s' has rows of %lld bytes; %s needs a multiple of %lld", what,
                    CAKE_STR_ARG(name), (long long)(cols * size), cake_storage_name(storage), (long long)width);
}

static bool verify_end(CakeOp *op, CakeAttr reference, const char *word) {
  CakeOp *role = cake_symbol_lookup(op, reference);
  if (role && cake_is_cake_op(role, cake_op_cake_role)) return true;
  return cake_error(op, CAKE_CODE_IR_SYMBOL, "`%s` names %s, which is no role of this kernel", word,
                    cake_attr_text(reference));
}

// `to(store)`: one part a slot, in a form that the bulk-store engine reads.
static bool verify_store_pipeline(CakeOp *op) {
  CakeAttr parts = cake_cake_pipeline_parts(op);
  bool is_store = cake_cake_pipeline_store(op) != NULL;
  if (is_store == (cake_cake_pipeline_to(op) != NULL))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "needs either `to(@role)` or `to(store)`");
  if (!is_store && cake_cake_pipeline_each(op))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                      "`each` gives a replica slots that nobody else can empty; it needs `to(store)`");
  if (!is_store) return true;
  if (cake_parts_count(parts) != 1)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu parts a slot; one store writes one part",
                      cake_parts_count(parts));
  CakeType part = cake_parts_type(parts, 0);
  bool is_fine = cake_type_is(part, &cake_type_def_shared) && !cake_shared_pad(part);
  return is_fine ||
         cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "the store engine reads swizzled storage and `rows` without padding, but the part is '%s'",
                    cake_type_text(part));
}

bool cake_pipeline_decl_verify(CakeOp *op) {
  CakeAttr parts = cake_cake_pipeline_parts(op);
  if (cake_parts_count(parts) == 0) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has slots without parts");
  if (cake_parts_count(parts) > 15) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has more than 15 parts");
  bool ok = cake_verify_number(op, "stages", cake_cake_pipeline_stages(op), 1, 64, CAKE_CODE_IR_SEMANTICS);
  for (size_t i = 0; i < cake_parts_count(parts); i++) {
    CakeStr name = cake_id_str(cake_parts_name(parts, i));
    CakeType type = cake_parts_type(parts, i);
    bool is_tmem = cake_type_is(type, &cake_type_def_tmem);
    if (!is_tmem && !cake_type_is(type, &cake_type_def_shared))
      return cake_error(op, CAKE_CODE_IR_ATTRIBUTES,
                        "part '%.*s' of a slot is memory (!cake.shared, !cake.tmem), not '%s'", CAKE_STR_ARG(name),
                        cake_type_text(type));
    ok &= is_tmem ? cake_verify_tmem(op, type, name) : cake_verify_shared(op, type, "part", name);
  }
  if (!verify_store_pipeline(op)) return false;
  if (!cake_op_kernel(op)) return ok; // behind the expansion of roles there are none
  ok &= verify_end(op, cake_cake_pipeline_from(op), "from");
  return (cake_cake_pipeline_store(op) || verify_end(op, cake_cake_pipeline_to(op), "to")) && ok;
}

bool cake_buffer_verify(CakeOp *op) {
  CakeType type = op->results[0].type;
  const CakeValue *alias = cake_cake_buffer_alias(op);
  const CakeOp *other = alias ? cake_value_def(alias) : NULL;
  if (!cake_verify_shared(op, type, "buffer", cake_str(cake_value_text(&op->results[0])))) return false;
  if (!alias) return true;
  if (!other || !cake_is_cake_op(other, cake_op_cake_buffer))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "takes the bytes of %s, which is no buffer", cake_value_text(alias));
  if (cake_cake_buffer_alias(other))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "takes the bytes of a buffer that has none of its own");
  if (!cake_cake_buffer_each(op) != !cake_cake_buffer_each(other))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                      "and the buffer whose bytes it takes must both be `each`, or neither");
  int64_t bytes = cake_shared_bytes(type), room = cake_shared_bytes(alias->type);
  if (bytes >= 0 && room >= 0 && bytes > room)
    return cake_error(op, CAKE_CODE_SHARED_CAPACITY, "needs %lld bytes, but takes those of a buffer of %lld",
                      (long long)bytes, (long long)room);
  if (cake_shared_alignment(type) <= cake_shared_alignment(alias->type)) return true;
  return cake_error(op, CAKE_CODE_ALIGNMENT, "is aligned to %lld bytes, but the buffer whose bytes it takes to %lld",
                    (long long)cake_shared_alignment(type), (long long)cake_shared_alignment(alias->type));
}

bool cake_role_verify(CakeOp *op) {
  CakeAttr warps = cake_cake_role_warps(op), groups = cake_cake_role_warpgroups(op), regs = cake_cake_role_regs(op);
  int64_t value;
  if (!warps == !groups) return cake_error(op, CAKE_CODE_ROLE_STRUCTURE, "needs either `warps` or `warpgroups`");
  if (!cake_verify_number(op, "warps", warps, 1, 32, CAKE_CODE_ROLE_STRUCTURE) ||
      !cake_verify_number(op, "warpgroups", groups, 1, 1, CAKE_CODE_ROLE_STRUCTURE) ||
      !cake_verify_number(op, "replicate", cake_cake_role_replicate(op), 1, 32, CAKE_CODE_ROLE_STRUCTURE) ||
      !cake_verify_number(op, "regs", regs, 24, 256, CAKE_CODE_REG_BUDGET))
    return false;
  if (!regs || !cake_expr_is_const(regs, &value) || value % 8 == 0) return true;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_REG_BUDGET,
                                       "asks for %lld registers; the number must be a multiple of 8", (long long)value);
  cake_diag_fix(op->context, d, "write regs(%lld)", (long long)(value / 8 * 8));
  return cake_diag_emit(op->context, d);
}

// ---- Orders --------------------------------------------------------------------------------------------------------

bool cake_order_verify(CakeOp *op) {
  CakeAttr over = cake_cake_order_over(op);
  int64_t replicas = 1;
  if (!verify_end(op, over, "over")) return false;
  CakeOp *role = cake_symbol_lookup(op, over);
  CakeAttr replicate = cake_cake_role_replicate(role);
  if (replicate && (!cake_expr_is_const(replicate, &replicas) || replicas > 1)) return true;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_ROLE_STRUCTURE, "is over role %s, of which there is one instance",
                                       cake_attr_text(over));
  cake_diag_note(op->context, d, role->loc, "the role is here");
  cake_diag_fix(op->context, d, "delete the order and its turns, or give the role `replicate(2)`");
  return cake_diag_emit(op->context, d);
}

bool cake_take_verify(CakeOp *op) {
  CakeOp *order = cake_op_order(op), *role = cake_op_role(op);
  if (!order)
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "names %s, which is no order", cake_attr_text(cake_cake_take_order(op)));
  if (!role) return cake_error(op, CAKE_CODE_ROLE_STRUCTURE, "stands outside of a role");
  if (cake_symbol_lookup(op, cake_cake_order_over(order)) == role) return true;
  CakeDiagnostic *d = cake_error_begin(
      op, CAKE_CODE_ROLE_STRUCTURE, "role '@%s' takes a turn of %s, which is over role %s", role_name(role),
      cake_attr_text(cake_cake_take_order(op)), cake_attr_text(cake_cake_order_over(order)));
  cake_diag_note(op->context, d, order->loc, "the order is declared here");
  return cake_diag_emit(op->context, d);
}

// ---- Loops ---------------------------------------------------------------------------------------------------------

static CakeCode carried_code(CakeType a, CakeType b) {
  bool is_linear = cake_type_is_linear(a) || cake_type_is_linear(b);
  return is_linear ? CAKE_CODE_TOKEN_LOOP_TYPE : CAKE_CODE_IR_OPERANDS;
}

static bool verify_carried(CakeOp *op, const CakeBlock *body, CakeOperandRange iter, uint32_t n_axes) {
  for (uint32_t i = 0; i < iter.count; i++) {
    CakeType from = iter.first[i].value->type, in = body->args[n_axes + i]->type;
    if (from != in)
      return cake_error(op, carried_code(from, in), "carried value #%u is '%s' before the loop, but '%s' inside", i,
                        cake_type_text(from), cake_type_text(in));
  }
  CakeOp *yield = body->last;
  if (!yield || !cake_is_cake_op(yield, cake_op_cake_yield))
    return cake_error(op, CAKE_CODE_IR_REGIONS, "must end in 'cake.yield'");
  if (yield->n_operands != iter.count)
    return cake_error(yield, CAKE_CODE_IR_OPERANDS, "hands on %u value(s), but the loop carries %u", yield->n_operands,
                      iter.count);
  for (uint32_t i = 0; i < iter.count; i++) {
    CakeType out = cake_op_operand(yield, i)->type, in = body->args[n_axes + i]->type;
    if (out != in)
      return cake_error(yield, carried_code(out, in), "hands on '%s' as carried value #%u, which is '%s'",
                        cake_type_text(out), i, cake_type_text(in));
  }
  return true;
}

// The arguments of the body are one index an axis, then the carried values.
static bool verify_loop(CakeOp *op, CakeOperandRange iter, size_t n_axes) {
  CakeBlock *body = cake_op_region(op, 0)->first;
  if (!body) return cake_error(op, CAKE_CODE_IR_REGIONS, "has no body");
  if (body->n_args != n_axes + iter.count)
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "has %u argument(s) in its body; %zu index(es) and %u carried value(s) were expected",
                      body->n_args, n_axes, iter.count);
  for (size_t i = 0; i < n_axes; i++)
    if (!cake_type_is_index(body->args[i]->type))
      return cake_error(op, CAKE_CODE_IR_REGIONS, "argument #%zu of its body must be of type 'index'", i);
  return verify_carried(op, body, iter, (uint32_t)n_axes);
}

static CakeOp *tiles_of(CakeOp *op, CakeAttr reference) {
  CakeOp *tiles = cake_op_tiles(op);
  if (!tiles)
    cake_error(op, CAKE_CODE_IR_SYMBOL, "names %s, which is no iterator (cake.tiles)", cake_attr_text(reference));
  return tiles;
}

bool cake_items_verify(CakeOp *op) {
  CakeOp *tiles = tiles_of(op, cake_cake_items_tiles(op));
  if (!tiles) return false;
  CakeOp *outer = cake_op_parent_named(op, "cake.items");
  if (outer) return cake_error(op, CAKE_CODE_ROLE_STRUCTURE, "stands inside of another loop over items");
  return verify_loop(op, cake_cake_items_iter(op), cake_axes_count(cake_cake_tiles_axes(tiles)));
}

bool cake_steps_verify(CakeOp *op) {
  CakeOp *tiles = tiles_of(op, cake_cake_steps_tiles(op));
  if (!tiles) return false;
  CakeOp *items = cake_op_parent_named(op, "cake.items");
  if (!items || cake_op_tiles(items) != tiles)
    return cake_error(op, CAKE_CODE_ROLE_STRUCTURE, "must stand inside of the items of %s",
                      cake_attr_text(cake_cake_steps_tiles(op)));
  if (cake_op_parent_named(op, "cake.steps"))
    return cake_error(op, CAKE_CODE_ROLE_STRUCTURE, "stands inside of another loop over steps");
  if (!cake_cake_tiles_steps(tiles))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "%s has no steps", cake_attr_text(cake_cake_steps_tiles(op)));
  return cake_verify_number(op, "from", cake_cake_steps_from(op), 0, INT32_MAX, CAKE_CODE_IR_SEMANTICS) &&
         verify_loop(op, cake_cake_steps_iter(op), 1);
}

bool cake_unroll_verify(CakeOp *op) {
  int64_t lower, upper;
  enum { MOST_ROUNDS = 256 };
  if (!cake_verify_number(op, "lower", cake_cake_unroll_lower(op), INT32_MIN, INT32_MAX, CAKE_CODE_IR_SEMANTICS) ||
      !cake_verify_number(op, "upper", cake_cake_unroll_upper(op), INT32_MIN, INT32_MAX, CAKE_CODE_IR_SEMANTICS) ||
      !verify_loop(op, cake_cake_unroll_iter(op), 1))
    return false;
  if (!cake_expr_is_const(cake_cake_unroll_lower(op), &lower) ||
      !cake_expr_is_const(cake_cake_unroll_upper(op), &upper))
    return true;
  return upper - lower <= MOST_ROUNDS ||
         cake_error(op, CAKE_CODE_IR_SEMANTICS, "has %lld rounds; at most %d are unrolled", (long long)(upper - lower),
                    MOST_ROUNDS);
}

// ---- Slots ---------------------------------------------------------------------------------------------------------

// Only the declared role may operate this end of a pipeline.
static bool verify_owner(CakeOp *op, CakeAttr reference, bool is_from) {
  CakeOp *pipeline = cake_op_pipeline(op), *role = cake_op_role(op);
  if (!pipeline)
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "names %s, which is no pipeline", cake_attr_text(reference));
  if (!role) return !cake_op_kernel(op) || cake_error(op, CAKE_CODE_ROLE_STRUCTURE, "stands outside of a role");
  CakeAttr owner = is_from ? cake_cake_pipeline_from(pipeline) : cake_cake_pipeline_to(pipeline);
  if (!owner)
    return cake_error(op, CAKE_CODE_PIPE_OWNER, "role '@%s' empties pipeline '%s', but the store engine does that",
                      role_name(role), cake_attr_text(reference));
  if (cake_symbol_lookup(op, owner) == role) return true;
  CakeDiagnostic *d = cake_error_begin(
      op, CAKE_CODE_PIPE_OWNER, "role '@%s' %s pipeline '%s', but only its `%s` role '%s' may", role_name(role),
      is_from ? "fills" : "empties", cake_attr_text(reference), is_from ? "from" : "to", cake_attr_text(owner));
  cake_diag_note(op->context, d, pipeline->loc, "the pipeline is declared here");
  cake_diag_fix(op->context, d, "delete the op, or declare `%s(@%s)`", is_from ? "from" : "to", role_name(role));
  if (!op->n_results) cake_diag_delete(d, op);
  return cake_diag_emit(op->context, d);
}

bool cake_acquire_verify(CakeOp *op) {
  return verify_owner(op, cake_cake_acquire_pipeline(op), true);
}
bool cake_wait_verify(CakeOp *op) {
  return verify_owner(op, cake_cake_wait_pipeline(op), false);
}

static bool verify_state(CakeOp *op, CakeValue *slot, CakeSlotState wanted) {
  if (slot->type->params[1].i == (int64_t)wanted) return true;
  bool is_open = wanted == CAKE_SLOT_OPEN;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_IR_OPERANDS, "needs %s slot, but got '%s'",
                                       is_open ? "an open" : "a full", cake_type_text(slot->type));
  cake_diag_fix(op->context, d,
                is_open ? "a slot from `cake.wait` is given back by `cake.release`"
                        : "a slot from `cake.acquire` is handed on by `cake.commit`");
  return cake_diag_emit(op->context, d);
}

// Slots of a pipeline `to(store)` say where they go, and no others.
static bool verify_target(CakeOp *op) {
  CakeOp *pipeline = cake_op_pipeline(op);
  CakeValue *global = cake_cake_commit_global(op);
  CakeAttr at = cake_cake_commit_at(op);
  if (!pipeline) return true; // another verifier's
  if (cake_cake_commit_reduce(op) && !global)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has 'reduce', but no array; it is said of `to(%%array[…])`");
  if (cake_cake_commit_after(op) || cake_pipeline_has_tmem(pipeline)) return cake_verify_commit_after(op, pipeline);
  if (!cake_cake_pipeline_store(pipeline) && global) {
    CakeDiagnostic *d =
        cake_error_begin(op, CAKE_CODE_IR_SEMANTICS, "stores a slot of pipeline '@%s', which a role empties",
                         cake_symbol_name(pipeline)->text);
    cake_diag_note(op->context, d, pipeline->loc, "the pipeline is declared here");
    cake_diag_fix(op->context, d, "declare it with `to(store)`");
    return cake_diag_emit(op->context, d);
  }
  if (!cake_cake_pipeline_store(pipeline))
    return !at || cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has 'at', but no array");
  if (!global || !at) {
    CakeDiagnostic *d =
        cake_error_begin(op, CAKE_CODE_IR_OPERANDS, "does not say where a slot of pipeline '@%s' is stored",
                         cake_symbol_name(pipeline)->text);
    cake_diag_note(op->context, d, pipeline->loc, "the pipeline is declared here");
    cake_diag_fix(op->context, d, "write `to(%%array[…])`");
    return cake_diag_emit(op->context, d);
  }
  return cake_verify_stored_view(op, global, at, cake_cake_commit_at_idx(op),
                                 cake_parts_type(cake_cake_pipeline_parts(pipeline), 0), cake_cake_commit_reduce(op));
}

bool cake_commit_verify(CakeOp *op) {
  return verify_state(op, cake_cake_commit_slot(op), CAKE_SLOT_OPEN) && verify_target(op);
}
bool cake_release_verify(CakeOp *op) {
  return verify_state(op, cake_cake_release_slot(op), CAKE_SLOT_FULL);
}
