// Targets: which a kernel is written for, and on which devices their code runs.
#include "tools/tool.h"

bool cake_target_parse(CakeStr name, int *out_sm, char *out_suffix) {
  if (!cake_str_starts_with(name, "sm_")) return false;
  size_t at = 3;
  int sm = 0;
  for (; at < name.len && at < 6 && name.ptr[at] >= '0' && name.ptr[at] <= '9'; at++)
    sm = sm * 10 + (name.ptr[at] - '0');
  char suffix = at + 1 == name.len ? name.ptr[at] : '\0';
  if (at < 5 || (at != name.len && suffix != 'a' && suffix != 'f')) return false;
  *out_sm = sm;
  *out_suffix = suffix;
  return true;
}

// 'a': that device alone; 'f': its family from it on; else every later device.
bool cake_target_runs_on(CakeStr target, int sm) {
  int own;
  char suffix;
  if (!cake_target_parse(target, &own, &suffix)) return false;
  if (suffix == 'a') return own == sm;
  if (suffix == 'f') return own <= sm && own / 10 == sm / 10;
  return own <= sm;
}

CakeStr cake_kernel_target_for(const CakeOp *kernel, int sm) {
  CakeAttr targets = cake_op_attr_text(kernel, "target");
  CakeStr best = {0};
  int best_sm = 0;
  char best_suffix = '\0';
  for (size_t i = 0; i < cake_attr_count(targets); i++) {
    CakeStr target = cake_attr_string_value(cake_attr_element(targets, i));
    int own;
    char suffix;
    if (!cake_target_runs_on(target, sm) || !cake_target_parse(target, &own, &suffix)) continue;
    if (best.ptr && (own < best_sm || (own == best_sm && (best_suffix == 'a' || suffix == '\0')))) continue;
    best = target;
    best_sm = own;
    best_suffix = suffix;
  }
  return best;
}

bool cake_kernel_check_target(CakeOp *kernel, const char *target) {
  CakeAttr targets = cake_op_attr_text(kernel, "target");
  CakeBuf names = {0};
  bool is_found = false;
  for (size_t i = 0; i < cake_attr_count(targets); i++) {
    CakeStr name = cake_attr_string_value(cake_attr_element(targets, i));
    is_found = is_found || cake_str_is(name, target);
    cake_buf_printf(&names, "%s%.*s", i ? ", " : "", CAKE_STR_ARG(name));
  }
  if (!is_found) {
    (void)cake_error(kernel, CAKE_CODE_FORM_TARGET, "is not written for %s; its targets are: %s", target,
                     names.data ? names.data : "none");
  }
  cake_buf_fini(&names);
  return is_found;
}
