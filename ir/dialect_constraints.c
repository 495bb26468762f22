// Constraints of dialects as text: alternatives of built-in constraints, types and kinds of types.
#include "dialect_text.h"

bool cake_type_satisfies(const CakeTypeConstraint *constraint, CakeType type) {
  if (constraint->test) return constraint->test(type);
  const MadeTypeConstraint *made = (const MadeTypeConstraint *)constraint;
  for (size_t i = 0; i < made->count; i++) {
    const MadeAlternative *one = &made->alternatives[i];
    if (one->constraint ? cake_type_satisfies(one->constraint, type)
        : one->kind     ? type->def == one->kind
                        : type == one->type)
      return true;
  }
  return false;
}

bool cake_attr_satisfies(const CakeAttrConstraint *constraint, CakeAttr attr) {
  if (constraint->test) return constraint->test(attr);
  const MadeAttrConstraint *made = (const MadeAttrConstraint *)constraint;
  for (size_t i = 0; i < made->n_values; i++)
    if (made->values[i] == attr) return true;
  for (size_t i = 0; i < made->n_constraints; i++)
    if (made->constraints[i]->test(attr)) return true;
  return false;
}

// ---- Names ---------------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const CakeTypeConstraint *constraint;
} type_names[] = {
    {"any",          &cake_any_type       },
    {"integer",      &cake_is_integer     },
    {"float",        &cake_is_float       },
    {"integer_like", &cake_is_integer_like},
    {"float_like",   &cake_is_float_like  },
    {"bool_like",    &cake_is_bool_like   },
    {"scalar",       &cake_is_scalar      },
    {"vector",       &cake_is_vector      },
    {"tensor",       &cake_is_tensor      },
};

// Types of which the formats know that there is no choice.
static const CakeTypeConstraint *only(CakeContext *context, CakeType type) {
  if (type == context->index) return &cake_is_index;
  if (type == context->i1) return &cake_is_i1;
  if (type == context->i32) return &cake_is_i32;
  if (type == context->i64) return &cake_is_i64;
  return type == cake_type_f32(context) ? &cake_is_f32 : NULL;
}

static const struct {
  const char *name;
  const CakeAttrConstraint *constraint;
} attr_names[] = {
    {"any",              &cake_attr_any                },
    {"string",           &cake_attr_is_string          },
    {"symbol",           &cake_attr_is_symbol_ref      },
    {"i64",              &cake_attr_is_i64             },
    {"integer",          &cake_attr_is_integer         },
    {"float",            &cake_attr_is_float           },
    {"number",           &cake_attr_is_typed           },
    {"unit",             &cake_attr_is_unit            },
    {"bool",             &cake_attr_is_bool            },
    {"type",             &cake_attr_is_type            },
    {"array",            &cake_attr_is_array           },
    {"dictionary",       &cake_attr_is_dictionary      },
    {"affine_map",       &cake_attr_is_affine_map      },
    {"string_array",     &cake_attr_is_string_array    },
    {"affine_map_array", &cake_attr_is_affine_map_array},
};

// ---- Types ---------------------------------------------------------------------------------------------------------

static bool unknown(CakeParser *parser, const char *what, CakeBuf *names) {
  CakeStr word = cake_lexeme_str(&parser->token);
  if (!parser->failed) {
    parser->failed = true;
    CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, cake_parser_loc(parser), CAKE_CODE_PARSE_NAME,
                                        "'%.*s' is no %s", CAKE_STR_ARG(word), what);
    cake_diag_fix(parser->context, d, "there are: %s", names->data);
    cake_diag_emit(parser->context, d);
  }
  cake_buf_fini(names);
  return false;
}

static bool unknown_type(CakeParser *parser) {
  CakeBuf names = {0};
  for (size_t i = 0; i < CAKE_COUNT(type_names); i++)
    cake_buf_printf(&names, "%s, ", type_names[i].name);
  cake_buf_text(&names, "any type such as i32, a kind of type such as !toy.box, and declared variables such as !T");
  return unknown(parser, "constraint on types", &names);
}

static const CakeTypeDef *find_kind(CakeParser *parser, const MadeDialect *dialect, CakeStr name) {
  const char *dot = memchr(name.ptr, '.', name.len);
  if (!dot) return NULL;
  CakeStr prefix = {name.ptr, (size_t)(dot - name.ptr)}, rest = {dot + 1, name.len - prefix.len - 1};
  const CakeDialectDef *found =
      cake_str_is(prefix, dialect->base.name) ? &dialect->base : cake_context_find_dialect(parser->context, prefix);
  for (size_t i = 0; found && i < found->n_types; i++)
    if (cake_str_is(rest, found->types[i]->name)) return found->types[i];
  return NULL;
}

static int find_var(const MadeOp *op, CakeStr name) {
  for (uint32_t i = 0; op && i < op->n_vars; i++)
    if (cake_str_equal(cake_id_str(op->vars[i].name), name)) return (int)i;
  return -1;
}

