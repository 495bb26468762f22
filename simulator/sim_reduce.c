// cake: reductions. A part is simulated as the row's value so far: what may be done with one commutes with merging.
#include "simulator/build.h"

#include "dialects/cake/ops/reduce.h"

#include <math.h>
#include <string.h>

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/reduce.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/views.def"
#include "simulator/build_rows.h"

typedef struct ReduceInfo {
  CakeReduceKind kind;
  bool nan_wins, nan_is_undefined;
  bool along_rows, along_cols;
  float *line_f; // one line of the fragment
  int64_t *line_i;
  bool has_into;
} ReduceInfo;

// ---- Two elements --------------------------------------------------------------------------------------------------------

// -0 is smaller than +0; a NaN loses, or wins.
static float extreme(const ReduceInfo *info, float a, float b) {
  if (isnan(a) || isnan(b)) return (isnan(a) == info->nan_wins) ? a : b;
  bool a_is_greater = a > b || (a == b && signbit(b) && !signbit(a));
  return a_is_greater == (info->kind == CAKE_REDUCE_MAX) ? a : b;
}

static float combine_f(const ReduceInfo *info, float a, float b) {
  if (info->kind == CAKE_REDUCE_ADD) return a + b;
  return info->kind == CAKE_REDUCE_MUL ? a * b : extreme(info, a, b);
}

static int64_t combine_i(const ReduceInfo *info, int64_t a, int64_t b, unsigned bits) {
  switch (info->kind) {
  case CAKE_REDUCE_ADD: return cake_sim_wrap((int64_t)((uint64_t)a + (uint64_t)b), bits);
  case CAKE_REDUCE_MUL: return cake_sim_wrap((int64_t)((uint64_t)a * (uint64_t)b), bits);
  case CAKE_REDUCE_MAX: return a > b ? a : b;
  case CAKE_REDUCE_MIN: return a < b ? a : b;
  case CAKE_REDUCE_AND: return a & b;
  case CAKE_REDUCE_OR: return a | b;
  default: return a ^ b;
  }
}

// Pairwise, as the hardware does it in some order: the error grows with the logarithm of the count.
static float line_f(const ReduceInfo *info, float *line, size_t count) {
  for (; count > 1; count = (count + 1) / 2) {
    for (size_t i = 0; i < count / 2; i++)
      line[i] = combine_f(info, line[2 * i], line[2 * i + 1]);
    if (count % 2) line[count / 2] = line[count - 1];
  }
  return line[0];
}

static int64_t line_i(const ReduceInfo *info, const int64_t *line, size_t count, unsigned bits) {
  int64_t value = line[0];
  for (size_t i = 1; i < count; i++)
    value = combine_i(info, value, line[i], bits);
  return value;
}

// ---- reduce --------------------------------------------------------------------------------------------------------------

// Of element `out` of the result: the elements that it is made of.
static size_t gather(const ReduceInfo *info, const CakeSimSlot *from, size_t out, const char *elements, size_t size,
                     char *line) {
  size_t rows = (size_t)from->rows, cols = (size_t)from->cols, n = 0;
  size_t first_row = info->along_rows ? 0 : out, end_row = info->along_rows ? rows : out + 1;
  size_t first_col = info->along_cols ? 0 : out, end_col = info->along_cols ? cols : out + 1;
  for (size_t r = first_row; r < end_row; r++)
    for (size_t c = first_col; c < end_col; c++)
      memcpy(line + n++ * size, elements + (r * cols + c) * size, size);
  return n;
}

static bool has_nan(const float *line, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (isnan(line[i])) return true;
  return false;
}

