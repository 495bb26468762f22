// Tiles that tensor copies move: their tensor map, boxes and coordinates, and the op store_view.
//
// A swizzled view is made of panels of 128, 64 or 32 bytes. Where the array's rows are whole panels, the map has one dimension more, {panel, rows, panels a
// row, outer…}, and one box moves the tile; else each panel of the tile is a box of its own, and the array's end may be anywhere in it.
#include "analysis/affine.h"

#include "dialects/cake/ops/copies.h"
#include "passes/fragments.h"

enum { MOST_BOX = 256 };

static bool refuse(const CakeTensorTile *tile, const char *why) {
  return cake_error(tile->op, CAKE_CODE_LOWER_UNSUPPORTED, "cannot be lowered: %s", why);
}

// ---- The map -------------------------------------------------------------------------------------------------------------

static CakeAttr map_attr(const CakeTensorTile *tile, CakeAttr arg) {
  CakeContext *context = tile->expand->context;
  CakeAttr box[CAKE_MAX_MAP_RANK];
  for (size_t i = 0; i < tile->rank; i++)
    box[i] = cake_attr_i64(context, tile->box[i]);
  CakeNamedAttr entries[] = {
      {cake_id_text(context, "arg"), arg},
      {cake_id_text(context, "box"), cake_attr_array(context, box, tile->rank)},
      {cake_id_text(context, "panel"), cake_attr_i64(context, tile->is_split ? tile->panel : 0)},
      {cake_id_text(context, "swizzle"), cake_attr_i64(context, cake_shared_panel(tile->view))},
  };
  return cake_attr_dictionary(context, entries, CAKE_COUNT(entries));
}

// The function's argument for the map; a new one when no copy asked for the same before.
static bool find_map(CakeTensorTile *tile) {
  CakeFragments *expand = tile->expand;
  CakeOp *func = expand->func;
  CakeBlock *entry = cake_region_entry(cake_op_region(func, 0));
  CakeValue *ptr = cake_fragments_get_value(expand, tile->global);
  CakeAttr names = cake_op_attr_text(func, "arg_names"), maps = cake_op_attr_text(func, "tensor_maps");
  if (!ptr->is_argument || cake_arg_owner(ptr) != entry || !names || ptr->index >= cake_attr_count(names))
    return refuse(tile, "the array of a tensor copy must be an argument of the kernel");
  CakeAttr wanted = map_attr(tile, cake_attr_element(names, ptr->index));
  size_t count = maps ? cake_attr_count(maps) : 0;
  CakeAttr *all = CAKE_ARENA_ARRAY(expand->scratch, CakeAttr, count + 1);
  for (size_t i = 0; i < count; i++) {
    all[i] = cake_attr_element(maps, i);
    if (all[i] != wanted) continue;
    tile->map = entry->args[entry->n_args - count + i];
    return true;
  }
  all[count] = wanted;
  tile->map = cake_rewriter_add_arg(expand->rewriter, entry, cake_gpu_tensor_map(expand->context), tile->op->loc);
  cake_rewriter_set_attr_text(expand->rewriter, func, "tensor_maps", cake_attr_array(expand->context, all, count + 1));
  cake_lower_name(tile->map, "map");
  return true;
}

static bool choose_box(CakeTensorTile *tile, int64_t rows, int64_t cols, int64_t bytes) {
  size_t rank = cake_global_rank(tile->global->type);
  CakeAttr extent = cake_global_dim(tile->global->type, rank - 1), at = cake_at_expr(tile->at, rank - 1);
  tile->n_boxes = 1;
  tile->rank = rank;
  if (tile->panel) {
    if (cols % tile->panel != 0) return refuse(tile, "the rows of a swizzled tile are no whole panels");
    bool has_gaps = tile->sharers > 1 && cols > tile->panel; // between the panels of a share
    // A box of panels has the rows next to a panel's: those of the array's last dimension but one.
    bool is_beside = cake_shared_rank(tile->view) < 2 || cake_dims_of(tile->dims, rank, 2, 0) + 2 == rank;
    tile->is_split = !has_gaps && is_beside && cake_expr_divisor(tile->op, extent) % tile->panel == 0 &&
                     cake_fragments_divisor(at) % tile->panel == 0;
    tile->n_boxes = tile->is_split ? 1 : cols / tile->panel;
    tile->rank += tile->is_split;
  }
  if (tile->rank > CAKE_MAX_MAP_RANK) return refuse(tile, "a tensor map has at most 5 dimensions");
  for (size_t i = 0; i < tile->rank; i++)
    tile->box[i] = 1;
  tile->box[0] = tile->panel ? tile->panel : cols;
  if (cake_shared_rank(tile->view) == 2)
    tile->box[rank - 1 - cake_dims_of(tile->dims, rank, 2, 0)] = tile->sharers > 1 ? rows / tile->sharers : rows;
  if (tile->is_split) tile->box[2] = cols / tile->panel;
  if (tile->box[0] * bytes % 16 != 0) return refuse(tile, "the rows of a box are no multiple of 16 bytes");
  for (size_t i = 0; i < tile->rank; i++) {
    if (tile->box[i] > MOST_BOX)
      return refuse(tile, "a box of a tensor map has at most 256 elements along a dimension");
  }
  return true;
}

