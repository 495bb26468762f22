// Reads launch facts from a kernel or a lowered function.
#include "tools/tool_facts.h"

#include "cake/text.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/gpu/gpu_accessors.h"

#include <string.h>

// Lists while they grow; `finish` moves them into the arena.
typedef struct Builder {
  CakeOp *op; // where errors are reported
  CakeFacts *facts;
  CAKE_VEC(CakeManifestArgument) args;
  CAKE_VEC(const char *) sizes;
  CAKE_VEC(CakeManifestMap) maps;
  CAKE_VEC(CakeManifestRole) roles;
  CAKE_VEC(CakeManifestBarriers) barriers;
} Builder;

static const char *keep(Builder *b, CakeStr text) {
  return cake_arena_str(b->facts->arena, text).ptr;
}

static const void *keep_list(Builder *b, const void *data, size_t bytes) {
  void *copy = cake_arena_alloc(b->facts->arena, bytes + 1);
  if (bytes) memcpy(copy, data, bytes);
  return copy;
}

// Gives the lists to the manifest; after a failure everything is given back instead.
static bool finish(Builder *b, bool is_fine) {
  CakeManifest *manifest = &b->facts->manifest;
#define MOVE(list)                                                                                                     \
  (manifest->list = keep_list(b, b->list.data, b->list.len * sizeof *b->list.data),                                    \
   manifest->n_##list = (uint32_t)b->list.len, CAKE_VEC_FINI(&b->list))
  MOVE(args), MOVE(sizes), MOVE(maps), MOVE(roles), MOVE(barriers);
#undef MOVE
  if (!is_fine) cake_facts_fini(b->facts);
  return is_fine;
}

static Builder begin(CakeOp *op, const char *target, CakeFacts *out) {
  *out = (CakeFacts){.arena = cake_arena_create()};
  Builder b = {.op = op, .facts = out};
  out->manifest.version = CAKE_MANIFEST_VERSION;
  out->manifest.kernel = keep(&b, cake_attr_string_value(cake_op_attr_text(op, "sym_name")));
  out->manifest.target = keep(&b, cake_str(target));
  return b;
}

void cake_facts_fini(CakeFacts *facts) {
  cake_arena_destroy(facts->arena);
  *facts = (CakeFacts){0};
}

size_t cake_facts_find(const CakeFacts *facts, CakeStr name) {
  for (size_t i = 0; i < facts->manifest.n_args; i++)
    if (cake_str_is(name, facts->manifest.args[i].name)) return i;
  return SIZE_MAX;
}

size_t cake_facts_find_size(const CakeFacts *facts, CakeStr name) {
  for (size_t i = 0; i < facts->manifest.n_sizes; i++)
    if (cake_str_is(name, facts->manifest.sizes[i])) return i;
  return SIZE_MAX;
}

// ---- Formulas --------------------------------------------------------------------------------------------------------

static bool find_size(const Builder *b, CakeStr name, int64_t *out) {
  for (size_t i = 0; i < b->sizes.len; i++) {
    if (!cake_str_is(name, b->sizes.data[i])) continue;
    *out = (int64_t)i;
    return true;
  }
  return false;
}

static const CakeFormulaOp formula_ops[] = {
    [CAKE_EXPR_ADD] = CAKE_FORMULA_ADD,         [CAKE_EXPR_SUB] = CAKE_FORMULA_SUB,
    [CAKE_EXPR_MUL] = CAKE_FORMULA_MUL,         [CAKE_EXPR_FLOORDIV] = CAKE_FORMULA_FLOORDIV,
    [CAKE_EXPR_CEILDIV] = CAKE_FORMULA_CEILDIV, [CAKE_EXPR_MOD] = CAKE_FORMULA_MOD,
    [CAKE_EXPR_MIN] = CAKE_FORMULA_MIN,         [CAKE_EXPR_MAX] = CAKE_FORMULA_MAX,
};

static const CakeFormulaOp compare_ops[] = {
    [CAKE_COMPARE_EQ] = CAKE_FORMULA_EQ, [CAKE_COMPARE_NE] = CAKE_FORMULA_NE, [CAKE_COMPARE_LT] = CAKE_FORMULA_LT,
    [CAKE_COMPARE_LE] = CAKE_FORMULA_LE, [CAKE_COMPARE_GT] = CAKE_FORMULA_GT, [CAKE_COMPARE_GE] = CAKE_FORMULA_GE,
};

typedef CAKE_VEC(CakeFormulaStep) Steps;

// Appends an expression's steps in prefix order with right before left, which is postfix order when read backwards: no
// recursion, since expressions are as deep as the text says.
static bool add_reversed(Builder *b, CakeAttr expr, Steps *out) {
  CAKE_VEC(CakeAttr) left = {0};
  bool is_fine = true;
  CAKE_PUSH(&left, expr);
  while (left.len && is_fine) {
    CakeAttr at = left.data[--left.len];
    CakeExprKind kind = cake_attr_is(at, &cake_attr_def_expr) ? cake_expr_kind(at) : CAKE_EXPR_UNKNOWN;
    CakeFormulaStep step = {CAKE_FORMULA_CONST, 0};
    if (kind >= CAKE_EXPR_ADD) {
      step.op = formula_ops[kind];
      CAKE_PUSH(&left, cake_expr_lhs(at));
      CAKE_PUSH(&left, cake_expr_rhs(at)); // is taken first
    } else if (kind == CAKE_EXPR_CONST) {
      step.value = cake_expr_value(at);
    } else {
      step.op = CAKE_FORMULA_SIZE;
      is_fine = kind == CAKE_EXPR_NAME && find_size(b, cake_id_str(cake_expr_name_of(at)), &step.value);
    }
    CAKE_PUSH(out, step);
  }
  CAKE_VEC_FINI(&left);
  return is_fine;
}

static bool is_shallow(const Steps *reversed) {
  size_t depth = 0;
  for (size_t i = reversed->len; i-- > 0;) {
    bool is_leaf = reversed->data[i].op <= CAKE_FORMULA_SIZE;
    if (is_leaf && ++depth > CAKE_FORMULA_MAX_DEPTH) return false;
    if (!is_leaf) depth--;
  }
  return true;
}

// Takes steps in reversed order.
static bool take_formula(Builder *b, Steps *reversed, bool is_fine, const char *what, CakeFormula *out) {
  CakeFormulaStep *steps = CAKE_ARENA_ARRAY(b->facts->arena, CakeFormulaStep, reversed->len + 1);
  for (size_t i = 0; i < reversed->len; i++)
    steps[i] = reversed->data[reversed->len - 1 - i];
  *out = (CakeFormula){steps, (uint32_t)reversed->len};
  is_fine = is_fine && is_shallow(reversed);
  CAKE_VEC_FINI(reversed);
  return is_fine || cake_error(b->op, CAKE_CODE_IR_ATTRIBUTES,
                               "has %s that a launch cannot compute: only numbers, sizes and at most %d values at once",
                               what, CAKE_FORMULA_MAX_DEPTH);
}

static bool add_formula(Builder *b, CakeAttr expr, const char *what, CakeFormula *out) {
  Steps reversed = {0};
  bool is_fine = add_reversed(b, expr, &reversed);
  return take_formula(b, &reversed, is_fine, what, out);
}

static bool add_guard(Builder *b, CakeAttr guard) {
  CakeManifest *manifest = &b->facts->manifest;
  Steps reversed = {0};
  bool is_fine = true;
  if (!guard) return true;
  manifest->guard_text = keep(b, cake_str(cake_body_text(guard)));
  // Postfix: term, term, and, term, and, …; so backwards: and, term, and, term, term.
  for (size_t i = cake_pred_count(guard); is_fine && i-- > 0;) {
    CakePredTerm term = cake_pred_term(guard, i);
    if (i > 0) CAKE_PUSH(&reversed, (CakeFormulaStep){CAKE_FORMULA_AND, 0});
    CAKE_PUSH(&reversed, (CakeFormulaStep){compare_ops[term.compare], 0});
    is_fine = add_reversed(b, term.rhs, &reversed) && add_reversed(b, term.lhs, &reversed);
  }
  return take_formula(b, &reversed, is_fine, "a guard", &manifest->guard);
}

// ---- Arguments -------------------------------------------------------------------------------------------------------

static bool add_argument(Builder *b, CakeStr name, CakeType type) {
  CakeManifestArgument arg = {.name = keep(b, name), .is_array = cake_type_is(type, &cake_type_def_global)};
  if (!cake_element_of_type(arg.is_array ? cake_global_element(type) : type, &arg.element))
    return cake_error(b->op, CAKE_CODE_IR_SEMANTICS, "argument '%s' of type %s cannot be given from outside", arg.name,
                      cake_type_text(type));
  if (arg.is_array) {
    size_t rank = cake_global_rank(type);
    CakeFormula *dims = CAKE_ARENA_ARRAY(b->facts->arena, CakeFormula, rank + 1);
    if (rank > CAKE_MANIFEST_MAX_RANK)
      return cake_error(b->op, CAKE_CODE_IR_SEMANTICS, "argument '%s' has more than %d dimensions", arg.name,
                        CAKE_MANIFEST_MAX_RANK);
    arg.rank = (uint32_t)rank;
    arg.align = (uint32_t)cake_global_align(type);
    arg.is_readonly = (cake_global_flags(type) & CAKE_GLOBAL_READONLY) != 0;
    for (size_t i = 0; i < rank; i++)
      if (!add_formula(b, cake_global_dim(type, i), "an argument with a dimension", &dims[i])) return false;
    arg.dims = dims;
  }
  CAKE_PUSH(&b->args, arg);
  return true;
}

static bool is_sizes_full(const Builder *b) {
  return b->sizes.len >= 4096; // of no use, and lookups are linear
}

// The names in an array's dimensions become sizes, in the order in which they stand.
static void add_sizes(Builder *b, CakeAttr expr) {
  CAKE_VEC(CakeAttr) left = {0};
  CAKE_PUSH(&left, expr);
  while (left.len) {
    CakeAttr at = left.data[--left.len];
    CakeExprKind kind = cake_expr_kind(at);
    int64_t index;
    if (kind == CAKE_EXPR_NAME) {
      CakeStr name = cake_id_str(cake_expr_name_of(at));
      if (!find_size(b, name, &index) && !is_sizes_full(b)) CAKE_PUSH(&b->sizes, keep(b, name));
    } else if (kind >= CAKE_EXPR_ADD) {
      CAKE_PUSH(&left, cake_expr_rhs(at));
      CAKE_PUSH(&left, cake_expr_lhs(at));
    }
  }
  CAKE_VEC_FINI(&left);
}

static bool is_store_that_adds(const CakeOp *op) {
  return (cake_is_cake_op(op, cake_op_cake_commit) && cake_cake_commit_reduce(op)) ||
         (cake_is_gpu_op(op, cake_op_gpu_tma_store) && cake_gpu_tma_store_reduce(op));
}

// The argument whose array a store goes to: itself, or the one that its tensor map is of. `args.len`: none.
static size_t stored_argument(const Builder *b, CakeOp *op) {
  bool is_store = cake_is_gpu_op(op, cake_op_gpu_tma_store);
  const CakeValue *target = is_store ? cake_gpu_tma_store_map(op) : cake_cake_commit_global(op);
  if (!target || !target->is_argument) return b->args.len;
  if (!is_store) return target->index;
  size_t first = cake_arg_owner(target)->n_args - b->maps.len;
  return target->index >= first && target->index - first < b->maps.len ? b->maps.data[target->index - first].argument
                                                                       : b->args.len;
}

static void mark_added(Builder *b) {
  for (CakeOp *op = b->op; op; op = cake_op_walk_next(b->op, op, false)) {
    size_t argument = is_store_that_adds(op) ? stored_argument(b, op) : b->args.len;
    if (argument < b->args.len) b->args.data[argument].is_added = true;
  }
}

// ---- From a cake.kernel ----------------------------------------------------------------------------------------------

static void add_role(Builder *b, CakeStr name, int64_t first_warp, int64_t warps, int64_t replicas, int64_t regs) {
  CakeManifestRole role = {keep(b, name), (uint32_t)first_warp, (uint32_t)warps, (uint32_t)replicas, (uint32_t)regs};
  CAKE_PUSH(&b->roles, role);
}

static void add_kernel_roles(Builder *b, const CakeBlock *body) {
  for (CakeOp *op = body->first; op; op = op->next) {
    CakeRoleShape shape;
    if (!cake_is_cake_op(op, cake_op_cake_role) || !cake_role_shape(op, &shape)) continue;
    add_role(b, cake_attr_string_value(cake_op_attr_text(op, "sym_name")), shape.first_warp, shape.warps,
             shape.replicas, shape.regs);
  }
}

static bool begin_kernel(CakeOp *kernel, CakeFacts *out, Builder *b) {
  CakeBlock *body = cake_region_entry(cake_op_region(kernel, 0));
  CakeAttr names = cake_op_attr_text(kernel, "arg_names");
  if (!body || !names || cake_attr_count(names) != body->n_args)
    return cake_error(kernel, CAKE_CODE_IR_SEMANTICS, "needs a name for each of its arguments");
  *b = begin(kernel, "", out);
  bool is_fine = true;
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    for (size_t j = 0; cake_type_is(type, &cake_type_def_global) && j < cake_global_rank(type); j++)
      add_sizes(b, cake_global_dim(type, j));
  }
  CakeAttr sizes = cake_op_attr_text(kernel, "sizes");
  for (size_t i = 0; cake_attr_is(sizes, &cake_attr_def_array) && i < cake_attr_count(sizes); i++)
    add_sizes(b, cake_expr_name(kernel->context,
                                cake_id(kernel->context, cake_attr_string_value(cake_attr_element(sizes, i)))));
  for (uint32_t i = 0; is_fine && i < body->n_args; i++)
    is_fine = add_argument(b, cake_attr_string_value(cake_attr_element(names, i)), body->args[i]->type);
  if (is_fine) mark_added(b);
  return is_fine || finish(b, false);
}

