// Rule fragment-shapes: sizes, element type and warps of every fragment, pending accumulator and running best of a
// role.
#include "verifier/rules.h"

// What a form can hold. Sizes are multiples of these a warp (rows of R warps, columns of C warps).
typedef struct Atom {
  int64_t rows, cols;
  bool is_16_bit;
} Atom;

static const Atom atoms[] = {
    [CAKE_FORM_WGMMA_ACC] = {16, 8,  false},
      [CAKE_FORM_WGMMA_A] = {16, 16, true },
      [CAKE_FORM_MMA_ACC] = {16, 8,  false},
    [CAKE_FORM_MMA_A] = {16, 16, true },
      [CAKE_FORM_MMA_B] = {8,  16, true },
      [CAKE_FORM_VEC] = {1,  1,  false},
    [CAKE_FORM_TMEM_LD] = {32, 8,  false},
};

static int64_t at_least_one(int64_t warps) {
  return warps < 1 ? 1 : warps;
}

// How many warps share the rows and the columns; 1 where a parameter says so. The rows of mma.b are columns of the product.
static void shares_of(const CakeFragment *fragment, int64_t *rows, int64_t *cols) {
  *rows = at_least_one(fragment->kind == CAKE_FORM_MMA_B ? fragment->warp_cols : fragment->warp_rows);
  *cols = at_least_one(fragment->kind == CAKE_FORM_MMA_ACC ? fragment->warp_cols : 1);
}

// A form's warps are numbers, or parameters that have no values yet; numbers out of range stay expressions.
static bool check_warp_count(CakeOp *op, CakeType type, const CakeFragment *fragment, bool *out_known) {
  int64_t value;
  *out_known = fragment->warp_rows > 0 && fragment->warp_cols > 0;
  for (size_t i = 0; !*out_known && i < fragment->base->count; i++) {
    CakeParam param = fragment->base->params[i];
    if (param.kind == CAKE_PARAM_ATTR && cake_expr_is_const(param.attr, &value))
      return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                        "'%s' is spread over %lld warps; a form takes 1 to 32 along each dimension",
                        cake_type_text(type), (long long)value);
  }
  return true;
}

static bool report_multiple(CakeOp *op, CakeType type, const char *what, int64_t size, int64_t multiple) {
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' has %lld %s; its form needs a multiple of %lld",
                    cake_type_text(type), (long long)size, what, (long long)multiple);
}

// The lanes of a role (of a warp) hold equally many elements of a row; a short row leaves room for others beside it.
static void vec_multiples(CakeOp *op, const CakeFragment *fragment, int64_t *rows, int64_t *cols) {
  int64_t width = cake_vec_width(fragment->base);
  CakeOp *role = cake_op_role(op);
  CakeRoleShape shape = {.warps = 1};
  if (role && !cake_role_shape(role, &shape)) shape.warps = 1;
  bool is_short = fragment->cols > 0 && fragment->cols < 32 * width && 32 * width % fragment->cols == 0 &&
                  fragment->cols % width == 0;
  *cols = (cake_vec_is_role(fragment->base) ? shape.warps : 1) * 32 * width;
  *rows = cake_vec_is_role(fragment->base) ? 1 : shape.warps;
  if (cake_vec_is_lane(fragment->base)) *cols = width, *rows = 32 * shape.warps;
  if (cake_vec_is_role(fragment->base) || cake_vec_is_lane(fragment->base) || !is_short) return;
  *cols = fragment->cols;
  if (fragment->part == CAKE_FORM_WHOLE) *rows *= 32 * width / fragment->cols;
}

static bool check_sizes(CakeOp *op, CakeType type, const CakeFragment *fragment) {
  Atom atom = atoms[fragment->kind];
  int64_t row_share, col_share;
  shares_of(fragment, &row_share, &col_share);
  int64_t row_multiple = atom.rows * row_share, col_multiple = atom.cols * col_share;
  if (fragment->kind == CAKE_FORM_VEC) vec_multiples(op, fragment, &row_multiple, &col_multiple);
  bool is_row = fragment->part == CAKE_FORM_ROW || fragment->part == CAKE_FORM_PARTIAL;
  bool has_rows = fragment->part != CAKE_FORM_COL && fragment->rows >= 0, has_cols = !is_row && fragment->cols >= 0;
  if (has_rows && (fragment->rows == 0 || fragment->rows % row_multiple))
    return report_multiple(op, type, "rows", fragment->rows, row_multiple);
  if (has_cols && (fragment->cols == 0 || fragment->cols % col_multiple))
    return report_multiple(op, type, "columns", fragment->cols, col_multiple);
  if (fragment->kind == CAKE_FORM_WGMMA_ACC && has_rows && fragment->rows != 64)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' has %lld rows; wgmma.acc has 64", cake_type_text(type),
                      (long long)fragment->rows);
  if (fragment->kind == CAKE_FORM_WGMMA_ACC && has_cols && fragment->cols > 256)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' has %lld columns; wgmma.acc has at most 256",
                      cake_type_text(type), (long long)fragment->cols);
  return true;
}

