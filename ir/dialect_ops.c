// Ops of dialects as text: their rows, and the hooks of those that have type variables.
#include "cake/callable.h"
#include "dialect_text.h"

// ---- Hooks ---------------------------------------------------------------------------------------------------------

static const MadeOp *made_of(const CakeOpDef *def) {
  return &((const MadeDialect *)def->dialect)->ops[def->ordinal];
}

// Values of one variable must have one type: the first one says which.
typedef struct Binding {
  CakeType type;
  const char *what, *row;
} Binding;

static bool bind(CakeOp *op, const MadeVar *var, Binding *binding, const char *what, const char *row, CakeType type) {
  if (!binding->type) *binding = (Binding){type, what, row};
  if (binding->type == type) return true;
  CakeDiagnostic *d = cake_error_begin(
      op, CAKE_CODE_IR_TRAIT, "%s '%s' is of type '%s', but %s '%s', which is !%s too, is of type '%s'", what, row,
      cake_type_text(type), binding->what, binding->row, var->name->text, cake_type_text(binding->type));
  return cake_diag_emit(op->context, d);
}

bool cake_made_op_verify(CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  const MadeOp *made = made_of(def);
  if ((def->traits & CAKE_TRAIT_CALLABLE) && cake_op_def_is_function(def) && !cake_verify_function(op)) return false;
  if ((def->traits & CAKE_TRAIT_RETURN) && !cake_verify_return(op)) return false;
  if (def->callee && !cake_verify_call(op)) return false;
  Binding bindings[CAKE_MADE_VARS] = {{0}};
  for (uint32_t row = 0; row < def->n_operands; row++) {
    int var = made->operand_vars[row];
    CakeOperandRange group = cake_op_operand_group(op, row);
    for (uint32_t i = 0; var >= 0 && i < group.count; i++)
      if (!bind(op, &made->vars[var], &bindings[var], "operand", def->operands[row].name, group.first[i].value->type))
        return false;
  }
  for (uint32_t row = 0; row < def->n_results; row++) {
    int var = made->result_vars[row];
    CakeResultRange group = cake_op_result_group(op, row);
    for (uint32_t i = 0; var >= 0 && i < group.count; i++)
      if (!bind(op, &made->vars[var], &bindings[var], "result", def->results[row].name, group.first[i].type))
        return false;
  }
  return true;
}

// Set for ops whose results are each of a variable of a single operand, or of one type.
bool cake_made_op_infer(CakeInference *inference) {
  const CakeOpDef *def = inference->info->def;
  const MadeOp *made = made_of(def);
  CakeType bound[CAKE_MADE_VARS] = {NULL};
  size_t at = 0;
  for (uint32_t row = 0; row < def->n_operands; row++) {
    if (made->operand_vars[row] >= 0 && inference->group_sizes[row] > 0)
      bound[made->operand_vars[row]] = inference->operands[at]->type;
    at += (size_t)inference->group_sizes[row];
  }
  for (uint32_t row = 0; row < def->n_results; row++)
    inference->types[inference->n_types++] =
        made->result_types[row] ? made->result_types[row] : bound[made->result_vars[row]];
  return true;
}

static bool is_inferable(const CakeOpDef *def, const MadeOp *made) {
  if (def->n_results == 0 || def->n_results > CAKE_COUNT(((CakeInference *)0)->types)) return false;
  for (uint32_t row = 0; row < def->n_results; row++) {
    bool is_known = made->result_types[row] != NULL;
    for (uint32_t i = 0; i < def->n_operands && made->result_vars[row] >= 0; i++)
      is_known |= made->operand_vars[i] == made->result_vars[row] && def->operands[i].arity == CAKE_SINGLE;
    if (!is_known || def->results[row].arity != CAKE_SINGLE) return false;
  }
  return true;
}

// ---- Rows ----------------------------------------------------------------------------------------------------------

typedef struct Rows {
  CakeParser *parser;
  MadeDialect *dialect;
  CakeOpDef *def;
  MadeOp *made;
  CAKE_VEC(CakeOperandDef) operands;
  CAKE_VEC(CakeAttrRow) attrs;
  CAKE_VEC(CakeResultDef) results;
  CAKE_VEC(CakeRegionDef) regions;
  CAKE_VEC(CakeEffect) effects;
  CAKE_VEC(CakeLoc) effect_locs;
  CAKE_VEC(int8_t) operand_vars;
  CAKE_VEC(int8_t) result_vars;
  CAKE_VEC(CakeType) result_types;
  CakeMap names; // CakeId of all rows
} Rows;

