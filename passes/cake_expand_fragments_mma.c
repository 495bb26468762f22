// The ops mma and await: tensor-core instructions on fragments (mma.sync) and on shared memory (wgmma).
//
// wgmma descriptors of swizzled, K-major operands (PTX ISA, "Matrix descriptor"): address / 16, leading offset 1 (not used), as stride 8 rows
// of a panel / 16, the swizzle (1: 128 bytes, 2: 64, 3: 32) in bits 62 and 63. The next 16 columns inside a panel are 32 bytes further.
#include "passes/fragments.h"

#include "dialects/cake/ops/mma.h"

enum { SLICE = 16, SLICE_BYTES = 32 };

CakeType cake_fragments_pending_fragment(CakeType pending) { // params: element, form, dims
  int64_t rows = -1, cols = -1;
  if (pending->count == 4) {
    if (!cake_expr_is_const(pending->params[2].attr, &rows)) rows = -1;
    if (!cake_expr_is_const(pending->params[3].attr, &cols)) cols = -1;
  }
  return cake_fragment_get(pending->params[0].type, rows, cols, CAKE_FORM_WHOLE, pending->params[1].attr);
}

// ---- mma.sync ------------------------------------------------------------------------------------------------------------

typedef struct Operand {
  CakeLayout layout;
  CakeValue **parts; // one a tile of the instruction
} Operand;

static bool unpack_operand(CakeFragments *expand, CakeOp *op, CakeValue *value, uint32_t part_size, Operand *out) {
  if (!cake_layout_of(op, value->type, &out->layout)) return false;
  CakeType part = cake_fragments_vector_type(out->layout.fragment.element, part_size);
  out->parts =
      cake_fragments_unpack(expand, cake_fragments_get_value(expand, value), part, out->layout.count / part_size);
  return true;
}

static bool has_kind(const Operand *operand, CakeFormKind kind) {
  return operand->layout.fragment.kind == kind && operand->layout.fragment.part == CAKE_FORM_WHOLE;
}

// Tiles [mi][ni] of the accumulator, [mi][ki] of a, [ni][ki] of b. Depth is the outer loop, so that neighbours are independent.
static void multiply_tiles(CakeFragments *expand, const Operand *acc, const Operand *a, const Operand *b) {
  int64_t m_tiles = acc->layout.rows / 16, n_tiles = acc->layout.cols / 8, k_tiles = a->layout.cols / SLICE;
  for (int64_t k = 0; k < k_tiles; k++) {
    for (int64_t m = 0; m < m_tiles; m++) {
      for (int64_t n = 0; n < n_tiles; n++) {
        CakeValue **sum = &acc->parts[m * n_tiles + n];
        CakeValue *operands[] = {a->parts[m * k_tiles + k], b->parts[n * k_tiles + k], *sum};
        *sum = cake_build1(expand->rewriter, "gpu.mma", (*sum)->type, operands, 3);
      }
    }
  }
}

static bool lower_mma_sync(CakeFragments *expand, CakeOp *op, CakeMmaForm form) {
  Operand acc, a, b;
  if (form.m != 16 || form.n != 8 || form.k != SLICE || form.a != 'n' || form.b != 't') {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has a form that is not lowered yet; mma.m16n8k16.nt is");
  }
  CakeValue *a_value = cake_cake_mma_a(op), *b_value = cake_cake_mma_b(op);
  if (cake_cake_mma_a_off(op) || cake_cake_mma_b_off(op))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "takes parts of fragments, which is not lowered yet");
  if (!unpack_operand(expand, op, cake_cake_mma_acc(op), 4, &acc) || !unpack_operand(expand, op, a_value, 8, &a))
    return false;
  if (!unpack_operand(expand, op, b_value, 4, &b)) return false;
  bool agree = has_kind(&acc, CAKE_FORM_MMA_ACC) && has_kind(&a, CAKE_FORM_MMA_A) && has_kind(&b, CAKE_FORM_MMA_B) &&
               acc.layout.rows == a.layout.rows && acc.layout.cols == b.layout.rows && a.layout.cols == b.layout.cols;
  if (!agree || !cake_type_is_float(acc.layout.fragment.element, CAKE_FLOAT_F32)) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "does not multiply mma.a by mma.b into an f32 mma.acc of their shape");
  }
  uint32_t count = acc.layout.count / 4;
  CakeValue **sums = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++)
    sums[i] = acc.parts[i];
  acc.parts = sums;
  multiply_tiles(expand, &acc, &a, &b);
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_pack(expand, sums, count, cake_layout_vector(&acc.layout)));
  return true;
}

// ---- wgmma ---------------------------------------------------------------------------------------------------------------