static bool parse_alternative(CakeParser *parser, const MadeDialect *dialect, MadeAlternative *out) {
  CakeStr word = cake_lexeme_str(&parser->token);
  *out = (MadeAlternative){0};
  if (parser->token.kind == CAKE_TOK_EXCLAIM) {
    out->kind = find_kind(parser, dialect, (CakeStr){word.ptr + 1, word.len - 1});
    if (!out->kind) return unknown_type(parser);
    cake_parser_next(parser);
    return true;
  }
  for (size_t i = 0; parser->token.kind == CAKE_TOK_BARE && i < CAKE_COUNT(type_names); i++) {
    CakeLexer lexer = parser->lexer; // `vector` alone is a constraint, `vector<4xi32>` a type
    CakeLexeme next;
    cake_lex(&lexer, word.ptr + word.len, 1, word.ptr, &next);
    if (!cake_str_is(word, type_names[i].name) || next.kind == CAKE_TOK_LESS) continue;
    out->constraint = type_names[i].constraint;
    cake_parser_next(parser);
    return true;
  }
  if (!cake_parser_at_type(parser)) return unknown_type(parser);
  return cake_parser_type(parser, &out->type);
}

// A constraint of the context's arena, named as it was written.
static const CakeTypeConstraint *make(CakeParser *parser, const MadeAlternative *alternatives, size_t count,
                                      CakeStr text) {
  CakeArena *arena = parser->context->arena;
  MadeTypeConstraint *made = CAKE_ARENA_NEW(arena, MadeTypeConstraint);
  made->base.name = cake_arena_str(arena, text).ptr;
  made->alternatives = CAKE_ARENA_ARRAY(arena, MadeAlternative, count);
  memcpy(made->alternatives, alternatives, count * sizeof *alternatives);
  made->count = count;
  return &made->base;
}

const CakeTypeConstraint *cake_made_type_constraint(CakeParser *parser, const MadeDialect *dialect, const MadeOp *op,
                                                    int *out_var, CakeType *out_only) {
  enum { MOST = 32 };
  MadeAlternative alternatives[MOST];
  size_t count = 0;
  CakeStr word = cake_lexeme_str(&parser->token);
  *out_var = parser->token.kind == CAKE_TOK_EXCLAIM ? find_var(op, (CakeStr){word.ptr + 1, word.len - 1}) : -1;
  *out_only = NULL;
  if (*out_var >= 0) {
    cake_parser_next(parser);
    return op->vars[*out_var].constraint;
  }
  do {
    if (count == MOST)
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "a constraint has at most %d alternatives", MOST), NULL;
    if (!parse_alternative(parser, dialect, &alternatives[count++])) return NULL;
  } while (cake_parser_accept(parser, CAKE_TOK_VERTICAL_BAR));
  if (count > 1) return make(parser, alternatives, count, cake_parser_text_since(parser, word.ptr));
  *out_only = alternatives[0].type;
  if (alternatives[0].constraint) return alternatives[0].constraint;
  const CakeTypeConstraint *known = *out_only ? only(parser->context, *out_only) : NULL;
  return known ? known : make(parser, alternatives, count, cake_parser_text_since(parser, word.ptr));
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

typedef struct AttrAlternatives {
  CAKE_VEC(const CakeAttrConstraint *) constraints;
  CAKE_VEC(CakeAttr) values;
} AttrAlternatives;

static bool parse_attr_alternative(CakeParser *parser, AttrAlternatives *out) {
  CakeStr word = cake_lexeme_str(&parser->token);
  CakeBuf names = {0};
  if (parser->token.kind == CAKE_TOK_BARE) {
    for (size_t i = 0; i < CAKE_COUNT(attr_names); i++) {
      cake_buf_printf(&names, "%s, ", attr_names[i].name);
      if (!cake_str_is(word, attr_names[i].name)) continue;
      CAKE_PUSH(&out->constraints, attr_names[i].constraint);
      cake_buf_fini(&names);
      cake_parser_next(parser);
      return true;
    }
    cake_buf_text(&names, "and values such as \"fast\" or 4 : i64");
    return unknown(parser, "constraint on attributes", &names);
  }
  CakeAttr value;
  if (!cake_parser_attr(parser, NULL, &value)) return false;
  CAKE_PUSH(&out->values, value);
  return true;
}

static const CakeAttrConstraint *make_attr(CakeParser *parser, const AttrAlternatives *from, CakeStr text) {
  if (from->constraints.len == 1 && !from->values.len) return from->constraints.data[0];
  CakeArena *arena = parser->context->arena;
  MadeAttrConstraint *made = CAKE_ARENA_NEW(arena, MadeAttrConstraint);
  made->base.name = cake_arena_str(arena, text).ptr;
  made->n_constraints = from->constraints.len;
  made->n_values = from->values.len;
  made->constraints = CAKE_ARENA_ARRAY(arena, const CakeAttrConstraint *, made->n_constraints + 1);
  made->values = CAKE_ARENA_ARRAY(arena, CakeAttr, made->n_values + 1);
  for (size_t i = 0; i < made->n_constraints; i++)
    made->constraints[i] = from->constraints.data[i];
  for (size_t i = 0; i < made->n_values; i++)
    made->values[i] = from->values.data[i];
  return &made->base;
}

const CakeAttrConstraint *cake_made_attr_constraint(CakeParser *parser) {
  AttrAlternatives alternatives = {0};
  const char *begin = parser->token.ptr;
  bool ok;
  do {
    ok = parse_attr_alternative(parser, &alternatives);
  } while (ok && cake_parser_accept(parser, CAKE_TOK_VERTICAL_BAR));
  const CakeAttrConstraint *made = ok ? make_attr(parser, &alternatives, cake_parser_text_since(parser, begin)) : NULL;
  CAKE_VEC_FINI(&alternatives.constraints);
  CAKE_VEC_FINI(&alternatives.values);
  return made;
}
