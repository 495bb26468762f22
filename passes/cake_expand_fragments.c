// cake-expand-fragments: what a role instance does together becomes what each of its threads does.
//
// Fragments become vectors (fragments.h), views become pointers, a running best becomes two vectors, and loops and branches carry those.
// Each schedule-level op is lowered by its entry of one table; what it became is kept beside it, and the old ops go at the end.
#include "dialects/cake/cake_accessors.h"
#include "dialects/gpu/gpu_accessors.h"
#include "passes/fragments.h"
#include "passes/passes.h"

// ---- What values became --------------------------------------------------------------------------------------------------

bool cake_fragments_is_schedule_type(CakeType type) {
  CakeFragment fragment;
  return type->def->dialect == &cake_dialect_cake || cake_fragment_of(type, &fragment);
}

CakeThreadValues cake_fragments_get_values(const CakeFragments *expand, const CakeValue *value) {
  uintptr_t found;
  if (cake_map_get(&expand->values, value, &found)) return *(const CakeThreadValues *)found;
  return (CakeThreadValues){{NULL}, 0};
}

CakeValue *cake_fragments_get_value(const CakeFragments *expand, const CakeValue *value) {
  CakeThreadValues values = cake_fragments_get_values(expand, value);
  return values.count ? values.values[0] : NULL;
}

void cake_fragments_set_values(CakeFragments *expand, const CakeValue *value, CakeThreadValues values) {
  CakeThreadValues *kept = CAKE_ARENA_NEW(expand->scratch, CakeThreadValues);
  *kept = values;
  if (values.count == 1 && value->name && !values.values[0]->name) values.values[0]->name = value->name;
  cake_map_set(&expand->values, value, (uintptr_t)kept);
}

void cake_fragments_set_value(CakeFragments *expand, const CakeValue *value, CakeValue *thread_value) {
  cake_fragments_set_values(expand, value, (CakeThreadValues){{thread_value}, 1});
}

static bool has_values(const CakeFragments *expand, const CakeValue *value) {
  uintptr_t found;
  return cake_map_get(&expand->values, value, &found);
}

static void kill_op(CakeFragments *expand, CakeOp *op) {
  cake_map_set(&expand->dead, op, 1);
  CAKE_PUSH(&expand->dead_ops, op);
}

// The types of the thread-level values of a schedule-level type that may be carried by a loop or branch; 0: reported.
static uint32_t thread_types(CakeOp *op, CakeType type, CakeType out[2]) {
  CakeLayout layout;
  if (cake_type_is(type, &cake_type_def_best)) return cake_fragments_best_types(op, type, out) ? 2 : 0;
  bool is_pending = cake_type_is(type, &cake_type_def_pending);
  if (cake_fragments_is_in_tmem(type)) {
    out[0] = cake_type_i32(op->context); // its address
    out[1] = cake_type_i1(op->context);
    return 2;
  }
  if (is_pending) type = cake_fragments_pending_fragment(type);
  if (!cake_layout_of(op, type, &layout)) return 0;
  out[0] = cake_layout_vector(&layout);
  out[1] = cake_type_i1(op->context);
  return is_pending ? 2 : 1;
}

// ---- Simple ops ----------------------------------------------------------------------------------------------------------

static bool lower_earlier(CakeFragments *expand, CakeOp *op) {
  (void)expand;
  return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                    "is lowered by an earlier pass; run cake-expand-roles and cake-expand-pipelines first");
}

static bool lower_pipeline(CakeFragments *expand, CakeOp *op) { // a declaration; its ops are expanded
  (void)expand, (void)op;
  return true;
}

static bool lower_index(CakeFragments *expand, CakeOp *op) {
  CakeLowerEnv env = cake_fragments_env(expand, cake_cake_index_idx(op));
  CakeValue *value = cake_lower_expr(expand->rewriter, op, cake_cake_index_expr(op), &env);
  if (!value) return false;
  cake_rewriter_replace_uses(expand->rewriter, cake_op_result(op, 0), value);
  return true;
}

static bool lower_fill(CakeFragments *expand, CakeOp *op) {
  CakeLayout layout;
  if (!cake_layout_of(op, cake_op_result(op, 0)->type, &layout)) return false;
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_constant(expand, cake_layout_vector(&layout), cake_cake_fill_value(op)));
  return true;
}

