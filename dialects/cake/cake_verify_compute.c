// Verification of computing ops: expressions, fills, masks, matrix multiplication, running bests.
#include "dialects/cake/cake_verify.h"

#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/role.h"

static bool verify_value_type(CakeOp *op, const char *name, CakeAttr value, CakeType element) {
  if (cake_attr_value_type(value) == element) return true;
  return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' must be of type '%s', but is %s", name, cake_type_text(element),
                    cake_attr_text(value));
}

bool cake_index_verify(CakeOp *op) {
  return cake_verify_expr(op, "expr", cake_cake_index_expr(op), cake_cake_index_idx(op).count);
}

bool cake_fill_verify(CakeOp *op) {
  return verify_value_type(op, "value", cake_cake_fill_value(op), cake_type_element(op->results[0].type));
}

bool cake_mask_verify(CakeOp *op) {
  return cake_verify_expr(op, "keep", cake_cake_mask_keep(op), cake_cake_mask_keep_idx(op).count) &&
         verify_value_type(op, "fill", cake_cake_mask_fill(op), cake_type_element(op->results[0].type));
}

// The number of warps of a fragment and how they share it must be the same on both sides: same base form.
bool cake_spread_verify(CakeOp *op) {
  CakeType from = cake_cake_spread_value(op)->type, to = op->results[0].type;
  CakeFragment in, out;
  if (!cake_fragment_of(to, &out)) return false;
  if (!cake_fragment_of(from, &in)) {
    if (cake_is_scalar.test(from)) return cake_verify_element(op, from, out.element, "types of scalar and elements");
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "spreads a scalar, or a row or column of a fragment, but got '%s'",
                      cake_type_text(from));
  }
  bool to_whole = out.part == CAKE_FORM_WHOLE && (in.part == CAKE_FORM_ROW || in.part == CAKE_FORM_COL);
  if (!to_whole && !(out.part == CAKE_FORM_PARTIAL && in.part == CAKE_FORM_ROW))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "spreads a row or column over a whole fragment, but got '%s' to '%s'", cake_type_text(from),
                      cake_type_text(to));
  if (in.base != out.base)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the forms %s and %s differ", cake_attr_text(in.base),
                      cake_attr_text(out.base));
  bool is_short = out.kind == CAKE_FORM_VEC && !cake_vec_is_role(out.base) && !cake_vec_is_lane(out.base) &&
                  out.cols >= 0 && out.cols < 32 * cake_vec_width(out.base);
  if (in.part == CAKE_FORM_ROW && is_short)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "spreads over rows of %lld columns, which lie several beside one another in a warp; `vec<lane, "
                      "%lld>` gives each a lane",
                      (long long)out.cols, (long long)cake_vec_width(out.base));
  size_t dim = in.part == CAKE_FORM_ROW ? 0 : 1;
  if (cake_sizes_differ(cake_fragment_dim(from, 0), cake_fragment_dim(to, dim)))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the sizes of '%s' and of dimension %zu of '%s' differ",
                      cake_type_text(from), dim, cake_type_text(to));
  return cake_verify_element(op, in.element, out.element, "elements");
}

// ---- Matrix multiplication -----------------------------------------------------------------------------------------

static bool is_16_bit_float(CakeType type) {
  return cake_type_is_float(type, CAKE_FLOAT_BF16) || cake_type_is_float(type, CAKE_FLOAT_F16);
}

static bool verify_mma_elements(CakeOp *op, CakeType a, CakeType b, CakeType acc) {
  if (!is_16_bit_float(a) || a != b)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "multiplies bf16 by bf16 or f16 by f16, but got '%s' and '%s'",
                      cake_type_text(a), cake_type_text(b));
  if (cake_type_is_float(acc, CAKE_FLOAT_F32)) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "accumulates in 'f32', but got '%s'", cake_type_text(acc));
}

static bool verify_shapes(CakeOp *op, CakeAttr m_acc, CakeAttr n_acc, CakeAttr m_a, CakeAttr k_a, CakeAttr n_b,
                          CakeAttr k_b) {
  const struct {
    CakeAttr a, b;
    const char *name;
  } pairs[] = {
      {m_acc, m_a, "rows of the accumulator and of a"             },
      {n_acc, n_b, "columns of the accumulator and of the product"},
      {k_a,   k_b, "depths of a and of b"                         }
  };
  for (size_t i = 0; i < CAKE_COUNT(pairs); i++)
    if (cake_sizes_differ(pairs[i].a, pairs[i].b))
      return cake_error(op, CAKE_CODE_FORM_MISMATCH, "%s differ: %s and %s", pairs[i].name, cake_body_text(pairs[i].a),
                        cake_body_text(pairs[i].b));
  return true;
}

