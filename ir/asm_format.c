// Compiles assembly formats (the language of cake/asm.h) into a list of nodes, once an op of that name is met in a
// context.
#include "asm.h"
#include "cake/callable.h"
#include "quick.h"

#include <string.h>

enum { MAX_NODES = 96, MAX_REFS = 8 };

typedef struct Compiler {
  CakeContext *context;
  const CakeOpDef *def;
  const char *p; // what is left of the format
  const char *error;
  uint32_t n_nodes, n_targets;
  uint64_t printed_rows;
  CakeAsmNode nodes[MAX_NODES]; // those behind the last are not cleared: few formats have many
} Compiler;

static bool fail(Compiler *compiler, const char *error) {
  if (!compiler->error) compiler->error = error;
  return false;
}

// ---- Characters ----------------------------------------------------------------------------------------------------

static void skip_spaces(Compiler *compiler) {
  while (*compiler->p == ' ' || *compiler->p == '\n')
    compiler->p++;
}

static bool accept(Compiler *compiler, char c) {
  skip_spaces(compiler);
  if (*compiler->p != c) return false;
  compiler->p++;
  return true;
}

static bool is_word(char c, bool dash) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (dash && c == '-');
}

// A name behind `$`, or a directive's (which may have dashes).
static CakeStr word(Compiler *compiler, bool dash) {
  const char *begin = compiler->p;
  while (is_word(*compiler->p, dash))
    compiler->p++;
  return (CakeStr){begin, (size_t)(compiler->p - begin)};
}

static CakeAsmNode *add(Compiler *compiler, CakeAsmKind kind) {
  if (compiler->n_nodes == MAX_NODES) {
    fail(compiler, "too many elements");
    compiler->n_nodes--;
  }
  CakeAsmNode *node = &compiler->nodes[compiler->n_nodes++];
  *node = (CakeAsmNode){.kind = kind, .end = compiler->n_nodes};
  return node;
}

// ---- Names ---------------------------------------------------------------------------------------------------------

static bool find_ref(const CakeOpDef *def, CakeStr name, CakeAsmRef *out) {
  for (uint32_t i = 0; i < def->n_operands; i++)
    if (cake_str_is(name, def->operands[i].name)) return *out = (CakeAsmRef){CAKE_ASM_OPERAND, i}, true;
  for (uint32_t i = 0; i < def->n_attrs; i++)
    if (cake_str_is(name, def->attrs[i].name)) return *out = (CakeAsmRef){CAKE_ASM_ATTR, i}, true;
  for (uint32_t i = 0; i < def->n_results; i++)
    if (cake_str_is(name, def->results[i].name)) return *out = (CakeAsmRef){CAKE_ASM_RESULT, i}, true;
  for (uint32_t i = 0; i < def->n_regions; i++)
    if (cake_str_is(name, def->regions[i].name)) return *out = (CakeAsmRef){CAKE_ASM_REGION, i}, true;
  return false;
}

// `$name`, perhaps with the `^` of an anchor.
static bool reference(Compiler *compiler, CakeAsmRef *out, bool *out_anchor) {
  if (!accept(compiler, '$')) return fail(compiler, "expected '$'");
  if (!find_ref(compiler->def, word(compiler, false), out))
    return fail(compiler, "no operand, attribute, result or region of that name");
  if (out->kind == CAKE_ASM_ATTR && out->row < 64) compiler->printed_rows |= UINT64_C(1) << out->row;
  if (accept(compiler, '^')) *out_anchor = true;
  return true;
}

// ---- Constraints that leave no choice ------------------------------------------------------------------------------

static CakeType only_operand_type(CakeContext *context, const CakeTypeConstraint *constraint) {
  if (constraint == &cake_is_index) return cake_type_index(context);
  if (constraint == &cake_is_i1) return cake_type_i1(context);
  if (constraint == &cake_is_i32) return cake_type_i32(context);
  if (constraint == &cake_is_i64) return cake_type_i64(context);
  if (constraint == &cake_is_f32) return cake_type_f32(context);
  return NULL;
}

static bool accepts_number(const CakeAttrConstraint *constraint, CakeType type) {
  static const int64_t samples[] = {1, 0, 2, 16, 64};
  bool is_float = cake_type_is_any_float(type);
  for (size_t i = 0; i < CAKE_COUNT(samples); i++)
    if (constraint->test(is_float ? cake_attr_float(type, (double)samples[i]) : cake_attr_integer(type, samples[i])))
      return true;
  return false;
}

