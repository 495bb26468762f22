// The protocol of a kernel at the schedule level: a process a role instance; pipelines, orders and barriers.
//
// Slots are followed as values, through the loops and branches that carry them. `release … after` of an accumulator
// that its loop carries on gives the slot back behind the next group of matrix instructions, as the lowering does.
#include "cake/symbol.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/slots.h"
#include "verifier/protocol_compile.h"

// ---- Names -------------------------------------------------------------------------------------------------------------

static bool is_slot(const CakeValue *value) {
  return cake_type_is(value->type, &cake_type_def_slot);
}

// The symbol that an op names in an attribute, or through the type of an operand.
static CakeOp *named(const CakeOp *op) {
  for (uint32_t i = 0; i < op->info->n_props; i++)
    if (cake_op_prop(op, i) && cake_attr_is(cake_op_prop(op, i), &cake_attr_def_symbol_ref))
      return cake_symbol_lookup(op, cake_op_prop(op, i));
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeType type = cake_op_operand(op, i)->type;
    if (cake_type_is_linear(type) && type->count && type->params[0].kind == CAKE_PARAM_ID)
      return cake_symbol_lookup_name(op, type->params[0].id);
  }
  return NULL;
}

static bool is_each(const CakeOp *pipeline) {
  return cake_op_attr_text(pipeline, "each") != NULL;
}

// The object of a declaration; of the ring of one replica where each has its own.
static int32_t object_of(CakeCompiler *compiler, CakeOp *declaration) {
  for (size_t i = 0; i < compiler->model->objects.len; i++) {
    const CakeObject *object = &compiler->model->objects.data[i];
    if (object->rank != compiler->rank) continue;
    if (object->op == declaration && (object->replica < 0 || object->replica == compiler->instance)) return (int32_t)i;
  }
  return -1;
}

// ---- Actions -----------------------------------------------------------------------------------------------------------

typedef struct ActionRow {
  const char *name;
  CakeStepKind kind;
} ActionRow;

static const ActionRow actions[] = {
    {"cake.acquire", CAKE_STEP_ACQUIRE},
    {"cake.commit",  CAKE_STEP_COMMIT },
    {"cake.wait",    CAKE_STEP_WAIT   },
    {"cake.release", CAKE_STEP_RELEASE},
    {"cake.take",    CAKE_STEP_TAKE   },
    {"cake.pass",    CAKE_STEP_PASS   },
    {"cake.arrive",  CAKE_STEP_ARRIVE },
    {"cake.meet",    CAKE_STEP_MEET   },
};

static const ActionRow *row_of(const CakeOp *op) {
  for (size_t i = 0; op->info->dialect == &cake_dialect_cake && i < CAKE_COUNT(actions); i++)
    if (cake_op_is(op, actions[i].name)) return &actions[i];
  return NULL;
}

// An op that uses up a slot and is neither an action nor control flow: not known here.
static bool takes_slot(const CakeOp *op) {
  if (op->n_regions || cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR)) return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (is_slot(cake_op_operand(op, i))) return true;
  return false;
}

static bool is_group(const CakeOp *op) {
  bool is_mma = cake_is_cake_op(op, cake_op_cake_mma) && cake_type_is(op->results[0].type, &cake_type_def_pending);
  return is_mma || cake_is_cake_op(op, cake_op_cake_await);
}

static bool is_action(const CakeOp *op) {
  return row_of(op) || takes_slot(op) || is_group(op);
}

static bool is_root(const CakeUse *use) {
  return is_slot(use->value);
}

static bool is_computable(CakeCompiler *compiler, const CakeOp *op) {
  (void)compiler;
  (void)op;
  return false;
}

static bool number(CakeCompiler *compiler, const CakeValue *value, uint32_t lane, int32_t *out) {
  (void)lane;
  CakeOp *op = cake_value_def(value);
  if (!op) return false;
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) {
    CakeAttr attr = cake_op_attr_text(op, "value");
    if (!cake_attr_is(attr, &cake_attr_def_integer)) return false;
    int64_t wide = cake_attr_int_value(attr);
    *out = (int32_t)wide;
    return wide >= INT32_MIN && wide <= INT32_MAX;
  }
  if (cake_is_cake_op(op, cake_op_cake_index) && cake_cake_index_idx(op).count == 0) {
    CakeExprEnv env = {.instance = compiler->instance, .rank = compiler->rank};
    int64_t wide;
    if (!cake_expr_eval(cake_cake_index_expr(op), &env, &wide)) return false;
    *out = (int32_t)wide;
    return wide >= INT32_MIN && wide <= INT32_MAX;
  }
  return false;
}

