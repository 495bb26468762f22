// What can be said of a before and an after without trying them: that each variable gets a value, that ranges can be told apart, and that
// what the after moves and uses is there when it does.
#include "rewrite.h"

// ---- Values --------------------------------------------------------------------------------------------------------

static bool is_of_before(const Rewrite *rewrite, const CakeBlock *block) {
  while (block && block != rewrite->before && cake_block_parent(block))
    block = cake_block_parent(block)->block;
  return block == rewrite->before;
}

static bool is_in_front(const CakeBlock *block, const CakeBlock *of) {
  while (block && block != of)
    block = block->next;
  return block != NULL;
}

// Whether the value is defined in front of the op, in a region around it. Whether another block of such a region comes first when it runs,
// the verifier knows.
static bool is_in_sight(const CakeValue *value, const CakeOp *op) {
  const CakeBlock *from = cake_value_block(value);
  for (CakeOp *at = (CakeOp *)(uintptr_t)op; at && from; at = cake_op_parent(at)) {
    if (!at->block || at->block->region != from->region) continue;
    CakeOp *def = cake_value_def(value);
    if (at->block != from) return is_in_front(from, at->block);
    return !def || (def != at && cake_op_is_before(def, at));
  }
  return false;
}

// What the after uses of the before is checked with what it moves.
static bool check_definitions(CakeParser *parser, const Rewrite *rewrite, const CakeOp *op) {
  bool is_before = is_of_before(rewrite, op->block);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *value = cake_op_operand(op, i);
    if ((!is_before && is_of_before(rewrite, cake_value_block(value))) || is_in_sight(value, op)) continue;
    return cake_rewrite_fail(parser, op->loc, CAKE_STR("put the definition in front"),
                             "an op uses a value that is defined behind it, or in a region that it is not in");
  }
  return true;
}

// ---- Ranges --------------------------------------------------------------------------------------------------------

static uint32_t count_ranges(const RewriteList *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < list->count; i++)
    count += cake_rewrite_is_range(cake_rewrite_list_at(list, i)->type);
  return count;
}

// One group of operands or results, or all arguments of a block: `what` of an op.
static bool check_group(CakeParser *parser, CakeLoc loc, const char *what, const RewriteList *list, bool is_single) {
  uint32_t count = count_ranges(list);
  if (count > 1)
    return cake_rewrite_fail(parser, loc, CAKE_STR("bind all of them as one range"),
                             "two ranges stand among the same %ss: nothing says where one ends", what);
  return !count || !is_single ||
         cake_rewrite_fail(parser, loc, CAKE_STR("write one value"), "a range stands where the op has one %s", what);
}

static bool check_operand_ranges(CakeParser *parser, const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  RewriteList all = cake_rewrite_uses(op, 0, op->n_operands);
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!count_ranges(&all)) return true;
  if (!def) return check_group(parser, op->loc, "operand", &all, false);
  if (def->n_successors == UINT16_MAX)
    return cake_rewrite_fail(parser, op->loc, CAKE_STR("write its operands one by one"),
                             "an op with any number of successors counts their operands in an attribute, and takes no "
                             "range of them");
  if (!cake_op_group_sizes(op, sizes))
    return cake_rewrite_fail(parser, op->loc, CAKE_STR("write its operands as the op has them"),
                             "the operands of '%s' do not fit its rows", op->info->name->text);
  for (uint32_t i = 0, at = 0; i < def->n_operands; at += (uint32_t)sizes[i++]) {
    RewriteList group = cake_rewrite_uses(op, at, (uint32_t)sizes[i]);
    if (!check_group(parser, op->loc, "operand", &group, def->operands[i].arity == CAKE_SINGLE)) return false;
  }
  return true;
}

static bool check_result_ranges(CakeParser *parser, const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  RewriteList all = cake_rewrite_results(op);
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!count_ranges(&all)) return true;
  bool has_rows = def && def->n_results <= CAKE_MAX_GROUPS && cake_def_result_sizes(def, op->n_results, sizes);
  if (!has_rows) return check_group(parser, op->loc, "result", &all, def != NULL);
  for (uint32_t i = 0, at = 0; i < def->n_results; at += (uint32_t)sizes[i++]) {
    RewriteList group = {.results = all.results + at, .count = (uint32_t)sizes[i]};
    if (!check_group(parser, op->loc, "result", &group, def->results[i].arity == CAKE_SINGLE)) return false;
  }
  return true;
}

static bool check_argument_ranges(CakeParser *parser, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions; i++)
    for (const CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next) {
      RewriteList args = cake_rewrite_args(block);
      if (!check_group(parser, op->loc, "block argument", &args, false)) return false;
    }
  return true;
}

// ---- Variables -----------------------------------------------------------------------------------------------------

