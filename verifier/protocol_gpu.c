// The protocol of a function at the gpu level: a process a group of equal warps; mbarriers and named barriers.
//
// PTX ISA, "mbarrier": a phase completes when all expected arrivals have come and all expected bytes have landed; a
// wait for a parity passes when the phase that is under way has the other one. "bar": a barrier completes when as many
// threads have arrived as the instruction says; warps arrive as a whole.
//
// Warps with the same program are one process for one of them, which may fall behind, and one for all others.
#include "cake/symbol.h"
#include "dialects/arith/arith_ops.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/lanes.h"
#include "verifier/protocol_compile.h"
#include "verifier/proxy_accesses.h"
#include "verifier/uses.h"

#include <string.h>

enum { MAX_WARPS = 32 };

// ---- Which ops ---------------------------------------------------------------------------------------------------------

typedef enum ActionKind {
  ACTION_NONE,
  ACTION_INIT,
  ACTION_ARRIVE,
  ACTION_REMOTE, // at an mbarrier of another CTA
  ACTION_COMMIT, // of a whole warp, one of whose threads arrives
  ACTION_EXPECT,
  ACTION_WAIT,
  ACTION_TMA,
  ACTION_MULTICAST,
  ACTION_BULK,
  ACTION_COPY,
  ACTION_BARRIER,
  ACTION_CLUSTER,
  ACTION_NAMED_MEET,
  ACTION_NAMED_ARRIVE,
  ACTION_UNKNOWN,
} ActionKind;

static const struct {
  const char *name;
  ActionKind kind;
} actions[] = {
    {"gpu.mbarrier_init",             ACTION_INIT        },
    {"gpu.mbarrier_arrive",           ACTION_ARRIVE      },
    {"gpu.cp_async_mbarrier_arrive",  ACTION_ARRIVE      },
    {"gpu.tcgen05_commit",            ACTION_ARRIVE      },
    {"gpu.mbarrier_arrive_expect_tx", ACTION_EXPECT      },
    {"gpu.mbarrier_wait",             ACTION_WAIT        },
    {"gpu.tma_load",                  ACTION_TMA         },
    {"gpu.bulk_load",                 ACTION_BULK        },
    {"gpu.mbarrier_arrive_remote",    ACTION_REMOTE      },
    {"gpu.tma_load_multicast",        ACTION_MULTICAST   },
    {"gpu.barrier",                   ACTION_BARRIER     },
    {"gpu.cluster_barrier",           ACTION_CLUSTER     },
    {"gpu.named_barrier",             ACTION_NAMED_MEET  },
    {"gpu.named_barrier_arrive",      ACTION_NAMED_ARRIVE},
};

// Whether an op of the gpu dialect takes a barrier: one that is not in the table is not modelled.
static bool has_barrier(const CakeOp *op) {
  for (uint32_t i = 0; i < op->info->def->n_operands; i++)
    if (strcmp(op->info->def->operands[i].name, "barrier") == 0) return true;
  return strstr(op->info->name->text, "barrier") && !cake_is_gpu_op(op, cake_op_gpu_mbarrier_init_fence);
}

static ActionKind kind_of(const CakeOp *op) {
  if (op->info->dialect == &cake_dialect_cake) {
    if (cake_is_cake_op(op, cake_op_cake_copy)) return cake_cake_copy_barrier(op) ? ACTION_COPY : ACTION_UNKNOWN;
    if (cake_is_cake_op(op, cake_op_cake_commit_mma)) return ACTION_COMMIT;
    bool is_slot_op = cake_is_cake_op(op, cake_op_cake_acquire) || cake_is_cake_op(op, cake_op_cake_wait) ||
                      cake_is_cake_op(op, cake_op_cake_commit) || cake_is_cake_op(op, cake_op_cake_release) ||
                      cake_is_cake_op(op, cake_op_cake_pipeline);
    return is_slot_op ? ACTION_UNKNOWN : ACTION_NONE;
  }
  if (op->info->dialect != &cake_dialect_gpu) return ACTION_NONE;
  for (size_t i = 0; i < CAKE_COUNT(actions); i++)
    if (cake_op_is(op, actions[i].name)) return actions[i].kind;
  return has_barrier(op) ? ACTION_UNKNOWN : ACTION_NONE;
}

static bool is_action(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_copy) && cake_via_of(cake_cake_copy_via(op)) == CAKE_VIA_CP_ASYNC) return false;
  return kind_of(op) != ACTION_NONE;
}

