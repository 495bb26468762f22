// From the parts of a custom form to an op: the calls that directives use, types of operands and results, and the op
// itself.
//
// An operand's type is the first of: what the text says; the one type of all operands (and results); the only type that
// its row allows; the type of the value, which must be defined then. Result types: what the text says, the one type,
// the only type, or inference.
#include "asm.h"
#include "names.h"

// ---- What parse hooks and directives call --------------------------------------------------------------------------

CakeParser *cake_asm_stream(CakeAsmParser *parser) {
  return parser->stream;
}

const CakeOpDef *cake_asm_def(CakeAsmParser *parser) {
  return parser->info->def;
}

CakeOp *cake_asm_parent(CakeAsmParser *parser) {
  return cake_block_parent(parser->stream->block);
}

static bool undeclared(CakeParser *stream, const CakeUseName *name, const char *more) {
  bool reported = cake_parser_undeclared(stream, name->loc, (CakeStr){name->ptr, name->len}, name->number, more);
  stream->failed = true;
  return reported;
}

bool cake_asm_operand(CakeAsmParser *parser, uint32_t group) {
  CakeAsmOperand operand = {.group = group};
  if (!cake_parser_use_name(parser->stream, &operand.name)) return false;
  CAKE_PUSH(&parser->stream->asm_operands, operand);
  return true;
}

bool cake_asm_defined_operand(CakeAsmParser *parser, uint32_t group, CakeValue **out) {
  CakeParser *stream = parser->stream;
  CakeAsmOperand operand = {.group = group};
  if (!cake_parser_use_name(stream, &operand.name)) return false;
  operand.value = cake_parser_find_value(stream, &operand.name);
  if (!operand.value) return undeclared(stream, &operand.name, ": it must be defined before");
  operand.type = operand.value->type;
  CAKE_PUSH(&stream->asm_operands, operand);
  *out = operand.value;
  return true;
}

CakeAsmOperand *cake_asm_operand_at(CakeAsmParser *parser, uint32_t group, uint32_t index) {
  CakeParser *stream = parser->stream;
  bool goes_on = parser->found && parser->found_group == group && parser->found_index < index;
  uint32_t left = goes_on ? index - parser->found_index - 1 : index;
  for (size_t i = goes_on ? parser->found : parser->operands; i < stream->asm_operands.len; i++) {
    if (stream->asm_operands.data[i].group != group || left-- > 0) continue;
    parser->found_group = group;
    parser->found_index = index;
    parser->found = i + 1;
    return &stream->asm_operands.data[i];
  }
  return NULL;
}

void cake_asm_set_operand_type(CakeAsmParser *parser, uint32_t group, uint32_t index, CakeType type) {
  CakeAsmOperand *operand = cake_asm_operand_at(parser, group, index);
  if (operand) operand->type = type;
}

CakeType cake_asm_operand_type(CakeAsmParser *parser, uint32_t group, uint32_t index) {
  CakeAsmOperand *operand = cake_asm_operand_at(parser, group, index);
  if (!operand) return NULL;
  if (operand->type) return operand->type;
  CakeValue *value = parser->stream->failed ? NULL : cake_parser_find_value(parser->stream, &operand->name);
  return value ? value->type : NULL;
}

uint32_t cake_asm_group_count(CakeAsmParser *parser, uint32_t group) {
  const CakeParser *stream = parser->stream;
  if (parser->counted_group != group || !parser->counted_end) {
    parser->counted_group = group;
    parser->counted = 0;
    parser->counted_end = parser->operands;
  }
  for (; parser->counted_end < stream->asm_operands.len; parser->counted_end++)
    parser->counted += stream->asm_operands.data[parser->counted_end].group == group;
  return parser->counted;
}

void cake_asm_set_attr(CakeAsmParser *parser, uint32_t row, CakeAttr value) {
  if (row < parser->n_props) parser->stream->attrs.data[parser->attrs + row] = value;
}

CakeAttr cake_asm_attr(CakeAsmParser *parser, uint32_t row) {
  return row < parser->n_props ? parser->stream->attrs.data[parser->attrs + row] : NULL;
}

#define ANY_GROUP UINT32_MAX // result types in the order of the results

void cake_asm_add_result_type(CakeAsmParser *parser, CakeType type) {
  CakeAsmType entry = {ANY_GROUP, type};
  CAKE_PUSH(&parser->stream->asm_results, entry);
}