// A slice of an operand is 32 bytes deep. K-major operands (the sum along rows of the view): see above. MN-major ones (the
// sum along columns; 16-bit elements): 8 rows of a panel are the stride; the leading offset goes from panel to panel, and the
// next slice is 16 rows of a panel further.
typedef struct Descriptor {
  CakeValue *base; // i64: of the first slice
  bool is_mn_major;
  int64_t panel;       // bytes of a row of a panel
  int64_t panel_bytes; // from panel to panel
  int64_t slices;
} Descriptor;

static bool make_descriptor(CakeFragments *expand, CakeOp *op, CakeValue *view, CakeAttr off, CakeOperandRange off_idx,
                            bool is_mn_major, Descriptor *out) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeViewOffset offset;
  CakeValue *ptr;
  if (!cake_type_is(view->type, &cake_type_def_shared) || !cake_shared_panel(view->type)) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "has an operand of type '%s'; wgmma is lowered for swizzled views", cake_type_text(view->type));
  }
  int64_t bytes = cake_fragments_bytes(cake_shared_element(view->type));
  if (!cake_view_offset(expand, op, view->type, off, off_idx, &offset) ||
      !cake_view_pointer(expand, op, view, &offset, &ptr))
    return false;
  bool has_sum_offset = is_mn_major ? offset.row || offset.row_const : offset.col || offset.col_const;
  if (has_sum_offset)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has an offset along the dimension that is summed");
  out->is_mn_major = is_mn_major;
  out->panel = cake_shared_panel(view->type);
  out->panel_bytes = cake_shared_size(view->type, 0) * out->panel;
  int64_t depth = is_mn_major ? cake_shared_size(view->type, 0) * 2 : cake_shared_size(view->type, 1) * bytes;
  if (depth <= 0 || depth % SLICE_BYTES != 0 || (is_mn_major && bytes != 2))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has a depth of %lld bytes, no multiple of 32",
                      (long long)depth);
  out->slices = depth / SLICE_BYTES;
  CakeType i64 = cake_type_i64(expand->context);
  CakeValue *address = cake_build_unary(rewriter, "gpu.shared_address", cake_type_i32(expand->context), ptr);
  address = cake_build_unary(rewriter, "arith.extui", i64, address);
  address = cake_build_binary(rewriter, "arith.shrui", address, cake_lower_i64(rewriter, 4));
  int64_t leading = is_mn_major ? out->panel_bytes >> 4 : 1;
  uint64_t swizzle = out->panel == 128 ? 1 : out->panel == 64 ? 2 : 3;
  uint64_t fixed = (uint64_t)leading << 16 | (uint64_t)(8 * out->panel >> 4) << 32 | swizzle << 62;
  out->base = cake_build_binary(rewriter, "arith.ori", address, cake_lower_i64(rewriter, (int64_t)fixed));
  return true;
}

static CakeValue *slice_of(CakeFragments *expand, const Descriptor *d, int64_t slice) {
  int64_t bytes = slice * SLICE_BYTES;
  int64_t at = d->is_mn_major ? slice * SLICE * d->panel : bytes / d->panel * d->panel_bytes + bytes % d->panel;
  return cake_lower_add_const(expand->rewriter, d->base, at >> 4);
}

// A: slices of shared memory, or the registers of 64 rows of a fragment.
typedef struct Left {
  Descriptor view;
  CakeValue **parts; // one a slice; NULL: a view
  int64_t slices;
  CakeType element;
} Left;

static bool make_left(CakeFragments *expand, CakeOp *op, bool is_mn_major, Left *out) {
  CakeValue *a = cake_cake_mma_a(op);
  CakeAttr off = cake_cake_mma_a_off(op);
  CakeLayout layout;
  int64_t first = 0;
  *out = (Left){0};
  if (cake_type_is(a->type, &cake_type_def_shared)) {
    if (!make_descriptor(expand, op, a, off, cake_cake_mma_a_off_idx(op), is_mn_major, &out->view)) return false;
    out->slices = out->view.slices;
    out->element = cake_shared_element(a->type);
    return true;
  }
  if (!cake_layout_of(op, a->type, &layout)) return false;
  bool fits = layout.fragment.kind == CAKE_FORM_WGMMA_A && layout.fragment.part == CAKE_FORM_WHOLE &&
              (!off || cake_expr_is_const(cake_at_expr(off, 0), &first)) && first >= 0 && first % 64 == 0 &&
              first <= layout.fragment.rows - 64;
  if (!fits) return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "does not take 64 whole rows of a wgmma.a fragment");
  CakeType part = cake_fragments_vector_type(layout.fragment.element, 8);
  CakeValue **parts = cake_fragments_unpack(expand, cake_fragments_get_value(expand, a), part, layout.count / 8);
  out->parts = parts + first / 64 * (layout.cols / SLICE);
  out->slices = layout.cols / SLICE;
  out->element = layout.fragment.element;
  return true;
}