static bool is_root(const CakeUse *use) {
  const CakeOperandDef *row = cake_use_row(use);
  return row &&
         (strcmp(row->name, "barrier") == 0 || strcmp(row->name, "parity") == 0 || strcmp(row->name, "id") == 0 ||
          (strcmp(row->name, "bytes") == 0 && cake_is_gpu_op(use->owner, cake_op_gpu_bulk_load)));
}

// ---- Values ------------------------------------------------------------------------------------------------------------

static bool is_computable(CakeCompiler *compiler, const CakeOp *op) {
  CakeAlu ignored;
  (void)compiler;
  return cake_lane_alu(op, &ignored) || cake_lane_is_cast(op) || cake_is_arith_op(op, cake_op_arith_select) ||
         cake_op_has_trait(op, CAKE_TRAIT_CONSTANT) || cake_is_gpu_op(op, cake_op_gpu_shared_memory);
}

static bool number(CakeCompiler *compiler, const CakeValue *value, uint32_t lane, int32_t *out) {
  return cake_lane_number_in(value, compiler->rank, compiler->warp, lane, out);
}

static bool emit_value(CakeCompiler *compiler, CakeOp *op) {
  CakeStep step = {.kind = CAKE_STEP_ALU, .op = op};
  int32_t ignored;
  if (cake_compiler_number(compiler, &op->results[0], &ignored)) return true; // used as a number
  if (!is_computable(compiler, op)) return true;                              // who needs it says so
  bool ok = cake_compiler_arg(compiler, cake_op_operand(op, 0), op, &step.a);
  if (cake_lane_is_cast(op)) {
    step.kind = CAKE_STEP_SET;
  } else {
    ok = ok && cake_compiler_arg(compiler, cake_op_operand(op, 1), op, &step.b);
    if (ok && cake_is_arith_op(op, cake_op_arith_select)) {
      step.kind = CAKE_STEP_SELECT;
      ok = cake_compiler_arg(compiler, cake_op_operand(op, 2), op, &step.c);
    } else if (ok) {
      ok = cake_lane_alu(op, &step.alu);
    }
  }
  if (!ok) return false;
  step.dst = cake_compiler_define(compiler, &op->results[0]);
  cake_compiler_step(compiler, step);
  return true;
}

// ---- Roles ---------------------------------------------------------------------------------------------------------------

// The role that a warp belongs to, by the launch facts of the function; its name is "" when they do not say.
typedef struct Role {
  CakeStr name;
  int64_t first_warp, warps, replicas;
} Role;

static bool read_fact(CakeAttr role, const char *name, int64_t *out) {
  CakeAttr fact = cake_attr_lookup_text(role, name);
  if (!cake_attr_is(fact, &cake_attr_def_integer)) return false;
  *out = cake_attr_int_value(fact);
  return true;
}

static Role role_of(const CakeOp *func, int32_t warp) {
  CakeAttr roles = cake_gpu_func_roles(func);
  for (size_t i = 0; roles && i < cake_attr_count(roles); i++) {
    CakeAttr entry = cake_attr_element(roles, i);
    Role role;
    if (!cake_attr_is(entry, &cake_attr_def_dictionary)) continue;
    CakeAttr name = cake_attr_lookup_text(entry, "name");
    if (!cake_attr_is(name, &cake_attr_def_string) || !read_fact(entry, "first_warp", &role.first_warp) ||
        !read_fact(entry, "warps", &role.warps) || !read_fact(entry, "replicas", &role.replicas) || role.warps < 1)
      continue;
    role.name = cake_attr_string_value(name);
    if (warp >= role.first_warp && warp - role.first_warp < role.warps * role.replicas) return role;
  }
  return (Role){CAKE_STR(""), warp, 1, 1};
}

// ---- Bytes ---------------------------------------------------------------------------------------------------------------

static int64_t landing_bytes(CakeCompiler *compiler, CakeOp *op, ActionKind kind) {
  if (kind == ACTION_MULTICAST)
    return cake_gpu_box_bytes(cake_op_parent_named(op, "gpu.func"), cake_gpu_tma_load_multicast_map(op));
  if (kind == ACTION_TMA) return cake_gpu_box_bytes(cake_op_parent_named(op, "gpu.func"), cake_gpu_tma_load_map(op));
  if (kind == ACTION_COPY) return cake_shared_bytes(cake_cake_copy_view(op)->type);
  int32_t bytes;
  return cake_compiler_number(compiler, cake_gpu_bulk_load_bytes(op), &bytes) ? bytes : -1;
}

