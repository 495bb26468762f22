// A block's label with its arguments, read quickly (quick.h): `^name(%a: type, %b: type):`.
#include "quick.h"

typedef struct Argument {
  CakeNameKey name;
  CakeLoc loc;
  CakeType type;
} Argument;

typedef struct Label {
  CakeNameKey name;
  uint32_t n_args;
  Argument args[CAKE_QUICK_VALUES];
} Label;

static bool read_arg(CakeQuick *quick, Label *label) {
  const CakeLexeme *token = &quick->parser->token;
  if (!cake_quick_char(quick, '%') || label->n_args == CAKE_QUICK_VALUES) return false;
  Argument *arg = &label->args[label->n_args++];
  arg->loc = cake_parser_place(quick->parser, token->line, token->line_start, quick->p - 1);
  return cake_quick_key(quick, &arg->name) && cake_quick_char(quick, ':') && cake_quick_type(quick, &arg->type);
}

static bool read_label(CakeQuick *quick, Label *label) {
  quick->p++;
  if (!cake_quick_key(quick, &label->name)) return false;
  if (cake_quick_char(quick, '(') && !cake_quick_char(quick, ')')) {
    do
      if (!read_arg(quick, label)) return false;
    while (*quick->p == ',' && quick->p++);
    if (!cake_quick_char(quick, ')')) return false;
  }
  return cake_quick_char(quick, ':') && *quick->p != ':';
}

static bool define_arg(CakeParser *parser, CakeBlock *block, const Argument *arg) {
  CakeValue *value = cake_block_add_arg(block, arg->type, arg->loc);
  cake_quick_name(value, &arg->name);
  return cake_parser_define_key(parser, &arg->name, arg->loc, value, 1);
}

static CakeBlock *make(CakeParser *parser, CakeRegion *region, const Label *label, CakeLoc loc) {
  CakeBlock *block = cake_parser_define_label_key(parser, &label->name, loc);
  if (!block) return NULL;
  block->loc = loc;
  cake_region_append(region, block);
  for (uint32_t i = 0; i < label->n_args; i++)
    if (!define_arg(parser, block, &label->args[i])) return NULL;
  return block;
}

CakeQuickResult cake_quick_label(CakeParser *parser, CakeRegion *region, CakeBlock **out) {
  const CakeLexeme token = parser->token;
  CakeQuick quick = {.parser = parser, .p = token.ptr};
  Label label;
  label.n_args = 0;
  if (!read_label(&quick, &label)) return CAKE_QUICK_NOT;
  cake_quick_step(&quick);
  *out = make(parser, region, &label, cake_lexeme_loc(parser, &token));
  return *out ? CAKE_QUICK_DONE : CAKE_QUICK_FAILED;
}
