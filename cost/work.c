// How much work an op is: instructions of the lanes, bytes, and what the tensor core does.
//
// Fragments lie in lanes as the lowering lays them out (passes/fragments.h). Instructions are counted as ptxas makes them on sm_90a: packed
// where it packs, without addresses, which it computes once.
#include "cost/model.h"

#include "dialects/cake/cake_accessors.h"
#include "passes/fragments.h"
#include "simulator/build.h"

enum {
  LANES = 32,
  WAVEFRONT = 128,   // bytes that the shared memory port moves at once
  WIDEST = 16,       // bytes that a lane loads or stores at once
  MATRIX_ROWS = 8,   // rows that one access of an accumulator's form touches
  MATRIX_BYTES = 16, // of a row that a lane names in ldmatrix and stmatrix
  ISSUE_OF_COPY = 8, // instructions around a copy of one thread
};

// ---- Lanes -------------------------------------------------------------------------------------------------------------------

static void add_lanes(CakeCostWork *work, CakeCostPrice price, double count) {
  work->lanes[CAKE_COST_FMA] += price.fma * count;
  work->lanes[CAKE_COST_ALU] += price.alu * count;
  work->lanes[CAKE_COST_MUFU] += price.mufu * count;
  work->lanes[CAKE_COST_ISSUE] += (price.fma + price.alu + price.mufu) * count;
}

static void add_issue(CakeCostWork *work, double count) {
  work->lanes[CAKE_COST_ISSUE] += count;
}

static double bytes_of(CakeType element) {
  return cake_type_width(element) < 8 ? 1 : (double)cake_type_width(element) / 8;
}

// Elementwise on 16-bit floats two at a time.
bool cake_cost_work_elements(CakeCostAsk *ask) {
  CakeOp *op = ask->op;
  CakeCostDistinct distinct;
  if (!cake_cost_distinct(ask->builder, op, &distinct)) return false;
  bool is_same = op->n_operands && cake_op_operand(op, 0)->type == cake_op_result(op, 0)->type;
  bool is_packed = is_same && bytes_of(cake_type_element(cake_op_result(op, 0)->type)) == 2;
  double count = (double)distinct.rows * distinct.cols;
  add_lanes(ask->work, ask->price, is_packed ? count / 2 : count);
  ask->work->latency = cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_LANES);
  return true;
}

// ---- Global memory -------------------------------------------------------------------------------------------------------------

static size_t argument_of(const CakeValue *global) {
  return global->index;
}

// Accesses of one warp to a fragment, so wide as its elements lie side by side, and the wavefronts of each.
static void add_accesses(CakeCostAsk *ask, const CakeLayout *layout, double rows_of_access) {
  double bytes = bytes_of(layout->fragment.element), width = bytes * cake_layout_run(layout);
  width = width > WIDEST ? WIDEST : width;
  double accesses = layout->count * bytes / width, wavefronts = LANES * width / WAVEFRONT;
  if (wavefronts < rows_of_access) wavefronts = rows_of_access;
  add_issue(ask->work, accesses);
  ask->work->shared += accesses * wavefronts * WAVEFRONT * (double)ask->warps;
}

static bool global_access(CakeCostAsk *ask, const CakeValue *value, const CakeValue *global, CakeCostEffect effect) {
  CakeLayout layout;
  if (!cake_layout_of(ask->op, value->type, &layout)) return false;
  bool has_rows = layout.fragment.part == CAKE_FORM_WHOLE && layout.fragment.kind != CAKE_FORM_VEC;
  add_accesses(ask, &layout, has_rows ? MATRIX_ROWS : 1);
  ask->work->effect = effect;
  ask->work->array = argument_of(global);
  ask->work->bytes = (double)(layout.fragment.rows * layout.fragment.cols) * bytes_of(layout.fragment.element);
  return true;
}

bool cake_cost_work_load(CakeCostAsk *ask) {
  return global_access(ask, cake_op_result(ask->op, 0), cake_cake_load_global(ask->op), CAKE_COST_LOADS);
}

