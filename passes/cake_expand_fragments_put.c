// The op put: registers of an accumulator into shared memory; and slice, which names some of them.
//
// 16-bit elements go by stmatrix where every target has it: a 16×16 block of the accumulator is four 8×8 matrices, and lane l gives the
// address of row l % 16 of the left (l < 16) or right 8 columns. Else each lane stores its pairs. In swizzled storage the row mod 8 is the
// lane's own, so that a place is (lane's part ^ constant), as for ldmatrix (cake_expand_fragments_shared.c).
#include "analysis/targets.h"

#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/views.h"
#include "passes/fragments.h"

enum { LINE_BYTES = 128, CHUNK_BYTES = 16, MOST_CHUNKS = 8, BLOCK = 16 };

typedef struct Put {
  CakeFragments *expand;
  CakeFragmentsRole *role;
  CakeOp *op;
  CakeLayout layout; // of the whole fragment
  CakeType view, element;
  int64_t panel;                 // bytes of a row of a panel; 0: stored as rows
  int64_t bytes, pitch;          // of an element; from row to row (of a panel)
  int64_t first, cols;           // columns of the fragment that are written
  CakeValue *lanes[MOST_CHUNKS]; // the lane's address for each constant part of a chunk's number
  int64_t step;                  // chunks that one access covers
} Put;

static bool init(Put *put, CakeFragments *expand, CakeOp *op) {
  CakeAttr off = cake_cake_put_value_off(op);
  *put = (Put){.expand = expand, .role = cake_fragments_role(expand, op), .op = op};
  put->view = cake_cake_put_view(op)->type;
  if (!cake_layout_of(op, cake_cake_put_value(op)->type, &put->layout)) return false;
  const CakeFragment *f = &put->layout.fragment;
  bool is_acc = f->kind == CAKE_FORM_WGMMA_ACC || f->kind == CAKE_FORM_MMA_ACC || f->kind == CAKE_FORM_TMEM_LD;
  if (!is_acc || f->part != CAKE_FORM_WHOLE || cake_shared_rank(put->view) != 2)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has no lowering from '%s' to '%s'",
                      cake_type_text(cake_cake_put_value(op)->type), cake_type_text(put->view));
  put->element = f->element;
  put->bytes = cake_fragments_bytes(f->element);
  put->panel = cake_shared_panel(put->view);
  put->pitch = put->panel ? put->panel : cake_view_pitch(put->view);
  put->cols = cake_cake_put_off(op) ? put->layout.cols : cake_shared_size(put->view, 1) / (off ? 1 : f->warp_cols);
  if (off && (cake_at_count(off) != 2 || !cake_expr_is_const(cake_at_expr(off, 1), &put->first)))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "cuts a fragment at an offset that is not constant; run cake-unroll first");
  bool fits = put->cols > 0 && put->first >= 0 && put->first <= put->layout.cols - put->cols &&
              put->cols % BLOCK == 0 && put->first % BLOCK == 0;
  return fits ||
         cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "writes columns that are no multiple of 16 of the fragment");
}

// stmatrix exists from sm_90 on, as bulk copies do.
static bool has_stmatrix(const CakeFragments *expand) {
  CakeAttr targets = cake_op_attr_text(expand->func, "target");
  for (size_t i = 0; targets && i < cake_attr_count(targets); i++) {
    const CakeTarget *target = cake_target_find(cake_attr_string_value(cake_attr_element(targets, i)));
    if (!target || !cake_target_has(target, CAKE_FEATURE_BULK)) return false;
  }
  return targets != NULL;
}