static bool find_starts(CakeTensorTile *tile) {
  CakeFragments *expand = tile->expand;
  CakeLowerEnv env = cake_fragments_env(expand, tile->at_idx);
  size_t rank = cake_at_count(tile->at);
  for (size_t i = 0; i < rank; i++) { // starts[0]: the last dimension
    tile->starts[i] = cake_lower_expr(expand->rewriter, tile->op, cake_at_expr(tile->at, rank - 1 - i), &env);
    if (!tile->starts[i]) return false;
  }
  return true;
}

bool cake_tensor_tile_init(CakeTensorTile *tile) {
  CakeType view = tile->view;
  size_t rank = cake_shared_rank(view);
  int64_t bytes = cake_fragments_bytes(cake_shared_element(view));
  if (rank > 2 || rank > cake_global_rank(tile->global->type) || cake_at_count(tile->at) > CAKE_MAX_MAP_RANK)
    return refuse(tile, "the tile has more dimensions than the array");
  if (cake_shared_pad(view) != 0) return refuse(tile, "tensor copies move rows without padding");
  int64_t rows = rank == 2 ? cake_shared_size(view, 0) : 1, cols = cake_shared_size(view, rank - 1);
  tile->panel = cake_shared_panel(view) / bytes;
  tile->panel_bytes = rows * cake_shared_panel(view);
  return choose_box(tile, rows, cols, bytes) && find_map(tile) && find_starts(tile);
}

CakeValue *cake_tensor_tile_pointer(const CakeTensorTile *tile, CakeValue *start, int64_t box) {
  return cake_fragments_ptr_add_const(tile->expand, start, box * tile->panel_bytes);
}

void cake_tensor_tile_coordinates(const CakeTensorTile *tile, int64_t box, CakeValue **out) {
  CakeRewriter *rewriter = tile->expand->rewriter;
  size_t rank = cake_global_rank(tile->global->type), n = 0;
  CakeValue *first = cake_lower_add_const(rewriter, tile->starts[0], box * tile->panel);
  out[n++] = tile->is_split ? cake_lower_index(rewriter, 0) : first;
  if (rank > 1) out[n++] = tile->starts[1];
  if (tile->is_split) out[n++] = cake_lower_divui(rewriter, first, cake_lower_index(rewriter, tile->panel));
  for (size_t i = 2; i < rank; i++)
    out[n++] = tile->starts[i];
  for (size_t i = 0; i < n; i++)
    out[i] = cake_lower_cast(rewriter, out[i], cake_type_i32(tile->expand->context));
}

// ---- store_view ----------------------------------------------------------------------------------------------------------

bool cake_fragments_store_view(CakeFragments *expand, CakeOp *op) {
  CakeValue *start = cake_fragments_get_value(expand, cake_cake_store_view_view(op));
  CakeTensorTile tile = {.expand = expand,
                         .op = op,
                         .global = cake_cake_store_view_global(op),
                         .view = cake_cake_store_view_view(op)->type,
                         .at = cake_cake_store_view_at(op),
                         .at_idx = cake_cake_store_view_at_idx(op)};
  CakeNamedAttr reduce = {cake_id_text(expand->context, "reduce"), cake_cake_store_view_reduce(op)};
  if (!cake_tensor_tile_init(&tile)) return false;
  for (int64_t box = 0; box < tile.n_boxes; box++) {
    CakeValue *operands[2 + CAKE_MAX_MAP_RANK] = {cake_tensor_tile_pointer(&tile, start, box), tile.map};
    cake_tensor_tile_coordinates(&tile, box, operands + 2);
    cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.tma_store",
                                                       .operands = operands,
                                                       .n_operands = 2 + tile.rank,
                                                       .attrs = &reduce,
                                                       .n_attrs = reduce.value ? 1 : 0});
  }
  return true;
}
