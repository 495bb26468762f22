// The report as text and as JSON.
#include "cost/model.h"

#include "cake/symbol.h"
#include "dialects/cake/cake_accessors.h"

#define LEAST_WAIT 0.005 // part of the time of a wait that is named in text
#define MOST_OF_THE_TIME 0.9
#define LEAST_GAIN 0.02 // part of the time that a resource has to cost to be what bounds it

// ---- Words -----------------------------------------------------------------------------------------------------------------------

static const char *role_name(CakeAttr reference) {
  return cake_attr_symbol_root(reference)->text;
}

// "a slot of @ring, which @load fills"
static void print_wait(const CakeCostWait *wait, CakeBuf *out) {
  CakeOp *op = wait->object;
  switch (wait->kind) {
  case CAKE_COST_WAIT_EMPTY:
    cake_buf_printf(out, "an empty slot of @%s, which ", cake_symbol_name(op)->text);
    if (cake_cake_pipeline_store(op))
      cake_buf_text(out, "the store engine reads");
    else
      cake_buf_printf(out, "@%s gives back", role_name(cake_cake_pipeline_to(op)));
    break;
  case CAKE_COST_WAIT_FULL:
    cake_buf_printf(out, "a full slot of @%s, which @%s fills", cake_symbol_name(op)->text,
                    role_name(cake_cake_pipeline_from(op)));
    break;
  case CAKE_COST_WAIT_TURN: cake_buf_printf(out, "its turn of @%s", cake_symbol_name(op)->text); break;
  case CAKE_COST_WAIT_BARRIER: cake_buf_text(out, "the others at a barrier"); break;
  case CAKE_COST_WAIT_TENSOR: cake_buf_text(out, "the tensor core"); break;
  default: cake_buf_printf(out, "what %s gives", op ? op->info->name->text : "an instruction"); break;
  }
}

static const char *wait_name(CakeCostWaitKind kind) {
  static const char *const names[] = {[CAKE_COST_WAIT_EMPTY] = "empty",   [CAKE_COST_WAIT_FULL] = "full",
                                      [CAKE_COST_WAIT_TURN] = "turn",     [CAKE_COST_WAIT_BARRIER] = "barrier",
                                      [CAKE_COST_WAIT_TENSOR] = "tensor", [CAKE_COST_WAIT_VALUE] = "value"};
  return names[kind];
}

bool cake_cost_is_bound(const CakeCostReport *report) {
  return report->saves[report->bound] >= LEAST_GAIN;
}

// ---- Text ------------------------------------------------------------------------------------------------------------------------

static void print_bound(const CakeCostReport *report, CakeBuf *out) {
  if (!cake_cost_is_bound(report)) {
    const char *before = "bound by nothing alone: no resource that is twice as fast saves 2 %; busy most of the time: ";
    for (size_t r = 0; r < CAKE_COST_RESOURCES; r++) {
      if (report->busy[r] < MOST_OF_THE_TIME) continue;
      cake_buf_printf(out, "%s%s", before, cake_cost_resource_name((CakeCostResource)r));
      before = ", ";
    }
    cake_buf_text(out, before[0] == ',' ? "\n" : "bound by nothing: no resource that is twice as fast saves 2 %\n");
    return;
  }
  cake_buf_printf(out, "bound by: %s", cake_cost_resource_name(report->bound));
  if (report->bound != CAKE_COST_LATENCY) cake_buf_printf(out, ", busy %.1f %%", 100 * report->busy[report->bound]);
  cake_buf_printf(out, "; twice as fast it saves %.1f %%\n", 100 * report->saves[report->bound]);
}

static void print_role(const CakeCostRole *role, CakeBuf *out) {
  cake_buf_printf(out, "  @%s", cake_symbol_name(role->role)->text);
  if (role->replicas > 1) cake_buf_printf(out, " x %u", (unsigned)role->replicas);
  cake_buf_printf(out, ": works %.1f %%\n", 100 * role->works);
  for (size_t i = 0; i < role->n_waits; i++) {
    if (role->waits[i].part < LEAST_WAIT) continue;
    cake_buf_printf(out, "    waits %5.1f %% for ", 100 * role->waits[i].part);
    print_wait(&role->waits[i], out);
    cake_buf_char(out, '\n');
  }
  if (role->ended >= LEAST_WAIT) cake_buf_printf(out, "    has ended %.1f %%\n", 100 * role->ended);
}