// The lane's addresses: `row` is its row in the warp's first tile, `chunk` its 16-byte chunk in the first columns, `rest` its bytes in the
// chunk. All index values, hoisted.
static bool lane_addresses(Put *put, CakeValue *row, CakeValue *chunk, CakeValue *rest) {
  CakeFragments *expand = put->expand;
  CakeRewriter *rewriter = expand->rewriter;
  CakeViewOffset offset;
  CakeValue *base, *in_view = cake_fragments_warp_row(expand, put->role, &put->layout, row);
  if (!cake_view_offset(expand, put->op, put->view, cake_cake_put_off(put->op), cake_cake_put_off_idx(put->op),
                        &offset) ||
      !cake_view_pointer(expand, put->op, cake_cake_put_view(put->op), &offset, &base))
    return false;
  int64_t ways = put->panel ? put->panel / CHUNK_BYTES : put->step;
  for (int64_t i = 0; i < ways; i += put->step) {
    CakeLowerPoint point = cake_fragments_hoist_begin(expand, put->role);
    CakeValue *place = chunk;
    if (put->panel) {
      CakeValue *in_8 = cake_lower_remui(rewriter, row, cake_lower_index(rewriter, 8));
      CakeValue *line = cake_lower_divui(rewriter, in_8, cake_lower_index(rewriter, LINE_BYTES / put->panel));
      place = cake_build_binary(rewriter, "arith.xori", chunk, line);
      if (i) place = cake_build_binary(rewriter, "arith.xori", place, cake_lower_index(rewriter, i));
    }
    place = cake_lower_mul_const(rewriter, place, CHUNK_BYTES);
    if (rest) place = cake_lower_add(rewriter, place, rest);
    place = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, in_view, put->pitch), place);
    place = cake_lower_cast(rewriter, place, cake_type_i32(expand->context));
    cake_fragments_hoist_end(expand, put->role, point);
    put->lanes[i] = cake_lower_ptr_add(rewriter, base, place);
  }
  return true;
}

// The address for the tile at (row, col) of the view, counted from the warp's first.
static CakeValue *address_at(const Put *put, int64_t row, int64_t col) {
  int64_t byte = col * put->bytes, at = row * put->pitch;
  if (!put->panel) return cake_fragments_ptr_add_const(put->expand, put->lanes[0], at + byte);
  at += byte / put->panel * (cake_shared_size(put->view, 0) * put->panel);
  return cake_fragments_ptr_add_const(put->expand, put->lanes[byte % put->panel / CHUNK_BYTES], at);
}

// The columns of the view at which the warp's part begins are a value where several warps share a row.
static CakeValue *warp_col(Put *put) {
  const CakeFragment *f = &put->layout.fragment;
  if (f->warp_cols == 1) return NULL;
  CakeFragments *expand = put->expand;
  CakeValue *warp = cake_fragments_warp(expand, put->role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, put->role);
  CakeValue *number = cake_lower_remui(expand->rewriter, warp, cake_lower_index(expand->rewriter, f->warp_cols));
  CakeValue *bytes = cake_lower_mul_const(expand->rewriter, number, put->layout.cols * put->bytes);
  cake_fragments_hoist_end(expand, put->role, point);
  return bytes;
}

static bool by_stmatrix(Put *put) {
  CakeFragments *expand = put->expand;
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *lane = cake_fragments_lane(expand, put->role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, put->role);
  CakeValue *row = cake_lower_remui(rewriter, lane, cake_lower_index(rewriter, BLOCK));
  CakeValue *chunk = cake_lower_divui(rewriter, lane, cake_lower_index(rewriter, BLOCK));
  cake_fragments_hoist_end(expand, put->role, point);
  put->step = 2;
  if (!lane_addresses(put, row, chunk, NULL)) return false;
  CakeType part = cake_fragments_vector_type(put->element, 8);
  CakeValue **parts = cake_fragments_unpack(expand, cake_fragments_get_value(expand, cake_cake_put_value(put->op)),
                                            part, put->layout.count / 8);
  int64_t per_row = put->layout.cols / BLOCK;
  for (int64_t r = 0; r < put->layout.rows; r += BLOCK) {
    for (int64_t c = 0; c < put->cols; c += BLOCK) {
      CakeValue *operands[] = {parts[r / BLOCK * per_row + (put->first + c) / BLOCK], address_at(put, r, c)};
      cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.stmatrix", .operands = operands, .n_operands = 2});
    }
  }
  return true;
}

