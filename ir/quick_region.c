// The regions of an op that was made by its header, and what stands between and behind them (quick.h).
#include "quick.h"

// The region of that step, behind its opening brace, up to its closing one.
static bool parse_region(CakeParser *parser, const CakeQuickHeader *header, const CakeQuickStep *step) {
  CakeOp *op = header->op;
  CakeRegionRequest request = cake_asm_region_request(op->info->def, header->format, step->row, op->loc);
  request.first_arg = header->region_args;
  request.is_open = true;
  return cake_parser_region(parser, cake_op_region(op, step->row), &request);
}

static bool parse_regions(CakeParser *parser, const CakeQuickHeader *header) {
  const CakeQuickForm *form = header->format->quick;
  uint32_t at = form->n_header_steps;
  while (at < form->read.count) {
    const CakeQuickStep *step = &form->read.steps[at++];
    if (!parse_region(parser, header, step)) return false;
    if (cake_quick_behind_region(parser, form, &at)) continue;
    return cake_parser_expect(parser, CAKE_TOK_RBRACE) &&
           cake_asm_parse_rest(parser, header->op, header->format,
                               at < form->read.count ? form->read.steps[at].node : header->format->n_nodes,
                               header->region_args);
  }
  return true;
}

// The parser makes an op behind its regions, whose uses of a value are older then. Passes may meet uses in that order.
static void renew_uses(CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    cake_use_set(&op->operands[i], op->operands[i].value);
}

bool cake_quick_regions(CakeParser *parser, const CakeQuickHeader *header) {
  const char *outer = parser->default_dialect;
  const CakeOpInfo *info = header->op->info;
  parser->default_dialect = info->traits & CAKE_TRAIT_DEFAULT_DIALECT ? info->dialect->name : NULL;
  bool ok = parse_regions(parser, header);
  parser->default_dialect = outer;
  parser->region_args.len = header->region_args;
  parser->failed |= !ok;
  if (!ok) return false;
  renew_uses(header->op);
  return cake_quick_end_op(parser, header->op, &header->name, header->name_loc);
}