// ---- Actions ---------------------------------------------------------------------------------------------------------------

static int32_t lane_count(uint32_t lanes) {
  int32_t count = 0;
  for (; lanes; lanes &= lanes - 1)
    count++;
  return count;
}

static int32_t named_object(CakeCompiler *compiler, CakeOp *op, int32_t id, int32_t threads) {
  CakeModel *model = compiler->model;
  bool is_cluster = id == CAKE_CLUSTER_BARRIER;
  int32_t address = is_cluster ? id : -1 - id - compiler->rank * CAKE_CTA_BARRIERS;
  for (size_t i = 0; i < model->objects.len; i++) {
    CakeObject *object = &model->objects.data[i];
    if (object->address != address) continue;
    if (object->count != threads)
      cake_model_limit(model, op, "the uses of the barrier name different numbers of threads");
    return (int32_t)i;
  }
  CAKE_PUSH(&model->objects, ((CakeObject){.kind = CAKE_OBJECT_BARRIER,
                                           .replica = -1,
                                           .rank = is_cluster ? 0 : compiler->rank,
                                           .address = address,
                                           .count = threads}));
  return (int32_t)model->objects.len - 1;
}

static bool emit_named(CakeCompiler *compiler, CakeOp *op, ActionKind kind) {
  CakeOp *func = cake_op_parent_named(op, "gpu.func");
  bool is_named = kind != ACTION_BARRIER && kind != ACTION_CLUSTER;
  int32_t id = kind == ACTION_CLUSTER ? CAKE_CLUSTER_BARRIER : 0;
  int64_t threads = cake_attr_int_value(is_named ? cake_op_attr_text(op, "threads") : cake_gpu_func_block(func));
  if (kind == ACTION_CLUSTER) threads *= compiler->model->cluster;
  if (is_named && !cake_compiler_number(compiler, cake_op_operand(op, 0), &id))
    return cake_model_limit(compiler->model, op, "which barrier it is follows from a value that is not known");
  if (compiler->lanes != UINT32_MAX)
    return cake_model_limit(compiler->model, op, "threads of one warp part before a barrier of whole warps");
  if (threads < 1 || threads > INT32_MAX) return cake_model_limit(compiler->model, op, "its number of threads");
  int32_t object = named_object(compiler, op, id, (int32_t)threads);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_ARRIVE, .object = object, .count = 32, .op = op});
  if (kind != ACTION_NAMED_ARRIVE)
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_MEET, .object = object, .op = op});
  return true;
}

// A step at the barrier that lies in another CTA where that of `step` lies here.
static void emit_in(CakeCompiler *compiler, CakeStep step, int32_t rank) {
  int32_t distance = (rank - compiler->rank) * CAKE_CTA_WINDOW;
  if (!step.a.is_register) {
    step.a.value += distance;
  } else if (distance) {
    int32_t there = cake_compiler_temporary(compiler);
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_ALU,
                                            .alu = CAKE_ALU_ADD,
                                            .dst = there,
                                            .a = step.a,
                                            .b = cake_arg_number(distance),
                                            .op = step.op});
    step.a = cake_arg_register(there);
  }
  cake_compiler_step(compiler, step);
}

// The CTAs that a copy goes to; 0: its own alone. False: not known.
static bool mask_of(CakeCompiler *compiler, CakeOp *op, ActionKind kind, int32_t *out) {
  CakeMulticast multicast;
  *out = 0;
  if (kind == ACTION_MULTICAST && !cake_compiler_number(compiler, cake_gpu_tma_load_multicast_mask(op), out))
    return cake_model_limit(compiler->model, op, "which CTAs it goes to is not known");
  if (*out < 0 || *out >= 1 << compiler->model->cluster)
    return cake_model_limit(compiler->model, op, "it goes to CTAs that the cluster does not have");
  if (kind == ACTION_COPY && cake_copy_multicast(op, &multicast)) *out = (int32_t)multicast.masks[compiler->rank];
  return true;
}