static bool by_pairs(Put *put) {
  CakeFragments *expand = put->expand;
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *quad = cake_fragments_quad(expand, put->role), *quad_lane = cake_fragments_quad_lane(expand, put->role);
  CakeValue *shift = warp_col(put);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, put->role);
  CakeValue *rest = cake_lower_mul_const(rewriter, quad_lane, 2 * put->bytes), *chunk = cake_lower_index(rewriter, 0);
  if (put->bytes > 2) { // a tile's 8 columns are two chunks
    chunk = cake_lower_divui(rewriter, quad_lane, cake_lower_index(rewriter, 2));
    rest = cake_lower_mul_const(rewriter, cake_lower_remui(rewriter, quad_lane, cake_lower_index(rewriter, 2)),
                                2 * put->bytes);
  }
  if (shift) rest = cake_lower_add(rewriter, rest, shift);
  cake_fragments_hoist_end(expand, put->role, point);
  put->step = put->bytes / 2;
  if (!lane_addresses(put, quad, chunk, rest)) return false;
  CakeType part = cake_fragments_vector_type(put->element, 2);
  CakeValue **parts = cake_fragments_unpack(expand, cake_fragments_get_value(expand, cake_cake_put_value(put->op)),
                                            part, put->layout.count / 2);
  for (uint32_t i = 0; i < put->layout.count / 2; i++) {
    int64_t row, col;
    cake_layout_at(&put->layout, 2 * i, &row, &col);
    if (col < put->first || col >= put->first + put->cols) continue;
    CakeValue *operands[] = {parts[i], address_at(put, row, col - put->first)};
    cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.store", .operands = operands, .n_operands = 2});
  }
  return true;
}

// A lane has a row: chunks of 16 bytes. In swizzled storage 8 neighbouring lanes write to all banks.
static bool by_chunks(Put *put) {
  CakeFragments *expand = put->expand;
  CakeValue *lane = cake_fragments_lane(expand, put->role);
  int64_t width = CHUNK_BYTES / put->bytes;
  put->step = 1;
  if (put->pitch % CHUNK_BYTES != 0)
    return cake_error(put->op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "writes rows of 16-byte chunks, but rows of the view begin between them");
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, put->role);
  CakeValue *chunk = cake_lower_index(expand->rewriter, 0);
  cake_fragments_hoist_end(expand, put->role, point);
  if (!lane_addresses(put, lane, chunk, NULL)) return false;
  CakeType part = cake_fragments_vector_type(put->element, width);
  CakeValue **parts = cake_fragments_unpack(expand, cake_fragments_get_value(expand, cake_cake_put_value(put->op)),
                                            part, put->layout.count / (uint32_t)width);
  for (int64_t col = 0; col < put->cols; col += width) {
    CakeValue *operands[] = {parts[(put->first + col) / width], address_at(put, 0, col)};
    cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.store", .operands = operands, .n_operands = 2});
  }
  return true;
}

// A lane's neighbours in a row, 16 bytes at a time.
static bool put_vec(CakeFragments *expand, CakeOp *op, const CakeLayout *layout) {
  CakeValue *view = cake_cake_put_view(op), *base;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  CakeViewOffset offset;
  int64_t bytes = cake_fragments_bytes(layout->fragment.element), width = cake_vec_width(layout->fragment.base);
  int64_t chunk = width * bytes < CHUNK_BYTES ? width * bytes : CHUNK_BYTES, count = chunk / bytes;
  bool is_aligned = cake_shared_panel(view->type) ? chunk == CHUNK_BYTES : cake_view_pitch(view->type) % chunk == 0;
  if (cake_cake_put_value_off(op) || cake_shared_rank(view->type) != 2 || !is_aligned)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "has no lowering from '%s' to '%s': a lane's neighbours are no aligned chunks of the view",
                      cake_type_text(cake_cake_put_value(op)->type), cake_type_text(view->type));
  if (!cake_view_offset(expand, op, view->type, cake_cake_put_off(op), cake_cake_put_off_idx(op), &offset) ||
      !cake_view_pointer(expand, op, view, &offset, &base))
    return false;
  CakeValue *row = cake_fragments_vec_row(expand, role, layout), *lane = cake_fragments_vec_lane(expand, role, layout);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  CakeValue *first = cake_lower_mul_const(expand->rewriter, lane, width / count);
  cake_fragments_hoist_end(expand, role, point);
  CakeType part = cake_fragments_vector_type(layout->fragment.element, count);
  uint32_t n = layout->count / (uint32_t)count;
  CakeValue **parts = cake_fragments_unpack(expand, cake_fragments_get_value(expand, cake_cake_put_value(op)), part, n);
  for (uint32_t i = 0; i < n; i++) {
    int64_t at_row, at_col, at;
    cake_layout_at(layout, i * (uint32_t)count, &at_row, &at_col);
    CakeValue *place = cake_view_chunk(expand, role, view->type, row, at_row, first, at_col / count, chunk, &at);
    CakeValue *ptr = cake_lower_ptr_add(expand->rewriter, base, place);
    CakeValue *operands[] = {parts[i], cake_fragments_ptr_add_const(expand, ptr, at)};
    cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.store", .operands = operands, .n_operands = 2});
  }
  return true;
}

