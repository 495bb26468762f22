// cake: moves between arrays, views and fragments.
#include "simulator/build.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/views.h"

#include <string.h>

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/arrays.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/copies.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/fragments.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/mma.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/views.def"
#include "simulator/build_rows.h"

// ---- Tiles of arrays -----------------------------------------------------------------------------------------------------

// Element number of the first element of a tile's row; the dimensions before the last are checked.
static bool row_start(const CakeSimGlobal *global, const int64_t *base, int row_dim, int64_t row, int64_t *out) {
  size_t dims = global->array->rank;
  int64_t start = 0;
  for (size_t d = 0; d + 1 < dims; d++) {
    int64_t index = base[d], size = global->array->dims[d];
    if ((int)d == row_dim) {
      if (index > INT64_MAX - row) return false;
      index += row;
    }
    if (index < 0 || index >= size) return false;
    start += index * global->strides[d];
  }
  *out = start;
  return true;
}

// The columns of a tile's row that are inside of the array: [*first, *end), and the element number of column 0. Empty: *first == *end.
static void row_inside(const CakeSimGlobal *global, const int64_t *base, int row_dim, int64_t row, int64_t cols,
                       int64_t *first, int64_t *end, int64_t *start) {
  size_t dims = global->array->rank;
  *first = *end = *start = 0;
  if (!row_start(global, base, row_dim, row, start)) return;
  if (dims == 0) {
    *end = cols;
    return;
  }
  int64_t at = base[dims - 1], size = global->array->dims[dims - 1];
  if (at >= size || at <= -cols) return;
  *first = at < 0 ? -at : 0;
  *end = size - at < cols ? size - at : cols;
  *start += at;
}

static void indices_text(const int64_t *base, size_t count, CakeBuf *out) {
  for (size_t i = 0; i < count; i++)
    cake_buf_printf(out, "%s%lld", i ? ", " : "", (long long)base[i]);
}

bool cake_sim_tile_check(CakeSimMachine *machine, CakeOp *op, const CakeSimGlobal *global, const int64_t *base,
                         int row_dim, int64_t rows, int64_t cols) {
  size_t dims = global->array->rank;
  for (int64_t r = 0; r < rows; r++) {
    int64_t first, end, start;
    row_inside(global, base, row_dim, r, cols, &first, &end, &start);
    if (first == 0 && end == cols) continue;
    int64_t index[CAKE_SIM_MAX_RANK] = {0};
    memcpy(index, base, dims * sizeof *index);
    if (row_dim >= 0 && index[row_dim] <= INT64_MAX - r) index[row_dim] += r;
    index[dims - 1] += first == 0 ? end : 0;
    CakeBuf text = {0};
    indices_text(index, dims, &text);
    cake_buf_text(&text, "] of array '");
    cake_buf_printf(&text, "%s', whose shape is [", global->name->text);
    indices_text(global->array->dims, dims, &text);
    cake_sim_error(machine, op, CAKE_CODE_SIM_OUT_OF_BOUNDS, "accesses [%.*s]", (int)text.len, text.data);
    cake_buf_fini(&text);
    return false;
  }
  return true;
}

void cake_sim_tile_read(const CakeSimGlobal *global, const int64_t *base, int row_dim, int64_t rows, int64_t cols,
                        const void *pad, void *out, int64_t pitch) {
  size_t size = cake_sim_kept_bytes(global->element);
  for (int64_t r = 0; r < rows; r++) {
    int64_t first, end, start;
    char *line = (char *)out + (size_t)(r * pitch) * size;
    row_inside(global, base, row_dim, r, cols, &first, &end, &start);
    if (end > first)
      cake_sim_read(global->element, global->array->data, start + first, (size_t)(end - first),
                    line + (size_t)first * size);
    if (end - first == cols || !pad) continue;
    for (int64_t c = 0; c < cols; c++) {
      if (c < first || c >= end) memcpy(line + (size_t)c * size, pad, size);
    }
  }
}

void cake_sim_tile_write(const CakeSimGlobal *global, const int64_t *base, int row_dim, int64_t rows, int64_t cols,
                         const void *in, CakeSimWrite write) {
  size_t size = cake_sim_kept_bytes(global->element);
  for (int64_t r = 0; r < rows; r++) {
    int64_t first, end, start;
    const char *line = (const char *)in + (size_t)(r * cols) * size;
    row_inside(global, base, row_dim, r, cols, &first, &end, &start);
    if (end > first)
      write(global->element, global->array->data, start + first, (size_t)(end - first), line + (size_t)first * size);
  }
}

