// Tiles of global memory: addresses, what happens at the array's end, and the ops load and store.
//
// Ragged loads and stores stand under a condition, which ptxas makes a predicate of the instruction. What cannot be guarded takes a clamped address
// (sizes are ≥ 1 where an item exists). Coordinates are compared unsigned: a start below 0 is outside too.
#include "analysis/affine.h"

#include "dialects/cake/ops/arrays.h"
#include "passes/fragments_keep.h"

typedef struct CakeTileLine {
  struct CakeTileLine *next;
  int64_t major;
  CakeTileAddress address;
} CakeTileLine;

typedef struct CakeTileStop {
  struct CakeTileStop *next;
  int64_t minor;
  CakeValue *bytes, *inside;
} CakeTileStop;

// ---- Addresses -----------------------------------------------------------------------------------------------------------

static CakeValue *to_i64(CakeTile *tile, CakeValue *value) {
  return cake_lower_cast(tile->expand->rewriter, value, cake_type_i64(tile->expand->context));
}

static CakeValue *extent_of(CakeTile *tile, size_t dim) {
  return cake_lower_expr(tile->expand->rewriter, tile->op, cake_global_dim(tile->array, dim), &tile->expand->sizes);
}

static CakeValue *start_of(CakeTile *tile, CakeAttr at, size_t dim, const CakeLowerEnv *env, CakeValue *lane) {
  CakeRewriter *rewriter = tile->expand->rewriter;
  CakeValue *start = cake_lower_expr(rewriter, tile->op, cake_at_expr(at, dim), env);
  return start && lane ? cake_lower_add(rewriter, start, lane) : start;
}

// Whether constants alone show that [at, at + size) is inside the dimension.
static bool fits(CakeAttr at, CakeAttr extent, int64_t size) {
  int64_t start, end;
  return cake_expr_is_const(at, &start) && cake_expr_is_const(extent, &end) && start >= 0 && start <= end - size;
}

// The pointer behind all dimensions that are none of the tile's: each index times what one step along it skips. `row`: bytes of a row
// of the array.
static CakeValue *skip_outer(CakeTile *tile, CakeAttr at, size_t major, const CakeLowerEnv *env, CakeValue *row) {
  CakeRewriter *rewriter = tile->expand->rewriter;
  CakeValue *outer = NULL;
  for (size_t i = 0; i + 1 < cake_global_rank(tile->array); i++) {
    bool is_major = tile->has_major && i == major;
    CakeValue *start = is_major ? NULL : start_of(tile, at, i, env, NULL), *extent = outer ? extent_of(tile, i) : NULL;
    if ((!is_major && !start) || (outer && !extent)) return NULL;
    if (outer) outer = cake_lower_mul(rewriter, outer, to_i64(tile, extent));
    if (start) start = to_i64(tile, start);
    outer = outer && start ? cake_lower_add(rewriter, outer, start) : start ? start : outer;
  }
  return outer ? cake_lower_ptr_add(rewriter, tile->base, cake_lower_mul(rewriter, outer, row)) : tile->base;
}

// `out_row`: bytes of a row of the array.
static bool init_extents(CakeTile *tile, size_t rank, size_t major, CakeValue **out_row) {
  CakeRewriter *rewriter = tile->expand->rewriter;
  int64_t extent;
  tile->minor_extent = extent_of(tile, rank - 1);
  if (tile->has_major) tile->major_extent = extent_of(tile, major);
  if (!tile->minor_extent || (tile->has_major && !tile->major_extent)) return false;
  *out_row = tile->pitch = cake_lower_mul_const(rewriter, to_i64(tile, tile->minor_extent), tile->bytes);
  for (size_t i = major + 1; tile->has_major && i + 1 < rank; i++) { // between the tile's dimensions
    CakeValue *between = extent_of(tile, i);
    if (!between) return false;
    tile->pitch = cake_lower_mul(rewriter, tile->pitch, to_i64(tile, between));
  }
  tile->pitch_const = cake_lower_constant(tile->pitch, &extent) ? extent : -1;
  tile->extent_divisor = cake_expr_divisor(tile->op, cake_global_dim(tile->array, rank - 1));
  return true;
}

