// Rule index-width: indices fit 32 bits.
//
// `index` is 32 bits wide on the device. Sizes that are bound at launch are checked there; numbers that stand in the kernel are
// checked here: the dimensions of arrays, the items and steps of an iterator, and their product.
#include "verifier/rules.h"

#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/tiles.h"

static bool report(CakeOp *op, const char *what, int64_t number) {
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_OFFSET_OVERFLOW, "has %s of %lld, and an index has 32 bits: at most %d", what,
                       (long long)number, INT32_MAX);
  cake_diag_fix(op->context, d, "split it into two dimensions, whose offsets are added in 64 bits");
  return cake_diag_emit(op->context, d);
}

static bool check_arrays(CakeOp *kernel) {
  CakeBlock *block = cake_region_entry(cake_op_region(kernel, 0));
  int64_t size;
  for (uint32_t i = 0; block && i < block->n_args; i++) {
    CakeType type = block->args[i]->type;
    for (size_t dim = 0; cake_type_is(type, &cake_type_def_global) && dim < cake_global_rank(type); dim++) {
      cake_context_site(kernel->context);
      if (cake_expr_is_const(cake_global_dim(type, dim), &size) && size > INT32_MAX)
        return report(kernel, "an array dimension", size);
    }
  }
  return true;
}

static bool check_axes(CakeOp *tiles, CakeAttr axes, const char *what) {
  int64_t product = 1, count;
  for (size_t i = 0; i < cake_axes_count(axes); i++) {
    cake_context_site(tiles->context);
    if (!cake_expr_is_const(cake_axes_extent(axes, i), &count) || count < 1) continue;
    if (count > INT32_MAX || product * count > INT32_MAX)
      return report(tiles, what, count > INT32_MAX ? count : product * count);
    product *= count;
  }
  return true;
}

bool cake_rule_index_width(CakeOp *module) {
  bool ok = true;
  for (CakeOp *kernel = NULL; (kernel = cake_next_cake_op(module, kernel, cake_op_cake_kernel));)
    ok &= check_arrays(kernel);
  for (CakeOp *tiles = NULL; (tiles = cake_next_cake_op(module, tiles, cake_op_cake_tiles));)
    ok &= check_axes(tiles, cake_cake_tiles_axes(tiles), "a number of items") &&
          check_axes(tiles, cake_cake_tiles_steps(tiles), "a number of steps");
  return ok;
}