bool cake_facts_of_signature(CakeOp *kernel, CakeFacts *out) {
  Builder b;
  return begin_kernel(kernel, out, &b) && finish(&b, true);
}

bool cake_facts_of_template(CakeOp *kernel, CakeFacts *out) {
  Builder b;
  if (!begin_kernel(kernel, out, &b)) return false;
  for (CakeOp *op = cake_region_entry(cake_op_region(kernel, 0))->first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_param))
      add_sizes(&b,
                cake_expr_name(kernel->context,
                               cake_id(kernel->context, cake_attr_string_value(cake_op_attr_text(op, "sym_name")))));
  return finish(&b, add_guard(&b, cake_op_attr_text(kernel, "guard")));
}

bool cake_facts_of_kernel(CakeOp *kernel, CakeFacts *out) {
  CakeAttr bytes = cake_op_attr_text(kernel, "shared_bytes");
  Builder b;
  if (!begin_kernel(kernel, out, &b)) return false;
  out->manifest.threads = (uint32_t)cake_kernel_threads(kernel);
  out->manifest.shared_bytes = bytes ? (uint32_t)cake_attr_int_value(bytes) : 0;
  add_kernel_roles(&b, cake_region_entry(cake_op_region(kernel, 0)));
  return finish(&b, add_guard(&b, cake_op_attr_text(kernel, "guard")));
}