// The one type of numbers that the constraint accepts, found by trying: such numbers are written without it.
static CakeType only_attr_type(CakeContext *context, const CakeAttrConstraint *constraint) {
  if (!constraint || !constraint->test) return NULL;
  const CakeType types[] = {cake_type_i1(context),
                            cake_type_integer(context, 8, CAKE_SIGNLESS),
                            cake_type_integer(context, 16, CAKE_SIGNLESS),
                            cake_type_i32(context),
                            cake_type_i64(context),
                            cake_type_index(context),
                            cake_type_float(context, CAKE_FLOAT_F16),
                            cake_type_float(context, CAKE_FLOAT_BF16),
                            cake_type_f32(context),
                            cake_type_float(context, CAKE_FLOAT_F64)};
  CakeType only = NULL;
  for (size_t i = 0; i < CAKE_COUNT(types); i++) {
    if (!accepts_number(constraint, types[i])) continue;
    if (only) return NULL;
    only = types[i];
  }
  return only;
}

static bool is_unit(CakeContext *context, const CakeAttrConstraint *constraint) {
  if (!constraint || !constraint->test || constraint == &cake_attr_any) return false;
  return constraint == &cake_attr_is_unit ||
         (constraint->test(cake_attr_unit(context)) && !constraint->test(cake_attr_i64(context, 1)) &&
          !constraint->test(cake_attr_string(context, CAKE_STR("x"))));
}

// ---- Elements ------------------------------------------------------------------------------------------------------

static bool elements(Compiler *compiler, const char *closers, uint32_t *out_anchor, unsigned depth);

static bool literal(Compiler *compiler) {
  const char *begin = compiler->p, *end = strchr(begin, '`');
  if (!end) return fail(compiler, "a literal is not closed");
  compiler->p = end + 1;
  if (end == begin) return add(compiler, CAKE_ASM_NO_SPACE), true;
  CakeLexer lexer = {.begin = begin, .end = end};
  CakeLexeme token;
  cake_lex(&lexer, begin, 1, begin, &token);
  if (token.len != (size_t)(end - begin) || token.kind == CAKE_TOK_ERROR)
    return fail(compiler, "a literal is one token");
  CakeAsmNode *node = add(compiler, CAKE_ASM_LITERAL);
  node->text = (CakeStr){begin, token.len};
  node->token = token.kind;
  node->spacing = cake_asm_spacing(node->text);
  return true;
}

static bool variable(Compiler *compiler, bool *anchor) {
  CakeAsmRef ref;
  compiler->p--;
  if (!reference(compiler, &ref, anchor)) return false;
  if (ref.kind == CAKE_ASM_RESULT) return fail(compiler, "a result stands only in type(…)");
  CakeAsmNode *node = add(compiler, ref.kind == CAKE_ASM_OPERAND ? CAKE_ASM_OPERANDS
                                    : ref.kind == CAKE_ASM_ATTR  ? CAKE_ASM_ATTRIBUTE
                                                                 : CAKE_ASM_REGION_PLAIN);
  node->ref = ref;
  if (ref.kind != CAKE_ASM_ATTR) return true;
  const CakeAttrConstraint *constraint = compiler->def->attrs[ref.row].constraint;
  if (*compiler->p == ':') {
    compiler->p++;
    CakeStr mode = word(compiler, false);
    if (cake_str_is(mode, "keyword"))
      node->kind = CAKE_ASM_KEYWORD;
    else if (cake_str_is(mode, "symbol"))
      node->kind = CAKE_ASM_SYMBOL;
    else
      return fail(compiler, "expected :keyword or :symbol");
    if (accept(compiler, '^')) *anchor = true;
  } else if (is_unit(compiler->context, constraint)) {
    node->kind = CAKE_ASM_UNIT;
  } else {
    node->fixed_type = only_attr_type(compiler->context, constraint);
    CakeAttr typed = cake_attr_verbatim(compiler->context, CAKE_STR("\"\" : none"));
    node->has_plain_strings = constraint && !cake_attr_satisfies(constraint, typed);
  }
  return true;
}

// The references in the parentheses of a directive.
static bool references(Compiler *compiler, CakeAsmRef *refs, size_t *out_count, bool *anchor) {
  *out_count = 0;
  if (!accept(compiler, '(')) return fail(compiler, "expected '('");
  if (accept(compiler, ')')) return true;
  do {
    if (*out_count == MAX_REFS) return fail(compiler, "too many references");
    if (!reference(compiler, &refs[(*out_count)++], anchor)) return false;
  } while (accept(compiler, ','));
  return accept(compiler, ')') || fail(compiler, "expected ')'");
}

