// Reading contracts: the statements. Formulas are in run_contract_formula.c.
#include "tools/run_contract_formula.h"

static const char *const input_names[] = {
    [CONTRACT_NORMAL] = "normal", [CONTRACT_TIES] = "ties",           [CONTRACT_WIDE] = "wide",
    [CONTRACT_LARGE] = "large",   [CONTRACT_SMALL] = "small",         [CONTRACT_DENORMAL] = "denormal",
    [CONTRACT_ZEROS] = "zeros",   [CONTRACT_NONFINITE] = "nonfinite",
};

const char *contract_inputs_name(ContractInputs inputs) {
  return input_names[inputs];
}

static CakeStr keep(CakeContract *contract, CakeStr text) {
  return cake_arena_str(contract->arena, text);
}

static bool parse_kernel(CakeContract *contract, ContractLexer *lexer) {
  CakeStr name;
  if (!contract_expect(lexer, "@") || !contract_name(lexer, &name)) return false;
  contract->kernel = keep(contract, name);
  return true;
}

static bool parse_params(CakeContract *contract, ContractLexer *lexer) {
  do {
    CakeStr name;
    int64_t value;
    if (!contract_name(lexer, &name) || !contract_expect(lexer, "=") || !contract_integer(lexer, &value)) return false;
    cake_buf_printf(&contract->params, "%s%.*s=%lld", contract->params.len ? "," : "", CAKE_STR_ARG(name),
                    (long long)value);
  } while (contract_accept(lexer, ","));
  return true;
}

static bool parse_step(ContractLexer *lexer, ContractSize *out) {
  return !contract_accept(lexer, "step") || contract_integer(lexer, &out->step);
}

static bool parse_around(CakeContract *contract, ContractLexer *lexer, ContractSize *out) {
  CakeLoc loc = lexer->loc;
  if (!contract_integer(lexer, &out->tile) || !parse_step(lexer, out)) return false;
  if (out->step > 0 && out->tile > out->step && out->tile <= CONTRACT_TILE && out->tile % out->step == 0) return true;
  return cake_error_at(contract->context, loc, CAKE_CODE_CONTRACT_FORM,
                       "the tile of '%.*s' is not two or more whole steps, of at most %d elements",
                       CAKE_STR_ARG(out->name), CONTRACT_TILE);
}

static bool parse_size(CakeContract *contract, ContractLexer *lexer, ContractSize *out) {
  CakeStr name;
  *out = (ContractSize){.step = 1};
  if (!contract_name(lexer, &name)) return false;
  out->name = keep(contract, name);
  if (contract_accept(lexer, "=")) {
    if (!contract_integer(lexer, &out->low)) return false;
    out->high = out->low;
    return true;
  }
  if (contract_accept(lexer, "around")) return parse_around(contract, lexer, out);
  CakeLoc loc = lexer->loc;
  if (!contract_expect(lexer, "in") || !contract_integer(lexer, &out->low) || !contract_expect(lexer, "..") ||
      !contract_integer(lexer, &out->high))
    return false;
  if (!parse_step(lexer, out)) return false;
  if (out->high >= out->low && out->step > 0) return true;
  return cake_error_at(contract->context, loc, CAKE_CODE_CONTRACT_FORM, "the range of '%.*s' is empty",
                       CAKE_STR_ARG(out->name));
}

static bool parse_inputs(ContractLexer *lexer, unsigned *out) {
  do {
    unsigned kind = 0;
    while (kind < CONTRACT_INPUTS_COUNT && !contract_is(lexer, input_names[kind]))
      kind++;
    if (kind == CONTRACT_INPUTS_COUNT)
      return contract_unexpected(lexer,
                                 "normal, ties, wide, large, small, denormal, zeros or nonfinite, the kinds of inputs");
    *out |= 1U << kind;
    contract_next(lexer);
  } while (contract_accept(lexer, ","));
  return true;
}

// One shape; of one with tiles as many as there are ways to lie around a tile: each size that has one takes all of them, another one in each shape. One
// more is one step more than so many tiles that tiles longer by one element would be too few.
static void add_shapes(CakeContract *contract, const ContractShape *shape) {
  enum { WAYS = 4 };
  size_t n_shapes = 1;
  for (size_t i = 0; i < shape->n_sizes; i++)
    if (shape->sizes[i].tile) n_shapes = WAYS;
  for (size_t n = 0; n < n_shapes; n++) {
    ContractShape one = *shape;
    size_t way = n;
    for (size_t i = 0; i < one.n_sizes; i++) {
      ContractSize *size = &one.sizes[i];
      if (!size->tile) continue;
      int64_t tile = size->tile, step = size->step;
      int64_t values[WAYS] = {step, tile * step + step, tile, 2 * tile - step};
      size->low = size->high = values[way++ % WAYS];
    }
    CAKE_PUSH(&contract->shapes, one);
  }
}