static int64_t gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

bool cake_tile_init(CakeTile *tile, CakeFragments *expand, CakeOp *op, const CakeTileOptions *options) {
  *tile = (CakeTile){.expand = expand, .op = op, .array = options->array->type, .has_major = options->major_size > 0};
  size_t rank = cake_global_rank(tile->array), n_tile = tile->has_major ? 2 : 1;
  tile->base = cake_fragments_get_value(expand, options->array);
  tile->bytes = cake_fragments_bytes(cake_global_element(tile->array));
  if (rank < n_tile || cake_at_count(options->at) != rank) {
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "has a tile of rank %zu and %zu coordinates for an array of rank %zu",
                      n_tile, cake_at_count(options->at), rank);
  }
  CakeLowerEnv env = cake_fragments_env(expand, options->at_idx);
  size_t major = tile->has_major ? cake_dims_of(options->dims, rank, 2, 0) : 0;
  CakeValue *row;
  if (!init_extents(tile, rank, major, &row)) return false;
  tile->base = skip_outer(tile, options->at, major, &env, row);
  tile->minor = start_of(tile, options->at, rank - 1, &env, options->lane_minor);
  if (tile->has_major) tile->major = start_of(tile, options->at, major, &env, options->lane_major);
  if (!tile->base || !tile->minor || (tile->has_major && !tile->major)) return false;
  CakeAttr minor_at = cake_at_expr(options->at, rank - 1);
  tile->minor_divisor = gcd(cake_fragments_divisor(minor_at), options->lane_divisor);
  tile->check_minor =
      options->is_ragged && !fits(minor_at, cake_global_dim(tile->array, rank - 1), options->minor_size);
  tile->check_major = options->is_ragged && tile->has_major &&
                      !fits(cake_at_expr(options->at, major), cake_global_dim(tile->array, major), options->major_size);
  tile->clamps = !options->is_guarded;
  CakeRewriter *rewriter = expand->rewriter;
  if (!tile->check_minor || !tile->clamps) {
    tile->base = cake_lower_ptr_add(rewriter, tile->base,
                                    cake_lower_mul_const(rewriter, to_i64(tile, tile->minor), tile->bytes));
  }
  if (tile->has_major && (!tile->check_major || !tile->clamps)) {
    tile->base =
        cake_lower_ptr_add(rewriter, tile->base, cake_lower_mul(rewriter, to_i64(tile, tile->major), tile->pitch));
  }
  return true;
}

bool cake_tile_can_take(const CakeTile *tile, int64_t width) {
  int64_t align = cake_global_align(tile->array), bytes = width * tile->bytes;
  if (width == 1) return true;
  if (align == 0) align = tile->bytes;
  bool is_one_line = !tile->has_major && cake_global_rank(tile->array) == 1;
  if (align % bytes != 0 || tile->minor_divisor % width != 0) return false;
  return (is_one_line && !tile->check_minor) || tile->extent_divisor % width == 0;
}

static CakeValue *is_inside(CakeTile *tile, CakeValue *start, int64_t offset, CakeValue *extent) {
  CakeRewriter *rewriter = tile->expand->rewriter;
  return cake_lower_cmpi(rewriter, CAKE_CMPI_ULT, cake_lower_add_const(rewriter, start, offset), extent);
}

// The bytes to a coordinate that is clamped, so that `width` elements from there on are inside.
static CakeValue *clamped_bytes(CakeTile *tile, CakeValue *start, int64_t offset, CakeValue *extent, int64_t width,
                                CakeValue *unit) {
  CakeRewriter *rewriter = tile->expand->rewriter;
  CakeValue *last = cake_lower_add_const(rewriter, extent, -width);
  CakeValue *clamped = cake_build_binary(rewriter, "arith.minui", cake_lower_add_const(rewriter, start, offset), last);
  return cake_lower_mul(rewriter, to_i64(tile, clamped), unit);
}

