// Views of shared memory: pointers into them, and the op get.
//
// Swizzled storage (cake_shared_offset) of 128 bytes: panels of 128 bytes, [panel][row][128 bytes], the 16-byte chunk XORed with row mod 8. ldmatrix takes
// a row address a lane: since every tile starts on a row of 8, the row mod 8 is the lane mod 8, and a chunk's place is (constant ^ lane's
// part). So a few lane offsets serve all tiles, which then differ by constants.
#include "passes/fragments.h"

#include "dialects/cake/ops/views.h"

enum { PANEL_BYTES = 128, CHUNK_BYTES = 16 };

// ---- Pointers ------------------------------------------------------------------------------------------------------------

int64_t cake_view_pitch(CakeType view) {
  return cake_shared_size(view, cake_shared_rank(view) - 1) * cake_fragments_bytes(cake_shared_element(view)) +
         cake_shared_pad(view);
}

static bool read_offset(CakeFragments *expand, CakeOp *op, CakeAttr expr, const CakeLowerEnv *env, CakeValue **out,
                        int64_t *out_const, int64_t *out_divisor) {
  *out_divisor = cake_fragments_divisor(expr);
  if (cake_expr_is_const(expr, out_const)) return true;
  *out = cake_lower_expr(expand->rewriter, op, expr, env);
  return *out != NULL;
}

bool cake_view_offset(CakeFragments *expand, CakeOp *op, CakeType view, CakeAttr off, CakeOperandRange off_idx,
                      CakeViewOffset *out) {
  *out = (CakeViewOffset){0};
  size_t rank = cake_shared_rank(view);
  if (rank == 0 || rank > 2)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has a view of rank %zu; 1 and 2 are supported", rank);
  for (size_t i = 0; i < rank; i++) {
    if (cake_shared_size(view, i) <= 0)
      return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has a view whose sizes are not constants");
  }
  if (!off) return true;
  if (cake_at_count(off) != rank)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "has %zu offsets for a view of rank %zu", cake_at_count(off), rank);
  CakeLowerEnv env = cake_fragments_env(expand, off_idx);
  return (rank == 1 ||
          read_offset(expand, op, cake_at_expr(off, 0), &env, &out->row, &out->row_const, &out->row_divisor)) &&
         read_offset(expand, op, cake_at_expr(off, rank - 1), &env, &out->col, &out->col_const, &out->col_divisor);
}

static CakeValue *add_scaled(CakeFragments *expand, CakeValue *ptr, CakeValue *value, int64_t constant, int64_t scale) {
  if (!value) return cake_fragments_ptr_add_const(expand, ptr, constant * scale);
  return cake_fragments_ptr_add(expand, ptr, cake_lower_mul_const(expand->rewriter, value, scale));
}

bool cake_view_pointer(CakeFragments *expand, CakeOp *op, CakeValue *view, const CakeViewOffset *offset,
                       CakeValue **out) {
  CakeType type = view->type;
  int64_t bytes = cake_fragments_bytes(cake_shared_element(type));
  CakeValue *ptr = cake_fragments_get_value(expand, view);
  if (cake_shared_storage(type) == CAKE_STORAGE_ROWS) {
    ptr = add_scaled(expand, ptr, offset->row, offset->row_const, cake_view_pitch(type));
    *out = add_scaled(expand, ptr, offset->col, offset->col_const, bytes);
    return true;
  }
  int64_t width = cake_shared_panel(type), panel = width / bytes, panel_bytes = cake_shared_size(type, 0) * width;
  if (offset->row_divisor % 8 != 0 || offset->col_divisor % panel != 0) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "has an offset into swizzled storage that is not known to be a multiple of (8, %lld)",
                      (long long)panel);
  }
  ptr = add_scaled(expand, ptr, offset->row, offset->row_const, width);
  if (!offset->col)
    *out = cake_fragments_ptr_add_const(expand, ptr, offset->col_const / panel * panel_bytes);
  else
    *out = add_scaled(expand, ptr,
                      cake_lower_divui(expand->rewriter, offset->col, cake_lower_index(expand->rewriter, panel)), 0,
                      panel_bytes);
  return true;
}

