// One execution of a gpu.func by all warps of a CTA.
#include "verifier/warp_run.h"

#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/lanes.h"
#include "verifier/threads.h"

#include <string.h>

enum { LANES = 32, MAX_FRAMES = 40, MAX_VALUES = 4000, MAX_CARRIED = 64, INDEX_BITS = 32 };

typedef struct LaneValue {
  int64_t of[LANES]; // sign-extended; of a uniform value the first alone
  uint32_t known;
  bool is_uniform; // known, and the same in all lanes
} LaneValue;

typedef enum InstrKind { INSTR_OTHER, INSTR_NUMBER, INSTR_LANES, INSTR_CAST, INSTR_SELECT, INSTR_ALU } InstrKind;

// An op, made ready once.
typedef struct Instr {
  CakeOp *op;
  bool is_watched;
  InstrKind kind;
  CakeAlu alu;
  bool zero_extends;    // of a cast
  uint32_t from, bits;  // bits of the operands, of the result
  size_t result, in[3]; // places of values + 1; 0: none
  int64_t number;
} Instr;

typedef struct Block {
  CAKE_VEC(Instr) instrs; // of ops that matter
} Block;

typedef struct Frame {
  CakeOp *around; // the loop or branch; the function
  CakeBlock *block;
  const Block *of;
  size_t next;               // among the ops that matter
  uint32_t lanes, otherwise; // otherwise: lanes that take the other way behind this one
  int64_t index, end, step;
} Frame;

typedef struct Warp {
  Frame frames[MAX_FRAMES];
  size_t depth;
  LaneValue *values;
} Warp;

struct CakeWarpRun {
  CakeOp *func;
  const CakeRunClient *client;
  CakeArena *arena;
  int32_t n_warps;
  int64_t *sizes;  // of the named sizes
  size_t budget;   // ops that may still be executed
  CakeMap numbers; // value → its place + 1
  size_t n_values;
  CakeMap matters; // op → 1: it is watched, has such ops in it, or gives a needed value
  CakeMap blocks;  // block → Block
  Warp *warps;
};

// ---- What is needed --------------------------------------------------------------------------------------------------

typedef CAKE_VEC(const CakeValue *) Values;

static bool has(const CakeMap *map, const void *key) {
  uintptr_t ignored;
  return cake_map_get(map, key, &ignored);
}

static bool is_number(CakeType type) {
  return cake_type_is_index(type) || cake_type_is_integer(type, 0) || gpu_is_shared_ptr.test(type);
}

static void need(CakeWarpRun *run, const CakeValue *value, Values *work) {
  if (!is_number(value->type) || !cake_map_add(&run->numbers, value, run->n_values + 1)) return;
  run->n_values++;
  CAKE_PUSH(work, value);
}

static void mark(CakeWarpRun *run, CakeOp *op) {
  for (; op && op != run->func && cake_map_add(&run->matters, op, 1); op = cake_op_parent(op)) {
  }
}

static const CakeOp *end_of(const CakeOp *op, uint32_t region) {
  const CakeBlock *block = region < op->n_regions ? cake_op_region(op, region)->first : NULL;
  return block ? block->last : NULL;
}

// What the regions of an op hand on at one place.
static void need_yields(CakeWarpRun *run, CakeOp *op, uint32_t at, Values *work) {
  for (uint32_t r = 0; r < op->n_regions; r++) {
    const CakeOp *end = end_of(op, r);
    if (end && at < end->n_operands) need(run, cake_op_operand(end, at), work);
  }
}

static void need_sources(CakeWarpRun *run, const CakeValue *value, Values *work) {
  CakeOp *op = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : cake_result_owner(value);
  if (!op || op == run->func) return;
  mark(run, op);
  bool is_loop = cake_op_is(op, "scf.for");
  if (value->is_argument && (!is_loop || value->index == 0)) return;
  uint32_t at = value->is_argument ? value->index - 1 : value->index;
  if (op->n_regions) {
    need_yields(run, op, at, work);
    if (is_loop && at + 3 < op->n_operands) need(run, cake_op_operand(op, at + 3), work);
  } else {
    for (uint32_t i = 0; i < op->n_operands; i++)
      need(run, cake_op_operand(op, i), work);
  }
}