const void *cake_sim_pad(CakeSimBuilder *builder, CakeSimElement element, CakeAttr number) {
  if (!number) return NULL;
  void *pad = cake_arena_alloc(builder->launch->arena, sizeof(int64_t));
  cake_sim_fill_kept(element, number, 1, pad);
  return pad;
}

int cake_sim_row_dim(const CakeSimGlobal *global, CakeAttr dims, int tile_rank) {
  return tile_rank == 2 ? (int)cake_dims_of(dims, global->array->rank, 2, 0) : -1;
}

// ---- load, store ---------------------------------------------------------------------------------------------------------

typedef struct TileInfo {
  const CakeSimGlobal *global;
  CakeSimExprs at, keep;
  const void *pad; // of a load
  bool clip;       // of a store
  int row_dim;
  int64_t rows, cols;
  uint8_t *kept; // which elements `keep` keeps, where there is one; NULL: all
} TileInfo;

static bool build_tile(CakeSimBuilder *builder, CakeOp *op, const CakeValue *global, CakeAttr at,
                       CakeOperandRange at_idx, TileInfo *info) {
  info->global = cake_sim_global_of(builder, op, global);
  if (!info->global || !cake_sim_exprs(builder, op, at, at_idx, &info->at)) return false;
  return info->at.count == info->global->array->rank ||
         cake_sim_unsupported(op, "has a number of indices that does not fit");
}

// What the slot of a fragment says about its tile. A fragment of rank 1 is a row of the array's last dimension.
static bool shape_tile(CakeSimBuilder *builder, CakeOp *op, const CakeSimSlot *slot, CakeAttr dims, TileInfo *info) {
  CakeSimElement wanted = info->global->element;
  info->row_dim = cake_sim_row_dim(info->global, dims, slot->rank);
  info->rows = slot->rank == 2 ? slot->rows : 1;
  info->cols = slot->rank == 2 ? slot->cols : (int64_t)slot->count;
  if (info->keep.count) info->kept = CAKE_ARENA_ARRAY(builder->launch->arena, uint8_t, slot->count + 1);
  bool fits = slot->kind == CAKE_SIM_DATA && slot->element.is_float == wanted.is_float &&
              slot->element.format == wanted.format && slot->element.bits == wanted.bits &&
              (size_t)slot->rank <= info->global->array->rank;
  return fits || cake_sim_unsupported(op, "has a fragment that does not fit the array");
}

// `keep` of a fragment whose coordinates are those of its form: a row<F> runs along rows.
static bool eval_kept(CakeSimMachine *machine, const CakeSimInstr *instr, const TileInfo *info, uint32_t slot) {
  const CakeSimSlot *fragment = cake_sim_slot_info(machine, slot);
  return cake_sim_eval_keep(machine, instr, &info->keep, fragment->rows, fragment->cols, info->kept);
}

// Runs of elements that are kept, row by row: `each` moves one. The first and the number of its columns; false: reported.
typedef bool (*MoveRun)(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *base, int64_t at,
                        int64_t count);

static bool for_kept_runs(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *base, MoveRun each) {
  const TileInfo *info = instr->info;
  for (int64_t r = 0; r < info->rows; r++) {
    int64_t run[CAKE_SIM_MAX_RANK];
    for (int64_t c = 0, end; c < info->cols; c = end + 1) {
      const uint8_t *line = info->kept + r * info->cols;
      for (end = c; end < info->cols && line[end]; end++)
        continue;
      if (end == c) continue;
      memcpy(run, base, info->global->array->rank * sizeof *run);
      if (info->row_dim >= 0) run[info->row_dim] += r;
      if (info->global->array->rank) run[info->global->array->rank - 1] += c;
      if (!each(machine, instr, run, r * info->cols + c, end - c)) return false;
    }
  }
  return true;
}

static bool read_run(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *base, int64_t at,
                     int64_t count) {
  const TileInfo *info = instr->info;
  char *out = (char *)cake_sim_at(machine, instr->out[0]) + (size_t)at * cake_sim_kept_bytes(info->global->element);
  if (!cake_sim_tile_check(machine, instr->op, info->global, base, -1, 1, count)) return false;
  cake_sim_tile_read(info->global, base, -1, 1, count, NULL, out, count);
  return true;
}

