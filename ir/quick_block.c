// Arguments of blocks, read quickly (quick.h): `^name(%a: type, %b: type):`, and the same behind the name of a function.
#include "quick.h"

typedef struct Argument {
  CakeNameKey name;
  CakeLoc loc;
  CakeType type;
} Argument;

typedef struct Arguments {
  uint32_t count;
  Argument args[CAKE_QUICK_VALUES];
} Arguments;

static bool read_arg(CakeQuick *quick, Arguments *out) {
  const CakeLexeme *token = &quick->parser->token;
  if (!cake_quick_char(quick, '%') || out->count == CAKE_QUICK_VALUES) return false;
  Argument *arg = &out->args[out->count++];
  arg->loc = cake_parser_place(quick->parser, token->line, token->line_start, quick->p - 1);
  return cake_quick_key(quick, &arg->name) && cake_quick_char(quick, ':') && cake_quick_type(quick, &arg->type);
}

// Behind the opening parenthesis.
static bool read_args(CakeQuick *quick, Arguments *out) {
  if (cake_quick_char(quick, ')')) return true;
  do
    if (!read_arg(quick, out)) return false;
  while (*quick->p == ',' && quick->p++);
  return cake_quick_char(quick, ')');
}

// ---- Labels --------------------------------------------------------------------------------------------------------

typedef struct Label {
  CakeNameKey name;
  Arguments args;
} Label;

static bool read_label(CakeQuick *quick, Label *label) {
  quick->p++;
  if (!cake_quick_key(quick, &label->name)) return false;
  if (cake_quick_char(quick, '(') && !read_args(quick, &label->args)) return false;
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
  for (uint32_t i = 0; i < label->args.count; i++)
    if (!define_arg(parser, block, &label->args.args[i])) return NULL;
  return block;
}

CakeQuickResult cake_quick_label(CakeParser *parser, CakeRegion *region, CakeBlock **out) {
  const CakeLexeme token = parser->token;
  CakeQuick quick = {.parser = parser, .p = token.ptr};
  Label label;
  label.args.count = 0;
  if (!read_label(&quick, &label)) return CAKE_QUICK_NOT;
  cake_quick_step(&quick, true);
  *out = make(parser, region, &label, cake_lexeme_loc(parser, &token));
  return *out ? CAKE_QUICK_DONE : CAKE_QUICK_FAILED;
}

// ---- Functions -----------------------------------------------------------------------------------------------------

uint32_t cake_asm_plain_arguments(CakeAsmParser *parser, uint32_t region) {
  CakeParser *stream = parser->stream;
  CakeQuick quick = {.parser = stream, .p = stream->token.ptr};
  Arguments read;
  read.count = 0;
  if (!cake_parser_may_be_quick(stream)) return 0;
  if (!cake_quick_char(&quick, '(') || !read_args(&quick, &read) || !read.count) return 0;
  cake_quick_step(&quick, false);
  for (uint32_t i = 0; i < read.count; i++) {
    const Argument *arg = &read.args[i];
    CAKE_PUSH(&stream->region_args, (CakeRegionArg){
                                        region, {arg->name.ptr, arg->name.len},
                                         arg->loc, arg->type
    });
  }
  return read.count;
}

CakeType cake_asm_region_arg_type(const CakeAsmParser *parser, uint32_t index) {
  return parser->stream->region_args.data[parser->region_args + index].type;
}