// The bounds of loops and the conditions of branches that matter.
static bool need_control(CakeWarpRun *run, Values *work) {
  size_t before = run->n_values;
  for (CakeOp *op = run->func; op; op = cake_op_walk_next(run->func, op, false)) {
    if (!op->n_regions || !has(&run->matters, op)) continue;
    uint32_t count = cake_op_is(op, "scf.for") ? 3 : 1;
    for (uint32_t i = 0; i < count && i < op->n_operands; i++)
      need(run, cake_op_operand(op, i), work);
  }
  return run->n_values > before;
}

static void analyse(CakeWarpRun *run) {
  Values work = {0};
  for (CakeOp *op = run->func; op; op = cake_op_walk_next(run->func, op, false)) {
    if (op == run->func || !run->client->watches(op)) continue;
    mark(run, op);
    for (uint32_t i = 0; i < op->n_operands; i++)
      need(run, cake_op_operand(op, i), &work);
  }
  do {
    while (work.len)
      need_sources(run, work.data[--work.len], &work);
  } while (need_control(run, &work));
  CAKE_VEC_FINI(&work);
}

// ---- Numbers -----------------------------------------------------------------------------------------------------------

static uint32_t bits_of(CakeType type) {
  return cake_type_is_integer(type, 0) ? cake_type_width(type) : INDEX_BITS;
}

static int64_t wrap(int64_t value, uint32_t bits) {
  if (bits >= 64) return value;
  uint64_t low = (uint64_t)value & ((UINT64_C(1) << bits) - 1);
  bool is_negative = bits > 1 && low >> (bits - 1);
  return (int64_t)(is_negative ? low | ~((UINT64_C(1) << bits) - 1) : low);
}

static LaneValue *value_of(const CakeWarpRun *run, int32_t warp, const CakeValue *value) {
  uintptr_t at;
  return cake_map_get(&run->numbers, value, &at) ? &run->warps[warp].values[at - 1] : NULL;
}

// The named size that an argument of the function is.
static bool is_size(const CakeWarpRun *run, const CakeValue *value) {
  size_t first = cake_attr_count(cake_gpu_func_arg_names(run->func));
  return value->is_argument && cake_block_parent(cake_arg_owner(value)) == run->func && value->index >= first &&
         value->index < first + cake_attr_count(cake_gpu_func_sizes(run->func));
}

static LaneValue *place_of(const CakeWarpRun *run, int32_t warp, size_t place) {
  return place ? &run->warps[warp].values[place - 1] : NULL;
}

static void spread(LaneValue *value) {
  if (!value->is_uniform) return;
  for (uint32_t lane = 1; lane < LANES; lane++)
    value->of[lane] = value->of[0];
  value->is_uniform = false;
}

// Of values that others than some lanes may read, too.
static void merge_value(LaneValue *into, uint32_t lanes, LaneValue from) {
  if (lanes == UINT32_MAX) {
    *into = from;
    return;
  }
  spread(into);
  spread(&from);
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1) into->of[lane] = from.of[lane];
  into->known = (into->known & ~lanes) | (from.known & lanes);
}

static LaneValue uniform(int64_t number) {
  return (LaneValue){.of = {number}, .known = UINT32_MAX, .is_uniform = true};
}

static LaneValue read_value(const CakeWarpRun *run, int32_t warp, const CakeValue *value) {
  const LaneValue *found = value_of(run, warp, value);
  if (is_size(run, value))
    return uniform(run->sizes[value->index - cake_attr_count(cake_gpu_func_arg_names(run->func))]);
  return found ? *found : (LaneValue){0};
}

uint32_t cake_run_numbers(const CakeWarpRun *run, int32_t warp, const CakeValue *value, int64_t *out) {
  LaneValue found = read_value(run, warp, value);
  spread(&found);
  memcpy(out, found.of, sizeof found.of);
  return found.known;
}

bool cake_run_number_of(const CakeWarpRun *run, int32_t warp, uint32_t lanes, const CakeValue *value, int64_t *out) {
  LaneValue found = read_value(run, warp, value);
  *out = found.of[0];
  if (found.is_uniform || (found.known & lanes) != lanes) return found.is_uniform;
  bool is_first = true;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    if (!is_first && found.of[lane] != *out) return false;
    *out = found.of[lane];
    is_first = false;
  }
  return !is_first;
}

