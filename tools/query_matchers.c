// The matchers: the functions of the rows of query_matchers.def, and their table.
#include <string.h>

#include "cake/constants.h"
#include "cake/diagnostic.h"
#include "cake/symbol.h"
#include "cake/text.h"
#include "tools/query.h"

#define MATCHER(id, ...) static bool is_##id(const Query *query, const QueryArg *args, const CakeOp *op);
#define SET(id, ...) static bool find_##id(const Query *query, const QueryArg *args, size_t n_args, bool *out);
#include "tools/query_matchers.def"
#undef MATCHER
#undef SET

const QueryMatcher query_matchers[] = {
#define MATCHER(id, name, kinds, params, doc) {name, kinds, params, doc, is_##id, NULL},
#define SET(id, name, kinds, params, doc) {name, kinds, params, doc, NULL, find_##id},
#include "tools/query_matchers.def"
#undef MATCHER
#undef SET
    {0}};

#define IS(id) static bool is_##id(const Query *query, const QueryArg *args, const CakeOp *op)
#define FIND(id) static bool find_##id(const Query *query, const QueryArg *args, size_t n_args, bool *out)

static bool is_in(const Query *query, const bool *set, const CakeOp *op) {
  size_t number = op ? query_number(query, op) : SIZE_MAX;
  return number != SIZE_MAX && set[number];
}

// ---- What an op is -------------------------------------------------------------------------------------------------

IS(name) {
  (void)query;
  return cake_str_equal(cake_op_name(op), args[0].text);
}

IS(dialect) {
  (void)query;
  CakeStr full = cake_op_name(op), name = args[0].text;
  return full.len > name.len && full.ptr[name.len] == '.' && memcmp(full.ptr, name.ptr, name.len) == 0;
}

IS(symbol) {
  (void)query;
  CakeId name = cake_symbol_name(op);
  return name && cake_str_equal(cake_id_str(name), args[0].text);
}

IS(attribute) {
  return cake_op_attr(op, cake_id(query->context, args[0].text)) != NULL;
}

IS(attribute_value) {
  return cake_op_attr(op, cake_id(query->context, args[0].text)) == args[1].attr;
}

static CakeAttr constant_of(const CakeOp *op) {
  return op->n_results == 1 ? cake_value_constant(&op->results[0]) : NULL;
}

IS(constant) {
  (void)query, (void)args;
  return constant_of(op) != NULL;
}

IS(constant_value) {
  (void)query;
  CakeAttr value = constant_of(op);
  return value && cake_attr_is(value, &cake_attr_def_integer) && cake_attr_int_value(value) == args[0].number;
}

IS(pure) {
  (void)query, (void)args;
  return cake_op_is_pure(op);
}

IS(terminator) {
  (void)query, (void)args;
  return cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR);
}

IS(op) {
  (void)query, (void)args;
  return op != NULL;
}

// ---- Operands and results ------------------------------------------------------------------------------------------

// NULL: the op has no operand of that number.
static CakeValue *operand_of(const CakeOp *op, int64_t number) {
  return number >= 0 && number < (int64_t)op->n_operands ? cake_op_operand(op, (uint32_t)number) : NULL;
}

static CakeOp *definition_of(const CakeOp *op, int64_t number) {
  CakeValue *value = operand_of(op, number);
  return value ? cake_value_def(value) : NULL;
}

IS(operand) {
  bool is_found = false;
  for (uint32_t i = 0; i < op->n_operands && !is_found; i++)
    is_found = is_in(query, args[0].set, definition_of(op, i));
  return is_found;
}

IS(operand_at) {
  return is_in(query, args[1].set, definition_of(op, args[0].number));
}

IS(operand_type) {
  (void)query;
  bool is_found = false;
  for (uint32_t i = 0; i < op->n_operands && !is_found; i++)
    is_found = operand_of(op, i) && operand_of(op, i)->type == args[0].type;
  return is_found;
}

IS(operand_type_at) {
  (void)query;
  const CakeValue *value = operand_of(op, args[0].number);
  return value && value->type == args[1].type;
}

IS(result_type) {
  (void)query;
  bool is_found = false;
  for (uint32_t i = 0; i < op->n_results && !is_found; i++)
    is_found = op->results[i].type == args[0].type;
  return is_found;
}

IS(operands) {
  (void)query;
  return op->n_operands == args[0].number;
}

IS(results) {
  (void)query;
  return op->n_results == args[0].number;
}

IS(argument) {
  (void)query;
  const CakeValue *value = operand_of(op, args[0].number);
  return value && value->is_argument;
}

IS(user) {
  bool is_found = false;
  for (uint32_t i = 0; i < op->n_results; i++)
    for (const CakeUse *use = op->results[i].first_use; use && !is_found; use = use->next)
      is_found = is_in(query, args[0].set, use->owner);
  return is_found;
}