// One value a row (column) slot becomes one an element.
static bool spread_slots(CakeFragments *expand, CakeOp *op, const CakeLayout *to) {
  CakeLayout from;
  CakeValue *value = cake_cake_spread_value(op);
  if (!cake_layout_of(op, value->type, &from)) return false;
  if (from.fragment.base != to->fragment.base || from.fragment.part == CAKE_FORM_WHOLE) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "spreads '%s' over another form", cake_type_text(value->type));
  }
  CakeValue **slots =
      cake_fragments_unpack(expand, cake_fragments_get_value(expand, value), from.fragment.element, from.count);
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, to->count);
  bool is_row = from.fragment.part == CAKE_FORM_ROW;
  if (to->fragment.part != CAKE_FORM_WHOLE) { // a part has the row's registers
    cake_fragments_set_value(expand, cake_op_result(op, 0), cake_fragments_get_value(expand, value));
    return true;
  }
  for (uint32_t i = 0; i < to->count; i++)
    parts[i] = slots[is_row ? cake_layout_row_slot(to, i) : cake_layout_col_slot(to, i)];
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_pack(expand, parts, to->count, cake_layout_vector(to)));
  return true;
}

static bool lower_spread(CakeFragments *expand, CakeOp *op) {
  CakeLayout layout;
  CakeValue *value = cake_cake_spread_value(op);
  if (!cake_layout_of(op, cake_op_result(op, 0)->type, &layout)) return false;
  if (cake_fragments_is_schedule_type(value->type)) return spread_slots(expand, op, &layout);
  CakeValue *splat = cake_build_unary(expand->rewriter, "gpu.splat", cake_layout_vector(&layout), value);
  cake_fragments_set_value(expand, cake_op_result(op, 0), splat);
  return true;
}

static bool lower_zero(CakeFragments *expand, CakeOp *op) { // the first MMA does not read it
  CakeLayout layout;
  if (cake_fragments_is_in_tmem(cake_op_result(op, 0)->type)) return cake_fragments_tmem_zero(expand, op);
  if (!cake_layout_of(op, cake_fragments_pending_fragment(cake_op_result(op, 0)->type), &layout)) return false;
  CakeValue *acc = cake_build1(expand->rewriter, "gpu.poison", cake_layout_vector(&layout), NULL, 0);
  CakeValue *nothing = cake_lower_const(expand->rewriter, cake_type_i1(expand->context), 0);
  cake_fragments_set_values(expand, cake_op_result(op, 0),
                            (CakeThreadValues){
                                {acc, nothing},
                                2
  });
  return true;
}

// ---- The table: one entry an op of the dialect ---------------------------------------------------------------------------

#define lower_kernel lower_earlier
#define lower_param lower_earlier
#define lower_require lower_earlier
#define lower_tiles lower_earlier
#define lower_role lower_earlier
#define lower_end lower_earlier
#define lower_items lower_earlier
#define lower_steps lower_earlier
#define lower_yield lower_earlier
#define lower_acquire lower_earlier
#define lower_commit lower_earlier
#define lower_wait lower_earlier
#define lower_release lower_earlier
#define lower_order lower_earlier
#define lower_take lower_earlier
#define lower_pass lower_earlier
#define lower_buffer lower_earlier
#define lower_barrier lower_earlier
#define lower_call lower_earlier
#define lower_meet lower_earlier
#define lower_arrive lower_earlier
#define lower_sync cake_fragments_sync
#define lower_fence cake_fragments_fence
#define lower_depend cake_fragments_depend
#define lower_prefetch cake_fragments_prefetch
#define lower_print cake_fragments_print
#define lower_assert cake_fragments_assert
#define lower_iota cake_fragments_iota
#define lower_convert cake_fragments_convert
#define lower_reduce cake_fragments_reduce
#define lower_merge cake_fragments_merge
#define lower_copy cake_fragments_copy
#define lower_unroll lower_earlier
#define lower_slice cake_fragments_slice
#define lower_get cake_fragments_get
#define lower_put cake_fragments_put
#define lower_store_view cake_fragments_store_view
#define lower_commit_mma cake_fragments_commit_mma
#define lower_load cake_fragments_load
#define lower_store cake_fragments_store
#define lower_mma cake_fragments_mma
#define lower_await cake_fragments_await
#define lower_mask cake_fragments_mask
#define lower_best_init cake_fragments_best_init
#define lower_best cake_fragments_best
#define lower_settle cake_fragments_settle