// How many ops of a kind operate the pipeline in a loop.
static size_t count_in(CakeOp *loop, const CakeOp *pipeline, int enumerator) {
  size_t count = 0;
  for (CakeOp *op = loop; op; op = cake_op_walk_next(loop, op, false))
    count += cake_is_cake_op(op, enumerator) && cake_op_pipeline(op) == pipeline;
  return count;
}

// The accumulator behind which a slot is released goes on into the next round: so does the release, when there is
// another slot and each round takes one and gives one back.
static bool is_deferred(CakeOp *release, const CakeObject *pipeline) {
  CakeOp *loop = cake_op_parent(release);
  bool goes_on = false;
  for (uint32_t i = 1; i < release->n_operands; i++)
    for (const CakeUse *use = cake_op_operand(release, i)->first_use; use; use = use->next)
      goes_on = goes_on || cake_op_has_trait(use->owner, CAKE_TRAIT_TERMINATOR);
  return goes_on && pipeline->stages > 1 && count_in(loop, pipeline->op, cake_op_cake_wait) == 1 &&
         count_in(loop, pipeline->op, cake_op_cake_release) == 1;
}

static bool emit_barrier(CakeCompiler *compiler, CakeOp *op, const ActionRow *row, int32_t object) {
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_ARRIVE, .object = object, .count = 1, .op = op});
  if (row->kind == CAKE_STEP_MEET)
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_MEET, .object = object, .op = op});
  return true;
}

static bool emit(CakeCompiler *compiler, CakeOp *op) {
  const ActionRow *row = row_of(op);
  if (is_group(op)) {
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_GROUP, .op = op});
    return true;
  }
  CakeOp *declaration = row ? named(op) : NULL;
  int32_t object = declaration ? object_of(compiler, declaration) : -1;
  if (object < 0) return cake_model_limit(compiler->model, op, "the op is not modelled");
  CakeStep step = {.kind = row->kind, .object = object, .count = compiler->instance, .op = op};
  switch (row->kind) {
  case CAKE_STEP_ARRIVE:
  case CAKE_STEP_MEET: return emit_barrier(compiler, op, row, object);
  case CAKE_STEP_ACQUIRE:
  case CAKE_STEP_WAIT: step.dst = cake_compiler_define(compiler, &op->results[0]); break;
  case CAKE_STEP_COMMIT:
  case CAKE_STEP_RELEASE:
    if (!cake_compiler_arg(compiler, cake_op_operand(op, 0), op, &step.a)) return false;
    break;
  default: break;
  }
  if (row->kind == CAKE_STEP_RELEASE && is_deferred(op, &compiler->model->objects.data[object])) {
    step.kind = CAKE_STEP_DEFER;
    compiler->process.has_deferred = true;
  }
  // A commit that waits for matrix instructions ends them, and with them the releases behind them.
  if (row->kind == CAKE_STEP_COMMIT && cake_op_is(op, "cake.commit") && cake_cake_commit_after(op))
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_GROUP, .op = op});
  cake_compiler_step(compiler, step);
  return true;
}

static const CakeFront front = {is_action, is_root, is_computable, emit, number};

// ---- Declarations --------------------------------------------------------------------------------------------------------

static int64_t replicas_of(CakeOp *from, CakeAttr reference) {
  CakeOp *role =
      reference && cake_attr_is(reference, &cake_attr_def_symbol_ref) ? cake_symbol_lookup(from, reference) : NULL;
  CakeRoleShape shape;
  return role && cake_is_cake_op(role, cake_op_cake_role) && cake_role_shape(role, &shape) ? shape.replicas : -1;
}

static bool add_pipeline(CakeModel *model, CakeOp *op, int32_t rank) {
  CakeMulticast multicast;
  bool is_shared = cake_pipeline_multicast(op, &multicast);
  int64_t stages, rings = is_each(op) ? replicas_of(op, cake_cake_pipeline_from(op)) : 1;
  bool is_store = cake_op_attr_text(op, "store") != NULL;
  int64_t consumers = is_store ? 0 : replicas_of(op, cake_op_attr_text(op, "to"));
  if (!cake_expr_is_const(cake_cake_pipeline_stages(op), &stages) || rings < 1 || consumers < 0)
    return cake_model_limit(model, op, "its stages and roles have no numbers yet");
  if (stages < 1 || stages > 64 || consumers * model->cluster > 30 || consumers > 16 || (rings > 1 && !is_store))
    return cake_model_limit(model, op, "a pipeline like this is not modelled");
  for (int64_t i = 0; i < rings; i++)
    CAKE_PUSH(&model->objects, ((CakeObject){.kind = CAKE_OBJECT_PIPELINE,
                                             .op = op,
                                             .stages = (int32_t)stages,
                                             .consumers = (int32_t)consumers,
                                             .replica = is_each(op) ? (int32_t)i : -1,
                                             .rank = rank,
                                             .sharers = is_shared ? multicast.masks[rank] : UINT32_C(1) << rank}));
  return true;
}

