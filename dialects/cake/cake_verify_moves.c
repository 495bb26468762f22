// Verification of moves: copy, get, load, store. Shapes, element types, and the table of storage forms and fragment
// forms.
//
// What depends on the target or on the sizes of a launch (ragged tiles, alignment, strides) is checked by rules of the
// verifier.
#include "dialects/cake/cake_verify.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/views.h"

#include <stdio.h>

// ---- Sizes ---------------------------------------------------------------------------------------------------------

CakeAttr cake_fragment_dim(CakeType type, size_t i) {
  CakeAttr encoding = cake_type_encoding(type);
  if (encoding && encoding->def == &cake_attr_def_of && 1 + i < encoding->count) return encoding->params[1 + i].attr;
  int64_t size = cake_type_dim(type, i);
  return size < 0 ? cake_expr_leaf(type->context, CAKE_EXPR_UNKNOWN) : cake_expr_const(type->context, size);
}

bool cake_sizes_differ(CakeAttr a, CakeAttr b) {
  int64_t x, y;
  return cake_expr_is_const(a, &x) && cake_expr_is_const(b, &y) && x != y;
}

bool cake_verify_element(CakeOp *op, CakeType a, CakeType b, const char *what) {
  if (a == b) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "%s: '%s' and '%s' differ", what, cake_type_text(a),
                    cake_type_text(b));
}

// ---- Places --------------------------------------------------------------------------------------------------------

static bool verify_at(CakeOp *op, CakeType global, CakeAttr at, CakeOperandRange idx) {
  if (cake_at_count(at) != cake_global_rank(global))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu coordinate(s), but the array has %zu dimension(s)",
                      cake_at_count(at), cake_global_rank(global));
  return cake_verify_expr(op, "at", at, idx.count);
}

// `dims`: dimensions of the array, rising, one for each of the tile's.
static bool verify_dims(CakeOp *op, CakeType global, CakeAttr dims, size_t rank) {
  int64_t before = -1;
  if (!dims) return true;
  if (cake_attr_count(dims) != rank)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu dimension(s) in 'dims', but the tile has %zu",
                      cake_attr_count(dims), rank);
  for (size_t i = 0; i < rank; i++) {
    int64_t dim = cake_attr_dense_array_value(dims, i);
    if (dim <= before || dim >= (int64_t)cake_global_rank(global))
      return cake_error(
          op, CAKE_CODE_IR_ATTRIBUTES,
          "'dims' must name dimensions of the array in rising order, from 0 to %zu, but entry %zu is %lld",
          cake_global_rank(global) - 1, i, (long long)dim);
    before = dim;
  }
  return before + 1 == (int64_t)cake_global_rank(global) ||
         cake_error(op, CAKE_CODE_IR_ATTRIBUTES,
                    "'dims' must end with the array's last dimension, %zu, along which elements are neighbours",
                    cake_global_rank(global) - 1);
}

enum { MAX_OFFSET_OPERANDS = 16 };

// Operands of an offset are indices of unrolled loops, which become constants behind cake-unroll. What an offset is, is
// checked there: `*out_known` tells whether all operands are numbers already.
static bool offset_operands(CakeOp *op, const char *name, int64_t *out, size_t *out_count, bool *out_known) {
  char group[32];
  snprintf(group, sizeof group, "%s_idx", name);
  int row = cake_op_def_operand(op->info->def, group);
  CakeOperandRange range = row < 0 ? (CakeOperandRange){0} : cake_op_operand_group(op, (uint32_t)row);
  *out_count = range.count;
  *out_known = true;
  for (uint32_t i = 0; i < range.count; i++) {
    const CakeValue *value = range.first[i].value;
    CakeOp *loop = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : NULL;
    CakeOp *constant = cake_value_def(value);
    CakeAttr number =
        constant && cake_op_has_trait(constant, CAKE_TRAIT_CONSTANT) ? cake_op_attr_text(constant, "value") : NULL;
    bool is_index = loop && cake_is_cake_op(loop, cake_op_cake_unroll) && value->index == 0;
    bool is_number = cake_attr_is(number, &cake_attr_def_integer);
    if ((!is_index && !is_number) || i == MAX_OFFSET_OPERANDS)
      return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                        "'%s' must be made of constants, parameters, `instance` and indices of `cake.unroll`", name);
    *out_known &= is_number;
    out[i] = is_number ? cake_attr_int_value(number) : 0;
  }
  return true;
}