// ---- From a gpu.func -------------------------------------------------------------------------------------------------

static CakeAttr entry_of(CakeAttr dictionary, const char *name) {
  return cake_attr_is(dictionary, &cake_attr_def_dictionary) ? cake_attr_lookup_text(dictionary, name) : NULL;
}

// 0 where there is no such number or it cannot be meant.
static uint32_t int_of(CakeAttr value) {
  int64_t number = cake_attr_is(value, &cake_attr_def_integer) ? cake_attr_int_value(value) : 0;
  return number > 0 && number <= INT32_MAX ? (uint32_t)number : 0;
}

static CakeStr string_entry(CakeAttr dictionary, const char *name) {
  CakeAttr value = entry_of(dictionary, name);
  return cake_attr_is(value, &cake_attr_def_string) ? cake_attr_string_value(value) : CAKE_STR("");
}

static bool add_map(Builder *b, CakeAttr entry) {
  CakeAttr box = entry_of(entry, "box");
  CakeManifestMap map = {.argument = (uint32_t)b->args.len,
                         .panel = int_of(entry_of(entry, "panel")),
                         .swizzle = int_of(entry_of(entry, "swizzle"))};
  for (size_t i = 0; i < b->args.len; i++)
    if (cake_str_is(string_entry(entry, "arg"), b->args.data[i].name)) map.argument = (uint32_t)i;
  if (map.argument == b->args.len || !cake_attr_is(box, &cake_attr_def_array) ||
      cake_attr_count(box) > CAKE_MANIFEST_MAP_RANK)
    return cake_error(b->op, CAKE_CODE_IR_ATTRIBUTES,
                      "has an entry of 'tensor_maps' that is no tensor map of an argument");
  map.rank = (uint32_t)cake_attr_count(box);
  for (uint32_t i = 0; i < map.rank; i++)
    map.box[i] = int_of(cake_attr_element(box, i));
  CAKE_PUSH(&b->maps, map);
  return true;
}