static bool load_kept(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *base) {
  const TileInfo *info = instr->info;
  size_t size = cake_sim_kept_bytes(info->global->element);
  for (int64_t i = 0; i < info->rows * info->cols; i++)
    memcpy((char *)cake_sim_at(machine, instr->out[0]) + (size_t)i * size, info->pad, size);
  return eval_kept(machine, instr, info, instr->out[0]) && for_kept_runs(machine, instr, base, read_run);
}

static CakeSimStep eval_load(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const TileInfo *info = instr->info;
  int64_t base[CAKE_SIM_MAX_RANK];
  if (!cake_sim_eval(machine, instr, &info->at, base)) return CAKE_SIM_FAILED;
  if (info->kept) return load_kept(machine, instr, base) ? CAKE_SIM_NEXT : CAKE_SIM_FAILED;
  if (!info->pad && !cake_sim_tile_check(machine, instr->op, info->global, base, info->row_dim, info->rows, info->cols))
    return CAKE_SIM_FAILED;
  cake_sim_tile_read(info->global, base, info->row_dim, info->rows, info->cols, info->pad,
                     cake_sim_at(machine, instr->out[0]), info->cols);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_load(CakeSimBuilder *builder, CakeOp *op) {
  TileInfo *info = CAKE_SIM_NEW(builder, TileInfo);
  if (!build_tile(builder, op, cake_cake_load_global(op), cake_cake_load_at(op), cake_cake_load_at_idx(op), info) ||
      !cake_sim_exprs(builder, op, cake_cake_load_keep(op), cake_cake_load_keep_idx(op), &info->keep))
    return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_load);
  if (!instr || !shape_tile(builder, op, cake_sim_slot(builder, instr->out[0]), cake_cake_load_dims(op), info))
    return false;
  info->pad = cake_sim_pad(builder, info->global->element, cake_cake_load_pad(op));
  instr->info = info;
  return true;
}

static bool write_run(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *base, int64_t at,
                      int64_t count) {
  const TileInfo *info = instr->info;
  const char *in =
      (const char *)cake_sim_at(machine, instr->in[0]) + (size_t)at * cake_sim_kept_bytes(info->global->element);
  if (!info->clip && !cake_sim_tile_check(machine, instr->op, info->global, base, -1, 1, count)) return false;
  cake_sim_tile_write(info->global, base, -1, 1, count, in, cake_sim_write);
  return true;
}

static CakeSimStep eval_store(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const TileInfo *info = instr->info;
  int64_t base[CAKE_SIM_MAX_RANK];
  if (!cake_sim_eval(machine, instr, &info->at, base)) return CAKE_SIM_FAILED;
  if (info->kept) {
    bool ok = eval_kept(machine, instr, info, instr->in[0]) && for_kept_runs(machine, instr, base, write_run);
    return ok ? CAKE_SIM_NEXT : CAKE_SIM_FAILED;
  }
  if (!info->clip &&
      !cake_sim_tile_check(machine, instr->op, info->global, base, info->row_dim, info->rows, info->cols))
    return CAKE_SIM_FAILED;
  cake_sim_tile_write(info->global, base, info->row_dim, info->rows, info->cols, cake_sim_at(machine, instr->in[0]),
                      cake_sim_write);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_store(CakeSimBuilder *builder, CakeOp *op) {
  TileInfo *info = CAKE_SIM_NEW(builder, TileInfo);
  if (!build_tile(builder, op, cake_cake_store_global(op), cake_cake_store_at(op), cake_cake_store_at_idx(op), info) ||
      !cake_sim_exprs(builder, op, cake_cake_store_keep(op), cake_cake_store_keep_idx(op), &info->keep))
    return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_store);
  if (!instr || !shape_tile(builder, op, cake_sim_slot(builder, instr->in[0]), cake_cake_store_dims(op), info))
    return false;
  info->clip = cake_cake_store_clip(op) != NULL;
  instr->info = info;
  return true;
}

// ---- get -----------------------------------------------------------------------------------------------------------------

typedef struct GetInfo {
  CakeSimExprs off;
  int64_t rows, cols;
  int view_rank;
} GetInfo;

