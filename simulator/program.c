// Compiles the roles of a kernel: SSA values become slots of fixed size, structured control flow becomes jumps.
#include "simulator/build.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/arith/arith_ops.h"
#include "dialects/cake/cake_accessors.h"
#include "dialects/math/math_ops.h"
#include "dialects/scf/scf_ops.h"

#include <string.h>

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/cake.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT arith
#define CAKE_ROWS "dialects/arith/arith.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT math
#define CAKE_ROWS "dialects/math/math.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT scf
#define CAKE_ROWS "dialects/scf/scf.def"
#include "simulator/build_rows.h"

#define MAX_MEMORY ((size_t)1 << 31) // bytes of a machine

// ---- The tables: one function a row; a row without one does not build ----------------------------------------------------

#undef OP
#define OP(op, ...) [cake_op_cake_##op] = cake_sim_build_cake_##op,
static const CakeSimBuildFn build_cake[] = {
#include "dialects/cake/cake.def"
};
#undef OP
#define OP(op, ...) [cake_op_arith_##op] = cake_sim_build_arith_##op,
static const CakeSimBuildFn build_arith[] = {
#include "dialects/arith/arith.def"
};
#undef OP
#define OP(op, ...) [cake_op_math_##op] = cake_sim_build_math_##op,
static const CakeSimBuildFn build_math[] = {
#include "dialects/math/math.def"
};
#undef OP
#define OP(op, ...) [cake_op_scf_##op] = cake_sim_build_scf_##op,
static const CakeSimBuildFn build_scf[] = {
#include "dialects/scf/scf.def"
};
#undef OP
#define OP(...)

static const CakeSimTable tables[] = {
    {&cake_dialect_cake,  build_cake },
    {&cake_dialect_arith, build_arith},
    {&cake_dialect_math,  build_math },
    {&cake_dialect_scf,   build_scf  }
};

bool cake_sim_unsupported(CakeOp *op, const char *format, ...) {
  CakeBuf text = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&text, format, args);
  va_end(args);
  cake_error(op, CAKE_CODE_SIM_UNSUPPORTED, "%.*s", (int)text.len, text.data);
  cake_buf_fini(&text);
  return false;
}

// Terminators hand on what is needed of their operands.
static bool is_needed(const CakeSimBuilder *builder, const void *key) {
  uintptr_t found;
  return !builder->launch->needed || cake_map_get(builder->launch->needed, key, &found);
}

bool cake_sim_build_op(CakeSimBuilder *builder, CakeOp *op) {
  if (!is_needed(builder, op) && op != op->block->last) return true;
  const CakeSimLevel *level = builder->launch->level;
  if (level->before && !level->before(builder, op)) return false;
  for (size_t i = 0; i < level->n_tables; i++) {
    if (op->info->dialect == level->tables[i].dialect && op->info->def)
      return level->tables[i].build[op->info->def->ordinal](builder, op);
  }
  return cake_sim_unsupported(op, "cannot be simulated");
}

bool cake_sim_build_region(CakeSimBuilder *builder, const CakeRegion *region, CakeSimFrame frame) {
  CakeBlock *block = cake_region_entry(region);
  if (!block) return true;
  if (builder->depth == CAKE_SIM_MAX_DEPTH)
    return cake_sim_unsupported(region->parent, "is nested deeper than %d regions", CAKE_SIM_MAX_DEPTH);
  CakeSimFrame outer = builder->frame;
  builder->frame = frame;
  builder->depth++;
  bool ok = true;
  for (CakeOp *op = block->first; op && ok; op = op->next)
    ok = cake_sim_build_op(builder, op);
  builder->depth--;
  builder->frame = outer;
  return ok;
}

// ---- Slots ---------------------------------------------------------------------------------------------------------------

