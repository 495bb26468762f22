// Result types that the operands and the declarations tell.
#include "dialects/cake/cake_private.h"

#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/turns.h"

#include "cake/symbol.h"

bool cake_loop_infer(CakeInference *inference) {
  if (inference->n_operands > CAKE_COUNT(inference->types))
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_OPERANDS, "a loop carries at most %zu values",
                         CAKE_COUNT(inference->types));
  for (size_t i = 0; i < inference->n_operands; i++)
    inference->types[i] = inference->operands[i]->type;
  inference->n_types = inference->n_operands;
  return true;
}

// The slot and a view of each part.
static bool slot_infer(CakeInference *inference, CakeAttr reference, CakeSlotState state) {
  CakeId name = cake_attr_symbol_root(reference);
  CakeOp *pipeline = inference->parent ? cake_symbol_lookup_name(inference->parent, name) : NULL;
  if (!pipeline || !cake_is_cake_op(pipeline, cake_op_cake_pipeline))
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_SYMBOL,
                         "'@%.*s' is no pipeline declared before", CAKE_STR_ARG(cake_id_str(name)));
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  if (!cake_attr_is(parts, &cake_attr_def_parts) || cake_parts_count(parts) >= CAKE_COUNT(inference->types))
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_SYMBOL, "pipeline '@%.*s' has no valid parts",
                         CAKE_STR_ARG(cake_id_str(name)));
  inference->types[0] = cake_slot_get(inference->context, name, state);
  for (size_t i = 0; i < cake_parts_count(parts); i++)
    inference->types[1 + i] = cake_parts_type(parts, i);
  inference->n_types = 1 + cake_parts_count(parts);
  return true;
}

bool cake_acquire_infer(CakeInference *inference) {
  return slot_infer(inference, inference->props[CAKE_ATTR_ROW(cake, acquire, pipeline)], CAKE_SLOT_OPEN);
}

bool cake_wait_infer(CakeInference *inference) {
  return slot_infer(inference, inference->props[CAKE_ATTR_ROW(cake, wait, pipeline)], CAKE_SLOT_FULL);
}

static bool one_type(CakeInference *inference, CakeType type) {
  inference->types[0] = type;
  inference->n_types = 1;
  return true;
}

bool cake_take_infer(CakeInference *inference) {
  CakeId order = cake_attr_symbol_root(inference->props[CAKE_ATTR_ROW(cake, take, order)]);
  return one_type(inference, cake_turn_get(inference->context, order));
}

bool cake_mask_infer(CakeInference *inference) {
  return one_type(inference, inference->operands[0]->type);
}
// A fragment that wgmma goes on with is pending from there on; what does not fit is the verifier's.
bool cake_mma_infer(CakeInference *inference) {
  CakeType acc = inference->operands[0]->type, pending = cake_pending_of(acc);
  return one_type(inference, pending ? pending : acc);
}

bool cake_best_infer(CakeInference *inference) {
  return one_type(inference, inference->operands[inference->n_operands - 1]->type);
}

bool cake_settle_infer(CakeInference *inference) {
  CakeType type = inference->operands[0]->type;
  if (!cake_type_is(type, &cake_type_def_best))
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_OPERANDS,
                         "'cake.settle' op operand #0 must be %s, but got '%s'", cake_is_best.name,
                         cake_type_text(type));
  CakeBest best = cake_best_of(type);
  inference->types[0] = cake_fragment_get(best.element, best.rows, 1, CAKE_FORM_ROW, best.form);
  inference->types[1] = cake_fragment_get(cake_type_i32(inference->context), best.rows, 1, CAKE_FORM_ROW, best.form);
  inference->n_types = 2;
  return true;
}