bool cake_asm_successor(CakeAsmParser *parser) {
  CakeBlock *block = cake_parser_use_label(parser->stream);
  if (block) CAKE_PUSH(&parser->stream->blocks, block);
  return block != NULL;
}

uint32_t cake_asm_results_wanted(CakeAsmParser *parser) {
  uint32_t count = 0;
  for (size_t i = parser->results; i < parser->stream->results.len; i++)
    count += parser->stream->results.data[i].count;
  return count;
}

bool cake_asm_attr_dict(CakeAsmParser *parser, bool with_keyword) {
  CakeParser *stream = parser->stream;
  if (with_keyword ? !cake_parser_accept_keyword(stream, "attributes") : stream->token.kind != CAKE_TOK_LBRACE)
    return true;
  CakeLoc loc = cake_parser_loc(stream);
  size_t base;
  if (!cake_parser_dictionary(stream, cake_id_str(parser->info->name), &base)) return false;
  return cake_parser_sort_attrs(stream, parser->info, base, loc, CAKE_VEC_FROM(&stream->attrs, parser->attrs),
                                &parser->discardable);
}

void cake_asm_add_region_arg(CakeAsmParser *parser, uint32_t region, CakeId name, CakeLoc loc, CakeType type) {
  CakeRegionArg arg = {region, cake_parser_name_key(parser->stream, name->text, name->len), loc, type};
  CAKE_PUSH(&parser->stream->region_args, arg);
}

bool cake_asm_argument(CakeAsmParser *parser, CakeId *out_name, CakeLoc *out_loc) {
  CakeUseName name;
  if (!cake_parser_new_name(parser->stream, &name, "argument list")) return false;
  *out_name = cake_id(parser->stream->context, (CakeStr){name.ptr, name.len});
  *out_loc = name.loc;
  return true;
}

// ---- Types of the text ---------------------------------------------------------------------------------------------

static bool error_count(CakeAsmParser *parser, CakeLoc loc, size_t n_operands, size_t n_types) {
  return cake_parser_error_at(parser->stream, loc, CAKE_CODE_PARSE_TYPE,
                              "number of operands and types do not match: got %zu operands and %zu types", n_operands,
                              n_types);
}

bool cake_asm_take_types(CakeAsmParser *parser, CakeAsmRef ref, size_t base, CakeLoc loc) {
  CakeParser *stream = parser->stream;
  size_t count = stream->types.len - base;
  if (ref.kind == CAKE_ASM_OPERAND && count != cake_asm_group_count(parser, ref.row))
    return error_count(parser, loc, cake_asm_group_count(parser, ref.row), count);
  for (size_t i = 0, next = 0; i < count; i++) {
    CakeType type = stream->types.data[base + i];
    if (ref.kind == CAKE_ASM_OPERAND) {
      while (stream->asm_operands.data[parser->operands + next].group != ref.row)
        next++;
      stream->asm_operands.data[parser->operands + next++].type = type;
    } else {
      CakeAsmType entry = {ref.row, type};
      CAKE_PUSH(&stream->asm_results, entry);
    }
  }
  stream->types.len = base;
  return true;
}

bool cake_asm_take_functional(CakeAsmParser *parser, size_t base, size_t middle, CakeLoc loc) {
  CakeParser *stream = parser->stream;
  size_t n_operands = stream->asm_operands.len - parser->operands, n_types = middle - base;
  if (n_types != n_operands) return error_count(parser, loc, n_operands, n_types);
  size_t next = base;
  for (uint32_t group = 0; group < parser->info->def->n_operands; group++)
    for (size_t i = parser->operands; i < stream->asm_operands.len; i++)
      if (stream->asm_operands.data[i].group == group) stream->asm_operands.data[i].type = stream->types.data[next++];
  for (size_t i = middle; i < stream->types.len; i++)
    cake_asm_add_result_type(parser, stream->types.data[i]);
  stream->types.len = base;
  return true;
}

// ---- Operands ------------------------------------------------------------------------------------------------------