static bool data_shape(CakeType type, CakeSimSlot *slot) {
  CakeFragment fragment;
  slot->kind = CAKE_SIM_DATA;
  slot->rows = slot->cols = 1;
  if (cake_fragment_of(type, &fragment)) {
    slot->rows = fragment.rows;
    slot->cols = fragment.cols;
    slot->rank = (int)fragment.rank;
    return cake_sim_element_of(fragment.element, &slot->element);
  }
  if (cake_type_is(type, &cake_type_def_pending)) {
    int64_t rows, cols;
    if (type->count != 4 || !cake_expr_is_const(type->params[2].attr, &rows) ||
        !cake_expr_is_const(type->params[3].attr, &cols))
      return false;
    slot->rows = rows;
    slot->cols = cols;
    slot->rank = 2;
    return cake_sim_element_of(type->params[0].type, &slot->element);
  }
  if (cake_type_is_shaped(type)) {
    slot->cols = cake_type_count(type);
    slot->rank = 1;
    return cake_type_rank(type) >= 0 && cake_sim_element_of(cake_type_element(type), &slot->element);
  }
  return cake_sim_element_of(type, &slot->element);
}

static bool best_shape(CakeType type, CakeSimSlot *slot) {
  CakeBest best = cake_best_of(type);
  slot->kind = CAKE_SIM_BEST;
  slot->rows = best.rows;
  slot->cols = 1;
  slot->rank = 1;
  return best.k == 1 && cake_sim_element_of(best.element, &slot->element) &&
         (slot->element.is_float || slot->element.bits <= 32);
}

// A pending accumulator has the number of its group behind its elements.
static bool slot_shape(CakeType type, CakeSimSlot *slot) {
  *slot = (CakeSimSlot){.rows = 1, .cols = 1};
  size_t size = 0;
  if (cake_type_is(type, &cake_type_def_slot) || cake_type_is(type, &cake_type_def_turn)) {
    slot->kind = CAKE_SIM_TOKEN;
    size = sizeof(CakeSimToken);
  } else if (cake_type_is(type, &cake_type_def_shared) || cake_type_is(type, &cake_type_def_tmem)) {
    slot->kind = CAKE_SIM_VIEW;
    size = sizeof(CakeSimView);
  } else if (cake_type_is(type, &cake_type_def_best)) {
    if (!best_shape(type, slot)) return false;
    size = sizeof(CakeSimBest);
  } else {
    if (!data_shape(type, slot)) return false;
    size = cake_sim_kept_bytes(slot->element);
  }
  if (slot->rows < 0 || slot->cols < 0 || (slot->rows && slot->cols > (INT64_C(1) << 26) / slot->rows)) return false;
  slot->count = (size_t)(slot->rows * slot->cols);
  slot->bytes = (slot->count * size + 15) / 16 * 16 + (cake_type_is(type, &cake_type_def_pending) ? 16 : 0);
  return true;
}

// A role is one lane.
static CakeSimStep part(CakeSimMachine *machine, const CakeSimInstr *instr, uint32_t taken, uint32_t join) {
  (void)machine, (void)instr, (void)join;
  return taken ? CAKE_SIM_NEXT : CAKE_SIM_JUMP;
}

const CakeSimLevel cake_sim_level_cake = {
    .tables = tables,
    .n_tables = CAKE_COUNT(tables),
    .lanes = 1,
    .shape = slot_shape,
    .moves = cake_sim_eval_moves,
    .part = part,
    .describe = cake_sim_describe_role,
};

uint32_t cake_sim_new_slot(CakeSimBuilder *builder, const CakeSimSlot *slot) {
  CakeSimProgram *program = builder->program;
  CakeSimSlot placed = *slot;
  placed.offset = program->memory;
  program->memory += placed.bytes;
  CAKE_PUSH(&program->slots, placed);
  return (uint32_t)program->slots.len - 1;
}