#include "cake/dialect_rows_clear.h"
#undef OP
#define OP(op, ...) [cake_op_cake_##op] = lower_##op,
static const CakeFragmentsFn lowerings[] = {
#include "dialects/cake/cake.def"
};
#undef OP

// ---- Other dialects' ops on schedule-level values ------------------------------------------------------------------------

static bool is_schedule_op(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (cake_fragments_is_schedule_type(cake_op_operand(op, i)->type)) return true;
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (cake_fragments_is_schedule_type(cake_op_result(op, i)->type)) return true;
  }
  return false;
}

// A view made of a pointer, or of an address in tensor memory, by an earlier pass.
static bool lower_view(CakeFragments *expand, CakeOp *op) {
  bool is_plain = op->n_operands == 1 && op->n_results == 1;
  bool is_tensor = is_plain && cake_type_is(op->results[0].type, &cake_type_def_tmem);
  is_plain = is_plain && (is_tensor ? cake_type_is_integer(cake_op_operand(op, 0)->type, 32)
                                    : cake_type_is(cake_op_operand(op, 0)->type, &cake_type_def_gpu_ptr));
  if (!is_plain) return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "is no conversion of a pointer to a view");
  cake_fragments_set_value(expand, cake_op_result(op, 0), cake_op_operand(op, 0));
  return true;
}

static bool lower_dense(CakeFragments *expand, CakeOp *op) {
  CakeLayout layout;
  CakeAttr value = cake_op_attr_text(op, "value");
  if (!cake_layout_of(op, cake_op_result(op, 0)->type, &layout)) return false;
  if (!cake_attr_is(value, &cake_attr_def_dense_elements) || !cake_attr_is_splat(value)) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "has different elements; only one value everywhere is supported");
  }
  CakeAttr vector = cake_attr_dense_elements(cake_layout_vector(&layout), cake_attr_string_value(value), true);
  cake_fragments_set_value(expand, cake_op_result(op, 0), cake_build_constant(expand->rewriter, vector));
  return true;
}

// arith and math work on vectors as on fragments: the same op with other types.
static bool lower_elementwise(CakeFragments *expand, CakeOp *op) {
  CakeLayout layout;
  CakeValue **operands = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, op->n_operands + 1);
  if (op->n_results != 1 || op->n_regions != 0)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has no lowering on fragments");
  if (cake_op_is(op, "arith.constant")) return lower_dense(expand, op);
  if (!cake_layout_of(op, cake_op_result(op, 0)->type, &layout)) return false;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeValue *operand = cake_op_operand(op, i);
    operands[i] = cake_fragments_is_schedule_type(operand->type) ? cake_fragments_get_value(expand, operand) : operand;
  }
  CakeType type = cake_layout_vector(&layout);
  CakeOp *made = cake_rewriter_create(expand->rewriter, &(CakeOpState){.loc = op->loc,
                                                                       .info = op->info,
                                                                       .operands = operands,
                                                                       .n_operands = op->n_operands,
                                                                       .result_types = &type,
                                                                       .n_results = 1,
                                                                       .props = cake_op_props(op),
                                                                       .attrs = op->attrs});
  cake_fragments_set_value(expand, cake_op_result(op, 0), cake_op_result(made, 0));
  return true;
}

// ---- Loops and branches: one carried value becomes several ---------------------------------------------------------------

typedef CAKE_VEC(CakeValue *) ValueVec;
typedef CAKE_VEC(CakeType) TypeVec;

static bool push_values(CakeFragments *expand, CakeOp *op, CakeValue *value, ValueVec *out) {
  if (!cake_fragments_is_schedule_type(value->type)) {
    CAKE_PUSH(out, value);
    return true;
  }
  CakeThreadValues values = cake_fragments_get_values(expand, value);
  for (uint32_t i = 0; i < values.count; i++)
    CAKE_PUSH(out, values.values[i]);
  return values.count > 0 ||
         cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "carries a value of type '%s' that has no lowering",
                    cake_type_text(value->type));
}

static bool push_types(CakeOp *op, CakeType type, TypeVec *out) {
  CakeType types[2] = {type, NULL};
  uint32_t count = cake_fragments_is_schedule_type(type) ? thread_types(op, type, types) : 1;
  for (uint32_t i = 0; i < count; i++)
    CAKE_PUSH(out, types[i]);
  return count > 0;
}