// Those that the ops of the before give a value.
typedef struct Marks {
  bool types[CAKE_REWRITE_VARS], attrs[CAKE_REWRITE_VARS];
  bool has_inner_range; // a range of types is a part of a type or attribute
} Marks;

static void mark_type(Marks *marks, CakeType type, bool is_inner);

static void mark_attr(Marks *marks, CakeAttr attr) {
  int number = cake_rewrite_attr_var_number(attr);
  if (number >= 0) marks->attrs[number] = true;
  for (uint32_t i = 0; i < attr->count; i++) {
    if (attr->params[i].kind == CAKE_PARAM_ATTR && attr->params[i].attr) mark_attr(marks, attr->params[i].attr);
    if (attr->params[i].kind == CAKE_PARAM_TYPE && attr->params[i].type) mark_type(marks, attr->params[i].type, true);
  }
}

static void mark_type(Marks *marks, CakeType type, bool is_inner) {
  int number = cake_rewrite_type_var_number(type);
  if (number >= 0) {
    marks->types[number] = true;
    marks->has_inner_range |= is_inner && cake_rewrite_is_range(type);
    return;
  }
  for (uint32_t i = 0; i < type->count; i++) {
    if (type->params[i].kind == CAKE_PARAM_ATTR && type->params[i].attr) mark_attr(marks, type->params[i].attr);
    if (type->params[i].kind == CAKE_PARAM_TYPE && type->params[i].type) mark_type(marks, type->params[i].type, true);
  }
}