bool cake_sim_define(CakeSimBuilder *builder, CakeOp *op, const CakeValue *value, uint32_t *out_slot) {
  CakeSimSlot slot;
  *out_slot = CAKE_SIM_NO_SLOT;
  if (cake_type_is(value->type, &cake_type_def_global) || !is_needed(builder, value)) return true;
  if (!builder->launch->level->shape(value->type, &slot))
    return cake_sim_unsupported(op, "has a value of type '%s', which cannot be simulated", cake_type_text(value->type));
  if (builder->program->memory + slot.bytes > MAX_MEMORY)
    return cake_sim_unsupported(op, "needs more memory than the simulator gives to a role");
  *out_slot = cake_sim_new_slot(builder, &slot);
  cake_map_set(&builder->slots, value, (uintptr_t)*out_slot + 1);
  return true;
}

// A scalar argument of the kernel gets a slot when it is used first.
uint32_t cake_sim_slot_of(CakeSimBuilder *builder, const CakeValue *value) {
  uintptr_t found = 0;
  if (cake_map_get(&builder->slots, value, &found)) return (uint32_t)(found - 1);
  uint32_t slot = CAKE_SIM_NO_SLOT;
  bool is_kernel_arg =
      value->is_argument && cake_arg_owner(value) == cake_region_entry(cake_op_region(builder->launch->kernel, 0));
  if (!is_kernel_arg || !cake_sim_define(builder, builder->launch->kernel, value, &slot) || slot == CAKE_SIM_NO_SLOT)
    return CAKE_SIM_NO_SLOT;
  CAKE_PUSH(&builder->program->presets, (CakeSimPreset){slot, value->index});
  return slot;
}

bool cake_sim_need_slot(CakeSimBuilder *builder, CakeOp *op, const CakeValue *value, uint32_t *out_slot) {
  *out_slot = cake_sim_slot_of(builder, value);
  return *out_slot != CAKE_SIM_NO_SLOT || !is_needed(builder, value) ||
         cake_sim_unsupported(op, "uses %s, which its role does not define", cake_value_text(value));
}

uint32_t *cake_sim_slots_of(CakeSimBuilder *builder, CakeOp *op, CakeOperandRange range) {
  uint32_t *slots = CAKE_ARENA_ARRAY(builder->launch->arena, uint32_t, range.count + 1);
  for (uint32_t i = 0; i < range.count; i++) {
    if (!cake_sim_need_slot(builder, op, range.first[i].value, &slots[i])) return NULL;
  }
  return slots;
}

bool cake_sim_define_args(CakeSimBuilder *builder, CakeOp *op, const CakeBlock *block, const uint32_t **out_slots) {
  uint32_t *slots = CAKE_ARENA_ARRAY(builder->launch->arena, uint32_t, block->n_args + 1);
  for (uint32_t i = 0; i < block->n_args; i++) {
    if (!cake_sim_define(builder, op, block->args[i], &slots[i])) return false;
  }
  *out_slots = slots;
  return true;
}

bool cake_sim_define_results(CakeSimBuilder *builder, CakeOp *op, const uint32_t **out_slots) {
  uint32_t *slots = CAKE_ARENA_ARRAY(builder->launch->arena, uint32_t, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (!cake_sim_define(builder, op, cake_op_result(op, i), &slots[i])) return false;
  }
  *out_slots = slots;
  return true;
}

const CakeSimGlobal *cake_sim_global_of(CakeSimBuilder *builder, CakeOp *op, const CakeValue *value) {
  bool is_kernel_arg =
      value->is_argument && cake_arg_owner(value) == cake_region_entry(cake_op_region(builder->launch->kernel, 0));
  if (is_kernel_arg) return &builder->launch->globals[value->index];
  cake_sim_unsupported(op, "uses an array that is no argument of the kernel");
  return NULL;
}

// ---- Instructions --------------------------------------------------------------------------------------------------------

CakeSimInstr *cake_sim_emit_bare(CakeSimBuilder *builder, CakeOp *op, CakeSimEval eval) {
  CAKE_PUSH(&builder->program->code, (CakeSimInstr){.eval = eval, .op = op});
  return &builder->program->code.data[builder->program->code.len - 1];
}

