// What differs between the CTAs of a cluster: numbers that are known for each of them.
#include "lower.h"

CakeValue *cake_lower_rank(CakeRewriter *rewriter) {
  CakeContext *context = rewriter->context;
  CakeType index = cake_type_index(context);
  CakeNamedAttr x = {cake_id_text(context, "dimension"), cake_attr_string(context, CAKE_STR("x"))};
  CakeOp *op = cake_rewriter_build(
      rewriter,
      &(CakeBuild){.name = "gpu.cluster_block_id", .result_types = &index, .n_results = 1, .attrs = &x, .n_attrs = 1});
  return cake_lower_name(cake_op_result(op, 0), "rank");
}

static bool are_equal(const int64_t *table, int64_t count) {
  for (int64_t i = 1; i < count; i++)
    if (table[i] != table[0]) return false;
  return true;
}

static bool are_ranks(const int64_t *table, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (table[i] != i) return false;
  return true;
}

CakeValue *cake_lower_by_rank(CakeRewriter *rewriter, const int64_t *table, int64_t count) {
  CakeType i32 = cake_type_i32(rewriter->context);
  if (are_equal(table, count)) return cake_lower_i32(rewriter, table[0]);
  CakeValue *rank = cake_lower_cast(rewriter, cake_lower_rank(rewriter), i32);
  if (are_ranks(table, count)) return rank;
  CakeValue *value = cake_lower_i32(rewriter, table[count - 1]);
  for (int64_t i = count - 1; i-- > 0;) {
    if (are_equal(table + i, count - i)) continue; // as those behind it
    CakeValue *is_it = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, rank, cake_lower_i32(rewriter, i));
    value = cake_lower_select(rewriter, is_it, cake_lower_i32(rewriter, table[i]), value);
  }
  return value;
}