static bool count_roles(CakeOp *barrier, CakeAttr roles, int32_t *count) {
  for (size_t i = 0; roles && i < cake_attr_count(roles); i++) {
    int64_t replicas = replicas_of(barrier, cake_attr_element(roles, i));
    if (replicas < 1) return false;
    *count += (int32_t)replicas;
  }
  return true;
}

static bool add_barrier(CakeModel *model, CakeOp *op, int32_t rank) {
  int32_t count = 0;
  if (!count_roles(op, cake_cake_barrier_arrive(op), &count) || !count_roles(op, cake_cake_barrier_meet(op), &count))
    return cake_model_limit(model, op, "its roles have no numbers of replicas yet");
  CAKE_PUSH(&model->objects,
            ((CakeObject){
                .kind = CAKE_OBJECT_BARRIER, .op = op, .replica = -1, .rank = rank, .address = -1, .count = count}));
  return true;
}

static bool add_object(CakeModel *model, CakeOp *op, int32_t rank) {
  if (cake_is_cake_op(op, cake_op_cake_pipeline)) return add_pipeline(model, op, rank);
  if (cake_op_is(op, "cake.order")) {
    int64_t turns = -1;
    for (uint32_t i = 0; i < op->info->n_props && turns < 0; i++)
      turns = replicas_of(op, cake_op_prop(op, i));
    if (turns < 1) return cake_model_limit(model, op, "its role has no number of replicas yet");
    CAKE_PUSH(
        &model->objects,
        ((CakeObject){.kind = CAKE_OBJECT_ORDER, .op = op, .consumers = (int32_t)turns, .replica = -1, .rank = rank}));
  }
  return !cake_is_cake_op(op, cake_op_cake_barrier) || add_barrier(model, op, rank);
}

// ---- Roles -----------------------------------------------------------------------------------------------------------------

static const char *name_of(const CakeCompiler *compiler, const CakeOp *role, int64_t replicas) {
  CakeBuf name = {0};
  cake_buf_printf(&name, "@%s", cake_symbol_name(role)->text);
  if (replicas > 1) cake_buf_printf(&name, ".%d", (int)compiler->instance);
  if (compiler->model->cluster > 1) cake_buf_printf(&name, " of CTA %d", (int)compiler->rank);
  const char *text = cake_arena_str(compiler->model->arena, cake_buf_view(&name)).ptr;
  cake_buf_fini(&name);
  return text;
}

static void add_role(CakeCompiler *compiler, CakeOp *role) {
  CakeRoleShape shape;
  if (!cake_role_shape(role, &shape)) {
    cake_model_limit(compiler->model, role, "its shape has no numbers yet");
    return;
  }
  if (compiler->rank == 0) cake_compiler_analyse(compiler, role);
  for (int32_t i = 0; i < (int32_t)shape.replicas; i++) {
    compiler->instance = compiler->process.instance = i;
    compiler->process.role = role;
    compiler->process.name = name_of(compiler, role, shape.replicas);
    cake_compiler_region(compiler, cake_op_region(role, 0));
    cake_compiler_finish(compiler);
  }
}

static void add_cta(CakeCompiler *compiler, CakeBlock *body) {
  CakeModel *model = compiler->model;
  for (CakeOp *op = body ? body->first : NULL; op && !model->limit; op = op->next) {
    if (cake_is_cake_op(op, cake_op_cake_param))
      cake_model_limit(model, op, "parameters have no values yet");
    else if (cake_is_cake_op(op, cake_op_cake_role))
      add_role(compiler, op);
    else
      (void)add_object(model, op, compiler->rank);
  }
}

void cake_model_kernel(CakeModel *model, CakeOp *kernel) {
  CakeCompiler compiler = cake_compiler_create(model, &front);
  for (compiler.rank = 0; compiler.rank < model->cluster && !model->limit; compiler.rank++)
    add_cta(&compiler, cake_op_region(kernel, 0)->first);
  cake_compiler_destroy(&compiler);
}