CakeSimInstr *cake_sim_emit(CakeSimBuilder *builder, CakeOp *op, CakeSimEval eval) {
  uint32_t *in = CAKE_ARENA_ARRAY(builder->launch->arena, uint32_t, op->n_operands + 1);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *value = cake_op_operand(op, i);
    in[i] = CAKE_SIM_NO_SLOT;
    if (!cake_type_is(value->type, &cake_type_def_global) && !cake_sim_need_slot(builder, op, value, &in[i]))
      return NULL;
  }
  const uint32_t *out = NULL;
  if (!cake_sim_define_results(builder, op, &out)) return NULL;
  CakeSimInstr *instr = cake_sim_emit_bare(builder, op, eval);
  instr->in = in;
  instr->out = out;
  instr->counts = true;
  return instr;
}

static CakeSimStep eval_jump(CakeSimMachine *machine, const CakeSimInstr *instr) {
  (void)machine, (void)instr;
  return CAKE_SIM_JUMP;
}

uint32_t cake_sim_emit_jump(CakeSimBuilder *builder, CakeOp *op, uint32_t target) {
  cake_sim_emit_bare(builder, op, eval_jump)->target = target;
  return cake_sim_here(builder) - 1;
}

void cake_sim_land(CakeSimBuilder *builder, uint32_t jump) {
  builder->program->code.data[jump].target = cake_sim_here(builder);
}

CakeSimStep cake_sim_eval_moves(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimMoves *moves = instr->info;
  for (size_t i = 0; i < moves->count; i++)
    memcpy(cake_sim_at(machine, moves->to[i]), cake_sim_at(machine, moves->from[i]),
           cake_sim_slot_info(machine, moves->to[i])->bytes);
  return CAKE_SIM_NEXT;
}

static bool is_written_before(const uint32_t *to, size_t end, uint32_t slot) {
  for (size_t i = 0; i < end; i++) {
    if (to[i] == slot) return true;
  }
  return false;
}

static bool may_move(const CakeSimBuilder *builder, uint32_t from, uint32_t to) {
  if (from == CAKE_SIM_NO_SLOT || to == CAKE_SIM_NO_SLOT) return false;
  const CakeSimSlot *a = cake_sim_slot(builder, from), *b = cake_sim_slot(builder, to);
  return a->kind == b->kind && a->bytes == b->bytes;
}

// Sources that an earlier move overwrites are saved first.
bool cake_sim_emit_moves(CakeSimBuilder *builder, CakeOp *op, const uint32_t *from, const uint32_t *to, size_t count) {
  CakeArena *arena = builder->launch->arena;
  uint32_t *list_from = CAKE_ARENA_ARRAY(arena, uint32_t, 2 * count + 1),
           *list_to = CAKE_ARENA_ARRAY(arena, uint32_t, 2 * count + 1);
  uint32_t *source = CAKE_ARENA_ARRAY(arena, uint32_t, count + 1);
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (builder->launch->needed && (from[i] == CAKE_SIM_NO_SLOT || to[i] == CAKE_SIM_NO_SLOT)) continue;
    if (!may_move(builder, from[i], to[i])) return cake_sim_unsupported(op, "carries a value that cannot be carried");
    source[i] = from[i];
    if (from[i] == to[i] || !is_written_before(to, i, from[i])) continue;
    CakeSimSlot copy = *cake_sim_slot(builder, from[i]);
    source[i] = cake_sim_new_slot(builder, &copy);
    list_from[n] = from[i];
    list_to[n++] = source[i];
  }
  for (size_t i = 0; i < count; i++) {
    if (from[i] == to[i] || from[i] == CAKE_SIM_NO_SLOT || to[i] == CAKE_SIM_NO_SLOT) continue;
    list_from[n] = source[i];
    list_to[n++] = to[i];
  }
  if (n == 0) return true;
  CakeSimMoves *moves = CAKE_SIM_NEW(builder, CakeSimMoves);
  *moves = (CakeSimMoves){list_from, list_to, n};
  cake_sim_emit_bare(builder, op, builder->launch->level->moves)->info = moves;
  return true;
}

// ---- Expressions ---------------------------------------------------------------------------------------------------------

