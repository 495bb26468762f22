// The op copy: a tile of global memory into shared memory, by the copy engine or by all threads of the role.
//
// cp_async: the tile is cut into chunks of 16, 8 or 4 bytes, numbered along its rows; thread i takes chunks i, i + threads, …. Bytes outside of
// the array are filled with zeros (zfill), read from a clamped address. tma: boxes of a tensor map (cake_expand_fragments_tensor.c), issued by
// the elected lane of the role's first warp.
#include "analysis/affine.h"

#include "dialects/cake/ops/copies.h"
#include "passes/fragments.h"

enum { CHUNK_BYTES = 16, MAX_CHUNKS = 128 };

typedef struct Copy {
  CakeFragments *expand;
  CakeOp *op;
  CakeFragmentsRole *role;
  CakeValue *global, *view;
  CakeType type;             // of the view
  int64_t rows, cols, bytes; // of the tile; rows 1 for rank 1
  bool has_rows;
  CakeViewOffset offset;
  CakeTile tile; // cp_async
  int64_t chunk; // bytes a copy
  int64_t per_row, threads;
  CakeValue *dst;       // cp_async: the view's pointer
  CakeValue *row, *col; // the thread's first chunk: row, and chunk in the row; index values, hoisted
} Copy;

static bool refuse(const Copy *c, const char *why) {
  return cake_error(c->op, CAKE_CODE_LOWER_UNSUPPORTED, "cannot be lowered: %s", why);
}

static bool init_copy(Copy *c, CakeFragments *expand, CakeOp *op) {
  *c = (Copy){.expand = expand, .op = op, .role = cake_fragments_role(expand, op)};
  c->global = cake_cake_copy_global(op);
  c->view = cake_cake_copy_view(op);
  c->type = c->view->type;
  if (!cake_view_offset(expand, op, c->type, cake_cake_copy_off(op), cake_cake_copy_off_idx(op), &c->offset))
    return false;
  size_t rank = cake_shared_rank(c->type);
  c->has_rows = rank == 2;
  c->rows = c->has_rows ? cake_shared_size(c->type, 0) : 1;
  c->cols = cake_shared_size(c->type, rank - 1);
  c->bytes = cake_fragments_bytes(cake_shared_element(c->type));
  if (!cake_fragments_is_zero(cake_cake_copy_pad(op)))
    return refuse(c, "what is outside of the array becomes 0, and `pad` is something else");
  if (cake_cake_copy_off(op) && cake_at_count(cake_cake_copy_off(op)) > 0) {
    // Without extents of its own, a copy with an offset fills the rest of the view.
    if (c->offset.row || c->offset.col) return refuse(c, "`off` is not constant, so the size of the tile is not known");
    c->rows -= c->offset.row_const;
    c->cols -= c->offset.col_const;
  }
  return c->rows > 0 && c->cols > 0 ? true : refuse(c, "the tile is empty");
}

// ---- cp_async ------------------------------------------------------------------------------------------------------------

static CakeTileOptions tile_options(const Copy *c) {
  return (CakeTileOptions){.array = c->global,
                           .at = cake_cake_copy_at(c->op),
                           .at_idx = cake_cake_copy_at_idx(c->op),
                           .major_size = c->has_rows ? c->rows : 0,
                           .minor_size = c->cols,
                           .is_ragged = cake_cake_copy_pad(c->op) != NULL,
                           .dims = cake_cake_copy_dims(c->op)};
}

// Whether the shared side is aligned to a chunk everywhere.
static bool view_can_take(const Copy *c, int64_t chunk) {
  if (cake_shared_storage(c->type) != CAKE_STORAGE_ROWS) return true;
  int64_t pitch = c->has_rows ? cake_view_pitch(c->type) : 0;
  return pitch % chunk == 0 && c->offset.col_const * c->bytes % chunk == 0;
}

// Global alignment of chunks at multiples of a chunk, as cake_tile_can_take tells it before the tile is built.
static bool array_can_take(const Copy *c, int64_t chunk) {
  CakeType array = c->global->type;
  int64_t width = chunk / c->bytes, align = cake_global_align(array) ? cake_global_align(array) : c->bytes;
  size_t rank = cake_global_rank(array);
  CakeAttr at = cake_at_expr(cake_cake_copy_at(c->op), rank - 1), extent = cake_global_dim(array, rank - 1);
  if (width < 1 || align % chunk != 0 || cake_fragments_divisor(at) % width != 0) return false;
  return width == 1 || cake_expr_divisor(c->op, extent) % width == 0 || (rank == 1 && !cake_cake_copy_pad(c->op));
}

