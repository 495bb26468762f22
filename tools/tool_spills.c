// Who spills: SASS that touches local memory, by the role whose line it came from.
#include <string.h>

#include "passes/lower.h"
#include "tools/tool_facts.h"
#include "tools/tool_sass.h"

static bool is_at(const CakeOp *op, uint32_t line) {
  CakeStr file;
  uint32_t at, column;
  return cake_loc_find_file(op->context, op->loc, &file, &at, &column) && at == line;
}

// The op of a role's program that stands in that line of the source; NULL when there is none. What came from the kernel's
// own line is of no role.
static CakeOp *op_at(CakeOp *func, uint32_t line, CakeLowerRole *out_role) {
  if (is_at(func, line)) return NULL;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false))
    if (is_at(op, line) && cake_lower_role_of(op, out_role)) return op;
  return NULL;
}

// STL and LDL, behind a predicate or not.
static bool is_local(CakeStr text) {
  if (text.len && text.ptr[0] == '@') {
    const char *blank = memchr(text.ptr, ' ', text.len);
    size_t skipped = blank ? (size_t)(blank - text.ptr) + 1 : text.len;
    text = (CakeStr){text.ptr + skipped, text.len - skipped};
  }
  return cake_str_starts_with(text, "STL") || cake_str_starts_with(text, "LDL");
}

// Counts the accesses of local memory in a role, and finds the line of the first.
static size_t count_spills(CakeOp *func, const CakeAsmListing *sass, const char *name, CakeOp **out_first) {
  size_t count = 0;
  for (size_t i = 0; i < sass->len; i++) {
    CakeLowerRole role;
    CakeOp *op = is_local(sass->data[i].text) ? op_at(func, sass->data[i].line, &role) : NULL;
    if (!op || strcmp(role.name->text, name) != 0) continue;
    if (count++ == 0) *out_first = op;
  }
  return count;
}

static void note_role(CakeTool *tool, CakeDiagnostic *diagnostic, CakeOp *func, const CakeAsmListing *sass,
                      const CakeManifestRole *role) {
  CakeOp *first = NULL;
  CakeBuf budget = {0};
  if (role->registers)
    cake_buf_printf(&budget, "%u registers a thread", (unsigned)role->registers);
  else
    cake_buf_text(&budget, "no budget");
  size_t count = sass ? count_spills(func, sass, role->name, &first) : 0;
  if (count)
    cake_diag_note(tool->context, diagnostic, first->loc,
                   "role @%s, which has %s, spills in %zu instructions; here is the first", role->name, budget.data,
                   count);
  else if (!sass)
    cake_diag_note(tool->context, diagnostic, func->loc, "role @%s has %s", role->name, budget.data);
  cake_buf_fini(&budget);
}

// With `.loc` lines, which the cubin at hand does not have.
static bool disassemble(CakeTool *tool, CakeOp *func, const char *target, CakeBuf *text, CakeAsmListing *out) {
  CakeBuf ptx = {0};
  bool has_sass = false;
  bool is_fine = cake_tool_emit_ptx(tool, cake_op_parent(func), target, true, &ptx) &&
                 cake_tool_sass(tool, func, cake_buf_view(&ptx), target, text, out, &has_sass);
  cake_buf_fini(&ptx);
  return is_fine && has_sass;
}

void cake_tool_note_spills(CakeTool *tool, CakeDiagnostic *diagnostic, CakeOp *func, const char *target) {
  CakeFacts facts;
  CakeBuf text = {0};
  CakeAsmListing sass = {0};
  if (!cake_facts_of_func(func, target, &facts)) return;
  bool has_sass = disassemble(tool, func, target, &text, &sass);
  for (uint32_t i = 0; i < facts.manifest.n_roles; i++)
    note_role(tool, diagnostic, func, has_sass ? &sass : NULL, &facts.manifest.roles[i]);
  cake_facts_fini(&facts);
  CAKE_VEC_FINI(&sass);
  cake_buf_fini(&text);
}