// The pointer to a line of the tile, and whether the line is inside the array.
static CakeTileAddress line_at(CakeTile *tile, int64_t major) {
  CakeRewriter *rewriter = tile->expand->rewriter;
  for (CakeTileLine *line = tile->lines; line; line = line->next) {
    if (line->major == major) return line->address;
  }
  CakeTileLine *line = CAKE_ARENA_NEW(tile->expand->scratch, CakeTileLine);
  *line = (CakeTileLine){.next = tile->lines, .major = major};
  tile->lines = line;
  CakeValue *bytes;
  if (tile->check_major && tile->clamps) {
    bytes = clamped_bytes(tile, tile->major, major, tile->major_extent, 1, tile->pitch);
  } else if (tile->pitch_const >= 0) {
    bytes = cake_lower_i64(rewriter, major * tile->pitch_const);
  } else {
    bytes = cake_lower_mul_const(rewriter, tile->pitch, major);
  }
  if (tile->check_major) line->address.inside = is_inside(tile, tile->major, major, tile->major_extent);
  line->address.ptr = cake_lower_ptr_add(rewriter, tile->base, bytes);
  return line->address;
}

// A minor coordinate that is checked; `width`: elements that must be inside together.
static const CakeTileStop *stop_at(CakeTile *tile, int64_t minor, int64_t width) {
  for (CakeTileStop *stop = tile->stops; stop; stop = stop->next) {
    if (stop->minor == minor) return stop;
  }
  CakeTileStop *stop = CAKE_ARENA_NEW(tile->expand->scratch, CakeTileStop);
  *stop = (CakeTileStop){.next = tile->stops, .minor = minor};
  tile->stops = stop;
  CakeRewriter *rewriter = tile->expand->rewriter;
  CakeValue *unit = cake_lower_i64(rewriter, tile->bytes);
  stop->bytes = tile->clamps ? clamped_bytes(tile, tile->minor, minor, tile->minor_extent, width, unit)
                             : cake_lower_i64(rewriter, minor * tile->bytes);
  stop->inside = is_inside(tile, tile->minor, minor, tile->minor_extent);
  return stop;
}

CakeTileAddress cake_tile_at(CakeTile *tile, int64_t major, int64_t minor, int64_t width) {
  CakeTileAddress address = {.ptr = tile->base};
  if (tile->has_major) address = line_at(tile, major);
  if (!tile->check_minor) {
    address.ptr = cake_fragments_ptr_add_const(tile->expand, address.ptr, minor * tile->bytes);
    return address;
  }
  const CakeTileStop *stop = stop_at(tile, minor, width);
  address.ptr = cake_lower_ptr_add(tile->expand->rewriter, address.ptr, stop->bytes);
  address.inside = cake_fragments_and(tile->expand, address.inside, stop->inside);
  return address;
}

// One condition a load: several loads behind one would all have to stand in front of what needs the first.
CakeValue *cake_fragments_load_padded(CakeFragments *expand, CakeTileAddress address, CakeType type, bool readonly,
                                      CakeValue *padding) {
  CakeRewriter *rewriter = expand->rewriter;
  if (!address.inside) return cake_fragments_load_from(expand, address.ptr, type, readonly);
  CakeOp *branch = cake_lower_choice(rewriter, address.inside, &type, 1);
  CakeLowerPoint point = cake_lower_save(rewriter);
  for (uint32_t side = 0; side < 2; side++) {
    cake_lower_side(rewriter, branch, side);
    CakeValue *value = side == 0 ? cake_fragments_load_from(expand, address.ptr, type, readonly) : padding;
    cake_lower_yield(rewriter, &value, 1);
  }
  cake_lower_restore(rewriter, point);
  return cake_op_result(branch, 0);
}

// ---- Fragments -----------------------------------------------------------------------------------------------------------