static bool emit_landing(CakeCompiler *compiler, CakeOp *op, ActionKind kind, CakeStep step) {
  int64_t bytes = landing_bytes(compiler, op, kind);
  int32_t mask;
  if (bytes < 0) return cake_model_limit(compiler->model, op, "how many bytes it copies is not known");
  if (!mask_of(compiler, op, kind, &mask)) return false;
  // A copy that is not expanded yet is one of the whole role: its first warp makes it.
  Role role = role_of(cake_op_parent_named(op, "gpu.func"), compiler->warp);
  if (kind == ACTION_COPY && (compiler->warp - role.first_warp) % role.warps != 0) return true;
  if (kind == ACTION_COPY && mask) bytes /= cake_multicast_count((uint32_t)mask);
  step.kind = CAKE_STEP_LAND;
  step.bytes = (int32_t)bytes * (kind == ACTION_COPY ? 1 : lane_count(compiler->lanes));
  if (!mask) mask = 1 << compiler->rank;
  for (int32_t rank = 0; rank < compiler->model->cluster; rank++)
    if (mask >> rank & 1) emit_in(compiler, step, rank);
  return true;
}

static bool emit_remote(CakeCompiler *compiler, CakeOp *op, CakeStep step) {
  int32_t rank;
  if (!cake_compiler_number(compiler, cake_gpu_mbarrier_arrive_remote_rank(op), &rank))
    return cake_model_limit(compiler->model, op, "in which CTA it arrives is not known");
  if (rank < 0 || rank >= compiler->model->cluster)
    return cake_model_limit(compiler->model, op, "it arrives in a CTA that the cluster does not have");
  step.count = lane_count(compiler->lanes);
  emit_in(compiler, step, rank);
  return true;
}

static CakeValue *barrier_of(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeOperandDef *row = cake_use_row(&op->operands[i]);
    if (row && strcmp(row->name, "barrier") == 0) return cake_op_operand(op, i);
  }
  return NULL;
}

static bool emit(CakeCompiler *compiler, CakeOp *op) {
  ActionKind kind = kind_of(op);
  CakeStep step = {.kind = CAKE_STEP_ARRIVE, .object = -1, .op = op};
  if (kind == ACTION_NONE) return emit_value(compiler, op);
  if (kind == ACTION_UNKNOWN) return cake_model_limit(compiler->model, op, "the op is not modelled");
  if (kind >= ACTION_BARRIER) return emit_named(compiler, op, kind);
  CakeValue *barrier = barrier_of(op);
  if (!barrier) return cake_model_limit(compiler->model, op, "the op is not modelled");
  if (!cake_compiler_arg(compiler, barrier, op, &step.a)) return false;
  int32_t threads = lane_count(compiler->lanes);
  switch (kind) {
  case ACTION_INIT:
    step.kind = CAKE_STEP_INIT;
    step.count = (int32_t)cake_attr_int_value(cake_gpu_mbarrier_init_count(op));
    break;
  case ACTION_ARRIVE:
    step.count = threads;
    step.is_late =
        cake_is_gpu_op(op, cake_op_gpu_cp_async_mbarrier_arrive) || cake_is_gpu_op(op, cake_op_gpu_tcgen05_commit);
    break;
  case ACTION_REMOTE: return emit_remote(compiler, op, step);
  case ACTION_COMMIT: // one thread of the warp
    step.count = 1;
    step.is_late = true;
    break;
  case ACTION_EXPECT:
    step.count = threads;
    step.bytes = (int32_t)cake_attr_int_value(cake_gpu_mbarrier_arrive_expect_tx_bytes(op)) * threads;
    break;
  case ACTION_WAIT:
    step.kind = CAKE_STEP_PARITY;
    if (!cake_compiler_arg(compiler, cake_gpu_mbarrier_wait_parity(op), op, &step.b)) return false;
    break;
  default: return emit_landing(compiler, op, kind, step);
  }
  cake_compiler_step(compiler, step);
  return true;
}

static const CakeFront front = {is_action, is_root, is_computable, emit, number};

// ---- Groups of equal warps ---------------------------------------------------------------------------------------------------

static bool same_arg(CakeArg a, CakeArg b) {
  return a.value == b.value && a.is_register == b.is_register;
}

static bool same_program(const CakeProcess *a, const CakeProcess *b) {
  if (a->steps.len != b->steps.len || a->n_registers != b->n_registers) return false;
  for (size_t i = 0; i < a->steps.len; i++) {
    const CakeStep *x = &a->steps.data[i], *y = &b->steps.data[i];
    if (x->kind != y->kind || x->alu != y->alu || x->dst != y->dst || x->target != y->target ||
        x->object != y->object || x->count != y->count || x->bytes != y->bytes || x->op != y->op ||
        !same_arg(x->a, y->a) || !same_arg(x->b, y->b) || !same_arg(x->c, y->c))
      return false;
  }
  return true;
}

