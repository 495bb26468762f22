// Verification of what roles do together beside pipelines (barriers, calls) and of ops that only name or hint.
#include "dialects/cake/cake_verify.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/role.h"

#include "cake/symbol.h"

// ---- Barriers ------------------------------------------------------------------------------------------------------

static bool has_symbol(CakeAttr list, CakeAttr symbol) {
  for (size_t i = 0; list && i < cake_attr_count(list); i++)
    if (cake_attr_element(list, i) == symbol) return true;
  return false;
}

static bool verify_roles(CakeOp *op, CakeAttr list) {
  for (size_t i = 0; list && i < cake_attr_count(list); i++) {
    CakeAttr symbol = cake_attr_element(list, i);
    CakeOp *role = cake_attr_is(symbol, &cake_attr_def_symbol_ref) ? cake_symbol_lookup(op, symbol) : NULL;
    if (!role || !cake_is_cake_op(role, cake_op_cake_role))
      return cake_error(op, CAKE_CODE_IR_SYMBOL, "names %s, which is no role of this kernel", cake_attr_text(symbol));
    for (size_t j = 0; j < i; j++)
      if (cake_attr_element(list, j) == symbol)
        return cake_error(op, CAKE_CODE_IR_SYMBOL, "names %s twice", cake_attr_text(symbol));
  }
  return true;
}

bool cake_barrier_has_role(const CakeOp *barrier, CakeAttr symbol) {
  return has_symbol(cake_cake_barrier_arrive(barrier), symbol) || has_symbol(cake_cake_barrier_meet(barrier), symbol);
}

bool cake_barrier_verify(CakeOp *op) {
  CakeAttr arrive = cake_cake_barrier_arrive(op), meet = cake_cake_barrier_meet(op);
  if (!verify_roles(op, arrive) || !verify_roles(op, meet)) return false;
  if (cake_attr_count(meet) == 0) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has no role that waits");
  for (size_t i = 0; arrive && i < cake_attr_count(arrive); i++)
    if (has_symbol(meet, cake_attr_element(arrive, i)))
      return cake_error(op, CAKE_CODE_IR_SYMBOL, "has %s arrive and meet",
                        cake_attr_text(cake_attr_element(arrive, i)));
  return true;
}

static bool verify_end(CakeOp *op, CakeAttr reference, bool is_meet) {
  CakeOp *barrier = cake_symbol_lookup(op, reference), *role = cake_op_role(op);
  if (!barrier || !cake_is_cake_op(barrier, cake_op_cake_barrier))
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "names %s, which is no barrier", cake_attr_text(reference));
  if (!role) return cake_error(op, CAKE_CODE_ROLE_STRUCTURE, "stands outside of a role");
  CakeId name = cake_symbol_name(role);
  CakeAttr symbol = cake_attr_symbol_ref(op->context, name, NULL, 0);
  if (has_symbol(is_meet ? cake_cake_barrier_meet(barrier) : cake_cake_barrier_arrive(barrier), symbol)) return true;
  const char *word = is_meet ? "meet" : "arrive";
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_ROLE_STRUCTURE,
                                       "in role '@%s' comes to barrier %s, of whose `%s` roles it is none", name->text,
                                       cake_attr_text(reference), word);
  cake_diag_note(op->context, d, barrier->loc, "the barrier is declared here");
  cake_diag_fix(op->context, d, "declare `%s(…, @%s)`", word, name->text);
  return cake_diag_emit(op->context, d);
}

bool cake_meet_verify(CakeOp *op) {
  return verify_end(op, cake_cake_meet_barrier(op), true);
}
bool cake_arrive_verify(CakeOp *op) {
  return verify_end(op, cake_cake_arrive_barrier(op), false);
}

// ---- Calls ---------------------------------------------------------------------------------------------------------

static CakeType function_type(const CakeOp *function) {
  return cake_attr_value_type(cake_op_attr_text(function, "function_type"));
}

static bool verify_signature(CakeOp *op, const CakeOp *function) {
  CakeType type = function_type(function);
  CakeOperandRange args = cake_cake_call_args(op);
  if (args.count != cake_type_function_inputs(type) || op->n_results != cake_type_function_results(type))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "hands over %u value(s) and takes %u, but the function is '%s'",
                      args.count, op->n_results, cake_type_text(type));
  for (uint32_t i = 0; i < args.count; i++)
    if (args.first[i].value->type != cake_type_function_input(type, i))
      return cake_error(op, CAKE_CODE_IR_OPERANDS, "hands over '%s' as argument #%u, which is '%s'",
                        cake_type_text(args.first[i].value->type), i,
                        cake_type_text(cake_type_function_input(type, i)));
  for (uint32_t i = 0; i < op->n_results; i++)
    if (op->results[i].type != cake_type_function_result(type, i))
      return cake_error(op, CAKE_CODE_IR_RESULTS, "takes '%s' as result #%u, which is '%s'",
                        cake_type_text(op->results[i].type), i, cake_type_text(cake_type_function_result(type, i)));
  return true;
}