// At one replica of the role, in one CTA of the cluster.
static bool verify_offset_at(CakeOp *op, size_t dim, CakeAttr offset, const CakeExprEnv *env, CakeAttr extent,
                             CakeAttr size, int64_t multiple) {
  int64_t first, length, total;
  if (!cake_expr_eval(offset, env, &first)) return true; // template parameters: checked in the instance
  if (first % multiple != 0)
    return cake_error(op, CAKE_CODE_ALIGNMENT,
                      "starts at %lld in dimension %zu; the storage form needs a multiple of %lld", (long long)first,
                      dim, (long long)multiple);
  if (!cake_expr_is_const(extent, &length) || !cake_expr_is_const(size, &total)) return true;
  if (first >= 0 && first <= total && length <= total - first) return true;
  return cake_error(op, CAKE_CODE_IR_SEMANTICS, "reads %lld elements from %lld on of dimension %zu, which has %lld",
                    (long long)length, (long long)first, dim, (long long)total);
}

// The offset at each replica of the role: inside the view, `extent` included. Behind the expansion of roles nothing is
// left to check.
static bool verify_offset(CakeOp *op, const char *name, size_t dim, CakeAttr offset, CakeAttr extent, CakeAttr size,
                          int64_t multiple) {
  CakeOp *role = cake_op_role(op);
  CakeRoleShape shape;
  int64_t operands[MAX_OFFSET_OPERANDS];
  size_t n_operands = 0;
  bool is_known = true;
  if (!role) return true;
  if (cake_expr_has_operand(offset) && !offset_operands(op, name, operands, &n_operands, &is_known)) return false;
  if (!is_known) return true;
  int64_t replicas = cake_role_shape(role, &shape) ? shape.replicas : 1, cluster = cake_op_cluster(op);
  for (int64_t i = 0; i < replicas * cluster; i++) {
    CakeExprEnv env = {.instance = i / cluster, .rank = i % cluster, .operands = operands, .n_operands = n_operands};
    if (!verify_offset_at(op, dim, offset, &env, extent, size, multiple)) return false;
  }
  return true;
}

bool cake_verify_view(CakeOp *op, const char *name, CakeType view, CakeAttr off, CakeOperandRange idx,
                      const CakeAttr *extents) {
  size_t rank = cake_shared_rank(view);
  if (off && cake_at_count(off) != rank)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu coordinate(s) in '%s', but the view has %zu dimension(s)",
                      cake_at_count(off), name, rank);
  if (!cake_verify_expr(op, name, off, idx.count)) return false;
  CakeAttr zero = cake_expr_const(op->context, 0);
  bool is_swizzled = cake_shared_storage(view) != CAKE_STORAGE_ROWS;
  for (size_t i = 0; i < rank; i++) {
    CakeAttr size = cake_shared_dim(view, i);
    if (!off && cake_sizes_differ(extents[i], size))
      return cake_error(op, CAKE_CODE_FORM_MISMATCH, "needs %s elements in dimension %zu, but the view '%s' has %s",
                        cake_body_text(extents[i]), i, cake_type_text(view), cake_body_text(size));
    int64_t multiple = !is_swizzled ? 1 : i == 0 ? 8 : 16;
    if (!verify_offset(op, name, i, off ? cake_at_expr(off, i) : zero, extents[i], size, multiple)) return false;
  }
  return true;
}

static bool verify_pad(CakeOp *op, CakeAttr pad, CakeType element) {
  if (!pad || cake_attr_value_type(pad) == element) return true;
  return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'pad' must be of type '%s', but is %s", cake_type_text(element),
                    cake_attr_text(pad));
}

// ---- Copies --------------------------------------------------------------------------------------------------------

static bool is_zero(CakeAttr number) {
  return cake_attr_is(number, &cake_attr_def_float) ? cake_attr_float_value(number) == 0.0
                                                    : cake_attr_int_value(number) == 0;
}

static bool verify_copy_way(CakeOp *op, CakeType view, CakeVia via) {
  CakeAttr pad = cake_cake_copy_pad(op);
  if (pad && via == CAKE_VIA_BULK)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "a bulk copy cannot pad: the tile must lie inside of the array");
  if (pad && !is_zero(pad))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "copies pad with 0 only, but 'pad' is %s", cake_attr_text(pad));
  if (via == CAKE_VIA_CP_ASYNC) return true;
  if (via == CAKE_VIA_BULK && cake_shared_storage(view) != CAKE_STORAGE_ROWS)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "a bulk copy writes `rows`, but the view is '%s'; tma and cp_async write %s",
                      cake_type_text(view), cake_storage_name(cake_shared_storage(view)));
  if (cake_shared_pad(view))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "only cp_async writes rows with padding, but the view is '%s'",
                      cake_type_text(view));
  return true;
}