// Behind the first rendezvous, where set-up ends.
static size_t tail_of(const CakeProcess *process) {
  size_t i = 0;
  while (i < process->steps.len && process->steps.data[i].kind != CAKE_STEP_MEET)
    i++;
  return i < process->steps.len ? i + 1 : 0;
}

// Ops in the same order have registers in the same order: those need not be compared.
static bool same_tail(const CakeProcess *a, const CakeProcess *b) {
  size_t i = tail_of(a), k = tail_of(b);
  if (!i || !k || a->steps.len - i != b->steps.len - k) return false;
  for (; i < a->steps.len; i++, k++) {
    const CakeStep *x = &a->steps.data[i], *y = &b->steps.data[k];
    if (x->kind != y->kind || x->alu != y->alu || x->op != y->op || x->object != y->object || x->count != y->count ||
        x->bytes != y->bytes)
      return false;
  }
  return true;
}

typedef struct Group {
  int32_t first, last, count; // its warps
  uint32_t warps;             // a bit each, those of CTAs of a cluster behind one another
} Group;

static const char *name_warps(const CakeModel *model, const CakeProcess *process, const Group *group, int32_t first,
                              int32_t count) {
  CakeStr role = role_of(model->root, group->first).name;
  CakeBuf name = {0};
  if (role.len) cake_buf_printf(&name, "@%.*s ", CAKE_STR_ARG(role));
  cake_buf_printf(&name, count == 1 ? "warp %d" : "warps %d", (int)first);
  if (count > 1) cake_buf_printf(&name, group->last - first == count - 1 ? "-%d" : " … %d", (int)group->last);
  if (model->cluster > 1) cake_buf_printf(&name, " of CTA %d", (int)process->rank);
  const char *text = cake_arena_str(model->arena, cake_buf_view(&name)).ptr;
  cake_buf_fini(&name);
  return text;
}

// The bit of a warp; more than 32 of a cluster are not told apart.
static uint32_t bit_of(const CakeCompiler *compiler, int32_t warps, int32_t warp) {
  int32_t number = compiler->rank * warps + warp;
  return number < 32 ? UINT32_C(1) << number : 0;
}

static void compile_warps(CakeCompiler *compiler, CakeOp *func, Group *groups) {
  int32_t warps = (int32_t)cake_attr_int_value(cake_gpu_func_block(func)) / 32;
  CakeModel *model = compiler->model;
  size_t first = model->processes.len; // of the CTA
  for (int32_t warp = 0; warp < warps && !model->limit; warp++) {
    compiler->warp = warp;
    compiler->lanes = UINT32_MAX;
    cake_compiler_region(compiler, cake_op_region(func, 0));
    size_t i = first;
    while (i < model->processes.len && !same_program(&model->processes.data[i], &compiler->process))
      i++;
    if (i < model->processes.len) {
      groups[i].last = warp;
      groups[i].count++;
      groups[i].warps |= bit_of(compiler, warps, warp);
      cake_compiler_drop(compiler);
    } else if (i < CAKE_MAX_PROCESSES) {
      groups[i] = (Group){warp, warp, 1, bit_of(compiler, warps, warp)};
      cake_compiler_finish(compiler);
    } else {
      cake_model_limit(model, func, "it has more programs of warps, in all CTAs of a cluster, than are modelled");
      cake_compiler_drop(compiler);
    }
  }
}

// One warp of each group, and the others together.
static void split_groups(CakeModel *model, const Group *groups) {
  for (size_t i = 0, n = model->processes.len; i < n; i++) {
    CakeProcess *process = &model->processes.data[i];
    size_t like = 0;
    while (like < i &&
           (model->processes.data[like].rank != process->rank || !same_tail(&model->processes.data[like], process)))
      like++;
    uint32_t first = groups[i].warps & (~groups[i].warps + 1);
    process->name = name_warps(model, process, &groups[i], groups[i].first, 1);
    process->warps = like < i ? groups[i].warps : first;
    if (like < i) { // another does what it can do
      process->weight = groups[i].count;
      process->name = name_warps(model, process, &groups[i], groups[i].first, groups[i].count);
    }
    if (groups[i].count == 1 || like < i) continue;
    CakeProcess rest = {.n_registers = process->n_registers,
                        .weight = groups[i].count - 1,
                        .rank = process->rank,
                        .warps = groups[i].warps & ~first};
    for (size_t s = 0; s < process->steps.len; s++)
      CAKE_PUSH(&rest.steps, process->steps.data[s]);
    rest.name = name_warps(model, process, &groups[i], groups[i].first + 1, groups[i].count - 1);
    CAKE_PUSH(&model->processes, rest);
  }
}

