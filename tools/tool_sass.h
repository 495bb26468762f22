// SASS of a compiled function with the lines that it came from, by ptxas and nvdisasm. Private to tools/.
#ifndef CAKE_TOOLS_TOOL_SASS_H
#define CAKE_TOOLS_TOOL_SASS_H

#include "tools/tool.h"

CAKE_BEGIN_C

typedef struct CakeAsmInstruction {
  CakeStr text;
  size_t number; // line in the PTX, or address
  uint32_t line; // of the source; 0: none
} CakeAsmInstruction;

typedef CAKE_VEC(CakeAsmInstruction) CakeAsmListing;

// The listing of a gpu.func's PTX, which has `.loc` lines; `text` holds what it points to. *out_has is false where ptxas or
// nvdisasm is not there, which is no error. What ptxas says is not looked at.
CAKE_NODISCARD bool cake_tool_sass(CakeTool *tool, CakeOp *func, CakeStr ptx, const char *target, CakeBuf *text,
                                   CakeAsmListing *out, bool *out_has);
// The next line of a text, without blanks around it; false at the end.
bool cake_asm_next_line(CakeStr *rest, CakeStr *out);

// Adds notes to a message that a function spills: the roles that do, with a line where they do it, if that can be found out;
// else the roles' budgets.
void cake_tool_note_spills(CakeTool *tool, CakeDiagnostic *diagnostic, CakeOp *func, const char *target);

CAKE_END_C
#endif
