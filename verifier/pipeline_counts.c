// Rule pipeline-counts: how often each end operates a pipeline, as a sum over the loops around its ops.
//
// A term is a product of constant trip counts and of the loops over items and steps of one iterator. Anything else has
// no term: the protocol checker must prove it (and reports what it refutes), or it is refused.
#include "analysis/affine.h"

#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "verifier/protocol.h"
#include "verifier/rules.h"

typedef enum Nest { NEST_ONCE, NEST_ITEMS, NEST_STEPS } Nest;

typedef struct Term {
  Nest nest;
  CakeOp *tiles;  // NULL for NEST_ONCE
  CakeAttr first; // of NEST_STEPS: the steps that the loop leaves out, NULL for none
  int64_t count;
  CakeOp *op; // one of those that it counts
} Term;

enum { MAX_TERMS = 16 };

typedef struct Terms {
  Term terms[MAX_TERMS];
  size_t count;
  CakeOp *unresolved; // an op without a term
  CakeOp *around;     // what is around it that has none
} Terms;

// The constant trip count of scf.for; -1 when it is not known.
static int64_t trip_count(const CakeOp *loop) {
  int64_t bounds[3];
  for (uint32_t i = 0; i < 3; i++) {
    CakeOp *definition = i < loop->n_operands ? cake_value_def(cake_op_operand(loop, i)) : NULL;
    CakeAttr value = definition && cake_op_has_trait(definition, CAKE_TRAIT_CONSTANT)
                         ? cake_op_attr_text(definition, "value")
                         : NULL;
    if (!cake_attr_is(value, &cake_attr_def_integer)) return -1;
    bounds[i] = cake_attr_int_value(value);
    if (bounds[i] < -INT32_MAX || bounds[i] > INT32_MAX) return -1;
  }
  if (bounds[2] <= 0) return -1;
  return bounds[1] <= bounds[0] ? 0 : (bounds[1] - bounds[0] + bounds[2] - 1) / bounds[2];
}

static bool term_of(CakeOp *op, CakeOp *role, Term *out, CakeOp **around) {
  *out = (Term){.nest = NEST_ONCE, .count = 1, .op = op};
  for (CakeOp *up = cake_op_parent(op); up && up != role; up = cake_op_parent(up)) {
    *around = up;
    if (cake_op_is(up, "scf.for")) {
      int64_t trips = trip_count(up);
      if (trips < 0 || (trips > 0 && out->count > INT32_MAX / trips)) return false;
      out->count *= trips;
    } else if (cake_is_cake_op(up, cake_op_cake_unroll)) {
      int64_t lower = 0, upper = 1; // of a template: equal on both ends, whatever they are
      (void)cake_expr_is_const(cake_cake_unroll_lower(up), &lower);
      (void)cake_expr_is_const(cake_cake_unroll_upper(up), &upper);
      int64_t trips = upper > lower ? upper - lower : 0;
      if (trips > 0 && out->count > INT32_MAX / trips) return false;
      out->count *= trips;
    } else if (cake_is_cake_op(up, cake_op_cake_steps) || cake_is_cake_op(up, cake_op_cake_items)) {
      if (cake_is_cake_op(up, cake_op_cake_steps)) out->first = cake_cake_steps_from(up);
      if (out->nest == NEST_ONCE) out->nest = cake_is_cake_op(up, cake_op_cake_steps) ? NEST_STEPS : NEST_ITEMS;
      out->tiles = cake_op_tiles(up);
    } else {
      return false;
    }
  }
  return true;
}

static bool is_like(const Term *a, const Term *b) {
  return a->nest == b->nest && a->tiles == b->tiles && a->first == b->first;
}

// A loop that leaves out the first j steps runs j times less an item.
static void add_term(Terms *terms, Term term) {
  int64_t first;
  if (term.first && cake_expr_is_const(term.first, &first)) {
    Term less = {.nest = NEST_ITEMS, .tiles = term.tiles, .count = -first * term.count, .op = term.op};
    term.first = NULL;
    add_term(terms, less);
  }
  for (size_t i = 0; i < terms->count; i++) {
    if (!is_like(&terms->terms[i], &term)) continue;
    terms->terms[i].count += term.count;
    return;
  }
  if (terms->count < MAX_TERMS)
    terms->terms[terms->count++] = term;
  else
    terms->unresolved = terms->around = term.op;
}

static Terms count_ops(CakeOp *role, CakeOp *pipeline, int enumerator) {
  Terms terms = {.count = 0};
  for (CakeOp *op = cake_next_cake_op(role, NULL, enumerator); op && !terms.unresolved;
       op = cake_next_cake_op(role, op, enumerator)) {
    if (cake_op_pipeline(op) != pipeline) continue;
    Term term;
    CakeOp *around = op;
    if (term_of(op, role, &term, &around)) {
      add_term(&terms, term);
    } else {
      terms.unresolved = op;
      terms.around = around;
    }
  }
  return terms;
}

static int64_t count_of(const Terms *terms, const Term *like) {
  for (size_t i = 0; i < terms->count; i++)
    if (is_like(&terms->terms[i], like)) return terms->terms[i].count;
  return 0;
}

// ---- Messages ------------------------------------------------------------------------------------------------------

static const char *const nest_words[] = {"in all", "an item", "a step"};

static void write_terms(const Terms *terms, CakeBuf *out) {
  size_t written = 0;
  for (size_t i = 0; i < terms->count; i++) {
    const Term *term = &terms->terms[i];
    if (term->count == 0) continue;
    cake_buf_printf(out, "%s%lld %s", written++ ? " + " : "", (long long)term->count, nest_words[term->nest]);
    if (term->tiles) cake_buf_printf(out, " of @%s", cake_symbol_name(term->tiles)->text);
  }
  if (!written) cake_buf_text(out, "never");
}

