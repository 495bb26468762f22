// Rule copy-alignment: what tensor copies, bulk copies and cp.async ask of addresses, strides and boxes.
//
// CUDA Driver API, cuTensorMapEncodeTiled: address and strides are multiples of 16 bytes, a box has at most 256
// elements along a dimension and its rows a multiple of 16 bytes. PTX ISA: cp.async.bulk moves multiples of 16 bytes at
// addresses of such; cp.async 4, 8 or 16 at once.
#include "verifier/rules.h"

#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/slots.h"
#include "verifier/tiles.h"

static int64_t element_bytes(const CakeTile *tile) {
  return cake_type_width(cake_global_element(tile->global)) / 8;
}

static int64_t address_alignment(const CakeTile *tile) {
  int64_t align = cake_global_align(tile->global);
  return align ? align : element_bytes(tile);
}

static const char *way_name(const CakeTile *tile) {
  if (!cake_is_cake_op(tile->op, cake_op_cake_copy)) return "the store engine";
  CakeVia via = cake_via_of(cake_cake_copy_via(tile->op));
  return via == CAKE_VIA_TMA ? "tma" : via == CAKE_VIA_BULK ? "bulk" : "cp_async";
}

static bool report_address(const CakeTile *tile, int64_t need) {
  CakeDiagnostic *d = cake_error_begin(
      tile->op, CAKE_CODE_ALIGNMENT,
      "via %s needs addresses that are multiples of %lld bytes, but %s ('%s') promises %lld", way_name(tile),
      (long long)need, cake_value_text(tile->array), cake_type_text(tile->global), (long long)address_alignment(tile));
  cake_diag_note(tile->op->context, d, cake_value_loc(tile->array), "the array is declared here");
  cake_diag_fix(tile->op->context, d, "declare the array with `align %lld`", (long long)(need < 16 ? need : 16));
  return cake_diag_emit(tile->op->context, d);
}

// The innermost size, whose multiple makes the stride fit: "N mod 8 eq 0".
static bool report_stride(const CakeTile *tile, size_t dim, int64_t need, CakeCode code) {
  size_t last = cake_global_rank(tile->global) - 1;
  CakeAttr inner = cake_global_dim(tile->global, last);
  CakeDiagnostic *d = cake_error_begin(
      tile->op, code,
      "via %s needs strides that are multiples of %lld bytes, but that of dimension %zu of %s ('%s') need not be one",
      way_name(tile), (long long)need, dim, cake_value_text(tile->array), cake_type_text(tile->global));
  cake_diag_note(tile->op->context, d, cake_value_loc(tile->array), "the array is declared here");
  if (cake_expr_kind(inner) == CAKE_EXPR_NAME)
    cake_diag_fix(tile->op->context, d, "add `%s mod %lld eq 0` to the kernel's guard%s",
                  cake_expr_name_of(inner)->text, (long long)(need / element_bytes(tile)),
                  need == 16 && cake_is_cake_op(tile->op, cake_op_cake_copy) ? ", or copy with cp_async" : "");
  else
    cake_diag_fix(tile->op->context, d, "make dimension %zu longer, to a multiple of %lld elements", last,
                  (long long)(need / element_bytes(tile)));
  return cake_diag_emit(tile->op->context, d);
}

// The tile starts at a multiple of `need` bytes in its row.
static bool check_start(const CakeTile *tile, int64_t need) {
  size_t last = cake_global_rank(tile->global) - 1;
  int64_t start = cake_expr_divisor(tile->op, cake_at_expr(tile->at, last));
  if (start > INT32_MAX || start * element_bytes(tile) % need == 0) return true;
  return cake_error(
      tile->op, CAKE_CODE_ALIGNMENT,
      "via %s needs tiles that start at multiples of %lld bytes in a row, but this starts at element %s of %s",
      way_name(tile), (long long)need, cake_body_text(cake_at_expr(tile->at, last)), cake_value_text(tile->array));
}