bool cake_cost_work_store(CakeCostAsk *ask) {
  return global_access(ask, cake_cake_store_value(ask->op), cake_cake_store_global(ask->op), CAKE_COST_STORES);
}

// ---- Copies --------------------------------------------------------------------------------------------------------------------

// One thread asks for a copy by TMA or bulk; cp.async is an instruction a lane for up to 16 bytes.
bool cake_cost_work_copy(CakeCostAsk *ask) {
  CakeOp *op = ask->op;
  CakeType view = cake_cake_copy_view(op)->type, global = cake_cake_copy_global(op)->type;
  CakeCostWork *work = ask->work;
  CakeMulticast multicast;
  if (cake_copy_multicast(op, &multicast) && multicast.cluster > 1) work->multicast = multicast;
  work->effect = CAKE_COST_COPIES;
  work->array = argument_of(cake_cake_copy_global(op));
  work->view = cake_op_operand_group(op, CAKE_GROUP(cake, copy, view)).start;
  work->bytes = (double)cake_shared_bytes(view);
  work->latency = cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_TMA);
  add_issue(work, ISSUE_OF_COPY);
  if (cake_via_of(cake_cake_copy_via(op)) != CAKE_VIA_CP_ASYNC) return true;
  double width = cake_global_align(global) >= WIDEST ? WIDEST : bytes_of(cake_global_element(global));
  add_issue(work, work->bytes / (width * LANES * (double)ask->warps));
  work->shared = work->bytes;
  return true;
}

// To the store engine.
bool cake_cost_work_commit(CakeCostAsk *ask) {
  const CakeOp *pipeline = cake_op_pipeline(ask->op);
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  for (size_t i = 0; i < cake_parts_count(parts); i++)
    ask->work->bytes += (double)cake_shared_bytes(cake_parts_type(parts, i));
  ask->work->effect = CAKE_COST_SENDS;
  ask->work->array = argument_of(cake_cake_commit_global(ask->op));
  add_issue(ask->work, ISSUE_OF_COPY);
  return true;
}

// ---- Shared memory -------------------------------------------------------------------------------------------------------------

// By ldmatrix and stmatrix where there are such, or by loads and stores.
static bool shared_access(CakeCostAsk *ask, CakeType fragment, CakeType view) {
  CakeLayout layout;
  if (cake_type_is(view, &cake_type_def_tmem)) return cake_cost_decline(ask->op, "is not modelled: tensor memory");
  if (!cake_layout_of(ask->op, fragment, &layout)) return false;
  double bytes = bytes_of(layout.fragment.element);
  bool is_matrix = layout.fragment.part == CAKE_FORM_WHOLE && layout.fragment.kind != CAKE_FORM_VEC &&
                   cake_shared_storage(view) != CAKE_STORAGE_ROWS && bytes == 2;
  if (!is_matrix) {
    add_accesses(ask, &layout, 1);
    return true;
  }
  add_issue(ask->work, layout.count * bytes / MATRIX_BYTES);
  ask->work->shared += layout.count * bytes * LANES * (double)ask->warps;
  return true;
}

bool cake_cost_work_get(CakeCostAsk *ask) {
  ask->work->latency = cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_SHARED);
  return shared_access(ask, cake_op_result(ask->op, 0)->type, cake_cake_get_view(ask->op)->type);
}

// A fragment may be larger than the view: then a part of it is written.
bool cake_cost_work_put(CakeCostAsk *ask) {
  CakeType fragment = cake_cake_put_value(ask->op)->type, view = cake_cake_put_view(ask->op)->type;
  if (!shared_access(ask, fragment, view)) return false;
  double whole = bytes_of(cake_type_element(fragment)) * (double)cake_type_count(fragment);
  double part = whole > 0 ? (double)cake_shared_bytes(view) / whole : 1;
  if (part >= 1 || !cake_cake_put_value_off(ask->op)) return true;
  ask->work->lanes[CAKE_COST_ISSUE] *= part;
  ask->work->shared *= part;
  return true;
}