static int64_t choose_chunk(const Copy *c) {
  for (int64_t chunk = CHUNK_BYTES; chunk >= 4; chunk /= 2) {
    if (c->cols * c->bytes % chunk == 0 && view_can_take(c, chunk) && array_can_take(c, chunk)) return chunk;
  }
  return 0;
}

// The thread's first chunk.
static void first_chunk(Copy *c) {
  CakeFragments *expand = c->expand;
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *lane = cake_fragments_lane(expand, c->role), *warp = cake_fragments_warp(expand, c->role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, c->role);
  CakeValue *thread = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, warp, 32), lane);
  CakeValue *per_row = cake_lower_index(rewriter, c->per_row);
  c->row = c->has_rows ? cake_lower_divui(rewriter, thread, per_row) : cake_lower_index(rewriter, 0);
  c->col = c->has_rows ? cake_lower_remui(rewriter, thread, per_row) : thread;
  cake_fragments_hoist_end(expand, c->role, point);
}

// Chunks whose threads do not advance by whole rows: the chunk of one round.
static void chunk_of_round(const Copy *c, int64_t round, CakeValue **row, CakeValue **col) {
  CakeRewriter *rewriter = c->expand->rewriter;
  CakeLowerPoint point = cake_fragments_hoist_begin(c->expand, c->role);
  CakeValue *per_row = cake_lower_index(rewriter, c->per_row);
  CakeValue *thread = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, c->row, c->per_row), c->col);
  thread = cake_lower_add_const(rewriter, thread, round * c->threads);
  *row = cake_lower_divui(rewriter, thread, per_row);
  *col = cake_lower_remui(rewriter, thread, per_row);
  cake_fragments_hoist_end(c->expand, c->role, point);
}

static void issue_chunk(const Copy *c, CakeValue *dst, CakeTileAddress src) {
  CakeRewriter *rewriter = c->expand->rewriter;
  CakeValue *operands[] = {dst, src.ptr, NULL};
  if (src.inside)
    operands[2] =
        cake_lower_select(rewriter, src.inside, cake_lower_i32(rewriter, c->chunk), cake_lower_i32(rewriter, 0));
  CakeNamedAttr bytes = {cake_id_text(c->expand->context, "bytes"), cake_attr_i64(c->expand->context, c->chunk)};
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.cp_async",
                                             .operands = operands,
                                             .n_operands = src.inside ? 3 : 2,
                                             .attrs = &bytes,
                                             .n_attrs = 1});
}

// A tile whose lane starts at this chunk. Several rounds of one lane differ by constants and share it.
static bool tile_at_chunk(Copy *c, CakeTile *tile, CakeValue *row, CakeValue *col) {
  CakeTileOptions options = tile_options(c);
  int64_t width = c->chunk / c->bytes;
  CakeLowerPoint point = cake_fragments_hoist_begin(c->expand, c->role);
  options.lane_minor = cake_lower_mul_const(c->expand->rewriter, col, width);
  cake_fragments_hoist_end(c->expand, c->role, point);
  options.lane_major = c->has_rows ? row : NULL;
  options.lane_divisor = width;
  return cake_tile_init(tile, c->expand, c->op, &options);
}

// Threads advance by whole rows, or there is one row: rounds differ by constants.
static bool is_regular(const Copy *c) {
  return !c->has_rows || c->threads % c->per_row == 0 || c->per_row % c->threads == 0;
}