static bool put_fragment(CakeFragments *expand, CakeOp *op) {
  Put put;
  if (!cake_layout_of(op, cake_cake_put_value(op)->type, &put.layout)) return false;
  if (cake_layout_is_vec(&put.layout) && put.layout.fragment.part == CAKE_FORM_WHOLE)
    return put_vec(expand, op, &put.layout);
  if (!init(&put, expand, op)) return false;
  if (put.layout.fragment.kind == CAKE_FORM_TMEM_LD) return by_chunks(&put);
  bool is_shared_row = put.layout.fragment.warp_cols > 1; // each warp has its own columns
  if (is_shared_row && put.panel)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "writes rows that several warps share into swizzled storage");
  if (put.pitch % (2 * put.bytes) != 0)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "writes pairs of elements, but rows of the view begin between them");
  bool is_aligned = put.pitch % CHUNK_BYTES == 0 && put.layout.cols % BLOCK == 0 && !is_shared_row;
  return put.bytes == 2 && is_aligned && has_stmatrix(expand) ? by_stmatrix(&put) : by_pairs(&put);
}

static bool is_read_by_wgmma(const CakeValue *view) {
  for (const CakeUse *use = view->first_use; use; use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_mma)) return true;
  return false;
}

// A slot's barriers order who writes and who reads. In a buffer other threads may still read what was there before, and read next what is
// written now: all meet before and behind, and behind a proxy fence where the matrix unit reads it.
bool cake_fragments_put(CakeFragments *expand, CakeOp *op) {
  CakeValue *view = cake_cake_put_view(op);
  const CakeOp *def = cake_value_def(view);
  if (!def || !cake_op_attr_text(def, CAKE_LOWER_BUFFER_MARK)) return put_fragment(expand, op);
  CakeValue *warp = cake_fragments_role(expand, op)->cta_warp;
  if (!cake_lower_rendezvous(expand->rewriter, op, warp) || !put_fragment(expand, op)) return false;
  if (is_read_by_wgmma(view)) cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.fence_proxy_async"});
  return cake_lower_rendezvous(expand->rewriter, op, warp);
}

// ---- slice ---------------------------------------------------------------------------------------------------------------

// Tiles of 8 columns are 4 elements a lane, row by row.
bool cake_fragments_slice(CakeFragments *expand, CakeOp *op) {
  CakeLayout from, to;
  CakeAttr off = cake_cake_slice_off(op);
  int64_t first;
  CakeValue *value = cake_cake_slice_value(op);
  if (!cake_layout_of(op, value->type, &from) || !cake_layout_of(op, cake_op_result(op, 0)->type, &to)) return false;
  if (cake_at_count(off) != 2 || !cake_expr_is_const(cake_at_expr(off, 1), &first))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "cuts a fragment at an offset that is not constant; run cake-unroll first");
  bool fits = from.fragment.base == to.fragment.base && from.fragment.warp_cols == 1 && from.rows == to.rows &&
              first >= 0 && first % 8 == 0 && first <= from.cols - to.cols;
  if (!fits) return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "does not take whole tiles of the fragment's columns");
  CakeType tile = cake_fragments_vector_type(from.fragment.element, 4);
  CakeValue **all = cake_fragments_unpack(expand, cake_fragments_get_value(expand, value), tile, from.count / 4);
  CakeValue **some = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, to.count / 4);
  int64_t per_row = from.cols / 8, taken = to.cols / 8;
  for (int64_t i = 0; i < (int64_t)to.count / 4; i++)
    some[i] = all[i / taken * per_row + first / 8 + i % taken];
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_pack(expand, some, to.count / 4, cake_layout_vector(&to)));
  return true;
}