static void add_roles(Builder *b, CakeAttr roles) {
  for (size_t i = 0; cake_attr_is(roles, &cake_attr_def_array) && i < cake_attr_count(roles); i++) {
    CakeAttr entry = cake_attr_element(roles, i);
    add_role(b, string_entry(entry, "name"), int_of(entry_of(entry, "first_warp")), int_of(entry_of(entry, "warps")),
             int_of(entry_of(entry, "replicas")), int_of(entry_of(entry, "regs")));
  }
}

static bool add_names(Builder *b) {
  CakeAttr names = cake_op_attr_text(b->op, "arg_names"), types = cake_op_attr_text(b->op, "arg_types"),
           sizes = cake_op_attr_text(b->op, "sizes");
  if (!names || !types || !sizes || cake_attr_count(names) != cake_attr_count(types))
    return cake_error(b->op, CAKE_CODE_IR_ATTRIBUTES, "needs 'arg_names' and as many 'arg_types'");
  for (size_t i = 0; i < cake_attr_count(sizes) && !is_sizes_full(b); i++)
    CAKE_PUSH(&b->sizes, keep(b, cake_attr_string_value(cake_attr_element(sizes, i))));
  for (size_t i = 0; i < cake_attr_count(names); i++) {
    CakeAttr type = cake_attr_element(types, i);
    if (!cake_attr_is(type, &cake_attr_def_type))
      return cake_error(b->op, CAKE_CODE_IR_ATTRIBUTES, "has an entry of 'arg_types' that is no type");
    if (!add_argument(b, cake_attr_string_value(cake_attr_element(names, i)), cake_attr_value_type(type))) return false;
  }
  return true;
}

