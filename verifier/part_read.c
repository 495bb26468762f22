// Rule part-read: who takes a slot of several parts and reads some of them reads all of them. A part that is filled and not read is one that another was
// taken for, or one that need not be filled. A slot of which nothing is read, as when a ring is emptied at the end, is fine.
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "verifier/rules.h"

static bool report(CakeOp *wait, CakeOp *pipeline, uint32_t part) {
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  const char *name = part - 1 < cake_parts_count(parts) ? cake_parts_name(parts, part - 1)->text : "?";
  CakeDiagnostic *d =
      cake_error_begin(wait, CAKE_CODE_PART_NOT_READ, "in %s reads nothing of part '%s' of pipeline '@%s'",
                       cake_where(wait), name, cake_symbol_name(pipeline)->text);
  cake_diag_note(wait->context, d, pipeline->loc, "the pipeline is declared here");
  cake_diag_fix(wait->context, d, "read %s, or leave the part out of the slot", cake_value_text(&wait->results[part]));
  return cake_diag_emit(wait->context, d);
}

static bool check_wait(CakeOp *wait) {
  CakeOp *pipeline = cake_op_pipeline(wait);
  bool reads = false, ok = true;
  for (uint32_t i = 1; i < wait->n_results; i++)
    reads |= wait->results[i].first_use != NULL;
  if (!pipeline || !reads) return true;
  cake_context_site(wait->context);
  for (uint32_t i = 1; i < wait->n_results; i++)
    if (!wait->results[i].first_use) ok = report(wait, pipeline, i);
  return ok;
}

bool cake_rule_part_read(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = NULL; (op = cake_next_cake_op(module, op, cake_op_cake_wait));)
    ok &= check_wait(op);
  return ok;
}
