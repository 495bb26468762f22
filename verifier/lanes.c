// Values of gpu functions that are known for each thread, and those that differ among the lanes of a warp.
#include "verifier/lanes.h"

#include "cake/text.h"
#include "dialects/arith/arith_ops.h"
#include "dialects/gpu/gpu_accessors.h"

enum { MAX_DEPTH = 12, MAX_VISITS = 2000 };

// ---- Known for each thread -------------------------------------------------------------------------------------------

// By op of arith, its operation + 1.
static const uint8_t alus[cake_op_arith_COUNT] = {
    [cake_op_arith_addi] = CAKE_ALU_ADD + 1,        [cake_op_arith_subi] = CAKE_ALU_SUB + 1,
    [cake_op_arith_muli] = CAKE_ALU_MUL + 1,        [cake_op_arith_divui] = CAKE_ALU_DIV + 1,
    [cake_op_arith_remui] = CAKE_ALU_REM + 1,       [cake_op_arith_andi] = CAKE_ALU_AND + 1,
    [cake_op_arith_ori] = CAKE_ALU_OR + 1,          [cake_op_arith_xori] = CAKE_ALU_XOR + 1,
    [cake_op_arith_shli] = CAKE_ALU_SHL + 1,        [cake_op_arith_shrui] = CAKE_ALU_SHR + 1,
    [cake_op_arith_minui] = CAKE_ALU_MIN + 1,       [cake_op_arith_maxui] = CAKE_ALU_MAX + 1,
    [cake_op_arith_divsi] = CAKE_ALU_SDIV + 1,      [cake_op_arith_remsi] = CAKE_ALU_SREM + 1,
    [cake_op_arith_shrsi] = CAKE_ALU_SAR + 1,       [cake_op_arith_minsi] = CAKE_ALU_SMIN + 1,
    [cake_op_arith_maxsi] = CAKE_ALU_SMAX + 1,      [cake_op_arith_ceildivui] = CAKE_ALU_CEIL + 1,
    [cake_op_arith_ceildivsi] = CAKE_ALU_SCEIL + 1, [cake_op_arith_floordivsi] = CAKE_ALU_SFLOOR + 1,
};

// Its number among the ops of arith; -1: it is none.
static int arith_number(const CakeOp *op) {
  return op->info->def && op->info->dialect == &cake_dialect_arith ? (int)op->info->def->ordinal : -1;
}

// Comparisons of numbers that are not negative: signed and unsigned agree.
static bool compare_alu(const CakeOp *op, CakeAlu *out) {
  switch ((CakeIntPredicate)cake_attr_int_value(cake_op_prop(op, CAKE_ATTR_ROW(arith, cmpi, predicate)))) {
  case CAKE_CMPI_EQ: *out = CAKE_ALU_EQ; return true;
  case CAKE_CMPI_NE: *out = CAKE_ALU_NE; return true;
  case CAKE_CMPI_SLT:
  case CAKE_CMPI_ULT: *out = CAKE_ALU_LT; return true;
  case CAKE_CMPI_SLE:
  case CAKE_CMPI_ULE: *out = CAKE_ALU_LE; return true;
  case CAKE_CMPI_SGT:
  case CAKE_CMPI_UGT: *out = CAKE_ALU_GT; return true;
  case CAKE_CMPI_SGE:
  case CAKE_CMPI_UGE: *out = CAKE_ALU_GE; return true;
  default: return false;
  }
}

bool cake_lane_alu(const CakeOp *op, CakeAlu *out) {
  int number = arith_number(op);
  if (op->n_operands != 2 || op->n_results != 1) return false;
  if (number == cake_op_arith_cmpi) return compare_alu(op, out);
  if (number < 0 ? !cake_is_gpu_op(op, cake_op_gpu_ptr_add) : !alus[number]) return false;
  *out = number < 0 ? CAKE_ALU_ADD : (CakeAlu)(alus[number] - 1);
  return true;
}

bool cake_lane_is_cast(const CakeOp *op) {
  switch (arith_number(op)) {
  case cake_op_arith_index_cast:
  case cake_op_arith_index_castui:
  case cake_op_arith_extui:
  case cake_op_arith_trunci: return true;
  case cake_op_arith_extsi: return cake_type_width(cake_op_operand(op, 0)->type) > 1;
  default: return cake_is_gpu_op(op, cake_op_gpu_shared_address);
  }
}

// Who executes; rank -1: in any CTA of the cluster.
typedef struct Who {
  int32_t rank, warp;
  uint32_t lane;
} Who;

static bool own_number(const CakeOp *op, const Who *who, int32_t *out) {
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) {
    CakeAttr attr = op->info->n_props ? cake_op_prop(op, 0) : NULL;
    if (!cake_attr_is(attr, &cake_attr_def_integer)) return false;
    *out = (int32_t)cake_attr_int_value(attr);
    return cake_attr_int_value(attr) >= INT32_MIN && cake_attr_int_value(attr) <= INT32_MAX;
  }
  if (cake_is_gpu_op(op, cake_op_gpu_shared_memory))
    *out = who->rank > 0 ? who->rank * CAKE_CTA_WINDOW : 0;
  else if (cake_is_gpu_op(op, cake_op_gpu_cluster_block_id) && who->rank >= 0)
    *out = cake_str_is(cake_attr_string_value(cake_gpu_cluster_block_id_dimension(op)), "x") ? who->rank : 0;
  else if (cake_is_gpu_op(op, cake_op_gpu_warp_id))
    *out = who->warp;
  else if (cake_is_gpu_op(op, cake_op_gpu_lane_id))
    *out = (int32_t)who->lane;
  else if (cake_is_gpu_op(op, cake_op_gpu_elect))
    *out = who->lane == 0;
  else if (cake_is_gpu_op(op, cake_op_gpu_thread_id))
    *out = cake_str_is(cake_attr_string_value(cake_gpu_thread_id_dimension(op)), "x")
               ? who->warp * 32 + (int32_t)who->lane
               : 0;
  else
    return false;
  return true;
}

