// Reading the definitions of contracts: indices and formulas, by recursive descent with a limit.
#include "tools/run_contract_formula.h"

typedef struct Parser {
  CakeContract *contract;
  ContractLexer *lexer;
  ContractDefinition *definition;
  unsigned depth;
} Parser;

static const struct {
  const char *name;
  ContractKind kind;
} reductions[] = {
    {"sum",    CONTRACT_SUM   },
    {"mean",   CONTRACT_MEAN  },
    {"max",    CONTRACT_MAX   },
    {"min",    CONTRACT_MIN   },
    {"maxnum", CONTRACT_MAXNUM},
    {"minnum", CONTRACT_MINNUM},
    {"argmin", CONTRACT_ARGMIN},
    {"argmax", CONTRACT_ARGMAX},
};

static ContractNode *parse_sum(Parser *parser);

static ContractNode *fail_at(const Parser *parser, CakeLoc loc, const char *what, CakeStr name) {
  (void)cake_error_at(parser->contract->context, loc, CAKE_CODE_CONTRACT_FORM, what, CAKE_STR_ARG(name));
  return NULL;
}

static ContractNode *new_node(const Parser *parser, ContractKind kind, CakeLoc loc) {
  ContractNode *node = CAKE_ARENA_NEW(parser->contract->arena, ContractNode);
  node->kind = kind;
  node->loc = loc;
  node->definition = -1;
  return node;
}

// ---- Indices ---------------------------------------------------------------------------------------------------------

static int32_t find_index(const ContractDefinition *definition, CakeStr name) {
  for (size_t i = definition->n_indices; i-- > 0;)
    if (!definition->is_closed[i] && cake_str_equal(definition->index_names[i], name)) return (int32_t)i;
  return -1;
}

// A new index; -1: reported.
static int32_t add_index(Parser *parser) {
  ContractDefinition *definition = parser->definition;
  CakeLoc loc = parser->lexer->loc;
  CakeStr name;
  if (!contract_name(parser->lexer, &name)) return -1;
  if (find_index(definition, name) >= 0 || definition->n_indices == CONTRACT_INDICES) {
    (void)fail_at(parser, loc,
                  definition->n_indices == CONTRACT_INDICES ? "'%.*s' is one index too many"
                                                            : "'%.*s' is an index of this formula already",
                  name);
    return -1;
  }
  definition->index_names[definition->n_indices] = cake_arena_str(parser->contract->arena, name);
  definition->index_locs[definition->n_indices] = loc;
  return (int32_t)definition->n_indices++;
}

static bool parse_subscripts(Parser *parser, ContractNode *node) {
  do {
    CakeLoc loc = parser->lexer->loc;
    CakeStr name;
    if (!contract_name(parser->lexer, &name)) return false;
    int32_t index = find_index(parser->definition, name);
    if (index < 0) return fail_at(parser, loc, "'%.*s' is no index of this formula", name);
    if (node->n_indices == CONTRACT_RANK) return fail_at(parser, loc, "'%.*s' is one subscript too many", name);
    node->indices[node->n_indices++] = index;
  } while (contract_accept(parser->lexer, ","));
  return contract_expect(parser->lexer, "]");
}

// ---- Formulas --------------------------------------------------------------------------------------------------------

// "sum(k: …)": an index, then a colon, which tells max over an index from max of two.
static bool at_reduction(const Parser *parser) {
  ContractLexer ahead = *parser->lexer;
  if (!contract_accept(&ahead, "(") || !contract_is_name(&ahead)) return false;
  contract_next(&ahead);
  return contract_is(&ahead, ":");
}

static ContractNode *parse_reduction(Parser *parser, ContractKind kind, CakeLoc loc) {
  ContractNode *node = new_node(parser, kind, loc);
  contract_next(parser->lexer); // (
  node->index = add_index(parser);
  if (node->index < 0 || !contract_expect(parser->lexer, ":")) return NULL;
  node->a = parse_sum(parser);
  if (!node->a || !contract_expect(parser->lexer, ")")) return NULL;
  parser->definition->is_closed[node->index] = true;
  return node;
}