static bool verify_copy_offset(CakeOp *op) {
  CakeAttr off = cake_cake_copy_off(op);
  int64_t first;
  for (size_t i = 0; off && i < cake_at_count(off); i++)
    if (!cake_expr_is_const(cake_at_expr(off, i), &first) || first != 0)
      return cake_error(op, CAKE_CODE_IR_SEMANTICS, "fills a whole view: an offset into it must be 0");
  return true;
}

bool cake_copy_verify(CakeOp *op) {
  CakeType global = cake_cake_copy_global(op)->type, view = cake_cake_copy_view(op)->type;
  size_t rank = cake_shared_rank(view);
  CakeAttr extents[CAKE_MAX_RANK];
  if (rank > cake_global_rank(global))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the view has %zu dimension(s), the array only %zu", rank,
                      cake_global_rank(global));
  for (size_t i = 0; i < rank; i++)
    extents[i] = cake_shared_dim(view, i);
  return verify_at(op, global, cake_cake_copy_at(op), cake_cake_copy_at_idx(op)) &&
         verify_dims(op, global, cake_cake_copy_dims(op), rank) &&
         cake_verify_view(op, "off", view, cake_cake_copy_off(op), cake_cake_copy_off_idx(op), extents) &&
         verify_copy_offset(op) &&
         cake_verify_element(op, cake_global_element(global), cake_shared_element(view),
                             "elements of array and view") &&
         verify_pad(op, cake_cake_copy_pad(op), cake_global_element(global)) &&
         verify_copy_way(op, view, cake_via_of(cake_cake_copy_via(op))) && cake_verify_multicast(op);
}

// ---- Reading a view ------------------------------------------------------------------------------------------------

// One row a pair of storage form and fragment form that an instruction can move. `width`: bits of an element, 0 for
// any.
typedef struct Move {
  CakeStorage storage;
  uint32_t width;
  CakeFormPart part;
  CakeFormKind kind; // of WHOLE
  const char *form;
} Move;

static const Move moves[] = {
    {CAKE_STORAGE_SW128, 16, CAKE_FORM_WHOLE, CAKE_FORM_MMA_A,     "mma.a (16-bit elements, ldmatrix)"  },
    {CAKE_STORAGE_SW128, 16, CAKE_FORM_WHOLE, CAKE_FORM_MMA_B,     "mma.b (16-bit elements, ldmatrix)"  },
    {CAKE_STORAGE_SW128, 16, CAKE_FORM_WHOLE, CAKE_FORM_WGMMA_A,   "wgmma.a (16-bit elements, ldmatrix)"},
    {CAKE_STORAGE_SW128, 16, CAKE_FORM_WHOLE, CAKE_FORM_WGMMA_ACC, "wgmma.acc (16-bit elements)"        },
    {CAKE_STORAGE_SW128, 16, CAKE_FORM_WHOLE, CAKE_FORM_VEC,       "vec (16-bit elements)"              },
    {CAKE_STORAGE_ROWS,  32, CAKE_FORM_WHOLE, CAKE_FORM_WGMMA_ACC, "wgmma.acc (32-bit elements)"        },
    {CAKE_STORAGE_ROWS,  0,  CAKE_FORM_WHOLE, CAKE_FORM_VEC,       "vec"                                },
    {CAKE_STORAGE_ROWS,  0,  CAKE_FORM_ROW,   CAKE_FORM_WGMMA_ACC, "row<…>"                             },
    {CAKE_STORAGE_ROWS,  0,  CAKE_FORM_COL,   CAKE_FORM_WGMMA_ACC, "col<…>"                             },
};

static bool has_move(CakeType view, const CakeFragment *fragment) {
  for (size_t i = 0; i < CAKE_COUNT(moves); i++) {
    const Move *move = &moves[i];
    if (move->storage != cake_shared_storage(view) || move->part != fragment->part) continue;
    if (move->part == CAKE_FORM_WHOLE && move->kind != fragment->kind) continue;
    if (!move->width || move->width == cake_type_width(fragment->element)) return true;
  }
  return false;
}

