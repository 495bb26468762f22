// What `quick` hooks call (cake/asm.h): parts of an op's header, from the characters of the text (quick.h).
#include "quick.h"

CakeContext *cake_quick_context(const CakeQuick *quick) {
  return quick->parser->context;
}

char cake_quick_next(const CakeQuick *quick) {
  return cake_quick_peek(quick);
}

bool cake_quick_literal(CakeQuick *quick, const char *text) {
  const char *p = cake_quick_start(quick);
  for (; *text; text++, p++)
    if (*p != *text) return false;
  if (is(p[-1], BARE) && is(*p, BARE)) return false; // a longer word
  quick->p = p;
  return true;
}

const CakeOpDef *cake_quick_def(const CakeQuick *quick) {
  return quick->info->def;
}

void cake_quick_set_attr(CakeQuick *quick, uint32_t row, CakeAttr value) {
  quick->props[row] = value;
}

bool cake_quick_attributes(CakeQuick *quick) {
  return cake_quick_literal(quick, "attributes") ? cake_quick_dictionary(quick, 0) : cake_quick_peek(quick) != 'a';
}

// ---- Types ---------------------------------------------------------------------------------------------------------

CakeType cake_quick_operand_type(const CakeQuick *quick, uint32_t index) {
  return quick->values[index]->type;
}

bool cake_quick_types(CakeQuick *quick, CakeQuickTypes *out) {
  out->count = 0;
  if (cake_quick_char(quick, ')')) return true;
  do
    if (out->count == CAKE_QUICK_TYPES_MOST || !cake_quick_type(quick, &out->types[out->count++])) return false;
  while (*quick->p == ',' && quick->p++);
  return cake_quick_char(quick, ')');
}

bool cake_quick_type_list(CakeQuick *quick, CakeQuickTypes *out) {
  if (cake_quick_char(quick, '(')) return cake_quick_types(quick, out);
  out->count = 1;
  return cake_quick_type(quick, &out->types[0]);
}

void cake_quick_set_results(CakeQuick *quick, const CakeQuickTypes *types) {
  quick->is_functional = true;
  quick->n_types = types->count;
  for (uint32_t i = 0; i < types->count; i++)
    quick->types[i] = types->types[i];
}

// ---- Arguments -----------------------------------------------------------------------------------------------------

static CakeQuickArgument *read_name(CakeQuick *quick, CakeQuickArguments *out) {
  const CakeLexeme *token = &quick->parser->token;
  if (!cake_quick_char(quick, '%') || out->count == CAKE_QUICK_VALUES) return NULL;
  CakeQuickArgument *arg = &out->args[out->count++];
  arg->loc = cake_parser_place(quick->parser, token->line, token->line_start, quick->p - 1);
  return cake_quick_key(quick, &arg->name) ? arg : NULL;
}

bool cake_quick_argument_list(CakeQuick *quick, CakeQuickArguments *out) {
  if (cake_quick_char(quick, ')')) return true;
  do {
    CakeQuickArgument *arg = read_name(quick, out);
    if (!arg || !cake_quick_char(quick, ':') || !cake_quick_type(quick, &arg->type)) return false;
  } while (*quick->p == ',' && quick->p++);
  return cake_quick_char(quick, ')');
}

bool cake_quick_argument(CakeQuick *quick, uint32_t region) {
  CakeQuickArgument *arg = read_name(quick, &quick->arguments);
  if (arg) arg->region = region;
  return arg != NULL;
}

bool cake_quick_arguments(CakeQuick *quick, uint32_t region) {
  CakeQuickArguments *arguments = &quick->arguments;
  uint32_t first = arguments->count;
  if (!cake_quick_argument_list(quick, arguments)) return false;
  for (uint32_t i = first; i < arguments->count; i++)
    arguments->args[i].region = region;
  return true;
}

uint32_t cake_quick_n_arguments(const CakeQuick *quick) {
  return quick->arguments.count;
}

CakeType cake_quick_argument_type(const CakeQuick *quick, uint32_t index) {
  return quick->arguments.args[index].type;
}

void cake_quick_set_argument_type(CakeQuick *quick, uint32_t index, CakeType type) {
  quick->arguments.args[index].type = type;
}

bool cake_quick_assignments(CakeQuick *quick, uint32_t region, uint32_t group) {
  if (cake_quick_char(quick, ')')) return true;
  do
    if (!cake_quick_argument(quick, region) || !cake_quick_char(quick, '=') || !cake_quick_operand(quick, group))
      return false;
  while (*quick->p == ',' && quick->p++);
  return cake_quick_char(quick, ')');
}