static CakeSimStep eval_reduce(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ReduceInfo *info = instr->info;
  const CakeSimSlot *from = cake_sim_slot_info(machine, instr->in[0]), *to = cake_sim_slot_info(machine, instr->out[0]);
  bool is_float = from->element.is_float;
  size_t size = cake_sim_kept_bytes(from->element);
  for (size_t i = 0; i < to->count; i++) {
    char *line = is_float ? (char *)info->line_f : (char *)info->line_i;
    size_t n = gather(info, from, i, cake_sim_at(machine, instr->in[0]), size, line);
    if (info->nan_is_undefined && has_nan(info->line_f, n))
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                            "finds a NaN, of which `nan(never)` promises that there is none");
    if (is_float) {
      float value = line_f(info, info->line_f, n);
      if (info->has_into) value = combine_f(info, cake_sim_floats(machine, instr->in[1])[i], value);
      cake_sim_floats(machine, instr->out[0])[i] = value;
    } else {
      int64_t value = line_i(info, info->line_i, n, from->element.bits);
      if (info->has_into) value = combine_i(info, cake_sim_ints(machine, instr->in[1])[i], value, from->element.bits);
      cake_sim_ints(machine, instr->out[0])[i] = value;
    }
  }
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_reduce(CakeSimBuilder *builder, CakeOp *op) {
  ReduceInfo *info = CAKE_SIM_NEW(builder, ReduceInfo);
  CakeAttr axis = cake_cake_reduce_axis(op), nan = cake_cake_reduce_nan(op);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_reduce);
  if (!instr) return false;
  *info = (ReduceInfo){.along_cols = !axis || cake_attr_int_value(axis) == 1,
                       .along_rows = !axis || cake_attr_int_value(axis) == 0,
                       .has_into = cake_cake_reduce_into(op) != NULL};
  if (!cake_reduce_find(cake_attr_string_value(cake_cake_reduce_kind(op)), &info->kind))
    return cake_sim_unsupported(op, "reduces by an unknown operation");
  info->nan_wins = nan && cake_str_is(cake_attr_string_value(nan), "first");
  info->nan_is_undefined = nan && cake_str_is(cake_attr_string_value(nan), "never");
  const CakeSimSlot *from = cake_sim_slot(builder, instr->in[0]), *to = cake_sim_slot(builder, instr->out[0]);
  info->line_f = CAKE_ARENA_ARRAY(builder->launch->arena, float, from->count + 1);
  info->line_i = CAKE_ARENA_ARRAY(builder->launch->arena, int64_t, from->count + 1);
  instr->info = info;
  size_t kept = info->along_rows && info->along_cols ? 1 : (size_t)(info->along_cols ? from->rows : from->cols);
  return (from->count > 0 && to->count == kept && to->element.is_float == from->element.is_float) ||
         cake_sim_unsupported(op, "has a result that does not fit");
}

// ---- merge ---------------------------------------------------------------------------------------------------------------

static CakeSimStep eval_copy(CakeSimMachine *machine, const CakeSimInstr *instr) {
  memcpy(cake_sim_at(machine, instr->out[0]), cake_sim_at(machine, instr->in[0]),
         cake_sim_slot_info(machine, instr->out[0])->bytes);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_merge(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_copy);
  return instr && (cake_sim_slot(builder, instr->in[0])->count == cake_sim_slot(builder, instr->out[0])->count ||
                   cake_sim_unsupported(op, "has a result that does not fit"));
}

// ---- buffer --------------------------------------------------------------------------------------------------------------

// Each replica has its own; nobody has written it when a CTA starts. Reductions exchange through it at once, which is not seen here.
static CakeSimStep eval_buffer(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeSimPipe *pipe = (CakeSimPipe *)(uintptr_t)instr->info;
  int64_t replicas = (int64_t)pipe->n_stages / machine->cta->launch->cluster;
  CakeSimStage *stage = &pipe->stages[machine->rank * replicas + machine->instance];
  memset(stage->filled[0], CAKE_SIM_UNWRITTEN, pipe->parts[0].count);
  *(CakeSimView *)cake_sim_at(machine, instr->out[0]) = (CakeSimView){.pipe = pipe, .stage = stage};
  return CAKE_SIM_NEXT;
}

static bool is_used_by(const CakeOp *buffer, const CakeOp *role) {
  for (const CakeUse *use = buffer->results[0].first_use; use; use = use->next)
    if (cake_op_role(use->owner) == role) return true;
  return false;
}

bool cake_sim_build_cake_buffer(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimPipe *pipe = CAKE_SIM_NEW(builder, CakeSimPipe);
  CakeArena *arena = builder->launch->arena;
  uint32_t n_stages = builder->program->replicas * (uint32_t)builder->launch->cluster;
  if (!is_used_by(op, builder->program->role)) return true;
  *pipe = (CakeSimPipe){.is_buffer = true,
                        .decl = op,
                        .name = op->results[0].name ? cake_value_name(&op->results[0])
                                                    : cake_id_text(builder->launch->context, "buffer"),
                        .n_stages = n_stages,
                        .n_parts = 1,
                        .parts = CAKE_ARENA_ARRAY(arena, CakeSimPart, 1),
                        .stages = CAKE_ARENA_ARRAY(arena, CakeSimStage, n_stages)};
  if (!cake_sim_build_part(op, op->results[0].type, &pipe->parts[0])) return false;
  for (uint32_t i = 0; i < pipe->n_stages; i++)
    cake_sim_build_stage(arena, pipe, &pipe->stages[i]);
  const uint32_t *out = NULL; // of the other buffer, whose bytes it may take, nothing is known here
  if (!cake_sim_define_results(builder, op, &out)) return false;
  CakeSimInstr *instr = cake_sim_emit_bare(builder, op, eval_buffer);
  instr->out = out;
  instr->info = pipe;
  return true;
}