static bool copy_round(Copy *c, int64_t round, int64_t total) {
  CakeFragments *expand = c->expand;
  CakeValue *row = c->row, *col = c->col;
  int64_t row_const = 0, col_const = 0, place_const;
  if (!c->has_rows)
    col_const = round * c->threads;
  else if (c->threads % c->per_row == 0)
    row_const = round * (c->threads / c->per_row);
  else if (is_regular(c))
    row_const = round * c->threads / c->per_row, col_const = round * c->threads % c->per_row;
  else
    chunk_of_round(c, round, &row, &col);
  if (!is_regular(c) && !tile_at_chunk(c, &c->tile, row, col)) return false;
  CakeValue *condition = NULL;
  if ((round + 1) * c->threads > total) { // the last round is not for all threads
    CakeValue *thread =
        cake_lower_add(expand->rewriter, cake_lower_mul_const(expand->rewriter, c->row, c->per_row), c->col);
    condition = cake_lower_cmpi(expand->rewriter, CAKE_CMPI_ULT, thread,
                                cake_lower_index(expand->rewriter, total - round * c->threads));
  }
  int64_t width = c->chunk / c->bytes;
  CakeTileAddress src = cake_tile_at(&c->tile, row_const, col_const * width,
                                     width); // clamped where it may be outside: no guard is needed
  CakeValue *dst = cake_lower_ptr_add(
      expand->rewriter, c->dst,
      cake_view_chunk(expand, c->role, c->type, row, row_const, col, col_const, c->chunk, &place_const));
  dst = cake_fragments_ptr_add_const(expand, dst, place_const);
  CakeLowerPoint point = cake_fragments_guard_begin(expand, condition);
  issue_chunk(c, dst, src);
  cake_lower_restore(expand->rewriter, point);
  return true;
}

static bool copy_async(Copy *c) {
  c->chunk = choose_chunk(c);
  if (c->chunk == 0)
    return refuse(c, "cp_async takes aligned runs of at least 4 bytes: the array's `align`, its last dimension and the "
                     "tile's first column must allow them");
  if (cake_shared_storage(c->type) != CAKE_STORAGE_ROWS && c->chunk != CHUNK_BYTES)
    return refuse(c,
                  "swizzled storage is filled by aligned runs of 16 bytes: the array's `align`, its last dimension and "
                  "the tile's first column must allow them");
  c->per_row = c->cols * c->bytes / c->chunk;
  c->threads = 32 * c->role->warps;
  int64_t total = c->rows * c->per_row, rounds = (total + c->threads - 1) / c->threads;
  if (rounds > MAX_CHUNKS) return refuse(c, "a thread would issue more than 128 copies; give the role more warps");
  if (!cake_view_pointer(c->expand, c->op, c->view, &c->offset, &c->dst)) return false;
  first_chunk(c);
  if (is_regular(c) && !tile_at_chunk(c, &c->tile, c->row, c->col)) return false;
  for (int64_t round = 0; round < rounds; round++) {
    if (!copy_round(c, round, total)) return false;
  }
  return true;
}

// ---- tma and bulk --------------------------------------------------------------------------------------------------------

static CakeValue *barrier_of(const Copy *c) {
  CakeValue *barrier = cake_cake_copy_barrier(c->op);
  if (!barrier) (void)cake_error(c->op, CAKE_CODE_LOWER_UNSUPPORTED, "has no barrier; run cake-expand-pipelines first");
  return barrier;
}

// A multicast: the CTA's share of the rows, which it sends to all CTAs of its mask.
static bool take_share(const Copy *c, const CakeMulticast *m, CakeTensorTile *tile, CakeValue **start,
                       CakeValue **mask) {
  CakeRewriter *rewriter = c->expand->rewriter;
  int64_t indices[CAKE_MAX_CLUSTER], masks[CAKE_MAX_CLUSTER], share = c->rows / tile->sharers;
  for (int64_t rank = 0; rank < m->cluster; rank++) {
    indices[rank] = cake_multicast_index(m->masks[rank], rank);
    masks[rank] = m->masks[rank];
    if (cake_multicast_count(m->masks[rank]) != tile->sharers)
      return refuse(c, "its masks hold different numbers of CTAs");
  }
  CakeValue *index = cake_lower_by_rank(rewriter, indices, m->cluster);
  int64_t row_bytes = cake_shared_panel(c->type) ? cake_shared_panel(c->type) : c->cols * c->bytes;
  CakeValue *row = cake_lower_mul_const(rewriter, index, share);
  size_t rank = cake_global_rank(c->global->type);
  CakeValue **first = &tile->starts[rank - 1 - cake_dims_of(tile->dims, rank, 2, 0)]; // of its rows
  *first = cake_lower_add(rewriter, *first, cake_lower_cast(rewriter, row, cake_type_index(rewriter->context)));
  *start = cake_lower_ptr_add(rewriter, *start, cake_lower_mul_const(rewriter, index, share * row_bytes));
  *mask = cake_lower_by_rank(rewriter, masks, m->cluster);
  return true;
}