// Sizes in `#cake.of` and in the tensor say the same.
static bool check_of(CakeOp *op, CakeType type) {
  CakeAttr of = cake_type_encoding(type);
  if (of->def != &cake_attr_def_of) return true;
  int64_t size;
  bool ok = (int64_t)of->count - 1 == cake_type_rank(type);
  for (size_t i = 0; ok && i + 1 < of->count; i++) {
    bool is_const = cake_expr_is_const(of->params[1 + i].attr, &size);
    ok = is_const ? cake_type_dim(type, i) == size : cake_type_dim(type, i) < 0;
  }
  return ok ||
         cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "'%s' and the sizes in its form differ: the tensor has `?` exactly where the form has a parameter",
                    cake_type_text(type));
}

static bool check_warps(CakeOp *op, CakeType type, const CakeFragment *fragment) {
  CakeOp *role = cake_op_role(op);
  CakeRoleShape shape;
  bool is_known;
  if (!check_warp_count(op, type, fragment, &is_known)) return false;
  if (!is_known || !role || fragment->kind == CAKE_FORM_VEC || !cake_role_shape(role, &shape)) return true;
  bool is_wgmma = fragment->kind == CAKE_FORM_WGMMA_ACC || fragment->kind == CAKE_FORM_WGMMA_A ||
                  fragment->kind == CAKE_FORM_TMEM_LD;
  int64_t warps = fragment->warp_rows * fragment->warp_cols;
  if (warps == shape.warps && (!is_wgmma || shape.is_warpgroup)) return true;
  CakeDiagnostic *d =
      is_wgmma ? cake_error_begin(op, CAKE_CODE_ROLE_STRUCTURE,
                                  "'%s' is held by a warpgroup, but %s is made of single warps", cake_type_text(type),
                                  cake_where(op))
               : cake_error_begin(op, CAKE_CODE_ROLE_STRUCTURE,
                                  "'%s' is spread over %lld warps, but an instance of %s has %lld",
                                  cake_type_text(type), (long long)warps, cake_where(op), (long long)shape.warps);
  cake_diag_note(op->context, d, role->loc, "the role is here");
  return cake_diag_emit(op->context, d);
}

static bool check_fragment(CakeOp *op, CakeType type) {
  CakeFragment fragment;
  if (!cake_fragment_of(type, &fragment)) {
    CakeAttr form = cake_type_is(type, &cake_type_def_tensor) ? cake_type_encoding(type) : NULL;
    bool is_form = form && form->def->dialect == &cake_dialect_cake;
    return !is_form || cake_error(op, CAKE_CODE_FORM_MISMATCH,
                                  "'%s' is no fragment: a form has two dimensions, a row or column of it one",
                                  cake_type_text(type));
  }
  cake_context_site(op->context);
  uint32_t width = cake_type_width(fragment.element);
  if (atoms[fragment.kind].is_16_bit && fragment.part == CAKE_FORM_WHOLE && width != 16)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' has elements of %u bits; its form holds 16-bit elements",
                      cake_type_text(type), width);
  return check_of(op, type) && check_sizes(op, type, &fragment) && check_warps(op, type, &fragment);
}

// PTX ISA, tcgen05.mma of one CTA: 64 rows with 8 … 256 columns in steps of 8, or 128 rows with 16 … 256 in steps of 16.
static bool check_tcgen05(CakeOp *op, CakeType type, int64_t rows, int64_t cols) {
  int64_t step = rows == 64 ? 8 : 16;
  if (rows >= 0 && rows != 64 && rows != 128)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' has %lld rows; tcgen05.acc has 64 or 128",
                      cake_type_text(type), (long long)rows);
  if (cols < 0 || (cols > 0 && cols <= 256 && cols % step == 0)) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' has %lld columns; tcgen05.acc has up to 256 in steps of %lld",
                    cake_type_text(type), (long long)cols, (long long)step);
}

static bool check_type(CakeOp *op, CakeType type) {
  if (cake_type_is(type, &cake_type_def_tensor)) return check_fragment(op, type);
  int64_t rows = -1, cols = -1;
  CakeAttr form = NULL;
  CakeType element = NULL;
  if (cake_type_is(type, &cake_type_def_pending)) {
    element = type->params[0].type;
    form = type->params[1].attr;
    if (!cake_expr_is_const(type->params[2].attr, &rows)) rows = -1;
    if (!cake_expr_is_const(type->params[3].attr, &cols)) cols = -1;
  } else if (cake_type_is(type, &cake_type_def_best)) {
    CakeBest best = cake_best_of(type);
    element = best.element;
    form = best.form;
    rows = best.rows;
  }
  if (form && form->def == &cake_attr_def_tcgen05_acc) {
    cake_context_site(op->context);
    return check_tcgen05(op, type, rows, cols);
  }
  return !form || check_fragment(op, cake_fragment_get(element, rows, cols, CAKE_FORM_WHOLE, form));
}

static bool check_op(CakeOp *op) {
  bool ok = true;
  for (uint32_t i = 0; i < op->n_results; i++)
    ok &= check_type(op, op->results[i].type);
  return ok;
}

bool cake_rule_fragment_shapes(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    ok &= check_op(op);
  return ok;
}