static bool number_at(const CakeValue *value, const Who *who, unsigned depth, int32_t *out) {
  CakeOp *op = cake_value_def(value);
  CakeAlu alu;
  int32_t a, b;
  if (!op || depth > MAX_DEPTH || op->n_regions) return false;
  if (own_number(op, who, out)) return true;
  if (cake_is_arith_op(op, cake_op_arith_select)) {
    if (!number_at(cake_op_operand(op, 0), who, depth + 1, &a)) return false;
    return number_at(cake_op_operand(op, a & 1 ? 1 : 2), who, depth + 1, out);
  }
  if (cake_lane_is_cast(op)) return number_at(cake_op_operand(op, 0), who, depth + 1, out);
  if (!cake_lane_alu(op, &alu) || !number_at(cake_op_operand(op, 0), who, depth + 1, &a) ||
      !number_at(cake_op_operand(op, 1), who, depth + 1, &b))
    return false;
  *out = cake_alu_apply(alu, a, b);
  return true;
}

bool cake_lane_number(const CakeValue *value, int32_t warp, uint32_t lane, int32_t *out) {
  return number_at(value, &(Who){-1, warp, lane}, 0, out);
}

bool cake_lane_number_in(const CakeValue *value, int32_t rank, int32_t warp, uint32_t lane, int32_t *out) {
  return number_at(value, &(Who){rank, warp, lane}, 0, out);
}

// ---- Different among lanes -------------------------------------------------------------------------------------------

typedef struct Visit {
  CakeMap seen;
  size_t count;
} Visit;

static bool differs(Visit *visit, const CakeValue *value);

static bool any_differs(Visit *visit, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (differs(visit, cake_op_operand(op, i))) return true;
  return false;
}

// What the regions of an op hand on as its results, and the conditions that choose it.
static bool regions_differ(Visit *visit, const CakeOp *op) {
  if (any_differs(visit, op)) return true;
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      if (block->last && any_differs(visit, block->last)) return true;
  return false;
}

// What a loop carries at that place: where it begins and what a round hands on, and how many rounds there are. At -1 is its index.
static bool carried_differs(Visit *visit, const CakeOp *loop, int64_t at) {
  const CakeBlock *block = cake_op_region(loop, 0)->first;
  for (uint32_t i = 0; i < 3 && i < loop->n_operands; i++)
    if (differs(visit, cake_op_operand(loop, i))) return true;
  if (at < 0) return false;
  if (at + 3 >= loop->n_operands || !block->last || at >= block->last->n_operands) return regions_differ(visit, loop);
  return differs(visit, cake_op_operand(loop, (uint32_t)at + 3)) ||
         differs(visit, cake_op_operand(block->last, (uint32_t)at));
}

static bool result_differs(Visit *visit, const CakeValue *value) {
  const CakeOp *op = cake_result_owner(value);
  if (op->info->dialect == &cake_dialect_gpu) {
    if (cake_is_gpu_op(op, cake_op_gpu_thread_id) || cake_is_gpu_op(op, cake_op_gpu_lane_id) ||
        cake_is_gpu_op(op, cake_op_gpu_elect) || cake_is_gpu_op(op, cake_op_gpu_ldmatrix) ||
        cake_is_gpu_op(op, cake_op_gpu_mma) || cake_is_gpu_op(op, cake_op_gpu_wgmma) ||
        cake_is_gpu_op(op, cake_op_gpu_tcgen05_ld))
      return true;
    if (cake_is_gpu_op(op, cake_op_gpu_warp_id)) return false;
    // One lane's value for all.
    if (cake_is_gpu_op(op, cake_op_gpu_shuffle) &&
        cake_str_is(cake_attr_string_value(cake_gpu_shuffle_mode(op)), "idx"))
      return differs(visit, cake_gpu_shuffle_offset(op));
  }
  if (cake_op_is(op, "scf.for")) return carried_differs(visit, op, value->index);
  return op->n_regions ? regions_differ(visit, op) : any_differs(visit, op);
}

static bool differs(Visit *visit, const CakeValue *value) {
  uintptr_t ignored;
  if (cake_map_get(&visit->seen, value, &ignored) || ++visit->count > MAX_VISITS) return false;
  cake_map_set(&visit->seen, value, 1);
  if (!value->is_argument) return result_differs(visit, value);
  CakeOp *loop = cake_block_parent(cake_arg_owner(value));
  if (loop && cake_op_is(loop, "scf.for")) return carried_differs(visit, loop, (int64_t)value->index - 1);
  return loop && loop->info->def && loop->info->def->flow.kind != CAKE_FLOW_NONE && regions_differ(visit, loop);
}

// Known values are compared warp by warp: `tid lt 64` is the same in all lanes of each.
static bool is_known(const CakeValue *value, int32_t warps, bool *out_differs) {
  int32_t first, number;
  *out_differs = false;
  for (int32_t warp = 0; warp < warps; warp++) {
    if (!cake_lane_number(value, warp, 0, &first)) return false;
    for (uint32_t lane = 1; lane < 32; lane++) {
      if (!cake_lane_number(value, warp, lane, &number)) return false;
      if (number != first) *out_differs = true;
    }
  }
  return true;
}

bool cake_lanes_differ(const CakeValue *value, int32_t warps) {
  bool is_different;
  if (is_known(value, warps, &is_different)) return is_different;
  Visit visit = {.count = 0};
  bool found = differs(&visit, value);
  cake_map_fini(&visit.seen);
  return found;
}