// ---- Which mbarriers there are -----------------------------------------------------------------------------------------------

static int32_t read_arg(const int32_t *registers, CakeArg arg) {
  return arg.is_register ? registers[arg.value] : arg.value;
}

static void add_mbarrier(CakeModel *model, int32_t address) {
  for (size_t i = 0; i < model->objects.len; i++)
    if (model->objects.data[i].address == address) return;
  CAKE_PUSH(&model->objects,
            ((CakeObject){
                .kind = CAKE_OBJECT_BARRIER, .replica = -1, .rank = address / CAKE_CTA_WINDOW, .address = address}));
}

// Runs a process up to its first action that is no set-up of an mbarrier.
static void find_mbarriers(CakeModel *model, const CakeProcess *process) {
  int32_t *registers = CAKE_ARENA_ARRAY(model->arena, int32_t, process->n_registers + 1);
  int32_t at = 0;
  for (int n = 0; n < 10000; n++) {
    const CakeStep *step = &process->steps.data[at++];
    int32_t a = read_arg(registers, step->a), b = read_arg(registers, step->b);
    switch (step->kind) {
    case CAKE_STEP_SET: registers[step->dst] = a; break;
    case CAKE_STEP_ALU: registers[step->dst] = cake_alu_apply(step->alu, a, b); break;
    case CAKE_STEP_SELECT: registers[step->dst] = a ? b : read_arg(registers, step->c); break;
    case CAKE_STEP_JUMP: at = step->target; break;
    case CAKE_STEP_UNLESS:
      if (!a) at = step->target;
      break;
    case CAKE_STEP_INIT: add_mbarrier(model, a); break;
    default: return;
    }
  }
}

// A function that sets up no mbarrier shares those of somebody else.
static void check_set_up(CakeModel *model) {
  CakeOp *user = NULL;
  for (size_t i = 0; i < model->processes.len; i++)
    for (size_t s = 0; s < model->processes.data[i].steps.len; s++) {
      const CakeStep *step = &model->processes.data[i].steps.data[s];
      if (step->kind == CAKE_STEP_INIT) return;
      if (step->kind >= CAKE_STEP_ARRIVE && step->kind <= CAKE_STEP_PARITY && step->object < 0) user = step->op;
    }
  if (user) cake_model_limit(model, user, "the mbarrier is set up somewhere else");
}

// Addresses that are numbers need not be looked up again.
static void resolve(CakeModel *model, CakeProcess *process) {
  for (size_t i = 0; i < process->steps.len; i++) {
    CakeStep *step = &process->steps.data[i];
    if (step->kind < CAKE_STEP_INIT || step->kind > CAKE_STEP_PARITY || step->object >= 0 || step->a.is_register)
      continue;
    for (size_t k = 0; k < model->objects.len; k++)
      if (model->objects.data[k].address == step->a.value) step->object = (int32_t)k;
  }
}

void cake_model_function(CakeModel *model, CakeOp *func) {
  CakeCompiler compiler = cake_compiler_create(model, &front);
  Group groups[CAKE_MAX_PROCESSES];
  int64_t threads = cake_attr_int_value(cake_gpu_func_block(func));
  if (threads % 32 || threads / 32 > MAX_WARPS) {
    cake_model_limit(model, func, "its threads are not whole warps");
  } else {
    cake_compiler_analyse(&compiler, func);
    for (compiler.rank = 0; compiler.rank < model->cluster && !model->limit; compiler.rank++)
      compile_warps(&compiler, func, groups);
    for (size_t i = 0; i < model->processes.len; i++)
      find_mbarriers(model, &model->processes.data[i]);
    for (size_t i = 0; i < model->processes.len; i++)
      resolve(model, &model->processes.data[i]);
    check_set_up(model);
    split_groups(model, groups);
  }
  cake_compiler_destroy(&compiler);
}
