// Diagnostics: severity, stable code, location, text, notes at other places, and an optional fix.
//
// Library functions never print: they report to the context's handler. `return cake_error(…)` reports and is false.
#ifndef CAKE_DIAGNOSTIC_H
#define CAKE_DIAGNOSTIC_H

#include "cake/location.h"

CAKE_BEGIN_C

typedef struct CakeOp CakeOp;

typedef enum CakeSeverity { CAKE_ERROR, CAKE_WARNING, CAKE_REMARK, CAKE_NOTE } CakeSeverity;

// Stable codes: one row each in cake/codes.def.
typedef enum CakeCode {
#define CODE(name, summary) CAKE_CODE_##name,
#include "cake/codes.def"
#undef CODE
  CAKE_CODE_COUNT
} CakeCode;

const char *cake_code_name(CakeCode code);    // "TOKEN_NOT_RELEASED"
const char *cake_code_summary(CakeCode code); // one sentence
// The code of that name; CAKE_CODE_COUNT when there is none.
CakeCode cake_code_find(CakeStr name);

typedef struct CakeDiagnostic CakeDiagnostic;
struct CakeDiagnostic {
  CakeSeverity severity;
  CakeCode code;
  CakeLoc loc;
  CakeStr message;
  CakeDiagnostic *first_note; // notes in order, linked by `next`
  CakeDiagnostic *next;
  CakeStr fix; // "" or words that say what to do
  struct CakeEdit *first_edit; // changes of the source that do it (cake/edit.h); NULL: none
};

typedef void (*CakeDiagnosticFn)(void *user, const CakeDiagnostic *diagnostic);
// NULL restores the default: diagnostics are counted and dropped. The old handler comes back through `out_*` (may be NULL).
void cake_context_set_handler(CakeContext *context, CakeDiagnosticFn handler, void *user, CakeDiagnosticFn *out_handler, void **out_user);
// Whether what `cake_error` says of an op has a note that shows the op (default: no).
void cake_context_show_ops(CakeContext *context, bool show);
// How many errors were reported in this context so far.
size_t cake_context_error_count(const CakeContext *context);

// Building one: begin, add notes and a fix, emit. Emit returns false, so that `return cake_diag_emit(d)` reports and fails.
CakeDiagnostic *cake_diag_begin(CakeContext *context, CakeSeverity severity, CakeLoc loc, CakeCode code, const char *format, ...) CAKE_PRINTF(5, 6);
void cake_diag_note(CakeContext *context, CakeDiagnostic *diagnostic, CakeLoc loc, const char *format, ...) CAKE_PRINTF(4, 5);
void cake_diag_fix(CakeContext *context, CakeDiagnostic *diagnostic, const char *format, ...) CAKE_PRINTF(3, 4);
bool cake_diag_emit(CakeContext *context, CakeDiagnostic *diagnostic);

// One-liners. All return false. `cake_error`'s text is prefixed "'name' op " as in MLIR.
bool cake_error(CakeOp *op, CakeCode code, const char *format, ...) CAKE_PRINTF(3, 4);
bool cake_error_at(CakeContext *context, CakeLoc loc, CakeCode code, const char *format, ...) CAKE_PRINTF(4, 5);
CakeDiagnostic *cake_error_begin(CakeOp *op, CakeCode code, const char *format, ...) CAKE_PRINTF(3, 4);

// ---- Source text, for carets ---------------------------------------------------------------------------------------

// Remembers a file's text (not copied; must outlive its use by `cake_diag_print`).
void cake_context_add_source(CakeContext *context, CakeId file, CakeStr text);
CakeStr cake_context_find_source(const CakeContext *context, CakeStr file); // {NULL, 0} when unknown
// file:line:col: error: text [CODE], source line, caret, notes, fix: the form for people.
void cake_diag_print(const CakeContext *context, const CakeDiagnostic *diagnostic, CakeBuf *out);
// One JSON object.
void cake_diag_json(const CakeContext *context, const CakeDiagnostic *diagnostic, CakeJson *json);

CAKE_END_C
#endif
