// Passes of a pipeline: their options, statistics and remarks.
#include "pass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const CakePassDef *cake_pass_find(const CakePassRegistry *registry, CakeStr name) {
  for (size_t i = 0; i < registry->n_tables; i++)
    for (const CakePassDef *def = registry->tables[i]; def->name; def++)
      if (cake_str_is(name, def->name)) return def;
  return NULL;
}

CakePass *cake_pass_create(CakePipeline *pipeline, const CakePassDef *def) {
  CakePass *pass = CAKE_ARENA_NEW(pipeline->arena, CakePass);
  pass->def = def;
  pass->values = CAKE_ARENA_ARRAY(pipeline->arena, CakeStr, def->n_options + 1);
  for (size_t i = 0; i < def->n_options; i++)
    pass->values[i] = cake_str(def->options[i].default_text);
  return pass;
}

const CakePassDef *cake_pass_def(const CakePass *pass) {
  return pass->def;
}

// ---- Options -------------------------------------------------------------------------------------------------------

static int find_option(const CakePass *pass, CakeStr name) {
  for (size_t i = 0; i < pass->def->n_options; i++)
    if (cake_str_is(name, pass->def->options[i].name)) return (int)i;
  return -1;
}

static bool parse_bool(CakeStr text, bool *out) {
  *out = cake_str_is(text, "true") || cake_str_is(text, "1");
  return *out || cake_str_is(text, "false") || cake_str_is(text, "0");
}

static bool parse_int(CakeStr text, int64_t *out) {
  char digits[32], *end;
  if (text.len == 0 || text.len >= sizeof digits) return false;
  memcpy(digits, text.ptr, text.len);
  digits[text.len] = '\0';
  errno = 0;
  *out = strtoll(digits, &end, 0);
  return *end == '\0' && errno == 0 && digits[0] != ' ';
}

static bool unknown_option(CakePipeline *pipeline, const CakePass *pass, CakeStr name, CakeLoc loc) {
  CakeDiagnostic *d = cake_diag_begin(pipeline->context, CAKE_ERROR, loc, CAKE_CODE_PASS_PIPELINE,
                                      "pass '%s' has no option '%.*s'", pass->def->name, CAKE_STR_ARG(name));
  CakeBuf names = {0};
  for (size_t i = 0; i < pass->def->n_options; i++)
    cake_buf_printf(&names, "%s%s", i ? ", " : "", pass->def->options[i].name);
  if (names.len)
    cake_diag_fix(pipeline->context, d, "its options are: %s", names.data);
  else
    cake_diag_fix(pipeline->context, d, "it has no options");
  cake_buf_fini(&names);
  return cake_diag_emit(pipeline->context, d);
}

bool cake_pass_set_option(CakePipeline *pipeline, CakePass *pass, CakeStr name, CakeStr value, CakeLoc loc) {
  int index = find_option(pass, name);
  bool flag;
  int64_t number;
  if (index < 0) return unknown_option(pipeline, pass, name, loc);
  CakeOptionKind kind = pass->def->options[index].kind;
  if (kind == CAKE_OPTION_BOOL && value.len == 0) value = CAKE_STR("true");
  if (kind == CAKE_OPTION_BOOL && !parse_bool(value, &flag))
    return cake_error_at(pipeline->context, loc, CAKE_CODE_PASS_PIPELINE,
                         "option '%.*s' of pass '%s' must be true or false, not '%.*s'", CAKE_STR_ARG(name),
                         pass->def->name, CAKE_STR_ARG(value));
  if (kind == CAKE_OPTION_INT && !parse_int(value, &number))
    return cake_error_at(pipeline->context, loc, CAKE_CODE_PASS_PIPELINE,
                         "option '%.*s' of pass '%s' must be an integer, not '%.*s'", CAKE_STR_ARG(name),
                         pass->def->name, CAKE_STR_ARG(value));
  pass->values[index] = cake_arena_str(pipeline->arena, value);
  return true;
}

static CakeStr option(const CakePass *pass, const char *name) {
  int index = find_option(pass, cake_str(name));
  return index < 0 ? CAKE_STR("") : pass->values[index];
}

int64_t cake_pass_option_int(const CakePass *pass, const char *name) {
  int64_t value = 0;
  return parse_int(option(pass, name), &value) ? value : 0;
}

bool cake_pass_option_bool(const CakePass *pass, const char *name) {
  bool value = false;
  return parse_bool(option(pass, name), &value) && value;
}

CakeStr cake_pass_option_str(const CakePass *pass, const char *name) {
  return option(pass, name);
}

// ---- Statistics and remarks ----------------------------------------------------------------------------------------

void cake_pass_count(CakePassContext *context, const char *what, int64_t amount) {
  CakePass *pass = (CakePass *)(uintptr_t)context->pass; // the manager's own, seen as constant by passes
  for (size_t i = 0; i < pass->statistics.len; i++) {
    if (!cake_str_is(pass->statistics.data[i].name, what)) continue;
    pass->statistics.data[i].value += amount;
    return;
  }
  CakeStr name = cake_arena_str(cake_context_arena(context->context), cake_str(what));
  CAKE_PUSH(&pass->statistics, (PassStatistic){name, amount});
}

void cake_pass_remark_at(CakePassContext *pass, CakeLoc loc, CakeStr text) {
  cake_diag_emit(pass->context, cake_diag_begin(pass->context, CAKE_REMARK, loc, CAKE_CODE_PASS_REMARK, "%s: %.*s",
                                                pass->pass->def->name, CAKE_STR_ARG(text)));
}

void cake_pass_remark(CakePassContext *pass, CakeOp *op, const char *format, ...) {
  CakeBuf text = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&text, format, args);
  va_end(args);
  cake_pass_remark_at(pass, op->loc, cake_buf_view(&text));
  cake_buf_fini(&text);
}