static CakeSimStep eval_get(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const GetInfo *info = instr->info;
  const CakeSimView *view = cake_sim_at(machine, instr->in[0]);
  const CakeSimPart *part = cake_sim_view_part(view);
  int64_t off[CAKE_SIM_MAX_RANK] = {0};
  if (!cake_sim_eval(machine, instr, &info->off, off)) return CAKE_SIM_FAILED;
  int64_t row = info->view_rank == 2 ? off[0] : 0, col = info->view_rank == 2 ? off[1] : off[0];
  CakeSimStep step = cake_sim_view_check_read(machine, instr, view, row, col, info->rows, info->cols);
  if (step != CAKE_SIM_NEXT) return step;
  size_t size = cake_sim_kept_bytes(part->element), bytes = (size_t)info->cols * size;
  const char *from = (const char *)cake_sim_view_data(view) + (size_t)(row * part->cols + col) * size;
  char *to = cake_sim_at(machine, instr->out[0]);
  for (int64_t r = 0; r < info->rows; r++)
    memcpy(to + (size_t)r * bytes, from + (size_t)(r * part->cols) * size, bytes);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_get(CakeSimBuilder *builder, CakeOp *op) {
  GetInfo *info = CAKE_SIM_NEW(builder, GetInfo);
  CakeType view = cake_cake_get_view(op)->type;
  if (!cake_sim_exprs(builder, op, cake_cake_get_off(op), cake_cake_get_off_idx(op), &info->off)) return false;
  info->view_rank = (int)cake_shared_rank(view);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_get);
  if (!instr) return false;
  const CakeSimSlot *slot = cake_sim_slot(builder, instr->out[0]);
  info->rows = slot->rank == 2 ? slot->rows : 1;
  info->cols = slot->rank == 2 ? slot->cols : (int64_t)slot->count;
  instr->info = info;
  if (cake_type_element(cake_op_result(op, 0)->type) != cake_shared_element(view) || slot->rank > info->view_rank ||
      (info->off.count && info->off.count != cake_shared_rank(view)))
    return cake_sim_unsupported(op, "has a fragment that does not fit the view");
  return true;
}

// ---- put, slice ----------------------------------------------------------------------------------------------------------

typedef struct PutInfo {
  CakeSimExprs off;    // into the fragment
  CakeSimExprs target; // of a put into a part of a buffer: where
  int64_t rows, cols;
  uint32_t view; // operand number
} PutInfo;

// Copies rows × cols elements from `off` on of a fragment whose rows are `info->cols` wide; the target has no gaps.
static CakeSimStep cut_fragment(CakeSimMachine *machine, const CakeSimInstr *instr, const PutInfo *info,
                                const char *fragment, void *out, int64_t rows, int64_t cols, size_t size) {
  int64_t off[CAKE_SIM_MAX_RANK] = {0};
  if (!cake_sim_eval(machine, instr, &info->off, off)) return CAKE_SIM_FAILED;
  bool is_inside = off[0] >= 0 && off[1] >= 0 && off[0] <= info->rows - rows && off[1] <= info->cols - cols;
  if (!is_inside)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_OUT_OF_BOUNDS,
                          "takes %lld x %lld elements from (%lld, %lld) on of a fragment of %lld x %lld",
                          (long long)rows, (long long)cols, (long long)off[0], (long long)off[1], (long long)info->rows,
                          (long long)info->cols);
  const char *from = fragment + (size_t)(off[0] * info->cols + off[1]) * size;
  for (int64_t r = 0; r < rows; r++)
    memcpy((char *)out + (size_t)(r * cols) * size, from + (size_t)(r * info->cols) * size, (size_t)cols * size);
  return CAKE_SIM_NEXT;
}