// What an old carried value became: the next of `values`.
static bool take_values(CakeFragments *expand, CakeOp *op, CakeValue *old, CakeValue *const *values, uint32_t *next) {
  if (!cake_fragments_is_schedule_type(old->type)) {
    values[*next]->name = old->name;
    cake_rewriter_replace_uses(expand->rewriter, old, values[(*next)++]);
    return true;
  }
  CakeType types[2];
  CakeThreadValues made = {.count = thread_types(op, old->type, types)};
  for (uint32_t i = 0; i < made.count; i++)
    made.values[i] = values[(*next)++];
  cake_fragments_set_values(expand, old, made);
  return made.count > 0;
}

static bool take_results(CakeFragments *expand, CakeOp *old, CakeOp *made) {
  uint32_t next = 0;
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, made->n_results + 1);
  for (uint32_t i = 0; i < made->n_results; i++)
    values[i] = cake_op_result(made, i);
  for (uint32_t i = 0; i < old->n_results; i++) {
    if (!take_values(expand, old, cake_op_result(old, i), values, &next)) return false;
  }
  return true;
}

// A loop's carried arguments: the new ones behind the old ones, which go at the end.
static bool take_args(CakeFragments *expand, CakeOp *old, CakeBlock *body, const CakeType *types, size_t n_types) {
  uint32_t next = 0, n_old = body->n_args;
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, n_types + 1);
  for (size_t i = 0; i < n_types; i++)
    values[i] = cake_rewriter_add_arg(expand->rewriter, body, types[i], old->loc);
  for (uint32_t i = 1; i < n_old; i++) {
    CakeValue *arg = body->args[i];
    if (!take_values(expand, old, arg, values, &next)) return false;
    CAKE_PUSH(&expand->dead_args, arg);
  }
  return true;
}

// Makes the new loop or branch; its regions are the old op's. NULL: reported.
static CakeOp *remake(CakeFragments *expand, CakeOp *op, uint32_t n_fixed) {
  ValueVec operands = {0};
  TypeVec types = {0};
  bool ok = true;
  for (uint32_t i = 0; i < op->n_operands && ok; i++) {
    if (i < n_fixed)
      CAKE_PUSH(&operands, cake_op_operand(op, i));
    else
      ok = push_values(expand, op, cake_op_operand(op, i), &operands);
  }
  for (uint32_t i = 0; i < op->n_results && ok; i++)
    ok = push_types(op, cake_op_result(op, i)->type, &types);
  CakeOp *made = NULL;
  if (ok) {
    made = cake_rewriter_create(expand->rewriter, &(CakeOpState){.loc = op->loc,
                                                                 .info = op->info,
                                                                 .operands = operands.data,
                                                                 .n_operands = operands.len,
                                                                 .result_types = types.data,
                                                                 .n_results = types.len,
                                                                 .props = cake_op_props(op),
                                                                 .attrs = op->attrs,
                                                                 .n_regions = op->n_regions});
    for (uint32_t i = 0; i < op->n_regions; i++)
      cake_rewriter_take_region(expand->rewriter, cake_op_region(made, i), cake_op_region(op, i));
    if (n_fixed == 3) ok = take_args(expand, op, cake_region_entry(cake_op_region(made, 0)), types.data, types.len);
  }
  CAKE_VEC_FINI(&operands);
  CAKE_VEC_FINI(&types);
  return ok && take_results(expand, op, made) ? made : NULL;
}

static bool lower_yield_values(CakeFragments *expand, CakeOp *op) {
  ValueVec values = {0};
  bool ok = true;
  for (uint32_t i = 0; i < op->n_operands && ok; i++)
    ok = push_values(expand, op, cake_op_operand(op, i), &values);
  if (ok) cake_rewriter_set_operands(expand->rewriter, op, values.data, values.len, NULL, 0);
  CAKE_VEC_FINI(&values);
  return ok;
}

// ---- The walk ------------------------------------------------------------------------------------------------------------

static bool check_operands(const CakeFragments *expand, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeValue *operand = cake_op_operand(op, i);
    if (cake_fragments_is_schedule_type(operand->type) && !has_values(expand, operand)) {
      return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                        "uses a value of type '%s' that no thread-level value stands for",
                        cake_type_text(operand->type));
    }
  }
  return true;
}