static void mark_op(Marks *marks, const CakeOp *op) {
  bool infers = op->info->def && op->info->def->infer;
  for (uint32_t i = 0; i < op->n_operands; i++)
    mark_type(marks, cake_op_operand(op, i)->type, false);
  for (uint32_t i = 0; !infers && i < op->n_results; i++)
    mark_type(marks, op->results[i].type, false);
  for (uint32_t i = 0; i < op->info->n_props; i++)
    if (cake_op_prop(op, i)) mark_attr(marks, cake_op_prop(op, i));
  if (op->attrs) mark_attr(marks, op->attrs);
  for (uint32_t i = 0; i < op->n_regions; i++)
    for (const CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
      for (uint32_t k = 0; k < block->n_args; k++)
        mark_type(marks, block->args[k]->type, false);
}

static bool unused(CakeParser *parser, CakeLoc loc, char sigil, CakeId name) {
  return cake_rewrite_fail(parser, loc, CAKE_STR("nothing would say what it stands for: use it, or leave it out"),
                           "'%c%s' is declared and no op of the before uses it", sigil, name->text);
}

static bool check_blocks(const RewriteReader *reader) {
  const Rewrite *rewrite = reader->rewrite;
  for (uint32_t i = 0; i < rewrite->n_blocks; i++) {
    const RewriteBlock *block = &rewrite->blocks[i];
    bool is_used = block->kind == REWRITE_SUCCESSOR ? block->before->first_use != NULL : block->before != NULL;
    if (!is_used) return unused(reader->parser, block->loc, '^', block->name);
  }
  return true;
}

bool cake_rewrite_check_variables(const RewriteReader *reader) {
  const Rewrite *rewrite = reader->rewrite;
  Marks marks = {0};
  for (uint32_t i = 0; i < rewrite->n_ops; i++)
    mark_op(&marks, rewrite->ops[i]);
  for (uint32_t i = 0; i < rewrite->before->n_args; i++) {
    const CakeValue *arg = rewrite->before->args[i];
    if (!arg->first_use) return unused(reader->parser, cake_value_loc(arg), '%', cake_value_name(arg));
  }
  for (uint32_t i = 0; i < reader->type_locs.len; i++)
    if (!marks.types[i]) return unused(reader->parser, reader->type_locs.data[i], '!', reader->type_names.data[i]);
  for (uint32_t i = 0; i < reader->attr_locs.len; i++)
    if (!marks.attrs[i]) return unused(reader->parser, reader->attr_locs.data[i], '#', reader->attr_names.data[i]);
  return check_blocks(reader);
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static bool check_op(CakeParser *parser, const Rewrite *rewrite, const CakeOp *op) {
  Marks marks = {0};
  mark_op(&marks, op);
  if (marks.has_inner_range)
    return cake_rewrite_fail(parser, op->loc, CAKE_STR("write it as the type of an operand, a result or an argument"),
                             "a range of types is no part of a type or attribute");
  return check_definitions(parser, rewrite, op) && check_operand_ranges(parser, op) &&
         check_result_ranges(parser, op) && check_argument_ranges(parser, op);
}

bool cake_rewrite_check_block(CakeParser *parser, const Rewrite *rewrite, const CakeBlock *block) {
  for (CakeOp *top = block->first; top; top = top->next)
    for (CakeOp *op = top; op; op = cake_op_walk_next(top, op, false))
      if (!check_op(parser, rewrite, op)) return false;
  return true;
}

// ---- The ops of the before -----------------------------------------------------------------------------------------

static void reach(const Rewrite *rewrite, const CakeOp *op, bool *reached);

// Of a block all ops, but of one with `...` the last one.
static void reach_block(const Rewrite *rewrite, const CakeBlock *block, bool *reached) {
  int number = cake_rewrite_block_number(rewrite, block);
  bool is_open = number >= 0 && rewrite->blocks[number].is_open;
  for (const CakeOp *op = is_open ? block->last : block->first; op; op = op->next)
    reach(rewrite, op, reached);
}

static void reach(const Rewrite *rewrite, const CakeOp *op, bool *reached) {
  int number = cake_rewrite_op_number(rewrite, op);
  if (number < 0 || reached[number]) return;
  reached[number] = true;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeOp *def = cake_value_def(cake_op_operand(op, i));
    if (def) reach(rewrite, def, reached);
  }
  for (uint32_t i = 0; i < op->n_regions; i++)
    for (const CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
      reach_block(rewrite, block, reached);
}

// A block that an op has without its being written.
static bool take_block(RewriteReader *reader, CakeBlock *block, CakeLoc loc) {
  Rewrite *rewrite = reader->rewrite;
  if (cake_rewrite_block_number(rewrite, block) >= 0) return true;
  if (rewrite->n_blocks == CAKE_REWRITE_BLOCKS)
    return cake_rewrite_fail(reader->parser, loc, CAKE_STR("split it into several rewrites"),
                             "a before has at most %d blocks and regions", CAKE_REWRITE_BLOCKS);
  rewrite->blocks[rewrite->n_blocks++] = (RewriteBlock){.kind = REWRITE_WRITTEN, .loc = loc, .before = block};
  return true;
}

static bool collect_blocks(RewriteReader *reader, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions; i++)
    for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
      if (!take_block(reader, block, op->loc)) return false;
  return true;
}

static CakeWalkResult collect_op(void *user, CakeOp *op) {
  RewriteReader *reader = user;
  Rewrite *rewrite = reader->rewrite;
  if (rewrite->n_ops == CAKE_REWRITE_OPS) {
    cake_rewrite_fail(reader->parser, op->loc, CAKE_STR("split it into several rewrites"),
                      "a before has at most %d ops", CAKE_REWRITE_OPS);
    return CAKE_WALK_INTERRUPT;
  }
  if (!collect_blocks(reader, op)) return CAKE_WALK_INTERRUPT;
  rewrite->ops[rewrite->n_ops++] = op;
  rewrite->n_swaps += cake_op_has_trait(op, CAKE_TRAIT_COMMUTATIVE) && op->n_operands == 2;
  return CAKE_WALK_ADVANCE;
}

// Whether what is around an op is reached: else that is what to tell.
static bool is_around_reached(const Rewrite *rewrite, const CakeOp *op, const bool *reached) {
  return op->block == rewrite->before || reached[cake_rewrite_op_number(rewrite, cake_op_parent(op))];
}

bool cake_rewrite_collect(RewriteReader *reader) {
  Rewrite *rewrite = reader->rewrite;
  bool reached[CAKE_REWRITE_OPS] = {false};
  for (CakeOp *op = rewrite->before->first; op; op = op->next)
    if (!cake_op_walk(op, CAKE_WALK_POST, collect_op, reader)) return false;
  rewrite->root = rewrite->before->last;
  if (!rewrite->root)
    return cake_rewrite_fail(reader->parser, rewrite->loc, CAKE_STR("write the op that is rewritten"),
                             "the before is empty");
  reach(rewrite, rewrite->root, reached);
  for (uint32_t i = 0; i < rewrite->n_ops; i++)
    if (!reached[i] && is_around_reached(rewrite, rewrite->ops[i], reached))
      return cake_rewrite_fail(
          reader->parser, rewrite->ops[i]->loc,
          CAKE_STR("a before is the op that is rewritten, last, and the ops that its operands come from"),
          "the last op of the %s does not use this one, directly or through others",
          rewrite->ops[i]->block == rewrite->before ? "before" : "block");
  return true;
}

// ---- What the after moves and uses ---------------------------------------------------------------------------------

typedef struct Moves {
  CakeParser *parser;
  Rewrite *rewrite;
  uint32_t sight; // blocks that are inlined so far, a bit each
} Moves;

static bool is_inlined(const Moves *moves, const CakeBlock *block) {
  int number = cake_rewrite_block_number(moves->rewrite, block);
  return number >= 0 && (moves->sight >> number & 1);
}

// A use, in the after, of a value of the before.
static bool check_use(const Moves *moves, const CakeValue *value, CakeLoc loc) {
  Rewrite *rewrite = moves->rewrite;
  const CakeBlock *from = cake_value_block(value);
  if (!is_of_before(rewrite, from)) return true;
  if (from != rewrite->before) {
    if (is_inlined(moves, from)) return true;
    return cake_rewrite_fail(moves->parser, loc, CAKE_STR("write 'inline ^block' in front of the use"),
                             "the after uses a value of a region of the before, and does not inline its block first");
  }
  if (!value->is_argument) return true;
  uint32_t *sight = &rewrite->sight[value->index];
  *sight = rewrite->is_used[value->index] ? *sight & moves->sight : moves->sight;
  rewrite->is_used[value->index] = true;
  return true;
}

// Marks a block or region as moved. It is the root's, and what is around it stays.
static bool take(const Moves *moves, uint32_t number, CakeLoc loc) {
  RewriteBlock *block = &moves->rewrite->blocks[number];
  if (block->is_taken)
    return cake_rewrite_fail(moves->parser, loc, CAKE_STR("what is moved can be in one place only"),
                             "the after moves '^%s' twice", block->name->text);
  block->is_taken = true;
  const CakeOp *around = cake_block_parent(block->before);
  for (; around->block != moves->rewrite->before; around = cake_op_parent(around)) {
    int outer = cake_rewrite_block_number(moves->rewrite, around->block);
    if (outer >= 0 && moves->rewrite->blocks[outer].is_taken)
      return cake_rewrite_fail(moves->parser, loc, CAKE_STR("move one of them"),
                               "'^%s' lies in '^%s', which the after moves, too", block->name->text,
                               moves->rewrite->blocks[outer].name->text);
  }
  return around == moves->rewrite->root ||
         cake_rewrite_fail(moves->parser, loc, CAKE_STR("an op in front of it stays, with its regions"),
                           "'^%s' is no part of the op that is rewritten", block->name->text);
}

static bool walk(Moves *moves, const CakeBlock *block);

static bool walk_regions(Moves *moves, const CakeOp *op) {
  uint32_t sight = moves->sight; // what is inlined in a region is not seen outside of it
  for (uint32_t i = 0; i < op->n_regions; i++) {
    int whole = cake_rewrite_whole_region(moves->rewrite, cake_op_region(op, i));
    if (whole >= 0 && !take(moves, (uint32_t)whole, op->loc)) return false;
    for (const CakeBlock *block = cake_op_region(op, i)->first; block && whole < 0; block = block->next) {
      if (!walk(moves, block)) return false;
      moves->sight = sight;
    }
  }
  return true;
}

// Recursion is as deep as regions are, which the parser limits.
static bool walk(Moves *moves, const CakeBlock *block) {
  for (const CakeOp *op = block->first; op; op = op->next) {
    int number = cake_rewrite_inlined_block(moves->rewrite, op);
    for (uint32_t i = 0; i < op->n_operands; i++)
      if (!check_use(moves, cake_op_operand(op, i), op->loc)) return false;
    if (number >= 0 && !take(moves, (uint32_t)number, op->loc)) return false;
    if (number >= 0) moves->sight |= UINT32_C(1) << number;
    if (!walk_regions(moves, op)) return false;
  }
  return true;
}

// An inner block that is moved before the one around it is.
static bool check_nesting(const Moves *moves) {
  for (uint32_t i = 0; i < moves->rewrite->n_blocks; i++) {
    RewriteBlock *block = &moves->rewrite->blocks[i];
    if (!block->is_taken) continue;
    block->is_taken = false;
    if (!take(moves, i, block->loc)) return false;
  }
  return true;
}

// The after ends a block where the root does, and only there.
static bool check_end(CakeParser *parser, const Rewrite *rewrite) {
  bool wanted = cake_op_has_trait(rewrite->root, CAKE_TRAIT_TERMINATOR);
  for (const CakeOp *op = rewrite->after->first; op; op = op->next)
    if (cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR) && (!wanted || op->next))
      return cake_rewrite_fail(parser, op->loc, CAKE_STR("end a region with it, or rewrite a terminator"),
                               "a terminator stands where the block goes on");
  const CakeOp *last = rewrite->after->last;
  return !wanted || (last && cake_op_has_trait(last, CAKE_TRAIT_TERMINATOR)) ||
         cake_rewrite_fail(parser, rewrite->after->loc, CAKE_STR("end it with a terminator"),
                           "the before ends its block and the after does not");
}

bool cake_rewrite_check_moves(CakeParser *parser, Rewrite *rewrite) {
  Moves moves = {.parser = parser, .rewrite = rewrite};
  if (!walk(&moves, rewrite->after) || !check_nesting(&moves)) return false;
  for (uint32_t i = 0; i < rewrite->root->n_results; i++)
    if (!check_use(&moves, rewrite->results[i], rewrite->after->loc)) return false;
  return check_end(parser, rewrite);
}