static int64_t alu(CakeAlu alu, int64_t a, int64_t b, uint32_t bits) {
  if (bits <= 32) return cake_alu_apply(alu, (int32_t)a, (int32_t)b);
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (alu) {
  case CAKE_ALU_ADD: return (int64_t)(x + y);
  case CAKE_ALU_SUB: return (int64_t)(x - y);
  case CAKE_ALU_MUL: return (int64_t)(x * y);
  case CAKE_ALU_DIV: return y ? (int64_t)(x / y) : 0;
  case CAKE_ALU_REM: return y ? (int64_t)(x % y) : 0;
  case CAKE_ALU_AND: return (int64_t)(x & y);
  case CAKE_ALU_OR: return (int64_t)(x | y);
  case CAKE_ALU_XOR: return (int64_t)(x ^ y);
  case CAKE_ALU_SHL: return y < 64 ? (int64_t)(x << y) : 0;
  case CAKE_ALU_SHR: return y < 64 ? (int64_t)(x >> y) : 0;
  default: return cake_alu_apply(alu, (int32_t)a, (int32_t)b);
  }
}

// Of a launch with one CTA.
static bool launch_number(const CakeOp *op, int64_t *out) {
  *out = cake_is_gpu_op(op, cake_op_gpu_grid_dim);
  return *out || cake_is_gpu_op(op, cake_op_gpu_block_id);
}

static bool constant_number(const CakeOp *op, int64_t *out) {
  CakeAttr attr = op->info->n_props ? cake_op_prop(op, 0) : NULL;
  if (!cake_op_has_trait(op, CAKE_TRAIT_CONSTANT) || !cake_attr_is(attr, &cake_attr_def_integer)) return false;
  *out = cake_attr_int_value(attr);
  return true;
}

static Instr instr_of(const CakeWarpRun *run, CakeOp *op) {
  Instr instr = {.op = op, .is_watched = run->client->watches(op)};
  uintptr_t place;
  if (op->n_regions || op->n_results != 1 || !cake_map_get(&run->numbers, &op->results[0], &place)) return instr;
  instr.result = place;
  instr.bits = bits_of(op->results[0].type);
  for (uint32_t i = 0; i < op->n_operands && i < CAKE_COUNT(instr.in); i++)
    instr.in[i] = cake_map_get(&run->numbers, cake_op_operand(op, i), &place) ? place : 0;
  if (op->n_operands) instr.from = bits_of(cake_op_operand(op, 0)->type);
  if (constant_number(op, &instr.number) || launch_number(op, &instr.number))
    instr.kind = INSTR_NUMBER;
  else if (op->n_operands == 0)
    instr.kind = INSTR_LANES;
  else if (cake_op_is(op, "arith.select"))
    instr.kind = INSTR_SELECT;
  else if (cake_lane_is_cast(op))
    instr.kind = INSTR_CAST;
  else if (cake_lane_alu(op, &instr.alu))
    instr.kind = INSTR_ALU;
  instr.zero_extends = cake_op_is(op, "arith.extui") || cake_op_is(op, "arith.index_castui");
  return instr;
}

static int64_t cut(int64_t value, uint32_t bits) {
  return bits < 64 ? (int64_t)((uint64_t)value & ((UINT64_C(1) << bits) - 1)) : value;
}

static int64_t apply(const Instr *instr, int64_t a, int64_t b) {
  if (instr->kind == INSTR_CAST) return wrap(instr->zero_extends ? cut(a, instr->from) : a, instr->bits);
  return wrap(alu(instr->alu, a, b, instr->from), instr->bits);
}

// One of the lanes that are there.
static LaneValue elected(uint32_t lanes) {
  LaneValue out = {.known = UINT32_MAX};
  uint32_t lane = 0;
  while (!(lanes >> lane & 1))
    lane++;
  out.of[lane] = 1;
  return out;
}

static LaneValue lane_numbers(const Instr *instr, int32_t warp, uint32_t lanes) {
  if (cake_is_gpu_op(instr->op, cake_op_gpu_elect)) return elected(lanes);
  LaneValue out = {0};
  bool same = true;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    int32_t number;
    if (!cake_lane_number(&instr->op->results[0], warp, lane, &number)) return (LaneValue){0};
    out.of[lane] = number;
    same = same && number == out.of[0];
  }
  out.known = UINT32_MAX;
  out.is_uniform = same;
  return out;
}