static const CakeAsmDirective *find_directive(const CakeDialectDef *dialect, CakeStr name) {
  for (size_t i = 0; i < dialect->n_directives; i++)
    if (cake_str_is(name, dialect->directives[i].name)) return &dialect->directives[i];
  return NULL;
}

static bool custom(Compiler *compiler, bool *anchor) {
  if (!accept(compiler, '<')) return fail(compiler, "expected '<'");
  CakeStr name = word(compiler, true);
  if (!accept(compiler, '>')) return fail(compiler, "expected '>'");
  CakeAsmRef refs[MAX_REFS];
  CakeAsmNode *node = add(compiler, CAKE_ASM_CUSTOM);
  if (!references(compiler, refs, &node->n_refs, anchor)) return false;
  node->directive = find_directive(compiler->def->dialect, name);
  if (!node->directive) return fail(compiler, "the dialect has no directive of that name");
  node->refs = CAKE_ARENA_ARRAY(compiler->context->arena, CakeAsmRef, node->n_refs + 1);
  memcpy(node->refs, refs, node->n_refs * sizeof *refs);
  return true;
}

// Directives with references: name, kind, how many, and of which kinds.
typedef struct Directive {
  const char *name;
  CakeAsmKind kind;
  size_t n_refs;
  bool first_is_region, second_is_region;
} Directive;

static const Directive directives[] = {
    {"type",                   CAKE_ASM_TYPE,         1, false, false},
    {"args",                   CAKE_ASM_ARGS,         1, true,  false},
    {"iter",                   CAKE_ASM_ITER,         2, false, true },
    {"region",                 CAKE_ASM_REGION_ARGS,  1, true,  false},
    {"functional-type",        CAKE_ASM_FUNCTIONAL,   0, false, false},
    {"attr-dict",              CAKE_ASM_DICT,         0, false, false},
    {"attr-dict-with-keyword", CAKE_ASM_DICT_KEYWORD, 0, false, false},
    {"results",                CAKE_ASM_RESULTS,      0, false, false},
    {"target",                 CAKE_ASM_TARGET,       1, false, false},
    {"function",               CAKE_ASM_FUNCTION,     0, false, false},
};

static bool directive(Compiler *compiler, CakeStr name, bool *anchor) {
  for (size_t i = 0; i < CAKE_COUNT(directives); i++) {
    const Directive *row = &directives[i];
    if (!cake_str_is(name, row->name)) continue;
    CakeAsmNode *node = add(compiler, row->kind);
    CakeAsmRef refs[MAX_REFS] = {{0}};
    size_t count = 0;
    if (row->n_refs && !references(compiler, refs, &count, anchor)) return false;
    if (count != row->n_refs) return fail(compiler, "a directive has the wrong number of references");
    if (count && (refs[0].kind == CAKE_ASM_REGION) != row->first_is_region)
      return fail(compiler, "a reference is of the wrong kind");
    if (count > 1 && (refs[1].kind == CAKE_ASM_REGION) != row->second_is_region)
      return fail(compiler, "a reference is of the wrong kind");
    node->ref = refs[0];
    node->second = refs[1];
    if (node->kind == CAKE_ASM_FUNCTION && !cake_op_def_is_function(compiler->def))
      return fail(compiler, "a function has the attributes 'sym_name' and 'function_type', and one region");
    if (node->kind == CAKE_ASM_TARGET) node->second.row = compiler->n_targets++;
    return true;
  }
  return fail(compiler, "unknown directive");
}

static bool group(Compiler *compiler, unsigned depth) {
  uint32_t index = compiler->n_nodes;
  add(compiler, CAKE_ASM_GROUP);
  uint32_t anchor = UINT32_MAX;
  if (!elements(compiler, ")", &anchor, depth + 1)) return false;
  if (!accept(compiler, ')') || !accept(compiler, '?')) return fail(compiler, "expected ')?'");
  CakeAsmNode *node = &compiler->nodes[index];
  node->end = compiler->n_nodes;
  if (anchor == UINT32_MAX) {
    anchor = index + 1;
    while (anchor < node->end && compiler->nodes[anchor].kind <= CAKE_ASM_NO_SPACE)
      anchor++;
  }
  if (anchor >= node->end) return fail(compiler, "an optional group has nothing that decides");
  node->anchor = anchor;
  return true;
}

