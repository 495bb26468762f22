// Verification of reductions: kinds, elements, the form of the result, and what warps exchange through shared memory.
#include "dialects/cake/cake_verify.h"

#include "dialects/cake/ops/reduce.h"
#include "dialects/cake/ops/views.h"

// What of a fragment is reduced. Axes that are left out: both.
typedef struct Reduction {
  CakeOp *op;
  CakeFragment fragment; // what is reduced; of a merge the part
  CakeReduceKind kind;
  bool along_rows, along_cols;
} Reduction;

// A form as it is written inside of another.
static const char *form_text(CakeAttr form) {
  return cake_attr_text(form) + sizeof "#cake." - 1;
}

// ---- Elements ------------------------------------------------------------------------------------------------------

static bool verify_kind(const Reduction *r) {
  CakeType element = r->fragment.element;
  bool is_f32 = cake_type_is_float(element, CAKE_FLOAT_F32), is_i32 = cake_type_is_integer(element, 32);
  if (!is_f32 && !is_i32) {
    CakeDiagnostic *d =
        cake_error_begin(r->op, CAKE_CODE_FORM_MISMATCH, "reduces elements of type 'f32' or 'i32', but got '%s'",
                         cake_type_text(element));
    cake_diag_fix(r->op->context, d, "widen them first: `arith.extf`, `arith.extsi`");
    return cake_diag_emit(r->op->context, d);
  }
  if (is_i32 || r->kind < CAKE_REDUCE_AND) return true;
  return cake_error(r->op, CAKE_CODE_FORM_MISMATCH, "has no '%s' of floats", cake_reduce_name(r->kind));
}

static bool verify_nan(const Reduction *r) {
  static const char *const words[] = {"first", "last", "never"};
  CakeAttr nan = cake_cake_reduce_nan(r->op);
  bool is_asked =
      (r->kind == CAKE_REDUCE_MAX || r->kind == CAKE_REDUCE_MIN) && cake_type_is_any_float(r->fragment.element);
  if (!nan && is_asked) {
    CakeDiagnostic *d = cake_error_begin(r->op, CAKE_CODE_IR_ATTRIBUTES, "does not say what NaN does");
    cake_diag_fix(r->op->context, d,
                  "write `nan(last)` when NaN loses, `nan(first)` when it wins, `nan(never)` when there is none");
    return cake_diag_emit(r->op->context, d);
  }
  if (!nan) return true;
  if (!is_asked)
    return cake_error(r->op, CAKE_CODE_IR_ATTRIBUTES, "has no use for 'nan': it is said of the max and min of floats");
  for (size_t i = 0; i < CAKE_COUNT(words); i++)
    if (cake_str_is(cake_attr_string_value(nan), words[i])) return true;
  return cake_error(r->op, CAKE_CODE_IR_ATTRIBUTES, "expects 'nan' to be one of first, last, never");
}

// ---- The result ----------------------------------------------------------------------------------------------------

static bool is_reducible(const CakeFragment *f) {
  return f->kind == CAKE_FORM_WGMMA_ACC || f->kind == CAKE_FORM_MMA_ACC || f->kind == CAKE_FORM_VEC;
}

static bool report_result(const Reduction *r, CakeType from) {
  CakeOp *op = r->op;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_FORM_MISMATCH, "does not make '%s' of '%s'",
                                       cake_type_text(op->results[0].type), cake_type_text(from));
  const char *base = form_text(r->fragment.base), *kind = cake_reduce_name(r->kind);
  if (r->along_rows && r->along_cols)
    cake_diag_fix(op->context, d, "without `axis` the result is of type '%s'", cake_type_text(r->fragment.element));
  else if (r->along_rows)
    cake_diag_fix(op->context, d, "along axis 0 the result has the form col<%s>", base);
  else
    cake_diag_fix(op->context, d, "along axis 1 the result has the form row<%s> or part<%s, %s>", base, kind, base);
  return cake_diag_emit(op->context, d);
}

static bool verify_result(const Reduction *r, CakeType from) {
  CakeType to = r->op->results[0].type;
  CakeFragment out;
  if (r->along_rows && r->along_cols) return to == r->fragment.element || report_result(r, from);
  if (!cake_fragment_of(to, &out) || out.base != r->fragment.base || out.element != r->fragment.element)
    return report_result(r, from);
  bool is_partial = out.part == CAKE_FORM_PARTIAL && !r->along_rows && out.reduce == r->kind;
  if (!is_partial && out.part != (r->along_rows ? CAKE_FORM_COL : CAKE_FORM_ROW)) return report_result(r, from);
  if (!cake_sizes_differ(cake_fragment_dim(to, 0), cake_fragment_dim(from, r->along_rows ? 1 : 0))) return true;
  return cake_error(r->op, CAKE_CODE_FORM_MISMATCH, "the sizes of '%s' and '%s' differ", cake_type_text(from),
                    cake_type_text(to));
}

// A lane of vec<warp, V> holds parts of several rows when they are shorter than what the warp holds at once.
static bool verify_long_rows(const Reduction *r) {
  const CakeFragment *f = &r->fragment;
  bool is_short = f->kind == CAKE_FORM_VEC && f->part == CAKE_FORM_WHOLE && !cake_vec_is_role(f->base) &&
                  (cake_vec_is_lane(f->base) || (f->cols >= 0 && f->cols < 32 * cake_vec_width(f->base)));
  if (!is_short) return true;
  CakeDiagnostic *d = cake_error_begin(r->op, CAKE_CODE_FORM_MISMATCH,
                                       "has rows of %lld elements, which %s does not spread over a whole warp",
                                       (long long)f->cols, cake_attr_text(f->base));
  cake_diag_fix(r->op->context, d, "take the form vec<warp, %lld>", (long long)(f->cols >= 32 ? f->cols / 32 : 1));
  return cake_diag_emit(r->op->context, d);
}