// Names the op, the declaration of the storage, and what would fit on either side.
static bool report_move(CakeOp *op, CakeType view, CakeType result, const CakeFragment *fragment) {
  CakeBuf fits = {0}, storages = {0};
  for (size_t i = 0; i < CAKE_COUNT(moves); i++) {
    if (moves[i].storage == cake_shared_storage(view))
      cake_buf_printf(&fits, "%s%s", fits.len ? ", " : "", moves[i].form);
    bool is_same =
        moves[i].part == fragment->part && (fragment->part != CAKE_FORM_WHOLE || moves[i].kind == fragment->kind);
    if (is_same) cake_buf_printf(&storages, "%s%s", storages.len ? ", " : "", cake_storage_name(moves[i].storage));
  }
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_FORM_MISMATCH, "no instruction reads '%s' into '%s'",
                                       cake_type_text(view), cake_type_text(result));
  CakeOp *source = cake_value_def(cake_cake_get_view(op)), *pipeline = source ? cake_op_pipeline(source) : NULL;
  if (pipeline) cake_diag_note(op->context, d, pipeline->loc, "the view is a part of this pipeline");
  cake_diag_note(op->context, d, op->loc, "forms that %s can be read into: %s",
                 cake_storage_name(cake_shared_storage(view)), fits.len ? fits.data : "none");
  cake_diag_fix(op->context, d, storages.len ? "store the part as %s, or read another form" : "read another form",
                storages.len ? storages.data : "");
  cake_buf_fini(&fits);
  cake_buf_fini(&storages);
  return cake_diag_emit(op->context, d);
}

bool cake_get_verify(CakeOp *op) {
  if (cake_type_is(cake_cake_get_view(op)->type, &cake_type_def_tmem)) return cake_verify_tmem_get(op);
  CakeType view = cake_cake_get_view(op)->type, result = op->results[0].type;
  CakeFragment fragment;
  if (!cake_fragment_of(result, &fragment)) return false;
  if (!cake_verify_element(op, cake_shared_element(view), fragment.element, "elements of view and fragment"))
    return false;
  if (!has_move(view, &fragment)) return report_move(op, view, result, &fragment);
  if ((size_t)fragment.rank != cake_shared_rank(view))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the view has %zu dimension(s), the fragment %lld",
                      cake_shared_rank(view), (long long)fragment.rank);
  CakeAttr extents[2];
  for (size_t i = 0; i < (size_t)fragment.rank; i++)
    extents[i] = cake_fragment_dim(result, i);
  return cake_verify_view(op, "off", view, cake_cake_get_off(op), cake_cake_get_off_idx(op), extents);
}

// ---- Writing a view --------------------------------------------------------------------------------------------------

// Accumulators are written by stmatrix (16-bit elements) or by plain stores, neighbours in a row by stores of 16 bytes.
static bool can_put(const CakeFragment *fragment) {
  bool is_acc = fragment->kind == CAKE_FORM_WGMMA_ACC || fragment->kind == CAKE_FORM_MMA_ACC ||
                fragment->kind == CAKE_FORM_TMEM_LD;
  bool is_vec = fragment->kind == CAKE_FORM_VEC;
  uint32_t width = cake_type_width(fragment->element);
  return fragment->part == CAKE_FORM_WHOLE && ((is_acc && (width == 16 || width == 32)) || (is_vec && width >= 8));
}

// All rows of some columns of a fragment, which must be whole instruction tiles of each warp: `rows` and `cols` wide.
static bool verify_cut(CakeOp *op, const char *name, CakeType value, const CakeFragment *fragment, CakeAttr off,
                       CakeAttr rows, CakeAttr cols) {
  int64_t first_row;
  if (cake_at_count(off) != 2)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu coordinate(s) in '%s'; a fragment has 2",
                      cake_at_count(off), name);
  if (fragment->warp_cols > 1)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "cuts '%s', whose columns are spread over %lld warps",
                      cake_type_text(value), (long long)fragment->warp_cols);
  if (!cake_expr_is_const(cake_at_expr(off, 0), &first_row) || first_row != 0 ||
      cake_sizes_differ(cake_fragment_dim(value, 0), rows))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "takes %s rows of '%s'; only columns can be cut",
                      cake_body_text(rows), cake_type_text(value));
  return verify_offset(op, name, 1, cake_at_expr(off, 1), cols, cake_fragment_dim(value, 1), 16);
}