static CakeValue *left_slice(CakeFragments *expand, const Left *left, int64_t slice) {
  return left->parts ? left->parts[slice] : slice_of(expand, &left->view, slice);
}

// `accumulate` (NULL: always) tells whether `acc` (NULL: none) is read.
static CakeValue *issue_slice(CakeFragments *expand, const CakeMmaForm *form, CakeType element, CakeValue *a,
                              bool negates, CakeValue *b, CakeValue *acc, CakeValue *accumulate, CakeType type) {
  CakeContext *context = expand->context;
  CakeValue *operands[] = {a, b, acc, accumulate};
  int32_t segments[] = {1, 1, acc != NULL, accumulate != NULL};
  CakeNamedAttr attrs[5] = {
      {cake_id_text(context, "n"), cake_attr_i64(context, form->n)},
      {cake_id_text(context, "element"), cake_attr_type(element)}
  };
  size_t n_attrs = 2;
  if (negates) attrs[n_attrs++] = (CakeNamedAttr){cake_id_text(context, "negate"), cake_attr_unit(context)};
  if (form->a == 't') attrs[n_attrs++] = (CakeNamedAttr){cake_id_text(context, "trans_a"), cake_attr_unit(context)};
  if (form->b == 'n') attrs[n_attrs++] = (CakeNamedAttr){cake_id_text(context, "trans_b"), cake_attr_unit(context)};
  const char *name = cake_type_is(a->type, &cake_type_def_vector) ? "gpu.wgmma_rs" : "gpu.wgmma";
  CakeOp *op = cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = name,
                                                                  .operands = operands,
                                                                  .n_operands = accumulate ? 4
                                                                                : acc      ? 3
                                                                                           : 2,
                                                                  .segments = segments,
                                                                  .n_segments = CAKE_COUNT(segments),
                                                                  .result_types = &type,
                                                                  .n_results = 1,
                                                                  .attrs = attrs,
                                                                  .n_attrs = n_attrs});
  return cake_op_result(op, 0);
}

static bool lower_wgmma(CakeFragments *expand, CakeOp *op, CakeMmaForm form) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeLayout layout;
  Left a;
  Descriptor b;
  CakeValue *view_b = cake_cake_mma_b(op);
  if (!cake_layout_of(op, cake_fragments_pending_fragment(cake_op_result(op, 0)->type), &layout)) return false;
  if (layout.fragment.rows != 64 || layout.fragment.cols != form.n)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has an accumulator that is not 64x%lld", (long long)form.n);
  CakeAttr b_off = cake_cake_mma_b_off(op);
  if (!make_left(expand, op, form.a == 't', &a) ||
      !make_descriptor(expand, op, view_b, b_off, cake_cake_mma_b_off_idx(op), form.b == 'n', &b))
    return false;
  int64_t slices = a.slices < b.slices ? a.slices : b.slices;
  CakeThreadValues from = cake_fragments_get_values(expand, cake_cake_mma_acc(op));
  // A fragment is always read; a pending accumulator where something was accumulated.
  CakeValue *acc = from.values[0], *accumulate = from.count > 1 ? from.values[1] : NULL;
  int64_t has_sum = 1;
  if (!accumulate || cake_lower_constant(accumulate, &has_sum)) {
    if (!has_sum) acc = NULL;
    accumulate = NULL;
  }
  CakeType type = cake_layout_vector(&layout);
  if (!cake_lower_continues_group(op)) cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.wgmma_fence"});
  for (int64_t slice = 0; slice < slices; slice++) {
    CakeValue *right = slice_of(expand, &b, slice), *left = left_slice(expand, &a, slice);
    acc = issue_slice(expand, &form, a.element, left, cake_cake_mma_negate(op) != NULL, right, acc, accumulate, type);
    accumulate = NULL;
  }
  if (!op->next || !cake_lower_continues_group(op->next))
    cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.wgmma_commit"});
  CakeValue *something = cake_lower_const(rewriter, cake_type_i1(expand->context), 1);
  CakeThreadValues sum = {
      {acc, something},
      2
  };
  cake_fragments_set_values(expand, cake_op_result(op, 0), sum);
  return true;
}

// ---- tcgen05 ---------------------------------------------------------------------------------------------------------------

// The descriptors are those of wgmma with the number 1 in bits 46 to 48 (PTX ISA, "tcgen05: shared memory descriptor"; 128-byte
// swizzle is mode 2 of bits 61 to 63, which is the same bit).
#define TCGEN05_DESCRIPTOR (INT64_C(1) << 46)

