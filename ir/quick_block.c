// Labels, read quickly (quick.h): `^name(%a: type, %b: type):`.
#include "quick.h"

typedef struct Label {
  CakeNameKey name;
  CakeQuickArguments args;
} Label;

static bool read_label(CakeQuick *quick, Label *label) {
  quick->p++;
  if (!cake_quick_key(quick, &label->name)) return false;
  if (cake_quick_char(quick, '(') && !cake_quick_argument_list(quick, &label->args)) return false;
  return cake_quick_char(quick, ':') && *quick->p != ':';
}

static CakeBlock *make(CakeParser *parser, CakeRegion *region, const Label *label, CakeLoc loc) {
  CakeBlock *block = cake_parser_define_label_key(parser, &label->name, loc);
  if (!block) return NULL;
  block->loc = loc;
  cake_region_append(region, block);
  for (uint32_t i = 0; i < label->args.count; i++) {
    const CakeQuickArgument *arg = &label->args.args[i];
    if (!cake_parser_add_argument(parser, block, &arg->name, arg->loc, arg->type)) return NULL;
  }
  return block;
}

CakeQuickResult cake_quick_label(CakeParser *parser, CakeRegion *region, CakeBlock **out) {
  const CakeLexeme token = parser->token;
  CakeQuick quick = {.parser = parser, .p = token.ptr};
  Label label;
  label.args.count = 0;
  if (!read_label(&quick, &label)) return CAKE_QUICK_NOT;
  cake_quick_step(&quick);
  *out = make(parser, region, &label, cake_lexeme_loc(parser, &token));
  return *out ? CAKE_QUICK_DONE : CAKE_QUICK_FAILED;
}