static bool verify_put_cut(CakeOp *op, CakeType value, CakeType view, const CakeFragment *fragment) {
  CakeAttr off = cake_cake_put_value_off(op);
  if (off && fragment->kind == CAKE_FORM_VEC)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "cuts '%s'; only accumulators can be cut", cake_type_text(value));
  if (cake_cake_put_off(op)) return true; // verify_put_offset
  if (off) return verify_cut(op, "value_off", value, fragment, off, cake_shared_dim(view, 0), cake_shared_dim(view, 1));
  for (size_t i = 0; i < 2; i++)
    if (cake_sizes_differ(cake_fragment_dim(value, i), cake_shared_dim(view, i)))
      return cake_error(op, CAKE_CODE_FORM_MISMATCH, "fills a view '%s' with a fragment '%s' of another size",
                        cake_type_text(view), cake_type_text(value));
  return true;
}

bool cake_slice_verify(CakeOp *op) {
  CakeType value = cake_cake_slice_value(op)->type, result = op->results[0].type;
  CakeFragment from, to;
  if (!cake_fragment_of(value, &from) || !cake_fragment_of(result, &to)) return false;
  bool is_acc = from.kind == CAKE_FORM_WGMMA_ACC || from.kind == CAKE_FORM_MMA_ACC;
  if (!is_acc || from.part != CAKE_FORM_WHOLE || to.part != CAKE_FORM_WHOLE || from.base != to.base ||
      from.element != to.element)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "takes columns of an accumulator, of its form and type, but got '%s' of '%s'",
                      cake_type_text(result), cake_type_text(value));
  return cake_verify_expr(op, "off", cake_cake_slice_off(op), cake_cake_slice_off_idx(op).count) &&
         verify_cut(op, "off", value, &from, cake_cake_slice_off(op), cake_fragment_dim(result, 0),
                    cake_fragment_dim(result, 1));
}

// Into a buffer, a whole fragment may be put at an offset. A part of a slot is filled as a whole.
static bool verify_put_offset(CakeOp *op, CakeType value, CakeType view) {
  CakeAttr off = cake_cake_put_off(op);
  const CakeOp *buffer = cake_value_def(cake_cake_put_view(op));
  if (!off) return cake_verify_expr(op, "off", off, cake_cake_put_off_idx(op).count);
  if (cake_cake_put_value_off(op))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "cuts the fragment and goes to an offset; cake.slice cuts it before");
  if (cake_op_kernel(op) && (!buffer || !cake_is_cake_op(buffer, cake_op_cake_buffer)))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                      "fills a part of a slot, which is written as a whole: an offset is for buffers");
  if (cake_shared_rank(view) != 2)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the view has %zu dimension(s), the fragment 2",
                      cake_shared_rank(view));
  CakeAttr extents[] = {cake_fragment_dim(value, 0), cake_fragment_dim(value, 1)};
  return cake_verify_view(op, "off", view, off, cake_cake_put_off_idx(op), extents);
}

bool cake_put_verify(CakeOp *op) {
  CakeType value = cake_cake_put_value(op)->type, view = cake_cake_put_view(op)->type;
  CakeFragment fragment;
  if (!cake_fragment_of(value, &fragment) || !verify_put_offset(op, value, view)) return false;
  if (!cake_verify_element(op, fragment.element, cake_shared_element(view), "elements of fragment and view") ||
      !cake_verify_expr(op, "value_off", cake_cake_put_value_off(op), cake_cake_put_value_off_idx(op).count))
    return false;
  if (!can_put(&fragment)) {
    CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_FORM_MISMATCH, "no instruction writes '%s' into '%s'",
                                         cake_type_text(value), cake_type_text(view));
    cake_diag_fix(op->context, d, "put an accumulator of 16- or 32-bit elements, or a fragment of form vec");
    return cake_diag_emit(op->context, d);
  }
  if (cake_shared_rank(view) != 2)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the view has %zu dimension(s), the fragment 2",
                      cake_shared_rank(view));
  return verify_put_cut(op, value, view, &fragment);
}

// ---- Global memory and fragments --------------------------------------------------------------------------------------

static bool verify_tile(CakeOp *op, CakeType global, CakeType type, CakeFragment *out) {
  if (!cake_fragment_of(type, out)) return false;
  if ((size_t)out->rank > cake_global_rank(global))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the fragment has %lld dimension(s), the array only %zu",
                      (long long)out->rank, cake_global_rank(global));
  return cake_verify_element(op, cake_global_element(global), out->element, "elements of array and fragment");
}

static bool verify_keep(CakeOp *op, CakeAttr keep, CakeOperandRange idx) {
  return cake_verify_expr(op, "keep", keep, idx.count);
}