static void issue_tcgen05(CakeFragments *expand, const CakeMmaForm *form, CakeType element,
                          CakeValue *const *operands) {
  CakeContext *context = expand->context;
  CakeNamedAttr attrs[] = {
      {cake_id_text(context, "m"), cake_attr_i64(context, form->m)},
      {cake_id_text(context, "n"), cake_attr_i64(context, form->n)},
      {cake_id_text(context, "element"), cake_attr_type(element)},
  };
  cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.tcgen05_mma",
                                                     .operands = operands,
                                                     .n_operands = 4,
                                                     .attrs = attrs,
                                                     .n_attrs = CAKE_COUNT(attrs)});
}

// One thread issues all slices; always the same one, so that its commits cover them.
static bool lower_tcgen05(CakeFragments *expand, CakeOp *op, CakeMmaForm form) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  CakeValue *view_a = cake_cake_mma_a(op), *view_b = cake_cake_mma_b(op);
  Descriptor a, b;
  if (form.m != 128)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has %lld rows; tcgen05 is lowered for 128", (long long)form.m);
  if (role->warps != 1 || role->replicas != 1)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "is issued by several warps; give it to a role `warps(1)`");
  if (!make_descriptor(expand, op, view_a, cake_cake_mma_a_off(op), cake_cake_mma_a_off_idx(op), false, &a) ||
      !make_descriptor(expand, op, view_b, cake_cake_mma_b_off(op), cake_cake_mma_b_off_idx(op), false, &b))
    return false;
  CakeValue *version = cake_lower_i64(rewriter, TCGEN05_DESCRIPTOR);
  a.base = cake_build_binary(rewriter, "arith.ori", a.base, version);
  b.base = cake_build_binary(rewriter, "arith.ori", b.base, version);
  CakeThreadValues from = cake_fragments_get_values(expand, cake_cake_mma_acc(op));
  CakeValue *something = cake_lower_const(rewriter, cake_type_i1(expand->context), 1);
  CakeLowerPoint point = cake_fragments_elected_begin(expand, role);
  for (int64_t slice = 0; slice < a.slices && slice < b.slices; slice++) {
    CakeValue *operands[] = {from.values[0], slice_of(expand, &a, slice), slice_of(expand, &b, slice),
                             slice ? something : from.values[1]};
    issue_tcgen05(expand, &form, cake_shared_element(view_a->type), operands);
  }
  cake_lower_restore(rewriter, point);
  cake_fragments_set_values(expand, cake_op_result(op, 0),
                            (CakeThreadValues){
                                {from.values[0], something},
                                2
  });
  return true;
}

bool cake_fragments_mma(CakeFragments *expand, CakeOp *op) {
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(op));
  if (form.family == CAKE_MMA_TCGEN05) return lower_tcgen05(expand, op, form);
  return form.family == CAKE_MMA_WGMMA ? lower_wgmma(expand, op, form) : lower_mma_sync(expand, op, form);
}

// ---- await ---------------------------------------------------------------------------------------------------------------

// Whether something is known to be in the accumulator: it says so, or every round of a loop that has one says so.
static bool is_known_full(CakeValue *has_sum) {
  int64_t known;
  CakeOp *loop = cake_value_def(has_sum);
  if (cake_lower_constant(has_sum, &known)) return known != 0;
  if (!loop || !cake_op_is(loop, "scf.for") || !cake_op_attr_text(loop, CAKE_LOWER_NONEMPTY_MARK)) return false;
  CakeOp *yield = cake_block_terminator(cake_region_entry(cake_op_region(loop, 0)));
  return cake_lower_constant(cake_op_operand(yield, has_sum->index), &known) && known != 0;
}

bool cake_fragments_await(CakeFragments *expand, CakeOp *op) {
  CakeLayout layout;
  CakeValue *pending = cake_cake_await_pending(op);
  CakeThreadValues from = cake_fragments_get_values(expand, pending);
  CakeValue *value = from.values[0], *has_sum = from.values[1];
  if (!cake_layout_of(op, cake_op_result(op, 0)->type, &layout)) return false;
  CakeType type = cake_layout_vector(&layout);
  int64_t known;
  if (cake_lower_constant(has_sum, &known) && !known) { // nothing was accumulated
    cake_fragments_set_value(expand, cake_op_result(op, 0), cake_fragments_integer(expand, type, 0));
    return true;
  }
  CakeNamedAttr attr = {cake_id_text(expand->context, "pending"),
                        cake_attr_i64(expand->context, cake_lower_groups_behind(pending, op))};
  CakeOp *wait = cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.wgmma_wait",
                                                                    .operands = &value,
                                                                    .n_operands = 1,
                                                                    .result_types = &type,
                                                                    .n_results = 1,
                                                                    .attrs = &attr,
                                                                    .n_attrs = 1});
  value = cake_op_result(wait, 0);
  if (!is_known_full(has_sum))
    value = cake_lower_select(expand->rewriter, has_sum, value, cake_fragments_integer(expand, type, 0));
  cake_fragments_set_value(expand, cake_op_result(op, 0), value);
  return true;
}