static bool clauses(Compiler *compiler, unsigned depth) {
  uint32_t index = compiler->n_nodes;
  add(compiler, CAKE_ASM_ANY);
  if (!accept(compiler, '(')) return fail(compiler, "expected '('");
  do {
    uint32_t clause = compiler->n_nodes, anchor = UINT32_MAX;
    add(compiler, CAKE_ASM_CLAUSE);
    if (!elements(compiler, "|)", &anchor, depth + 1)) return false;
    CakeAsmNode *node = &compiler->nodes[clause];
    node->end = compiler->n_nodes;
    if (clause + 1 == node->end || compiler->nodes[clause + 1].kind != CAKE_ASM_LITERAL)
      return fail(compiler, "a clause begins with a literal");
    if (anchor == UINT32_MAX)
      for (anchor = clause + 1; anchor < node->end && compiler->nodes[anchor].kind <= CAKE_ASM_NO_SPACE;)
        anchor++;
    if (anchor >= node->end) return fail(compiler, "a clause has nothing that decides");
    node->anchor = anchor;
  } while (accept(compiler, '|'));
  if (!accept(compiler, ')')) return fail(compiler, "expected ')'");
  compiler->nodes[index].end = compiler->n_nodes;
  return true;
}

static bool element(Compiler *compiler, bool *anchor, unsigned depth) {
  char c = *compiler->p;
  if (accept(compiler, '`')) return literal(compiler);
  if (accept(compiler, '$')) return variable(compiler, anchor);
  if (accept(compiler, '(')) return group(compiler, depth);
  if (!is_word(c, false)) return fail(compiler, "unexpected character");
  CakeStr name = word(compiler, true);
  if (cake_str_is(name, "any")) return clauses(compiler, depth);
  if (cake_str_is(name, "custom")) return custom(compiler, anchor);
  return directive(compiler, name, anchor);
}

// Up to one of `closers` or the end.
static bool elements(Compiler *compiler, const char *closers, uint32_t *out_anchor, unsigned depth) {
  enum { MAX_DEPTH = 8 };
  if (depth > MAX_DEPTH) return fail(compiler, "nested too deep");
  for (;;) {
    skip_spaces(compiler);
    if (!*compiler->p || strchr(closers, *compiler->p))
      return !*closers || *compiler->p || fail(compiler, "a group is not closed");
    uint32_t index = compiler->n_nodes;
    bool anchor = false;
    if (!element(compiler, &anchor, depth)) return false;
    if (accept(compiler, '^')) anchor = true;
    if (anchor) *out_anchor = index;
  }
}

// ---- What a form leaves out ----------------------------------------------------------------------------------------

static bool refers(const CakeAsmNode *node, CakeAsmRef ref) {
  bool is_one = node->kind != CAKE_ASM_TYPE && node->ref.kind == ref.kind && node->ref.row == ref.row;
  bool is_other = node->kind == CAKE_ASM_ITER && node->second.kind == ref.kind && node->second.row == ref.row;
  bool has_ref = node->kind == CAKE_ASM_OPERANDS || node->kind == CAKE_ASM_REGION_PLAIN ||
                 node->kind == CAKE_ASM_REGION_ARGS || node->kind == CAKE_ASM_ITER || node->kind == CAKE_ASM_TARGET;
  for (size_t i = 0; node->kind == CAKE_ASM_CUSTOM && i < node->n_refs; i++)
    if (node->refs[i].kind == ref.kind && node->refs[i].row == ref.row) return true;
  return (has_ref && is_one) || is_other;
}

static bool is_shown(const Compiler *compiler, CakeAsmRef ref) {
  for (uint32_t i = 0; i < compiler->n_nodes; i++)
    if (refers(&compiler->nodes[i], ref) || compiler->nodes[i].kind == CAKE_ASM_FUNCTION) return true;
  return false;
}

static bool has_node(const Compiler *compiler, CakeAsmKind kind) {
  for (uint32_t i = 0; i < compiler->n_nodes; i++)
    if (compiler->nodes[i].kind == kind) return true;
  return false;
}

static bool leaves_out(Compiler *compiler, const char *what, const char *name) {
  return fail(compiler, cake_arena_printf(compiler->context->arena, "it leaves out %s '%s'", what, name).ptr);
}