static bool verify_operand_form(CakeOp *op, const char *name, CakeType type, CakeFormKind kind, const CakeFragment *acc,
                                CakeFragment *out) {
  if (!cake_fragment_of(type, out) || out->part != CAKE_FORM_WHOLE || out->kind != kind)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "%s must be a fragment of form mma.%s, but got '%s'", name, name,
                      cake_type_text(type));
  bool is_known = out->warp_rows > 0 && out->warp_cols > 0 && acc->warp_rows > 0 && acc->warp_cols > 0;
  if (!is_known || (out->warp_rows == acc->warp_rows && out->warp_cols == acc->warp_cols)) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "%s is spread over %lldx%lld warps, the accumulator over %lldx%lld",
                    name, (long long)out->warp_rows, (long long)out->warp_cols, (long long)acc->warp_rows,
                    (long long)acc->warp_cols);
}

static bool verify_mma_sync(CakeOp *op, CakeMmaForm form) {
  if (cake_cake_mma_negate(op))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "subtracts a product, which only wgmma does; negate an operand with arith.negf");
  CakeType acc_type = cake_cake_mma_acc(op)->type, a_type = cake_cake_mma_a(op)->type,
           b_type = cake_cake_mma_b(op)->type;
  CakeFragment acc, a, b;
  bool has_form = (form.m == 16 || form.m < 0) && (form.n == 8 || form.n < 0) && form.k == 16;
  if (!has_form || form.a != 'n' || form.b != 't')
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "there is no %s; mma.m16n8k16.nt exists",
                      cake_body_text(cake_cake_mma_form(op)));
  if (!cake_fragment_of(acc_type, &acc))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "mma takes a fragment as accumulator, but got '%s'",
                      cake_type_text(acc_type));
  if (cake_cake_mma_a_off(op) || cake_cake_mma_b_off(op))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "takes no offsets into fragments");
  if (cake_cake_mma_a_off_idx(op).count || cake_cake_mma_b_off_idx(op).count)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "has operands of offsets, but no offsets");
  return verify_operand_form(op, "a", a_type, CAKE_FORM_MMA_A, &acc, &a) &&
         verify_operand_form(op, "b", b_type, CAKE_FORM_MMA_B, &acc, &b) &&
         verify_mma_elements(op, a.element, b.element, acc.element) &&
         verify_shapes(op, cake_fragment_dim(acc_type, 0), cake_fragment_dim(acc_type, 1), cake_fragment_dim(a_type, 0),
                       cake_fragment_dim(a_type, 1), cake_fragment_dim(b_type, 0), cake_fragment_dim(b_type, 1));
}

// `is_mn_major`: the sum is along the columns of the view.
static bool verify_descriptor(CakeOp *op, const char *name, CakeType view, bool is_mn_major) {
  if (!cake_type_is(view, &cake_type_def_shared))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "wgmma reads %s from shared memory, but got '%s'", name,
                      cake_type_text(view));
  if (!cake_shared_panel(view) || (is_mn_major && cake_shared_storage(view) != CAKE_STORAGE_SW128))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "wgmma reads %s from storage form %s, but the view is '%s'", name,
                      is_mn_major ? "sw128 when the sum is along its columns" : "sw128, sw64 or sw32",
                      cake_type_text(view));
  return cake_verify_shared(op, view, "operand", cake_str(name));
}

// A in registers: 64 rows, the whole of the fragment or a constant cut of it, which only names registers.
static bool verify_registers(CakeOp *op, CakeType a) {
  CakeFragment fragment;
  CakeAttr off = cake_cake_mma_a_off(op);
  int64_t first = 0;
  if (!cake_fragment_of(a, &fragment) || fragment.part != CAKE_FORM_WHOLE || fragment.kind != CAKE_FORM_WGMMA_A)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "wgmma reads a from shared memory or from a fragment of form wgmma.a, but got '%s'",
                      cake_type_text(a));
  if (!cake_verify_expr(op, "a_off", off, cake_cake_mma_a_off_idx(op).count)) return false;
  if (off && cake_at_count(off) != 2)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES,
                      "has %zu coordinate(s) in 'a_off', but the fragment has 2 dimensions", cake_at_count(off));
  if (off && !cake_expr_is_const(cake_at_expr(off, 0), &first))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "'a_off' must be constant: registers have no address");
  if (first % 64 != 0)
    return cake_error(op, CAKE_CODE_ALIGNMENT,
                      "starts at row %lld of the fragment; wgmma takes 64 rows from a multiple of 64",
                      (long long)first);
  if (fragment.rows < 0 || (first >= 0 && first <= fragment.rows - 64 && (off || fragment.rows == 64))) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "takes 64 rows from %lld on of a, which has %lld", (long long)first,
                    (long long)fragment.rows);
}