// `name`, `name?` or `name*`.
static bool parse_name(Rows *rows, const char **out, CakeArity *out_arity) {
  CakeParser *parser = rows->parser;
  CakeLoc loc = cake_parser_loc(parser);
  CakeId name;
  uintptr_t known;
  if (!cake_parser_keyword(parser, &name)) return false;
  if (cake_map_get(&rows->names, name, &known))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME, "the op has a row '%s' already", name->text);
  cake_map_set(&rows->names, name, 1);
  *out = name->text;
  *out_arity = cake_parser_accept(parser, CAKE_TOK_QUESTION) ? CAKE_OPTIONAL
               : cake_parser_accept(parser, CAKE_TOK_STAR)   ? CAKE_VARIADIC
                                                             : CAKE_SINGLE;
  return true;
}

// An optional string; "" when there is none.
static bool parse_doc(CakeParser *parser, const char **out) {
  CakeId doc;
  *out = "";
  if (parser->token.kind != CAKE_TOK_STRING) return true;
  if (!cake_parser_string(parser, &doc)) return false;
  *out = doc->text;
  return true;
}

static bool full(Rows *rows, size_t count) {
  if (count < CAKE_MAX_GROUPS) return false;
  cake_parser_error(rows->parser, CAKE_CODE_PARSE_SYNTAX, "an op has at most %d rows of a kind", CAKE_MAX_GROUPS);
  return true;
}

// What rows of operands and of results have in common: `name: constraint "doc"`.
typedef struct ValueRow {
  const char *name, *doc;
  CakeArity arity;
  const CakeTypeConstraint *constraint;
  int var;
  CakeType only;
} ValueRow;

static bool parse_value_row(Rows *rows, size_t count, ValueRow *out) {
  return !full(rows, count) && parse_name(rows, &out->name, &out->arity) &&
         cake_parser_expect(rows->parser, CAKE_TOK_COLON) &&
         (out->constraint =
              cake_made_type_constraint(rows->parser, rows->dialect, rows->made, &out->var, &out->only)) &&
         parse_doc(rows->parser, &out->doc);
}

static bool parse_operand(Rows *rows) {
  ValueRow row;
  if (!parse_value_row(rows, rows->operands.len, &row)) return false;
  CAKE_PUSH(&rows->operands,
            (CakeOperandDef){.name = row.name, .constraint = row.constraint, .doc = row.doc, .arity = row.arity});
  CAKE_PUSH(&rows->operand_vars, (int8_t)row.var);
  return true;
}

static bool parse_result(Rows *rows) {
  ValueRow row;
  CakeLoc loc = cake_parser_loc(rows->parser);
  if (!parse_value_row(rows, rows->results.len, &row)) return false;
  for (size_t i = 0; row.arity != CAKE_SINGLE && i < rows->results.len; i++)
    if (rows->results.data[i].arity != CAKE_SINGLE)
      return cake_parser_error_at(rows->parser, loc, CAKE_CODE_PARSE_SYNTAX,
                                  "one result row has '?' or '*': '%s' has it already", rows->results.data[i].name);
  CAKE_PUSH(&rows->results, (CakeResultDef){row.name, row.constraint, row.doc, row.arity});
  CAKE_PUSH(&rows->result_vars, (int8_t)row.var);
  CAKE_PUSH(&rows->result_types, row.only);
  return true;
}

// `attribute name: constraint = default "doc"`.
static bool parse_attribute(Rows *rows) {
  CakeParser *parser = rows->parser;
  CakeAttrRow row = {0};
  CakeArity arity;
  CakeLoc loc = cake_parser_loc(parser);
  if (full(rows, rows->attrs.len) || !parse_name(rows, &row.name, &arity)) return false;
  if (arity == CAKE_VARIADIC)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_SYNTAX,
                                "an attribute is there once, or with '?' perhaps not");
  if (!cake_parser_expect(parser, CAKE_TOK_COLON) || !(row.constraint = cake_made_attr_constraint(parser)))
    return false;
  row.optional = arity == CAKE_OPTIONAL;
  if (cake_parser_accept(parser, CAKE_TOK_EQUAL)) {
    const char *begin = parser->token.ptr;
    CakeLoc value_loc = cake_parser_loc(parser);
    CakeAttr value;
    if (!cake_parser_attr(parser, NULL, &value)) return false;
    if (!cake_attr_satisfies(row.constraint, value))
      return cake_parser_error_at(parser, value_loc, CAKE_CODE_IR_ATTRIBUTES, "the default does not satisfy: %s",
                                  row.constraint->name);
    row.default_text = cake_arena_str(parser->context->arena, cake_parser_text_since(parser, begin)).ptr;
    row.optional = true;
  }
  if (!parse_doc(parser, &row.doc)) return false;
  CAKE_PUSH(&rows->attrs, row);
  return true;
}

