// Regions of custom forms: they are parsed before the op is there, in a stand-in that gives its blocks to the op or becomes the op.
#include "asm.h"

// A stand-in gives its blocks to the op, which has taken them, and goes.
static void drop_shell(CakeOp *shell) {
  *cake_op_region(shell, 0) = (CakeRegion){.parent = shell};
  cake_op_destroy(shell);
}

// The region is parsed in a stand-in of the op, so that ops inside find it and its symbols; see parser_ops.c. That of the first region is
// kept: it may become the op.
static bool parse_in_shell(CakeAsmParser *parser, const CakeRegionRequest *request, CakeRegionBlocks *out) {
  CakeParser *stream = parser->stream;
  CakeOpState state = {.loc = parser->loc,
                       .info = parser->info,
                       .props = parser->n_props ? CAKE_VEC_FROM(&stream->attrs, parser->attrs) : NULL,
                       .n_regions = 1};
  CakeOp *shell = cake_op_create(stream->context, &state);
  cake_block_append(stream->block, shell);
  if (!cake_parser_region(stream, cake_op_region(shell, 0), request)) return false;
  *out = (CakeRegionBlocks){cake_op_region(shell, 0)->first, cake_op_region(shell, 0)->last};
  cake_op_unlink(shell);
  if (parser->shell)
    drop_shell(shell);
  else
    parser->shell = shell;
  return true;
}

CakeRegionRequest cake_asm_region_request(const CakeOpDef *def, const CakeAsmFormat *format, uint32_t region,
                                          CakeLoc loc) {
  const CakeRegionDef *row =
      def->n_regions ? &def->regions[region < def->n_regions ? region : def->n_regions - 1U] : NULL;
  return (CakeRegionRequest){.region = region,
                             .isolated = (def->traits & CAKE_TRAIT_ISOLATED) != 0,
                             .has_entry = row && row->single_block && !row->may_be_empty,
                             .end = def->traits & CAKE_TRAIT_IMPLICIT_END ? format->end : NULL,
                             .end_loc = loc};
}

static bool parse(CakeAsmParser *parser, uint32_t region, size_t first_arg) {
  CakeParser *stream = parser->stream;
  CakeRegionRequest request = cake_asm_region_request(parser->info->def, parser->format, region, parser->loc);
  request.first_arg = first_arg;
  if (parser->op) return cake_parser_region(stream, cake_op_region(parser->op, region), &request);
  CakeRegionBlocks blocks;
  if (!parse_in_shell(parser, &request, &blocks)) return false;
  while (stream->regions.len <= parser->regions + region)
    CAKE_PUSH(&stream->regions, (CakeRegionBlocks){NULL, NULL});
  stream->regions.data[parser->regions + region] = blocks;
  return true;
}

bool cake_asm_region(CakeAsmParser *parser, uint32_t region, const CakeId *names, const CakeLoc *locs,
                     const CakeType *types, uint32_t count) {
  size_t base = parser->stream->region_args.len;
  for (uint32_t i = 0; i < count; i++)
    cake_asm_add_region_arg(parser, region, names[i], locs[i], types[i]);
  bool ok = parse(parser, region, base);
  parser->stream->region_args.len = base;
  return ok;
}

bool cake_asm_region_with_args(CakeAsmParser *parser, uint32_t region) {
  return parse(parser, region, parser->region_args);
}

bool cake_asm_region_is_empty(const CakeAsmParser *parser, uint32_t region) {
  return !parser->stream->regions.data[parser->regions + region].first;
}

// The stand-in as the op, when that has one region and nothing else but attributes.
static CakeOp *create_from_shell(CakeAsmParser *parser, const CakeOpState *state) {
  CakeOp *op = parser->shell;
  if (!op || state->n_regions != 1 || state->n_operands || state->n_results || state->n_successors) return NULL;
  for (uint32_t i = 0; i < op->info->n_props; i++)
    cake_op_props(op)[i] = state->props[i];
  op->attrs = state->attrs;
  return op;
}

CakeOp *cake_asm_create_with_regions(CakeAsmParser *parser, const CakeOpState *state) {
  CakeOp *op = create_from_shell(parser, state);
  if (op) return op;
  op = cake_op_create(parser->stream->context, state);
  for (size_t i = 0; i < state->n_regions; i++)
    cake_region_take_blocks(cake_op_region(op, i), parser->stream->regions.data[parser->regions + i]);
  if (parser->shell) drop_shell(parser->shell);
  return op;
}