static LaneValue select_value(const CakeWarpRun *run, int32_t warp, const Instr *instr) {
  LaneValue test = read_value(run, warp, cake_op_operand(instr->op, 0));
  LaneValue yes = read_value(run, warp, cake_op_operand(instr->op, 1));
  LaneValue no = read_value(run, warp, cake_op_operand(instr->op, 2));
  if (test.is_uniform) return test.of[0] & 1 ? yes : no;
  spread(&yes);
  spread(&no);
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (!(test.of[lane] & 1)) yes.of[lane] = no.of[lane];
  uint32_t takes = 0;
  for (uint32_t lane = 0; lane < LANES; lane++)
    takes |= (uint32_t)(test.of[lane] & 1) << lane;
  yes.known = test.known & ((yes.known & takes) | (no.known & ~takes));
  return yes;
}

// Lanes that do not execute the op do not read what it gives: all are computed.
static void evaluate(CakeWarpRun *run, int32_t warp, uint32_t lanes, const Instr *instr) {
  LaneValue *out = place_of(run, warp, instr->result);
  if (!out) return;
  if (instr->kind == INSTR_NUMBER) {
    *out = uniform(wrap(instr->number, instr->bits));
  } else if (instr->kind == INSTR_LANES) {
    *out = lane_numbers(instr, warp, lanes);
  } else if (instr->kind == INSTR_SELECT) {
    *out = select_value(run, warp, instr);
  } else if (instr->kind == INSTR_OTHER) {
    out->known = 0;
    out->is_uniform = false;
  } else {
    const LaneValue *a = place_of(run, warp, instr->in[0]);
    const LaneValue *b = instr->kind == INSTR_CAST ? a : place_of(run, warp, instr->in[1]);
    if (!a || !b) {
      *out = (LaneValue){0};
    } else if (a->is_uniform && b->is_uniform) {
      *out = uniform(apply(instr, a->of[0], b->of[0]));
    } else {
      for (uint32_t lane = 0; lane < LANES; lane++)
        out->of[lane] = apply(instr, a->of[a->is_uniform ? 0 : lane], b->of[b->is_uniform ? 0 : lane]);
      out->known = a->known & b->known;
      out->is_uniform = false;
    }
  }
}

// ---- Control flow ------------------------------------------------------------------------------------------------------

static const Block *block_of(CakeWarpRun *run, CakeBlock *block) {
  uintptr_t found;
  if (cake_map_get(&run->blocks, block, &found)) return (const Block *)found;
  Block *out = CAKE_ARENA_NEW(run->arena, Block);
  for (CakeOp *op = block->first; op; op = op->next)
    if (has(&run->matters, op)) CAKE_PUSH(&out->instrs, instr_of(run, op));
  cake_map_set(&run->blocks, block, (uintptr_t)out);
  return out;
}

static bool enter(CakeWarpRun *run, int32_t warp, CakeOp *op, uint32_t region, const Frame *frame) {
  Warp *of = &run->warps[warp];
  CakeRegion *into = region < op->n_regions ? cake_op_region(op, region) : NULL;
  if (!into || !into->first) return true; // nothing there
  if (into->first != into->last || of->depth == MAX_FRAMES) return false;
  of->frames[of->depth] = *frame;
  of->frames[of->depth].around = op;
  of->frames[of->depth].block = into->first;
  of->frames[of->depth].of = block_of(run, into->first);
  of->frames[of->depth++].next = 0;
  return true;
}

// Operands of `from` to the arguments of a loop's body or to the results of an op, all at once.
static bool carry(CakeWarpRun *run, int32_t warp, uint32_t lanes, const CakeOp *from, uint32_t first,
                  const CakeOp *around, bool is_in) {
  LaneValue values[MAX_CARRIED];
  const CakeBlock *body = cake_op_region(around, 0)->first;
  uint32_t count = around->n_results;
  if (count > MAX_CARRIED || first + count > from->n_operands) return false;
  for (uint32_t i = 0; i < count; i++)
    values[i] = read_value(run, warp, cake_op_operand(from, first + i));
  for (uint32_t i = 0; i < count; i++) {
    LaneValue *into = value_of(run, warp, is_in ? body->args[1 + i] : &around->results[i]);
    if (into) merge_value(into, lanes, values[i]);
  }
  return true;
}

static void set_index(CakeWarpRun *run, int32_t warp, const Frame *frame) {
  LaneValue *into = value_of(run, warp, frame->block->args[0]);
  if (into) *into = uniform(frame->index);
}

