// What is stored, computed some columns at a time: fewer registers are live than for the whole tile.
#include "passes/schedule_store.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/fragments.h"

#include "passes/schedule_tile.h"

// ---- Which ops -----------------------------------------------------------------------------------------------------

// Whether an op makes columns from the same columns of its operands, and may be done once more.
static bool works_by_columns(const CakeOp *op) {
  bool is_cake = cake_is_cake_op(op, cake_op_cake_fill) || cake_is_cake_op(op, cake_op_cake_spread) ||
                 cake_is_cake_op(op, cake_op_cake_mask) ||
                 (cake_is_cake_op(op, cake_op_cake_load) && !cake_cake_load_keep(op) &&
                  !cake_schedule_is_written(cake_cake_load_global(op)));
  return (is_cake || cake_op_has_trait(op, CAKE_TRAIT_ELEMENTWISE)) && op->n_results == 1 &&
         cake_tile_size(op->results[0].type, 1) >= 0;
}

// Backwards from the store: ops of its block whose results the value needs.
static void find_ops(CakeStoreParts *p) {
  CakeMap needed = {0};
  cake_map_set(&needed, cake_cake_store_value(p->store), 1);
  for (CakeOp *op = p->store->prev; op; op = op->prev) {
    if (!works_by_columns(op) || !cake_map_get(&needed, &op->results[0], NULL)) continue;
    CAKE_PUSH(&p->ops, op);
    for (uint32_t i = 0; i < op->n_operands; i++)
      cake_map_set(&needed, cake_op_operand(op, i), 1);
  }
  cake_map_fini(&needed);
}

// ---- One part ------------------------------------------------------------------------------------------------------

static CakeAttr first_column(const CakeStoreParts *p, uint32_t operand) {
  CakeContext *context = p->store->context;
  return cake_expr_binary(context, CAKE_EXPR_MUL, cake_expr_operand(context, operand),
                          cake_expr_const(context, p->columns));
}

static CakeValue *slice(CakeStoreParts *p, CakeValue *value) {
  CakeContext *context = p->store->context;
  CakeType type = cake_tile_resize(value->type, 1, p->columns);
  CakeAttr off[] = {cake_expr_const(context, 0), first_column(p, 0)};
  CakeNamedAttr attr = cake_schedule_attr(p->schedule, "off", cake_at_get(context, off, 2));
  CakeValue *operands[] = {value, p->index};
  CakeBuild build = {.name = "cake.slice",
                     .operands = operands,
                     .n_operands = 2,
                     .result_types = &type,
                     .n_results = 1,
                     .attrs = &attr,
                     .n_attrs = 1};
  return &cake_rewriter_build(&p->schedule->rewriter, &build)->results[0];
}

// Rows and scalars are the same for all columns.
static CakeValue *part_of(CakeStoreParts *p, CakeValue *value) {
  CakeFragment fragment;
  uintptr_t known;
  if (cake_map_get(&p->parts, value, &known)) return (CakeValue *)known;
  if (!cake_fragment_of(value->type, &fragment) || fragment.part != CAKE_FORM_WHOLE) return value;
  CakeValue *part = slice(p, value);
  cake_map_set(&p->parts, value, (uintptr_t)part);
  return part;
}

static void append_index(CakeStoreParts *p, CakeOp *op) {
  CakeValue **operands = CAKE_ARENA_ARRAY(p->schedule->pass->scratch, CakeValue *, op->n_operands + 1);
  uint32_t count = op->n_operands;
  for (uint32_t i = 0; i < count; i++)
    operands[i] = cake_op_operand(op, i);
  operands[count] = p->index;
  const int32_t of_load[] = {1, (int32_t)count, 0}; // array, `at`, and no `keep`
  bool is_load = cake_is_cake_op(op, cake_op_cake_load);
  cake_rewriter_set_operands(&p->schedule->rewriter, op, operands, count + 1, is_load ? of_load : NULL,
                             is_load ? 3 : 0);
}

static void move_load(CakeStoreParts *p, CakeOp *load) {
  CakeAttr at = cake_cake_load_at(load), by = first_column(p, cake_cake_load_at_idx(load).count);
  append_index(p, load);
  cake_rewriter_set_attr_text(&p->schedule->rewriter, load, "at",
                              cake_schedule_move_at(p->schedule, at, cake_at_count(at) - 1, by));
}

static void move_mask(CakeStoreParts *p, CakeOp *mask) {
  CakeAttr keep = cake_cake_mask_keep(mask), by = first_column(p, cake_cake_mask_keep_idx(mask).count);
  append_index(p, mask);
  cake_rewriter_set_attr_text(&p->schedule->rewriter, mask, "keep",
                              cake_schedule_move_coordinate(keep, CAKE_EXPR_COL, by));
}

static void build_op(CakeStoreParts *p, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    (void)part_of(p, cake_op_operand(op, i)); // slices go before the op
  CakeOp *copy = cake_rewriter_clone(&p->schedule->rewriter, op, &p->parts);
  cake_rewriter_set_type(&p->schedule->rewriter, &copy->results[0],
                         cake_tile_resize(copy->results[0].type, 1, p->columns));
  if (cake_is_cake_op(copy, cake_op_cake_load)) move_load(p, copy);
  if (cake_is_cake_op(copy, cake_op_cake_mask)) move_mask(p, copy);
}

CakeValue *cake_store_parts_build(CakeStoreParts *p) {
  find_ops(p);
  for (size_t i = p->ops.len; i-- > 0;)
    build_op(p, p->ops.data[i]);
  return part_of(p, cake_cake_store_value(p->store));
}

void cake_store_parts_fini(CakeStoreParts *p) {
  for (size_t i = 0; i < p->ops.len; i++)
    if (!p->ops.data[i]->results[0].first_use) cake_rewriter_erase(&p->schedule->rewriter, p->ops.data[i]);
  CAKE_VEC_FINI(&p->ops);
  cake_map_fini(&p->parts);
}
