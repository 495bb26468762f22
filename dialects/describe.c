// What the descriptors say about ops, types and attributes, as Markdown.
#include "dialects/describe.h"

#include <string.h>

// A cell of a table: `|` would end it.
void cake_describe_cell(CakeBuf *out, const char *text) {
  for (const char *p = text ? text : ""; *p; p++) {
    if (*p == '|') cake_buf_char(out, '\\');
    cake_buf_char(out, *p == '\n' ? ' ' : *p);
  }
}

static void put_row(CakeBuf *out, const char *name, const char *kind, const char *constraint, const char *doc) {
  cake_buf_printf(out, "| `%s` | %s | ", name, kind);
  cake_describe_cell(out, constraint);
  cake_buf_text(out, " | ");
  cake_describe_cell(out, doc);
  cake_buf_text(out, " |\n");
}

static const char *arity_text(CakeArity arity, const char *single) {
  return arity == CAKE_SINGLE ? single : arity == CAKE_OPTIONAL ? "optional" : "any number";
}

static void put_operands(const CakeOpDef *op, CakeBuf *out) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeOperandDef *row = &op->operands[i];
    CakeBuf kind = {0};
    cake_buf_printf(&kind, "operand%s%s%s", row->arity == CAKE_SINGLE ? "" : ", ",
                    row->arity == CAKE_SINGLE ? "" : arity_text(row->arity, ""),
                    row->linear == CAKE_LINEAR_BORROWS ? ", borrowed" : "");
    put_row(out, row->name, kind.data, row->constraint->name, row->doc);
    cake_buf_fini(&kind);
  }
}

static void put_attrs(const CakeOpDef *op, CakeBuf *out) {
  for (uint32_t i = 0; i < op->n_attrs; i++) {
    const CakeAttrRow *row = &op->attrs[i];
    CakeBuf kind = {0};
    cake_buf_text(&kind, "attribute");
    if (row->default_text)
      cake_buf_printf(&kind, ", default `%s`", row->default_text);
    else if (row->optional)
      cake_buf_text(&kind, ", optional");
    put_row(out, row->name, kind.data, row->constraint->name, row->doc);
    cake_buf_fini(&kind);
  }
}

static void put_results(const CakeOpDef *op, CakeBuf *out) {
  static const char *const result_kinds[] = {
      [CAKE_SINGLE] = "result", [CAKE_OPTIONAL] = "result, optional", [CAKE_VARIADIC] = "results, any number"};
  for (uint32_t i = 0; i < op->n_results; i++) {
    const CakeResultDef *row = &op->results[i];
    put_row(out, row->name, result_kinds[row->arity], row->constraint->name, row->doc);
  }
  for (uint32_t i = 0; i < op->n_regions; i++) {
    const CakeRegionDef *row = &op->regions[i];
    put_row(out, row->name, row->arity == CAKE_VARIADIC ? "regions, any number" : "region",
            row->single_block ? "one block" : "blocks", row->doc);
  }
}

static void put_traits(const CakeOpDef *op, CakeBuf *out) {
  static const struct {
    unsigned trait;
    const char *name;
  } names[] = {
      {CAKE_TRAIT_PURE,            "pure"                              },
      {CAKE_TRAIT_TERMINATOR,      "terminator"                        },
      {CAKE_TRAIT_COMMUTATIVE,     "commutative"                       },
      {CAKE_TRAIT_SAME_TYPE,       "operands and results have one type"},
      {CAKE_TRAIT_SAME_OPERANDS,   "operands have one type"            },
      {CAKE_TRAIT_ELEMENTWISE,     "elementwise"                       },
      {CAKE_TRAIT_SYMBOL,          "symbol"                            },
      {CAKE_TRAIT_SYMBOL_TABLE,    "symbol table"                      },
      {CAKE_TRAIT_ISOLATED,        "isolated from above"               },
      {CAKE_TRAIT_CONSTANT,        "constant"                          },
      {CAKE_TRAIT_GRAPH,           "graph region"                      },
      {CAKE_TRAIT_CONVERGENT,      "convergent"                        },
      {CAKE_TRAIT_DEFAULT_DIALECT, "default dialect inside"            },
      {CAKE_TRAIT_CALLABLE,        "callable"                          },
      {CAKE_TRAIT_RETURN,          "returns from a callable"           },
  };
  const char *between = "\nTraits: ";
  for (size_t i = 0; i < CAKE_COUNT(names); i++) {
    if (!(op->traits & names[i].trait)) continue;
    bool by_regions = names[i].trait == CAKE_TRAIT_PURE && op->n_regions;
    cake_buf_printf(out, "%s%s", between, by_regions ? "as pure as its regions" : names[i].name);
    between = ", ";
  }
  if (strcmp(between, ", ") == 0) cake_buf_text(out, ".\n");
  if (op->lies_in) cake_buf_printf(out, "\nIts results lie in the memory of `%s`, if it is there.\n", op->lies_in);
  if (op->callee) cake_buf_printf(out, "\nCalls what `%s` refers to.\n", op->callee);
  if (op->parent) cake_buf_printf(out, "\nStands in: `%s`.\n", op->parent);
}