CakeValue *cake_view_chunk(CakeFragments *expand, CakeFragmentsRole *role, CakeType view, CakeValue *row,
                           int64_t row_const, CakeValue *col, int64_t col_const, int64_t chunk, int64_t *out_const) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  int64_t width = cake_shared_panel(view), rows = cake_shared_rank(view) == 2 ? cake_shared_size(view, 0) : 1;
  CakeValue *place;
  if (!width) {
    int64_t pitch = cake_shared_rank(view) == 2 ? cake_view_pitch(view) : 0;
    place = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, row, pitch),
                           cake_lower_mul_const(rewriter, col, chunk));
    *out_const = row_const * pitch + col_const * chunk;
  } else { // the row's place in its group of 8 decides the chunk's; whole groups are a constant
    int64_t in_8 = row_const % 8, chunks = width / CHUNK_BYTES;
    CakeValue *local = cake_lower_add_const(rewriter, row, in_8), *number = cake_lower_index(rewriter, chunks);
    CakeValue *line = cake_lower_divui(rewriter, cake_lower_remui(rewriter, local, cake_lower_index(rewriter, 8)),
                                       cake_lower_index(rewriter, PANEL_BYTES / width));
    CakeValue *all = cake_lower_add_const(rewriter, col, col_const), *panel = cake_lower_divui(rewriter, all, number);
    CakeValue *in_panel = cake_lower_remui(rewriter, all, number);
    in_panel = cake_build_binary(rewriter, "arith.xori", in_panel, line);
    place = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, local, width),
                           cake_lower_mul_const(rewriter, in_panel, CHUNK_BYTES));
    int64_t row_bytes = cake_shared_size(view, 1) * cake_fragments_bytes(cake_shared_element(view));
    if (row_bytes > width) place = cake_lower_add(rewriter, place, cake_lower_mul_const(rewriter, panel, rows * width));
    *out_const = (row_const - in_8) * width;
  }
  place = cake_lower_cast(rewriter, place, cake_type_i32(expand->context));
  cake_fragments_hoist_end(expand, role, point);
  return place;
}

// ---- get by ldmatrix -----------------------------------------------------------------------------------------------------

typedef struct Matrices {
  CakeLayout layout;
  bool is_a;
  int64_t col; // constant first column
  int64_t panel_bytes;
  CakeValue *lanes[4]; // i32 offsets of the lane's row, by the chunk constant / (2 for a, 4 for b)
  CakeType part;
} Matrices;

// a: lanes 0-15 the rows of the left 8 columns, 16-31 of the right ones. b: 8 lanes a chunk, four chunks: two k-tiles.
static void build_lane_offsets(CakeFragments *expand, Matrices *m, CakeValue *lane, CakeValue *warp_row) {
  CakeRewriter *rewriter = expand->rewriter;
  int64_t lanes = m->is_a ? 16 : 8, step = m->is_a ? 2 : 4;
  CakeValue *first = cake_lower_remui(rewriter, lane, cake_lower_index(rewriter, lanes));
  CakeValue *chunk = cake_lower_divui(rewriter, lane, cake_lower_index(rewriter, lanes));
  CakeValue *in_8 = cake_lower_remui(rewriter, lane, cake_lower_index(rewriter, 8));
  CakeValue *place = cake_build_binary(rewriter, "arith.xori", chunk, in_8);
  CakeValue *row = cake_lower_mul_const(rewriter, cake_lower_add(rewriter, first, warp_row), PANEL_BYTES);
  for (int64_t i = 0; i * step < 8; i++) {
    CakeValue *at = i ? cake_build_binary(rewriter, "arith.xori", place, cake_lower_index(rewriter, i * step)) : place;
    at = cake_lower_add(rewriter, row, cake_lower_mul_const(rewriter, at, CHUNK_BYTES));
    m->lanes[i] = cake_lower_cast(rewriter, at, cake_type_i32(expand->context));
  }
}

// At the start of the program, unless the fragment is one of wgmma.a: that stays in registers while an item's steps go by, and these must not
// be kept beside it.
static void lane_offsets(CakeFragments *expand, CakeFragmentsRole *role, Matrices *m) {
  CakeValue *lane = cake_fragments_lane(expand, role);
  CakeValue *warp_row = cake_fragments_warp_row(expand, role, &m->layout, cake_lower_index(expand->rewriter, 0));
  bool is_hoisted = m->layout.fragment.kind != CAKE_FORM_WGMMA_A;
  CakeLowerPoint point = {0};
  if (is_hoisted) point = cake_fragments_hoist_begin(expand, role);
  build_lane_offsets(expand, m, lane, warp_row);
  if (is_hoisted) cake_fragments_hoist_end(expand, role, point);
}

static CakeValue *load_matrices(CakeFragments *expand, const Matrices *m, CakeValue *const *bases, int64_t row,
                                int64_t col) {
  int64_t step = m->is_a ? 16 : 32, panel = PANEL_BYTES / 2;
  int64_t at = m->col + col;
  CakeValue *ptr =
      cake_fragments_ptr_add_const(expand, bases[at % panel / step], at / panel * m->panel_bytes + row * PANEL_BYTES);
  return cake_build_unary(expand->rewriter, "gpu.ldmatrix", m->part, ptr);
}

static bool get_matrices(CakeFragments *expand, CakeOp *op, Matrices *m, CakeViewOffset offset) {
  CakeValue *view = cake_cake_get_view(op), *base;
  int64_t step = m->is_a ? 16 : 32;
  if (!offset.col) m->col = offset.col_const, offset.col_const = offset.col_divisor = 0;
  if (m->col % step != 0 || m->layout.cols % step != 0) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "reads columns that are no multiple of %lld", (long long)step);
  }
  if (!cake_view_pointer(expand, op, view, &offset, &base)) return false;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  lane_offsets(expand, role, m);
  CakeValue *bases[4] = {NULL};
  for (int64_t i = 0; i * step < PANEL_BYTES / 2; i++)
    bases[i] = cake_lower_ptr_add(expand->rewriter, base, m->lanes[i]);
  uint32_t count = m->layout.count / 8, n = 0;
  int64_t row_tile = m->is_a ? 16 : 8, row_step = cake_layout_row_step(&m->layout);
  m->panel_bytes = cake_shared_size(view->type, 0) * PANEL_BYTES;
  m->part = cake_fragments_vector_type(m->layout.fragment.element, 8);
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (int64_t tile = 0; tile * row_tile < m->layout.rows; tile++) {
    for (int64_t col = 0; col < m->layout.cols; col += step)
      parts[n++] = load_matrices(expand, m, bases, tile * row_step, col);
  }
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_pack(expand, parts, count, cake_layout_vector(&m->layout)));
  return true;
}