// An operand's dimension `k` is the whole of the sum; an offset may only choose along the other one.
static bool verify_whole_sum(CakeOp *op, const char *name, CakeAttr off, size_t k) {
  int64_t first;
  if (!off || cake_at_count(off) != 2 || (cake_expr_is_const(cake_at_expr(off, k), &first) && first == 0)) return true;
  return cake_error(op, CAKE_CODE_IR_SEMANTICS, "'%s' must start at %s 0: the whole %s of the view is multiplied", name,
                    k ? "column" : "row", k ? "width" : "height");
}

// PTX ISA, wgmma: a slice is 32 bytes deep, whatever the elements; only 16-bit ones may be stored with the sum along
// rows (`t` for a, `n` for b).
static bool verify_wgmma_form(CakeOp *op, CakeMmaForm form, CakeType element) {
  uint32_t width = cake_type_width(element);
  bool has_form = (form.m == 64 || form.m < 0) && (form.n < 0 || (form.n >= 8 && form.n <= 256 && form.n % 8 == 0));
  if (has_form && width && form.k == 256 / (int64_t)width && (width == 16 || (form.a == 'n' && form.b == 't')))
    return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "there is no %s of '%s'; N goes from 8 to 256 in steps of 8, and for 16-bit elements there is "
                    "wgmma.m64nNk16 of any letters, for f8 m64nNk32.nt, for f32 (as tf32) m64nNk8.nt",
                    cake_body_text(cake_cake_mma_form(op)), cake_type_text(element));
}

static bool verify_wgmma_elements(CakeOp *op, CakeType a, CakeType b, CakeType acc) {
  bool is_known = is_16_bit_float(a) || cake_type_is_float(a, CAKE_FLOAT_F32) ||
                  cake_type_is_float(a, CAKE_FLOAT_F8E4M3FN) || cake_type_is_float(a, CAKE_FLOAT_F8E5M2);
  if (!is_known || a != b)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "multiplies two operands of one of bf16, f16, f8E4M3FN, f8E5M2 and f32 (as tf32), but got '%s' "
                      "and '%s'",
                      cake_type_text(a), cake_type_text(b));
  if (cake_type_is_float(acc, CAKE_FLOAT_F32)) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "accumulates in 'f32', but got '%s'", cake_type_text(acc));
}

static bool verify_wgmma_role(CakeOp *op) {
  CakeOp *role = cake_op_role(op);
  if (!role || cake_cake_role_warpgroups(role)) return true;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_ROLE_STRUCTURE,
                                       "wgmma is executed by a warpgroup, but the role is made of single warps");
  cake_diag_note(op->context, d, role->loc, "the role is here");
  cake_diag_fix(op->context, d, "declare the role with `warpgroups(1)`");
  return cake_diag_emit(op->context, d);
}

// A fragment goes in as the accumulator that is its value and pending from now on.
static CakeType pending_accumulator(CakeType acc) {
  return cake_type_is(acc, &cake_type_def_pending) ? acc : cake_pending_of(acc);
}

static bool verify_wgmma(CakeOp *op, CakeMmaForm form) {
  CakeType acc = pending_accumulator(cake_cake_mma_acc(op)->type), a = cake_cake_mma_a(op)->type,
           b = cake_cake_mma_b(op)->type;
  if (!acc || acc->params[1].attr->def != &cake_attr_def_wgmma_acc)
    return cake_error(
        op, CAKE_CODE_FORM_MISMATCH,
        "wgmma takes an accumulator of form wgmma.acc: a pending one, `cake.zero` or a fragment, but got '%s'",
        cake_type_text(cake_cake_mma_acc(op)->type));
  bool is_view = cake_type_is(a, &cake_type_def_shared);
  size_t k_of_a = form.a == 'n', k_of_b = form.b == 't'; // the dimension along which is summed
  if (!(is_view ? verify_descriptor(op, "a", a, form.a == 't') : verify_registers(op, a)) ||
      !verify_descriptor(op, "b", b, form.b == 'n'))
    return false;
  if (!is_view && form.a != 'n')
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "reads a from registers as M×K only: letter `n`");
  CakeType element = is_view ? cake_shared_element(a) : cake_type_element(a);
  if (!verify_wgmma_elements(op, element, cake_shared_element(b), acc->params[0].type) ||
      !verify_wgmma_form(op, form, element) || !verify_whole_sum(op, "a_off", cake_cake_mma_a_off(op), k_of_a) ||
      !verify_whole_sum(op, "b_off", cake_cake_mma_b_off(op), k_of_b))
    return false;
  CakeAttr m = cake_expr_const(op->context, 64), n = cake_cake_mma_form(op)->params[2].attr, a_extents[2], b_extents[2];
  a_extents[k_of_a] = is_view ? cake_shared_dim(a, k_of_a) : cake_fragment_dim(a, 1);
  a_extents[1 - k_of_a] = m;
  b_extents[k_of_b] = cake_shared_dim(b, k_of_b);
  b_extents[1 - k_of_b] = n;
  return verify_wgmma_role(op) &&
         verify_shapes(op, acc->params[2].attr, acc->params[3].attr, m, a_extents[k_of_a], n, b_extents[k_of_b]) &&
         (!is_view ||
          cake_verify_view(op, "a_off", a, cake_cake_mma_a_off(op), cake_cake_mma_a_off_idx(op), a_extents)) &&
         cake_verify_view(op, "b_off", b, cake_cake_mma_b_off(op), cake_cake_mma_b_off_idx(op), b_extents);
}