static bool enter_loop(CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  Frame frame = {.lanes = lanes};
  if (!cake_run_number_of(run, warp, lanes, cake_op_operand(op, 0), &frame.index) ||
      !cake_run_number_of(run, warp, lanes, cake_op_operand(op, 1), &frame.end) ||
      !cake_run_number_of(run, warp, lanes, cake_op_operand(op, 2), &frame.step) || frame.step < 1)
    return false;
  bool is_empty = frame.index >= frame.end;
  if (!carry(run, warp, lanes, op, 3, op, !is_empty)) return false;
  if (is_empty) return true;
  if (!enter(run, warp, op, 0, &frame)) return false;
  set_index(run, warp, &run->warps[warp].frames[run->warps[warp].depth - 1]);
  return true;
}

static bool enter_branch(CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  Frame frame = {0};
  LaneValue condition = read_value(run, warp, cake_op_operand(op, 0));
  if ((condition.known & lanes) != lanes) return false;
  spread(&condition);
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (lanes >> lane & condition.of[lane] & 1) frame.lanes |= 1U << lane;
  frame.otherwise = lanes & ~frame.lanes;
  if (frame.lanes) return enter(run, warp, op, 0, &frame);
  frame = (Frame){.lanes = frame.otherwise};
  return enter(run, warp, op, 1, &frame);
}

static bool enter_op(CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  if (cake_op_is(op, "scf.for")) return enter_loop(run, warp, lanes, op);
  return cake_op_is(op, "scf.if") && enter_branch(run, warp, lanes, op);
}

// Behind the last op of a block. False: nested too deep.
static bool leave(CakeWarpRun *run, int32_t warp) {
  Warp *of = &run->warps[warp];
  Frame *frame = &of->frames[of->depth - 1], done = *frame;
  const CakeOp *end = frame->block->last;
  if (cake_op_is(frame->around, "scf.for")) {
    frame->index += frame->step;
    frame->next = 0;
    bool again = frame->index < frame->end;
    if (!carry(run, warp, frame->lanes, end, 0, frame->around, again)) return false;
    if (again)
      set_index(run, warp, frame);
    else
      of->depth--;
    return true;
  }
  of->depth--;
  if (done.around == run->func) return true;
  if (!carry(run, warp, done.lanes, end, 0, done.around, false)) return false;
  return !done.otherwise || enter(run, warp, done.around, 1, &(Frame){.lanes = done.otherwise});
}

// ---- Execution -----------------------------------------------------------------------------------------------------------

// One op of a warp.
static CakeRunStep step(CakeWarpRun *run, int32_t warp) {
  Warp *of = &run->warps[warp];
  Frame *frame = &of->frames[of->depth - 1];
  if (frame->next == frame->of->instrs.len) return leave(run, warp) ? CAKE_RUN_SILENT : CAKE_RUN_STOP;
  const Instr *instr = &frame->of->instrs.data[frame->next];
  uint32_t lanes = frame->lanes;
  CakeRunStep result = CAKE_RUN_SILENT;
  if (instr->is_watched) {
    result = run->client->execute(run->client->user, run, warp, lanes, instr->op);
    if (result != CAKE_RUN_ON) return result;
  }
  frame->next++;
  if (instr->op->n_regions) return enter_op(run, warp, lanes, instr->op) ? CAKE_RUN_SILENT : CAKE_RUN_STOP;
  evaluate(run, warp, lanes, instr);
  return result;
}

// Ops that change nothing for others, up to one that is watched.
static CakeRunStep advance(CakeWarpRun *run, int32_t warp) {
  Warp *of = &run->warps[warp];
  while (of->depth && run->budget > 0) {
    run->budget--;
    CakeRunStep result = step(run, warp);
    if (result != CAKE_RUN_SILENT) return result;
  }
  return of->depth ? CAKE_RUN_STOP : CAKE_RUN_ON;
}

// All warps at one pace, as far as they get.
static bool run_all(CakeWarpRun *run) {
  bool moved = true, all_ended = false;
  while (moved && !all_ended) {
    moved = false;
    all_ended = true;
    for (int32_t warp = 0; warp < run->n_warps; warp++) {
      if (!run->warps[warp].depth) continue;
      CakeRunStep result = advance(run, warp);
      if (result == CAKE_RUN_STOP) return false;
      moved = moved || result != CAKE_RUN_WAIT;
      all_ended = false;
    }
  }
  return all_ended;
}

