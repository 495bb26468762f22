// How fragments lie in registers (see fragments.h): element numbers to coordinates.
#include "passes/fragments.h"

static bool refuse(CakeOp *op, CakeType type, const char *why) {
  return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has no lowering for '%s': %s", cake_type_text(type), why);
}

// The part of one warp; false when it is not cut evenly into the instruction's tiles.
static bool cut(const CakeFragment *f, int64_t *rows, int64_t *cols) {
  bool is_acc = f->kind == CAKE_FORM_MMA_ACC || f->kind == CAKE_FORM_WGMMA_ACC;
  int64_t row_tile = f->kind == CAKE_FORM_MMA_B ? 8 : 16, col_tile = is_acc ? 8 : 16;
  int64_t row_warps = f->kind == CAKE_FORM_MMA_B ? f->warp_cols : f->warp_rows;
  int64_t col_warps = is_acc ? f->warp_cols : 1;
  *rows = f->part == CAKE_FORM_COL ? 1 : f->rows / row_warps;
  *cols = f->part == CAKE_FORM_ROW ? 1 : f->cols / col_warps;
  bool rows_fit = f->part == CAKE_FORM_COL || (f->rows > 0 && f->rows % (row_warps * row_tile) == 0);
  bool cols_fit = f->part == CAKE_FORM_ROW || (f->cols > 0 && f->cols % (col_warps * col_tile) == 0);
  return rows_fit && cols_fit;
}

// tmem.ld: a lane has its own row.
static bool lane_rows(CakeOp *op, CakeType type, CakeLayout *out) {
  const CakeFragment *f = &out->fragment;
  bool rows_fit = f->part == CAKE_FORM_COL || f->rows == f->warp_rows * 32;
  if (!rows_fit) return refuse(op, type, "a warp of a warpgroup has 32 rows");
  out->rows = f->part == CAKE_FORM_COL ? 1 : 32;
  out->cols = f->part == CAKE_FORM_ROW ? 1 : f->cols;
  if (out->cols < 1 || out->cols > 512) return refuse(op, type, "a thread would hold more than 512 elements");
  out->count = (uint32_t)out->cols;
  return true;
}

bool cake_layout_of(CakeOp *op, CakeType type, CakeLayout *out) {
  CakeFragment *f = &out->fragment;
  if (!cake_fragment_of(type, f)) return refuse(op, type, "it is no fragment");
  if (f->warp_rows < 1 || f->warp_cols < 1)
    return refuse(op, type, "its form names parameters; run cake-instantiate first");
  if (f->part == CAKE_FORM_PARTIAL) f->part = CAKE_FORM_ROW;
  if (f->kind == CAKE_FORM_VEC) return cake_layout_vec(op, type, out);
  if (f->kind == CAKE_FORM_TMEM_LD) return lane_rows(op, type, out);
  bool is_acc = f->kind == CAKE_FORM_MMA_ACC || f->kind == CAKE_FORM_WGMMA_ACC;
  if (!is_acc && f->kind != CAKE_FORM_MMA_A && f->kind != CAKE_FORM_MMA_B && f->kind != CAKE_FORM_WGMMA_A)
    return refuse(op, type, "its form is not supported yet");
  if (!is_acc && f->part != CAKE_FORM_WHOLE) return refuse(op, type, "only accumulators have row and col parts");
  if (!is_acc && cake_type_width(f->element) != 16) return refuse(op, type, "its elements are not 16 bits wide");
  if (!cut(f, &out->rows, &out->cols)) return refuse(op, type, "the warps do not cut it into whole tiles");
  int64_t count = f->part == CAKE_FORM_ROW   ? out->rows / 8
                  : f->part == CAKE_FORM_COL ? out->cols / 4
                                             : out->rows * out->cols / 32;
  if (count > 512) return refuse(op, type, "a thread would hold more than 512 elements");
  out->count = (uint32_t)count;
  return true;
}

CakeType cake_layout_vector(const CakeLayout *layout) {
  return cake_fragments_vector_type(layout->fragment.element, layout->count);
}

