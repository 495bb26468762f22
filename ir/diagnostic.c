// Diagnostics: building and emitting them. How they look is in diagnostic_print.c.
#include "cake/text.h"
#include "core.h"

static const struct {
  const char *name, *summary;
} codes[] = {
#define CODE(name, summary) {#name, summary},
#include "cake/codes.def"
#undef CODE
};

const char *cake_code_name(CakeCode code) {
  return (unsigned)code < CAKE_CODE_COUNT ? codes[code].name : "?";
}

const char *cake_code_summary(CakeCode code) {
  return (unsigned)code < CAKE_CODE_COUNT ? codes[code].summary : "";
}

CakeCode cake_code_find(CakeStr name) {
  unsigned code = 0;
  while (code < CAKE_CODE_COUNT && !cake_str_is(name, codes[code].name))
    code++;
  return (CakeCode)code;
}

void cake_context_set_handler(CakeContext *context, CakeDiagnosticFn handler, void *user, CakeDiagnosticFn *out_handler,
                              void **out_user) {
  if (out_handler) *out_handler = context->handler;
  if (out_user) *out_user = context->handler_user;
  context->handler = handler;
  context->handler_user = user;
}

void cake_context_show_ops(CakeContext *context, bool show) {
  context->shows_ops = show;
}

size_t cake_context_error_count(const CakeContext *context) {
  return context->n_errors;
}

// ---- Building ------------------------------------------------------------------------------------------------------

// `prefix` goes before the text.
static CakeStr message(CakeContext *context, const char *prefix, CakeStr name, const char *format, va_list args) {
  CakeBuf buf = {0};
  if (prefix) cake_buf_printf(&buf, prefix, CAKE_STR_ARG(name));
  cake_buf_vprintf(&buf, format, args);
  CakeStr copy = cake_arena_str(context->diagnostics, cake_buf_view(&buf));
  cake_buf_fini(&buf);
  return copy;
}

static CakeDiagnostic *begin(CakeContext *context, CakeSeverity severity, CakeLoc loc, CakeCode code, CakeStr text) {
  CakeDiagnostic *diagnostic = CAKE_ARENA_NEW(context->diagnostics, CakeDiagnostic);
  diagnostic->severity = severity;
  diagnostic->code = code;
  diagnostic->loc = loc;
  diagnostic->message = text;
  diagnostic->fix = CAKE_STR("");
  context->n_open_diagnostics++;
  return diagnostic;
}

CakeDiagnostic *cake_diag_begin(CakeContext *context, CakeSeverity severity, CakeLoc loc, CakeCode code,
                                const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeStr text = message(context, NULL, CAKE_STR(""), format, args);
  va_end(args);
  return begin(context, severity, loc, code, text);
}

void cake_diag_note(CakeContext *context, CakeDiagnostic *diagnostic, CakeLoc loc, const char *format, ...) {
  CakeDiagnostic *note = CAKE_ARENA_NEW(context->diagnostics, CakeDiagnostic);
  note->severity = CAKE_NOTE;
  note->code = diagnostic->code;
  note->loc = loc;
  note->fix = CAKE_STR("");
  va_list args;
  va_start(args, format);
  note->message = message(context, NULL, CAKE_STR(""), format, args);
  va_end(args);
  CakeDiagnostic **end = &diagnostic->first_note;
  while (*end)
    end = &(*end)->next;
  *end = note;
}

void cake_diag_fix(CakeContext *context, CakeDiagnostic *diagnostic, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diagnostic->fix = message(context, NULL, CAKE_STR(""), format, args);
  va_end(args);
}

bool cake_diag_emit(CakeContext *context, CakeDiagnostic *diagnostic) {
  if (diagnostic->severity == CAKE_ERROR) context->n_errors++;
  if (context->handler) context->handler(context->handler_user, diagnostic);
  if (--context->n_open_diagnostics == 0) cake_arena_reset(context->diagnostics);
  return false;
}

// An error of an op, with the op itself where that is wanted.
static CakeDiagnostic *begin_of_op(CakeOp *op, CakeCode code, CakeStr text) {
  CakeDiagnostic *diagnostic = begin(op->context, CAKE_ERROR, op->loc, code, text);
  if (!op->context->shows_ops) return diagnostic;
  CakeBuf shown = {0};
  cake_print_op(op, &(CakePrintOptions){.generic = true, .local_scope = true}, &shown);
  while (shown.len && shown.data[shown.len - 1] == '\n')
    shown.len--;
  cake_diag_note(op->context, diagnostic, op->loc, "see current operation: %.*s", (int)shown.len, shown.data);
  cake_buf_fini(&shown);
  return diagnostic;
}

// ---- One-liners ----------------------------------------------------------------------------------------------------

bool cake_error(CakeOp *op, CakeCode code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeStr text = message(op->context, "'%.*s' op ", cake_op_name(op), format, args);
  va_end(args);
  return cake_diag_emit(op->context, begin_of_op(op, code, text));
}

CakeDiagnostic *cake_error_begin(CakeOp *op, CakeCode code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeStr text = message(op->context, "'%.*s' op ", cake_op_name(op), format, args);
  va_end(args);
  return begin_of_op(op, code, text);
}

bool cake_error_at(CakeContext *context, CakeLoc loc, CakeCode code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeStr text = message(context, NULL, CAKE_STR(""), format, args);
  va_end(args);
  return cake_diag_emit(context, begin(context, CAKE_ERROR, loc, code, text));
}
