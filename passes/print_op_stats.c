// print-op-stats: how many ops of each name there are, by name.
#include <stdlib.h>
#include <string.h>

#include "passes/passes.h"

typedef struct Count {
  CakeOpInfo *info;
  int64_t count;
} Count;

static int compare(const void *a, const void *b) {
  CakeStr left = cake_id_str(((const Count *)a)->info->name), right = cake_id_str(((const Count *)b)->info->name);
  size_t len = left.len < right.len ? left.len : right.len;
  int order = memcmp(left.ptr, right.ptr, len);
  return order ? order : (left.len > right.len) - (left.len < right.len);
}

static void print_table(const Count *counts, size_t n, CakeBuf *out) {
  cake_buf_text(out, "Operations encountered:\n-----------------------\n");
  for (size_t i = 0; i < n; i++)
    cake_buf_printf(out, "%24s , %lld\n", counts[i].info->name->text, (long long)counts[i].count);
}

static void print_json(const Count *counts, size_t n, CakeBuf *out) {
  CakeJson json = cake_json(out);
  cake_json_begin_object(&json);
  for (size_t i = 0; i < n; i++) {
    cake_json_key(&json, counts[i].info->name->text);
    cake_json_int(&json, counts[i].count);
  }
  cake_json_end_object(&json);
  cake_buf_char(out, '\n');
}

CakePassResult cake_pass_print_op_stats(CakePassContext *pass, CakeOp *root) {
  CAKE_VEC(Count) counts = {0};
  CakeMap index = {0};
  uintptr_t at;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (!cake_map_get(&index, op->info, &at)) {
      at = counts.len;
      CAKE_PUSH(&counts, (Count){op->info, 0});
      cake_map_set(&index, op->info, at);
    }
    counts.data[at].count++;
  }
  qsort(counts.data, counts.len, sizeof *counts.data, compare);
  (cake_pass_option_bool(pass->pass, "json") ? print_json : print_table)(counts.data, counts.len, pass->report);
  CAKE_VEC_FINI(&counts);
  cake_map_fini(&index);
  return CAKE_PASS_UNCHANGED;
}