void cake_cost_print(CakeOp *kernel, const CakeMachine *machine, const CakeCostReport *report, CakeBuf *out) {
  cake_buf_printf(out, "@%s on %.*s: %.2f us, uncalibrated", cake_symbol_name(kernel)->text,
                  CAKE_STR_ARG(machine->name), report->microseconds);
  if (machine->n_estimates) cake_buf_printf(out, " (%zu figures of the machine are estimates)", machine->n_estimates);
  cake_buf_printf(out, "\n%lld CTAs, %lld on a multiprocessor at once (limited by %s), %lld item%s in the longest\n",
                  (long long)report->grid, (long long)report->ctas_per_sm, report->occupancy_by,
                  (long long)report->rounds, report->rounds == 1 ? "" : "s");
  cake_buf_printf(out, "%.0f cycles: %.0f before the busiest resource begins, %.0f behind its end\n", report->cycles,
                  report->fill, report->drain);
  print_bound(report, out);
  cake_buf_text(out, "resources: busy, and what twice as fast saves\n");
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++) {
    if (report->busy[r] == 0 && r != CAKE_COST_LATENCY) continue;
    cake_buf_printf(out, "  %-28s", cake_cost_resource_name((CakeCostResource)r));
    cake_buf_printf(out, r == CAKE_COST_LATENCY ? "         " : "%6.1f %% ", 100 * report->busy[r]);
    cake_buf_printf(out, "%6.1f %%\n", 100 * report->saves[r]);
  }
  if (report->n_rings) cake_buf_text(out, "pipelines: slots, and what one more saves\n");
  for (size_t i = 0; i < report->n_rings; i++)
    cake_buf_printf(out, "  @%-27s%6u   %6.1f %%\n", cake_symbol_name(report->rings[i].pipeline)->text,
                    (unsigned)report->rings[i].stages, 100 * report->rings[i].saves);
  cake_buf_text(out, "roles\n");
  for (size_t i = 0; i < report->n_roles; i++)
    print_role(&report->roles[i], out);
}

// ---- JSON ------------------------------------------------------------------------------------------------------------------------

static void key_double(CakeJson *json, const char *key, double value) {
  cake_json_key(json, key);
  cake_json_double(json, value);
}

static void key_int(CakeJson *json, const char *key, int64_t value) {
  cake_json_key(json, key);
  cake_json_int(json, value);
}

static void key_text(CakeJson *json, const char *key, const char *value) {
  cake_json_key(json, key);
  cake_json_str(json, cake_str(value));
}

static void json_wait(const CakeCostWait *wait, CakeJson *json) {
  CakeBuf text = {0};
  print_wait(wait, &text);
  cake_json_begin_object(json);
  key_text(json, "for", wait_name(wait->kind));
  if (wait->object && wait->kind != CAKE_COST_WAIT_VALUE && wait->kind != CAKE_COST_WAIT_BARRIER)
    key_text(json, "of", cake_symbol_name(wait->object)->text);
  key_text(json, "text", text.data);
  key_double(json, "part", wait->part);
  cake_json_end_object(json);
  cake_buf_fini(&text);
}

static void json_role(const CakeCostRole *role, CakeJson *json) {
  cake_json_begin_object(json);
  key_text(json, "name", cake_symbol_name(role->role)->text);
  key_int(json, "replicas", role->replicas);
  key_double(json, "works", role->works);
  key_double(json, "ended", role->ended);
  cake_json_key(json, "waits");
  cake_json_begin_array(json);
  for (size_t i = 0; i < role->n_waits; i++)
    json_wait(&role->waits[i], json);
  cake_json_end_array(json);
  cake_json_end_object(json);
}

static void json_resources(const CakeCostReport *report, CakeJson *json) {
  cake_json_begin_array(json);
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++) {
    cake_json_begin_object(json);
    key_text(json, "name", cake_cost_resource_name((CakeCostResource)r));
    if (r != CAKE_COST_LATENCY) key_double(json, "busy", report->busy[r]);
    key_double(json, "saves", report->saves[r]);
    cake_json_end_object(json);
  }
  cake_json_end_array(json);
}

static void json_rings(const CakeCostReport *report, CakeJson *json) {
  cake_json_begin_array(json);
  for (size_t i = 0; i < report->n_rings; i++) {
    cake_json_begin_object(json);
    key_text(json, "name", cake_symbol_name(report->rings[i].pipeline)->text);
    key_int(json, "stages", report->rings[i].stages);
    key_double(json, "one_more_saves", report->rings[i].saves);
    cake_json_end_object(json);
  }
  cake_json_end_array(json);
}

void cake_cost_json(CakeOp *kernel, const CakeMachine *machine, const CakeCostReport *report, CakeJson *json) {
  cake_json_begin_object(json);
  key_text(json, "kernel", cake_symbol_name(kernel)->text);
  cake_json_key(json, "machine");
  cake_json_str(json, machine->name);
  cake_json_key(json, "calibrated");
  cake_json_bool(json, false);
  key_int(json, "estimates", (int64_t)machine->n_estimates);
  key_double(json, "microseconds", report->microseconds);
  key_double(json, "cycles", report->cycles);
  key_double(json, "fill", report->fill);
  key_double(json, "drain", report->drain);
  key_double(json, "passed_over", report->skipped);
  key_int(json, "events", (int64_t)report->events);
  key_int(json, "grid", report->grid);
  key_int(json, "items", report->items);
  key_int(json, "items_of_longest_cta", report->rounds);
  key_int(json, "ctas_per_multiprocessor", report->ctas_per_sm);
  key_text(json, "limited_by", report->occupancy_by);
  cake_json_key(json, "bound");
  if (cake_cost_is_bound(report))
    cake_json_str(json, cake_str(cake_cost_resource_name(report->bound)));
  else
    cake_json_null(json);
  cake_json_key(json, "resources");
  json_resources(report, json);
  cake_json_key(json, "pipelines");
  json_rings(report, json);
  cake_json_key(json, "roles");
  cake_json_begin_array(json);
  for (size_t i = 0; i < report->n_roles; i++)
    json_role(&report->roles[i], json);
  cake_json_end_array(json);
  cake_json_end_object(json);
}
