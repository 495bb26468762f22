// cake-instantiate: gives the template parameters of kernels their values.
#include "passes/passes.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/kernel.h"

enum { MAX_PARAMS = 64 };

typedef struct Params {
  CakeParamValue values[MAX_PARAMS];
  bool is_used[MAX_PARAMS];
  size_t count;
} Params;

static bool report(CakeOp *op, CakeStr text) {
  return cake_error(op, CAKE_CODE_PASS_PIPELINE, "'params' must be a list NAME=INTEGER,…, but holds '%.*s'",
                    CAKE_STR_ARG(text));
}

// Decimal, with an optional minus, at most 18 digits.
static bool read_integer(CakeStr text, int64_t *out) {
  bool is_negative = text.len > 0 && text.ptr[0] == '-';
  size_t start = is_negative ? 1 : 0;
  if (text.len <= start || text.len > start + 18) return false;
  int64_t number = 0;
  for (size_t i = start; i < text.len; i++) {
    if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
    number = number * 10 + (text.ptr[i] - '0');
  }
  *out = is_negative ? -number : number;
  return true;
}

static size_t find_char(CakeStr text, char c) {
  size_t i = 0;
  while (i < text.len && text.ptr[i] != c)
    i++;
  return i;
}

static bool read_params(CakeOp *op, CakeStr text, Params *out) {
  while (text.len > 0) {
    size_t end = find_char(text, ',');
    CakeStr entry = {text.ptr, end};
    size_t equal = find_char(entry, '=');
    if (equal == 0 || equal >= entry.len || out->count == MAX_PARAMS) return report(op, entry);
    CakeParamValue *value = &out->values[out->count++];
    value->name = (CakeStr){entry.ptr, equal};
    if (!read_integer((CakeStr){entry.ptr + equal + 1, entry.len - equal - 1}, &value->value)) return report(op, entry);
    text = end < text.len ? (CakeStr){text.ptr + end + 1, text.len - end - 1} : (CakeStr){text.ptr, 0};
  }
  return true;
}

// The values whose names are parameters of this kernel.
static size_t params_of(const CakeOp *kernel, Params *params, CakeParamValue *out) {
  size_t count = 0;
  for (size_t i = 0; i < params->count; i++) {
    CakeOp *param = cake_symbol_lookup_in(kernel, cake_id(kernel->context, params->values[i].name));
    if (!param || !cake_is_cake_op(param, cake_op_cake_param)) continue;
    params->is_used[i] = true;
    out[count++] = params->values[i];
  }
  return count;
}

static bool check_used(CakeOp *module, const Params *params) {
  for (size_t i = 0; i < params->count; i++)
    if (!params->is_used[i])
      return cake_error(module, CAKE_CODE_PARAM_CHOICE, "has no kernel with a parameter '%.*s'",
                        CAKE_STR_ARG(params->values[i].name));
  return true;
}

CakePassResult cake_pass_cake_instantiate(CakePassContext *pass, CakeOp *op) {
  Params params = {.count = 0};
  if (!read_params(op, cake_pass_option_str(pass->pass, "params"), &params)) return CAKE_PASS_FAILED;
  CakePassResult result = CAKE_PASS_UNCHANGED;
  for (CakeOp *kernel = cake_module_body(op)->first; kernel; kernel = kernel->next) {
    if (!cake_is_cake_op(kernel, cake_op_cake_kernel)) continue;
    uint64_t before = pass->rewriter.changes;
    CakeParamValue values[MAX_PARAMS];
    size_t count = params_of(kernel, &params, values);
    if (!cake_kernel_instantiate(&pass->rewriter, kernel, values, count)) return CAKE_PASS_FAILED;
    if (pass->rewriter.changes == before) continue;
    cake_pass_count(pass, "kernels instantiated", 1);
    result = CAKE_PASS_CHANGED;
  }
  return check_used(op, &params) ? result : CAKE_PASS_FAILED;
}
