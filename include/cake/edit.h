// Fixes of diagnostics as changes of the source text.
//
// A rule says which op is to be inserted, deleted or moved, or what is to be written otherwise in it; where that is in the text is found when
// somebody asks. Ops that are inserted, deleted or moved stand on lines of their own. The text around, comments included, stays as it is.
#ifndef CAKE_EDIT_H
#define CAKE_EDIT_H

#include "cake/op.h"

CAKE_BEGIN_C

typedef enum CakeEditKind {
  CAKE_EDIT_INSERT_BEFORE, // `text` in front of the op, on a line of its own
  CAKE_EDIT_INSERT_BEHIND,
  CAKE_EDIT_DELETE,        // the op's lines
  CAKE_EDIT_MOVE_BEFORE,   // the op's lines in front of `other`
  CAKE_EDIT_MOVE_BEHIND,
  CAKE_EDIT_SUBSTITUTE,    // `text` for the first tokens in the op's text that are spelled `old`
} CakeEditKind;

typedef struct CakeEdit CakeEdit;
struct CakeEdit {
  CakeEditKind kind;
  CakeLoc op, other; // where the ops' names stand: their `loc`
  CakeStr text, old;
  CakeEdit *next;
};

// Adds an edit to a diagnostic. All edits of a diagnostic together do what its fix says.
void cake_diag_insert(CakeDiagnostic *diagnostic, CakeEditKind kind, const CakeOp *op, const char *format, ...) CAKE_PRINTF(4, 5);
// In the op's own text, wherever that stands: cake_diag_substitute(d, op, "shift 5", "shift %d", 4).
void cake_diag_substitute(CakeDiagnostic *diagnostic, const CakeOp *op, const char *old, const char *format, ...) CAKE_PRINTF(4, 5);
void cake_diag_delete(CakeDiagnostic *diagnostic, const CakeOp *op);
void cake_diag_move(CakeDiagnostic *diagnostic, CakeEditKind kind, const CakeOp *op, const CakeOp *other);

// `text` with the edits made. False, and nothing is reported: an op is not found in the text or shares a line with another, or two edits
// touch one line. `context` has the dialects of the text, which is parsed anew in it. Whether the result is right is for the caller to see:
// it verifies.
CAKE_NODISCARD bool cake_edits_apply(CakeContext *context, CakeStr file, CakeStr text, const CakeEdit *edits, CakeBuf *out);

CAKE_END_C
#endif