// ---- Reductions ----------------------------------------------------------------------------------------------------------------

static double log2_of(int64_t lanes) {
  double steps = 0;
  while (lanes > 1)
    lanes /= 2, steps++;
  return steps;
}

// Lanes exchange what they hold, by halves: a shuffle and an instruction a value and step. Then warps do, through shared memory.
static void add_exchange(CakeCostAsk *ask, CakeCostPrice price, double values, double steps, bool is_through) {
  double step =
      cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_SHARED) + cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_LANES);
  add_lanes(ask->work, price, values * steps);
  add_issue(ask->work, values * steps);
  ask->work->shared += values * steps * WAVEFRONT * (double)ask->warps;
  ask->work->latency += steps * step;
  if (!is_through) return;
  add_issue(ask->work, 2 * values);
  ask->work->latency += 2 * cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_BARRIER) +
                        cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_SHARED);
}

// Adding is the work of the f32 units, comparing that of the others.
static CakeCostPrice price_of_kind(CakeReduceKind kind, CakeType element) {
  bool is_fma = (kind == CAKE_REDUCE_ADD || kind == CAKE_REDUCE_MUL) && cake_type_is_any_float(element);
  return is_fma ? (CakeCostPrice){.fma = 1} : (CakeCostPrice){.alu = 1};
}

// Lanes that share a row (columns: `axis` 0).
static double steps_of(const CakeLayout *layout, bool is_rows) {
  if (layout->fragment.kind == CAKE_FORM_VEC) return log2_of(is_rows ? layout->lanes : LANES / layout->lanes);
  return log2_of(is_rows ? 4 : 8);
}

bool cake_cost_work_reduce(CakeCostAsk *ask) {
  CakeOp *op = ask->op;
  CakeLayout layout;
  CakeFragment result;
  CakeReduceKind kind;
  const CakeValue *value = cake_cake_reduce_value(op);
  if (!cake_layout_of(op, value->type, &layout)) return false;
  if (!cake_reduce_find(cake_attr_string_value(cake_cake_reduce_kind(op)), &kind)) return false;
  CakeCostPrice price = price_of_kind(kind, layout.fragment.element);
  bool is_fragment = cake_fragment_of(cake_op_result(op, 0)->type, &result);
  bool is_rows = !is_fragment || result.part != CAKE_FORM_COL, is_through = cake_cake_reduce_through(op) != NULL;
  add_lanes(ask->work, price, layout.count);
  ask->work->latency = cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_LANES);
  if (is_fragment && result.part == CAKE_FORM_PARTIAL) return true;
  double values = is_rows ? cake_layout_row_slots(&layout) : cake_layout_col_slots(&layout);
  double steps = is_fragment ? steps_of(&layout, is_rows) : log2_of(LANES);
  add_exchange(ask, price, is_fragment ? values : 1, steps, is_through);
  return true;
}

bool cake_cost_work_merge(CakeCostAsk *ask) {
  CakeLayout layout;
  const CakeValue *value = cake_cake_merge_value(ask->op);
  if (!cake_layout_of(ask->op, value->type, &layout)) return false;
  CakeCostPrice price = price_of_kind(layout.fragment.reduce, layout.fragment.element);
  add_exchange(ask, price, layout.count, steps_of(&layout, true), cake_cake_merge_through(ask->op) != NULL);
  return true;
}

// ---- Running bests (passes/cake_expand_fragments_best.c) -------------------------------------------------------------------------

// A group: its best, one comparison, one selection, and what is taken over on the f32 units; two more where NaN is told from numbers.
bool cake_cost_work_best(CakeCostAsk *ask) {
  CakeLayout layout;
  if (!cake_layout_of(ask->op, cake_cake_best_value(ask->op)->type, &layout)) return false;
  CakeBest best = cake_best_of(cake_op_result(ask->op, 0)->type);
  double group = best.group > 1 ? (double)best.group : 1;
  CakeCostPrice price = {.alu = group > 1 ? group + 1 : 3, .fma = group > 1 ? group : 0};
  if (best.nan != CAKE_NAN_NEVER && group > 1) price.alu += 2;
  add_lanes(ask->work, price, layout.count / group);
  ask->work->latency = cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_LANES);
  return true;
}

