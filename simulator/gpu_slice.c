// A simulation without numbers: only what the order of events needs is built.
//
// Kept are ops with effects on barriers, shared memory and what is under way; the loops and branches around them; and what their addresses,
// counts, parities and conditions are computed from. The rest, most of a kernel, is left out: its values have no slot.
#include "simulator/gpu.h"

#include "dialects/scf/scf_ops.h"

typedef struct Slice {
  CakeSimLaunch *launch;
  CakeMap *needed; // ops and values
  CAKE_VEC(const CakeValue *) work;
  bool needs_numbers; // something of it is computed from shared memory
} Slice;

static void need_value(Slice *slice, const CakeValue *value) {
  uintptr_t found;
  if (cake_map_get(slice->needed, value, &found)) return;
  cake_map_set(slice->needed, value, 1);
  CAKE_PUSH(&slice->work, value);
}

// What a loop or branch that is kept is decided by.
static void need_decision(Slice *slice, CakeOp *op) {
  if (op->info->dialect != &cake_dialect_scf) return;
  switch (op->info->def->ordinal) {
  case cake_op_scf_for:
    for (uint32_t i = 0; i < 3; i++)
      need_value(slice, cake_op_operand(op, i));
    need_value(slice, cake_region_entry(cake_op_region(op, 0))->args[0]);
    break;
  case cake_op_scf_while: need_value(slice, cake_op_operand(cake_region_entry(cake_op_region(op, 0))->last, 0)); break;
  case cake_op_scf_if:
  case cake_op_scf_index_switch: need_value(slice, cake_op_operand(op, 0)); break;
  default: break;
  }
}

static void need_op(Slice *slice, CakeOp *op) {
  uintptr_t found;
  for (; op != slice->launch->kernel && !cake_map_get(slice->needed, op, &found); op = cake_block_parent(op->block)) {
    cake_map_set(slice->needed, op, 1);
    need_decision(slice, op);
  }
}

// Value `i` of what a region's terminator hands on.
static void need_yielded(Slice *slice, CakeRegion *region, uint32_t i) {
  CakeBlock *block = cake_region_entry(region);
  if (!block || !block->last) return;
  i += cake_op_is(block->last, "scf.condition");
  if (i < block->last->n_operands) need_value(slice, cake_op_operand(block->last, i));
}

static void trace_result(Slice *slice, CakeOp *op, uint32_t number) {
  need_op(slice, op);
  if (op->info->dialect == &cake_dialect_scf) {
    if (cake_op_is(op, "scf.for")) need_value(slice, cake_region_entry(cake_op_region(op, 0))->args[1 + number]);
    for (uint32_t r = 0; r < op->n_regions; r++)
      if (!cake_op_is(op, "scf.while") || r == 0) need_yielded(slice, cake_op_region(op, r), number);
    return;
  }
  bool is_load = cake_is_gpu_op(op, cake_op_gpu_load) || cake_is_gpu_op(op, cake_op_gpu_ldmatrix);
  if (is_load && cake_gpu_ptr_space(cake_op_operand(op, 0)->type) == CAKE_GPU_SHARED) slice->needs_numbers = true;
  if (cake_is_gpu_op(op, cake_op_gpu_wgmma_wait) || cake_is_gpu_op(op, cake_op_gpu_wgmma) ||
      cake_is_gpu_op(op, cake_op_gpu_tcgen05_wait_ld))
    slice->needs_numbers = true;
  for (uint32_t i = 0; i < op->n_operands; i++)
    need_value(slice, cake_op_operand(op, i));
}

static void trace_argument(Slice *slice, const CakeValue *value) {
  CakeOp *op = cake_block_parent(cake_arg_owner(value));
  if (op == slice->launch->kernel) return;
  need_op(slice, op);
  if (cake_op_is(op, "scf.for") && value->index > 0) {
    need_value(slice, cake_op_operand(op, 2 + value->index));
    need_yielded(slice, cake_op_region(op, 0), value->index - 1);
  } else if (cake_op_is(op, "scf.while")) {
    bool is_before = cake_arg_owner(value) == cake_region_entry(cake_op_region(op, 0));
    if (is_before) need_value(slice, cake_op_operand(op, value->index));
    need_yielded(slice, cake_op_region(op, is_before), value->index);
    if (!is_before) need_value(slice, cake_op_result(op, value->index));
  }
}

// ---- What is kept for its effect ---------------------------------------------------------------------------------------------

static bool is_shared(const CakeValue *ptr) {
  return cake_gpu_ptr_space(ptr->type) == CAKE_GPU_SHARED;
}

// Reads matter to races alone; who writes says that there is something to read.
static bool has_effect(const Slice *slice, CakeOp *op) {
  if (!op->info->def || op->info->dialect != &cake_dialect_gpu || op->n_regions) return false;
  switch (op->info->def->ordinal) {
  case cake_op_gpu_pin:
  case cake_op_gpu_shuffle:
  case cake_op_gpu_elect:
  case cake_op_gpu_prefetch: return false;
  case cake_op_gpu_load: return slice->launch->options->races && is_shared(cake_gpu_load_ptr(op));
  case cake_op_gpu_ldmatrix: return slice->launch->options->races;
  case cake_op_gpu_store: return is_shared(cake_gpu_store_ptr(op));
  default: return op->info->def->n_effects > 0;
  }
}

static void need_effect(Slice *slice, CakeOp *op) {
  need_op(slice, op);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    bool is_stored = cake_is_gpu_op(op, cake_op_gpu_store) && i == 0;
    if (!is_stored && !cake_type_is(cake_op_operand(op, i)->type, &cake_type_def_vector))
      need_value(slice, cake_op_operand(op, i));
  }
}

bool cake_gpu_slice(CakeSimLaunch *launch, CakeMap *needed) {
  Slice slice = {.launch = launch, .needed = needed};
  for (CakeOp *op = launch->kernel; op; op = cake_op_walk_next(launch->kernel, op, false))
    if (has_effect(&slice, op)) need_effect(&slice, op);
  while (slice.work.len) {
    const CakeValue *value = slice.work.data[--slice.work.len];
    CakeOp *def = cake_value_def(value);
    if (def)
      trace_result(&slice, def, value->index);
    else
      trace_argument(&slice, value);
  }
  CAKE_VEC_FINI(&slice.work);
  return !slice.needs_numbers ||
         cake_error(launch->kernel, CAKE_CODE_SIM_UNSUPPORTED,
                    "cannot be simulated without numbers: its control flow or addresses depend on shared memory");
}
