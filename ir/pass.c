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

// Appends the elements of a list: what stands between commas, without blanks and braces or quotes around it.
static void split(CakePipeline *pipeline, CakeStr text, PassValue *out) {
  for (size_t at = 0; text.len && at <= text.len; at++) {
    size_t end = cake_pass_value_end(text, at, ',');
    CakeStr element = {text.ptr + at, end - at};
    CAKE_PUSH(&out->elements, cake_arena_str(pipeline->arena, cake_pass_unwrapped(element)));
    at = end;
  }
}

CakePass *cake_pass_create(CakePipeline *pipeline, const CakePassDef *def) {
  CakePass *pass = CAKE_ARENA_NEW(pipeline->arena, CakePass);
  pass->def = def;
  pass->values = CAKE_ARENA_ARRAY(pipeline->arena, PassValue, def->n_options + 1);
  for (size_t i = 0; i < def->n_options; i++) {
    CakeStr text = cake_str(def->options[i].default_text);
    pass->values[i] = (PassValue){0};
    if (cake_option_is_list(def->options[i].kind))
      split(pipeline, text, &pass->values[i]);
    else
      CAKE_PUSH(&pass->values[i].elements, text);
  }
  return pass;
}

void cake_pass_fini(CakePass *pass) {
  CAKE_VEC_FINI(&pass->statistics);
  for (size_t i = 0; i < pass->def->n_options; i++)
    CAKE_VEC_FINI(&pass->values[i].elements);
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

// What a text of that kind must be; NULL: it is.
static const char *fault_of(CakeOptionKind kind, CakeStr text) {
  bool flag;
  int64_t number;
  if (kind == CAKE_OPTION_BOOL && !parse_bool(text, &flag)) return "true or false";
  if (kind == CAKE_OPTION_INT && !parse_int(text, &number)) return "an integer";
  return NULL;
}

// An element of the value of an option, from `first` on, that is none.
static bool check_elements(CakePipeline *pipeline, const CakePass *pass, size_t option, size_t first, CakeLoc loc) {
  const CakePassOption *row = &pass->def->options[option];
  const PassValue *value = &pass->values[option];
  for (size_t i = first; i < value->elements.len; i++) {
    CakeStr text = value->elements.data[i];
    const char *wanted = fault_of(cake_option_element(row->kind), text);
    if (memchr(text.ptr, '"', text.len) && memchr(text.ptr, '\'', text.len))
      return cake_error_at(pipeline->context, loc, CAKE_CODE_PASS_PIPELINE,
                           "the value of an option can't hold both kinds of quotes");
    if (!wanted) continue;
    bool is_list = cake_option_is_list(row->kind);
    return cake_error_at(pipeline->context, loc, CAKE_CODE_PASS_PIPELINE,
                         "%soption '%s' of pass '%s' must be %s, not '%.*s'", is_list ? "each element of " : "",
                         row->name, pass->def->name, wanted, CAKE_STR_ARG(text));
  }
  return true;
}

bool cake_pass_set_option(CakePipeline *pipeline, CakePass *pass, CakeStr name, CakeStr text, CakeLoc loc) {
  int index = find_option(pass, name);
  if (index < 0) return unknown_option(pipeline, pass, name, loc);
  CakeOptionKind kind = pass->def->options[index].kind;
  PassValue *value = &pass->values[index];
  if (!cake_option_is_list(kind) || !value->is_set) value->elements.len = 0; // a list that is given twice is one
  size_t first = value->elements.len;
  value->is_set = true;
  if (kind == CAKE_OPTION_BOOL && text.len == 0) text = CAKE_STR("true");
  if (cake_option_is_list(kind))
    split(pipeline, text, value);
  else
    CAKE_PUSH(&value->elements, cake_arena_str(pipeline->arena, text));
  return check_elements(pipeline, pass, (size_t)index, first, loc);
}

static CakeStr element(const CakePass *pass, const char *name, size_t index) {
  int option = find_option(pass, cake_str(name));
  bool is_there = option >= 0 && index < pass->values[option].elements.len;
  return is_there ? pass->values[option].elements.data[index] : CAKE_STR("");
}

size_t cake_pass_option_count(const CakePass *pass, const char *name) {
  int option = find_option(pass, cake_str(name));
  return option < 0 ? 0 : pass->values[option].elements.len;
}

int64_t cake_pass_option_int_at(const CakePass *pass, const char *name, size_t index) {
  int64_t value = 0;
  return parse_int(element(pass, name, index), &value) ? value : 0;
}

bool cake_pass_option_bool_at(const CakePass *pass, const char *name, size_t index) {
  bool value = false;
  return parse_bool(element(pass, name, index), &value) && value;
}

CakeStr cake_pass_option_str_at(const CakePass *pass, const char *name, size_t index) {
  return element(pass, name, index);
}

int64_t cake_pass_option_int(const CakePass *pass, const char *name) {
  return cake_pass_option_int_at(pass, name, 0);
}

bool cake_pass_option_bool(const CakePass *pass, const char *name) {
  return cake_pass_option_bool_at(pass, name, 0);
}

CakeStr cake_pass_option_str(const CakePass *pass, const char *name) {
  return cake_pass_option_str_at(pass, name, 0);
}

bool cake_pass_option_lists(const CakePass *pass, const char *name, const char *element) {
  for (size_t i = 0; i < cake_pass_option_count(pass, name); i++)
    if (cake_str_is(cake_pass_option_str_at(pass, name, i), element)) return true;
  return false;
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