bool cake_sim_exprs(CakeSimBuilder *builder, CakeOp *op, CakeAttr attr, CakeOperandRange operands, CakeSimExprs *out) {
  *out = (CakeSimExprs){0};
  if (!attr) return true;
  if (operands.count > CAKE_SIM_MAX_INDICES)
    return cake_sim_unsupported(op, "has an expression with more than %d operands", CAKE_SIM_MAX_INDICES);
  CakeAttr bound = cake_sim_bound(builder->launch, attr);
  bool is_list = cake_attr_is(bound, &cake_attr_def_at);
  out->count = is_list ? cake_at_count(bound) : 1;
  if (out->count > CAKE_SIM_MAX_RANK) return cake_sim_unsupported(op, "has more than %d indices", CAKE_SIM_MAX_RANK);
  out->exprs = CAKE_ARENA_ARRAY(builder->launch->arena, CakeAttr, out->count + 1);
  for (size_t i = 0; i < out->count; i++)
    out->exprs[i] = is_list ? cake_at_expr(bound, i) : bound;
  out->slots = cake_sim_slots_of(builder, op, operands);
  out->n_slots = operands.count;
  return out->slots != NULL;
}

// ---- Declarations --------------------------------------------------------------------------------------------------------

static CakeBlock *kernel_body(const CakeSimLaunch *launch) {
  return cake_region_entry(cake_op_region(launch->kernel, 0));
}

static size_t count_ops(const CakeSimLaunch *launch, int enumerator) {
  size_t count = 0;
  for (CakeOp *op = kernel_body(launch)->first; op; op = op->next)
    count += cake_is_cake_op(op, enumerator);
  return count;
}

bool cake_sim_build_part(CakeOp *op, CakeType type, CakeSimPart *part) {
  *part = (CakeSimPart){.type = type, .rank = (int)cake_shared_rank(type), .rows = 1};
  bool ok = cake_sim_element_of(cake_shared_element(type), &part->element) && (part->rank == 1 || part->rank == 2);
  if (ok && part->rank == 2) part->rows = cake_shared_size(type, 0);
  if (ok) part->cols = cake_shared_size(type, (size_t)part->rank - 1);
  ok = ok && part->rows >= 0 && part->cols >= 0 && (!part->rows || part->cols < (INT64_C(1) << 20) / part->rows);
  if (!ok) return cake_sim_unsupported(op, "has a part of type '%s', which cannot be simulated", cake_type_text(type));
  part->count = (size_t)(part->rows * part->cols);
  return true;
}

void cake_sim_build_stage(CakeArena *arena, const CakeSimPipe *pipe, CakeSimStage *stage) {
  stage->released = CAKE_ARENA_ARRAY(arena, bool, pipe->n_consumers + 1);
  stage->data = CAKE_ARENA_ARRAY(arena, void *, pipe->n_parts + 1);
  stage->filled = CAKE_ARENA_ARRAY(arena, uint8_t *, pipe->n_parts + 1);
  for (uint32_t p = 0; p < pipe->n_parts; p++) {
    stage->data[p] = cake_arena_alloc(arena, pipe->parts[p].count * cake_sim_kept_bytes(pipe->parts[p].element) + 1);
    stage->filled[p] = CAKE_ARENA_ARRAY(arena, uint8_t, pipe->parts[p].count + 1);
  }
}

static const CakeSimProgram *find_program(const CakeSimLaunch *launch, CakeAttr reference) {
  for (size_t i = 0; i < launch->n_programs; i++) {
    if (launch->programs[i].name == cake_attr_symbol_root(reference)) return &launch->programs[i];
  }
  return NULL;
}

