// A plugin with a dataflow analysis: C, and C++ as well.
#include "cake/analysis/dataflow.h"
#include "cake/constants.h"
#include "cake/plugin.h"

enum { EVEN = 1, ODD = 2 };

static bool join(void *into, const void *from) {
  uint64_t *state = (uint64_t *)into, before = *state;
  *state |= *(const uint64_t *)from;
  return *state != before;
}

static void anything(const CakeValue *value, void *out) {
  (void)value;
  *(uint64_t *)out = EVEN | ODD;
}

static void transfer(CakeOp *op, void *operands, void *results) {
  const uint64_t *in = (const uint64_t *)operands;
  uint64_t *out = (uint64_t *)results;
  if (cake_op_is(op, "arith.constant"))
    *out = (cake_attr_int_value(cake_op_attr_text(op, "value")) & 1) != 0 ? ODD : EVEN;
  else if (cake_op_is(op, "arith.addi") && in[0] != (EVEN | ODD) && in[1] != (EVEN | ODD))
    *out = in[0] == in[1] ? EVEN : ODD;
}

static CakePassResult count(CakePassContext *pass, CakeOp *root) {
  CakeDataflowDef parity = {0};
  parity.name = "parity";
  parity.size = sizeof(uint64_t);
  parity.join = join;
  parity.anything = anything;
  parity.transfer = transfer;
  CakeDataflow *dataflow = cake_dataflow_create(&parity, root);
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    for (uint32_t i = 0; i < op->n_results; i++) {
      const uint64_t *state = (const uint64_t *)cake_dataflow_state(dataflow, cake_op_result(op, i));
      char what[32] = "even numbers"; // a name that does not outlive its use
      if (state && *state == ODD) memcpy(what, "odd numbers", sizeof "odd numbers");
      if (state && *state != (EVEN | ODD)) cake_pass_count(pass, what, 1);
      memset(what, 'x', sizeof what);
    }
  cake_dataflow_destroy(dataflow);
  return CAKE_PASS_UNCHANGED;
}

CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void);
CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void) {
  static CakePassDef passes[2];
  static CakePlugin plugin = {CAKE_PLUGIN_HEAD};
  passes[0].name = "count-parities";
  passes[0].summary = "Counts even and odd numbers.";
  passes[0].description = "";
  passes[0].run = count;
  plugin.name = "analyses";
  plugin.version = "1";
  plugin.passes = passes;
  return &plugin;
}