static bool parse_shape(CakeContract *contract, ContractLexer *lexer, CakeLoc loc) {
  ContractShape shape = {.loc = loc};
  do {
    if (shape.n_sizes == CONTRACT_SIZES)
      return cake_error_at(contract->context, loc, CAKE_CODE_CONTRACT_FORM, "more than %d sizes", CONTRACT_SIZES);
    if (!parse_size(contract, lexer, &shape.sizes[shape.n_sizes++])) return false;
  } while (contract_accept(lexer, ","));
  if (contract_accept(lexer, "with") && !parse_inputs(lexer, &shape.inputs)) return false;
  add_shapes(contract, &shape);
  return true;
}

static bool parse_sums(CakeContract *contract, ContractLexer *lexer) {
  CakeLoc loc = lexer->loc;
  if (!contract_integer(lexer, &contract->sum_bits) || !contract_expect(lexer, "of") ||
      !contract_integer(lexer, &contract->sum_group))
    return false;
  bool is_fine =
      contract->sum_bits >= 8 && contract->sum_bits <= 23 && contract->sum_group >= 1 && contract->sum_group <= 64;
  return is_fine || cake_error_at(contract->context, loc, CAKE_CODE_CONTRACT_FORM,
                                  "sums keep 8 to 23 bits behind the largest of 1 to 64 terms");
}

static bool parse_scalar(CakeContract *contract, ContractLexer *lexer) {
  ContractScalar scalar = {.loc = lexer->loc};
  CakeStr name;
  double value;
  if (!contract_name(lexer, &name) || !contract_expect(lexer, "=")) return false;
  const char *begin = lexer->word.ptr;
  if (!contract_real(lexer, &value)) return false;
  const char *end = begin;
  while (end < lexer->end && *end != '\n' && *end != ' ' && *end != '/')
    end++;
  scalar.name = keep(contract, name);
  scalar.text = keep(contract, (CakeStr){begin, (size_t)(end - begin)});
  CAKE_PUSH(&contract->scalars, scalar);
  return true;
}

static bool parse_statement(CakeContract *contract, ContractLexer *lexer) {
  CakeLoc loc = lexer->loc;
  if (contract_accept(lexer, "kernel")) return parse_kernel(contract, lexer);
  if (contract_accept(lexer, "param")) return parse_params(contract, lexer);
  if (contract_accept(lexer, "shape")) return parse_shape(contract, lexer, loc);
  if (contract_accept(lexer, "inputs")) return parse_inputs(lexer, &contract->inputs);
  if (contract_accept(lexer, "sums")) return parse_sums(contract, lexer);
  if (contract_accept(lexer, "scalar")) return parse_scalar(contract, lexer);
  if (contract_accept(lexer, "let")) return contract_parse_definition(contract, lexer, CONTRACT_LET, false);
  if (contract_accept(lexer, "input")) return contract_parse_definition(contract, lexer, CONTRACT_INPUT, false);
  if (contract_accept(lexer, "output")) return contract_parse_definition(contract, lexer, CONTRACT_OUTPUT, false);
  if (contract_accept(lexer, "update")) return contract_parse_definition(contract, lexer, CONTRACT_OUTPUT, true);
  return contract_unexpected(lexer, "kernel, param, shape, inputs, sums, scalar, input, let, output or update");
}

static bool check_whole(const CakeContract *contract, const ContractLexer *lexer) {
  bool has_output = false;
  for (size_t i = 0; i < contract->definitions.len; i++)
    has_output |= contract->definitions.data[i].role == CONTRACT_OUTPUT;
  if (!has_output)
    return cake_error_at(contract->context, lexer->loc, CAKE_CODE_CONTRACT_FORM, "the contract names no output");
  if (!contract->shapes.len)
    return cake_error_at(contract->context, lexer->loc, CAKE_CODE_CONTRACT_FORM, "the contract names no shape");
  return true;
}

CakeContract *cake_contract_read(CakeContext *context, CakeStr text, const char *file) {
  CakeArena *arena = cake_arena_create();
  CakeContract *contract = CAKE_ARENA_NEW(arena, CakeContract);
  contract->context = context;
  contract->arena = arena;
  contract->kernel = CAKE_STR("");
  cake_context_add_source(context, cake_id_text(context, file), text);
  ContractLexer lexer = contract_lexer(context, text, file);
  contract->loc = lexer.loc;
  bool is_fine = true;
  while (is_fine && lexer.word.len)
    is_fine = parse_statement(contract, &lexer);
  if (is_fine && check_whole(contract, &lexer)) {
    if (!contract->inputs) contract->inputs = (1U << CONTRACT_INPUTS_COUNT) - 1;
    return contract;
  }
  cake_contract_destroy(contract);
  return NULL;
}

void cake_contract_destroy(CakeContract *contract) {
  CakeArena *arena = contract->arena;
  cake_buf_fini(&contract->params);
  CAKE_VEC_FINI(&contract->definitions);
  CAKE_VEC_FINI(&contract->shapes);
  CAKE_VEC_FINI(&contract->scalars);
  cake_arena_destroy(arena);
}

CakeStr cake_contract_params(const CakeContract *contract) {
  return contract->params.len ? cake_buf_view(&contract->params) : CAKE_STR("");
}

CakeStr cake_contract_kernel(const CakeContract *contract) {
  return contract->kernel;
}