// With a trait that makes types equal, the type that any of them has.
static CakeType common_type(CakeAsmParser *parser) {
  CakeParser *stream = parser->stream;
  unsigned traits = parser->info->def->traits;
  if (!(traits & (CAKE_TRAIT_SAME_TYPE | CAKE_TRAIT_SAME_OPERANDS))) return NULL;
  if (traits & CAKE_TRAIT_SAME_TYPE && stream->asm_results.len > parser->types)
    return stream->asm_results.data[parser->types].type;
  for (size_t i = parser->operands; i < stream->asm_operands.len; i++)
    if (stream->asm_operands.data[i].type) return stream->asm_operands.data[i].type;
  for (size_t i = parser->operands; i < stream->asm_operands.len && !stream->failed; i++) {
    CakeValue *value = cake_parser_find_value(stream, &stream->asm_operands.data[i].name);
    if (value) return value->type;
  }
  return NULL;
}

static bool resolve_operand(CakeAsmParser *parser, CakeAsmOperand *operand, CakeType common) {
  CakeParser *stream = parser->stream;
  if (operand->value) return true;
  if (!operand->type) operand->type = common;
  if (!operand->type && operand->group < parser->info->def->n_operands)
    operand->type = parser->format->operand_types[operand->group];
  if (!operand->type) {
    operand->value = cake_parser_find_value(stream, &operand->name);
    if (operand->value) return true;
    return undeclared(stream, &operand->name, "");
  }
  operand->value = cake_parser_resolve(stream, &operand->name, operand->type);
  return operand->value != NULL;
}

// The values from `base` on, anew in the order of their groups.
static void sort_values(CakeAsmParser *parser, size_t base) {
  CakeParser *stream = parser->stream;
  stream->values.len = base;
  for (uint32_t group = 0; group < parser->info->def->n_operands; group++)
    for (size_t i = parser->operands; i < stream->asm_operands.len; i++)
      if (stream->asm_operands.data[i].group == group) CAKE_PUSH(&stream->values, stream->asm_operands.data[i].value);
}

// Values by group onto parser->values; sizes of the groups.
static bool resolve_operands(CakeAsmParser *parser, int32_t *sizes) {
  CakeParser *stream = parser->stream;
  CakeType common = common_type(parser);
  size_t end = stream->asm_operands.len, base = stream->values.len;
  uint32_t n_groups = parser->info->def->n_operands, last = 0;
  bool is_sorted = true;
  memset(sizes, 0, n_groups * sizeof *sizes);
  for (size_t i = parser->operands; i < end; i++) {
    if (!resolve_operand(parser, &stream->asm_operands.data[i], common)) return false;
    const CakeAsmOperand *operand = &stream->asm_operands.data[i];
    if (operand->group >= n_groups) continue;
    is_sorted &= operand->group >= last;
    last = operand->group;
    sizes[last]++;
    CAKE_PUSH(&stream->values, operand->value);
  }
  if (!is_sorted) sort_values(parser, base);
  return true;
}

static void set_segments(CakeAsmParser *parser, const int32_t *sizes) {
  const CakeOpDef *def = parser->info->def;
  if (!(def->traits & CAKE_TRAIT_SEGMENTS)) return;
  int64_t words[CAKE_MAX_GROUPS];
  for (uint32_t i = 0; i < def->n_operands; i++)
    words[i] = sizes[i];
  cake_asm_set_attr(parser, def->n_attrs,
                    cake_attr_dense_array(cake_type_i32(parser->stream->context), words, def->n_operands));
}

static void set_defaults(CakeAsmParser *parser) {
  const CakeAttr *defaults = parser->format->defaults;
  for (uint32_t i = 0; defaults && i < parser->info->def->n_attrs; i++)
    if (!cake_asm_attr(parser, i)) cake_asm_set_attr(parser, i, defaults[i]);
}

// ---- Results -------------------------------------------------------------------------------------------------------

static bool infer_results(CakeAsmParser *parser, const CakeValue *const *values, size_t n_values,
                          const int32_t *sizes) {
  CakeParser *stream = parser->stream;
  CakeInference inference = {.context = stream->context,
                             .loc = parser->loc,
                             .info = parser->info,
                             .operands = (CakeValue *const *)values,
                             .n_operands = n_values,
                             .group_sizes = sizes,
                             .props = CAKE_VEC_FROM(&stream->attrs, parser->attrs),
                             .parent = cake_asm_parent(parser)};
  if (!parser->info->def->infer(&inference)) {
    stream->failed = true;
    return false;
  }
  for (size_t i = 0; i < inference.n_types && i < CAKE_COUNT(inference.types); i++)
    CAKE_PUSH(&stream->types, inference.types[i]);
  return true;
}