// Accumulators: elements [mi][ni][4], rows [mi][2], columns [ni][2].
static void acc_at(const CakeLayout *layout, uint32_t element, int64_t *row, int64_t *col) {
  int64_t tile = element / 4, n_tiles = layout->cols / 8;
  *row = 16 * (tile / n_tiles) + 8 * (element % 4 / 2);
  *col = 8 * (tile % n_tiles) + element % 2;
}

int64_t cake_layout_row_step(const CakeLayout *layout) {
  return layout->fragment.kind == CAKE_FORM_MMA_B ? 8 : layout->fragment.kind == CAKE_FORM_WGMMA_A ? 64 : 16;
}

static void a_at(const CakeLayout *layout, uint32_t element, int64_t *row, int64_t *col) {
  int64_t tile = element / 8, k_tiles = layout->cols / 16, reg = element % 8 / 2;
  *row = cake_layout_row_step(layout) * (tile / k_tiles) + 8 * (reg % 2);
  *col = 16 * (tile % k_tiles) + 8 * (reg / 2) + element % 2;
}

static void b_at(const CakeLayout *layout, uint32_t element, int64_t *row, int64_t *col) {
  int64_t tile = element / 4, k_tiles = layout->cols / 16;
  *row = 8 * (tile / k_tiles);
  *col = 16 * (tile % k_tiles) + 8 * (element % 4 / 2) + element % 2;
}

void cake_layout_at(const CakeLayout *layout, uint32_t element, int64_t *out_row, int64_t *out_col) {
  *out_row = *out_col = 0;
  if (cake_layout_is_vec(layout))
    cake_layout_vec_at(layout, element, out_row, out_col);
  else if (layout->fragment.kind == CAKE_FORM_TMEM_LD)
    *out_col = element;
  else if (layout->fragment.part == CAKE_FORM_ROW)
    *out_row = 16 * (element / 2) + 8 * (element % 2);
  else if (layout->fragment.part == CAKE_FORM_COL)
    *out_col = 8 * (element / 2) + element % 2;
  else if (layout->fragment.kind == CAKE_FORM_MMA_A || layout->fragment.kind == CAKE_FORM_WGMMA_A)
    a_at(layout, element, out_row, out_col);
  else if (layout->fragment.kind == CAKE_FORM_MMA_B)
    b_at(layout, element, out_row, out_col);
  else
    acc_at(layout, element, out_row, out_col);
}

uint32_t cake_layout_row_slots(const CakeLayout *layout) {
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD || layout->fragment.part == CAKE_FORM_COL) return 1;
  return cake_layout_is_vec(layout) ? layout->row_slots : (uint32_t)(layout->rows / 8);
}
uint32_t cake_layout_col_slots(const CakeLayout *layout) {
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD) return (uint32_t)layout->cols;
  if (layout->fragment.part == CAKE_FORM_ROW) return 1;
  return cake_layout_is_vec(layout) ? layout->col_slots : (uint32_t)(layout->cols / 4);
}

uint32_t cake_layout_row_slot(const CakeLayout *layout, uint32_t element) {
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD) return 0;
  if (cake_layout_is_vec(layout)) return element / layout->col_slots;
  int64_t row, col;
  cake_layout_at(layout, element, &row, &col);
  return (uint32_t)(row / 8);
}

uint32_t cake_layout_col_slot(const CakeLayout *layout, uint32_t element) {
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD) return element;
  if (cake_layout_is_vec(layout)) return element % layout->col_slots;
  int64_t row, col;
  cake_layout_at(layout, element, &row, &col);
  return (uint32_t)(col / 8 * 2 + col % 2);
}

uint32_t cake_layout_run(const CakeLayout *layout) {
  if (layout->fragment.part == CAKE_FORM_ROW) return 1;
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD) return layout->count & (~layout->count + 1); // divides it
  return cake_layout_is_vec(layout) ? (uint32_t)cake_vec_width(layout->fragment.base) : 2;
}
