// Files of rewrites: `rewrite @name …` and `rewrites @name { … }`, each a pass of its name.
#include "rewrite.h"

// A pass in a table of its own, as registries have them; the descriptor stands first.
typedef struct RewritePass {
  CakePassDef table[2];
  CakeLoc loc;
  CakePatternSet *set;
  const Rewrite *rewrite;          // NULL: of a group
  const struct RewritePass *group; // that also has the rewrite; NULL: none
  struct RewritePass *next;
} RewritePass;

struct CakeRewrites {
  CakeContext *context;
  RewritePass *first, **end;
};

// ---- The passes ----------------------------------------------------------------------------------------------------

static const CakePassOption options[] = {
    {"max-iterations",   CAKE_OPTION_INT,         "-1", "how many times all ops are looked at; -1: until nothing changes"},
    {"disable-patterns", CAKE_OPTION_STRING_LIST, "",   "names of rewrites that are left out"                            },
    {"enable-patterns",  CAKE_OPTION_STRING_LIST, "",   "names of the only rewrites that are applied; empty: all"        }
};

static CakePassResult run(CakePassContext *pass, CakeOp *op) {
  const RewritePass *rewrites = (const RewritePass *)cake_pass_def(pass->pass);
  CakeGreedyOptions greedy = {.max_iterations = cake_pass_option_int(pass->pass, "max-iterations"),
                              .max_rewrites = -1,
                              .keep_unreachable = true,
                              .patterns = rewrites->set,
                              .only_patterns = true};
  bool is_changed;
  if (!cake_greedy_rewrite(pass, op, &greedy, &is_changed)) return CAKE_PASS_FAILED;
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}

static RewritePass *find(const CakeRewrites *rewrites, CakeStr name) {
  for (RewritePass *pass = rewrites->first; pass; pass = pass->next)
    if (cake_str_is(name, pass->table[0].name)) return pass;
  return NULL;
}

static RewritePass *add_pass(CakeRewrites *rewrites, CakeParser *parser, const char *name, CakeLoc loc,
                             const char *summary) {
  const RewritePass *known = find(rewrites, cake_str(name));
  if (known) {
    CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, loc, CAKE_CODE_REWRITE,
                                        "a rewrite of the name '%s' is there already", name);
    cake_diag_note(parser->context, d, known->loc, "it stands here");
    parser->failed = true;
    cake_diag_emit(parser->context, d);
    return NULL;
  }
  RewritePass *pass = CAKE_ARENA_NEW(rewrites->context->arena, RewritePass);
  pass->table[0] = (CakePassDef){.name = name,
                                 .summary = summary,
                                 .description = "",
                                 .options = options,
                                 .n_options = CAKE_COUNT(options),
                                 .run = run};
  pass->loc = loc;
  pass->set = cake_pattern_set_create(rewrites->context);
  *rewrites->end = pass;
  rewrites->end = &pass->next;
  return pass;
}

// ---- Reading -------------------------------------------------------------------------------------------------------

// Behind `rewrite`. `group`: the pass that also has it; NULL: none.
static bool parse_one(CakeRewrites *rewrites, CakeParser *parser, RewritePass *group) {
  Rewrite *rewrite = cake_rewrite_parse(parser);
  if (!rewrite) return false;
  CakeStr summary =
      cake_arena_printf(rewrites->context->arena, "Rewrites '%s' by the rewrite of this name.", rewrite->pattern.root);
  RewritePass *pass = add_pass(rewrites, parser, rewrite->pattern.name, rewrite->loc, summary.ptr);
  if (!pass) return false;
  pass->rewrite = rewrite;
  pass->group = group;
  cake_pattern_set_add(pass->set, &rewrite->pattern);
  if (group) cake_pattern_set_add(group->set, &rewrite->pattern);
  if (rewrite->is_canonical) cake_context_add_canonical_pattern(rewrites->context, &rewrite->pattern);
  return true;
}

// Behind `rewrites`: `@name { rewrite … }`.
static bool parse_group(CakeRewrites *rewrites, CakeParser *parser) {
  CakeLoc loc = cake_parser_loc(parser);
  CakeId name;
  if (!cake_parser_symbol(parser, &name)) return false;
  RewritePass *group = add_pass(rewrites, parser, name->text, loc, "Applies the rewrites of the group of this name.");
  if (!group || !cake_parser_expect(parser, CAKE_TOK_LBRACE)) return false;
  while (!cake_parser_accept(parser, CAKE_TOK_RBRACE))
    if (!cake_parser_expect_keyword(parser, "rewrite") || !parse_one(rewrites, parser, group)) return false;
  return true;
}

static bool parse_file(CakeRewrites *rewrites, CakeParser *parser) {
  while (parser->token.kind != CAKE_TOK_EOF) {
    bool ok;
    if (cake_parser_accept_keyword(parser, "rewrites"))
      ok = parse_group(rewrites, parser);
    else if (cake_parser_accept_keyword(parser, "rewrite"))
      ok = parse_one(rewrites, parser, NULL);
    else
      ok = cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected 'rewrite @name' or 'rewrites @name {'");
    if (!ok) return false;
  }
  return true;
}

CakeRewrites *cake_rewrites_load(CakeContext *context, CakeStr file, CakeStr text) {
  CakeId file_id = cake_id(context, file);
  if (!text.ptr) text = CAKE_STR("");
  cake_context_add_source(context, file_id, text);
  if (!cake_text_check_encoding(context, file_id, text, 1)) return NULL;
  CakeRewrites *rewrites = CAKE_ARENA_NEW(context->arena, CakeRewrites);
  rewrites->context = context;
  rewrites->end = &rewrites->first;
  CakeParser parser;
  cake_parser_init(&parser, context, file_id, text);
  parser.alias_hint = " (variables are declared: before(!T, #c, %x: !T))";
  bool ok = parse_file(rewrites, &parser);
  cake_parser_fini(&parser);
  return ok ? rewrites : NULL;
}

// ---- Matching alone ------------------------------------------------------------------------------------------------

bool cake_rewrites_has(const CakeRewrites *rewrites, CakeStr name) {
  return find(rewrites, name);
}

bool cake_rewrites_match(const CakeRewrites *rewrites, CakeStr name, CakeOp *op) {
  const RewritePass *wanted = find(rewrites, name);
  CakeRewriter rewriter = cake_rewriter(op->context, NULL);
  bool is_matched = false;
  for (const RewritePass *pass = rewrites->first; pass && !is_matched; pass = pass->next) {
    if (!pass->rewrite || (pass != wanted && pass->group != wanted)) continue;
    RewriteMatch match;
    cake_rewrite_match_init(&match, pass->rewrite, &rewriter);
    is_matched = cake_op_is(op, pass->rewrite->pattern.root) && cake_rewrite_match(&match, op);
    cake_rewrite_match_fini(&match);
  }
  return is_matched;
}

const CakePassDef *cake_rewrites_pass(const CakeRewrites *rewrites, size_t index) {
  const RewritePass *pass = rewrites->first;
  while (pass && index--)
    pass = pass->next;
  return pass ? pass->table : NULL;
}