// All that an op may have is in the text. With a `parse` hook the format says only what stands behind that.
static bool is_complete(Compiler *compiler) {
  const CakeOpDef *def = compiler->def;
  if (def->parse) return true;
  for (uint32_t i = 0; i < def->n_operands; i++)
    if (!is_shown(compiler, (CakeAsmRef){CAKE_ASM_OPERAND, i}))
      return leaves_out(compiler, "operand", def->operands[i].name);
  for (uint32_t i = 0; i < def->n_regions; i++)
    if (!is_shown(compiler, (CakeAsmRef){CAKE_ASM_REGION, i}))
      return leaves_out(compiler, "region", def->regions[i].name);
  bool has_custom = has_node(compiler, CAKE_ASM_CUSTOM);
  if (def->n_successors && !has_custom && !has_node(compiler, CAKE_ASM_TARGET))
    return fail(compiler, "it leaves out the successors: target(…) is one");
  bool has_dictionary = has_node(compiler, CAKE_ASM_DICT) || has_node(compiler, CAKE_ASM_DICT_KEYWORD) ||
                        has_node(compiler, CAKE_ASM_FUNCTION);
  return has_dictionary || has_custom || fail(compiler, "attr-dict is missing: attributes would be left out");
}

// ---- Op infos ------------------------------------------------------------------------------------------------------

static void fill_types(CakeContext *context, const CakeOpDef *def, CakeAsmFormat *format) {
  format->operand_types = CAKE_ARENA_ARRAY(context->arena, CakeType, def->n_operands + 1U);
  for (uint32_t i = 0; i < def->n_operands; i++)
    format->operand_types[i] = only_operand_type(context, def->operands[i].constraint);
  format->result_types = CAKE_ARENA_ARRAY(context->arena, CakeType, def->n_results + 1U);
  for (uint32_t i = 0; i < def->n_results; i++)
    format->result_types[i] = only_operand_type(context, def->results[i].constraint);
}

static void fill_defaults(CakeContext *context, const CakeOpDef *def, CakeAsmFormat *format) {
  CakeAttr *defaults = CAKE_ARENA_ARRAY(context->arena, CakeAttr, def->n_attrs + 1U);
  for (uint32_t i = 0; i < def->n_attrs; i++) {
    if (!def->attrs[i].default_text) continue;
    defaults[i] = cake_parse_attr_text(context, cake_str(def->attrs[i].default_text));
    format->defaults = defaults;
    if (!defaults[i]) format->error = "the default of an attribute does not parse";
  }
}

static void compile(CakeContext *context, const CakeOpDef *def, CakeAsmFormat *format) {
  if (!def->assembly) return;
  Compiler compiler;
  memset(&compiler, 0, offsetof(Compiler, nodes));
  compiler.context = context;
  compiler.def = def;
  compiler.p = def->assembly;
  uint32_t anchor;
  if (elements(&compiler, "", &anchor, 0) && !compiler.error && is_complete(&compiler)) {
    CakeAsmNode *nodes = CAKE_ARENA_ARRAY(context->arena, CakeAsmNode, compiler.n_nodes + 1);
    memcpy(nodes, compiler.nodes, compiler.n_nodes * sizeof *nodes);
    format->nodes = nodes;
    format->n_nodes = compiler.n_nodes;
    format->printed_rows = compiler.printed_rows;
  } else {
    format->error = compiler.error;
  }
}

static CakeAsmFormat *get_format(CakeContext *context, CakeOpInfo *info) {
  CakeOpInfoStorage *storage = (CakeOpInfoStorage *)info;
  if (storage->format) return storage->format;
  CakeAsmFormat *format = CAKE_ARENA_NEW(context->arena, CakeAsmFormat);
  const CakeOpDef *def = info->def;
  storage->format = format;
  fill_types(context, def, format);
  fill_defaults(context, def, format);
  compile(context, def, format);
  if (def->end) format->end = cake_op_info(context, cake_id_text(context, def->end));
  if (def->end && !(format->end->traits & CAKE_TRAIT_TERMINATOR))
    format->error = "its end is no terminator that there is";
  return format;
}

const CakeAsmFormat *cake_asm_format(CakeContext *context, CakeOpInfo *info) {
  return get_format(context, info);
}

const CakeAsmFormat *cake_asm_met_format(CakeContext *context, CakeOpInfo *info) {
  CakeAsmFormat *format = get_format(context, info);
  if (format->n_met <= CAKE_FEW && ++format->n_met > CAKE_FEW)
    format->quick = cake_quick_form(context, info->def, format);
  return format;
}

const char *cake_op_format_error(CakeContext *context, CakeOpInfo *info) {
  return info->def ? cake_asm_format(context, info)->error : NULL;
}