static ContractNode *parse_call(Parser *parser, CakeStr name, CakeLoc loc) {
  ContractNode *node = new_node(parser, CONTRACT_CALL, loc);
  bool is_max = cake_str_is(name, "max"), is_min = cake_str_is(name, "min");
  node->which = contract_function_find(name);
  if (is_max || is_min) node->kind = is_max ? CONTRACT_MAX2 : CONTRACT_MIN2;
  if (node->kind == CONTRACT_CALL && node->which == SIZE_MAX)
    return fail_at(parser, loc, "'%.*s' is no function of contracts", name);
  contract_next(parser->lexer); // (
  node->a = parse_sum(parser);
  if (!node->a) return NULL;
  if (node->kind != CONTRACT_CALL) {
    if (!contract_expect(parser->lexer, ",")) return NULL;
    node->b = parse_sum(parser);
    if (!node->b) return NULL;
  }
  return contract_expect(parser->lexer, ")") ? node : NULL;
}

static ContractNode *parse_named(Parser *parser) {
  CakeLoc loc = parser->lexer->loc;
  CakeStr name = parser->lexer->word;
  contract_next(parser->lexer);
  for (size_t i = 0; i < CAKE_COUNT(reductions); i++)
    if (cake_str_is(name, reductions[i].name) && at_reduction(parser))
      return parse_reduction(parser, reductions[i].kind, loc);
  if (contract_is(parser->lexer, "(")) return parse_call(parser, name, loc);
  ContractNode *node = new_node(parser, CONTRACT_READ, loc);
  node->name = cake_arena_str(parser->contract->arena, name);
  if (contract_accept(parser->lexer, "[")) return parse_subscripts(parser, node) ? node : NULL;
  node->index = find_index(parser->definition, name);
  if (node->index >= 0) node->kind = CONTRACT_INDEX;
  return node;
}

static ContractNode *parse_primary(Parser *parser) {
  CakeLoc loc = parser->lexer->loc;
  if (contract_accept(parser->lexer, "(")) {
    ContractNode *inner = parse_sum(parser);
    return inner && contract_expect(parser->lexer, ")") ? inner : NULL;
  }
  if (contract_accept(parser->lexer, "-")) {
    ContractNode *node = new_node(parser, CONTRACT_NEG, loc);
    if (++parser->depth > CONTRACT_DEPTH) return fail_at(parser, loc, "nested deeper than the limit%.*s", CAKE_STR(""));
    node->a = parse_primary(parser);
    parser->depth--;
    return node->a ? node : NULL;
  }
  if (contract_is_number(parser->lexer)) {
    ContractNode *node = new_node(parser, CONTRACT_NUMBER, loc);
    return contract_real(parser->lexer, &node->number) ? node : NULL;
  }
  if (contract_is_name(parser->lexer)) return parse_named(parser);
  (void)contract_unexpected(parser->lexer, "a number, a name, '-' or '('");
  return NULL;
}

static ContractNode *parse_product(Parser *parser) {
  ContractNode *left = parse_primary(parser);
  while (left && (contract_is(parser->lexer, "*") || contract_is(parser->lexer, "/"))) {
    ContractNode *node =
        new_node(parser, contract_is(parser->lexer, "*") ? CONTRACT_MUL : CONTRACT_DIV, parser->lexer->loc);
    contract_next(parser->lexer);
    node->a = left;
    node->b = parse_primary(parser);
    left = node->b ? node : NULL;
  }
  return left;
}