static void put_effects(const CakeOpDef *op, CakeBuf *out) {
  static const char *const kinds[] = {"reads", "writes", "allocates", "frees", "synchronises"};
  static const char *const spaces[] = {"memory", "global memory", "shared memory", "tensor memory", "registers"};
  if (op->n_effects == 0) return;
  cake_buf_text(out, "\nEffects: ");
  for (uint32_t i = 0; i < op->n_effects; i++) {
    const CakeEffect *effect = &op->effects[i];
    cake_buf_printf(out, "%s%s %s", i ? "; " : "", kinds[effect->kind], spaces[effect->space]);
    if (effect->value)
      cake_buf_printf(out, ", all of it as `%s`%s%s%s,", effect->value, effect->part ? " without `" : "",
                      effect->part ? effect->part : "", effect->part ? "`" : "");
    if (effect->operand) cake_buf_printf(out, " of `%s`", effect->operand);
    if (effect->proxy == CAKE_PROXY_ASYNC) cake_buf_text(out, " by the asynchronous proxy");
    if (effect->when) cake_buf_printf(out, " when `%s`", effect->when);
  }
  cake_buf_text(out, ".\n");
}

void cake_describe_op(const CakeOpDef *op, CakeBuf *out) {
  cake_buf_printf(out, "%s\n", op->summary);
  if (op->description) cake_buf_printf(out, "\n%s\n", op->description);
  const char *header = op->parse ? "… " : ""; // which is written by hand
  if (op->assembly) cake_buf_printf(out, "\n```\n%s.%s %s%s\n```\n", op->dialect->name, op->name, header, op->assembly);
  if (op->n_operands + op->n_attrs + op->n_results + op->n_regions)
    cake_buf_text(out, "\n| name | what | constraint | meaning |\n| --- | --- | --- | --- |\n");
  put_operands(op, out);
  put_attrs(op, out);
  put_results(op, out);
  put_traits(op, out);
  put_effects(op, out);
}

static void describe(const char *sigil, const char *dialect, const char *name, const char *syntax, const char *summary,
                     const char *description, CakeBuf *out) {
  cake_buf_printf(out, "%s\n", summary ? summary : "");
  if (description) cake_buf_printf(out, "\n%s\n", description);
  if (!syntax) return;
  bool is_whole = syntax[0] == '`' && syntax[1] == sigil[0];
  cake_buf_text(out, "\n```\n");
  if (!is_whole) cake_buf_printf(out, "%s%s.%s ", sigil, dialect, name);
  cake_buf_printf(out, "%s\n```\n", syntax);
}

void cake_describe_type(const CakeTypeDef *type, CakeBuf *out) {
  describe("!", type->dialect->name, type->name, type->syntax, type->summary, type->description, out);
  if (type->traits & CAKE_TYPE_LINEAR)
    cake_buf_text(out, "\nLinear: every value is used up exactly once on every path.\n");
  if (type->traits & CAKE_TYPE_VIEW)
    cake_buf_text(out, "\nA view: it borrows memory, and is never carried over a loop or branch.\n");
}

void cake_describe_attr(const CakeAttrDef *attr, CakeBuf *out) {
  describe("#", attr->dialect->name, attr->name, attr->syntax, attr->summary, attr->description, out);
}
