// Counts what the verifier looked at, and says it as text and as JSON.
#include "verifier/coverage.h"

#include "cake/symbol.h"
#include "dialects/cake/cake.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/verifier.h"

static size_t count_ops(CakeOp *root) {
  size_t count = 0;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    count++;
  return count;
}

static bool has_parameters(CakeOp *kernel) {
  for (CakeOp *op = cake_op_region(kernel, 0)->first->first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_param)) return true;
  return false;
}

static CakeCoverageItem look_at(CakeOp *op, size_t budget) {
  CakeCoverageItem item = {.op = op, .ops = count_ops(op)};
  item.is_template = cake_is_cake_op(op, cake_op_cake_kernel) && has_parameters(op);
  item.has_protocol = !item.is_template && cake_protocol_applies(op);
  if (item.has_protocol) cake_protocol_check(op, budget, false, &item.protocol);
  return item;
}

static void count_finding(void *user, const CakeDiagnostic *diagnostic) {
  if (diagnostic->severity == CAKE_ERROR) ++*(size_t *)user;
}

static CakeCoverageRule run_rule(const CakeRule *rule, CakeOp *module) {
  CakeCoverageRule of = {.rule = rule};
  CakeContext *context = module->context;
  CakeDiagnosticFn handler;
  void *user;
  cake_context_set_handler(context, count_finding, &of.findings, &handler, &user);
  cake_context_count_sites(context, &of.sites);
  (void)rule->check(module);
  cake_context_count_sites(context, NULL);
  cake_context_set_handler(context, handler, user, NULL, NULL);
  return of;
}

// Rules are about ops and types of the cake dialect, and about what its kernels become.
static void run_rules(CakeOp *module, CakeCoverage *out) {
  if (!cake_context_uses_dialect(module->context, &cake_dialect_cake)) return;
  for (const CakeRule *rule = cake_rules; rule->name; rule++)
    CAKE_PUSH(&out->rules, run_rule(rule, module));
}

void cake_coverage_of(CakeOp *module, size_t budget, CakeCoverage *out) {
  *out = (CakeCoverage){0};
  run_rules(module, out);
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    out->ops++;
    out->unmodelled += op->info->def == NULL;
    if (cake_is_cake_op(op, cake_op_cake_kernel) || cake_is_gpu_op(op, cake_op_gpu_func))
      CAKE_PUSH(&out->items, look_at(op, budget));
  }
}

void cake_coverage_fini(CakeCoverage *coverage) {
  CAKE_VEC_FINI(&coverage->rules);
  CAKE_VEC_FINI(&coverage->items);
}

const char *cake_coverage_verdict(const CakeCoverageItem *item) {
  if (item->has_protocol) return cake_verdict_name(item->protocol.verdict);
  return item->is_template ? "template" : "no protocol";
}

static const char *name_of(const CakeOp *op) {
  CakeId name = cake_symbol_name(op);
  return name ? name->text : "?";
}

void cake_coverage_print(const CakeCoverage *coverage, CakeBuf *out) {
  cake_buf_printf(out, "coverage: %zu op(s), %zu rule(s) run", coverage->ops, coverage->rules.len);
  if (coverage->unmodelled) cake_buf_printf(out, ", %zu op(s) of unknown effects", coverage->unmodelled);
  for (size_t i = 0; i < coverage->items.len; i++) {
    const CakeCoverageItem *item = &coverage->items.data[i];
    const CakeProtocolReport *protocol = &item->protocol;
    cake_buf_printf(out, "\n  @%s: %zu op(s); protocol: %s", name_of(item->op), item->ops, cake_coverage_verdict(item));
    if (item->has_protocol)
      cake_buf_printf(out, ", %zu process(es), %zu object(s), %zu action(s), %zu state(s), %zu move(s)",
                      protocol->processes, protocol->objects, protocol->actions, protocol->states, protocol->moves);
    if (item->has_protocol && protocol->verdict == CAKE_BOUNDED && protocol->limit)
      cake_buf_printf(out, "; bounded: %s", protocol->limit);
    if (item->is_template) cake_buf_text(out, "; what needs numbers is checked of instances");
  }
  cake_buf_char(out, '\n');
  for (size_t i = 0; i < coverage->rules.len; i++) {
    const CakeCoverageRule *of = &coverage->rules.data[i];
    cake_buf_printf(out, "  rule %s: %zu site(s), %zu finding(s)\n", of->rule->name, of->sites, of->findings);
  }
}

static void put(CakeJson *json, const char *key, size_t value) {
  cake_json_key(json, key);
  cake_json_int(json, (int64_t)value);
}

static void put_protocol(const CakeProtocolReport *protocol, CakeJson *json) {
  put(json, "processes", protocol->processes);
  put(json, "objects", protocol->objects);
  put(json, "actions", protocol->actions);
  put(json, "states", protocol->states);
  put(json, "moves", protocol->moves);
  cake_json_key(json, "bounded");
  cake_json_bool(json, protocol->verdict == CAKE_BOUNDED);
  if (protocol->verdict != CAKE_BOUNDED || !protocol->limit) return;
  cake_json_key(json, "limit");
  cake_json_str(json, cake_str(protocol->limit));
}

static void put_rules(const CakeCoverage *coverage, CakeJson *json) {
  cake_json_key(json, "rules");
  cake_json_begin_array(json);
  for (size_t i = 0; i < coverage->rules.len; i++) {
    const CakeCoverageRule *of = &coverage->rules.data[i];
    cake_json_begin_object(json);
    cake_json_key(json, "name");
    cake_json_str(json, cake_str(of->rule->name));
    put(json, "sites", of->sites);
    put(json, "findings", of->findings);
    cake_json_end_object(json);
  }
  cake_json_end_array(json);
}

void cake_coverage_json(const CakeCoverage *coverage, CakeJson *json) {
  cake_json_begin_object(json);
  put(json, "ops", coverage->ops);
  put(json, "unmodelled", coverage->unmodelled);
  cake_json_key(json, "kernels");
  cake_json_begin_array(json);
  for (size_t i = 0; i < coverage->items.len; i++) {
    const CakeCoverageItem *item = &coverage->items.data[i];
    cake_json_begin_object(json);
    cake_json_key(json, "name");
    cake_json_str(json, cake_str(name_of(item->op)));
    put(json, "ops", item->ops);
    cake_json_key(json, "template");
    cake_json_bool(json, item->is_template);
    cake_json_key(json, "protocol");
    cake_json_str(json, cake_str(cake_coverage_verdict(item)));
    if (item->has_protocol) put_protocol(&item->protocol, json);
    cake_json_end_object(json);
  }
  cake_json_end_array(json);
  put_rules(coverage, json);
  cake_json_end_object(json);
}