// The types of one result row onto parser->types.
static bool row_results(CakeAsmParser *parser, uint32_t row, CakeType common) {
  CakeParser *stream = parser->stream;
  const CakeResultDef *result = &parser->info->def->results[row];
  bool found = false;
  for (size_t i = parser->types; i < stream->asm_results.len; i++) {
    if (stream->asm_results.data[i].group != row) continue;
    CAKE_PUSH(&stream->types, stream->asm_results.data[i].type);
    found = true;
  }
  if (found || result->arity != CAKE_SINGLE) return true;
  CakeType type = parser->info->def->traits & CAKE_TRAIT_SAME_TYPE ? common : NULL;
  if (!type) type = parser->format->result_types[row];
  if (!type)
    return cake_parser_error_at(stream, parser->loc, CAKE_CODE_PARSE_TYPE,
                                "the type of result '%s' of '%s' cannot be told", result->name,
                                parser->info->name->text);
  CAKE_PUSH(&stream->types, type);
  return true;
}

static bool resolve_results(CakeAsmParser *parser, size_t values, const int32_t *sizes) {
  CakeParser *stream = parser->stream;
  const CakeOpDef *def = parser->info->def;
  size_t n_given = stream->asm_results.len - parser->types;
  if (!n_given && def->infer && def->n_results)
    return infer_results(parser, (const CakeValue *const *)(CAKE_VEC_FROM(&stream->values, values)),
                         stream->values.len - values, sizes);
  if (n_given && stream->asm_results.data[parser->types].group == ANY_GROUP) {
    for (size_t i = parser->types; i < stream->asm_results.len; i++)
      CAKE_PUSH(&stream->types, stream->asm_results.data[i].type);
    return true;
  }
  CakeType common = stream->values.len > values ? stream->values.data[values]->type : NULL;
  if (def->traits & CAKE_TRAIT_SAME_TYPE && n_given) common = stream->asm_results.data[parser->types].type;
  for (uint32_t row = 0; row < def->n_results; row++)
    if (!row_results(parser, row, common)) return false;
  return true;
}

// ---- The op --------------------------------------------------------------------------------------------------------

static CakeOp *create(CakeAsmParser *parser, size_t values, size_t types) {
  CakeParser *stream = parser->stream;
  size_t n_regions = stream->regions.len - parser->regions;
  const CakeOpDef *def = parser->info->def;
  bool fixed_regions = !def->n_regions || def->regions[def->n_regions - 1].arity == CAKE_SINGLE;
  if (fixed_regions && n_regions < def->n_regions) n_regions = def->n_regions;
  while (stream->regions.len < parser->regions + n_regions)
    CAKE_PUSH(&stream->regions, (CakeRegionBlocks){NULL, NULL});
  CakeOpState state = {
      .loc = parser->loc,
      .info = parser->info,
      .operands = CAKE_VEC_FROM(&stream->values, values),
      .n_operands = stream->values.len - values,
      .result_types = CAKE_VEC_FROM(&stream->types, types),
      .n_results = stream->types.len - types,
      .props = parser->n_props ? CAKE_VEC_FROM(&stream->attrs, parser->attrs) : NULL,
      .attrs = parser->discardable,
      .successors = CAKE_VEC_FROM(&stream->blocks, parser->blocks),
      .n_successors = stream->blocks.len - parser->blocks,
      .n_regions = n_regions,
  };
  CakeOp *op = cake_asm_create_with_regions(parser, &state);
  cake_block_append(stream->block, op);
  return op;
}

CakeOp *cake_asm_make_op(CakeAsmParser *parser) {
  CakeParser *stream = parser->stream;
  size_t values = stream->values.len, types = stream->types.len;
  int32_t sizes[CAKE_MAX_GROUPS];
  CakeOp *op = NULL;
  if (resolve_operands(parser, sizes)) {
    set_segments(parser, sizes);
    set_defaults(parser);
    if (resolve_results(parser, values, sizes)) op = create(parser, values, types);
  }
  stream->values.len = values;
  stream->types.len = types;
  return op;
}