// Which of a group's columns it was; then the lanes of a row compare value and index.
bool cake_cost_work_settle(CakeCostAsk *ask) {
  CakeLayout layout;
  CakeBest best = cake_best_of(cake_cake_settle_best(ask->op)->type);
  if (!cake_layout_of(ask->op, cake_op_result(ask->op, 0)->type, &layout)) return false;
  add_lanes(ask->work, (CakeCostPrice){.alu = 2}, layout.count * (double)best.group);
  add_exchange(ask, (CakeCostPrice){.alu = 4}, 2.0 * layout.count, 2, false);
  return true;
}

// ---- Products --------------------------------------------------------------------------------------------------------------------

typedef struct Rates {
  CakeFigure by_bytes[5];
} Rates;

static const Rates wgmma_rates = {
    {[1] = CAKE_FIGURE_WGMMA_8, [2] = CAKE_FIGURE_WGMMA_16, [4] = CAKE_FIGURE_WGMMA_TF32}
};
static const Rates mma_rates = {
    {[1] = CAKE_FIGURE_MMA_8, [2] = CAKE_FIGURE_MMA_16, [4] = CAKE_FIGURE_MMA_TF32}
};

static CakeType element_of(const CakeValue *operand) {
  bool is_view = cake_type_is(operand->type, &cake_type_def_shared);
  return is_view ? cake_shared_element(operand->type) : cake_type_element(operand->type);
}

static bool product_size(CakeOp *op, double *m, double *n) {
  CakeType type = cake_op_result(op, 0)->type;
  CakeFragment fragment;
  if (cake_fragment_of(type, &fragment)) {
    *m = (double)fragment.rows, *n = (double)fragment.cols;
    return true;
  }
  int64_t rows = 0, cols = 0;
  bool is_known = cake_expr_is_const(type->params[2].attr, &rows) && cake_expr_is_const(type->params[3].attr, &cols);
  *m = (double)rows, *n = (double)cols;
  return is_known;
}

// wgmma reads its operands from shared memory for itself: B for every 64 rows.
bool cake_cost_work_mma(CakeCostAsk *ask) {
  CakeOp *op = ask->op;
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(op));
  double m, n, k = (double)cake_sim_mma_depth(op), bytes = bytes_of(element_of(cake_cake_mma_a(op)));
  if (form.family == CAKE_MMA_TCGEN05) return cake_cost_decline(op, "is not modelled: tcgen05");
  if (!product_size(op, &m, &n) || k < 1 || bytes > 4) return cake_cost_decline(op, "has no size that is known");
  bool is_wgmma = form.family == CAKE_MMA_WGMMA;
  const Rates *rates = is_wgmma ? &wgmma_rates : &mma_rates;
  ask->work->tensor = m * n * k / cake_cost_figure(ask->sm, rates->by_bytes[(size_t)bytes]);
  ask->work->latency = cake_cost_latency(ask->sm, CAKE_FIGURE_LATENCY_WGMMA);
  ask->work->effect = is_wgmma ? CAKE_COST_MULTIPLIES : CAKE_COST_MULTIPLIES_AT_ONCE;
  double instructions = m * n * k / ((double)form.m * (double)form.n * (double)form.k);
  add_issue(ask->work, is_wgmma ? instructions : instructions / (double)ask->warps);
  if (!is_wgmma) return true;
  bool is_view = cake_type_is(cake_cake_mma_a(op)->type, &cake_type_def_shared);
  double read = (n * k * m / 64 + (is_view ? m * k : 0)) * bytes;
  double by_port = read / cake_cost_figure(ask->sm, CAKE_FIGURE_SHARED_PORT);
  if (by_port > ask->work->tensor) ask->work->tensor = by_port;
  return true;
}