static bool verify_result(CakeOp *op, CakeMmaFamily family) {
  CakeType acc = cake_cake_mma_acc(op)->type, result = op->results[0].type;
  if (result == (family == CAKE_MMA_WGMMA ? pending_accumulator(acc) : acc)) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "accumulates into '%s', which does not give '%s'", cake_type_text(acc),
                    cake_type_text(result));
}

bool cake_mma_verify(CakeOp *op) {
  CakeAttr attr = cake_cake_mma_form(op);
  CakeMmaForm form = cake_form_of(attr);
  for (size_t i = 1; i < 4; i++)
    if (!cake_verify_expr(op, "form", attr->params[i].attr, 0)) return false;
  bool ok = form.family == CAKE_MMA_TCGEN05 ? cake_verify_tcgen05(op, form)
            : form.family == CAKE_MMA_WGMMA ? verify_wgmma(op, form)
                                            : verify_mma_sync(op, form);
  return ok && verify_result(op, form.family);
}

bool cake_await_verify(CakeOp *op) {
  CakeType pending = cake_cake_await_pending(op)->type, result = op->results[0].type;
  CakeFragment fragment;
  if (!cake_fragment_of(result, &fragment)) return false;
  bool is_same = fragment.part == CAKE_FORM_WHOLE && fragment.base == pending->params[1].attr &&
                 fragment.element == pending->params[0].type &&
                 !cake_sizes_differ(cake_fragment_dim(result, 0), pending->params[2].attr) &&
                 !cake_sizes_differ(cake_fragment_dim(result, 1), pending->params[3].attr);
  return is_same || cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' does not become '%s'", cake_type_text(pending),
                               cake_type_text(result));
}

// ---- Running bests -------------------------------------------------------------------------------------------------

bool cake_best_verify(CakeOp *op) {
  CakeType value = cake_cake_best_value(op)->type;
  CakeBest best = cake_best_of(cake_cake_best_into(op)->type);
  CakeFragment fragment;
  if (!cake_fragment_of(value, &fragment)) return false;
  if (!cake_verify_expr(op, "at", cake_cake_best_at(op), cake_cake_best_at_idx(op).count) ||
      !cake_verify_expr(op, "keep", cake_cake_best_keep(op), cake_cake_best_keep_idx(op).count))
    return false;
  if (fragment.part != CAKE_FORM_WHOLE || fragment.base != best.form || fragment.element != best.element ||
      (fragment.rows >= 0 && fragment.rows != best.rows))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "'%s' holds no candidates for '%s': form, rows and element type must agree",
                      cake_type_text(value), cake_type_text(cake_cake_best_into(op)->type));
  int64_t lane_cols = fragment.cols / (4 * fragment.warp_cols); // accumulators: four lanes share a row
  if (fragment.cols < 0 || fragment.warp_cols < 0 || lane_cols % best.group == 0) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "takes candidates in groups of %lld, but a lane has %lld columns of '%s'", (long long)best.group,
                    (long long)lane_cols, cake_type_text(value));
}

bool cake_settle_verify(CakeOp *op) {
  // Lanes are merged inside of a warp, so a row must be owned by one warp.
  CakeBest best = cake_best_of(cake_cake_settle_best(op)->type);
  CakeFragment row;
  if (!cake_fragment_of(op->results[0].type, &row) || row.warp_cols < 0) return true; // parameters: in the instance
  if (row.warp_cols == 1) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "merges the lanes of one warp, but a row of %s is spread over %lld warps",
                    cake_attr_text(best.form), (long long)row.warp_cols);
}