static void add_barriers(Builder *b, CakeAttr barriers) {
  for (size_t i = 0; cake_attr_is(barriers, &cake_attr_def_array) && i < cake_attr_count(barriers); i++) {
    CakeAttr entry = cake_attr_element(barriers, i);
    CakeManifestBarriers row = {keep(b, string_entry(entry, "name")), int_of(entry_of(entry, "offset")),
                                int_of(entry_of(entry, "stages"))};
    CAKE_PUSH(&b->barriers, row);
  }
}

// An array of up to three numbers; an absent one is no cluster.
static void add_cluster(Builder *b, CakeAttr cluster) {
  size_t count = cake_attr_is(cluster, &cake_attr_def_array) ? cake_attr_count(cluster) : 0;
  for (size_t i = 0; count > 0 && i < 3; i++) {
    uint32_t extent = i < count ? int_of(cake_attr_element(cluster, i)) : 1;
    b->facts->manifest.cluster[i] = extent ? extent : 1;
  }
}

static bool add_facts(Builder *b) {
  CakeManifest *manifest = &b->facts->manifest;
  CakeAttr maps = cake_op_attr_text(b->op, "tensor_maps"), guard = cake_op_attr_text(b->op, "guard"),
           grid = cake_op_attr_text(b->op, "grid");
  manifest->persistent = cake_op_attr_text(b->op, "persistent") != NULL;
  manifest->programmatic = cake_op_attr_text(b->op, "programmatic") != NULL;
  manifest->watchdog = cake_op_attr_text(b->op, "watchdog") != NULL;
  manifest->threads = int_of(cake_op_attr_text(b->op, "block"));
  manifest->shared_bytes = int_of(cake_op_attr_text(b->op, "shared_bytes"));
  add_barriers(b, entry_of(cake_op_attr_text(b->op, "watchdog"), "barriers"));
  add_cluster(b, cake_op_attr_text(b->op, "cluster"));
  if (!cake_attr_is(grid, &cake_attr_def_expr))
    return cake_error(b->op, CAKE_CODE_IR_ATTRIBUTES, "needs a 'grid' of #cake.expr");
  if (guard && !cake_attr_is(guard, &cake_attr_def_pred))
    return cake_error(b->op, CAKE_CODE_IR_ATTRIBUTES, "needs a 'guard' of #cake.pred");
  if (!add_names(b) || !add_formula(b, grid, "a grid", &manifest->items) || !add_guard(b, guard)) return false;
  for (size_t i = 0; maps && i < cake_attr_count(maps); i++)
    if (!add_map(b, cake_attr_element(maps, i))) return false;
  add_roles(b, cake_op_attr_text(b->op, "roles"));
  mark_added(b);
  return true;
}

bool cake_facts_of_func(CakeOp *func, const char *target, CakeFacts *out) {
  Builder b = begin(func, target ? target : "", out);
  return finish(&b, add_facts(&b));
}