// ---- get by plain loads --------------------------------------------------------------------------------------------------

// The lane's first element in storage of rows: an i32 offset, hoisted.
static CakeValue *lane_place(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout, int64_t pitch,
                             int64_t bytes) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeFormPart part = layout->fragment.part;
  CakeValue *row = part != CAKE_FORM_COL ? cake_fragments_row(expand, role, layout) : NULL;
  CakeValue *col = part != CAKE_FORM_ROW ? cake_fragments_col(expand, role, layout) : NULL;
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  if (row)
    row = cake_lower_mul_const(rewriter, row, col ? pitch : bytes); // a row vector runs along the view's last dimension
  if (col) col = cake_lower_mul_const(rewriter, col, bytes);
  CakeValue *place = !row ? col : !col ? row : cake_lower_add(rewriter, row, col);
  place = cake_lower_cast(rewriter, place, cake_type_i32(expand->context));
  cake_fragments_hoist_end(expand, role, point);
  return place;
}

// Elements of one access to storage of rows: neighbours of a lane, at most 16 bytes, all aligned. `pitch`: 0 for one row.
static uint32_t rows_width(const CakeLayout *layout, const CakeViewOffset *offset, int64_t pitch) {
  uint32_t width = cake_layout_run(layout);
  int64_t bytes = cake_fragments_bytes(layout->fragment.element);
  while (width > 1 && (offset->col_divisor % width != 0 || pitch % (width * bytes) != 0 || width * bytes > 16))
    width /= 2;
  return width;
}

static bool get_rows(CakeFragments *expand, CakeOp *op, const CakeLayout *layout, const CakeViewOffset *offset) {
  CakeValue *view = cake_cake_get_view(op), *base;
  CakeType element = layout->fragment.element;
  CakeFormPart part = layout->fragment.part;
  int64_t pitch = cake_view_pitch(view->type), bytes = cake_fragments_bytes(element);
  if (part == CAKE_FORM_WHOLE && cake_shared_rank(view->type) != 2)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "reads a tile from a view of rank 1");
  if (!cake_view_pointer(expand, op, view, offset, &base)) return false;
  base = cake_lower_ptr_add(expand->rewriter, base,
                            lane_place(expand, cake_fragments_role(expand, op), layout, pitch, bytes));
  uint32_t width = rows_width(layout, offset, cake_shared_rank(view->type) == 1 ? 0 : pitch);
  uint32_t count = layout->count / width;
  CakeType type = width > 1 ? cake_fragments_vector_type(element, width) : element;
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++) {
    int64_t row, col;
    cake_layout_at(layout, i * width, &row, &col);
    int64_t place = part == CAKE_FORM_ROW ? row * bytes : row * pitch + col * bytes;
    parts[i] = cake_fragments_load_from(expand, cake_fragments_ptr_add_const(expand, base, place), type, false);
  }
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_pack(expand, parts, count, cake_layout_vector(layout)));
  return true;
}

bool cake_fragments_get(CakeFragments *expand, CakeOp *op) {
  Matrices m = {0};
  CakeViewOffset offset;
  CakeValue *view = cake_cake_get_view(op);
  if (cake_type_is(view->type, &cake_type_def_tmem)) return cake_fragments_tmem_get(expand, op);
  if (!cake_layout_of(op, cake_op_result(op, 0)->type, &m.layout)) return false;
  if (!cake_view_offset(expand, op, view->type, cake_cake_get_off(op), cake_cake_get_off_idx(op), &offset))
    return false;
  if (cake_shared_storage(view->type) == CAKE_STORAGE_ROWS) return get_rows(expand, op, &m.layout, &offset);
  // A 16-bit accumulator of wgmma lies in the registers as wgmma.a does.
  bool is_acc = m.layout.fragment.kind == CAKE_FORM_WGMMA_ACC && cake_type_width(m.layout.fragment.element) == 16;
  m.is_a = m.layout.fragment.kind == CAKE_FORM_MMA_A || m.layout.fragment.kind == CAKE_FORM_WGMMA_A || is_acc;
  bool is_operand = m.is_a || m.layout.fragment.kind == CAKE_FORM_MMA_B;
  if (!is_operand || cake_shared_storage(view->type) != CAKE_STORAGE_SW128) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has no lowering from '%s' to '%s'", cake_type_text(view->type),
                      cake_type_text(cake_op_result(op, 0)->type));
  }
  return get_matrices(expand, op, &m, offset);
}