static bool parse_region(Rows *rows) {
  CakeRegionDef row = {.may_be_empty = true};
  const CakeRegionDef *last = rows->regions.len ? &rows->regions.data[rows->regions.len - 1] : NULL;
  if (last && last->arity != CAKE_SINGLE)
    return cake_parser_error(rows->parser, CAKE_CODE_PARSE_SYNTAX, "no region comes behind '%s', which has '?' or '*'",
                             last->name);
  if (full(rows, rows->regions.len) || !parse_name(rows, &row.name, &row.arity)) return false;
  if (cake_parser_accept_keyword(rows->parser, "one_block")) row.single_block = true, row.may_be_empty = false;
  if (!parse_doc(rows->parser, &row.doc)) return false;
  CAKE_PUSH(&rows->regions, row);
  return true;
}

// `var T: constraint`.
static bool parse_var(Rows *rows) {
  CakeParser *parser = rows->parser;
  MadeOp *made = rows->made;
  int var;
  CakeType only;
  if (made->n_vars == CAKE_MADE_VARS)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "an op has at most %d type variables", CAKE_MADE_VARS);
  MadeVar *out = &made->vars[made->n_vars];
  if (!cake_parser_keyword(parser, &out->name) || !cake_parser_expect(parser, CAKE_TOK_COLON)) return false;
  out->constraint = cake_made_type_constraint(parser, rows->dialect, NULL, &var, &only);
  made->n_vars++;
  return out->constraint != NULL;
}

