// The ops that a query found as a function of their own.
#include "cake/diagnostic.h"
#include "cake/rewriter.h"
#include "cake/verify.h"
#include "tools/query.h"

// A function that is made of the outermost ops of a set.
typedef struct Extraction {
  const Query *query;
  const bool *set;
  CakeRewriter rewriter;
  CakeBlock *body;
  CakeMap map;            // values of the module → those of the function
  CAKE_VEC(CakeOp *) ops; // that are copied
  CAKE_VEC(CakeType) inputs, results;
  CAKE_VEC(CakeValue *) returned; // of the module
} Extraction;

static bool is_in(const Extraction *extraction, const CakeOp *op) {
  size_t number = op ? query_number(extraction->query, op) : SIZE_MAX;
  return number != SIZE_MAX && extraction->set[number];
}

// Whether the op or one around it is copied.
static bool is_copied(const Extraction *extraction, const CakeOp *op) {
  while (op && !is_in(extraction, op))
    op = cake_op_parent(op);
  return op;
}

static bool refuse(CakeOp *op, const char *why) {
  return cake_error(op, CAKE_CODE_TOOL_USAGE, "cannot be extracted: %s", why);
}

static bool collect_ops(Extraction *extraction) {
  for (size_t i = 0; i < extraction->query->ops.len; i++) {
    CakeOp *op = extraction->query->ops.data[i];
    if (!extraction->set[i] || is_copied(extraction, cake_op_parent(op))) continue;
    if (op == extraction->query->module) return refuse(op, "it is the whole module");
    if (cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR)) return refuse(op, "it ends its block");
    CAKE_PUSH(&extraction->ops, op);
  }
  return true;
}

static void add_input(Extraction *extraction, CakeValue *value) {
  uintptr_t known;
  if (!value || cake_map_get(&extraction->map, value, &known)) return;
  CakeValue *arg = cake_rewriter_add_arg(&extraction->rewriter, extraction->body, value->type, cake_value_loc(value));
  cake_map_set(&extraction->map, value, (uintptr_t)arg);
  CAKE_PUSH(&extraction->inputs, value->type);
}

static const CakeOp *owner_of(const CakeValue *value) {
  return value->is_argument ? cake_block_parent(cake_arg_owner(value)) : cake_result_owner(value);
}

// What ops, and ops inside of them, use of others.
static void collect_inputs(Extraction *extraction) {
  for (size_t i = 0; i < extraction->ops.len; i++) {
    CakeOp *root = extraction->ops.data[i];
    for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
      for (uint32_t k = 0; k < op->n_operands; k++) {
        CakeValue *value = cake_op_operand(op, k);
        if (value && !is_copied(extraction, owner_of(value))) add_input(extraction, value);
      }
  }
}

// Of each result that somebody else uses, or nobody.
static void collect_results(Extraction *extraction) {
  for (size_t i = 0; i < extraction->ops.len; i++) {
    CakeOp *op = extraction->ops.data[i];
    for (uint32_t k = 0; k < op->n_results; k++) {
      CakeValue *value = &op->results[k];
      bool is_wanted = !value->first_use;
      for (const CakeUse *use = value->first_use; use && !is_wanted; use = use->next)
        is_wanted = !is_copied(extraction, use->owner);
      if (!is_wanted) continue;
      CAKE_PUSH(&extraction->returned, value);
      CAKE_PUSH(&extraction->results, value->type);
    }
  }
}

static CakeOp *begin_function(Extraction *extraction, const QueryResult *result) {
  CakeContext *context = extraction->query->context;
  CakeOp *module = cake_module_create(context, cake_loc_unknown());
  CakeNamedAttr name = {cake_id_text(context, "sym_name"), cake_attr_string(context, result->function)};
  cake_rewriter_set_end(&extraction->rewriter, cake_module_body(module));
  CakeOp *function = cake_rewriter_build(
      &extraction->rewriter, &(CakeBuild){.name = "func.func", .attrs = &name, .n_attrs = 1, .n_regions = 1});
  extraction->body =
      cake_rewriter_add_block(&extraction->rewriter, cake_op_region(function, 0), NULL, 0, cake_loc_unknown());
  return function;
}

static void end_function(Extraction *extraction, CakeOp *function) {
  CakeContext *context = extraction->query->context;
  CAKE_VEC(CakeValue *) values = {0};
  for (size_t i = 0; i < extraction->returned.len; i++) {
    uintptr_t value = 0;
    cake_map_get(&extraction->map, extraction->returned.data[i], &value);
    CAKE_PUSH(&values, (CakeValue *)value);
  }
  cake_rewriter_build(&extraction->rewriter,
                      &(CakeBuild){.name = "func.return", .operands = values.data, .n_operands = values.len});
  CakeType type = cake_type_function(context, extraction->inputs.data, extraction->inputs.len, extraction->results.data,
                                     extraction->results.len);
  cake_rewriter_set_attr_text(&extraction->rewriter, function, "function_type", cake_attr_type(type));
  CAKE_VEC_FINI(&values);
}

CakeOp *query_extract(const Query *query, const QueryResult *result) {
  Extraction extraction = {.query = query, .set = result->set, .rewriter = cake_rewriter(query->context, NULL)};
  CakeOp *module = NULL;
  bool is_fine = collect_ops(&extraction);
  if (is_fine && !extraction.ops.len)
    is_fine = cake_error_at(query->context, result->loc, CAKE_CODE_TOOL_USAGE, "there is no match to extract");
  if (is_fine) {
    CakeOp *function = begin_function(&extraction, result);
    collect_inputs(&extraction);
    collect_results(&extraction);
    cake_rewriter_set_end(&extraction.rewriter, extraction.body);
    for (size_t i = 0; i < extraction.ops.len; i++)
      cake_rewriter_clone(&extraction.rewriter, extraction.ops.data[i], &extraction.map);
    end_function(&extraction, function);
    module = cake_op_parent(function);
    is_fine = cake_verify(module);
  }
  cake_map_fini(&extraction.map);
  CAKE_VEC_FINI(&extraction.ops);
  CAKE_VEC_FINI(&extraction.inputs);
  CAKE_VEC_FINI(&extraction.results);
  CAKE_VEC_FINI(&extraction.returned);
  return is_fine ? module : NULL;
}