static bool build_pipe(CakeSimLaunch *launch, CakeOp *op, CakeSimPipe *pipe) {
  bool is_store = cake_cake_pipeline_store(op) != NULL;
  const CakeSimProgram *from = find_program(launch, cake_cake_pipeline_from(op)),
                       *to = is_store ? NULL : find_program(launch, cake_cake_pipeline_to(op));
  CakeAttr parts = cake_cake_pipeline_parts(op);
  int64_t stages = 0;
  if (!from || (!to && !is_store)) return cake_sim_unsupported(op, "names a role that the kernel does not have");
  pipe->is_each = cake_cake_pipeline_each(op) != NULL;
  if (from->replicas != 1 && !pipe->is_each)
    return cake_sim_unsupported(op, "is filled by a role with %u instances", (unsigned)from->replicas);
  if (!cake_expr_is_const(cake_cake_pipeline_stages(op), &stages) || stages < 1 || stages > 1024)
    return cake_sim_unsupported(op, "has no constant number of stages between 1 and 1024");
  pipe->decl = op;
  pipe->is_multicast = cake_pipeline_multicast(op, &pipe->multicast);
  pipe->name = cake_symbol_name(op);
  pipe->from = from->role;
  pipe->to = to ? to->role : NULL;
  pipe->n_stages = (uint32_t)stages;
  pipe->n_parts = (uint32_t)cake_parts_count(parts);
  pipe->n_consumers = to ? to->replicas : 0;
  pipe->parts = CAKE_ARENA_ARRAY(launch->arena, CakeSimPart, pipe->n_parts + 1);
  for (uint32_t p = 0; p < pipe->n_parts; p++) {
    if (!cake_sim_build_part(op, cake_parts_type(parts, p), &pipe->parts[p])) return false;
    pipe->bytes += cake_shared_bytes(pipe->parts[p].type);
  }
  pipe->stages = CAKE_ARENA_ARRAY(launch->arena, CakeSimStage, pipe->n_stages);
  for (uint32_t s = 0; s < pipe->n_stages; s++)
    cake_sim_build_stage(launch->arena, pipe, &pipe->stages[s]);
  launch->report.shared_bytes += pipe->bytes * stages;
  return true;
}

static bool build_role_shape(CakeOp *op, CakeSimProgram *program) {
  CakeRoleShape shape;
  if (!cake_role_shape(op, &shape))
    return cake_error(op, CAKE_CODE_PARAM_CHOICE, "is not instantiated: template parameters must have values");
  if (shape.replicas < 1 || shape.replicas > 64)
    return cake_sim_unsupported(op, "has no number of instances between 1 and 64");
  program->role = op;
  program->name = cake_symbol_name(op);
  program->replicas = (uint32_t)shape.replicas;
  return true;
}

static size_t count_rings(const CakeSimLaunch *launch) {
  size_t count = 0;
  for (CakeOp *op = kernel_body(launch)->first; op; op = op->next) {
    int64_t rings = cake_is_cake_op(op, cake_op_cake_pipeline) ? cake_pipeline_rings(op) : 0;
    count += rings > 0 ? (size_t)rings : 0;
  }
  return count;
}

static void build_barrier(CakeSimLaunch *launch, CakeOp *op) {
  CakeSimBarrier *barrier = &launch->barriers[launch->n_barriers++];
  *barrier = (CakeSimBarrier){.decl = op};
  for (size_t i = 0; i < launch->n_programs; i++) {
    CakeAttr symbol = cake_attr_symbol_ref(launch->context, launch->programs[i].name, NULL, 0);
    if (cake_barrier_has_role(op, symbol)) barrier->n_expected += launch->programs[i].replicas;
  }
}

static bool build_order(CakeSimLaunch *launch, CakeOp *op) {
  const CakeSimProgram *over = find_program(launch, cake_cake_order_over(op));
  if (!over) return cake_sim_unsupported(op, "names a role that the kernel does not have");
  launch->orders[launch->n_orders++] = (CakeSimOrder){.decl = op, .replicas = over->replicas};
  return true;
}