bool cake_call_verify(CakeOp *op) {
  CakeAttr callee = cake_cake_call_callee(op);
  CakeOp *function = cake_symbol_lookup(op, callee);
  if (!function || !cake_op_is(function, "func.func"))
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "calls %s, which is no function", cake_attr_text(callee));
  const CakeBlock *body = cake_region_entry(cake_op_region(function, 0));
  if (!body || body->next || !body->last || !cake_op_is(body->last, "func.return")) {
    CakeDiagnostic *d =
        cake_error_begin(op, CAKE_CODE_IR_SYMBOL, "calls %s, which has no body of one block: it cannot be inlined",
                         cake_attr_text(callee));
    cake_diag_note(op->context, d, function->loc, "the function is here");
    return cake_diag_emit(op->context, d);
  }
  return verify_signature(op, function);
}

// ---- Coordinates and forms -----------------------------------------------------------------------------------------

bool cake_iota_verify(CakeOp *op) {
  CakeFragment fragment;
  int64_t axis = cake_attr_int_value(cake_cake_iota_axis(op));
  if (!cake_fragment_of(op->results[0].type, &fragment)) return false;
  if (!cake_type_is_integer(fragment.element, 32))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "gives elements of type 'i32', not '%s'",
                      cake_type_text(fragment.element));
  if (fragment.part == CAKE_FORM_PARTIAL)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "would put its number into every lane of a part: merging would take it once a lane");
  bool has_axis = axis == 0 ? fragment.part != CAKE_FORM_COL : axis == 1 && fragment.part != CAKE_FORM_ROW;
  if (!has_axis)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "counts along axis %lld, which '%s' does not have", (long long)axis,
                      cake_type_text(op->results[0].type));
  return cake_verify_expr(op, "at", cake_cake_iota_at(op), cake_cake_iota_at_idx(op).count);
}

static bool have_same_sizes(CakeType from, CakeType to) {
  return !cake_sizes_differ(cake_fragment_dim(from, 0), cake_fragment_dim(to, 0)) &&
         !cake_sizes_differ(cake_fragment_dim(from, 1), cake_fragment_dim(to, 1));
}

static bool have_same_registers(CakeType from, CakeType to) {
  CakeFragment a, b;
  if (!cake_fragment_of(from, &a) || !cake_fragment_of(to, &b)) return false;
  bool is_wgmma = a.kind == CAKE_FORM_WGMMA_ACC && b.kind == CAKE_FORM_WGMMA_A;
  bool is_mma = a.kind == CAKE_FORM_MMA_ACC && b.kind == CAKE_FORM_MMA_A && a.warp_cols <= 1 && b.warp_cols <= 1 &&
                a.warp_rows == b.warp_rows;
  return a.part == CAKE_FORM_WHOLE && b.part == CAKE_FORM_WHOLE && (is_wgmma || is_mma) &&
         cake_type_width(a.element) == 16 && a.element == b.element;
}

bool cake_can_convert(CakeType from, CakeType to) {
  return have_same_registers(from, to) && have_same_sizes(from, to);
}

bool cake_convert_verify(CakeOp *op) {
  CakeType from = cake_cake_convert_value(op)->type, to = op->results[0].type;
  if (!have_same_registers(from, to)) {
    CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_FORM_MISMATCH, "'%s' and '%s' do not have the same registers",
                                         cake_type_text(from), cake_type_text(to));
    cake_diag_note(op->context, d, op->loc,
                   "free are wgmma.acc to wgmma.a and mma.acc<Rx1> to mma.a<Rx1>, of 16-bit elements");
    cake_diag_fix(op->context, d, "go through a buffer: `cake.put`, then `cake.get`");
    return cake_diag_emit(op->context, d);
  }
  return have_same_sizes(from, to) || cake_error(op, CAKE_CODE_FORM_MISMATCH, "the sizes of '%s' and '%s' differ",
                                                 cake_type_text(from), cake_type_text(to));
}

// ---- Hints ---------------------------------------------------------------------------------------------------------

bool cake_depend_verify(CakeOp *op) {
  CakeStr what = cake_attr_string_value(cake_cake_depend_what(op));
  return cake_str_is(what, "wait") || cake_str_is(what, "launch") ||
         cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "expects 'what' to be one of wait, launch");
}

bool cake_prefetch_verify(CakeOp *op) {
  CakeType global = cake_cake_prefetch_global(op)->type;
  CakeAttr at = cake_cake_prefetch_at(op);
  if (cake_at_count(at) != cake_global_rank(global))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu coordinate(s), but the array has %zu dimension(s)",
                      cake_at_count(at), cake_global_rank(global));
  return cake_verify_expr(op, "at", at, cake_cake_prefetch_at_idx(op).count);
}