static bool copy_tma(Copy *c) {
  CakeFragments *expand = c->expand;
  CakeValue *barrier = barrier_of(c), *start, *mask = NULL;
  CakeMulticast m;
  CakeTensorTile tile = {.expand = expand,
                         .op = c->op,
                         .global = c->global,
                         .view = c->type,
                         .dims = cake_cake_copy_dims(c->op),
                         .at = cake_cake_copy_at(c->op),
                         .at_idx = cake_cake_copy_at_idx(c->op)};
  if (cake_copy_multicast(c->op, &m)) tile.sharers = cake_multicast_count(m.masks[0]);
  if (!barrier || !cake_tensor_tile_init(&tile) || !cake_view_pointer(expand, c->op, c->view, &c->offset, &start) ||
      (tile.sharers > 1 && !take_share(c, &m, &tile, &start, &mask)))
    return false;
  enum { MOST = 4 + CAKE_MAX_MAP_RANK };
  size_t before = mask ? 4 : 3; // the coordinates
  CakeValue **operands = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, (size_t)tile.n_boxes * MOST);
  for (int64_t box = 0; box < tile.n_boxes; box++) { // outside of the branch
    CakeValue **of_box = operands + box * MOST;
    of_box[0] = cake_tensor_tile_pointer(&tile, start, box), of_box[1] = barrier, of_box[2] = tile.map;
    of_box[3] = mask;
    cake_tensor_tile_coordinates(&tile, box, of_box + before);
  }
  CakeLowerPoint point = cake_fragments_elected_begin(expand, c->role);
  for (int64_t box = 0; box < tile.n_boxes; box++)
    cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = mask ? "gpu.tma_load_multicast" : "gpu.tma_load",
                                                       .operands = operands + box * MOST,
                                                       .n_operands = before + tile.rank});
  cake_lower_restore(expand->rewriter, point);
  return true;
}

static bool copy_bulk(Copy *c) {
  CakeFragments *expand = c->expand;
  CakeTileOptions options = tile_options(c);
  CakeValue *operands[4], *barrier = barrier_of(c);
  int64_t bytes = c->rows * c->cols * c->bytes, align = cake_global_align(c->global->type);
  if (!barrier) return false;
  bool is_run = cake_shared_storage(c->type) == CAKE_STORAGE_ROWS && cake_shared_pad(c->type) == 0;
  if (!is_run || bytes % 16 != 0 || align % 16 != 0 || align == 0)
    return refuse(c, "bulk copies one run of bytes, a multiple of 16, from an array with `align 16`");
  options.is_ragged = false;
  if (!cake_tile_init(&c->tile, expand, c->op, &options)) return false;
  if (c->has_rows && c->tile.pitch_const != c->cols * c->bytes)
    return refuse(c, "bulk copies one run of bytes, and the tile is narrower than the array");
  if (!cake_view_pointer(expand, c->op, c->view, &c->offset, &operands[0])) return false;
  operands[1] = barrier;
  operands[2] = cake_tile_at(&c->tile, 0, 0, 1).ptr;
  operands[3] = cake_lower_i32(expand->rewriter, bytes);
  CakeLowerPoint point = cake_fragments_elected_begin(expand, c->role);
  cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.bulk_load", .operands = operands, .n_operands = 4});
  cake_lower_restore(expand->rewriter, point);
  return true;
}

bool cake_fragments_copy(CakeFragments *expand, CakeOp *op) {
  Copy c;
  if (!init_copy(&c, expand, op)) return false;
  switch (cake_via_of(cake_cake_copy_via(op))) {
  case CAKE_VIA_TMA: return copy_tma(&c);
  case CAKE_VIA_BULK: return copy_bulk(&c);
  case CAKE_VIA_CP_ASYNC: return copy_async(&c);
  }
  return refuse(&c, "its `via` is unknown");
}