void cake_run_spend(CakeWarpRun *run, size_t ops) {
  run->budget -= ops < run->budget ? ops : run->budget;
}

// ---- The launch ----------------------------------------------------------------------------------------------------------

static bool size_by_name(void *user, CakeId name, int64_t *out) {
  const CakeWarpRun *run = user;
  CakeAttr names = cake_gpu_func_sizes(run->func);
  for (size_t i = 0; i < cake_attr_count(names); i++)
    if (cake_str_is(cake_attr_string_value(cake_attr_element(names, i)), name->text)) {
      *out = run->sizes[i];
      return true;
    }
  return false;
}

// Where a guard says that a size equals an expression, it is that.
static void follow_equations(CakeWarpRun *run, CakeAttr guard, const CakeExprEnv *env) {
  CakeAttr names = cake_gpu_func_sizes(run->func);
  for (size_t t = 0; t < cake_pred_count(guard); t++) {
    CakePredTerm term = cake_pred_term(guard, t);
    int64_t value;
    if (term.compare != CAKE_COMPARE_EQ || cake_expr_kind(term.lhs) != CAKE_EXPR_NAME ||
        !cake_expr_eval(term.rhs, env, &value))
      continue;
    for (size_t i = 0; i < cake_attr_count(names); i++)
      if (cake_str_is(cake_attr_string_value(cake_attr_element(names, i)), cake_expr_name_of(term.lhs)->text))
        run->sizes[i] = value;
  }
}

// Sizes that the guard allows, equal ones where it can be. False: none were found.
static bool find_sizes(CakeWarpRun *run) {
  static const int64_t sizes[] = {512, 256, 1024, 128, 64, 2048, 4096, 32, 16, 8, 1};
  CakeAttr guard = cake_gpu_func_guard(run->func);
  CakeExprEnv env = {.name = size_by_name, .user = run};
  bool holds;
  for (size_t i = 0; i < CAKE_COUNT(sizes); i++) {
    for (size_t n = 0; n < cake_attr_count(cake_gpu_func_sizes(run->func)); n++)
      run->sizes[n] = sizes[i];
    if (!cake_attr_is(guard, &cake_attr_def_pred)) return true;
    follow_equations(run, guard, &env);
    if (cake_pred_eval(guard, &env, &holds) && holds) return true;
  }
  return false;
}

static void start(CakeWarpRun *run) {
  run->warps = CAKE_ARENA_ARRAY(run->arena, Warp, run->n_warps);
  for (int32_t warp = 0; warp < run->n_warps; warp++) {
    run->warps[warp].values = CAKE_ARENA_ARRAY(run->arena, LaneValue, run->n_values + 1);
    (void)enter(run, warp, run->func, 0, &(Frame){.lanes = UINT32_MAX});
  }
}

static void finish(CakeWarpRun *run) {
  for (CakeOp *op = run->func; op; op = cake_op_walk_next(run->func, op, false))
    for (uint32_t r = 0; r < op->n_regions; r++) {
      uintptr_t found;
      CakeBlock *block = cake_op_region(op, r)->first;
      if (block && cake_map_get(&run->blocks, block, &found)) CAKE_VEC_FINI(&((Block *)found)->instrs);
    }
  cake_map_fini(&run->numbers);
  cake_map_fini(&run->matters);
  cake_map_fini(&run->blocks);
  cake_arena_destroy(run->arena);
}

bool cake_warp_run(CakeOp *func, const CakeRunClient *client, size_t budget) {
  int64_t threads = cake_attr_int_value(cake_gpu_func_block(func));
  CakeWarpRun run = {.func = func, .client = client, .n_warps = (int32_t)(threads / LANES), .budget = budget};
  if (threads < LANES || threads % LANES || threads / LANES > CAKE_MAX_WARPS) return false;
  run.arena = cake_arena_create();
  run.sizes = CAKE_ARENA_ARRAY(run.arena, int64_t, cake_attr_count(cake_gpu_func_sizes(func)) + 1);
  analyse(&run);
  bool ok = run.n_values < MAX_VALUES && find_sizes(&run);
  if (ok) {
    start(&run);
    ok = run_all(&run);
  }
  finish(&run);
  return ok;
}