IS(unused) {
  (void)query, (void)args;
  bool is_unused = op->n_results > 0;
  for (uint32_t i = 0; i < op->n_results; i++)
    is_unused = is_unused && !op->results[i].first_use;
  return is_unused;
}

// ---- Where an op stands --------------------------------------------------------------------------------------------

IS(parent) {
  return is_in(query, args[0].set, cake_op_parent(op));
}

// Ops come behind those that they are inside of.
FIND(inside) {
  (void)n_args;
  for (size_t i = 0; i < query->ops.len; i++) {
    const CakeOp *parent = cake_op_parent(query->ops.data[i]);
    out[i] = is_in(query, args[0].set, parent) || is_in(query, out, parent);
  }
  return true;
}

FIND(around) {
  (void)n_args;
  for (size_t i = query->ops.len; i-- > 0;) {
    const CakeOp *parent = cake_op_parent(query->ops.data[i]);
    if (parent && (args[0].set[i] || out[i])) out[query_number(query, parent)] = true;
  }
  return true;
}

// ---- Sets ----------------------------------------------------------------------------------------------------------

FIND(all) {
  for (size_t i = 0; i < query->ops.len; i++) {
    out[i] = true;
    for (size_t k = 0; k < n_args; k++)
      out[i] = out[i] && args[k].set[i];
  }
  return true;
}

FIND(any) {
  for (size_t i = 0; i < query->ops.len; i++)
    for (size_t k = 0; k < n_args; k++)
      out[i] = out[i] || args[k].set[i];
  return true;
}

IS(not) {
  return !is_in(query, args[0].set, op);
}

// ---- Slices --------------------------------------------------------------------------------------------------------

// Ops that were reached, in the order in which they were.
typedef struct Slice {
  const Query *query;
  bool *reached;
  CAKE_VEC(size_t) ops;
} Slice;

static void reach(Slice *slice, const CakeOp *op) {
  size_t number = op ? query_number(slice->query, op) : SIZE_MAX;
  if (number == SIZE_MAX || slice->reached[number]) return;
  slice->reached[number] = true;
  CAKE_PUSH(&slice->ops, number);
}

// What makes the operands of an op, and of the ops inside of it.
static void reach_definitions(Slice *slice, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    for (uint32_t i = 0; i < op->n_operands; i++)
      reach(slice, definition_of(op, i));
}

static void reach_users(Slice *slice, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    for (const CakeUse *use = op->results[i].first_use; use; use = use->next)
      reach(slice, use->owner);
}

// Everything that is so many steps away at most; -1: however far. With `is_whole` what it starts from, too.
static bool find_slice(const Query *query, const bool *set, void (*step)(Slice *, CakeOp *), int64_t steps,
                       bool is_whole, bool *out) {
  Slice slice = {query, out, {0}};
  CAKE_VEC(size_t) starts = {0};
  for (size_t i = 0; i < query->ops.len; i++)
    if (set[i]) CAKE_PUSH(&starts, i);
  for (size_t i = 0; i < starts.len; i++)
    step(&slice, query->ops.data[starts.data[i]]);
  for (size_t at = 0, end; at < slice.ops.len && (steps < 0 || --steps > 0);)
    for (end = slice.ops.len; at < end; at++)
      step(&slice, query->ops.data[slice.ops.data[at]]);
  for (size_t i = 0; is_whole && i < starts.len; i++)
    out[starts.data[i]] = true;
  CAKE_VEC_FINI(&starts);
  CAKE_VEC_FINI(&slice.ops);
  return true;
}

FIND(definitions) {
  (void)n_args;
  return find_slice(query, args[0].set, reach_definitions, 1, false, out);
}

FIND(definitions_to) {
  (void)n_args;
  if (args[1].number >= 1) return find_slice(query, args[0].set, reach_definitions, args[1].number, false, out);
  return cake_error_at(query->context, args[1].loc, CAKE_CODE_TOOL_USAGE, "steps are at least 1");
}

FIND(users) {
  (void)n_args;
  return find_slice(query, args[0].set, reach_users, 1, false, out);
}

FIND(backward) {
  (void)n_args;
  return find_slice(query, args[0].set, reach_definitions, -1, true, out);
}

FIND(forward) {
  (void)n_args;
  return find_slice(query, args[0].set, reach_users, -1, true, out);
}

// ---- Rewrites ------------------------------------------------------------------------------------------------------

FIND(rewrite) {
  (void)n_args;
  bool is_known = false;
  for (size_t i = 0; i < query->rewrites.len && !is_known; i++) {
    is_known = cake_rewrites_has(query->rewrites.data[i], args[0].text);
    for (size_t k = 0; is_known && k < query->ops.len; k++)
      out[k] = cake_rewrites_match(query->rewrites.data[i], args[0].text, query->ops.data[k]);
  }
  return is_known || cake_error_at(query->context, args[0].loc, CAKE_CODE_TOOL_USAGE,
                                   "no rewrite '%.*s' is loaded (--load-rewrites)", CAKE_STR_ARG(args[0].text));
}