static ContractNode *parse_sum(Parser *parser) {
  if (++parser->depth > CONTRACT_DEPTH)
    return fail_at(parser, parser->lexer->loc, "nested deeper than the limit%.*s", CAKE_STR(""));
  ContractNode *left = parse_product(parser);
  while (left && (contract_is(parser->lexer, "+") || contract_is(parser->lexer, "-"))) {
    ContractNode *node =
        new_node(parser, contract_is(parser->lexer, "+") ? CONTRACT_ADD : CONTRACT_SUB, parser->lexer->loc);
    contract_next(parser->lexer);
    node->a = left;
    node->b = parse_product(parser);
    left = node->b ? node : NULL;
  }
  parser->depth--;
  return left;
}

// ---- Definitions -----------------------------------------------------------------------------------------------------

static bool parse_tolerance(Parser *parser) {
  ContractDefinition *definition = parser->definition;
  if (!contract_accept(parser->lexer, "within")) return true;
  definition->has_tolerance = true;
  bool has_absolute = contract_accept(parser->lexer, "abs");
  if (has_absolute && !contract_real(parser->lexer, &definition->absolute)) return false;
  if (contract_accept(parser->lexer, "rel")) return contract_real(parser->lexer, &definition->relative);
  return has_absolute || contract_unexpected(parser->lexer, "'abs' or 'rel'");
}

static bool is_new(const Parser *parser, const ContractDefinition *definition) {
  for (size_t i = 0; i < parser->contract->definitions.len; i++)
    if (cake_str_equal(parser->contract->definitions.data[i].name, definition->name)) {
      (void)fail_at(parser, definition->loc, "'%.*s' is defined twice", definition->name);
      return false;
    }
  return true;
}

// A long chain of + or * nests to the left as deep as it is long: evaluation goes no deeper than this.
static unsigned depth_of(const ContractNode *node, unsigned depth) {
  if (!node || depth > 4 * CONTRACT_DEPTH) return depth;
  unsigned a = depth_of(node->a, depth + 1), b = depth_of(node->b, depth + 1);
  return a > b ? a : b;
}

// `in N parts` behind an update, whose formula is a sum.
static bool parse_parts(Parser *parser) {
  ContractDefinition *definition = parser->definition;
  if (definition->root->kind != CONTRACT_SUM)
    return fail_at(parser, definition->loc, "what is added to '%.*s' is no sum over an index", definition->name);
  if (!contract_expect(parser->lexer, "in") || !contract_integer(parser->lexer, &definition->parts) ||
      !contract_expect(parser->lexer, "parts"))
    return false;
  return (definition->parts >= 1 && definition->parts <= CONTRACT_TILE) ||
         fail_at(parser, definition->loc, "'%.*s' is added to in 1 to 65536 parts", definition->name);
}

bool contract_parse_definition(CakeContract *contract, ContractLexer *lexer, ContractRole role, bool is_update) {
  ContractDefinition definition = {.role = role, .loc = lexer->loc};
  Parser parser = {contract, lexer, &definition, 0};
  if (!contract_name(lexer, &definition.name)) return false;
  definition.name = cake_arena_str(contract->arena, definition.name);
  if (contract_accept(lexer, "[")) {
    do {
      if (add_index(&parser) < 0) return false;
    } while (contract_accept(lexer, ","));
    if (!contract_expect(lexer, "]")) return false;
  }
  definition.n_own = definition.n_indices;
  if (definition.n_own > CONTRACT_RANK)
    return fail_at(&parser, definition.loc, "'%.*s' has too many indices", definition.name);
  if (!is_new(&parser, &definition) || !contract_expect(lexer, is_update ? "+=" : "=")) return false;
  definition.root = parse_sum(&parser);
  if (!definition.root) return false;
  if (depth_of(definition.root, 0) > 4 * CONTRACT_DEPTH)
    return fail_at(&parser, definition.loc, "the formula of '%.*s' is nested deeper than the limit", definition.name);
  if (is_update && !parse_parts(&parser)) return false;
  if (role == CONTRACT_OUTPUT && !parse_tolerance(&parser)) return false;
  CAKE_PUSH(&contract->definitions, definition);
  return true;
}