typedef struct Access {
  CakeTile tile;
  CakeLayout layout;
  bool is_exchanged; // lanes exchange what they hold for runs
  uint32_t width;    // elements an access: neighbours, at most 16 bytes
  CakeType part;
  CakeKeep keep;
} Access;

// `keep` (NULL: none) has its own operands. Where it differs from column to column, elements are moved one by one.
static bool access_init(Access *access, CakeFragments *expand, CakeOp *op, CakeType fragment, CakeTileOptions options,
                        CakeAttr keep, CakeOperandRange keep_idx) {
  CakeLayout *layout = &access->layout;
  if (!cake_layout_of(op, fragment, layout)) return false;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  const CakeFragment *f = &layout->fragment;
  bool is_whole = f->part == CAKE_FORM_WHOLE, is_row = f->part == CAKE_FORM_ROW;
  options.is_guarded = true;
  options.major_size = is_whole ? f->rows : 0;
  options.minor_size = is_row ? f->rows : f->cols;
  options.lane_major = is_whole ? cake_fragments_row(expand, role, layout) : NULL;
  if (!cake_keep_init(&access->keep, expand, op, keep, keep_idx, layout)) return false;
  access->is_exchanged = cake_is_cake_op(op, cake_op_cake_store) && cake_layout_can_exchange(layout) &&
                         !access->keep.uses_col && cake_fragments_has_runs(op, options.array->type, options.at);
  uint32_t run = access->is_exchanged ? CAKE_FRAGMENTS_RUN : cake_layout_run(layout);
  options.lane_minor = is_row                 ? cake_fragments_row(expand, role, layout)
                       : access->is_exchanged ? cake_fragments_quad_col(expand, role, layout, run)
                                              : cake_fragments_col(expand, role, layout);
  options.lane_divisor = run;
  if (!cake_tile_init(&access->tile, expand, op, &options)) return false;
  access->width = access->keep.uses_col ? 1 : run;
  while (access->width > 1 &&
         (access->width * access->tile.bytes > 16 || !cake_tile_can_take(&access->tile, access->width)))
    access->width /= 2;
  access->part = access->width == 1 ? f->element : cake_fragments_vector_type(f->element, access->width);
  return true;
}

// The address of the access `part`.
static CakeTileAddress access_at(Access *access, uint32_t part) {
  int64_t row, col;
  uint32_t element = access->is_exchanged ? cake_layout_run_start(&access->layout, part) : part * access->width;
  cake_layout_at(&access->layout, element, &row, &col);
  bool is_row = access->layout.fragment.part == CAKE_FORM_ROW;
  CakeTileAddress address = cake_tile_at(&access->tile, row, is_row ? row : col, access->width);
  address.inside = cake_fragments_and(access->tile.expand, address.inside, cake_keep_at(&access->keep, element));
  return address;
}

bool cake_fragments_load(CakeFragments *expand, CakeOp *op) {
  Access access;
  CakeValue *array = cake_cake_load_global(op), *result = cake_op_result(op, 0);
  CakeAttr pad = cake_cake_load_pad(op);
  CakeAttr keep = cake_cake_load_keep(op);
  CakeTileOptions options = {.array = array,
                             .at = cake_cake_load_at(op),
                             .at_idx = cake_cake_load_at_idx(op),
                             .is_ragged = pad != NULL && !keep,
                             .dims = cake_cake_load_dims(op)};
  if (cake_fragments_loads_runs(op)) return cake_fragments_load_runs(expand, op, options);
  if (!access_init(&access, expand, op, result->type, options, keep, cake_cake_load_keep_idx(op))) return false;
  bool readonly = (cake_global_flags(array->type) & CAKE_GLOBAL_READONLY) != 0;
  CakeValue *padding = pad ? cake_fragments_constant(expand, access.part, pad) : NULL;
  uint32_t count = access.layout.count / access.width;
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = cake_fragments_load_padded(expand, access_at(&access, i), access.part, readonly, padding);
  cake_fragments_set_value(expand, result,
                           cake_fragments_pack(expand, parts, count, cake_layout_vector(&access.layout)));
  return true;
}