static bool parse_traits(Rows *rows) {
  static const struct {
    const char *name;
    unsigned trait;
  } traits[] = {
      {"pure",          CAKE_TRAIT_PURE           },
      {"commutative",   CAKE_TRAIT_COMMUTATIVE    },
      {"same_type",     CAKE_TRAIT_SAME_TYPE      },
      {"same_operands", CAKE_TRAIT_SAME_OPERANDS  },
      {"elementwise",   CAKE_TRAIT_ELEMENTWISE    },
      {"terminator",    CAKE_TRAIT_TERMINATOR     },
      {"symbol",        CAKE_TRAIT_SYMBOL         },
      {"symbol_table",  CAKE_TRAIT_SYMBOL_TABLE   },
      {"isolated",      CAKE_TRAIT_ISOLATED       },
      {"no_terminator", CAKE_TRAIT_NO_TERMINATOR  },
      {"graph",         CAKE_TRAIT_GRAPH          },
      {"convergent",    CAKE_TRAIT_CONVERGENT     },
      {"callable",      CAKE_TRAIT_CALLABLE       },
      {"return",        CAKE_TRAIT_RETURN         },
      {"short_names",   CAKE_TRAIT_DEFAULT_DIALECT},
  };
  CakeParser *parser = rows->parser;
  do {
    size_t i = 0;
    while (i < CAKE_COUNT(traits) && !cake_parser_is_keyword(parser, traits[i].name))
      i++;
    if (i == CAKE_COUNT(traits))
      return cake_parser_error(
          parser, CAKE_CODE_PARSE_NAME,
          "expected a trait: pure, commutative, same_type, same_operands, elementwise, terminator, symbol, "
          "symbol_table, isolated, no_terminator, graph, convergent, callable, return, short_names");
    rows->def->traits |= traits[i].trait;
    cake_parser_next(parser);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return true;
}

static bool parse_string(CakeParser *parser, const char **out) {
  CakeId text;
  if (!cake_parser_string(parser, &text)) return false;
  *out = text->text;
  return true;
}

static bool parse_successors(Rows *rows) {
  CakeLoc loc = cake_parser_loc(rows->parser);
  int64_t count;
  rows->def->n_successors = UINT16_MAX;
  if (cake_parser_accept_keyword(rows->parser, "any")) return true;
  if (!cake_parser_int(rows->parser, &count)) return false;
  if (count < 0 || count >= UINT16_MAX)
    return cake_parser_error_at(rows->parser, loc, CAKE_CODE_PARSE_NUMBER, "expected a number of successors, or 'any'");
  rows->def->n_successors = (uint16_t)count;
  return true;
}

static bool parse_description(Rows *rows) {
  return parse_string(rows->parser, &rows->def->description);
}

static bool parse_assembly(Rows *rows) {
  return parse_string(rows->parser, &rows->def->assembly);
}

static bool parse_parent(Rows *rows) {
  return parse_string(rows->parser, &rows->def->parent);
}

// `end "toy.end"`: the terminator that the custom form leaves out.
static bool parse_end(Rows *rows) {
  rows->def->traits |= CAKE_TRAIT_IMPLICIT_END;
  return parse_string(rows->parser, &rows->def->end);
}

// `reads m`, or of all of it `reads m as result`; `writes m`, `writes m from operand`.
static bool parse_access(Rows *rows, CakeEffectKind kind, const char *word) {
  CakeParser *parser = rows->parser;
  CakeLoc loc = cake_parser_loc(parser);
  CakeId operand, value = NULL;
  if (full(rows, rows->effects.len) || !cake_parser_keyword(parser, &operand)) return false;
  if (cake_parser_accept_keyword(parser, word) && !cake_parser_keyword(parser, &value)) return false;
  CAKE_PUSH(&rows->effects, (CakeEffect){.kind = kind, .operand = operand->text, .value = value ? value->text : NULL});
  CAKE_PUSH(&rows->effect_locs, loc);
  return true;
}

static bool parse_reads(Rows *rows) {
  return parse_access(rows, CAKE_EFFECT_READ, "as");
}

static bool parse_writes(Rows *rows) {
  return parse_access(rows, CAKE_EFFECT_WRITE, "from");
}

// The results are memory of their own.
static bool parse_allocates(Rows *rows) {
  if (full(rows, rows->effects.len)) return false;
  CAKE_PUSH(&rows->effects, (CakeEffect){.kind = CAKE_EFFECT_ALLOC});
  CAKE_PUSH(&rows->effect_locs, cake_parser_loc(rows->parser));
  return true;
}

// `lies_in m`: the results are places in the memory that operand m names.
static bool parse_lies_in(Rows *rows) {
  CakeId operand;
  if (!cake_parser_keyword(rows->parser, &operand)) return false;
  rows->def->lies_in = operand->text;
  return true;
}

// `calls callee`: the attribute that says which callable.
static bool parse_calls(Rows *rows) {
  CakeId attribute;
  if (!cake_parser_keyword(rows->parser, &attribute)) return false;
  rows->def->callee = attribute->text;
  return true;
}

// `flow loop init`, or `flow once`, `flow branch`, `flow while init`: how control goes through the regions.
static bool parse_flow(Rows *rows) {
  static const struct {
    const char *word;
    CakeFlowKind kind;
  } flows[] = {
      {"once",   CAKE_FLOW_ONCE  },
      {"loop",   CAKE_FLOW_LOOP  },
      {"branch", CAKE_FLOW_BRANCH},
      {"while",  CAKE_FLOW_WHILE },
  };
  CakeParser *parser = rows->parser;
  size_t i = 0;
  while (i < CAKE_COUNT(flows) && !cake_parser_accept_keyword(parser, flows[i].word))
    i++;
  if (i == CAKE_COUNT(flows))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected once, loop, branch or while");
  bool is_carried = flows[i].kind == CAKE_FLOW_LOOP || flows[i].kind == CAKE_FLOW_WHILE;
  CakeId iter = NULL;
  if (is_carried && !cake_parser_keyword(parser, &iter)) return false;
  rows->def->flow = (CakeFlow){flows[i].kind, iter ? iter->text : NULL};
  return true;
}

static bool parse_row(Rows *rows) {
  static const struct {
    const char *word;
    bool (*parse)(Rows *rows);
  } kinds[] = {
      {"operand",     parse_operand    },
      {"attribute",   parse_attribute  },
      {"result",      parse_result     },
      {"region",      parse_region     },
      {"var",         parse_var        },
      {"traits",      parse_traits     },
      {"successors",  parse_successors },
      {"description", parse_description},
      {"assembly",    parse_assembly   },
      {"parent",      parse_parent     },
      {"end",         parse_end        },
      {"allocates",   parse_allocates  },
      {"reads",       parse_reads      },
      {"writes",      parse_writes     },
      {"lies_in",     parse_lies_in    },
      {"calls",       parse_calls      },
      {"flow",        parse_flow       },
  };
  for (size_t i = 0; i < CAKE_COUNT(kinds); i++)
    if (cake_parser_accept_keyword(rows->parser, kinds[i].word)) return kinds[i].parse(rows);
  return cake_parser_error(
      rows->parser, CAKE_CODE_PARSE_SYNTAX,
      "expected a row of the op: operand, attribute, result, region, var, traits, successors, description, "
      "assembly, parent, end, allocates, reads, writes, lies_in, calls, flow; or '}'");
}

// Rows may come in any order, so that what effects name is looked up at the end.
static bool check_effects(Rows *rows) {
  const CakeOpDef *def = rows->def;
  for (size_t i = 0; i < rows->effects.len; i++) {
    const CakeEffect *effect = &rows->effects.data[i];
    bool is_read = effect->kind == CAKE_EFFECT_READ;
    const char *missing = NULL, *what = "operand";
    if (effect->operand && cake_op_def_operand(def, effect->operand) < 0) {
      missing = effect->operand;
    } else if (effect->value &&
               (is_read ? cake_op_def_result(def, effect->value) : cake_op_def_operand(def, effect->value)) < 0) {
      missing = effect->value;
      what = is_read ? "result" : "operand";
    }
    if (missing)
      return cake_parser_error_at(rows->parser, rows->effect_locs.data[i], CAKE_CODE_PARSE_NAME,
                                  "the op has no %s '%s'", what, missing);
    if (def->traits & CAKE_TRAIT_PURE)
      return cake_parser_error_at(rows->parser, rows->effect_locs.data[i], CAKE_CODE_PARSE_NAME,
                                  "an op with effects is not pure");
  }
  if (def->callee && cake_op_def_attr(def, def->callee) < 0)
    return cake_parser_error(rows->parser, CAKE_CODE_PARSE_NAME, "the op has no attribute '%s' that says what it calls",
                             def->callee);
  if (def->flow.iter && cake_op_def_operand(def, def->flow.iter) < 0)
    return cake_parser_error(rows->parser, CAKE_CODE_PARSE_NAME, "the op has no operand '%s' that its loop carries",
                             def->flow.iter);
  if (def->lies_in && cake_op_def_operand(def, def->lies_in) < 0)
    return cake_parser_error(rows->parser, CAKE_CODE_PARSE_NAME, "the op has no operand '%s' for its results to lie in",
                             def->lies_in);
  return true;
}

static void finish(Rows *rows) {
  CakeArena *arena = rows->parser->context->arena;
  CakeOpDef *def = rows->def;
  MadeOp *made = rows->made;
  unsigned n_open = 0;
  for (size_t i = 0; i < rows->operands.len; i++)
    n_open += rows->operands.data[i].arity != CAKE_SINGLE;
  if (n_open > 1) def->traits |= CAKE_TRAIT_SEGMENTS;
  def->operands = CAKE_MADE_KEEP(arena, rows->operands);
  def->attrs = CAKE_MADE_KEEP(arena, rows->attrs);
  def->results = CAKE_MADE_KEEP(arena, rows->results);
  def->regions = CAKE_MADE_KEEP(arena, rows->regions);
  def->n_operands = (uint16_t)rows->operands.len;
  def->n_attrs = (uint16_t)rows->attrs.len;
  def->n_results = (uint16_t)rows->results.len;
  def->n_regions = (uint16_t)rows->regions.len;
  def->effects = CAKE_MADE_KEEP(arena, rows->effects);
  def->n_effects = (uint16_t)rows->effects.len;
  made->operand_vars = CAKE_MADE_KEEP(arena, rows->operand_vars);
  made->result_vars = CAKE_MADE_KEEP(arena, rows->result_vars);
  made->result_types = CAKE_MADE_KEEP(arena, rows->result_types);
  bool is_checked = made->n_vars || def->callee || (def->traits & (CAKE_TRAIT_CALLABLE | CAKE_TRAIT_RETURN));
  if (is_checked) def->verify = cake_made_op_verify;
  if (is_inferable(def, made)) def->infer = cake_made_op_infer;
}

bool cake_made_op_parse(CakeParser *parser, MadeDialect *dialect, CakeOpDef *def, MadeOp *made) {
  Rows rows = {.parser = parser, .dialect = dialect, .def = def, .made = made};
  bool ok = cake_parser_expect(parser, CAKE_TOK_LBRACE);
  while (ok && !cake_parser_accept(parser, CAKE_TOK_RBRACE))
    ok = parse_row(&rows);
  if (ok) finish(&rows);
  ok = ok && check_effects(&rows);
  CAKE_VEC_FINI(&rows.operands);
  CAKE_VEC_FINI(&rows.attrs);
  CAKE_VEC_FINI(&rows.results);
  CAKE_VEC_FINI(&rows.regions);
  CAKE_VEC_FINI(&rows.effects);
  CAKE_VEC_FINI(&rows.effect_locs);
  CAKE_VEC_FINI(&rows.operand_vars);
  CAKE_VEC_FINI(&rows.result_vars);
  CAKE_VEC_FINI(&rows.result_types);
  cake_map_fini(&rows.names);
  return ok;
}
