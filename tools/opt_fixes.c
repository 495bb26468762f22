// Applying the fixes of findings to a program's text (cake-opt --apply-fixes).
//
// What came of a fix is read and verified again: it is kept only if the program has fewer errors with it.
#include "cake/edit.h"
#include "tools/opt.h"

enum { MAX_FIXES = 1000 };

typedef struct Findings {
  CakeArena *arena; // of the fixes
  CAKE_VEC(CakeEdit *) fixes;
  size_t errors;
} Findings;

// Diagnostics live only while they are handled.
static CakeEdit *copy_edits(CakeArena *arena, const CakeEdit *edits) {
  CakeEdit *first = NULL, **end = &first;
  for (; edits; edits = edits->next) {
    *end = CAKE_ARENA_NEW(arena, CakeEdit);
    **end = *edits;
    (*end)->text = cake_arena_str(arena, edits->text);
    (*end)->old = cake_arena_str(arena, edits->old);
    (*end)->next = NULL;
    end = &(*end)->next;
  }
  return first;
}

static void collect(void *user, const CakeDiagnostic *diagnostic) {
  Findings *findings = user;
  if (diagnostic->severity != CAKE_ERROR) return;
  findings->errors++;
  if (diagnostic->first_edit) CAKE_PUSH(&findings->fixes, copy_edits(findings->arena, diagnostic->first_edit));
}

// The context of a reading of the text.
typedef struct Reading {
  const Extensions *extensions;
  bool allow_unregistered;
} Reading;

// Locations of edits are of this context: it stays until they were applied.
static Findings examine(const Reading *reading, CakeContext *context, CakeStr file, CakeStr text) {
  Findings findings = {.arena = cake_arena_create()};
  cake_context_set_handler(context, collect, &findings, NULL, NULL);
  CakeOp *module = cake_parse_module(context, file, text);
  bool is_fine = module && extensions_verify(reading->extensions, module);
  if (!is_fine && !findings.errors) findings.errors = 1;
  cake_context_set_handler(context, NULL, NULL, NULL, NULL);
  return findings;
}

static void findings_fini(Findings *findings) {
  CAKE_VEC_FINI(&findings->fixes);
  cake_arena_destroy(findings->arena);
}

// Extensions that fail to register have been reported when they were loaded; the text is read without them.
static CakeContext *open_context(const Reading *reading) {
  CakeContext *context = cake_context_create();
  cake_context_allow_unregistered(context, reading->allow_unregistered);
  (void)!extensions_register(reading->extensions, context);
  return context;
}

static size_t count_errors(const Reading *reading, CakeStr file, CakeStr text) {
  CakeContext *context = open_context(reading);
  Findings findings = examine(reading, context, file, text);
  size_t errors = findings.errors;
  findings_fini(&findings);
  cake_context_destroy(context);
  return errors;
}

// One fix with which there are fewer errors. False: there is none. *out_errors: how many there were before.
static bool improve(const Reading *reading, CakeStr file, CakeBuf *text, size_t *out_errors) {
  CakeContext *context = open_context(reading);
  CakeStr before = text->len ? cake_buf_view(text) : CAKE_STR("");
  Findings findings = examine(reading, context, file, before);
  CakeBuf next = {0};
  bool is_better = false;
  *out_errors = findings.errors;
  for (size_t i = 0; i < findings.fixes.len && !is_better; i++) {
    cake_buf_clear(&next);
    is_better = cake_edits_apply(context, file, before, findings.fixes.data[i], &next) &&
                count_errors(reading, file, next.len ? cake_buf_view(&next) : CAKE_STR("")) < findings.errors;
  }
  findings_fini(&findings);
  cake_context_destroy(context);
  if (is_better) {
    cake_buf_clear(text);
    cake_buf_append(text, next.data ? next.data : "", next.len);
  }
  cake_buf_fini(&next);
  return is_better;
}

bool opt_apply_fixes(const Extensions *extensions, CakeStr file, CakeStr text, bool allow_unregistered, CakeBuf *out,
                     size_t *out_applied) {
  Reading reading = {extensions, allow_unregistered};
  size_t errors = 1;
  cake_buf_clear(out);
  cake_buf_str(out, text);
  *out_applied = 0;
  while (*out_applied < MAX_FIXES && improve(&reading, file, out, &errors))
    ++*out_applied;
  return errors == 0;
}
