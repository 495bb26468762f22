// What the parts of an op that was read quickly (quick.h) leave open: its types by the rules of asm_resolve.c, and its segments.
#include "quick.h"

// Whether every value has the type that it is said to have; see asm_resolve.c.
static bool check_types(const CakeQuick *quick, CakeType given_result) {
  unsigned traits = quick->info->def->traits;
  CakeType common = traits & CAKE_TRAIT_SAME_TYPE ? given_result : NULL;
  bool is_common = (traits & (CAKE_TRAIT_SAME_TYPE | CAKE_TRAIT_SAME_OPERANDS)) != 0;
  for (uint32_t i = 0; is_common && !common && i < quick->n_values; i++)
    common = quick->given[i];
  if (is_common && !common && quick->n_values) common = quick->values[0]->type;
  for (uint32_t i = 0; i < quick->n_values; i++) {
    CakeType type = quick->given[i] ? quick->given[i] : common;
    if (!type) type = quick->format->operand_types[quick->groups[i]];
    if (type && type != quick->values[i]->type) return false;
  }
  return true;
}

static void count_sizes(const CakeQuick *quick, int32_t *sizes) {
  for (uint32_t i = 0; i < quick->info->def->n_operands; i++)
    sizes[i] = 0;
  for (uint32_t i = 0; i < quick->n_values; i++)
    sizes[quick->groups[i]]++;
}

static void set_segments(CakeQuick *quick, const int32_t *sizes) {
  const CakeOpDef *def = quick->info->def;
  CakeQuickForm *form = quick->form;
  bool is_known = form->segments != NULL;
  for (uint32_t i = 0; i < def->n_operands; i++)
    is_known &= form->sizes[i] == sizes[i];
  if (!is_known) {
    int64_t words[CAKE_QUICK_ROWS];
    for (uint32_t i = 0; i < def->n_operands; i++)
      words[i] = form->sizes[i] = sizes[i];
    form->segments = cake_attr_dense_array(cake_type_i32(quick->parser->context), words, def->n_operands);
  }
  quick->props[def->n_attrs] = form->segments;
}

static CakeQuickResult infer_results(CakeQuick *quick, const int32_t *sizes) {
  CakeInference inference;
  cake_inference_begin(&inference);
  inference.context = quick->parser->context;
  inference.loc = quick->loc;
  inference.info = quick->info;
  inference.operands = quick->values;
  inference.n_operands = quick->n_values;
  inference.group_sizes = sizes;
  inference.props = quick->props;
  inference.parent = cake_block_parent(quick->parser->block);
  if (!quick->info->def->infer(&inference)) return CAKE_QUICK_FAILED;
  if (inference.n_types > CAKE_COUNT(inference.types) || inference.n_types > CAKE_QUICK_VALUES) return CAKE_QUICK_NOT;
  quick->n_types = (uint32_t)inference.n_types;
  memcpy(quick->types, inference.types, inference.n_types * sizeof(CakeType));
  return CAKE_QUICK_DONE;
}

// The types of single results, one a row, from what the text gives.
static bool fill_results(CakeQuick *quick, CakeType given) {
  const CakeOpDef *def = quick->info->def;
  CakeType common = given ? given : quick->n_values ? quick->values[0]->type : NULL;
  uint32_t count = 0;
  for (uint32_t row = 0; row < def->n_results; row++) {
    CakeType type = quick->types[row];
    if (def->results[row].arity != CAKE_SINGLE) continue;
    if (!type && def->traits & CAKE_TRAIT_SAME_TYPE) type = common;
    if (!type) type = quick->format->result_types[row];
    if (!type) return false;
    quick->types[count++] = type;
  }
  quick->n_types = count;
  return true;
}

// Of an op whose values have one type all, which the text gives for its one result: whether it is theirs.
static bool has_one_type(const CakeQuick *quick) {
  bool is_one = true;
  for (uint32_t i = 0; i < quick->n_values; i++)
    is_one &= quick->values[i]->type == quick->types[0] && !quick->given[i];
  return is_one;
}

CakeQuickResult cake_quick_settle(CakeQuick *quick) {
  const CakeOpDef *def = quick->info->def;
  if (quick->form->has_one_type && !quick->is_functional && quick->types[0] && has_one_type(quick)) {
    quick->n_types = 1;
    return CAKE_QUICK_DONE;
  }
  int32_t sizes[CAKE_QUICK_ROWS];
  CakeType given = NULL;
  for (uint32_t i = 0; !given && i < (quick->is_functional ? quick->n_types : def->n_results); i++)
    given = quick->types[i];
  if (!check_types(quick, given)) return CAKE_QUICK_NOT;
  bool infers = def->infer && def->n_results && !given, has_segments = def->traits & CAKE_TRAIT_SEGMENTS;
  if (infers || has_segments) count_sizes(quick, sizes);
  if (has_segments) set_segments(quick, sizes);
  if (infers) return infer_results(quick, sizes);
  return (quick->is_functional && given) || fill_results(quick, given) ? CAKE_QUICK_DONE : CAKE_QUICK_NOT;
}