static bool check_strides(const CakeTile *tile, int64_t need, CakeCode code) {
  for (size_t dim = 0; dim + 1 < cake_global_rank(tile->global); dim++)
    if (cake_stride_divisor(tile->op, tile->global, dim) % need != 0) return report_stride(tile, dim, need, code);
  return true;
}

static bool check_row_bytes(const CakeTile *tile, int64_t need) {
  int64_t cols;
  CakeAttr extent = cake_tile_extent(tile, cake_global_rank(tile->global) - 1);
  if (!extent || !cake_expr_is_const(extent, &cols) || cols * element_bytes(tile) % need == 0) return true;
  return cake_error(tile->op, CAKE_CODE_ALIGNMENT,
                    "via %s needs rows that are multiples of %lld bytes, but a row of the tile has %lld",
                    way_name(tile), (long long)need, (long long)(cols * element_bytes(tile)));
}

// A swizzled tile is cut into panels as wide as the swizzle, so only its rows are a dimension of the box.
static bool check_box(const CakeTile *tile) {
  bool is_swizzled = cake_shared_storage(tile->tile) != CAKE_STORAGE_ROWS;
  size_t rank = cake_shared_rank(tile->tile);
  for (size_t i = 0; i < rank; i++) {
    int64_t size = cake_shared_size(tile->tile, i);
    if (size <= 256 || (is_swizzled && i + 1 == rank)) continue;
    return cake_error(tile->op, CAKE_CODE_TMA_STRIDE,
                      "via tma copies a box of %lld elements in dimension %zu; a box has at most 256", (long long)size,
                      i);
  }
  return true;
}

// The tile must be one run of bytes: all of its dimensions but the first are whole dimensions of the array.
static bool check_run(const CakeTile *tile) {
  size_t rank = cake_global_rank(tile->global);
  for (size_t dim = cake_tile_dim(tile, 0) + 1; dim < rank; dim++)
    if (cake_tile_extent(tile, dim) != cake_global_dim(tile->global, dim))
      return cake_error(tile->op, CAKE_CODE_ALIGNMENT,
                        "via bulk copies one run of bytes, but the tile is not as wide as %s in dimension %zu",
                        cake_value_text(tile->array), dim);
  return true;
}

static bool check_copy(const CakeTile *tile) {
  CakeVia via = cake_via_of(cake_cake_copy_via(tile->op));
  int64_t need = via == CAKE_VIA_CP_ASYNC ? 4 : 16;
  if (address_alignment(tile) < need) return report_address(tile, need);
  if (via == CAKE_VIA_TMA)
    return check_strides(tile, 16, CAKE_CODE_TMA_STRIDE) && check_row_bytes(tile, 16) && check_box(tile);
  if (via == CAKE_VIA_BULK && !check_run(tile)) return false;
  return check_strides(tile, need, CAKE_CODE_ALIGNMENT) && check_start(tile, need) && check_row_bytes(tile, need);
}

static bool check_store(const CakeTile *tile) {
  if (address_alignment(tile) < 16) return report_address(tile, 16);
  return check_strides(tile, 16, CAKE_CODE_TMA_STRIDE) && check_row_bytes(tile, 16) && check_box(tile);
}

bool cake_copy_is_aligned(CakeOp *copy) {
  CakeTile tile;
  return !cake_tile_of(copy, &tile) || check_copy(&tile);
}

bool cake_rule_copy_alignment(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_commit); op;
       op = cake_next_cake_op(module, op, cake_op_cake_commit)) {
    CakeTile tile;
    if (!cake_tile_of(op, &tile) || !cake_op_role(op)) continue;
    cake_context_site(op->context);
    ok &= check_store(&tile);
  }
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_copy); op;
       op = cake_next_cake_op(module, op, cake_op_cake_copy)) {
    CakeTile tile;
    if (!cake_tile_of(op, &tile) || !cake_op_role(op)) continue;
    cake_context_site(op->context);
    ok &= check_copy(&tile);
  }
  return ok;
}