// Of a row the first lane that holds it, of a column the first warp's.
static CakeValue *vec_owner(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *zero = cake_lower_index(rewriter, 0);
  if (layout->fragment.part == CAKE_FORM_ROW)
    return cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, cake_fragments_vec_lane(expand, role, layout), zero);
  if (cake_vec_is_role(layout->fragment.base)) return NULL;
  CakeValue *is_first = NULL;
  if (layout->lanes < 32)
    is_first = cake_lower_cmpi(rewriter, CAKE_CMPI_ULT, cake_fragments_lane(expand, role),
                               cake_lower_index(rewriter, layout->lanes));
  if (role->warps == 1) return is_first;
  return cake_fragments_and(expand, is_first,
                            cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, cake_fragments_warp(expand, role), zero));
}

// Of tmem.ld all threads hold a column: the first writes.
static CakeValue *lane_rows_owner(CakeFragments *expand, CakeFragmentsRole *role) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *zero = cake_lower_index(rewriter, 0);
  return cake_fragments_and(expand, cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, cake_fragments_lane(expand, role), zero),
                            cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, cake_fragments_warp(expand, role), zero));
}

CakeValue *cake_fragments_owner(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout) {
  const CakeFragment *f = &layout->fragment;
  CakeRewriter *rewriter = expand->rewriter;
  if (f->part == CAKE_FORM_WHOLE) return NULL;
  bool is_row = f->part == CAKE_FORM_ROW;
  if (cake_layout_is_vec(layout)) return vec_owner(expand, role, layout);
  if (f->kind == CAKE_FORM_TMEM_LD) return is_row ? NULL : lane_rows_owner(expand, role);
  CakeValue *lane = is_row ? cake_fragments_quad_lane(expand, role) : cake_fragments_quad(expand, role);
  CakeValue *zero = cake_lower_index(rewriter, 0);
  CakeValue *is_owner = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, lane, zero);
  if ((is_row ? f->warp_cols : f->warp_rows) == 1) return is_owner;
  CakeValue *warp = cake_fragments_warp(expand, role), *warp_cols = cake_lower_index(rewriter, f->warp_cols);
  CakeValue *number =
      is_row ? cake_lower_remui(rewriter, warp, warp_cols) : cake_lower_divui(rewriter, warp, warp_cols);
  return cake_fragments_and(expand, is_owner, cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, number, zero));
}

bool cake_fragments_store(CakeFragments *expand, CakeOp *op) {
  Access access;
  CakeValue *value = cake_cake_store_value(op);
  CakeTileOptions options = {.array = cake_cake_store_global(op),
                             .at = cake_cake_store_at(op),
                             .at_idx = cake_cake_store_at_idx(op),
                             .is_ragged = cake_cake_store_clip(op) != NULL,
                             .dims = cake_cake_store_dims(op)};
  if (!access_init(&access, expand, op, value->type, options, cake_cake_store_keep(op), cake_cake_store_keep_idx(op)))
    return false;
  uint32_t count = access.layout.count / access.width;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  CakeValue *vector = cake_fragments_get_value(expand, value);
  CakeValue **parts = access.is_exchanged ? cake_fragments_exchange(expand, role, &access.layout, vector)
                                          : cake_fragments_unpack(expand, vector, access.part, count);
  CakeValue *is_owner = cake_fragments_owner(expand, role, &access.layout);
  for (uint32_t i = 0; i < count; i++) {
    CakeTileAddress address = access_at(&access, i);
    CakeValue *operands[] = {parts[i], address.ptr};
    CakeLowerPoint point = cake_fragments_guard_begin(expand, cake_fragments_and(expand, is_owner, address.inside));
    cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.store", .operands = operands, .n_operands = 2});
    cake_lower_restore(expand->rewriter, point);
  }
  return true;
}
