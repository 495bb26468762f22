// cake-instantiate: gives the template parameters of kernels their values.
#include "passes/passes.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/kernel.h"

#include <string.h>

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

// NAME=INTEGER
static bool read_param(CakeStr text, CakeParamValue *out) {
  const char *equal = text.len ? memchr(text.ptr, '=', text.len) : NULL;
  if (!equal || equal == text.ptr) return false;
  out->name = (CakeStr){text.ptr, (size_t)(equal - text.ptr)};
  return read_integer((CakeStr){equal + 1, text.len - out->name.len - 1}, &out->value);
}

static bool read_params(CakeOp *op, const CakePass *pass, Params *out) {
  for (size_t i = 0; i < cake_pass_option_count(pass, "params"); i++) {
    CakeStr text = cake_pass_option_str_at(pass, "params", i);
    if (i == MAX_PARAMS || !read_param(text, &out->values[out->count++])) return report(op, text);
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
  if (!read_params(op, pass->pass, &params)) return CAKE_PASS_FAILED;
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