// Lowers one op. `*walk` is where the walk goes on from: the loop or branch that stands for the old one.
static bool lower_op(CakeFragments *expand, CakeOp *op, CakeOp **walk) {
  bool is_cake = op->info->dialect == &cake_dialect_cake;
  if (!is_cake && !is_schedule_op(op)) return true;
  if (!check_operands(expand, op)) return false;
  cake_rewriter_set_before(expand->rewriter, op);
  if (cake_op_is(op, "scf.yield")) return lower_yield_values(expand, op);
  if (cake_op_is(op, "scf.for") || cake_op_is(op, "scf.if")) {
    CakeOp *made = remake(expand, op, cake_op_is(op, "scf.for") ? 3 : 1);
    if (!made) return false;
    *walk = made;
    kill_op(expand, op);
    return true;
  }
  CakeStr dialect = op->info->dialect ? cake_str(op->info->dialect->name) : (CakeStr){NULL, 0};
  bool ok = is_cake                                                ? lowerings[op->info->def->ordinal](expand, op)
            : cake_op_is(op, "builtin.unrealized_conversion_cast") ? lower_view(expand, op)
            : cake_str_is(dialect, "arith") || cake_str_is(dialect, "math")
                ? lower_elementwise(expand, op)
                : cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has no lowering on schedule-level values");
  if (ok) kill_op(expand, op);
  return ok;
}

static bool is_dead(const CakeFragments *expand, const CakeOp *op) {
  uintptr_t found;
  return cake_map_get(&expand->dead, op, &found);
}

static bool lower_body(CakeFragments *expand) {
  CakeOp *op = cake_op_walk_next(expand->func, expand->func, false);
  while (op) {
    CakeOp *walk = op;
    bool skip = is_dead(expand, op);
    if (!skip && !lower_op(expand, op, &walk)) return false;
    op = cake_op_walk_next(expand->func, walk, skip);
  }
  return true;
}

// Old ops from the last to the first, so that none is used when it goes; then the arguments that only they used.
static void erase_dead(CakeFragments *expand) {
  for (size_t i = expand->dead_ops.len; i-- > 0;)
    cake_rewriter_erase(expand->rewriter, expand->dead_ops.data[i]);
  for (size_t i = expand->dead_args.len; i-- > 0;) {
    CakeValue *arg = expand->dead_args.data[i];
    cake_rewriter_remove_arg(expand->rewriter, cake_arg_owner(arg), arg->index);
  }
}

// Names of the sizes and the arguments that hold them: behind the arrays and scalars.
static bool find_sizes(CakeFragments *expand) {
  CakeOp *func = expand->func;
  CakeBlock *entry = cake_region_entry(cake_op_region(func, 0));
  CakeAttr names = cake_op_attr_text(func, "sizes"), args = cake_op_attr_text(func, "arg_names");
  size_t count = names ? cake_attr_count(names) : 0, first = args ? cake_attr_count(args) : 0;
  if (!entry || first + count > entry->n_args) {
    return cake_error(func, CAKE_CODE_IR_REGIONS, "has fewer arguments than arrays, scalars and sizes");
  }
  CakeId *ids = CAKE_ARENA_ARRAY(expand->scratch, CakeId, count + 1);
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count + 1);
  for (size_t i = 0; i < count; i++) {
    ids[i] = cake_id(expand->context, cake_attr_string_value(cake_attr_element(names, i)));
    values[i] = entry->args[first + i];
  }
  expand->sizes = (CakeLowerEnv){.names = ids, .name_values = values, .n_names = count};
  return true;
}

static bool expand_func(CakePassContext *pass, CakeOp *func) {
  CakeFragments expand = {
      .pass = pass, .rewriter = &pass->rewriter, .context = pass->context, .scratch = pass->scratch, .func = func};
  cake_lower_mark_groups(&pass->rewriter, func);
  bool ok = find_sizes(&expand) && lower_body(&expand);
  if (ok) erase_dead(&expand);
  cake_map_fini(&expand.values);
  cake_map_fini(&expand.dead);
  CAKE_VEC_FINI(&expand.dead_ops);
  CAKE_VEC_FINI(&expand.dead_args);
  return ok;
}

CakePassResult cake_pass_cake_expand_fragments(CakePassContext *pass, CakeOp *module) {
  uint64_t before = pass->rewriter.changes;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func))) {
    if (cake_is_gpu_op(op, cake_op_gpu_func) && !expand_func(pass, op)) return CAKE_PASS_FAILED;
  }
  return pass->rewriter.changes == before ? CAKE_PASS_UNCHANGED : CAKE_PASS_CHANGED;
}