static bool report_unresolved(CakeOp *pipeline, const Terms *terms) {
  CakeOp *op = terms->unresolved;
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_PIPE_COUNT, "operates pipeline '@%s' in %s a number of times that is not known",
                       cake_symbol_name(pipeline)->text, cake_where(op));
  cake_diag_note(op->context, d, terms->around->loc, "'%.*s' is around it", CAKE_STR_ARG(cake_op_name(terms->around)));
  cake_diag_fix(op->context, d, "operate it in items, steps or loops with constant bounds only");
  return cake_diag_emit(op->context, d);
}

static bool report_unequal(CakeOp *pipeline, const Terms *from, const Terms *to, const Term *term) {
  CakeBuf filled = {0}, emptied = {0};
  write_terms(from, &filled);
  write_terms(to, &emptied);
  CakeDiagnostic *d = cake_error_begin(
      term->op, CAKE_CODE_PIPE_COUNT, "pipeline '@%s' is filled by role %s: %s, but emptied by role %s: %s",
      cake_symbol_name(pipeline)->text, cake_attr_text(cake_cake_pipeline_from(pipeline)), filled.data,
      cake_attr_text(cake_cake_pipeline_to(pipeline)), emptied.data);
  cake_diag_note(term->op->context, d, pipeline->loc, "the pipeline is declared here");
  cake_diag_fix(term->op->context, d, "put `cake.acquire` and `cake.wait` into the same loops, equally often");
  cake_buf_fini(&filled);
  cake_buf_fini(&emptied);
  return cake_diag_emit(term->op->context, d);
}

static bool compare(CakeOp *pipeline, const Terms *from, const Terms *to) {
  for (int side = 0; side < 2; side++) {
    const Terms *a = side ? to : from, *b = side ? from : to;
    for (size_t i = 0; i < a->count; i++)
      if (a->terms[i].count != count_of(b, &a->terms[i])) return report_unequal(pipeline, from, to, &a->terms[i]);
  }
  return true;
}

static bool check_from(CakeOp *pipeline, CakeOp *role) {
  CakeRoleShape shape;
  if (cake_cake_pipeline_each(pipeline) || !cake_role_shape(role, &shape) || shape.replicas == 1) return true;
  CakeDiagnostic *d = cake_error_begin(pipeline, CAKE_CODE_ROLE_STRUCTURE,
                                       "is filled by role %s, which has %lld replicas: each would fill every slot",
                                       cake_attr_text(cake_cake_pipeline_from(pipeline)), (long long)shape.replicas);
  cake_diag_note(pipeline->context, d, role->loc, "the role is here");
  if (cake_cake_pipeline_store(pipeline))
    cake_diag_fix(pipeline->context, d, "write `from(%s each)`: a ring for each replica",
                  cake_attr_text(cake_cake_pipeline_from(pipeline)));
  else
    cake_diag_fix(pipeline->context, d, "fill it from a role without `replicate`");
  return cake_diag_emit(pipeline->context, d);
}

static bool check_pipeline(CakeOp *pipeline) {
  cake_context_site(pipeline->context);
  if (!cake_op_kernel(pipeline)) return true; // roles are expanded
  CakeOp *from = cake_symbol_lookup(pipeline, cake_cake_pipeline_from(pipeline));
  if (from && cake_cake_pipeline_store(pipeline)) return check_from(pipeline, from); // one end only
  CakeOp *to = from ? cake_symbol_lookup(pipeline, cake_cake_pipeline_to(pipeline)) : NULL;
  if (!to) return true;
  Terms filled = count_ops(from, pipeline, cake_op_cake_acquire), emptied = count_ops(to, pipeline, cake_op_cake_wait);
  bool ok = check_from(pipeline, from);
  if (filled.unresolved || emptied.unresolved) {
    CakeProtocolReport report;
    CakeOp *kernel = cake_op_kernel(pipeline);
    if (cake_protocol_check(kernel, CAKE_PROTOCOL_BUDGET, false, &report) != CAKE_BOUNDED) return ok;
    if (filled.unresolved) ok = report_unresolved(pipeline, &filled);
    if (emptied.unresolved) ok = report_unresolved(pipeline, &emptied);
    return false;
  }
  return compare(pipeline, &filled, &emptied) && ok;
}

// ---- Steps that are left out -----------------------------------------------------------------------------------------

static bool check_first(CakeOp *steps) {
  CakeAttr from = cake_cake_steps_from(steps);
  CakeOp *tiles = cake_op_tiles(steps);
  int64_t first;
  if (!from || !tiles || !cake_expr_is_const(from, &first)) return true;
  CakeAttr extent = cake_axes_extent(cake_cake_tiles_steps(tiles), 0);
  if (cake_expr_least(steps, extent) >= first) return true;
  CakeDiagnostic *d =
      cake_error_begin(steps, CAKE_CODE_PIPE_COUNT,
                       "leaves out the first %lld step(s) of each item, but an item may have fewer", (long long)first);
  cake_diag_note(steps->context, d, tiles->loc, "an item has %s step(s)", cake_body_text(extent));
  cake_diag_fix(steps->context, d, "put a bound into the kernel's guard");
  return cake_diag_emit(steps->context, d);
}

bool cake_rule_pipeline_counts(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_pipeline); op;
       op = cake_next_cake_op(module, op, cake_op_cake_pipeline))
    ok &= check_pipeline(op);
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_steps); op;
       op = cake_next_cake_op(module, op, cake_op_cake_steps))
    ok &= check_first(op);
  return ok;
}
