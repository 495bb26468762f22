// Aliases: values are traced back to what they lie in, then what they lie in is compared.
#include "analysis/alias.h"

#include "analysis/effects.h"
#include "analysis/flow.h"
#include "cake/symbol.h"

enum { MOST_STEPS = 64 }; // values that are looked at for one

const char *cake_alias_name(CakeAlias alias) {
  static const char *const names[] = {"no", "may", "partial", "must"};
  return names[alias];
}

CakeSpace cake_alias_space(CakeType type) {
  const CakeDialectDef *dialect = type->def->dialect;
  return dialect && dialect->space ? dialect->space(type) : CAKE_SPACE_ANY;
}

// ---- Tracing -------------------------------------------------------------------------------------------------------

// What the row of its op says that it lies in: another value, or a declaration. False: nothing is said.
static bool lies_in(const CakeValue *value, CakeAliasRoot *out) {
  CakeOp *op = cake_value_def(value);
  const char *name = op && op->info->def ? op->info->def->lies_in : NULL;
  *out = (CakeAliasRoot){0};
  if (!name) return false;
  int row = cake_op_def_operand(op->info->def, name);
  if (row >= 0)
    out->value = cake_op_operand_single(op, (uint32_t)row);
  else
    out->symbol = cake_op_attr_text(op, name) ? cake_symbol_lookup(op, cake_op_attr_text(op, name)) : NULL;
  if (out->symbol) out->part = value->index;
  return out->value || out->symbol;
}

typedef struct Trace {
  CakeAliasRoot *roots;
  int n_roots;
  CakeValueVec seen; // those from `next` on were not looked at
  size_t next;
} Trace;

static void follow(Trace *trace, CakeValue *value) {
  for (size_t i = 0; i < trace->seen.len; i++)
    if (trace->seen.data[i] == value) return;
  CAKE_PUSH(&trace->seen, value);
}

static bool add_root(Trace *trace, CakeAliasRoot root) {
  for (int i = 0; i < trace->n_roots; i++)
    if (trace->roots[i].value == root.value && trace->roots[i].symbol == root.symbol &&
        trace->roots[i].part == root.part)
      return true;
  if (trace->n_roots == CAKE_ALIAS_ROOTS) return false;
  trace->roots[trace->n_roots++] = root;
  return true;
}

static bool step(Trace *trace, CakeValue *value) {
  CakeAliasRoot place;
  CakeValueVec sources = {0};
  bool is_fine = true;
  if (lies_in(value, &place)) {
    if (place.symbol) return add_root(trace, place);
    follow(trace, (CakeValue *)(uintptr_t)place.value);
    return true;
  }
  if (cake_flow_sources(value, &sources))
    for (size_t i = 0; i < sources.len; i++)
      follow(trace, sources.data[i]);
  else
    is_fine = add_root(trace, (CakeAliasRoot){.value = value});
  CAKE_VEC_FINI(&sources);
  return is_fine;
}

int cake_alias_roots(const CakeValue *value, CakeAliasRoot *out) {
  Trace trace = {.roots = out};
  follow(&trace, (CakeValue *)(uintptr_t)value);
  bool is_fine = true;
  while (is_fine && trace.next < trace.seen.len)
    is_fine = trace.seen.len <= MOST_STEPS && step(&trace, trace.seen.data[trace.next++]);
  CAKE_VEC_FINI(&trace.seen);
  return is_fine ? trace.n_roots : -1;
}

// ---- Comparing -----------------------------------------------------------------------------------------------------

// Whether the memory was there before anything in the op that it is handed to.
static bool is_argument(const CakeAliasRoot *root) {
  if (!root->value || !root->value->is_argument) return false;
  const CakeOp *around = cake_block_parent(cake_arg_owner(root->value));
  return around && cake_op_has_trait(around, CAKE_TRAIT_ISOLATED);
}

static bool may_be_one(const CakeAliasRoot *a, const CakeAliasRoot *b) {
  if (a->symbol || b->symbol) {
    const CakeAliasRoot *other = a->symbol ? b : a;
    if (a->symbol && b->symbol) return a->symbol == b->symbol && a->part == b->part;
    return !cake_effect_allocates(other->value);
  }
  if (a->value == b->value) return true;
  bool is_a_own = cake_effect_allocates(a->value), is_b_own = cake_effect_allocates(b->value);
  return !((is_a_own && (is_b_own || is_argument(b))) || (is_b_own && is_argument(a)));
}

// Whether `inner` lies in `outer` by the rows of ops alone.
static bool is_in(const CakeValue *inner, const CakeValue *outer) {
  CakeAliasRoot place;
  for (int i = 0; i < MOST_STEPS && lies_in(inner, &place) && place.value; i++) {
    inner = place.value;
    if (inner == outer) return true;
  }
  return false;
}

CakeAlias cake_alias(const CakeValue *a, const CakeValue *b) {
  CakeSpace a_space = cake_alias_space(a->type), b_space = cake_alias_space(b->type);
  CakeAliasRoot a_roots[CAKE_ALIAS_ROOTS], b_roots[CAKE_ALIAS_ROOTS];
  if (a == b) return CAKE_ALIAS_MUST;
  if (a_space != b_space && a_space != CAKE_SPACE_ANY && b_space != CAKE_SPACE_ANY) return CAKE_ALIAS_NO;
  if (is_in(a, b) || is_in(b, a)) return CAKE_ALIAS_PARTIAL;
  int n_a = cake_alias_roots(a, a_roots), n_b = cake_alias_roots(b, b_roots);
  if (n_a < 0 || n_b < 0) return CAKE_ALIAS_MAY;
  for (int i = 0; i < n_a; i++)
    for (int k = 0; k < n_b; k++)
      if (may_be_one(&a_roots[i], &b_roots[k])) return CAKE_ALIAS_MAY;
  return CAKE_ALIAS_NO;
}