// What CTA 0 of a cluster has, for the others too.
static void copy_for_cluster(CakeSimLaunch *launch) {
  for (size_t rank = 1; rank < (size_t)launch->cluster; rank++) {
    for (size_t i = 0; i < launch->n_pipes; i++) {
      CakeSimPipe *pipe = &launch->pipes[rank * launch->n_pipes + i];
      *pipe = launch->pipes[i];
      pipe->rank = (int64_t)rank;
      pipe->stages = CAKE_ARENA_ARRAY(launch->arena, CakeSimStage, pipe->n_stages);
      for (uint32_t s = 0; s < pipe->n_stages; s++)
        cake_sim_build_stage(launch->arena, pipe, &pipe->stages[s]);
    }
    for (size_t i = 0; i < launch->n_barriers; i++)
      launch->barriers[rank * launch->n_barriers + i] = launch->barriers[i];
    for (size_t i = 0; i < launch->n_orders; i++)
      launch->orders[rank * launch->n_orders + i] = launch->orders[i];
  }
}

// Roles first: pipelines name them.
static bool build_declarations(CakeSimLaunch *launch) {
  CakeArena *arena = launch->arena;
  if (count_ops(launch, cake_op_cake_param))
    return cake_error(launch->kernel, CAKE_CODE_PARAM_CHOICE,
                      "is not instantiated: template parameters must have values");
  launch->programs = CAKE_ARENA_ARRAY(arena, CakeSimProgram, count_ops(launch, cake_op_cake_role) + 1);
  size_t ctas = (size_t)launch->cluster;
  launch->pipes = CAKE_ARENA_ARRAY(arena, CakeSimPipe, ctas * count_rings(launch) + 1);
  launch->orders = CAKE_ARENA_ARRAY(arena, CakeSimOrder, ctas * count_ops(launch, cake_op_cake_order) + 1);
  launch->tiles = CAKE_ARENA_ARRAY(arena, CakeSimTiles, count_ops(launch, cake_op_cake_tiles) + 1);
  launch->barriers = CAKE_ARENA_ARRAY(arena, CakeSimBarrier, ctas * count_ops(launch, cake_op_cake_barrier) + 1);
  for (CakeOp *op = kernel_body(launch)->first; op; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_role)) continue;
    if (!build_role_shape(op, &launch->programs[launch->n_programs++])) return false;
  }
  for (CakeOp *op = kernel_body(launch)->first; op; op = op->next) {
    if (cake_is_cake_op(op, cake_op_cake_tiles) && !cake_sim_build_tiles(launch, op, &launch->tiles[launch->n_tiles++]))
      return false;
    if (cake_is_cake_op(op, cake_op_cake_order) && !build_order(launch, op)) return false;
    if (cake_is_cake_op(op, cake_op_cake_barrier)) build_barrier(launch, op);
    for (int64_t ring = cake_is_cake_op(op, cake_op_cake_pipeline) ? cake_pipeline_rings(op) : 0; ring > 0; ring--) {
      launch->pipes[launch->n_pipes].index = (uint32_t)launch->n_pipes;
      if (!build_pipe(launch, op, &launch->pipes[launch->n_pipes++])) return false;
    }
  }
  copy_for_cluster(launch);
  CakeAttr shared = cake_cake_kernel_shared_bytes(launch->kernel);
  if (shared) launch->report.shared_bytes = cake_attr_int_value(shared);
  return true;
}

static CakeSimStep eval_done(CakeSimMachine *machine, const CakeSimInstr *instr) {
  (void)machine, (void)instr;
  return CAKE_SIM_DONE;
}

// Ops between the declarations are computed by every role; of the roles only its own is built (sim_control.c).
bool cake_sim_build_programs(CakeSimLaunch *launch) {
  if (!build_declarations(launch)) return false;
  for (size_t i = 0; i < launch->n_programs; i++) {
    CakeSimBuilder builder = {.launch = launch, .program = &launch->programs[i]};
    bool ok = cake_sim_build_region(&builder, cake_op_region(launch->kernel, 0), (CakeSimFrame){0});
    cake_sim_emit_bare(&builder, launch->programs[i].role, eval_done);
    cake_map_fini(&builder.slots);
    if (!ok) return false;
  }
  return true;
}