// ---- Through shared memory -----------------------------------------------------------------------------------------

// Warps that share what is reduced; -1: not known before instantiation.
static int64_t warps_along(const Reduction *r) {
  const CakeFragment *f = &r->fragment;
  CakeRoleShape shape;
  CakeOp *role = cake_op_role(r->op);
  if (!role || !cake_role_shape(role, &shape)) return -1;
  if (r->along_rows && r->along_cols) return shape.warps;
  if (f->kind == CAKE_FORM_VEC) return cake_vec_is_role(f->base) == r->along_cols ? shape.warps : 1;
  return r->along_cols ? f->warp_cols : f->warp_rows;
}

static bool verify_room(const Reduction *r, CakeType view, int64_t warps) {
  int64_t kept = r->along_rows && r->along_cols ? 1 : r->along_cols ? r->fragment.rows : r->fragment.cols, room = 1;
  for (size_t i = 0; i < cake_shared_rank(view); i++) {
    int64_t size = cake_shared_size(view, i);
    if (size < 0 || kept < 0) return true;
    room *= size;
  }
  if (room >= kept * warps) return true;
  return cake_error(r->op, CAKE_CODE_SHARED_CAPACITY,
                    "exchanges %lld elements (%lld for each of %lld warps), but the buffer '%s' has %lld",
                    (long long)(kept * warps), (long long)kept, (long long)warps, cake_type_text(view),
                    (long long)room);
}

static bool verify_through(const Reduction *r, const CakeValue *through) {
  CakeOp *op = r->op;
  CakeFragment out;
  bool is_partial = cake_fragment_of(op->results[0].type, &out) && out.part == CAKE_FORM_PARTIAL;
  int64_t warps = is_partial ? 1 : warps_along(r);
  if (!through) {
    if (warps <= 1) return true;
    CakeDiagnostic *d = cake_error_begin(
        op, CAKE_CODE_FORM_MISMATCH, "reduces over %lld warps, which hold parts of the same values", (long long)warps);
    cake_diag_fix(op->context, d, "declare `%%b = cake.buffer : !cake.shared<…x%s, rows>` and write `through(%%b)`",
                  cake_type_text(r->fragment.element));
    return cake_diag_emit(op->context, d);
  }
  const CakeOp *buffer = cake_value_def(through);
  if (cake_op_kernel(op) && (!buffer || !cake_is_cake_op(buffer, cake_op_cake_buffer)))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "exchanges through %s, which is no buffer", cake_value_text(through));
  CakeType view = through->type;
  if (cake_shared_storage(view) != CAKE_STORAGE_ROWS || cake_shared_pad(view))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "exchanges through storage of form rows, but the buffer is '%s'",
                      cake_type_text(view));
  return cake_verify_element(op, r->fragment.element, cake_shared_element(view), "elements of fragment and buffer") &&
         (warps < 0 || verify_room(r, view, warps));
}

// ---- The ops -------------------------------------------------------------------------------------------------------

static bool read_axis(Reduction *r, CakeAttr axis) {
  int64_t number = axis ? cake_attr_int_value(axis) : -1;
  r->along_rows = number != 1;
  r->along_cols = number != 0;
  return !axis || number == 0 || number == 1 ||
         cake_error(r->op, CAKE_CODE_IR_ATTRIBUTES, "has axis %lld; a fragment has axes 0 and 1", (long long)number);
}

bool cake_reduce_verify(CakeOp *op) {
  Reduction r = {.op = op};
  CakeType from = cake_cake_reduce_value(op)->type;
  const CakeValue *into = cake_cake_reduce_into(op);
  if (!cake_fragment_of(from, &r.fragment)) return false;
  if (!cake_reduce_find(cake_attr_string_value(cake_cake_reduce_kind(op)), &r.kind))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "expects 'kind' to be one of add, max, min, mul, and, or, xor");
  if (r.fragment.part != CAKE_FORM_WHOLE || !is_reducible(&r.fragment))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "reduces fragments of form mma.acc, wgmma.acc and vec, but got '%s'",
                      cake_type_text(from));
  if (!read_axis(&r, cake_cake_reduce_axis(op)) || !verify_kind(&r) || !verify_nan(&r) || !verify_result(&r, from))
    return false;
  if (into && into->type != op->results[0].type)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "takes in a value of type '%s', but gives '%s'",
                      cake_type_text(into->type), cake_type_text(op->results[0].type));
  return (!r.along_cols || verify_long_rows(&r)) && verify_through(&r, cake_cake_reduce_through(op));
}

bool cake_merge_verify(CakeOp *op) {
  Reduction r = {.op = op, .along_cols = true};
  CakeType from = cake_cake_merge_value(op)->type;
  if (!cake_fragment_of(from, &r.fragment)) return false;
  r.kind = r.fragment.reduce;
  if (r.fragment.part != CAKE_FORM_PARTIAL)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "merges a fragment of form part<…>, but got '%s'",
                      cake_type_text(from));
  CakeFragment out;
  CakeType to = op->results[0].type;
  bool fits = cake_fragment_of(to, &out) && out.part == CAKE_FORM_ROW && out.base == r.fragment.base &&
              out.element == r.fragment.element &&
              !cake_sizes_differ(cake_fragment_dim(to, 0), cake_fragment_dim(from, 0));
  if (!fits)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "merges '%s' into row<%s>, but the result is '%s'",
                      cake_type_text(from), form_text(r.fragment.base), cake_type_text(to));
  return verify_kind(&r) && verify_through(&r, cake_cake_merge_through(op));
}