static bool report_no_pad(CakeOp *op) {
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_IR_ATTRIBUTES, "does not say what the elements become that `keep` leaves out");
  cake_diag_fix(op->context, d, "write `pad(0.0)`");
  return cake_diag_emit(op->context, d);
}

bool cake_load_verify(CakeOp *op) {
  CakeType global = cake_cake_load_global(op)->type;
  CakeFragment fragment;
  return verify_at(op, global, cake_cake_load_at(op), cake_cake_load_at_idx(op)) &&
         verify_tile(op, global, op->results[0].type, &fragment) &&
         verify_dims(op, global, cake_cake_load_dims(op), (size_t)fragment.rank) &&
         verify_keep(op, cake_cake_load_keep(op), cake_cake_load_keep_idx(op)) &&
         (!cake_cake_load_keep(op) || cake_cake_load_pad(op) || report_no_pad(op)) &&
         verify_pad(op, cake_cake_load_pad(op), cake_global_element(global));
}

bool cake_store_verify(CakeOp *op) {
  CakeType global = cake_cake_store_global(op)->type, type = cake_cake_store_value(op)->type;
  CakeFragment fragment;
  if (cake_global_flags(global) & CAKE_GLOBAL_READONLY)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "writes an array that is declared `readonly`");
  if (!verify_at(op, global, cake_cake_store_at(op), cake_cake_store_at_idx(op)) ||
      !verify_tile(op, global, type, &fragment) ||
      !verify_dims(op, global, cake_cake_store_dims(op), (size_t)fragment.rank) ||
      !verify_keep(op, cake_cake_store_keep(op), cake_cake_store_keep_idx(op)))
    return false;
  bool is_operand =
      fragment.kind == CAKE_FORM_MMA_A || fragment.kind == CAKE_FORM_MMA_B || fragment.kind == CAKE_FORM_WGMMA_A;
  if (!is_operand || fragment.part != CAKE_FORM_WHOLE) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "no instruction writes '%s' to memory; mma.acc, wgmma.acc, vec, row and col can be stored",
                    cake_type_text(type));
}

// ---- Shared memory to global memory ----------------------------------------------------------------------------------

// What cp.reduce.async.bulk.tensor adds: of the tensor map's types those of `.add` that arrays here have.
bool cake_type_adds_in_memory(CakeType element) {
  return cake_type_is_float(element, CAKE_FLOAT_F32) || cake_type_is_float(element, CAKE_FLOAT_F16) ||
         cake_type_is_float(element, CAKE_FLOAT_BF16) || cake_type_is_integer(element, 32);
}

static bool verify_reduce(CakeOp *op, CakeType element, CakeAttr reduce) {
  if (!reduce) return true;
  if (!cake_str_is(cake_attr_string_value(reduce), "add"))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has no 'reduce' of %s; the store engine can `add`",
                      cake_attr_text(reduce));
  if (cake_type_adds_in_memory(element)) return true;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_FORM_MISMATCH,
                                       "adds elements of type '%s' to an array; cp.reduce.async.bulk.tensor .add takes "
                                       "f32, f16, bf16 and i32",
                                       cake_type_text(element));
  cake_diag_fix(op->context, d, "widen them, or let one item make the whole sum");
  return cake_diag_emit(op->context, d);
}

bool cake_verify_stored_view(CakeOp *op, const CakeValue *global, CakeAttr at, CakeOperandRange at_idx, CakeType view,
                             CakeAttr reduce) {
  CakeType array = global->type;
  if (cake_global_flags(array) & CAKE_GLOBAL_READONLY)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "writes an array that is declared `readonly`");
  if (cake_shared_rank(view) > cake_global_rank(array))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the view has %zu dimension(s), the array only %zu",
                      cake_shared_rank(view), cake_global_rank(array));
  return verify_at(op, array, at, at_idx) &&
         cake_verify_element(op, cake_global_element(array), cake_shared_element(view), "elements of array and view") &&
         verify_reduce(op, cake_global_element(array), reduce);
}

bool cake_store_view_verify(CakeOp *op) {
  if (cake_op_role(op))
    return cake_error(op, CAKE_CODE_ROLE_STRUCTURE,
                      "is made by cake-expand-pipelines; a role commits a slot of a pipeline `to(store)`");
  return cake_verify_stored_view(op, cake_cake_store_view_global(op), cake_cake_store_view_at(op),
                                 cake_cake_store_view_at_idx(op), cake_cake_store_view_view(op)->type,
                                 cake_cake_store_view_reduce(op));
}