// A whole fragment into a part of a buffer.
static CakeSimStep put_part(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                            const CakeSimPart *part) {
  const PutInfo *info = instr->info;
  int64_t off[CAKE_SIM_MAX_RANK] = {0};
  if (!cake_sim_eval(machine, instr, &info->target, off)) return CAKE_SIM_FAILED;
  int64_t tile[4] = {off[0], off[1], info->rows, info->cols};
  CakeSimStep step = cake_sim_view_check_write(machine, instr, view, tile);
  size_t size = cake_sim_kept_bytes(part->element), bytes = (size_t)info->cols * size;
  const char *from = cake_sim_at(machine, instr->in[0]);
  for (int64_t r = 0; step == CAKE_SIM_NEXT && r < info->rows; r++) {
    int64_t at = (off[0] + r) * part->cols + off[1];
    memcpy((char *)cake_sim_view_data(view) + (size_t)at * size, from + (size_t)r * bytes, bytes);
    memset(view->stage->filled[view->part] + at, CAKE_SIM_ARRIVED, (size_t)info->cols);
  }
  return step;
}

static CakeSimStep eval_put(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const PutInfo *info = instr->info;
  const CakeSimView *view = cake_sim_at(machine, instr->in[info->view]);
  const CakeSimPart *part = cake_sim_view_part(view);
  if (info->target.count) return put_part(machine, instr, view, part);
  CakeSimStep step = cake_sim_view_check_write(machine, instr, view, (int64_t[4]){0, 0, part->rows, part->cols});
  if (step != CAKE_SIM_NEXT) return step;
  step = cut_fragment(machine, instr, info, cake_sim_at(machine, instr->in[0]), cake_sim_view_data(view), part->rows,
                      part->cols, cake_sim_kept_bytes(part->element));
  if (step == CAKE_SIM_NEXT) cake_sim_view_written(view);
  return step;
}

static CakeSimStep eval_slice(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->out[0]);
  return cut_fragment(machine, instr, instr->info, cake_sim_at(machine, instr->in[0]),
                      cake_sim_at(machine, instr->out[0]), slot->rows, slot->cols, cake_sim_kept_bytes(slot->element));
}

bool cake_sim_build_cake_slice(CakeSimBuilder *builder, CakeOp *op) {
  PutInfo *info = CAKE_SIM_NEW(builder, PutInfo);
  if (!cake_sim_exprs(builder, op, cake_cake_slice_off(op), cake_cake_slice_off_idx(op), &info->off)) return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_slice);
  if (!instr) return false;
  const CakeSimSlot *from = cake_sim_slot(builder, instr->in[0]), *to = cake_sim_slot(builder, instr->out[0]);
  info->rows = from->rows;
  info->cols = from->cols;
  instr->info = info;
  bool fits = from->kind == CAKE_SIM_DATA && to->kind == CAKE_SIM_DATA && from->rank == 2 && to->rank == 2 &&
              info->off.count == 2 && cake_sim_kept_bytes(from->element) == cake_sim_kept_bytes(to->element);
  return fits || cake_sim_unsupported(op, "has fragments that do not fit");
}

bool cake_sim_build_cake_put(CakeSimBuilder *builder, CakeOp *op) {
  PutInfo *info = CAKE_SIM_NEW(builder, PutInfo);
  CakeType view = cake_cake_put_view(op)->type;
  info->view = cake_op_operand_group(op, CAKE_GROUP(cake, put, view)).start;
  if (!cake_sim_exprs(builder, op, cake_cake_put_value_off(op), cake_cake_put_value_off_idx(op), &info->off) ||
      !cake_sim_exprs(builder, op, cake_cake_put_off(op), cake_cake_put_off_idx(op), &info->target))
    return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_put);
  if (!instr) return false;
  const CakeSimSlot *slot = cake_sim_slot(builder, instr->in[0]);
  info->rows = slot->rows;
  info->cols = slot->cols;
  instr->info = info;
  bool fits = slot->kind == CAKE_SIM_DATA && slot->rank == 2 && cake_shared_rank(view) == 2 &&
              cake_type_element(cake_cake_put_value(op)->type) == cake_shared_element(view) &&
              (info->off.count == 0 || info->off.count == 2) && (info->target.count == 0 || info->target.count == 2);
  return fits || cake_sim_unsupported(op, "has a fragment that does not fit the view");
}

// A role never holds it: it stands behind the expansion of pipelines.
bool cake_sim_build_cake_commit_mma(CakeSimBuilder *builder, CakeOp *op) {
  (void)builder;
  return cake_sim_unsupported(op, "is made by a pass of the lowering, and is simulated at the gpu level");
}

bool cake_sim_build_cake_store_view(CakeSimBuilder *builder, CakeOp *op) {
  (void)builder;
  return cake_sim_unsupported(op, "stands in a role");
}
