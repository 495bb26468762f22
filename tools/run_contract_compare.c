// Comparing an output with what its contract says.
#include "tools/run_contract_parts.h"

#include <float.h>
#include <math.h>

static bool is_float(const CakeRunElement *element) {
  return element->narrow || element->npy == CAKE_NPY_F4 || element->npy == CAKE_NPY_F8;
}

// ---- Numbers ---------------------------------------------------------------------------------------------------------

ContractFormat contract_format_of(const CakeRunElement *element) {
  const CakeFloatFormat *format = element->narrow;
  if (!is_float(element)) return (ContractFormat){0, 0.5, INFINITY};
  if (!format && element->npy == CAKE_NPY_F8) return (ContractFormat){0x1p-53, 0x1p-1074, DBL_MAX};
  if (!format) return (ContractFormat){0x1p-24, 0x1p-150, (double)FLT_MAX};
  double smallest = ldexp(1, 1 - format->bias - format->fraction_bits);
  return (ContractFormat){ldexp(1, -format->fraction_bits - 1), smallest / 2,
                          cake_format_decode(format, cake_format_largest(format))};
}

static double tolerance_of(const ContractDefinition *definition, const CakeRunElement *element, ContractValue value) {
  if (definition->has_tolerance) return definition->absolute + definition->relative * fabs(value.value);
  ContractFormat format = contract_format_of(element);
  bool is_integer = !is_float(element);
  if (is_integer && value.error == 0) return 0;
  double most = fabs(value.value) + value.error, tolerance = value.error + format.half_unit * most;
  if (value.error > 0 || (double)(float)value.value != value.value || most < format.half_denormal * 4 ||
      element->narrow)
    tolerance += format.half_denormal;
  return most > format.largest ? INFINITY : tolerance;
}

static void judge_number(const ContractTables *tables, size_t which, const CakeRunArray *array, size_t flat,
                         ContractVerdict *out) {
  const ContractDefinition *definition = &tables->contract->definitions.data[which];
  ContractValue value = *contract_reference(tables, which, flat);
  double found = cake_run_fetch(array, flat), tolerance = tolerance_of(definition, array->element, value);
  bool is_right;
  if (isfinite(value.value)) {
    is_right = fabs(found - value.value) <= tolerance;
    if (isinf(tolerance) || isinf(value.error)) {
      out->undecided++;
      return;
    }
    out->largest = fmax(out->largest, fabs(value.value));
    out->smallest_tolerance = fmin(out->smallest_tolerance, tolerance);
    if (tolerance > 0 && is_right) out->worst = fmax(out->worst, fabs(found - value.value) / tolerance);
  } else if (value.error > 0) {
    out->undecided++;
    return;
  } else {
    is_right = isnan(value.value) ? isnan(found) : found == value.value;
  }
  out->compared++;
  if (!is_right && out->wrong++ == 0) out->first_wrong = flat;
}

// ---- Places ----------------------------------------------------------------------------------------------------------

// Whether index `label` may win: none that comes before is surely as good, and none behind is surely better. NaN never wins.
static bool may_win(const ContractValue *terms, int64_t count, int64_t label, double sign) {
  if (label < 0 || label >= count || isnan(terms[label].value)) return false;
  double most = sign * terms[label].value + terms[label].error;
  for (int64_t i = 0; i < count; i++) {
    double least = sign * terms[i].value - terms[i].error;
    if (i == label || isnan(terms[i].value)) continue;
    if (least > most || (i < label && least == most)) return false;
  }
  return true;
}

static bool any_is_certain(const ContractValue *terms, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!isnan(terms[i].value) && !isinf(terms[i].error)) return true;
  return false;
}

static void judge_place(const ContractTables *tables, size_t which, const CakeRunArray *array, size_t flat,
                        ContractVerdict *out) {
  const ContractDefinition *definition = &tables->contract->definitions.data[which];
  const ContractValue *terms = contract_reference(tables, which, flat);
  int64_t count = (int64_t)contract_terms(definition);
  double sign = definition->root->kind == CONTRACT_ARGMAX ? 1 : -1;
  if (!any_is_certain(terms, count)) {
    out->undecided++;
    return;
  }
  double found = cake_run_fetch(array, flat);
  int64_t label = found >= 0 && found < (double)count ? (int64_t)found : -1;
  out->compared++;
  out->largest = 1;
  out->smallest_tolerance = 0;
  if (!may_win(terms, count, label, sign) && out->wrong++ == 0) out->first_wrong = flat;
}

ContractVerdict contract_compare(const ContractTables *tables, size_t which, const CakeRunArray *array) {
  ContractVerdict verdict = {.smallest_tolerance = INFINITY};
  bool is_place = contract_is_place(&tables->contract->definitions.data[which]);
  for (size_t i = 0; i < array->count; i++)
    if (is_place)
      judge_place(tables, which, array, i, &verdict);
    else
      judge_number(tables, which, array, i, &verdict);
  return verdict;
}

// ---- References and words --------------------------------------------------------------------------------------------

static int64_t best_place(const ContractTables *tables, size_t which, size_t flat) {
  const ContractDefinition *definition = &tables->contract->definitions.data[which];
  const ContractValue *terms = contract_reference(tables, which, flat);
  double sign = definition->root->kind == CONTRACT_ARGMAX ? 1 : -1;
  int64_t best = -1, count = (int64_t)contract_terms(definition);
  for (int64_t i = 0; i < count; i++)
    if (!isnan(terms[i].value) && (best < 0 || sign * terms[i].value > sign * terms[best].value)) best = i;
  return best;
}

void contract_fill_output(const ContractTables *tables, size_t which, CakeRunArray *array) {
  bool is_place = contract_is_place(&tables->contract->definitions.data[which]);
  for (size_t i = 0; i < array->count; i++)
    cake_run_store(array, i,
                   is_place ? (double)best_place(tables, which, i) : contract_reference(tables, which, i)->value);
}

void contract_describe(const ContractTables *tables, size_t which, const CakeRunArray *array, size_t flat,
                       CakeBuf *out) {
  const ContractDefinition *definition = &tables->contract->definitions.data[which];
  int64_t indices[CONTRACT_RANK];
  double found = cake_run_fetch(array, flat);
  const ContractValue *terms = contract_reference(tables, which, flat);
  contract_place(definition, flat, indices);
  cake_buf_printf(out, "%.*s[", CAKE_STR_ARG(definition->name));
  for (size_t d = 0; d < definition->n_own; d++)
    cake_buf_printf(out, "%s%lld", d ? ", " : "", (long long)indices[d]);
  cake_buf_printf(out, "] is %.9g", found);
  if (contract_is_place(definition)) {
    int64_t place = best_place(tables, which, flat);
    cake_buf_printf(out, ", and the contract says %lld", (long long)place);
    if (place >= 0) cake_buf_printf(out, ", where the value is %.9g", terms[place].value);
    if (found >= 0 && found < (double)contract_terms(definition))
      cake_buf_printf(out, " and not %.9g", terms[(size_t)found].value);
    return;
  }
  ContractValue value = *terms;
  cake_buf_printf(out, ", and the contract says %.9g", value.value);
  if (isfinite(value.value)) cake_buf_printf(out, " +- %.3g", tolerance_of(definition, array->element, value));
}
