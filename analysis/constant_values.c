// Which values are constants, by the folders of their ops.
#include "analysis/constant_values.h"

#include "cake/constants.h"

// An attribute, or VARIES.
typedef uintptr_t State;
enum { VARIES = 1 };

static bool join(void *into, const void *from) {
  State *state = into;
  if (*state == *(const State *)from || *state == VARIES) return false;
  *state = VARIES;
  return true;
}

static void anything(const CakeValue *value, void *out) {
  (void)value;
  *(State *)out = VARIES;
}

static CakeAttr constant(const void *state, CakeType type) {
  (void)type;
  return *(const State *)state == VARIES ? NULL : (CakeAttr) * (const State *)state;
}

// A folder may answer with an operand; with another value, which this op is not told of when it changes, nothing is known.
static CakeAttr folded(const CakeFold *fold, const CakeOp *op, uint32_t i) {
  if (!fold->values[i]) return fold->attrs[i];
  for (uint32_t k = 0; k < op->n_operands; k++)
    if (cake_op_operand(op, k) == fold->values[i]) return fold->operands[k];
  return NULL;
}

static void transfer(CakeOp *op, void *operands, void *results) {
  const CakeOpDef *def = op->info->def;
  State *states = operands, *out = results;
  CakeFold fold = {0};
  if ((def->traits & CAKE_TRAIT_CONSTANT) && op->n_results == 1) {
    out[0] = (State)cake_value_constant(&op->results[0]);
    return;
  }
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (states[i] == VARIES) states[i] = 0; // NULL, as folders want it
  fold.operands = operands;
  if (!def->fold || op->n_results > CAKE_COUNT(fold.values) || !def->fold(op, &fold)) return;
  for (uint32_t i = 0; i < op->n_results; i++)
    out[i] = (State)folded(&fold, op, i);
}

const CakeDataflowDef cake_constant_values = {"constant values", sizeof(State), join, anything,
                                              transfer,          constant,      NULL};
