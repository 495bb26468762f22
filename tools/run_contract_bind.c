// What the names and indices of a contract stand for in a kernel, and how far they run for a shape.
#include "tools/run_contract_parts.h"

static bool form_error(const CakeContract *contract, CakeLoc loc, const char *format, CakeStr name) {
  return cake_error_at(contract->context, loc, CAKE_CODE_CONTRACT_FORM, format, CAKE_STR_ARG(name));
}

// ---- Names -----------------------------------------------------------------------------------------------------------

static size_t find_definition(const CakeContract *contract, CakeStr name, ContractRole role) {
  for (size_t i = 0; i < contract->definitions.len; i++)
    if (contract->definitions.data[i].role == role && cake_str_equal(contract->definitions.data[i].name, name))
      return i;
  return SIZE_MAX;
}

static bool bind_read(CakeContract *contract, const CakeFacts *facts, size_t user, ContractNode *node) {
  size_t let = find_definition(contract, node->name, CONTRACT_LET), rank;
  if (let != SIZE_MAX && let >= user)
    return form_error(contract, node->loc, "'%.*s' is defined further down", node->name);
  if (let != SIZE_MAX) {
    node->definition = (int32_t)let;
    rank = contract->definitions.data[let].n_own;
  } else {
    node->which = cake_facts_find(facts, node->name);
    if (node->which == SIZE_MAX) {
      node->kind = CONTRACT_SIZE;
      node->which = cake_facts_find_size(facts, node->name);
      if (node->which == SIZE_MAX || node->n_indices)
        return form_error(contract, node->loc, "the kernel has no '%.*s'", node->name);
      return true;
    }
    if (find_definition(contract, node->name, CONTRACT_OUTPUT) != SIZE_MAX)
      return form_error(contract, node->loc, "'%.*s' is an output: a formula says what it is without reading it",
                        node->name);
    size_t input = find_definition(contract, node->name, CONTRACT_INPUT);
    if (input != SIZE_MAX && input >= user)
      return form_error(contract, node->loc, "'%.*s' is defined further down", node->name);
    rank = facts->manifest.args[node->which].rank;
  }
  return rank == node->n_indices ||
         form_error(contract, node->loc, "'%.*s' has another number of dimensions than subscripts", node->name);
}

static bool bind_node(CakeContract *contract, const CakeFacts *facts, size_t user, ContractNode *node) {
  const ContractDefinition *definition = &contract->definitions.data[user];
  bool is_arg = node->kind == CONTRACT_ARGMIN || node->kind == CONTRACT_ARGMAX;
  if (is_arg && (node != definition->root || definition->role != CONTRACT_OUTPUT))
    return form_error(contract, node->loc, "argmin and argmax may only be all of an output%.*s", CAKE_STR(""));
  if (node->kind == CONTRACT_READ && !bind_read(contract, facts, user, node)) return false;
  return (!node->a || bind_node(contract, facts, user, node->a)) &&
         (!node->b || bind_node(contract, facts, user, node->b));
}

static bool bind_argument(CakeContract *contract, const CakeFacts *facts, ContractDefinition *definition) {
  definition->argument = cake_facts_find(facts, definition->name);
  if (definition->argument == SIZE_MAX || !facts->manifest.args[definition->argument].is_array)
    return form_error(contract, definition->loc, "the kernel has no array '%.*s'", definition->name);
  return facts->manifest.args[definition->argument].rank == definition->n_own ||
         form_error(contract, definition->loc, "'%.*s' has another number of dimensions than indices",
                    definition->name);
}

bool contract_bind(CakeContract *contract, const CakeFacts *facts) {
  if (contract->kernel.len && !cake_str_is(contract->kernel, facts->manifest.kernel))
    return form_error(contract, contract->loc, "the contract is of '@%.*s', which is another kernel", contract->kernel);
  for (size_t i = 0; i < contract->definitions.len; i++) {
    ContractDefinition *definition = &contract->definitions.data[i];
    if (definition->role != CONTRACT_LET && !bind_argument(contract, facts, definition)) return false;
    if (!bind_node(contract, facts, i, definition->root)) return false;
  }
  for (size_t i = 0; i < contract->scalars.len; i++) {
    const ContractScalar *scalar = &contract->scalars.data[i];
    size_t which = cake_facts_find(facts, scalar->name);
    if (which == SIZE_MAX || facts->manifest.args[which].is_array)
      return form_error(contract, scalar->loc, "the kernel has no scalar '%.*s'", scalar->name);
  }
  return true;
}

// ---- Extents ---------------------------------------------------------------------------------------------------------

static bool unify(const CakeContract *contract, ContractDefinition *definition, int32_t index, int64_t extent,
                  CakeLoc loc) {
  int64_t *known = &definition->extents[index];
  if (*known < 0) *known = extent;
  return *known == extent ||
         cake_error_at(contract->context, loc, CAKE_CODE_CONTRACT_FORM,
                       "index '%.*s' runs over %lld elements here, and over %lld elsewhere",
                       CAKE_STR_ARG(definition->index_names[index]), (long long)extent, (long long)*known);
}

static bool measure(const CakeContract *contract, ContractDefinition *definition, const CakeRunArgs *args,
                    const ContractNode *node) {
  bool is_let = node->definition >= 0;
  for (size_t d = 0; node->kind == CONTRACT_READ && d < node->n_indices; d++) {
    int64_t extent =
        is_let ? contract->definitions.data[node->definition].extents[d] : args->arrays.data[node->which].dims[d];
    if (!unify(contract, definition, node->indices[d], extent, node->loc)) return false;
  }
  return (!node->a || measure(contract, definition, args, node->a)) &&
         (!node->b || measure(contract, definition, args, node->b));
}

bool contract_bind_shape(CakeContract *contract, const CakeRunArgs *args) {
  for (size_t i = 0; i < contract->definitions.len; i++) {
    ContractDefinition *definition = &contract->definitions.data[i];
    for (size_t d = 0; d < definition->n_indices; d++)
      definition->extents[d] = definition->role != CONTRACT_LET && d < definition->n_own
                                   ? args->arrays.data[definition->argument].dims[d]
                                   : -1;
    if (!measure(contract, definition, args, definition->root)) return false;
    for (size_t d = 0; d < definition->n_indices; d++)
      if (definition->extents[d] < 0)
        return form_error(contract, definition->index_locs[d],
                          "nothing says how far index '%.*s' runs: no array has it as a subscript",
                          definition->index_names[d]);
  }
  return true;
}
